"""Writes the guest's comings and goings into the log, and passes everything on to the front end.

Rules: what happens outside any run is shown whether or not it can be recorded.
"""

from __future__ import annotations

from contextlib import suppress

from keelbook.errors import Refused
from keelbook.events import Event, GuestEnded, GuestStarted
from keelbook.interpreter import CommMessage, GuestInfo, Watcher
from keelbook.log import Log
from keelbook.observer import Display, Output


class GuestRecord:
    """The interpreter's watcher: the log first, then ``front`` if there is one."""

    def __init__(self, log: Log, front: Watcher | None) -> None:
        self._log = log
        self._front = front

    def late_output(self, run: str | None, output: Output) -> None:
        """To the front."""
        if self._front is not None:
            self._front.late_output(run, output)

    def late_display(self, run: str | None, display: Display) -> None:
        """To the front."""
        if self._front is not None:
            self._front.late_display(run, display)

    def comm(self, message: CommMessage) -> None:
        """To the front."""
        if self._front is not None:
            self._front.comm(message)

    def started(self, info: GuestInfo) -> None:
        """``guest/started``."""
        self._record(
            GuestStarted(
                python=info.python,
                executable=info.executable,
                confinement=info.confinement,
                revived=info.revived,
            )
        )
        if self._front is not None:
            self._front.started(info)

    def ended(self, sentence: str, expected: bool) -> None:
        """``guest/ended``."""
        self._record(GuestEnded(sentence=sentence, expected=expected))
        if self._front is not None:
            self._front.ended(sentence, expected)

    def _record(self, event: Event) -> None:
        with suppress(Refused):
            self._log.append(event)
