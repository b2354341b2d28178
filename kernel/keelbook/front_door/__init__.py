"""The front door of a cell: what is no Python in it becomes Python, or goes to the host.

``open_door`` judges a person's or an agent's cell before it reaches the guest (guest A35-A39). Most
cells hold none of the marks it looks for; the code that reads them is loaded by the first that
does.
"""

from __future__ import annotations

from collections.abc import Collection

from keelbook.front_door.kinds import AgentCell, Door, Help, Python, Typed, Unusable, times

__all__ = ["AgentCell", "Door", "Help", "Python", "Typed", "Unusable", "open_door", "times"]

_MARKS = "!?%"


def open_door(code: str, *, commands: Collection[str] = (), agent: bool = False) -> Door:
    """What ``code`` is. ``commands`` are the host's names besides the usual; ``agent``: whose."""
    if not any(mark in code for mark in _MARKS):
        return Python(code)
    from keelbook.front_door.door import judged

    return judged(code, commands, agent)
