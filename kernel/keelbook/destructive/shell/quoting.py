"""Quotes, escapes and braces of the shell, undone.

Rules: pure functions of text to text; what is not well formed is left as it is.
"""

from __future__ import annotations

import re
from itertools import product

BRACES = 64
"""At most so many words come out of one brace expression."""

BRACED = 4000
"""A longer word is not expanded, in characters."""

_ESCAPED = re.compile(r"\\(\n|.)", re.DOTALL)
_ESCAPED_IN_DOUBLE = re.compile(r'\\([$`"\\\n])')
_ANSI = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))",
    re.DOTALL,
)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b",
          "f": "\f", "v": "\v", "0": "\0"}  # fmt: skip
_RANGE = re.compile(r"(-?\d+|[a-zA-Z])\.\.(-?\d+|[a-zA-Z])(?:\.\.-?\d+)?")


def unescaped(text: str) -> str:
    """Unquoted text without its backslashes."""
    if "\\" not in text:
        return text
    return _ESCAPED.sub(lambda found: "" if found[1] == "\n" else found[1], text)


def from_double(text: str) -> str:
    """The text between double quotes."""
    if "\\" not in text:
        return text
    return _ESCAPED_IN_DOUBLE.sub(lambda found: "" if found[1] == "\n" else found[1], text)


def from_ansi(text: str) -> str:
    """The text between ``$'`` and ``'``; also what ``printf`` and ``echo -e`` make of a text."""
    if "\\" not in text:
        return text
    return _ANSI.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code:
        number = int(code, 16)
        return chr(number) if number < 0x110000 else ""
    if found[4]:
        return chr(int(found[4], 8) & 0xFF)
    if found[5]:
        return chr(ord(found[5]) & 0x1F)
    return _NAMED.get(found[6], found[6] if found[6] in "\\'\"?" else "\\" + found[6])


def braced(text: str) -> list[str]:
    """``a{b,c}d`` is ``abd acd``, ``{1..3}`` is ``1 2 3``; a text without braces is itself."""
    opened = text.find("{")
    if opened < 0 or "}" not in text or len(text) > BRACED:
        return [text]
    pieces: list[list[str]] = []
    at = 0
    while opened >= 0:
        closed = _closing(text, opened)
        options = _options(text[opened + 1 : closed]) if closed > 0 else None
        if options is None:
            pieces.append([text[at : opened + 1]])
            at = opened + 1
        else:
            pieces.append([text[at:opened]])
            pieces.append(options)
            at = closed + 1
        opened = text.find("{", at)
    pieces.append([text[at:]])
    words = []
    for combination in product(*pieces):
        words.append("".join(combination))
        if len(words) >= BRACES:
            break
    return words


def _closing(text: str, opened: int) -> int:
    depth = 0
    for at in range(opened, min(len(text), opened + 2000)):
        if text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at
    return -1


def _options(inside: str) -> list[str] | None:
    found = _RANGE.fullmatch(inside)
    if found:
        return _range(found[1], found[2])
    if "," not in inside:
        return None
    options, depth, start = [], 0, 0
    for at, letter in enumerate(inside):
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
        elif letter == "," and depth == 0:
            options.append(inside[start:at])
            start = at + 1
    options.append(inside[start:])
    if len(options) == 1 or len(options) > BRACES:
        return None
    return [word for option in options for word in (braced(option) if "{" in option else [option])]


def _range(first: str, last: str) -> list[str] | None:
    numbers = first.lstrip("-").isdecimal() and last.lstrip("-").isdecimal()
    if not numbers and not (first.isalpha() and last.isalpha()):
        return None
    low, high = (int(first[:9]), int(last[:9])) if numbers else (ord(first), ord(last))
    step = 1 if low <= high else -1
    values = range(low, high + step, step)[:BRACES]
    return [str(value) if numbers else chr(value) for value in values]
