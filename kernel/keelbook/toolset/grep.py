"""The tool ``grep``: the lines of files that hold a regular expression.

Rules: Python's ``re``, line by line, in a process of its own (``search``), so that a pattern that
backtracks without end costs this call and nothing else. Binary files are passed over and counted. A
program gets every match, or at most ``limit``; more than ``MOST`` without one is an error. A
model's view stops at ``SHOWN`` matches.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from keelbook.errors import ToolFailed
from keelbook.files import Access
from keelbook.text import count
from keelbook.tool import Arguments, Capabilities, PathArgument, Result, Scene, Tool
from keelbook.toolset import disk, pattern
from keelbook.toolset.nearby import missing
from keelbook.toolset.search import search
from keelbook.toolset.threads import Stop, aside
from keelbook.toolset.walk import Sight, Walk, printable, sight

MOST = 20_000
SHOWN = 200
CHARACTERS = 50_000
LINE = 300
BATCH = 64

DESCRIPTION = (
    "Search files line by line for a regular expression (Python's re). `path` is a file or folder, "
    "`glob` keeps to some files, such as `*.py` (any folder) or `src/**/*.ts`. Called from code it "
    "returns a list of {path, line, column, text}, with `before` and `after` if `context` is given."
)


class GrepArguments(Arguments):
    """What to search for, and where."""

    pattern: str = Field(min_length=1, max_length=2000, description="Regular expression.")
    path: str = Field(".", description="File or folder to search; the workspace if left out.")
    glob: str | None = Field(None, description="Pattern that files must match.")
    context: int = Field(0, ge=0, le=20, description="Lines to give before and after each match.")
    ignore_case: bool = Field(
        False, alias="ignore_case", description="Ignore upper and lower case."
    )
    limit: int | None = Field(None, ge=1, description="Stop after so many matches.")


@dataclass(slots=True)
class _Found:
    """Matches, each ``[path, line, column, text, before, after]``, and what was passed over."""

    matches: list[list[Any]] = field(default_factory=list)
    searched: int = 0
    binary: int = 0
    unread: int = 0
    full: bool = False
    notices: list[str] = field(default_factory=list)


async def _grep(arguments: GrepArguments, scene: Scene) -> Result:
    files = scene.files
    access = await files.admit(arguments.path or ".", "read", "grep")
    shown = files.shown(access.resolved)
    most = min(arguments.limit or MOST + 1, MOST + 1)
    if not scene.parent and arguments.limit is None:
        most = SHOWN + 1
    seeing = sight(files, access)
    job = {
        "job": "grep",
        "pattern": arguments.pattern,
        "fold": arguments.ignore_case,
        "globs": _globs(arguments.glob),
        "root": str(access.resolved),
        "context": arguments.context,
        "most": most,
    }
    try:
        found = await aside(lambda stop: _search(access, arguments, job, seeing, stop))
    except FileNotFoundError:
        raise await missing(files, access) from None
    except OSError as error:
        raise disk.trouble(error, shown) from None
    if len(found.matches) > MOST:
        raise ToolFailed(
            f"More than {count(MOST, 'line')} match; use a narrower pattern or give `limit`.",
            "too-many",
        )
    prefix = "" if shown == "." else shown
    for match in found.matches:
        match[0] = printable(f"{prefix}/{match[0]}" if prefix and match[0] else prefix or match[0])
    value = [_row(match, arguments.context) for match in found.matches]
    return Result(value, _view(found, arguments))


def _globs(text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    wanted = pattern.parse(text)
    if wanted.start.startswith(("/", "~", "..")):
        raise ToolFailed("`glob` is a pattern below `path`; give the folder as `path`.", "pattern")
    clean = text.removeprefix("./").rstrip("/")
    return pattern.translated(clean if "/" in clean else f"**/{clean}")


def _search(
    access: Access, wish: GrepArguments, job: dict[str, Any], seeing: Sight | None, stop: Stop
) -> _Found:
    found = _Found()
    if access.resolved.is_dir():
        names = frozenset((wish.glob or "").split("/"))
        walk = Walk(access, seeing, stop, names)
        paths = (entry.path for entry in walk.entries() if not entry.folder)
        _collect(found, job, paths, stop)
        found.notices = walk.notices()
    else:
        with disk.reading(access.resolved):
            pass
        _collect(found, job | {"globs": ()}, [""], stop)
        if found.binary:
            raise ToolFailed(f"{access.given} is a binary file; open it in a cell.", "binary")
    return found


def _collect(found: _Found, job: dict[str, Any], paths: Iterable[str], stop: Stop) -> None:
    for batch, answer in search(job, paths, BATCH, stop):
        for index, lines in answer["found"]:
            found.matches.extend([batch[index], *line] for line in lines)
        found.searched += answer["searched"]
        found.binary += answer["binary"]
        found.unread += answer["unread"]
        found.full = answer["full"]


def _row(match: list[Any], context: int) -> dict[str, Any]:
    path, line, column, text, before, after = match
    row = {"path": path, "line": line, "column": column, "text": text}
    return row | {"before": before, "after": after} if context else row


def _view(found: _Found, wish: GrepArguments) -> str:
    if found.matches:
        lines, shown = _lines(found.matches[:SHOWN], wish.context)
        if shown < len(found.matches) or (found.full and wish.limit is None):
            lines.append("[More lines match; use a narrower pattern, `path` or `glob`.]")
        elif found.full:
            lines.append(f"[Stopped after {count(shown, 'match', 'matches')}, as asked.]")
    else:
        lines = [f"Nothing matches in {count(found.searched, 'file')}."]
    if found.binary:
        lines.append(f"[Passed over: {count(found.binary, 'binary file')}.]")
    if found.unread:
        lines.append(f"[Files that could not be read: {found.unread:,}.]")
    lines.extend(f"[{each}]" for each in found.notices)
    return "\n".join(lines)


def _lines(matches: list[list[Any]], context: int) -> tuple[list[str], int]:
    """The matches as ``path:line:text``, context as ``path-line-text``; and how many there are."""
    rows: dict[tuple[str, int], str] = {}
    left, shown = CHARACTERS, 0
    for path, line, column, text, before, after in matches:
        block = {(path, line - len(before) + i): f"-{each}" for i, each in enumerate(before)}
        block |= {(path, line + 1 + i): f"-{each}" for i, each in enumerate(after)}
        left -= sum(len(path) + min(len(each), LINE) + 10 for each in (text, *block.values()))
        if left < 0 and shown:
            break
        for place, each in block.items():
            rows.setdefault(place, each[: LINE + 1])
        rows[path, line] = ":" + _around(text, column - 1)
        shown += 1
    return _joined(rows, gaps=context > 0), shown


def _joined(rows: dict[tuple[str, int], str], *, gaps: bool) -> list[str]:
    """The rows in order, ``--`` between those that do not follow each other."""
    order = {path: i for i, path in enumerate(dict.fromkeys(path for path, _ in rows))}
    lines: list[str] = []
    last = ("", 0)
    for path, line in sorted(rows, key=lambda place: (order[place[0]], place[1])):
        if gaps and lines and (path, line - 1) != last:
            lines.append("--")
        text = rows[path, line]
        lines.append(f"{path}{text[0]}{line}{text}")
        last = (path, line)
    return lines


def _around(text: str, start: int) -> str:
    """Of a long line the part around its match."""
    if len(text) <= LINE:
        return text
    first = max(0, min(start - LINE // 4, len(text) - LINE))
    end = first + LINE
    return ("..." if first else "") + text[first:end] + ("..." if end < len(text) else "")


def tool() -> Tool:
    """``grep(pattern, path=".", glob=None, context=0, ...) -> [{path, line, column, text}]``."""
    return Tool(
        name="grep",
        description=DESCRIPTION,
        arguments=GrepArguments,
        run=_grep,
        capabilities=Capabilities(
            read_only=True,
            self_limiting=True,
            searches_paths=True,
            paths=(PathArgument("path", "read"),),
        ),
    )
