"""How a run is ended that does not end by itself: asked, nudged, killed.

Rules (C1-C22, R15): the clock starts before the cancel frame is written and nothing stops it but
the end of the run; the first reason stands; no ``pong`` within 200 ms means that the interpreter
is held by C code, so SIGINT goes to the guest's own pid, once; after the grace period the guest
and all it started are killed.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Final

from keelbook.guest_process.process import GuestProcess
from keelbook.interpreter import CancelReason

_PONG_S: Final = 0.2


class Ladder:
    """The steps for one run. ``reason`` is None until it begins; ``killed``: it came to that."""

    def __init__(self, run: str, process: GuestProcess, next_id: Callable[[], int]) -> None:
        self._run = run
        self._process = process
        self._next_id = next_id
        self._timers: list[asyncio.TimerHandle] = []
        self._ping: int | None = None
        self.reason: CancelReason | None = None
        self.killed = False

    def begin(self, reason: CancelReason, grace_s: float) -> None:
        """The first step; a second call does nothing."""
        if self.reason is not None:
            return
        self.reason = reason
        loop = asyncio.get_running_loop()
        self._timers.append(loop.call_later(grace_s, self._kill))
        self._process.channel.send({"t": "cancel", "run": self._run, "reason": reason})
        self._ping = self._next_id()
        self._process.channel.send({"t": "ping", "run": None, "id": self._ping})
        self._timers.append(loop.call_later(_PONG_S, self._nudge))

    def pong(self, id_: int) -> None:
        """The guest's reader answers, so it has read the cancel frame too."""
        if id_ == self._ping:
            self._ping = None

    def end(self) -> None:
        """The run is over."""
        for timer in self._timers:
            timer.cancel()

    def _nudge(self) -> None:
        if self._ping is not None:
            self._process.lifeline.signal(signal.SIGINT)

    def _kill(self) -> None:
        self.killed = True
        self._process.kill("host", "did not end its cell in time and was ended")
