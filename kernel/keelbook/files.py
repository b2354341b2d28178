"""The seam between file tools and the file system: one door that every path goes through.

Rules: a tool names what it wants to do with a path and gets back the resolved path to do it with,
or a ``Refused``; it never opens the name it was given. Rows judge accesses (``on_file``). Two fixed
rules lie below them: nothing is written outside the workspace and the folders granted besides it,
and what would hand over the harness or a person's keys (``private_places``, other processes under
``/proc``) is not read, however a rule decides.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from weakref import WeakValueDictionary

from keelbook.errors import Refused
from keelbook.private import config_folder, data_folder
from keelbook.value import Value

Operation = Literal["read", "write"]

_PROCESS = re.compile(r"/proc/\d+(/|$)")


class Access(Value):
    """One wish: ``literal`` is absolute with dots collapsed, ``resolved`` has links followed.

    ``asks`` False: an entry met while walking a folder. Whoever would ask a person denies instead;
    a denied entry is left out as if it were not there.
    """

    operation: Operation
    given: str
    literal: Path
    resolved: Path
    tool: str
    asks: bool = True


AccessRule = Callable[[Access], Awaitable[None]]
"""Judges an access; raises Refused to deny it."""

Stamp = tuple[int, int, int]
"""What tells one state of a file from another: inode, time of change in ns, bytes."""


def _private_places() -> tuple[Path, ...]:
    return private_places(Path.home(), os.environ)


@dataclass(frozen=True, slots=True)
class Files:
    """A workspace: ``root`` is its folder, ``writable`` the folders granted besides it.

    ``readable`` stays open to reading though it lies in a ``private`` place. ``seen`` holds the
    state each file was in when this agent last read or wrote it; ``locks`` lets one tool at a time
    change a file.
    """

    root: Path
    writable: tuple[Path, ...] = ()
    judge: AccessRule | None = None
    readable: tuple[Path, ...] = ()
    private: tuple[Path, ...] = field(default_factory=_private_places)
    seen: dict[Path, Stamp] = field(default_factory=dict, compare=False, repr=False)
    _real: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False)
    locks: WeakValueDictionary[Path, asyncio.Lock] = field(
        default_factory=WeakValueDictionary, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        """Links are followed once: what is inside does not move while a session lives."""
        inner = (self.root, *self.writable)
        for kind, folders in (
            ("inner", inner), ("open", (*inner, *self.readable)), ("private", self.private),
        ):  # fmt: skip
            self._real[kind] = tuple(os.path.realpath(each) for each in folders)

    async def open(self, given: str, operation: Operation, tool: str) -> Path:
        """The path to use for ``given`` (relative to the root). Raises Refused."""
        return (await self.admit(given, operation, tool)).resolved

    async def admit(self, given: str, operation: Operation, tool: str) -> Access:
        """As ``open``, with both forms of the path. Links are read beside the event loop."""
        access = await asyncio.to_thread(self.access, given, operation, tool)
        if operation == "write" and not self.inside(access.resolved):
            raise Refused(
                f"Writing {access.resolved} is not allowed here: it is outside {self.root}.",
                "path-denied",
            )
        if self.is_private(access.resolved):
            doing = "Writing" if operation == "write" else "Reading"
            raise Refused(
                f"{doing} {access.resolved} is not allowed here: keys or the records of sessions "
                "may be kept there.",
                "path-denied",
            )
        if self.judge is not None:
            await self.judge(access)
        return access

    async def visible(self, entries: Sequence[Access]) -> list[bool]:
        """Which entries met on a walk may be shown; nobody is asked."""
        return [await self._shows(each) for each in entries]

    async def _shows(self, access: Access) -> bool:
        if self.is_private(access.resolved):
            return False
        try:
            if self.judge is not None:
                await self.judge(access)
        except Refused:
            return False
        return True

    def access(self, given: str, operation: Operation, tool: str) -> Access:
        """The two forms of a path. Raises Refused for one that cannot be a path."""
        try:
            whole = str(self.root / Path(given).expanduser())
            os.fsencode(whole)
            if "\0" in whole:
                raise ValueError("NUL")
        except (ValueError, RuntimeError):
            raise Refused(f"{given!r} cannot be a path.", "path-denied") from None
        return Access(
            operation, given, Path(os.path.normpath(whole)), Path(os.path.realpath(whole)), tool
        )

    def inside(self, resolved: Path) -> bool:
        """Whether a resolved path lies in the root or a granted folder."""
        return _deepest(resolved, self._real["inner"]) > 0

    def is_private(self, resolved: Path) -> bool:
        """Whether a resolved path lies in a private place more closely than in an open one."""
        if sys.platform == "linux" and _PROCESS.match(str(resolved)):
            return True
        closest = _deepest(resolved, self._real["private"])
        return closest > 0 and closest >= _deepest(resolved, self._real["open"])

    def holds_private(self, resolved: Path) -> bool:
        """Whether something private may lie below a resolved folder."""
        top = str(resolved).rstrip("/") + "/"
        return top == "/" or any(each.startswith(top) for each in self._real["private"])

    def shown(self, resolved: Path) -> str:
        """A resolved path as a reader knows it: from the root where it lies inside."""
        root = self._real["inner"][0]
        return str(resolved.relative_to(root)) if resolved.is_relative_to(root) else str(resolved)


def private_places(home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
    """What no file tool opens: where Keelbook and Jupyter keep their own, and a person's keys."""
    mac = sys.platform == "darwin"
    jupyter = Path(
        environ.get("JUPYTER_DATA_DIR")
        or (home / "Library/Jupyter" if mac else home / ".local/share/jupyter")
    )
    names = (
        ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".jupyter", ".netrc", ".pypirc",
        ".git-credentials", ".pgpass", ".config/gh", ".config/gcloud",
    )  # fmt: skip
    return (
        data_folder(),
        config_folder(),
        Path(environ.get("JUPYTER_RUNTIME_DIR") or jupyter / "runtime"),
        Path(environ.get("JUPYTER_CONFIG_DIR") or home / ".jupyter"),
        *(home / name for name in names),
    )


def _deepest(path: Path, folders: Sequence[str]) -> int:
    """The length of the longest of ``folders`` (links followed) that holds ``path``, or 0."""
    text = str(path)
    holds = (each for each in folders if text == each or text.startswith(each.rstrip("/") + "/"))
    return max(map(len, holds), default=0)
