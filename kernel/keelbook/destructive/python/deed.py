"""One call in a Python text, as its judge gets it.

Rules: a judge looks at what the call is given and reports; it walks no tree. What is handed on to a
shell, a database or Python itself is read one level deeper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from keelbook.destructive.finding import Class
from keelbook.destructive.inquiry import Inquiry
from keelbook.destructive.python.values import (
    Items,
    Number,
    Symbol,
    Text,
    Value,
    command_words,
    texts,
)


@dataclass(slots=True)
class Deed:
    """``name`` is what the function resolves to, ``given`` and ``named`` its arguments.

    ``subject`` are the arguments its receiver was made with: of ``Path('a').unlink()``, ``'a'``.
    """

    inquiry: Inquiry
    name: str
    given: tuple[Value | None, ...]
    named: dict[str, Value | None]
    subject: tuple[Value | None, ...]
    local: bool
    segment: Callable[[], str]
    span: tuple[int, int]
    soft: bool = False
    alone: bool = False
    """The call is a statement of its own, or the only thing a ``with`` is for."""

    @property
    def last(self) -> str:
        """The function's own name."""
        return self.name.rpartition(".")[2]

    def argument(self, place: int, *names: str) -> Value | None:
        """By place, else by name."""
        if len(self.given) > place >= 0:
            return self.given[place]
        return next((self.named[name] for name in names if name in self.named), None)

    def text(self, place: int, *names: str) -> Text | None:
        """The text of an argument."""
        found = texts(self.argument(place, *names))
        return found[0] if found else None

    def flag(self, name: str, place: int = -1) -> bool:
        """Whether a named argument is true."""
        value = self.argument(place, name) if place >= 0 else self.named.get(name)
        return isinstance(value, Number) and bool(value.number)

    def report(self, class_: Class, kind: str, what: str) -> None:
        """In a function nobody calls here, nothing is more than debatable."""
        if self.soft:
            if class_ == "debatable":
                return
            class_ = "debatable"
        self.inquiry.report(
            "python", kind, class_, self.segment(), what, via=("python", self.name), span=self.span
        )

    def destroys(self, kind: str, what: str) -> None:
        """Reports something that cannot be taken back."""
        self.report("destructive", kind, what)

    def may_lose(self, kind: str, what: str) -> None:
        """Reports something a person may want to know of."""
        self.report("debatable", kind, what)

    def _inner(self, via: str) -> Inquiry:
        inner = self.inquiry.inside(("python", via), self.span)
        inner.soft = inner.soft or self.soft
        return inner

    def read(self, language: str, text: str, via: str = "") -> None:
        """Judges a text this call hands on."""
        self._inner(via or self.name).read(language, text)

    def run_words(self, given: list[Text]) -> None:
        """Judges a command whose words are told apart."""
        from keelbook.destructive.shell.flow import Dynamic
        from keelbook.destructive.shell.walk import read_words

        argv = [each.text if each.whole else Dynamic(each.text) for each in given]
        if argv:
            inner = self._inner(self.name)
            if inner.depth_spent("shell", " ".join(argv)):
                return
            read_words(inner, argv)

    def run(self, value: Value | None, *, shell: bool = True) -> None:
        """Judges what a call runs: a text for a shell, or a list of words."""
        listed = command_words(value)
        if listed is not None:
            self.run_words(listed)
            return
        found = texts(value)
        for each in found:
            if each.whole or each.text.strip(" {}…"):
                self.read("shell", each.text)
            else:
                self.may_lose("unknown code", "runs a command that is not known before it runs")
        if not found and not isinstance(value, Items):
            if is_download(value):
                self.destroys("remote code", "runs what comes from the network")
            else:
                self.may_lose("unknown code", "runs a command that is not known before it runs")


def is_download(value: Value | None) -> bool:
    """Whether a value comes from the network."""
    if not isinstance(value, Symbol):
        return False
    root = value.name.partition(".")[0]
    return (
        root in ("requests", "httpx", "urllib", "urllib2", "urllib3", "aiohttp")
        and "()" in value.name
    )
