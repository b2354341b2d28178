"""Statements that change rows: DELETE, UPDATE, TRUNCATE, MERGE, INSERT.

Rules: without a real filter all rows are lost; with one it is debatable.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from keelbook.destructive.sql.conditions import filters
from keelbook.destructive.sql.lexer import Token
from keelbook.destructive.sql.queries import select
from keelbook.destructive.sql.reading import Reading
from keelbook.destructive.sql.words import PROSE

_AFTER_TABLE = {"JOIN", "WHERE", "INNER", "LEFT", "RIGHT", "CROSS", "USING", "AS", "ORDER",
                "LIMIT", "RETURNING", "NATURAL", "FULL"}  # fmt: skip
_TRUNCATED = {"TABLE", "DATABASE", "CLUSTER", "SCHEMA", "PARTITION", "COLLECTION"}
_AFTER_TRUNCATE = {"CASCADE", "RESTRICT", "RESTART", "CONTINUE", "IDENTITY", "ONLY", "REUSE",
                   "DROP", "STORAGE", "IF", "EXISTS", "SYNC", "ON", "CLUSTER"}  # fmt: skip


def delete(reading: Reading, words: Sequence[Token]) -> None:
    """Without a real filter it empties the table."""
    if len(words) < 2 or not _is_delete(words):
        return
    change_rows(reading, words, "deletes every row", "deletes the rows its filter names")


def update(reading: Reading, words: Sequence[Token]) -> None:
    """``UPDATE t SET``; without a real filter it overwrites the table."""
    depth = 0
    for at, token in enumerate(words[1:], 1):
        depth += (token.text == "(") - (token.text == ")")
        if token.upper == "SET" and depth == 0:
            after = words[at + 1 :]
            if not any(t.text == "=" for t in after[:6]) and "(" not in [t.text for t in after[:2]]:
                return
            change_rows(
                reading, words, "overwrites every row", "overwrites the rows its filter names"
            )
            return
        if at > 40:
            return


def change_rows(reading: Reading, words: Sequence[Token], all_rows: str, some_rows: str) -> None:
    condition = _condition(words)
    if condition is None or not filters(condition, reading.text):
        reading.destroys(all_rows, words)
    else:
        reading.may_lose(some_rows, words)


def truncate(reading: Reading, words: Sequence[Token]) -> None:
    """``TRUNCATE [TABLE] name``, not the function and not English."""
    rest = words[2:] if len(words) > 1 and words[1].upper in _TRUNCATED else words[1:]
    if not rest or (rest is words[1:] and not _is_name(rest, words[0])):
        return
    if words[1].upper == "(":
        return
    reading.destroys("empties a table", words)


def merge(reading: Reading, words: Sequence[Token]) -> None:
    """Only one that deletes."""
    for before, token in pairwise(words):
        if token.upper == "DELETE" and before.upper in ("THEN", "DELETE"):
            reading.destroys("deletes rows of the table it merges into", words)
            return
    if len(words) > 4 and any(token.upper == "DELETE" for token in words):
        reading.destroys("deletes rows of the table it merges into", words)


def insert(reading: Reading, words: Sequence[Token]) -> None:
    """``INSERT OVERWRITE`` replaces what is there; also a query with changing parts."""
    if len(words) > 1 and words[1].upper == "OVERWRITE":
        reading.destroys("replaces what a table or folder holds", words)
    else:
        select(reading, words)


def _is_delete(words: Sequence[Token]) -> bool:
    names = [token.upper for token in words]
    if "FROM" in names[1:12]:
        at = names.index("FROM")
        return at + 1 < len(words) and words[at + 1].kind != "mark" and _no_prose(words, at)
    first = words[1]
    if first.kind == "mark" or first.text.lower() in PROSE:
        return False
    return len(words) == 2 or names[2] in ("WHERE", ".") or first.kind == "name"


def _no_prose(words: Sequence[Token], at: int) -> bool:
    """``delete a from a join b`` is SQL, ``delete all from the list`` is not."""
    if words[at + 1].text.lower() not in PROSE:
        return True
    follows = words[at + 2] if at + 2 < len(words) else None
    return follows is None or follows.upper in _AFTER_TABLE or follows.kind == "mark"


def _is_name(rest: Sequence[Token], head: Token) -> bool:
    """Whether a table's name follows and then nothing but what TRUNCATE takes."""
    first = rest[0]
    if first.kind == "mark" or first.text.lower() in PROSE or first.text.startswith("-"):
        return False
    for token in rest[1:]:
        if token.text in (",", ".", "*") or token.upper in _AFTER_TRUNCATE:
            continue
        if token.kind in ("word", "name") and _follows_dot(rest, token):
            continue
        return False
    return True


def _follows_dot(rest: Sequence[Token], token: Token) -> bool:
    at = rest.index(token)
    return rest[at - 1].text in (".", ",")


def _condition(words: Sequence[Token]) -> list[Token] | None:
    """The tokens of the outermost WHERE; None when there is none."""
    depth = 0
    for at, token in enumerate(words):
        if token.kind == "mark":
            depth += (token.text == "(") - (token.text == ")")
        elif token.upper == "WHERE" and depth <= 0:
            rest = list(words[at + 1 :])
            depth = 0
            for end, other in enumerate(rest):
                depth += (other.text == "(") - (other.text == ")")
                if depth == 0 and other.upper in ("RETURNING", "LIMIT", "ORDER", "OPTION"):
                    return rest[:end]
            return rest
    return None
