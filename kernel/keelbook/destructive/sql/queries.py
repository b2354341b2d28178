"""Queries: the parts of them that change data, and the functions that act.

Rules: EXPLAIN runs a statement only with ANALYZE.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from keelbook.destructive.shell.targets import is_precious
from keelbook.destructive.sql.lexer import Token
from keelbook.destructive.sql.reading import Reading
from keelbook.destructive.sql.words import FUNCTIONS, RUN_SHELL, RUN_TEXT, SOFT_FUNCTIONS

BODIES = {"PROCEDURE", "PROC", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE", "ROUTINE"}
_EXPLAINS = {"ANALYZE", "ANALYSE", "VERBOSE", "EXTENDED", "QUERY", "PLAN", "FOR", "FORMATTED",
             "CODEGEN", "COST"}  # fmt: skip


def select(reading: Reading, words: Sequence[Token]) -> None:
    """Parts that change data, and functions that act."""
    for at, token in enumerate(words):
        if token.kind != "word" or at + 1 >= len(words):
            continue
        name = token.upper
        if at and name in ("DELETE", "UPDATE", "MERGE", "TRUNCATE", "INSERT"):
            if words[at - 1].text == "(" or (words[0].upper == "WITH" and name != "INSERT"
                                             and words[at - 1].text == ")"):  # fmt: skip
                reading.statement(_bracketed(words, at))
        elif words[at + 1].text == "(":
            _function(reading, qualified(words, at), words, at)
        elif name == "INTO" and words[at + 1].upper in ("OUTFILE", "DUMPFILE"):
            _to_file(reading, words, at)


def _function(reading: Reading, name: str, words: Sequence[Token], at: int) -> None:
    plain = name.rpartition(".")[2]
    what = FUNCTIONS.get(name) or FUNCTIONS.get(plain)
    if plain in RUN_TEXT or plain in ("QUERY_TO_XML", "EXECUTE_SQL"):
        run_texts(reading, "sql", words[at:], plain.lower())
    elif plain in RUN_SHELL:
        run_texts(reading, "shell", words[at:], plain.lower())
    if what is not None:
        one = plain == "PG_TERMINATE_BACKEND" and words[at + 2 : at + 3]
        if one and one[0].kind == "number":
            reading.may_lose("ends a session of the database", words)
        else:
            reading.destroys(what, words)
    elif plain in SOFT_FUNCTIONS:
        reading.may_lose("changes the state of the server", words)
    elif re.match(r"(?:DROP|TRUNCATE|PURGE|WIPE)_|(?:DELETE|REMOVE|CLEAR)_(?:ALL|OLD)", plain):
        reading.may_lose("calls a function that is named after deleting", words)


def _to_file(reading: Reading, words: Sequence[Token], at: int) -> None:
    """``INTO OUTFILE 'path'``."""
    path = words[at + 2].text if at + 2 < len(words) else ""
    if is_precious(path):
        reading.destroys("writes a file of the system", words)
    else:
        reading.may_lose("writes a file of the server", words)


def explain(reading: Reading, words: Sequence[Token]) -> None:
    """Only ``EXPLAIN ANALYZE`` runs the statement."""
    at, runs = 1, False
    if at < len(words) and words[at].text == "(":
        while at < len(words) and words[at].text != ")":
            if words[at].upper in ("ANALYZE", "ANALYSE"):
                runs = at + 1 >= len(words) or words[at + 1].upper not in ("FALSE", "OFF")
            at += 1
        at += 1
    while at < len(words) and words[at].upper in _EXPLAINS:
        runs = runs or words[at].upper in ("ANALYZE", "ANALYSE")
        at += 1
    if runs and at < len(words):
        reading.statement(words[at:])


def _bracketed(words: Sequence[Token], at: int) -> list[Token]:
    """From a word to the end of the parentheses it stands in."""
    depth = 0
    for end, token in enumerate(words[at:], at):
        depth += (token.text == "(") - (token.text == ")")
        if depth < 0:
            return list(words[at:end])
    return list(words[at:])


def qualified(words: Sequence[Token], at: int) -> str:
    """A name with what stands before its dots."""
    name = words[at].upper or words[at].text.upper()
    while at >= 2 and words[at - 1].text == ".":
        at -= 2
        name = f"{words[at].upper or words[at].text.upper()}.{name}"
    return name


def run_texts(reading: Reading, language: str, words: Sequence[Token], via: str) -> None:
    for token in words:
        if token.kind == "string" and len(token.text) > 3:
            reading.inner(language, token, via)
        elif token.upper in reading.texts:
            held = reading.texts[token.upper]
            span = (token.start, token.end)
            reading.inquiry.inside((via,), span).read(language, held)
