"""Walks a Python tree in the order of its text, binds its names and has its calls judged.

Rules: with a stack of our own, never by recursion. A function's body is judged where it stands,
softly if nothing in the text calls it; its parameters are what its calls here give them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from keelbook.destructive.inquiry import Inquiry
from keelbook.destructive.python.calls import is_of_interest, judge_call
from keelbook.destructive.python.cells import Unparsable, parsed
from keelbook.destructive.python.deed import Deed
from keelbook.destructive.python.names import Names, element
from keelbook.destructive.python.values import Function, Items, Symbol, Value, texts
from keelbook.destructive.vocabulary import words

_Functions = ast.FunctionDef | ast.AsyncFunctionDef
_TAKEN = re.compile(r"\{([A-Za-z_][^{},;|&]*)\}|\$([A-Za-z_]\w*)")
_RUN_ANYWAY = words("register main command on_event flow task")
_QUIET = words("print repr hasattr callable type id help isinstance issubclass dir str getattr")


_FUNCTIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef})
_BINDS = frozenset({ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Import, ast.ImportFrom, ast.For,
                    ast.AsyncFor, ast.comprehension, ast.withitem, ast.ClassDef})  # fmt: skip
_WITHS = frozenset({ast.With, ast.AsyncWith})
_LEAVES = frozenset({ast.Load, ast.Store, ast.Del})


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes in a node, without what says only how a name is used."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST) and type(value) not in _LEAVES:
            found.append(value)
    return found


class PythonWalk:
    """One text's walk."""

    def __init__(self, inquiry: Inquiry, text: str) -> None:
        self._inquiry = inquiry
        self._text = text
        self._lines = _starts(text)
        self._names = Names(_expression)
        self._calls: dict[str, list[ast.Call]] = {}
        self._used: set[str] = set()

    def run(self, tree: ast.AST) -> None:
        """Judges everything in a tree."""
        self._look_ahead(tree)
        if not is_of_interest(self._used):
            return
        stack: list[tuple[ast.AST | Callable[[], None], bool]] = [(tree, False)]
        while stack:
            node, soft = stack.pop()
            if not isinstance(node, ast.AST):
                node()
                continue
            kind = type(node)
            if kind in _FUNCTIONS:
                self._inquiry.tick()
                soft = soft or not self._is_called(node)  # type: ignore[arg-type]
                stack.append((self._define(node), soft))  # type: ignore[arg-type]
            elif kind in _BINDS:
                self._bind(node)
            elif kind is ast.Call:
                self._inquiry.tick()
                self._call(node, soft)  # type: ignore[arg-type]
            elif kind in _WITHS:
                self._opened(node, soft)  # type: ignore[arg-type]
            found = children(node)
            found.reverse()
            stack += [(child, soft) for child in found]

    def filled(self, text: str) -> str:
        """A magic's text with the values of the names it takes from Python."""

        def put(found: re.Match[str]) -> str:
            inner = _expression(found[1] or found[2])
            value = self._names.value(inner) if inner is not None else None
            if isinstance(value, Symbol) and value.name == "sys.executable":
                return "python"
            known = texts(value)
            return known[0].text if known and known[0].whole else found[0]

        return _TAKEN.sub(put, text)

    def _look_ahead(self, tree: ast.AST) -> None:
        """Which names are used anywhere, and with which arguments they are called."""
        used, stack = self._used, [tree]
        seen = 0
        while stack:
            node = stack.pop()
            seen += 1
            if not seen % 512:
                self._inquiry.tick()
            kind = type(node)
            if kind is ast.Name:
                used.add(node.id)  # type: ignore[attr-defined]
                continue
            if kind is ast.Attribute:
                used.add(node.attr)  # type: ignore[attr-defined]
            elif kind is ast.Constant:
                value = node.value  # type: ignore[attr-defined]
                if type(value) is str and value.isidentifier():
                    used.add(value)
                continue
            elif kind is ast.Call:
                self._noted(node)  # type: ignore[arg-type]
            elif kind is ast.ImportFrom or kind is ast.Import:
                used.update(each.name for each in node.names)  # type: ignore[attr-defined]
                continue
            stack += children(node)

    def _noted(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name):
            self._calls.setdefault(node.func.id, []).append(node)

    def _is_called(self, node: _Functions) -> bool:
        if node.name in self._used or node.name in ("__init__", "__del__", "__exit__", "main"):
            return True
        names = {getattr(each.func if isinstance(each, ast.Call) else each, "attr", "")
                 for each in node.decorator_list}  # fmt: skip
        return bool(names & _RUN_ANYWAY)

    # ------------------------------------------------------------ names

    def _define(self, node: _Functions) -> Callable[[], None]:
        """Binds a function and its parameters; what puts the parameters back."""
        names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        returned = [each for each in node.body if isinstance(each, ast.Return)]
        result = returned[0].value if len(returned) == 1 else None
        kwargs = [each.arg for each in node.args.kwonlyargs]
        before = {name: self._names.look(name) for name in [*names, *kwargs]}
        calls = self._calls.get(node.name, [])[:20]
        for place, name in enumerate(names):
            given = [
                self._names.value(call.args[place])
                for call in calls
                if place < len(call.args) and not isinstance(call.args[place], ast.Starred)
            ] + [self._names.value(each.value) for call in calls for each in call.keywords
                 if each.arg == name]  # fmt: skip
            held: Value = Items(tuple(given), any=True) if given else Symbol(name, local=True)
            self._names.bind(name, held)
        for name in kwargs:
            self._names.bind(name, Symbol(name, local=True))
        function = Function(result, tuple(names))

        def restore() -> None:
            for name, value in before.items():
                self._names.bind(name, value)
            self._names.bind(node.name, function)

        self._names.bind(node.name, function)
        return restore

    def _bind(self, node: ast.AST) -> None:
        names = self._names
        if isinstance(node, ast.Assign):
            value = names.value(node.value)
            for target in node.targets:
                self._target(target, value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._target(node.target, names.value(node.value))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            left = ast.Name(node.target.id, ast.Load())
            names.bind(node.target.id, names.value(ast.BinOp(left, node.op, node.value)))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                names.bind(alias.asname or first, Symbol(alias.name if alias.asname else first))
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name == "*":
                    names.star(node.module or "")
                else:
                    names.bind(alias.asname or alias.name, Symbol(f"{node.module}.{alias.name}"))
        elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            self._each(node.target, names.value(node.iter))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._target(node.optional_vars, names.value(node.context_expr))
        elif isinstance(node, ast.ClassDef):
            names.bind(node.name, None)

    def _target(self, target: ast.expr, value: Value | None) -> None:
        if isinstance(target, ast.Name):
            self._names.bind(target.id, value)
        elif isinstance(target, ast.Tuple | ast.List):
            items = value.items if isinstance(value, Items) and not value.any else ()
            for place, each in enumerate(target.elts):
                self._target(each, items[place] if place < len(items) else None)

    def _each(self, target: ast.expr, source: Value | None) -> None:
        if isinstance(source, Items):
            self._target(target, Items(source.items, any=True))
        else:
            self._target(target, element(source))

    # ------------------------------------------------------------ calls

    def _call(self, node: ast.Call, soft: bool) -> None:
        function = self._names.value(node.func)
        if isinstance(function, Items) and function.any:
            for item in function.items:
                if isinstance(item, Symbol):
                    self._judged(node, item, soft)
        elif isinstance(function, Symbol):
            self._judged(node, function, soft)

    def _judged(self, node: ast.Call, function: Symbol, soft: bool) -> None:
        given, named = self._names.arguments(node)
        judge_call(self._deed(node, function, given, named, soft))
        if function.name.rpartition(".")[2] in _QUIET or ".patch" in function.name:
            return
        for place, value in enumerate(given):
            rest = given[place + 1 :]
            flat = rest[0].items if len(rest) == 1 and isinstance(rest[0], Items) else rest
            self._passed(node, value, flat, soft)
        for name, value in named.items():
            if name in ("target", "func", "fn", "function", "callback", "key", "preexec_fn"):
                args = named.get("args")
                self._passed(node, value, args.items if isinstance(args, Items) else (), soft)

    def _passed(
        self, node: ast.Call, value: Value | None, given: tuple[Value | None, ...], soft: bool
    ) -> None:
        """A function handed to another is as good as called."""
        if not isinstance(value, Symbol) or value.local or value.name.endswith(")"):
            return
        if "." in value.name:
            judge_call(self._deed(node, value, given, {}, soft), passed=True)

    def _opened(self, node: ast.With | ast.AsyncWith, soft: bool) -> None:
        """``with open(p, 'w'): pass`` empties the file."""
        if all(isinstance(each, ast.Pass) for each in node.body):
            for item in node.items:
                call = item.context_expr
                function = self._names.value(call.func) if isinstance(call, ast.Call) else None
                if isinstance(call, ast.Call) and isinstance(function, Symbol):
                    given, named = self._names.arguments(call)
                    deed = self._deed(call, function, given, named, soft)
                    deed.alone = True
                    judge_call(deed)

    def _deed(
        self,
        node: ast.Call,
        function: Symbol,
        given: tuple[Value | None, ...],
        named: dict[str, Value | None],
        soft: bool,
    ) -> Deed:
        span = self._span(node)
        return Deed(
            self._inquiry, function.name, given, named, function.given, function.local,
            lambda: self._text[span[0] : span[1]], span, soft,
        )  # fmt: skip

    def _span(self, node: ast.expr) -> tuple[int, int]:
        """Characters of the text; a column counts bytes."""
        start = self._place(node.lineno, node.col_offset)
        end = self._place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        whole = len(self._text)
        return min(start, end, whole), min(max(start, end), whole)

    def _place(self, line: int, column: int) -> int:
        if not 0 < line <= len(self._lines):
            return len(self._text)
        start = self._lines[line - 1]
        end = self._text.find("\n", start)
        raw = self._text[start : end if end >= 0 else len(self._text)]
        if not raw.isascii():
            column = len(raw.encode()[:column].decode("utf-8", "ignore"))
        return start + column


def _starts(text: str) -> list[int]:
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def _expression(text: str) -> ast.expr | None:
    try:
        body = parsed(text).body
    except Unparsable:
        return None
    only = body[0] if len(body) == 1 else None
    return only.value if isinstance(only, ast.Expr) else None
