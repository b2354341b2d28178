"""Walks a folder: every file below it, in order of name, as far as this agent may see.

Rules: links are reported and never followed. A folder that may not be seen is not entered (F9).
What tools keep rather than people (histories, caches, ``node_modules``, a virtual environment) is
passed over unless it is asked for by name; where that may hide code, the reader is told. Runs in a
thread; rows judge on the event loop.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from keelbook.files import Access, Files
from keelbook.text import listed
from keelbook.toolset import disk
from keelbook.toolset.threads import Stop
from keelbook.value import Value

KEPT_BY_TOOLS = frozenset({
    ".git", ".hg", ".svn", "__pycache__", ".ipynb_checkpoints", ".mypy_cache", ".pytest_cache",
    ".ruff_cache", ".hypothesis", ".tox", ".nox",
})  # fmt: skip
PASSED_OVER = KEPT_BY_TOOLS | {"node_modules"}
DEEPEST = 64

Sight = Callable[[Sequence[Access]], Sequence[bool]]
"""Which entries may be seen."""


class Entry(Value):
    """Something below the root: its path from there, and whether it is a folder."""

    path: str
    folder: bool


@dataclass(slots=True)
class Walk:
    """One walk below ``root``. ``names`` are asked for, ``levels`` how deep (None: all)."""

    root: Access
    sight: Sight | None
    stop: Stop
    names: frozenset[str] = frozenset()
    levels: int | None = None
    passed: set[str] = field(default_factory=set)
    unread: int = 0

    def entries(self) -> Iterator[Entry]:
        """Files and folders, a folder before what it holds. Raises OSError for the root."""
        with disk.reading_folder(self.root.resolved) as fd:
            yield from self._below(fd, "", 1)

    def _below(self, fd: int, prefix: str, level: int) -> Iterator[Entry]:
        self.stop.check()
        for name, folder in self._seen(fd, prefix):
            path = prefix + name
            yield Entry(path, folder)
            if not folder or level == self.levels:
                continue
            if name in PASSED_OVER and name not in self.names:
                self.passed.add(name)
            elif level == DEEPEST:
                self.unread += 1
            else:
                yield from self._inside(fd, name, path, level)

    def _inside(self, fd: int, name: str, path: str, level: int) -> Iterator[Entry]:
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            below = os.open(name, flags, dir_fd=fd)
        except OSError:
            self.unread += 1
            return
        try:
            if name not in self.names and _is_environment(below):
                self.passed.add(name)
            else:
                yield from self._below(below, path + "/", level + 1)
        finally:
            os.close(below)

    def _seen(self, fd: int, prefix: str) -> list[tuple[str, bool]]:
        """The names in an open folder that may be seen, in order, and whether each is a folder."""
        with os.scandir(fd) as entries:
            found = sorted(
                (entry.name, entry.is_dir(follow_symlinks=False), entry.is_symlink())
                for entry in entries
            )
        if self.sight is not None:
            sees = self.sight([self._wish(prefix + name, link) for name, _, link in found])
            found = [each for each, seen in zip(found, sees, strict=True) if seen]
        return [
            (name, folder)
            for name, folder, link in found
            if not (link and _leads_to_folder(fd, name))
        ]

    def _wish(self, path: str, link: bool) -> Access:
        root = self.root
        resolved = root.resolved / path
        if link:
            resolved = Path(os.path.realpath(resolved))
        return Access("read", root.given, root.literal / path, resolved, root.tool, asks=False)

    def notices(self) -> list[str]:
        """What a reader should know was not looked at."""
        said = []
        passed = sorted(self.passed - KEPT_BY_TOOLS)
        if passed:
            said.append(f"Passed over: {listed(passed)}; name one to look inside.")
        if self.unread:
            said.append(f"Folders that could not be read: {self.unread:,}.")
        return said


def sight(files: Files, root: Access) -> Sight | None:
    """How a thread asks what may be seen below ``root``; None when that is everything."""
    if files.judge is None:
        if not files.holds_private(root.resolved):
            return None
        return lambda entries: [not files.is_private(each.resolved) for each in entries]
    loop = asyncio.get_running_loop()

    def ask(entries: Sequence[Access]) -> Sequence[bool]:
        return asyncio.run_coroutine_threadsafe(files.visible(entries), loop).result()

    return ask


def printable(name: str) -> str:
    """A name as text; bytes that are no UTF-8 are spelled out."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _leads_to_folder(fd: int, name: str) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=fd).st_mode)
    except OSError:
        return False


def _is_environment(fd: int) -> bool:
    return disk.state_of(fd, "pyvenv.cfg") is not None
