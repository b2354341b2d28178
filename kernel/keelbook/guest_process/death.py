"""How a guest ended, in one sentence.

Rules (D1, D15, D18): the signal or exit code is named, a kill that nobody of ours sent is put down
to the system and probably to memory, the last words on stderr are quoted, and a reader learns
whether the cell had started. A sentence is one line.
"""

from __future__ import annotations

import os
import signal
from typing import Literal

from keelbook.text import tail
from keelbook.value import Value

Cause = Literal["", "host", "closed", "overlong", "stuck", "fault"]
LAST_WORDS = 2048
_LOST = 70


class Ending(Value):
    """``status`` is the raw wait status; ``cause`` why the host ended it, if it did."""

    status: int | None
    cause: Cause = ""
    detail: str = ""
    last_words: str = ""

    @property
    def how(self) -> str:
        """What happened, to follow "the guest"."""
        if self.cause == "closed":
            return "closed its channel and was ended"
        if self.cause == "overlong":
            return "wrote what is no line on its channel and was ended"
        if self.cause == "stuck":
            return "stopped reading its channel and was ended"
        if self.cause == "fault":
            return f"gave up ({self.detail})"
        if self.cause == "host":
            return self.detail or "was ended"
        return describe(self.status)

    def sentence(self, started: bool | None) -> str:
        """For a person. ``started`` None: no cell ran."""
        words = [f"The guest {self.how}."]
        if started is not None:
            words.append("The cell may have run in part." if started else "The cell did not start.")
        if self.last_words:
            words.append(f"Its last words: {self.last_words}")
        return " ".join(words)


def describe(status: int | None) -> str:
    """A raw wait status, to follow "the guest"."""
    if status is None:
        return "ended in a way that was not seen"
    if not os.WIFSIGNALED(status):
        if os.waitstatus_to_exitcode(status) == _LOST:
            return "lost its channel to the host and ended"
        return f"exited with code {os.waitstatus_to_exitcode(status)}"
    number = os.WTERMSIG(status)
    if number == signal.SIGKILL:
        return "was killed by the system, probably out of memory (SIGKILL)"
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"was ended by signal {number}"
    return f"was ended by {name} ({signal.strsignal(number) or 'a signal'})"


def last_words(text: str, most: int = LAST_WORDS) -> str:
    """The end of what was written to stderr, on one line."""
    return " | ".join(line.strip() for line in tail(text, most).splitlines() if line.strip())
