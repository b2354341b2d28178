"""The state of one SQL text while it is judged: what to tell, and the texts its variables hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from keelbook.destructive.finding import Class
from keelbook.destructive.inquiry import Inquiry
from keelbook.destructive.sql.lexer import Token

Judge = Callable[["Reading", Sequence[Token]], None]
"""Judges a statement by its tokens."""

DEPTH = 30
"""Statements inside statements; deeper ones are not judged."""

_BRACKETS = {"(", ")", "{", "}"}
_OPENERS = {"BEGIN", "ELSE", "THEN", "LOOP"}


class Reading:
    """``heads`` are the judges, by a statement's first word."""

    def __init__(self, inquiry: Inquiry, text: str, heads: Mapping[str, Judge]) -> None:
        self.inquiry = inquiry
        self.text = text
        self.texts: dict[str, str] = {}
        self._heads = heads
        self._depth = 0

    def statement(self, words: Sequence[Token]) -> None:
        """Judges one statement."""
        self.inquiry.tick()
        at = 0
        while at < len(words) and (words[at].text in _BRACKETS or words[at].upper in _OPENERS):
            at += 1
        if at >= len(words) or self._depth > DEPTH:
            return
        judge = self._heads.get(words[at].upper)
        if judge is not None:
            self._depth += 1
            judge(self, words[at:] if at else words)
            self._depth -= 1

    def say(self, class_: Class, what: str, words: Sequence[Token]) -> None:
        """Reports a statement."""
        start, end = words[0].start, words[-1].end
        self.inquiry.report(
            "sql", "databases", class_, self.text[start:end], what, via=("sql",), span=(start, end)
        )

    def destroys(self, what: str, words: Sequence[Token]) -> None:
        """Reports what cannot be taken back."""
        self.say("destructive", what, words)

    def may_lose(self, what: str, words: Sequence[Token]) -> None:
        """Reports what a person may want to know."""
        self.say("debatable", what, words)

    def inner(self, language: str, token: Token, via: str) -> None:
        """Judges the text of a string, one level deeper."""
        self.inquiry.inside((via,), (token.start, token.end)).read(language, token.text)
