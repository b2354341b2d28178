"""The tool ``write``: a whole file, new or replaced at once.

Rules: folders on the way are made; the file is replaced whole or not at all, and keeps its mode; a
link is never written through. A file that stands there is replaced without being asked twice by a
person's code, and by an agent only when it has read or written this very state of the file or says
``overwrite``: what a person changed meanwhile is not lost in silence. Text goes in as it is, UTF-8.
"""

import os
import stat
from pathlib import Path

from pydantic import Field

from keelbook.errors import ToolFailed
from keelbook.files import Stamp
from keelbook.text import count
from keelbook.tool import Arguments, Capabilities, PathArgument, Result, Scene, Tool
from keelbook.toolset import disk
from keelbook.toolset.threads import Stop, aside
from keelbook.toolset.turns import one_at_a_time

DESCRIPTION = (
    "Write a whole text file, as UTF-8 and exactly as given; missing folders are made. A file that "
    "is there already is replaced only if you have read it and it has not changed since, or with "
    "`overwrite`. To change a part of a file use `edit`."
)


class WriteArguments(Arguments):
    """What to write."""

    path: str = Field(description="File to write, relative to the workspace or absolute.")
    content: str = Field(description="All of its text.")
    overwrite: bool = Field(False, description="Replace the file whatever it holds now.")


async def _write(arguments: WriteArguments, scene: Scene) -> Result:
    files = scene.files
    path = await files.open(arguments.path, "write", "write")
    shown = files.shown(path)
    data = encoded(arguments.content)
    checks = scene.origin == "agent" and not arguments.overwrite
    async with one_at_a_time(files, path):
        known = files.seen.get(path)
        try:
            created, state = await aside(lambda stop: _put(path, shown, data, known, checks, stop))
        except OSError as error:
            raise disk.trouble(error, shown) from None
        files.seen[path] = disk.stamp(state)
    said = f"{'Created' if created else 'Overwrote'} {shown} ({count(len(data), 'byte')})."
    return Result({"path": shown, "bytes": len(data), "created": created}, said)


def encoded(content: str) -> bytes:
    """``content`` as UTF-8. Raises ToolFailed for half of a surrogate pair."""
    try:
        return content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ToolFailed(
            f"Character {error.start + 1:,} is half of a surrogate pair and cannot be written."
        ) from None


def _put(
    path: Path, shown: str, data: bytes, known: Stamp | None, checks: bool, stop: Stop
) -> tuple[bool, os.stat_result]:
    created = True

    def allows(now: os.stat_result | None) -> None:
        nonlocal created
        stop.check()
        created = now is None
        if now is None:
            return
        if stat.S_ISDIR(now.st_mode):
            raise ToolFailed(f"{shown} is a folder.", "is-folder")
        if not stat.S_ISREG(now.st_mode):
            raise ToolFailed(f"{shown} is a {disk.kind(now.st_mode)}; it is not written to.")
        if checks and disk.stamp(now) != known:
            why = "you have not read it" if known is None else "it changed since you saw it"
            raise ToolFailed(
                f"{shown} is there already and {why}; read it first, or give overwrite=true.",
                "not-seen",
            )

    state = disk.replace(path, data, allows)
    return created, state


def tool() -> Tool:
    """``write(path, content, overwrite=False) -> {path, bytes, created}``."""
    return Tool(
        name="write",
        description=DESCRIPTION,
        arguments=WriteArguments,
        run=_write,
        capabilities=Capabilities(
            self_limiting=True, disposable_args=True, paths=(PathArgument("path", "write"),)
        ),
    )
