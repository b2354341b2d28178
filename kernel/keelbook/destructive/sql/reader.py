"""Judges SQL: what each statement begins with says what it is asked.

Rules: a statement that nobody here knows is clear. Words count as whole words, and only where the
statement's own grammar has them: prose that begins with Update or Delete is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from keelbook.destructive.inquiry import Inquiry
from keelbook.destructive.sql import objects, queries, rows, running
from keelbook.destructive.sql.lexer import Token, executable, statements, tokens
from keelbook.destructive.sql.queries import BODIES
from keelbook.destructive.sql.reading import Judge, Reading
from keelbook.destructive.sql.server import SERVER, remove, server

_CLIENT = re.compile(
    r"(?m)^[ \t]*(?:\\!|\.shell\b|\.system\b|system\b(?!\s+\w+\s*;)|!|host\b)[ \t]*(\S.*)$"
    r"|^[ \t]*\\[a-z]+\+?[^\n]*$|^[ \t]*\.[a-z]+[^\n]*$|^[ \t]*delimiter[ \t]+\S+[ \t]*$",
    re.IGNORECASE,
)

_COMMAND = re.compile(r"(?i)['\"]?[a-z./]+\s+[-/\w]")
"""``system`` and ``host`` are also words of SQL."""


def read(inquiry: Inquiry, text: str) -> None:
    """Judges every statement of a text."""
    if "\\" in text or "." in text or "!" in text or "elimiter" in text or "ELIMITER" in text:
        text = _without_client_commands(inquiry, text)
    text = executable(text)
    found = tokens(text, inquiry.tick)
    reading = Reading(inquiry, text, HEADS)
    open_blocks = 0
    for statement in statements(found):
        inquiry.tick()
        if open_blocks:
            # The body of a procedure that is only defined.
            open_blocks += _blocks(statement)
            continue
        reading.statement(statement)
        defines = statement[0].upper in ("CREATE", "ALTER")
        if defines and any(token.upper in BODIES for token in statement[1:6]):
            open_blocks = max(0, _blocks(statement))


def _without_client_commands(inquiry: Inquiry, text: str) -> str:
    """What a client takes for itself is no SQL; what it hands to a shell is judged as shell."""

    def taken(found: re.Match[str]) -> str:
        if found[1]:
            first = found[0].lstrip().lower()
            if first.startswith(("host", "system")):
                if not _COMMAND.match(found[1]):
                    return found[0]
                _shell(inquiry, found[1].rstrip("; "), found.span())
            else:
                _shell(inquiry, found[1], found.span())
        return " " * len(found[0])

    return _CLIENT.sub(taken, text)


def _shell(inquiry: Inquiry, text: str, span: tuple[int, int]) -> None:
    inquiry.inside(("sql",), span).read("shell", text)


def _blocks(statement: Sequence[Token]) -> int:
    """How many blocks a piece of a body opens more than it closes."""
    count = 0
    for at, token in enumerate(statement):
        if token.upper in ("BEGIN", "CASE"):
            count += 1
        elif token.upper in ("IF", "LOOP", "REPEAT", "WHILE"):
            ends = at > 0 and statement[at - 1].upper == "END"
            count += 0 if ends or at else 1
        elif token.upper == "END":
            count -= 1
    return count


HEADS: dict[str, Judge] = {
    "DELETE": rows.delete,
    "UPDATE": rows.update,
    "TRUNCATE": rows.truncate,
    "MERGE": rows.merge,
    "INSERT": rows.insert,
    "REPLACE": rows.insert,
    "DROP": objects.drop,
    "ALTER": objects.alter,
    "CREATE": objects.create,
    "SELECT": queries.select,
    "WITH": queries.select,
    "VALUES": queries.select,
    "PERFORM": queries.select,
    "EXPLAIN": queries.explain,
    "EXEC": running.execute,
    "EXECUTE": running.execute,
    "CALL": running.execute,
    "DO": running.execute,
    "PREPARE": running.prepare,
    "SET": running.remember,
    "DECLARE": running.remember,
    "COPY": running.copy,
    "IF": running.block,
    "FOR": running.block,
    "WHILE": running.block,
    "WHEN": running.block,
    "REMOVE": remove,
}
HEADS.update(dict.fromkeys(SERVER, server))
