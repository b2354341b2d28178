"""The agent's loop: turns, the rows' seams, and the one pipeline every tool call goes through."""
