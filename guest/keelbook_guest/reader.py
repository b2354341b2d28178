"""The I/O thread: reads frames and hands each to what takes it.

Rules (guest R5, R12, C23)
- No user code runs here, so replies, cancels and questions are taken while a cell spins.
- A frame of no declared type, or without its fields, is answered with a `fault`.
- While a cancel or a stop is not felt, the main thread is asked again, ever more rarely.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

from keelbook_guest.channel import Channel, Frame
from keelbook_guest.protocol import HOST_FRAMES
from keelbook_guest.record import Run, Work
from keelbook_guest.stops import Interrupts

AGAIN_S = (0.01, 0.5)
CATCH_UP_S = 0.05


class Reader:
    """Frames by type; `deadline` says when `late` has to be called."""

    def __init__(self, channel: Channel, work: Work, interrupts: Interrupts) -> None:
        self.channel = channel
        self.work = work
        self.interrupts = interrupts
        self.handlers: dict[str, Callable[[Frame], None]] = {}
        self.deadline: Callable[[], float | None] | None = None
        self.late: Callable[[], None] | None = None
        self.nudge: Callable[[Run], object] = id
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        self._poll = select.poll()
        self._poll.register(self._woken, select.POLLIN)
        self._poll.register(channel.socket.fileno(), select.POLLIN)

    def read_for_ever(self) -> None:
        """The thread's body."""
        while True:
            if not self.channel.waiting():
                self._wait()
            frame = self.channel.read()
            if frame is None:
                self._fault(None, "A line was no frame.")
                continue
            self.take(frame)

    def catch_up(self) -> None:
        """Lets the I/O thread read what has arrived (main thread): a cell that held the
        interpreter may have been interrupted before the cancel could be read (guest C20).
        """
        ends = monotonic() + CATCH_UP_S
        while monotonic() < ends and select.select([self.channel.socket], [], [], 0)[0]:
            sleep(0.001)

    def take(self, frame: Frame) -> None:
        """Hands one frame on."""
        kind = frame.get("t")
        handler = self.handlers.get(kind) if isinstance(kind, str) else None
        if handler is None:
            self._fault(frame.get("run"), f"There is no frame of type {kind!r}.")
            return
        required = HOST_FRAMES[str(kind)][0]
        missing = [name for name in required if name not in frame]
        if missing:
            self._fault(frame.get("run"), f"{kind} misses {', '.join(missing)}.")
            return
        handler(frame)

    def _fault(self, run: Any, message: str) -> None:
        self.channel.send([{"t": "fault", "run": run, "message": message, "fatal": False}])

    def wake(self) -> None:
        """Has the I/O thread look at what it waits for (any thread)."""
        os.write(self._wake, b"\0")

    def _signalled(self, numbers: bytes) -> None:
        """Signals reach any thread: a spent budget ends a cell whose main thread sleeps."""
        if signal.SIGXCPU in numbers:
            run = self.interrupts.spend()
            if run is not None:
                self.interrupts.ask(run)

    def _wait(self) -> None:
        """Until something can be read; meanwhile asks again and gives up late answers."""
        pause = AGAIN_S[0]
        while True:
            timeouts = []
            run = self.work.on_main()
            if run is not None and self.interrupts.due(run):
                timeouts.append(pause)
            elif run is not None and not run.begun:
                timeouts.append(AGAIN_S[1])
            deadline = self.deadline() if self.deadline is not None else None
            if deadline is not None:
                timeouts.append(max(0.0, deadline - monotonic()))
            ready = dict(self._poll.poll(min(timeouts) * 1000 if timeouts else None))
            if self._woken in ready:
                self._signalled(os.read(self._woken, 512))
                del ready[self._woken]
            elif run is not None and timeouts and not ready:
                self.interrupts.again(run)
                self.nudge(run)
                pause = min(pause * 1.5, AGAIN_S[1])
            if deadline is not None and monotonic() >= deadline and self.late is not None:
                self.late()
            if ready:
                return
