"""Statements that run a text or another statement: EXECUTE, DO, PREPARE, COPY, IF.

Rules: a text is judged in its own language; a variable is known while the text set it literally.
"""

from __future__ import annotations

from collections.abc import Sequence

from keelbook.destructive.sql.lexer import Token
from keelbook.destructive.sql.queries import qualified, run_texts, select
from keelbook.destructive.sql.reading import Reading
from keelbook.destructive.sql.words import PROCEDURES, RUN_SHELL


def execute(reading: Reading, words: Sequence[Token]) -> None:
    """``EXEC``, ``CALL``, ``DO``: texts inside are judged; procedures by name."""
    name = qualified(words, _last_of_name(words))
    plain = name.rpartition(".")[2]
    if plain in RUN_SHELL:
        run_texts(reading, "shell", words, plain.lower())
        return
    what = PROCEDURES.get(name) or PROCEDURES.get(plain)
    if what is not None:
        reading.destroys(what, words)
    run_texts(reading, "sql", words, words[0].text.lower())


def prepare(reading: Reading, words: Sequence[Token]) -> None:
    """``PREPARE p FROM 'text'`` or ``PREPARE p AS statement``."""
    for at, token in enumerate(words):
        if token.upper == "AS" and at + 1 < len(words):
            reading.statement(words[at + 1 :])
            return
    run_texts(reading, "sql", words, "prepare")


def remember(reading: Reading, words: Sequence[Token]) -> None:
    """``SET @s = 'text'``, ``DECLARE @s nvarchar(9) = 'text'``."""
    for at, token in enumerate(words[:-1]):
        if words[at + 1].kind == "string" and token.text in ("=", ":="):
            name = next(
                (t.upper for t in reversed(words[:at]) if t.upper[:1] in ("@", ":")),
                words[1].upper,
            )
            reading.texts[name] = words[at + 1].text
    if words[1:2] and words[1].upper == "GLOBAL":
        reading.may_lose("changes a setting of the server", words)


def copy(reading: Reading, words: Sequence[Token]) -> None:
    """``COPY … TO PROGRAM 'command'``."""
    for at, token in enumerate(words[:-1]):
        if token.upper == "PROGRAM" and words[at + 1].kind == "string":
            reading.inner("shell", words[at + 1], "copy program")
        elif token.upper == "PURGE" and words[at + 1 : at + 3][-1].upper == "TRUE":
            reading.destroys("deletes the files it has loaded", words)
    select(reading, words)


def block(reading: Reading, words: Sequence[Token]) -> None:
    """``IF … THEN``, ``LOOP``: what stands after the last word that opens a statement."""
    for at, token in enumerate(words):
        if token.upper in ("THEN", "LOOP", "DO", "BEGIN", "ELSE", "AS", "EXECUTE") and at:
            rest = words[at:] if token.upper == "EXECUTE" else words[at + 1 :]
            if rest:
                reading.statement(rest)
                return


def _last_of_name(words: Sequence[Token]) -> int:
    at = 1 if len(words) > 1 else 0
    while at + 2 < len(words) and words[at + 1].text == ".":
        at += 2
    return at
