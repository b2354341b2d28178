"""What a reader is told about a path that does not exist: where it stops, and what is near.

Rules: only entries this agent may see are named; the folder is listed in a thread and only its
first entries are looked at.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from keelbook.errors import ToolFailed
from keelbook.files import Access, Files
from keelbook.text import listed
from keelbook.toolset import disk
from keelbook.toolset.threads import Stop, aside

_MOST = 2000


async def missing(files: Files, access: Access, wanted: str = "file") -> ToolFailed:
    """The error for a path that is not there. ``wanted`` is what it should have been."""
    parent, name, rest, entries = await aside(lambda stop: _break(access, stop))
    shows = await files.visible(entries)
    found = [entry.literal for entry, shown in zip(entries, shows, strict=True) if shown]
    noun = wanted if not rest else "folder"
    sentence = f"There is no {noun} {files.shown(parent / name)}"
    if found:
        meant = listed((str(Path(files.shown(each), *rest)) for each in found), "or")
        return ToolFailed(f"{sentence}; did you mean {meant}?", "not-found")
    return ToolFailed(f"{sentence}.", "not-found")


def _break(access: Access, stop: Stop) -> tuple[Path, str, tuple[str, ...], list[Access]]:
    """The deepest folder that exists, the name missing in it, what follows, and what is near."""
    path = access.resolved
    parent = path.parent
    while parent != parent.parent and not os.path.isdir(parent):
        stop.check()
        parent = parent.parent
    below = path.relative_to(parent).parts
    try:
        with disk.reading_folder(parent) as fd, os.scandir(fd) as entries:
            names = [entry.name for entry in itertools.islice(entries, _MOST)]
    except OSError:
        names = []
    return (
        parent,
        below[0],
        below[1:],
        [_entry(parent / each, access) for each in _near(below[0], names)],
    )


def _entry(path: Path, access: Access) -> Access:
    resolved = Path(os.path.realpath(path))
    return Access("read", access.given, path, resolved, access.tool, asks=False)


def _near(name: str, names: list[str]) -> list[str]:
    """Up to three names a reader may have meant, whatever their case."""
    import difflib

    by_lower: dict[str, list[str]] = {}
    for each in names:
        by_lower.setdefault(each.lower(), []).append(each)
    lower = difflib.get_close_matches(name.lower(), by_lower, n=3, cutoff=0.6)
    return [each for key in lower for each in by_lower[key]][:3]
