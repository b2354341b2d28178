"""The Python that stands for a line of shell or a magic.

Rules: one line becomes one line. A shell line becomes an awaited governed call (guest A35), so it
cannot stand where nothing can be awaited. ``{name}`` in it is filled in where it is a Python
expression that names something of the cell's; ``$`` belongs to the shell.
"""

from __future__ import annotations

import ast
import builtins
import re
from typing import Any

from keelbook.front_door import kinds
from keelbook.front_door.lines import Line

MAGICS = "__import__('keelbook_guest.magics').magics"
_FILLED = re.compile(r"(?<![$\\])\{\{|\}\}|(?<![$\\])\{([^{}]+)\}")
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete, ast.Import, ast.ImportFrom,
           ast.Assert, ast.Pass, ast.Expr, ast.Raise)  # fmt: skip
_AWAIT = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_TIMEIT = re.compile(r"\s*-(?:([nr])\s*(\d+)|([qo])|(p)\s*\d+)(?=\s|$)")


class Unfit(Exception):
    """A line cannot be used; the text is the sentence."""


def bang(line: Line) -> str:
    """``!cmd``, ``!!cmd`` or ``x = !cmd``. Raises Unfit."""
    if not line.text.strip():
        raise Unfit(kinds.NO_COMMAND.format(name="!"))
    call = "lines" if line.target or line.detail else "bang"
    return _governed(line, "!" + line.text, call, filled(line.text))


def bash(body: str) -> str:
    """A whole cell of shell."""
    return f"await {MAGICS}.bash({body!r})"


def line_magic(line: Line, name: str, rest: str) -> str:
    """The Python for ``%name rest``, assigned where it is. Raises Unfit."""
    if name == "pip":
        return _governed(line, f"%pip {rest}", "pip", filled(rest))
    if name == "time" and not line.target:
        return _time(rest)
    if name == "time":
        return f"{line.target} = {_time(rest)}"
    if name == "timeit":
        return _assigned(line, timeit(rest, ""))
    if name == "set_env":
        name, rest = "env", rest.replace(" ", "=", 1)
    call = {"who_ls": "who_list"}.get(name, name)
    return _assigned(line, f"{MAGICS}.{call}({filled(rest)})")


def timeit(rest: str, body: str) -> str:
    """``%timeit`` (no body) or ``%%timeit``, whose line is the setup. Raises Unfit."""
    options: dict[str, Any] = {}
    found = _TIMEIT.match(rest)
    while found:
        if found[1]:
            options["number" if found[1] == "n" else "repeat"] = int(found[2])
        elif found[3]:
            options["quiet" if found[3] == "q" else "keep"] = True
        rest = rest[found.end() :]
        found = _TIMEIT.match(rest)
    code, setup = (body, rest.strip()) if body.strip() else (rest.strip(), "")
    if not code.strip():
        raise Unfit("`%timeit` needs code to time.")
    if _awaits(code) or _awaits(setup):
        raise Unfit(kinds.NO_TIMEIT_AWAIT)
    given = "".join(f", {name}={value!r}" for name, value in options.items())
    return f"{MAGICS}.timeit({code!r}, {setup or 'pass'!r}{given})"


def filled(text: str) -> str:
    """A Python expression for ``text``: a literal, or a format of it with the cell's names."""
    parts, values, last = [], [], 0
    for found in _FILLED.finditer(text):
        if found[1] is None or not _names_something(found[1]):
            continue
        parts.append(text[last : found.start()].replace("{", "{{").replace("}", "}}"))
        values.append(found[1].strip())
        last = found.end()
    if not values:
        return repr(text)
    rest = text[last:].replace("{", "{{").replace("}", "}}")
    return f"{('{}'.join(parts) + '{}' + rest)!r}.format({', '.join(values)})"


def _names_something(source: str) -> bool:
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return False
    if isinstance(tree, ast.Tuple):
        return False
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return any(not hasattr(builtins, name) for name in names)


def _governed(line: Line, shown: str, call: str, command: str) -> str:
    if not line.awaits:
        raise Unfit(kinds.NO_AWAIT.format(line=shown.split("\n")[0]))
    return _assigned(line, f"await {MAGICS}.{call}({command})")


def _assigned(line: Line, expression: str) -> str:
    return f"{line.target} = {expression}" if line.target else expression


def _time(statement: str) -> str:
    """``%time``: an expression keeps its value, a statement its bindings."""
    if not statement:
        raise Unfit("`%time` needs code to time.")
    try:
        compile(statement, "<time>", "eval", _AWAIT)
    except (SyntaxError, ValueError):
        pass
    else:
        return f"{MAGICS}.timed({MAGICS}.clock(), ({statement}))"
    try:
        body = compile(statement, "<time>", "exec", _AWAIT).body
    except (SyntaxError, ValueError):
        body = []
    if body and all(isinstance(each, _SIMPLE) for each in body):
        return f"with {MAGICS}.timing(): {statement}"
    return f"{MAGICS}.time_of({statement!r})"


def _awaits(code: str) -> bool:
    try:
        tree = compile(code, "<timeit>", "exec", _AWAIT)
    except (SyntaxError, ValueError):
        return False
    inner = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    return any(isinstance(node, ast.Await) and id(node) not in inner for node in ast.walk(tree))
