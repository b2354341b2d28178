"""The tool ``read``: a text file, or a part of it, or a picture.

Rules: a program gets the plain text whole and unchanged (line ends too); a model gets a numbered
view within the bounds of ``page``. What cannot be given whole is refused with what to do instead,
never cut in silence. The state of the file is remembered in ``files.seen``.
"""

import base64
import os
from pathlib import Path

from pydantic import Field

from keelbook.errors import ToolFailed
from keelbook.files import Stamp
from keelbook.messages import Image
from keelbook.text import count
from keelbook.tool import Arguments, Capabilities, PathArgument, Result, Scene, Tool
from keelbook.toolset import disk, encoding, page
from keelbook.toolset.nearby import missing
from keelbook.toolset.threads import Stop, aside
from keelbook.value import Value

WHOLE = 16 << 20
PICTURE = 3_750_000

DESCRIPTION = (
    "Read a text file. Called from code it returns the plain text. The view is numbered, "
    f"{page.LINES:,} lines at most; `offset` and `limit` choose lines, a negative `offset` counts "
    "from the end, `column` goes on within a very long line."
)


class ReadArguments(Arguments):
    """What to read."""

    path: str = Field(description="File to read, relative to the workspace or absolute.")
    offset: int = Field(1, description="First line, from 1; -20 is the last 20 lines.")
    limit: int | None = Field(None, ge=1, description="How many lines; all that follow if left out")
    column: int = Field(1, ge=1, description="First character of the first line, from 1.")
    encoding: str | None = Field(None, description="Text encoding; found out if left out.")


class _Part(Value):
    """What was read: bytes of a picture, or lines from ``first`` on, out of ``total``."""

    stamp: Stamp
    size: int
    media_type: str | None = None
    data: bytes = b""
    lines: tuple[str, ...] = ()
    first: int = 1
    total: int | None = None
    guessed: bool = False


async def _read(arguments: ReadArguments, scene: Scene) -> Result:
    files = scene.files
    access = await files.admit(arguments.path, "read", "read")
    shown = files.shown(access.resolved)
    native = not scene.parent
    try:
        part = await aside(lambda stop: _take(access.resolved, shown, arguments, native, stop))
    except FileNotFoundError:
        raise await missing(files, access) from None
    except IsADirectoryError:
        raise ToolFailed(f"{shown} is a folder; list it with `ls`.", "is-folder") from None
    except OSError as error:
        raise disk.trouble(error, shown) from None
    files.seen[access.resolved] = part.stamp
    if part.media_type is not None:
        return _picture(part, shown, scene, native)
    return _text(part, arguments.column)


def _picture(part: _Part, shown: str, scene: Scene, native: bool) -> Result:
    words = f"{shown} is a picture ({part.media_type}, {count(part.size, 'byte')})"
    if not (native and scene.images):
        raise ToolFailed(f"{words}; show it in a cell, with matplotlib or PIL.", "binary")
    if part.size > PICTURE:
        raise ToolFailed(f"{words}, too large to be looked at; make it smaller first.", "too-large")
    data = base64.b64encode(part.data).decode("ascii")
    picture = Image(media_type=part.media_type or "", data=data)
    return Result(f"{words}.", images=(picture,))


def _text(part: _Part, column: int) -> Result:
    value = "".join(part.lines)[column - 1 :] if column > 1 else "".join(part.lines)
    if not part.lines:
        return Result("", "[The file is empty.]")
    view, shown = page.numbered(part.lines, part.first, column)
    view += page.notice(part.first, shown, part.total)
    if part.guessed:
        view += "\n[Not UTF-8; read as Latin-1. Give `encoding` to have it read otherwise.]"
    return Result(value, view)


