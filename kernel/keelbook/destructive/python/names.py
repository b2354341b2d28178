"""What names stand for while a text is read, and what expressions of them come to.

Rules: the last binding counts, and both sides of a condition bind. Modules everybody imports are
taken for imported when a notebook's cell uses them, unless the text itself binds the name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from keelbook.destructive.python.folding import called, combined, indexed
from keelbook.destructive.python.values import (
    UNKNOWN,
    Function,
    Items,
    Number,
    Symbol,
    Table,
    Text,
    Value,
    texts,
)
from keelbook.destructive.vocabulary import words

DEPTH = 60
"""Expressions inside expressions; deeper ones are not followed."""

ASSUMED = {
    "os": "os", "shutil": "shutil", "subprocess": "subprocess", "pathlib": "pathlib",
    "Path": "pathlib.Path", "sys": "sys", "glob": "glob", "requests": "requests",
    "httpx": "httpx", "boto3": "boto3", "importlib": "importlib", "ctypes": "ctypes",
    "builtins": "builtins", "rmtree": "shutil.rmtree", "check_call": "subprocess.check_call",
    "check_output": "subprocess.check_output", "Popen": "subprocess.Popen", "base64": "base64",
    "codecs": "codecs", "functools": "functools", "pd": "pandas", "np": "numpy",
    "dbutils": "dbutils", "spark": "spark", "tools": "tools", "send2trash": "send2trash",
    "pexpect": "pexpect", "pty": "pty", "asyncio": "asyncio", "tempfile": "tempfile",
    "shlex": "shlex", "redis": "redis", "pymongo": "pymongo", "sqlite3": "sqlite3",
    "psycopg2": "psycopg2", "sqlalchemy": "sqlalchemy", "operator": "operator", "io": "io",
    "get_ipython": "get_ipython", "kubernetes": "kubernetes", "docker": "docker",
    "paramiko": "paramiko", "fsspec": "fsspec", "signal": "signal", "psutil": "psutil",
}  # fmt: skip
BUILTINS = words(
    "open exec eval compile getattr __import__ globals locals vars str bytes bytearray chr ord "
    "list tuple reversed map filter print input format hex int sorted set dict"
)


class Names:
    """The names of one text."""

    def __init__(self, parse: Callable[[str], ast.expr | None]) -> None:
        self._bound: dict[str, Value | None] = {}
        self._stars: list[str] = []
        self._parse = parse

    def bind(self, name: str, value: Value | None) -> None:
        """A name stands for this from now on."""
        self._bound[name] = value

    def star(self, module: str) -> None:
        """``from module import *``."""
        self._stars.append(module)

    def look(self, name: str) -> Value | None:
        """What a name stands for."""
        if name in self._bound:
            return self._bound[name]
        assumed = ASSUMED.get(name)
        if assumed is not None:
            return Symbol(assumed)
        if name in BUILTINS:
            return Symbol(f"builtins.{name}")
        if name in ("__builtins__", "__builtin__"):
            return Symbol("builtins")
        if self._stars:
            return Symbol(f"{self._stars[-1]}.{name}")
        return Symbol(name, local=True)

    def value(self, node: ast.expr | None, depth: int = 0) -> Value | None:
        """What an expression stands for."""
        if node is None or depth > DEPTH:
            return None
        evaluate = _EVALUATE.get(type(node))
        return evaluate(self, node, depth + 1) if evaluate is not None else None

    # ------------------------------------------------------------ expressions

    def _constant(self, node: ast.Constant, depth: int) -> Value | None:
        value = node.value
        if isinstance(value, str):
            return Text(value)
        if isinstance(value, bytes):
            return Text(value.decode("utf-8", "replace"), raw=True)
        return Number(value)

    def _name(self, node: ast.Name, depth: int) -> Value | None:
        return self.look(node.id)

    def _attribute(self, node: ast.Attribute, depth: int) -> Value | None:
        base = self.value(node.value, depth)
        if isinstance(base, Symbol):
            return Symbol(f"{base.name}.{node.attr}", base.given, base.local, base.named)
        if isinstance(base, Items) and base.any:
            symbols = [item for item in base.items if isinstance(item, Symbol)]
            if symbols:
                first = symbols[0]
                return Symbol(f"{first.name}.{node.attr}", first.given, first.local)
        if isinstance(base, Text):
            return Symbol(f"str.{node.attr}", (base,))
        return Symbol(f"?.{node.attr}", local=True)

    def _call(self, node: ast.Call, depth: int) -> Value | None:
        function = self.value(node.func, depth)
        given = self._arguments(node, depth)
        named = {each.arg: self.value(each.value, depth) for each in node.keywords if each.arg}
        if isinstance(function, Function):
            if isinstance(function.result, ast.expr) and depth < DEPTH // 2:
                for name, value in zip(function.parameters, given, strict=False):
                    self.bind(name, value)
                return self.value(function.result, depth + 5)
            return None
        if not isinstance(function, Symbol):
            return None
        if function.name == "builtins.eval" and given:
            inner = [self._parse(text.text) for text in texts(given[0])]
            if inner and inner[0] is not None and depth < DEPTH // 2:
                return self.value(inner[0], depth + 10)
        folded = called(function, given)
        if folded is not None:
            return folded
        return Symbol(f"{function.name}()", given, function.local, named)

    def _arguments(self, node: ast.Call, depth: int) -> tuple[Value | None, ...]:
        found: list[Value | None] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                value = self.value(each.value, depth)
                found += value.items if isinstance(value, Items) else [None]
            else:
                found.append(self.value(each, depth))
        return tuple(found)

    def arguments(self, node: ast.Call) -> tuple[tuple[Value | None, ...], dict[str, Value | None]]:
        """A call's arguments, by place and by name."""
        named = {each.arg: self.value(each.value) for each in node.keywords if each.arg}
        for each in node.keywords:
            if each.arg is None:
                table = self.value(each.value)
                if isinstance(table, Table):
                    named |= table.items
        return self._arguments(node, 0), named

    def _list(self, node: ast.List | ast.Tuple | ast.Set, depth: int) -> Value | None:
        found: list[Value | None] = []
        for each in node.elts:
            if isinstance(each, ast.Starred):
                value = self.value(each.value, depth)
                found += value.items if isinstance(value, Items) else [None]
            else:
                found.append(self.value(each, depth))
        return Items(tuple(found))

    def _dict(self, node: ast.Dict, depth: int) -> Value | None:
        items: dict[str, Value | None] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            name = self.value(key, depth)
            if isinstance(name, Text):
                items[name.text] = self.value(value, depth)
        return Table(items)

    def _joined(self, node: ast.JoinedStr, depth: int) -> Value | None:
        parts: list[str] = []
        whole = True
        for each in node.values:
            inner = each.value if isinstance(each, ast.FormattedValue) else each
            value = self.value(inner, depth)
            found = texts(value)
            if found:
                parts.append(found[0].text)
                whole = whole and found[0].whole
            elif isinstance(value, Number):
                parts.append(str(value.number))
            else:
                parts.append(UNKNOWN)
                whole = False
        return Text("".join(parts), whole)

    def _binary(self, node: ast.BinOp, depth: int) -> Value | None:
        return combined(node.op, self.value(node.left, depth), self.value(node.right, depth))

    def _subscript(self, node: ast.Subscript, depth: int) -> Value | None:
        base = self.value(node.value, depth)
        if isinstance(node.slice, ast.Slice):
            parts = [self.value(each, depth) for each in
                     (node.slice.lower, node.slice.upper, node.slice.step)]  # fmt: skip
            numbers = [each.number if isinstance(each, Number) else None for each in parts]
            if any(each is not None and not isinstance(each, int) for each in numbers):
                return None
            if isinstance(base, Text):
                return Text(base.text[slice(*numbers)] if numbers[2] != 0 else "", base.whole)
            return Items(base.items[slice(*numbers)]) if isinstance(base, Items) else None
        return indexed(base, self.value(node.slice, depth))

    def _either(self, node: ast.IfExp, depth: int) -> Value | None:
        return Items((self.value(node.body, depth), self.value(node.orelse, depth)), any=True)

    def _or(self, node: ast.BoolOp, depth: int) -> Value | None:
        return Items(tuple(self.value(each, depth) for each in node.values), any=True)

    def _walrus(self, node: ast.NamedExpr, depth: int) -> Value | None:
        value = self.value(node.value, depth)
        self.bind(node.target.id, value)
        return value

    def _await(self, node: ast.Await | ast.Starred, depth: int) -> Value | None:
        return self.value(node.value, depth)

    def _negative(self, node: ast.UnaryOp, depth: int) -> Value | None:
        inner = self.value(node.operand, depth)
        if isinstance(inner, Number) and isinstance(inner.number, int | float):
            return Number(-inner.number) if isinstance(node.op, ast.USub) else inner
        return None

    def _lambda(self, node: ast.Lambda, depth: int) -> Value | None:
        return Function(node.body, tuple(each.arg for each in node.args.args))

    def _comprehension(
        self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, depth: int
    ) -> Value | None:
        for each in node.generators:
            source = self.value(each.iter, depth)
            if isinstance(each.target, ast.Name):
                items = source.items if isinstance(source, Items) else ()
                self.bind(each.target.id, Items(items, any=True) if items else element(source))
            if isinstance(source, Items) and len(node.generators) == 1 and not each.ifs:
                made: list[Value | None] = []
                if isinstance(each.target, ast.Name) and len(source.items) <= 64:
                    for item in source.items:
                        self.bind(each.target.id, item)
                        made.append(self.value(node.elt, depth + 2))
                    self.bind(each.target.id, Items(source.items, any=True))
                    return Items(tuple(made))
        return None


