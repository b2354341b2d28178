"""The tool ``ls``: what a folder holds.

Rules: names in order, links not followed, denied entries left out without a count. A program gets
every entry; a model's view stops at ``SHOWN`` with the number left out.
"""

import datetime
import os
from typing import Any

from pydantic import Field

from keelbook.errors import ToolFailed
from keelbook.files import Access
from keelbook.tool import Arguments, Capabilities, PathArgument, Result, Scene, Tool
from keelbook.toolset import disk
from keelbook.toolset.nearby import missing
from keelbook.toolset.threads import Stop, aside
from keelbook.toolset.walk import printable

SHOWN = 500

DESCRIPTION = (
    "List a folder: name, kind, size in bytes and time of change of each entry. Called from code "
    "it returns a list of {name, kind, size, modified}."
)


class LsArguments(Arguments):
    """What to list."""

    path: str = Field(".", description="Folder to list; the workspace if left out.")


async def _ls(arguments: LsArguments, scene: Scene) -> Result:
    files = scene.files
    access = await files.admit(arguments.path, "read", "ls")
    shown = files.shown(access.resolved)
    try:
        found = await aside(lambda stop: _list(access, stop))
    except FileNotFoundError:
        raise await missing(files, access, "folder") from None
    except NotADirectoryError:
        raise ToolFailed(f"{shown} is a file; read it with `read`.", "is-file") from None
    except OSError as error:
        raise disk.trouble(error, shown) from None
    sees = await files.visible([entry for entry, _ in found])
    rows = [row for (_, row), seen in zip(found, sees, strict=True) if seen]
    return Result(rows, _view(rows, shown))


def _list(access: Access, stop: Stop) -> list[tuple[Access, dict[str, Any]]]:
    found = []
    with disk.reading_folder(access.resolved) as fd, os.scandir(fd) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            stop.check()
            try:
                state = entry.stat(follow_symlinks=False)
                target = os.readlink(entry.name, dir_fd=fd) if entry.is_symlink() else None
            except FileNotFoundError:
                continue
            row = {
                "name": printable(entry.name),
                "kind": disk.kind(state.st_mode),
                "size": state.st_size,
                "modified": _time(state.st_mtime),
            }
            if target is not None:
                row["target"] = printable(target)
            found.append((_wish(access, entry.name, target is not None), row))
    return found


def _wish(access: Access, name: str, link: bool) -> Access:
    literal, resolved = access.literal / name, access.resolved / name
    if link:
        resolved = type(resolved)(os.path.realpath(resolved))
    return Access("read", access.given, literal, resolved, access.tool, asks=False)


def _time(seconds: float) -> str:
    moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _view(rows: list[dict[str, Any]], shown: str) -> str:
    if not rows:
        return f"{shown} is empty."
    lines = [_line(row) for row in rows[:SHOWN]]
    if len(rows) > SHOWN:
        lines.append(f"[{len(rows) - SHOWN:,} more entries; `glob` finds some of them by name.]")
    return "\n".join(lines)


def _line(row: dict[str, Any]) -> str:
    if row["kind"] == "folder":
        return f"{row['name']}/"
    if row["kind"] == "link":
        return f"{row['name']} -> {row['target']}"
    if row["kind"] == "file":
        return f"{row['name']}  {row['size']:,} bytes"
    return f"{row['name']}  {row['kind']}"


def tool() -> Tool:
    """``ls(path=".") -> [{name, kind, size, modified}]``."""
    return Tool(
        name="ls",
        description=DESCRIPTION,
        arguments=LsArguments,
        run=_ls,
        capabilities=Capabilities(
            read_only=True, searches_paths=True, paths=(PathArgument("path", "read"),)
        ),
    )
