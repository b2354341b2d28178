"""The Python sources of the repository, parsed once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One file. ``name`` is dotted (``keelbook.rows.todo``); ``path`` is for the reader."""

    name: str
    text: str
    path: str = "example.py"
    package: bool = False

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text)

    @property
    def lines(self) -> int:
        """How many lines the file has."""
        return self.text.count("\n")

    def walk(self) -> Iterator[ast.AST]:
        """Every node."""
        return ast.walk(self.tree)

    def functions(self) -> Iterator[Function]:
        """Every function and method, nested ones too."""
        return (node for node in self.walk() if isinstance(node, Function))

    def imports(self) -> Iterator[tuple[str, int]]:
        """Every imported module with its line, also inside functions and for types only.

        ``from a import b`` gives ``a.b``: whether ``b`` is a module is for the reader to judge.
        """
        for node in self.walk():
            if isinstance(node, ast.Import):
                yield from ((alias.name, node.lineno) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)

    def at(self, line: int, what: str) -> str:
        """An offence, with its place."""
        return f"{self.path}:{line}: {what}"


@cache
def host() -> tuple[Source, ...]:
    """``kernel/keelbook``."""
    return _sources("kernel", "keelbook")


@cache
def guest() -> tuple[Source, ...]:
    """``guest/keelbook_guest``."""
    return _sources("guest", "keelbook_guest")


@cache
def suite() -> tuple[Source, ...]:
    """``tests``."""
    return _sources(".", "tests")


def everything() -> tuple[Source, ...]:
    """All of them."""
    return (*host(), *guest(), *suite())


def _sources(folder: str, top: str) -> tuple[Source, ...]:
    root = ROOT / folder
    return tuple(_source(root, path) for path in sorted((root / top).rglob("*.py")))


def _source(root: Path, path: Path) -> Source:
    parts = path.relative_to(root).with_suffix("").parts
    package = parts[-1] == "__init__"
    name = ".".join(parts[:-1] if package else parts)
    return Source(name, path.read_text(), str(path.relative_to(ROOT)), package)
