"""Where in Python text a cursor stands: in a string, in a call, after a dot.

Rules: the text before the cursor is read once, from its start, with no regard to whether
it is valid; positions are code points from the start of that text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

OPENING, CLOSING = "([{", ")]}"
REACH = 2000
_QUOTE = re.compile(r"(?i:\b[rbuf]{1,2})?('''|\"\"\"|'|\")")
_CHAIN = re.compile(r"[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*\Z")
_NAME = re.compile(r"\w+")
_WORD = re.compile(r"\w*\Z")


class Place(NamedTuple):
    """What surrounds the end of a text.

    `string` is where the text of an unfinished string begins (None outside), `quote` its
    quotes; `brackets` are the positions of the open brackets, innermost last; `line` is
    where the logical line begins.
    """

    string: int | None
    quote: str
    brackets: list[int]
    line: int


def place(text: str) -> Place:
    """Reads `text` and says where its end stands."""
    brackets: list[int] = []
    line = position = 0
    while position < len(text):
        char = text[position]
        found = _QUOTE.match(text, position)
        if found is not None:
            start, quote = found.end(), found.group(1)
            end = _string_end(text, start, quote)
            if end is None:
                return Place(start, quote, brackets, line)
            position = end
        elif char == "#":
            newline = text.find("\n", position)
            position = len(text) if newline < 0 else newline
        elif char in OPENING:
            brackets.append(position)
            position += 1
        elif char in CLOSING:
            if brackets:
                brackets.pop()
            position += 1
        elif char == "\n" and not brackets:
            position += 1
            line = position
        elif char == "\\":
            position += 2
        elif char.isalnum() or char == "_":
            found = _NAME.match(text, position)
            position = found.end() if found is not None else position + 1
        else:
            position += 1
    return Place(None, "", brackets, line)


def _string_end(text: str, position: int, quote: str) -> int | None:
    """Past the end of a string whose text begins at `position`; None if it has none."""
    while position < len(text):
        if text.startswith(quote, position):
            return position + len(quote)
        if text[position] == "\n" and len(quote) == 1:
            return position
        position += 2 if text[position] == "\\" else 1
    return None


def word(text: str) -> str:
    """The identifier characters that `text` ends with."""
    found = _WORD.search(text)
    return found.group() if found else ""


def chain(text: str) -> str:
    """The dotted name that `text` ends with, without spaces; empty if there is none."""
    found = _CHAIN.search(text)
    return re.sub(r"\s+", "", found.group()) if found else ""


def expression(text: str) -> str:
    """The primary expression that `text` ends with: `a.b['x'].c(1)`, a literal, or empty."""
    text = text[-REACH:].rstrip()
    start = len(text)
    while start:
        before = text[:start]
        if before[-1] in CLOSING:
            opening = _opening(before)
            if opening is None:
                break
            start = opening
        elif before[-1] in "'\"":
            opening = _opening_quote(before)
            if opening is None:
                break
            return text[opening:]
        elif word(before):
            start -= len(word(before))
            if not text[:start].endswith("."):
                return text[start:]
            start -= 1
            continue
        else:
            break
        if text[:start].endswith("."):
            start -= 1
        elif not (word(text[:start]) or text[:start][-1:] in (")", "]", "}")):
            break
    return text[start:]


def _opening(text: str) -> int | None:
    """Where the bracket opens that closes `text`."""
    for position in range(len(text) - 1, -1, -1):
        if text[position] in OPENING:
            inner = place(text[position:-1])
            if inner.brackets == [0] and inner.string is None:
                return position
    return None


def _opening_quote(text: str) -> int | None:
    for found in _QUOTE.finditer(text):
        if place(text[found.start() :]).string is None and found.start() < len(text) - 1:
            whole = _string_end(text, found.end(), found.group(1))
            if whole == len(text):
                return found.start()
    return None
