"""Code of any curly, Lisp-free language to names, strings and marks.

Rules: what is in a string or comment is never a name. Names joined by ``.``, ``::``, ``->`` or a
backslash are one dotted name. A string without its end ends with the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from keelbook.destructive.vocabulary import words

Kind = Literal["name", "string", "command", "mark"]

HASH = words("perl ruby php r julia elixir tcl awk")
SLASHES = words("javascript php groovy scala cypher")
DASHES = frozenset({"lua", "applescript"})
COMMANDS = frozenset({"perl", "ruby", "php"})
"""Backticks run a command there."""

_TOKEN = r"""
    (?P<gap>\s+%s)
  | (?P<command>`(?P<inside>(?:[^`\\]|\\.)*)(?:`|\Z)
      |(?:%%x|qx)(?P<open>[\(\[\{/!|<])(?P<quoted>.*?)[\)\]\}/!|>])
  | (?P<string>"(?P<double>(?:[^"\\]|\\.)*)(?:"|\Z)|'(?P<single>(?:[^'\\]|\\.)*)(?:'|\Z))
  | (?P<words>(?:%%w|%%i|qw|%%q|%%Q|q|qq)(?P<from>[\(\[\{|/<!])(?P<list>.*?)[\)\]\}|/>!])
  | (?P<name>[@$%%&]?[A-Za-z_][\w]*[!?]?(?:\s*(?:\.|::|->|\?\.|\\)\s*[A-Za-z_][\w]*[!?]?)*)
  | (?P<mark>.)
"""
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_JOIN = re.compile(r"\s*(?:\?\.|\.|::|->|\\)\s*")
_PATTERNS: dict[str, re.Pattern[str]] = {}


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` of a string has no quotes and no escapes; of a name dots only."""

    kind: Kind
    text: str
    start: int
    end: int


def _pattern(language: str) -> re.Pattern[str]:
    made = _PATTERNS.get(language)
    if made is None:
        gaps = ""
        if language in HASH:
            gaps += r"|(?<![$\\@%&{])\#(?!\{)[^\n]*"
        if language in SLASHES:
            gaps += r"|//[^\n]*|/\*.*?(?:\*/|\Z)"
        if language in DASHES:
            gaps += r"|--[^\n]*"
        made = _PATTERNS[language] = re.compile(_TOKEN % gaps, re.VERBOSE | re.DOTALL)
    return made


def tokens(text: str, language: str) -> list[Token]:
    """The tokens of a text, comments left out."""
    made: list[Token] = []
    for found in _pattern(language).finditer(text):
        kind = found.lastgroup
        start, end = found.span()
        if kind in ("gap", "open", "from"):
            continue
        if found["command"] is not None:
            inner = found["inside"] if found["inside"] is not None else found["quoted"]
            runs = language in COMMANDS or found["quoted"] is not None
            made.append(Token("command" if runs else "string", inner, start, end))
        elif found["string"] is not None:
            whole = found["double"] if found["double"] is not None else found["single"]
            made.append(Token("string", _ESCAPE.sub(_escaped, whole), start, end))
        elif found["words"] is not None:
            made.append(Token("string", found["list"], start, end))
        elif found["name"] is not None:
            name = _JOIN.sub(".", found["name"]).lstrip("@$%&")
            made.append(Token("name", name, start, end))
        elif found["mark"] is not None:
            made.append(Token("mark", found["mark"], start, end))
    return made


def _escaped(found: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(found[1], found[1])
