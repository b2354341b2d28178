"""Compiles a cell that has a top-level `return`, so that it ends there with a value.

The cell becomes the body of a function in which every name it binds is declared global,
and the function's code is run as if it were a module's: names, `locals()` and qualified
names are those of a module (guest A14, A33).

Rules
- What is an error in a module is one here: the cell, its returns made expressions, is
  compiled as a module first.
- What a module may do and a function may not (`import *`, `from __future__`, annotated
  globals) is rewritten to the same effect.
"""

from __future__ import annotations

import ast
import sys
import warnings
from types import CodeType
from typing import Any

AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
CO_OPTIMIZED, CO_NEWLOCALS, CO_COROUTINE = 0x1, 0x2, 0x80
CO_FUTURE_ANNOTATIONS = 0x1000000
NAME = "<module>"
LOCALS = f"{NAME}.<locals>."
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def has_return(node: ast.AST) -> bool:
    """Whether a `return` stands outside every function and class."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Return):
            return True
        if not isinstance(child, (*_SCOPES, ast.expr)) and has_return(child):
            return True
    return False


def compile_with_return(tree: ast.Module, source: str, file: str, quiet: bool) -> list[CodeType]:
    """The cell's code objects, in order; the last one's result is the cell's value."""
    as_module = _AsModule().visit(tree)
    checked = compile(as_module, file, "exec", AWAIT, True)
    flags = checked.co_flags & ~0xFFFF
    body = _parse(source, file).body
    futures = [node for node in body if _is_future(node)]
    body = [node for node in body if not _is_future(node)]
    if body and isinstance(body[-1], ast.Expr) and not quiet:
        body[-1] = ast.copy_location(ast.Return(body[-1].value), body[-1])
    rewrite = _AsFunction(bool(flags & CO_FUTURE_ANNOTATIONS))
    body = [node for old in body for node in rewrite.statement(old)]
    is_async = bool(checked.co_flags & CO_COROUTINE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = _bound(_function(body, [], is_async, file, flags))
        code = _function(body, names, is_async, file, flags)
    code = _as_module(code, rewrite.stars)
    if not futures:
        return [code]
    return [compile(ast.Module(futures, []), file, "exec", 0, True), code]


def _parse(source: str, file: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree: ast.Module = compile(source, file, "exec", ast.PyCF_ONLY_AST | AWAIT, True)
    return tree


def _is_future(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__" and not node.level


def _function(
    body: list[ast.stmt], names: list[str], is_async: bool, file: str, flags: int
) -> CodeType:
    fields: dict[str, Any] = {
        "name": NAME,
        "args": ast.arguments([], [], None, [], [], None, []),
        "body": [*([ast.Global(names)] if names else []), *body] or [ast.Pass()],
        "decorator_list": [],
        "returns": None,
    }
    if sys.version_info >= (3, 12):
        fields["type_params"] = []
    kind = ast.AsyncFunctionDef if is_async else ast.FunctionDef
    function = kind(**fields, lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
    module = ast.fix_missing_locations(ast.Module([function], []))
    outer: CodeType = compile(module, file, "exec", flags, True)
    found = [part for part in outer.co_consts if isinstance(part, CodeType)]
    return next(part for part in found if part.co_name == NAME)


def _bound(code: CodeType) -> list[str]:
    names = dict.fromkeys((*code.co_varnames, *code.co_cellvars))
    return [name for name in names if name.isidentifier()]


def _as_module(code: CodeType, stars: dict[str, object]) -> CodeType:
    code = _renamed(code)
    consts = tuple(
        stars.get(part, part) if isinstance(part, str) else part for part in code.co_consts
    )
    return code.replace(co_flags=code.co_flags & ~(CO_OPTIMIZED | CO_NEWLOCALS), co_consts=consts)


def _renamed(code: CodeType) -> CodeType:
    """The code with qualified names that do not tell of the function around it."""
    consts: list[Any] = []
    for part in code.co_consts:
        if isinstance(part, CodeType):
            consts.append(_renamed(part))
        else:
            consts.append(part.removeprefix(LOCALS) if isinstance(part, str) else part)
    names: dict[str, Any] = {}
    if hasattr(code, "co_qualname"):
        names["co_qualname"] = code.co_qualname.removeprefix(LOCALS)
    return code.replace(co_consts=tuple(consts), **names)


class _AsModule(ast.NodeTransformer):
    """Makes every top-level `return x` the expression `x`."""

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        value = node.value or ast.copy_location(ast.Constant(None), node)
        return ast.copy_location(ast.Expr(value), node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, (*_SCOPES, ast.expr)):
            return node
        return super().generic_visit(node)


class _AsFunction(ast.NodeTransformer):
    """Rewrites what only a module may hold. `stars` are constants to put into the code."""

    def __init__(self, deferred: bool) -> None:
        self.deferred = deferred
        self.stars: dict[str, object] = {}

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        made = self.visit(node)
        return made if isinstance(made, list) else [made]

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, (*_SCOPES, ast.expr)):
            return node
        return super().generic_visit(node)

    def visit_Global(self, node: ast.Global) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | list[ast.stmt]:
        if not isinstance(node.target, ast.Name) or not node.simple:
            return node
        annotation = node.annotation
        if self.deferred:
            annotation = ast.Constant(ast.unparse(annotation))
        table = ast.Name("__annotations__", ast.Load())
        place = ast.Subscript(table, ast.Constant(node.target.id), ast.Store())
        made: list[ast.stmt] = [ast.Assign([place], annotation)]
        if node.value is not None:
            made.insert(0, ast.Assign([node.target], node.value))
        for part in made:
            ast.copy_location(part, node)
            ast.fix_missing_locations(part)
        return made

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        if node.names[0].name != "*":
            return node
        token = f"\0import * {len(self.stars)}"
        self.stars[token] = _Star(node.module or "", node.level)
        call = ast.Expr(ast.Call(ast.Constant(token), [], []))
        return ast.fix_missing_locations(ast.copy_location(call, node))


class _Star:
    """`from module import *`, as a constant that is called."""

    def __init__(self, module: str, level: int) -> None:
        self.code = compile(f"from {'.' * level}{module} import *", "<import>", "exec", 0, True)

    def __call__(self) -> None:
        exec(self.code, sys.modules["__main__"].__dict__)
