"""One question to the classifier: what was found so far, and how deep and long it may still look.

Rules: a language inside a language is read one level deeper, with the path that led there; past
``DEPTH`` it is not read but reported as unreadable. Whoever loops calls ``tick``, which raises
``OutOfTime`` when the budget is spent; only ``judge`` catches it.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time

from keelbook.destructive.finding import Class, Finding, sentence

SIZE = 256 * 1024
"""The most that is read, in UTF-8 bytes."""

DEPTH = 8
"""Languages inside languages."""

SECONDS = 0.25
"""For one call, of our own time: how busy the machine is does not count."""

FINDINGS = 200
"""More than so many say nothing new to a person."""


class OutOfTime(Exception):
    """The budget is spent."""


class Enough(Exception):
    """``FINDINGS`` were made."""


def printable(text: str) -> str:
    """The text without lone surrogates, which no JSON can carry."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


class Clock:
    """The time that is left. It is looked at every ``EVERY`` ticks, for looking takes time too."""

    __slots__ = ("_deadline", "_ticks")
    EVERY = 16

    def __init__(self, seconds: float) -> None:
        self._deadline = thread_time() + seconds
        self._ticks = 0

    def tick(self) -> None:
        """Raises OutOfTime when the budget is spent."""
        self._ticks += 1
        if not self._ticks % self.EVERY and thread_time() > self._deadline:
            raise OutOfTime


class Inquiry:
    """The state of one question, shared by the readers of all its languages."""

    __slots__ = ("_findings", "_readers", "_seen", "clock", "depth", "path", "soft", "span", "tick")

    def __init__(self, readers: Readers, clock: Clock) -> None:
        self._readers = readers
        self.clock = clock
        self.tick = clock.tick
        """Raises OutOfTime when the call has taken its time."""
        self._findings: list[Finding] = []
        self._seen: set[tuple[str, str, str]] = set()
        self.depth = 0
        self.path: tuple[str, ...] = ()
        self.span: tuple[int, int] | None = None
        self.soft = False
        """Nothing runs what is read now, so nothing in it is more than debatable."""

    @property
    def findings(self) -> list[Finding]:
        """In the order of the text."""
        return sorted(self._findings, key=lambda finding: finding.span)

    def inside(self, via: tuple[str, ...], span: tuple[int, int]) -> Inquiry:
        """The same question one level deeper; ``span`` is where the outer text holds the inner."""
        inner = Inquiry(self._readers, self.clock)
        inner._findings, inner._seen = self._findings, self._seen
        inner.depth = self.depth + 1
        inner.path = self.path + via
        inner.span = self.span or span
        inner.soft = self.soft
        return inner

    def read(self, language: str, text: str, context: object = None) -> None:
        """Judges a text in its language; ``context`` is for the reader of that language."""
        self.tick()
        text = printable(text)
        if self.depth_spent(language, text):
            return
        if len(text) > SIZE or len(text.encode()) > SIZE:
            self.report(language, "size", "unreadable", text, "is too long to be read")
        elif text and not text.isspace():
            self._readers(self, text, language, context)

    def depth_spent(self, language: str, text: str) -> bool:
        """Whether this is past ``DEPTH``; says so if it is."""
        if self.depth > DEPTH:
            self.report(language, "depth", "unreadable", text, "is nested too deep to be read")
            return True
        return False

    def report(
        self,
        language: str,
        kind: str,
        class_: Class,
        segment: str,
        what: str,
        *,
        via: tuple[str, ...] = (),
        span: tuple[int, int] | None = None,
    ) -> None:
        """Adds a finding, once. Raises Enough past FINDINGS."""
        if self.soft and class_ == "destructive":
            class_ = "debatable"
        segment = printable(segment)
        key = (class_, segment, what)
        if key in self._seen:
            return
        self._seen.add(key)
        self._findings.append(
            Finding(
                language=language,
                kind=kind,
                class_=class_,
                segment=segment,
                span=self.span or span or (0, len(segment)),
                words=printable(sentence(segment, what)),
                path=printable(" > ".join(self.path + via)),
            )
        )
        if len(self._findings) >= FINDINGS:
            raise Enough


Readers = Callable[[Inquiry, str, str, object], None]
"""Reads ``(inquiry, text, language, context)`` and reports into the inquiry."""
