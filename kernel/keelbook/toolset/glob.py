"""The tool ``glob``: the files whose paths match a pattern, in order of path.

Rules: files only, folders when the pattern ends in ``/``. A program gets every match, and an error
when there are more than ``MOST``; a model's view stops at ``SHOWN``. Order is by path, not by time
of change, so that a repeated session finds the same.
"""

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

MOST = 50_000
SHOWN = 1000
CHARACTERS = 50_000
BATCH = 2000

DESCRIPTION = (
    "Find files by pattern, such as `**/*.py`, `data/*.{csv,parquet}` or `src/**/` for folders. "
    "`**` is any number of folders. Histories and caches (`.git`, `__pycache__`, ...) are passed "
    "over unless named. Called from code it returns a list of paths, in order."
)


class GlobArguments(Arguments):
    """What to find."""

    pattern: str = Field(description="Pattern of paths below `path`.")
    path: str = Field(".", description="Folder to look in; the workspace if left out.")


async def _glob(arguments: GlobArguments, scene: Scene) -> Result:
    wanted = pattern.parse(arguments.pattern)
    files = scene.files
    top = arguments.path or "."
    start = top if wanted.start == "." else f"{top}/{wanted.start}"
    if wanted.start.startswith(("/", "~")):
        start = wanted.start
    access = await files.admit(start, "read", "glob")
    seeing = sight(files, access)
    try:
        found, notices = await aside(lambda stop: _find(access, wanted, seeing, stop))
    except FileNotFoundError:
        if wanted.start == ".":
            raise await missing(files, access, "folder") from None
        found, notices = [], [(await missing(files, access, "folder")).sentence]
    except OSError as error:
        raise disk.trouble(error, files.shown(access.resolved)) from None
    prefix = files.shown(access.resolved)
    prefix = "" if prefix == "." else prefix.rstrip("/") + "/"
    value = [printable(prefix + each) for each in found]
    return Result(value, _view(value, arguments.pattern, notices))


def _find(
    access: Access, wanted: pattern.Pattern, seeing: Sight | None, stop: Stop
) -> tuple[list[str], list[str]]:
    walk = Walk(access, seeing, stop, wanted.names, wanted.levels)
    paths = (entry.path for entry in walk.entries() if entry.folder == wanted.folders)
    found: list[str] = []
    for batch, answer in search({"job": "glob", "globs": wanted.globs}, paths, BATCH, stop):
        found.extend(batch[index] for index in answer["hits"])
        if len(found) > MOST:
            raise ToolFailed(
                f"More than {count(MOST, 'path')} match; use a narrower pattern.", "too-many"
            )
    return found, walk.notices()


def _view(paths: list[str], given: str, notices: list[str]) -> str:
    lines: list[str] = []
    left = CHARACTERS
    for path in paths[:SHOWN]:
        left -= len(path) + 1
        if left < 0:
            break
        lines.append(path)
    if not paths:
        lines = [f"Nothing matches {given}."]
    elif len(lines) < len(paths):
        more = len(paths) - len(lines)
        lines.append(f"[{more:,} more; use a narrower pattern to see them.]")
    lines.extend(f"[{each}]" for each in notices)
    return "\n".join(lines)


def tool() -> Tool:
    """``glob(pattern, path=".") -> [path]``."""
    return Tool(
        name="glob",
        description=DESCRIPTION,
        arguments=GlobArguments,
        run=_glob,
        capabilities=Capabilities(
            read_only=True,
            self_limiting=True,
            searches_paths=True,
            paths=(PathArgument("path", "read"),),
        ),
    )
