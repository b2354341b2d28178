"""The content of the answers to execute requests, and errors as front ends show them.

Rules: an error is shown once, on iopub, and its reply says the same; a traceback holds the guest's
lines as they came, with colour added for the eye. A cell that was ended from outside is named for
how it ended (guest R7, J4, J10).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from keelbook.errors import KeelbookError
from keelbook.interpreter import Outcome
from keelbook.record import Json
from keelbook.value import Value

_RED, _GREEN, _PLAIN = "\x1b[0;31m", "\x1b[0;32m", "\x1b[0m"
_PLACE = re.compile(r'^(\s*(?:[|+\-]\s*)*)File "(<cell-[^"]*>)", line (\d+)')


class Failure(Value):
    """An error as Jupyter names its parts."""

    name: str
    message: str
    traceback: tuple[str, ...]

    def content(self) -> dict[str, Any]:
        """Content of an ``error`` message."""
        return {
            "ename": self.name,
            "evalue": self.message,
            "traceback": coloured(self.traceback, self.name),
        }


class Answer(Value):
    """How a request went: a failure or none, pages for the pager, user expressions."""

    failure: Failure | None = None
    pages: tuple[Mapping[str, Json], ...] = ()
    expressions: Mapping[str, Json] | None = None

    def content(self, number: int) -> dict[str, Any]:
        """Content of an ``execute_reply``."""
        if self.failure is not None:
            return {
                "status": "error",
                "execution_count": number,
                **self.failure.content(),
                "user_expressions": {},
                "payload": [],
            }
        return {
            "status": "ok",
            "execution_count": number,
            "user_expressions": dict(self.expressions or {}),
            "payload": [{"source": "page", "data": dict(page), "start": 0} for page in self.pages],
        }


def from_outcome(outcome: Outcome) -> Failure | None:
    """What a settled run tells the person, None when it went well."""
    error, sentence = outcome.error, outcome.sentence
    if outcome.status == "ok":
        return None
    if outcome.status == "error" and error is not None:
        return Failure(error.name, error.message, error.traceback)
    names = {"aborted": "KeyboardInterrupt", "stopped": "RunStopped", "died": "GuestDied"}
    name = names.get(outcome.status, "Error")
    if outcome.status == "aborted" and outcome.reason in ("", "person"):
        sentence = sentence if error is None else ""
    lines = error.traceback if error is not None else (f"{name}: {sentence}" if sentence else name,)
    return Failure(name, sentence, lines)


def from_error(error: KeelbookError) -> Failure:
    """One sentence, no traceback."""
    return plain(type(error).__name__, error.sentence)


def plain(name: str, sentence: str) -> Failure:
    """An error that is one sentence."""
    return Failure(name, sentence, (f"{name}: {sentence}",))


def coloured(lines: Sequence[str], name: str) -> list[str]:
    """Traceback lines with the places in the person's cells and the error's name marked."""
    marked = [
        _PLACE.sub(rf'\1File {_GREEN}"\2"{_PLAIN}, line {_GREEN}\3{_PLAIN}', line) for line in lines
    ]
    last = max((i for i, line in enumerate(marked) if line.startswith(name)), default=None)
    if last is not None:
        marked[last] = f"{_RED}{name}{_PLAIN}{marked[last][len(name) :]}"
    return marked
