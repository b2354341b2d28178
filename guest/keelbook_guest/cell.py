"""Turns the text of a cell into code objects for the real `__main__`.

Rules (guest R6, A1-A24)
- Module mode: names bind as in any module. Top-level await is allowed. Nothing of this
  module's own flags reaches a cell.
- A final expression is the value; it is compiled apart, with the flags of the rest. One
  followed by `;` is run like any statement.
- A cell with a top-level `return` goes through `returns`.
- A SyntaxError always carries the source line; one that comes from a magic or a shell
  line says what to write instead, wherever in the cell it stands.
"""

from __future__ import annotations
import __future__

import ast
import linecache
import re
from types import CodeType

from keelbook_guest.returns import compile_with_return, has_return

AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
CO_COROUTINE = 0x80
FUTURES = 0
for _name in __future__.all_feature_names:
    FUTURES |= getattr(__future__, _name).compiler_flag

HINT = (
    "; magics and shell lines do not run here: "
    "write `await tools.bash(command=...)` for a shell command"
)
_SEMICOLON = re.compile(r"(?:[ \t]|\\\n)*;")


class Compiled:
    """A cell as code: `parts` run in order; `valued` if the last one's result is shown."""

    __slots__ = ("parts", "valued")

    def __init__(self, parts: list[CodeType], valued: bool) -> None:
        self.parts = parts
        self.valued = valued

    def is_async(self) -> bool:
        """Whether any part has to be awaited."""
        return any(part.co_flags & CO_COROUTINE for part in self.parts)


def normalise(source: str) -> str:
    """The text that is compiled: no byte order mark, newlines as `\\n`."""
    if source[:1] == "\ufeff":
        source = source[1:]
    if "\r" in source:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
    return source


def remember(source: str, file: str) -> None:
    """Makes the cell's lines known to tracebacks, `inspect`, `pdb` and `warnings`."""
    lines = [line + "\n" for line in source.split("\n")]
    linecache.cache[file] = (len(source), None, lines, file)


def compile_cell(source: str, file: str) -> Compiled:
    """Compiles the normalised text of a cell.

    Raises SyntaxError, or RecursionError or MemoryError for text nested too deep.
    """
    try:
        return _compile(source, file)
    except SyntaxError as error:
        _complete(error, source)
        raise error.with_traceback(None) from None


def _compile(source: str, file: str) -> Compiled:
    if "\0" in source:
        line = source[: source.index("\0")].count("\n") + 1
        raise SyntaxError("source code cannot contain null bytes", (file, line, 1, None))
    tree: ast.Module = compile(source, file, "exec", ast.PyCF_ONLY_AST | AWAIT, True)
    if "return" in source and has_return(tree):
        quiet = _is_quiet(tree, source)
        return Compiled(compile_with_return(tree, source, file, quiet), True)
    body = tree.body
    if not body:
        return Compiled([], False)
    last = body[-1]
    if not isinstance(last, ast.Expr) or _is_quiet(tree, source):
        return Compiled([compile(tree, file, "exec", AWAIT, True)], False)
    value = ast.Expression(last.value)
    if len(body) == 1:
        return Compiled([compile(value, file, "eval", AWAIT, True)], True)
    del body[-1]
    before = compile(tree, file, "exec", AWAIT, True)
    flags = before.co_flags & FUTURES
    return Compiled([before, compile(value, file, "eval", AWAIT | flags, True)], True)


def _is_quiet(tree: ast.Module, source: str) -> bool:
    """Whether the last statement is an expression with a semicolon after it."""
    if ";" not in source or not isinstance(tree.body[-1], ast.Expr):
        return False
    last = tree.body[-1]
    if last.end_lineno is None or last.end_col_offset is None:
        return False
    lines = source.split("\n")[last.end_lineno - 1 :]
    lines[0] = (
        lines[0]
        .encode("utf-8", "surrogatepass")[last.end_col_offset :]
        .decode("utf-8", "surrogatepass")
    )
    return _SEMICOLON.match("\n".join(lines)) is not None


def _complete(error: SyntaxError, source: str) -> None:
    lines = source.split("\n")
    number = error.lineno or 0
    if error.text is None and 0 < number <= len(lines):
        error.text = lines[number - 1].replace("\0", "\ufffd") + "\n"
    magic = magic_line(source)
    if magic is None:
        return
    error.msg = "invalid syntax" + HINT
    error.args = (error.msg, *error.args[1:])
    error.lineno, error.offset = magic, 1
    error.end_lineno = error.end_offset = None
    error.text = lines[magic - 1] + "\n"


def magic_line(source: str) -> int | None:
    """The number of the first line where a statement begins with `%` or `!`."""
    lines = source.split("\n")
    for number, line in enumerate(lines, 1):
        if line.lstrip()[:1] in ("%", "!") and _at_statement("\n".join(lines[: number - 1])):
            return number
    return None


def _at_statement(before: str) -> bool:
    """Whether a line after the text `before` begins a statement."""
    import tokenize

    if before.endswith("\\"):
        return False
    reader = iter((before + "\n").splitlines(True)).__next__
    try:
        for _token in tokenize.generate_tokens(reader):
            pass
    except IndentationError:
        return True
    except (tokenize.TokenError, SyntaxError):
        return False
    return True
