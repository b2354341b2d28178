"""Statements on objects: DROP, ALTER, CREATE.

Rules: what holds data or access is lost when it is dropped; what is only a definition is debatable.
"""

from __future__ import annotations

from collections.abc import Sequence

from keelbook.destructive.sql.lexer import Token
from keelbook.destructive.sql.queries import BODIES, select
from keelbook.destructive.sql.reading import Reading
from keelbook.destructive.sql.rows import change_rows
from keelbook.destructive.sql.words import CASCADES, GONE, PROSE, SOFT

_REPLACED = {"TABLE", "SCHEMA", "DATABASE", "VIEW", "FUNCTION", "STAGE", "STREAM"}
_SOFT_ALTERS = {"MODIFY", "TYPE", "RENAME", "DISABLE", "DETACH", "EXCHANGE", "SWITCH", "SWAP",
                "PASSWORD", "IDENTIFIED", "NOLOGIN", "OFFLINE", "SINGLE_USER", "UNLOGGED",
                "CHANGE", "KILL"}  # fmt: skip


def drop(reading: Reading, words: Sequence[Token]) -> None:
    """By what is dropped."""
    rest = list(words[1:])
    kind = next((token.upper for token in rest[:4] if token.upper in GONE | SOFT), "")
    before = {token.upper for token in rest[:4]}
    if not kind or rest[0].text.lower() in PROSE:
        return
    if rest[0].upper == "MATERIALIZED":
        reading.destroys("drops a materialized view with its data", words)
    elif kind == "TABLE" and before & {"TEMPORARY", "TEMP"}:
        reading.may_lose("drops a temporary table", words)
    elif kind in SOFT and before & {"CONTINUOUS", "RETENTION"}:
        reading.destroys(f"drops a {rest[0].text.lower()} {rest[1].text.lower()}", words)
    elif kind in GONE:
        reading.destroys(f"drops a {kind.lower()}", words)
    elif kind in CASCADES and any(token.upper == "CASCADE" for token in rest):
        reading.destroys(f"drops a {kind.lower()} and all that uses it", words)
    else:
        reading.may_lose(f"drops a {kind.lower()}", words)


def alter(reading: Reading, words: Sequence[Token]) -> None:
    """By what is dropped from it or taken away."""
    names = [token.upper for token in words]
    for at, name in enumerate(names[2:], 2):
        follows = names[at + 1] if at + 1 < len(names) else ""
        if name == "DROP":
            _dropped(reading, follows, words, at)
            return
        if name == "TRUNCATE" and follows in ("PARTITION", "SUBPARTITION"):
            reading.destroys("empties a partition", words)
            return
        if name == "DISCARD" and follows in ("TABLESPACE", "PARTITION"):
            reading.destroys("throws a table's data away", words)
            return
        if name in ("DELETE", "UPDATE") and names[1] == "TABLE" and "WHERE" in names[at:]:
            change_rows(reading, words[at:], f"{name.lower()}s every row", f"{name.lower()}s rows")
            return
        if name == "CLEAR" and follows == "COLUMN":
            reading.destroys("empties a column", words)
            return
    if _SOFT_ALTERS & set(names[2:]):
        reading.may_lose("changes what a table or user is", words)


def _dropped(reading: Reading, kind: str, words: Sequence[Token], at: int) -> None:
    if kind in ("CONSTRAINT", "INDEX", "DEFAULT", "PRIMARY", "FOREIGN", "CHECK", "NOT", "KEY",
                "IDENTITY", "EXPRESSION", "TRIGGER", "ROW", "UNIQUE", "PROJECTION", "TAG",
                "STATISTICS", "PERIOD", "SYSTEM", "MEMBER", "FEATURE", "VALUE"):  # fmt: skip
        reading.may_lose("drops a rule of a table", words)
    elif at + 1 < len(words):
        reading.destroys("drops a column or partition with its data", words)


def create(reading: Reading, words: Sequence[Token]) -> None:
    """``CREATE OR REPLACE TABLE`` drops the old one; a scheduled event runs later."""
    names = [token.upper for token in words[:8]]
    if names[1:3] == ["OR", "REPLACE"]:
        kind = next((name for name in names[3:6] if name in _REPLACED), "")
        if kind in ("TABLE", "SCHEMA", "DATABASE") and not {"TEMP", "TEMPORARY"} & set(names):
            reading.destroys(f"replaces a {kind.lower()} that is there", words)
            return
    if "EVENT" in names[1:5]:
        for at, token in enumerate(words):
            if token.upper == "DO" and at + 1 < len(words):
                reading.statement(words[at + 1 :])
                return
    if not BODIES & set(names[1:5]) and "RULE" not in names[1:4]:
        select(reading, words)
