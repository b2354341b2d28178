"""The seam between file tools and the file system: one door that every path goes through.

Rules: a tool names what it wants to do with a path and gets back the resolved path to do it with,
or a ``Refused``; it never opens the name it was given. Rows judge accesses (``on_file``); the
fixed rule below them is that nothing is written outside the workspace and its scratch folder.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from keelbook.errors import Refused

Operation = Literal["read", "write"]


@dataclass(frozen=True, slots=True)
class Access:
    """One wish: ``literal`` is absolute with dots collapsed, ``resolved`` has links followed."""

    operation: Operation
    given: str
    literal: Path
    resolved: Path
    tool: str


AccessRule = Callable[[Access], Awaitable[None]]
"""Judges an access; raises Refused to deny it."""


@dataclass(frozen=True, slots=True)
class Files:
    """A workspace: ``root`` is its folder, ``writable`` the folders granted besides it."""

    root: Path
    writable: tuple[Path, ...] = ()
    judge: AccessRule | None = None

    async def open(self, given: str, operation: Operation, tool: str) -> Path:
        """The path to use for ``given`` (relative to the root). Raises Refused."""
        access = self.access(given, operation, tool)
        if operation == "write" and not self.inside(access.resolved):
            raise Refused(
                f"Writing {access.resolved} is not allowed here: it is outside {self.root}.",
                "path-denied",
            )
        if self.judge is not None:
            await self.judge(access)
        return access.resolved

    def access(self, given: str, operation: Operation, tool: str) -> Access:
        """The two forms of a path. Raises Refused for one that cannot be a path."""
        if "\0" in given:
            raise Refused("A path cannot hold a NUL character.", "path-denied")
        literal = Path(os.path.normpath(self.root / Path(given).expanduser()))
        resolved = Path(os.path.realpath(self.root / Path(given).expanduser()))
        return Access(operation, given, literal, resolved, tool)

    def inside(self, resolved: Path) -> bool:
        """Whether a resolved path lies in the root or a granted folder."""
        roots = (Path(os.path.realpath(each)) for each in (self.root, *self.writable))
        return any(resolved == root or root in resolved.parents for root in roots)
