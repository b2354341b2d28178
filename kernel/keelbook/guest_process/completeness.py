"""Whether code is a whole cell, by the host's own grammar: used while there is no guest (J13).

Rules: top-level ``await`` and ``return`` are allowed, as in a guest; nothing is run and nothing
printed.
"""

from __future__ import annotations

import ast
import textwrap
import warnings
from typing import Final

from keelbook.interpreter import Completeness

_ALLOW_INCOMPLETE_INPUT: Final = 0x4000
_FLAGS: Final = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | _ALLOW_INCOMPLETE_INPUT


def by_host(code: str) -> Completeness:
    """The answer to ``is_complete``."""
    lines = code.splitlines()
    if not lines or not lines[-1].strip():
        return _status(code)
    found = _status(code)
    if found.status != "complete":
        return found
    last = lines[-1]
    if last[:1].isspace() or last.rstrip().endswith(":"):
        return Completeness("incomplete", _indent(lines))
    return found


def _status(code: str) -> Completeness:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _compile(code)
        except SyntaxError as problem:
            if type(problem).__name__ == "_IncompleteInputError" or _unfinished(problem):
                return Completeness("incomplete", _indent(code.splitlines()))
            return Completeness("invalid")
        except (ValueError, OverflowError, MemoryError, RecursionError):
            return Completeness("invalid")
    return Completeness("complete")


def _compile(code: str) -> None:
    try:
        compile(code, "<cell>", "exec", _FLAGS, dont_inherit=True)
    except SyntaxError as problem:
        if "'return' outside function" not in str(problem):
            raise
        body = textwrap.indent(code, " ")
        compile(f"async def cell():\n{body}\n", "<cell>", "exec", _FLAGS, dont_inherit=True)


def _unfinished(problem: SyntaxError) -> bool:
    return "incomplete input" in str(problem)


def _indent(lines: list[str]) -> str:
    last = next((line for line in reversed(lines) if line.strip()), "")
    lead = last[: len(last) - len(last.lstrip())]
    return lead + "    " if last.rstrip().endswith(":") else lead
