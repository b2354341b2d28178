"""Whether a text is a whole cell, by this interpreter's grammar (guest J13).

Rules: a top-level `return` and await are whole; a line for the front door (`%x`, `!x` at
the start of a statement) is; a `%%` cell and an indented block are once a blank line
follows.
"""

from __future__ import annotations

import ast
import re
import warnings
from codeop import CommandCompiler

from keelbook_guest.cell import magic_line, normalise

STEP = "    "
_INDENT = re.compile(r"[ \t]*")
_ENDS_FLOW = re.compile(r"\s*(return|pass|break|continue|raise)\b")


def completeness(code: str) -> dict[str, str]:
    """`{"status", "indent"}` as Jupyter has them."""
    source = normalise(code)
    lines = source.split("\n")
    if lines[0].startswith("%%"):
        whole = len(lines) > 1 and not lines[-1].strip()
        return {"status": "complete" if whole else "incomplete", "indent": ""}
    for _ in lines:
        number = magic_line(source)
        if number is None:
            break
        line = lines[number - 1]
        lines[number - 1] = _leading(line) + "pass"
        source = "\n".join(lines)
    status = _status(source)
    if status == "complete" and _in_block(lines):
        status = "incomplete"
    indent = _next_indent(lines) if status == "incomplete" else ""
    return {"status": status, "indent": indent}


def _status(source: str) -> str:
    compiler = CommandCompiler()
    compiler.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = compiler(source, "<is-complete>", "exec")
    except SyntaxError as error:
        return "complete" if error.msg == "'return' outside function" else "invalid"
    except (ValueError, OverflowError, RecursionError, MemoryError):
        return "invalid"
    return "incomplete" if found is None else "complete"


def _in_block(lines: list[str]) -> bool:
    """Whether the last line is indented: more of its block may follow."""
    return bool(lines[-1].strip()) and lines[-1][:1] in (" ", "\t")


def _next_indent(lines: list[str]) -> str:
    last = next((line for line in reversed(lines) if line.strip()), "")
    leading = _leading(last)
    if last.split("#")[0].rstrip().endswith(":"):
        return leading + STEP
    return leading[: -len(STEP)] if _ENDS_FLOW.match(last) else leading


def _leading(line: str) -> str:
    found = _INDENT.match(line)
    return found.group() if found else ""
