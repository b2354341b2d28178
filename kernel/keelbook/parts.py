"""What a profile makes a session of: rows, tools, models and how they are presented.

Rules: the order of ``rows`` is the order of every seam, first is outermost; nothing sorts it. A
model is made when it is first asked for, so that opening a session needs no key and no network.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from keelbook.errors import BadConfig
from keelbook.model import Model
from keelbook.row import Command, Row
from keelbook.tool import Tool
from keelbook.value import Value

Models = Callable[[str | None], Model]
"""The model of that name, None for the profile's own. Raises ModelFailed (``no-model``) where none
is set, BadConfig for a name that cannot be one."""


class Budgets(Value):
    """What a run and a turn may use; seconds, or None for no bound.

    Seconds bind an agent's cells only. ``parallel`` is how many calls of one message run at once;
    ``retries`` are the waits in seconds before a failed model request is sent again.
    """

    cpu_s: float | None = 300.0
    wall_s: float | None = 600.0
    parallel: int = 10
    retries: tuple[float, ...] = (0.5, 2.0, 8.0)


@dataclass(frozen=True, slots=True)
class Parts:
    """One agent, not yet alive. ``tools`` are the toolset's; rows bring their own besides.

    ``code_mode``: the model gets the native tools only (``Tool.native``) and reaches the others as
    ``await tools.<name>(...)`` from its cells; false gives it all of them. ``writable`` are folders
    file tools may write to besides the workspace.
    """

    rows: tuple[Row, ...]
    tools: tuple[Tool, ...]
    models: Models
    profile: str = ""
    code_mode: bool = True
    writable: tuple[Path, ...] = ()
    budgets: Budgets = field(default_factory=Budgets)

    def __post_init__(self) -> None:
        """Raises BadConfig when two tools, or two commands, go by one name."""
        tools = self.every_tool
        names = [*(tool.name for tool in tools), *(t.title for t in tools if t.title != t.name)]
        commands = [command.name for command in self.every_command]
        for kind, given in (("tools", names), ("commands", commands)):
            twice = [name for name in given if given.count(name) > 1]
            if twice:
                raise BadConfig(f"Two {kind} are called `{twice[0]}`.")

    @property
    def every_tool(self) -> tuple[Tool, ...]:
        """The toolset's and the rows' tools, in order."""
        return (*self.tools, *(tool for row in self.rows for tool in row.tools))

    @property
    def every_command(self) -> tuple[Command, ...]:
        """The rows' commands, in order."""
        return tuple(command for row in self.rows for command in row.commands)
