"""The floors: an import may only point down, and workers of one floor do not know each other.

The table is read from the docstring of ``keelbook`` itself, so that what is drawn there holds.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.house.source import Source, host

_LINE = re.compile(r"^- F(\d) [a-z]+: (.*(?:\n  .*)*)$", re.MULTILINE)
WORKERS = 3
OUTSIDE_VALUES = {"asyncio", "multiprocessing", "selectors", "socket", "sqlite3", "subprocess",
                  "tempfile", "threading"}  # fmt: skip
GUEST_MAY_IMPORT = {*sys.stdlib_module_names, "keelbook_guest", "dill"}


def floors(docstring: str) -> dict[str, int]:
    """The floor of each module of ``keelbook``, by its first name."""
    found: dict[str, int] = {}
    for number, names in _LINE.findall(docstring):
        for name in re.findall(r"``(\w+)``", names):
            assert name not in found, f"`{name}` stands on two floors"
            found[name] = int(number)
    return found


def table() -> dict[str, int]:
    """The floors as the package draws them."""
    (package,) = (source for source in host() if source.name == "keelbook")
    return floors(ast.get_docstring(package.tree) or "")


@dataclass(frozen=True)
class Link:
    """An import of ours by ours. Names are dotted, without the package."""

    source: Source
    line: int
    importer: str
    imported: str


def links(sources: Iterable[Source], top: str) -> Iterator[Link]:
    """Every import inside one package."""
    for source in sources:
        for name, line in source.imports():
            first, _, rest = name.partition(".")
            if first == top and rest not in ("", "__version__"):
                yield Link(source, line, source.name.partition(".")[2], rest)


def misplaced(sources: Iterable[Source], floor_of: Mapping[str, int]) -> Iterator[str]:
    """Imports that point up, or aside on the floor of the workers."""
    for link in links(sources, "keelbook"):
        above, below = (name.partition(".")[0] for name in (link.importer, link.imported))
        if not above or above == below or above not in floor_of or below not in floor_of:
            continue
        if floor_of[below] > floor_of[above]:
            yield link.source.at(link.line, f"{above} imports {below}, which is above it")
        elif floor_of[below] == floor_of[above] == WORKERS:
            yield link.source.at(link.line, f"{above} imports {below}, its sibling")


def intimate_rows(sources: Iterable[Source]) -> Iterator[str]:
    """Rows that import another row."""
    for link in links(sources, "keelbook"):
        importer, imported = link.importer.split("."), link.imported.split(".")
        rows = importer[0] == imported[0] == "rows" and min(len(importer), len(imported)) > 1
        if rows and importer[1] != imported[1]:
            yield link.source.at(link.line, f"row {importer[1]} imports row {imported[1]}")


def unlisted(sources: Iterable[Source], floor_of: Mapping[str, int]) -> Iterator[str]:
    """Modules without a floor, and floors without their module."""
    there = {source.name.split(".")[1] for source in sources if "." in source.name}
    yield from (f"keelbook.{name} stands on no floor" for name in sorted(there - set(floor_of)))
    yield from (
        f"`{name}` is on a floor but is no module" for name in sorted(set(floor_of) - there)
    )


def worldly_values(sources: Iterable[Source], floor_of: Mapping[str, int]) -> Iterator[str]:
    """Modules of the lowest floor that reach for the world."""
    for source in sources:
        if floor_of.get(source.name.partition(".")[2].partition(".")[0]) != 0:
            continue
        for name, line in source.imports():
            if name.partition(".")[0] in OUTSIDE_VALUES:
                yield source.at(line, f"a value imports {name}")


def foreign(sources: Iterable[Source]) -> Iterator[str]:
    """What the guest may not import: the host, and anything outside the standard library."""
    for source in sources:
        for name, line in source.imports():
            if name.partition(".")[0] not in GUEST_MAY_IMPORT:
                yield source.at(line, f"the guest imports {name}")


def circles(sources: Iterable[Source], top: str) -> Iterator[str]:
    """Modules that import each other, however long the way round."""
    modules = {source.name.partition(".")[2] for source in sources}
    graph: dict[str, set[str]] = {name: set() for name in modules}
    for link in links(sources, top):
        target = next(
            (n for n in (link.imported, link.imported.rpartition(".")[0]) if n in modules), ""
        )
        if target and link.importer and target != link.importer:
            graph[link.importer].add(target)
    done: set[str] = set()
    for start in sorted(graph):
        yield from _circle(start, graph, [], done)


def _circle(
    name: str, graph: Mapping[str, set[str]], path: list[str], done: set[str]
) -> Iterator[str]:
    if name in path:
        yield " -> ".join([*path[path.index(name) :], name])
    elif name not in done:
        for each in sorted(graph[name]):
            yield from _circle(each, graph, [*path, name], done)
        done.add(name)
