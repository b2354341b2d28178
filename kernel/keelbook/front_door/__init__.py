"""The front door of a cell: what is no Python in it becomes Python, or goes to the host.

``open_door`` judges a person's or an agent's cell before it reaches the guest (guest A35-A39).
"""

from keelbook.front_door.door import open_door
from keelbook.front_door.kinds import AgentCell, Door, Help, Python, Typed, Unusable, times

__all__ = ["AgentCell", "Door", "Help", "Python", "Typed", "Unusable", "open_door", "times"]