def _take(path: Path, shown: str, wish: ReadArguments, native: bool, stop: Stop) -> _Part:
    with disk.reading(path) as (fd, state):
        beginning = disk.contents(fd, encoding.SNIFF)
        media = encoding.picture(beginning)
        if media is not None:
            data = beginning + disk.contents(fd, PICTURE)
            return _Part(disk.stamp(state), state.st_size, media, data)
        if wish.encoding is None and encoding.is_binary(beginning):
            raise ToolFailed(
                f"{shown} is {encoding.binary_kind(beginning)} ({count(state.st_size, 'byte')}), "
                "not text; open it in a cell.",
                "binary",
            )
        rest = disk.contents(fd, WHOLE)
        if len(rest) < WHOLE:
            return _small(beginning + rest, disk.stamp(state), shown, wish)
        return _large(fd, state, shown, wish, native, stop)


def _small(data: bytes, stamp: Stamp, shown: str, wish: ReadArguments) -> _Part:
    decoded = encoding.decode(data, wish.encoding)
    lines = page.pieces(decoded.text)
    first = _first(wish.offset, len(lines), shown)
    end = len(lines) if wish.limit is None else first - 1 + wish.limit
    part = tuple(lines[first - 1 : end])
    return _Part(
        stamp, len(data), lines=part, first=first, total=len(lines), guessed=decoded.guessed
    )


def _first(offset: int, total: int, shown: str) -> int:
    first = max(total + offset + 1, 1) if offset < 0 else max(offset, 1)
    if first > max(total, 1):
        raise ToolFailed(
            f"{shown} has {count(total, 'line')}; line {first:,} is behind its end.", "past-end"
        )
    return first


def _large(
    fd: int, state: os.stat_result, shown: str, wish: ReadArguments, native: bool, stop: Stop
) -> _Part:
    """Lines of a file too large to hold; they are found by counting line ends."""
    limit = wish.limit or (page.LINES if native else None)
    if limit is None:
        raise ToolFailed(
            f"{shown} holds {count(state.st_size, 'byte')}, too much to be read at once; give "
            "`offset` and `limit`, or open it in the cell itself.",
            "too-large",
        )
    total = None
    if wish.offset < 0:
        _, total = _seek_line(fd, None, stop)
        first = _first(wish.offset, total, shown)
    else:
        first = max(wish.offset, 1)
    position, passed = _seek_line(fd, first, stop)
    if passed < first - 1:
        _first(first, passed, shown)
    os.lseek(fd, position, os.SEEK_SET)
    data = disk.contents(fd, WHOLE)
    end = _after_line(data, limit)
    if end is None and len(data) == WHOLE:
        raise ToolFailed(
            f"Those lines of {shown} hold more than {count(WHOLE, 'byte')}; ask for fewer, or open "
            "it in a cell.",
            "too-large",
        )
    decoded = encoding.decode(data[:end], wish.encoding)
    lines = tuple(page.pieces(decoded.text))
    return _Part(
        disk.stamp(state),
        state.st_size,
        lines=lines,
        first=first,
        total=total if end is not None else first - 1 + len(lines),
        guessed=decoded.guessed,
    )


def _seek_line(fd: int, line: int | None, stop: Stop) -> tuple[int, int]:
    """Where ``line`` begins and how many lines end before it; None: the end of the file."""
    os.lseek(fd, 0, os.SEEK_SET)
    position = passed = 0
    last = b"\n"
    while chunk := disk.contents(fd, 1 << 20):
        stop.check()
        ends = chunk.count(b"\n")
        if line is not None and passed + ends >= line - 1:
            start = _after_line(chunk, line - 1 - passed) or 0
            return position + start, line - 1
        position += len(chunk)
        passed += ends
        last = chunk[-1:]
    return position, passed + (last != b"\n")


def _after_line(data: bytes, lines: int) -> int | None:
    """Where ``data`` goes on after ``lines`` line ends; None when it has fewer."""
    position = 0
    for _ in range(lines):
        position = data.find(b"\n", position) + 1
        if position == 0:
            return None
    return position


def tool() -> Tool:
    """``read(path, offset=1, limit=None, column=1, encoding=None) -> str``."""
    return Tool(
        name="read",
        description=DESCRIPTION,
        arguments=ReadArguments,
        run=_read,
        capabilities=Capabilities(
            read_only=True,
            self_limiting=True,
            reads_paths=True,
            paths=(PathArgument("path", "read"),),
        ),
    )
