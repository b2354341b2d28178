"""What one file must be like: sizes, annotations, docstrings, names, no mocks, nothing unfinished.

Every rule takes a source and gives its offences.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from tests.house.source import Function, Source

FUNCTION, FILE, ROW = 60, 400, 250
BANNED = {"util", "utils", "helper", "helpers", "manager", "base", "common", "misc"}
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
MOCKS = {"mock", "unittest.mock", "pytest_mock", "mocker", "flexmock"}


def long_functions(source: Source) -> Iterator[str]:
    """More than 60 lines."""
    for function in source.functions():
        if length(function) > FUNCTION:
            yield source.at(function.lineno, f"{function.name} has {length(function)} lines")


def length(function: Function) -> int:
    """Lines from ``def`` to the last one."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def long_files(source: Source) -> Iterator[str]:
    """More than 400 lines, or 250 for a row."""
    bound = ROW if source.name.startswith("keelbook.rows.") else FILE
    if source.lines > bound:
        yield source.at(1, f"the file has {source.lines} lines, more than {bound}")


def unannotated(source: Source) -> Iterator[str]:
    """A parameter or a return without its type."""
    for function in source.functions():
        arguments = function.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
        bare = [each.arg for each in every if each.annotation is None]
        for name in bare:
            if name not in ("self", "cls"):
                yield source.at(function.lineno, f"{function.name}: `{name}` has no type")
        if function.returns is None:
            yield source.at(function.lineno, f"{function.name} has no return type")


def undocumented(source: Source) -> Iterator[str]:
    """A module that does not open with its one job in a sentence."""
    docstring = ast.get_docstring(source.tree) or ""
    first = docstring.partition("\n\n")[0]
    if not first.rstrip().endswith((".", ":", "::")):
        yield source.at(1, "the module's docstring does not open with a sentence")


def banned_names(source: Source) -> Iterator[str]:
    """Names that say nothing."""
    for part in source.name.split("."):
        if BANNED.intersection(part.lower().split("_")):
            yield source.at(1, f"`{part}` says nothing of what is in it")
    for node in source.walk():
        if isinstance(node, ast.ClassDef):
            words = re.findall(r"[A-Z][a-z]*", node.name)
            if words and words[-1].lower() in BANNED:
                yield source.at(node.lineno, f"class {node.name} says nothing of what it is")


def mocks(source: Source) -> Iterator[str]:
    """A test that replaces our own code; a constant made smaller is none."""
    ours: set[str] = set()
    for node in source.walk():
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or ""
            for alias in node.names:
                full = f"{module}.{alias.name}" if module else alias.name
                if {full, full.rpartition(".")[0], full.partition(".")[0]} & MOCKS:
                    yield source.at(node.lineno, f"{full} is imported")
                if full.startswith("keelbook"):
                    ours.add(alias.asname or alias.name.partition(".")[0])
    for function in source.functions():
        if any(each.arg in MOCKS for each in function.args.args):
            yield source.at(function.lineno, f"{function.name} takes a mock")
    yield from _patches(source, ours)


def _patches(source: Source, ours: set[str]) -> Iterator[str]:
    for node in source.walk():
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if node.func.attr not in ("setattr", "delattr"):
            continue
        words = [each.value for each in node.args[:2] if isinstance(each, ast.Constant)]
        names = [str(word) for word in words]
        root = node.args[0]
        while isinstance(root, ast.Attribute):
            root = root.value
        own = isinstance(root, ast.Name) and root.id in ours
        own = own or bool(names and names[0].startswith("keelbook"))
        if own and not (names and names[-1].rpartition(".")[2].isupper()):
            yield source.at(node.lineno, "our own code is patched")


def unfinished(source: Source) -> Iterator[str]:
    """A marker of work left, or a body that does nothing."""
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type == tokenize.COMMENT and UNFINISHED.search(token.string):
            yield source.at(token.start[0], token.string)
    for node in source.walk():
        if isinstance(node, ast.Raise) and "NotImplementedError" in ast.dump(node):
            yield source.at(node.lineno, "NotImplementedError is raised")
    for function in source.functions():
        only = function.body[-1]
        empty = isinstance(only, ast.Pass) or (
            isinstance(only, ast.Expr)
            and isinstance(only.value, ast.Constant)
            and only.value.value is ...
        )
        if empty and len(function.body) == 1:
            yield source.at(function.lineno, f"{function.name} has no body")


def blind_tests(source: Source) -> Iterator[str]:
    """A test without anything that could fail."""
    if not source.name.startswith("tests."):
        return
    checks = (ast.Assert, ast.Raise)
    for function in source.functions():
        if not function.name.startswith("test_"):
            continue
        nodes = list(ast.walk(function))
        calls = [each for each in nodes if isinstance(each, ast.Call)]
        if not calls and not any(isinstance(each, checks) for each in nodes):
            yield source.at(function.lineno, f"{function.name} checks nothing")


RULES = (
    long_functions, long_files, unannotated, undocumented, banned_names, mocks, unfinished,
    blind_tests,
)  # fmt: skip
