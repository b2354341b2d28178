"""The second reader of Python: statements out of a text that does not parse.

Rules: each line is tried alone, then with its brackets closed, then from the first call in it. What
is left and holds a call could do anything, so the text is unreadable.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from keelbook.destructive.python.cells import Unparsable, parsed

LINES = 400
CALLS = 20
"""Of one line."""

LINE = 4000
"""A longer line is not searched for calls, in characters."""

_CALL = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*\s*\(")
_CLOSES = {"(": ")", "[": "]", "{": "}"}


def readable(text: str, tick: Callable[[], None]) -> tuple[ast.Module, bool]:
    """What can be read as one module, and whether all that calls something was."""
    body: list[ast.stmt] = []
    whole = True
    lines = text.split("\n")
    for number, line in enumerate(lines[:LINES]):
        tick()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if len(line) > LINE:
            whole = whole and "(" not in line
            continue
        found = _line(line.strip())
        if found is None:
            found = _calls(line)
            whole = whole and not _CALL.search(line)
        else:
            _move(found, len(line) - len(line.lstrip()))
        for statement in found:
            ast.increment_lineno(statement, number)
        body += found
    whole = whole and len(lines) <= LINES
    return ast.Module(body, []), whole


def _line(line: str) -> list[ast.stmt] | None:
    closed = line + _closing(line)
    attempts = [line, closed]
    if line.endswith(":"):
        attempts += [
            line + " pass",
            "try: pass\n" + line + " pass",
            "if 1: pass\n" + line + " pass",
        ]
    if line.startswith(("print ", "exec ")):
        attempts.append(re.sub(r"^(print|exec)\s+(.*)$", r"\1(\2)", line))
    for attempt in attempts:
        try:
            return parsed(attempt).body
        except Unparsable:
            continue
    return None


def _calls(line: str) -> list[ast.stmt]:
    """The calls in a line that is no statement."""
    found: list[ast.stmt] = []
    for place, match in enumerate(_CALL.finditer(line)):
        if place >= CALLS:
            break
        rest = line[match.start() :]
        for attempt in (_balanced(rest), rest + _closing(rest)):
            try:
                made = parsed(attempt).body
                _move(made, match.start())
                found += made
                break
            except Unparsable:
                continue
    return found


def _move(statements: list[ast.stmt], columns: int) -> None:
    """Puts what was parsed alone where it stands in its line."""
    for statement in statements if columns else []:
        for node in ast.walk(statement):
            if isinstance(node, ast.stmt | ast.expr):
                node.col_offset += columns
                node.end_col_offset = (node.end_col_offset or 0) + columns


def _closing(text: str) -> str:
    """What would close the brackets and the quote that are open at the end."""
    waiting: list[str] = []
    quote = ""
    at = 0
    while at < len(text):
        letter = text[at]
        if quote:
            if letter == "\\":
                at += 1
            elif text.startswith(quote, at):
                at += len(quote) - 1
                quote = ""
        elif letter in "'\"":
            quote = letter * 3 if text.startswith(letter * 3, at) else letter
            at += len(quote) - 1
        elif letter == "#":
            break
        elif letter in _CLOSES:
            waiting.append(_CLOSES[letter])
        elif waiting and letter == waiting[-1]:
            waiting.pop()
        at += 1
    return quote + "".join(reversed(waiting))


def _balanced(text: str) -> str:
    """Up to where the first bracket is closed."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and letter in ")]}":
            return text[: at + 1]
    return text
