"""The judges of commands whose meaning is more than a line in a table, by kind."""
