"""The tool ``edit``: replaces a text that stands exactly once in a file, or everywhere.

Rules: the match is exact, but for line ends: where every line of the file ends in a carriage
return and a line feed, a plain line feed in ``old`` and ``new`` stands for both. Encoding, mark and
mode are kept. No match or more than one changes nothing and says where the candidates are. Edits of
one file take turns.
"""

import os
import stat
from pathlib import Path

from pydantic import Field

from keelbook.errors import ToolFailed
from keelbook.text import count, listed
from keelbook.tool import Arguments, Capabilities, PathArgument, Result, Scene, Tool
from keelbook.toolset import disk, encoding
from keelbook.toolset.nearby import missing
from keelbook.toolset.threads import Stop, aside
from keelbook.toolset.turns import one_at_a_time

MOST = 64 << 20

DESCRIPTION = (
    "Replace text in a file. `old` must be the exact text, white space included, and stand once in "
    "the file; give more of the lines around it until it does, or `all` to replace every one."
)


class EditArguments(Arguments):
    """What to replace by what."""

    path: str = Field(description="File to change, relative to the workspace or absolute.")
    old: str = Field(description="The text that is there now.")
    new: str = Field(description="The text to put in its place.")
    all: bool = Field(False, description="Replace every occurrence instead of the only one.")


async def _edit(arguments: EditArguments, scene: Scene) -> Result:
    if not arguments.old:
        raise ToolFailed("`old` is empty; use `write` for a new file.", "bad-arguments")
    if arguments.old == arguments.new:
        raise ToolFailed("`old` and `new` are the same text.", "bad-arguments")
    files = scene.files
    access = await files.admit(arguments.path, "write", "edit")
    path, shown = access.resolved, files.shown(access.resolved)
    async with one_at_a_time(files, path):
        try:
            lines, state = await aside(lambda stop: _change(path, shown, arguments, stop))
        except FileNotFoundError:
            raise await missing(files, access) from None
        except OSError as error:
            raise disk.trouble(error, shown) from None
        files.seen[path] = disk.stamp(state)
    noun = "line" if len(lines) == 1 else "lines"
    said = f"Replaced {count(len(lines), 'place')} in {shown}, {noun} {_numbers(lines)}."
    return Result({"path": shown, "replaced": len(lines), "lines": lines}, said)


def _change(
    path: Path, shown: str, wish: EditArguments, stop: Stop
) -> tuple[list[int], os.stat_result]:
    with disk.reading(path) as (fd, state):
        data = disk.contents(fd, MOST + 1)
    if len(data) > MOST:
        raise ToolFailed(f"{shown} is larger than {count(MOST, 'byte')}; edit it with a program.")
    if encoding.is_binary(data[: encoding.SNIFF]):
        raise ToolFailed(f"{shown} is {encoding.binary_kind(data)}, not text.", "binary")
    decoded = encoding.decode(data)
    old, new = _ends(decoded.text, wish.old, wish.new)
    lines = places(decoded.text, old)
    if not lines:
        raise ToolFailed(_absent(decoded.text, old, shown), "no-match")
    if len(lines) > 1 and not wish.all:
        where = f"lines {_numbers(lines)}" if lines[0] != lines[-1] else f"line {lines[0]:,}"
        raise ToolFailed(
            f"`old` stands {count(len(lines), 'time')} in {shown}, at {where}; give more of the "
            "text around it, or all=true.",
            "not-unique",
        )
    changed = decoded.encode(decoded.text.replace(old, new))

    def allows(now: os.stat_result | None) -> None:
        stop.check()
        if now is None or not stat.S_ISREG(now.st_mode) or disk.stamp(now) != disk.stamp(state):
            raise ToolFailed(f"{shown} changed meanwhile; nothing was written.", "changed")

    return lines, disk.replace(path, changed, allows)


def _numbers(lines: list[int]) -> str:
    shown = [f"{each:,}" for each in dict.fromkeys(lines)]
    return listed(shown if len(shown) <= 12 else [*shown[:10], f"{len(shown) - 10:,} more"])


def _ends(text: str, old: str, new: str) -> tuple[str, str]:
    """``old`` and ``new`` with the file's line ends, where it has one kind only."""
    if "\r\n" not in text or text.count("\n") != text.count("\r\n"):
        return old, new
    return _carriage(old), _carriage(new)


def _carriage(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def places(text: str, old: str) -> list[int]:
    """The line of each occurrence that a replacement would change, from 1."""
    lines, line, last = [], 1, 0
    position = text.find(old)
    while position >= 0:
        line += text.count("\n", last, position)
        lines.append(line)
        last, position = position, text.find(old, position + len(old))
    return lines


def _absent(text: str, old: str, shown: str) -> str:
    """Why there is no match, as far as it can be seen."""
    wanted = [line.split() for line in old.strip().splitlines()]
    have = [line.split() for line in text.splitlines()]
    if any(wanted):
        for start in range(len(have) - len(wanted) + 1):
            if have[start] == wanted[0] and have[start : start + len(wanted)] == wanted:
                end = start + len(wanted)
                lines = f"line {end:,}" if len(wanted) == 1 else f"lines {start + 1:,} to {end:,}"
                verb = "differs" if len(wanted) == 1 else "differ"
                return f"`old` is not in {shown}; {lines} {verb} from it in white space only."
    return f"`old` is not in {shown}; read the file and copy the text exactly."


def tool() -> Tool:
    """``edit(path, old, new, all=False) -> {path, replaced, lines}``."""
    return Tool(
        name="edit",
        description=DESCRIPTION,
        arguments=EditArguments,
        run=_edit,
        capabilities=Capabilities(
            self_limiting=True, disposable_args=True, paths=(PathArgument("path", "write"),)
        ),
    )
