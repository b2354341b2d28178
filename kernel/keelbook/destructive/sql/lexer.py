"""SQL text to tokens, for every dialect at once.

Rules: a quote or comment without its end ends with the text; nothing is refused. Whether a
backslash escapes a quote is not known: the reading that closes every quote is taken. MySQL's
executable comments are code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

Kind = Literal["word", "name", "string", "number", "mark"]

_EXECUTABLE = re.compile(r"/\*!\d*(.*?)(?:\*/|\Z)", re.DOTALL)
_COMMON = r"""
    (?P<gap>\s+|--[^\n]*|\#(?=[\s!-/])[^\n]*|/\*.*?(?:\*/|\Z))
  | (?P<dollar>\$(?P<tag>[A-Za-z_]\w*|)\$(?P<body>.*?)(?:\$(?P=tag)\$|\Z))
  | (?P<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w]))
  | (?P<word>(?:[@\#:]{0,2}[^\W\d]|[@\#]{1,2}\d)[\w$\#@]*)
  | (?P<bracket>\[[^\[\]\n]*\](?!\s*[-+*/=<>]?\d*\]))
  | (?P<tick>`[^`]*(?:`|\Z))
  | (?P<string>[NnEeBbXxRrUu]?&?'(?P<text>%s)(?:'|\Z))
  | (?P<double>"(?P<inner>%s)(?:"|\Z))
  | (?P<mark><=|>=|<>|!=|\|\||::|:=|=>|->>?|.)
"""
_FLAGS = re.VERBOSE | re.DOTALL
_PLAIN = re.compile(_COMMON % (r"(?:[^']|'')*", r'(?:[^"]|"")*'), _FLAGS)
_ESCAPED = re.compile(_COMMON % (r"(?:[^'\\]|''|\\.)*", r'(?:[^"\\]|""|\\.)*'), _FLAGS)


class Token(NamedTuple):
    """``upper`` is the word in capitals, "" for what is no word. ``text`` has no quotes."""

    kind: Kind
    text: str
    upper: str
    start: int
    end: int


def executable(text: str) -> str:
    """MySQL runs what stands in ``/*! */``; the same length, so that places stay."""
    if "/*!" not in text:
        return text
    return _EXECUTABLE.sub(_opened, text)


def _opened(found: re.Match[str]) -> str:
    whole, inside = found[0], found[1]
    start = found.start(1) - found.start()
    return " " * start + inside + " " * (len(whole) - start - len(inside))


def tokens(text: str, tick: Callable[[], None]) -> list[Token]:
    """The tokens of a text, comments left out."""
    found, closed = _tokens(text, _PLAIN, tick)
    if not closed and "\\" in text:
        again, better = _tokens(text, _ESCAPED, tick)
        if better:
            return again
    return found


def _tokens(
    text: str, pattern: re.Pattern[str], tick: Callable[[], None]
) -> tuple[list[Token], bool]:
    made: list[Token] = []
    closed = True
    for found in pattern.finditer(text):
        kind = found.lastgroup
        if kind == "gap":
            continue
        if not len(made) % 1024:
            tick()
        start, end = found.span()
        whole = found[0]
        if kind == "word":
            made.append(Token("word", whole, whole.upper(), start, end))
        elif kind == "mark":
            made.append(Token("mark", whole, "", start, end))
        elif kind == "number":
            made.append(Token("number", whole, "", start, end))
        elif kind == "string":
            closed = closed and end - start > 1 and whole[-1] == "'"
            made.append(Token("string", found["text"].replace("''", "'"), "", start, end))
        elif kind == "dollar":
            made.append(Token("string", found["body"], "", start, end))
        elif kind == "double":
            closed = closed and end - start > 1 and whole[-1] == '"'
            made.append(Token("name", found["inner"], "", start, end))
        else:
            made.append(Token("name", whole.strip("`[]"), "", start, end))
    return made, closed


def statements(found: list[Token]) -> list[list[Token]]:
    """Split at semicolons, at ``GO`` on its line, and where another statement plainly begins."""
    made: list[list[Token]] = [[]]
    depth = 0
    for at, token in enumerate(found):
        if token.kind == "mark":
            if token.text == ";":
                made.append([])
                depth = 0
                continue
            depth += (token.text == "(") - (token.text == ")")
        elif token.kind == "word" and depth <= 0 and made[-1] and _begins(found, at):
            made.append([])
            if token.upper == "GO":
                continue
        made[-1].append(token)
    return [each for each in made if each]


_PAIRS = {
    "DROP": {"TABLE", "DATABASE", "SCHEMA", "USER", "LOGIN"},
    "TRUNCATE": {"TABLE"},
    "DELETE": {"FROM"},
    "INSERT": {"INTO"},
}
_JOINS = {"ON", "BEFORE", "AFTER", "OR", "OF", "EXPLAIN", "ANALYZE", "ANALYSE", "VERBOSE", "AS",
          "GRANT", "REVOKE", "ALTER", "FOR", "INSTEAD", "CREATE", "PREPARE", "DENY", "DO",
          "EVENT", "WITH", "AND", "NOT", "QUERY", "PLAN", "ALLOW"}  # fmt: skip


def _begins(found: list[Token], at: int) -> bool:
    """Whether a statement begins in the middle, as T-SQL lets it without a semicolon."""
    token = found[at]
    if token.upper == "GO":
        return at + 1 == len(found) or found[at + 1].start - token.end > 0
    follows = _PAIRS.get(token.upper)
    if follows is None or at + 1 >= len(found) or found[at + 1].upper not in follows:
        return False
    before = found[at - 1]
    return before.upper not in _JOINS and before.text not in (",", "(", ".", "=", "}")