def element(source: Value | None) -> Value | None:
    """One of what a source gives; of a folder's paths, a path."""
    if isinstance(source, Symbol):
        last = source.name.rpartition(".")[2]
        if last in ("iterdir()", "glob()", "rglob()") and "Path" in source.name:
            return Symbol(
                "pathlib.Path()", (source.given[:1] or (None,)) if last == "iterdir()" else (None,)
            )
        return Symbol(f"{source.name}[]", source.given, source.local)
    if isinstance(source, Text):
        return None
    return None


_EVALUATE: dict[type[ast.expr], Callable[..., Value | None]] = {
    ast.Constant: Names._constant,
    ast.Name: Names._name,
    ast.Attribute: Names._attribute,
    ast.Call: Names._call,
    ast.List: Names._list,
    ast.Tuple: Names._list,
    ast.Set: Names._list,
    ast.Dict: Names._dict,
    ast.JoinedStr: Names._joined,
    ast.BinOp: Names._binary,
    ast.Subscript: Names._subscript,
    ast.IfExp: Names._either,
    ast.BoolOp: Names._or,
    ast.NamedExpr: Names._walrus,
    ast.Await: Names._await,
    ast.Starred: Names._await,
    ast.UnaryOp: Names._negative,
    ast.Lambda: Names._lambda,
    ast.ListComp: Names._comprehension,
    ast.GeneratorExp: Names._comprehension,
    ast.SetComp: Names._comprehension,
}
