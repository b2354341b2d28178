"""Who gets which frame of a booted guest: the run it names, the late outlet, or nobody.

Rules (R14, C14, G1, G7, G10): a frame belongs to the run now at work only when it names it; output
of any other run is late, its calls are answered that their cell has ended, the rest is dropped. A
fault about the run just sent means that the guest is still busy with another: it is ended.
"""

from __future__ import annotations

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import replace

from keelbook.guest_process.asides import Asides
from keelbook.guest_process.decoding import Frame
from keelbook.guest_process.outlet import Outlet, Shown, printable
from keelbook.guest_process.page import for_page
from keelbook.guest_process.process import GuestProcess
from keelbook.guest_process.records import comm_message, display_of
from keelbook.guest_process.run import ENDED_CALL, Run
from keelbook.guest_process.settings import GuestSettings
from keelbook.interpreter import Origin, Watcher
from keelbook.observer import Output, Stream

_log = logging.getLogger("keelbook.guest")
_REMEMBERED = 1000
_HELD_NOTES = 20


class Frames:
    """The frames of one guest. ``run`` is the one now at work."""

    def __init__(
        self,
        settings: GuestSettings,
        watcher: Callable[[], Watcher | None],
        on_busy: Callable[[Run], None],
        next_id: Callable[[], int],
    ) -> None:
        self._next_id = next_id
        self._watcher = watcher
        self._on_busy = on_busy
        self._late = Outlet(self._emit_late, settings)
        self._origins: OrderedDict[str, Origin] = OrderedDict()
        self._agents = False
        self._notes: deque[str] = deque(maxlen=_HELD_NOTES)
        self.run: Run | None = None
        self._live: dict[str, Callable[[Run, Frame], None]] = {
            "output": Run.output,
            "display": lambda run, frame: run.display(display_of(frame)),
            "call": lambda run, frame: run.calls.take(frame),
            "call-cancel": lambda run, frame: run.calls.cancel(frame["id"]),
            "stdin": Run.stdin,
            "done": Run.done,
            "started": _started,
            "fault": self._fault,
        }
        self._beside: dict[str, Callable[[Frame], None]] = {
            "pong": self._pong,
            "sync": self._sync,
            "answer": lambda frame: self.asides.answer(frame),
            "comm": self._comm,
            "note": self._note,
            "skills": self._skills,
        }
        self._after: dict[str, Callable[[Frame], None]] = {
            "output": self._late_output,
            "display": self._late_display,
            "call": self._late_call,
            "fault": self._idle_fault,
        }

    def attach(self, process: GuestProcess) -> None:
        """The guest these frames come from; before its first frame."""
        self.process = process
        self.asides = Asides(process.channel.send, self._next_id)

    # ------------------------------------------------------------ in

    def take(self, frame: Frame) -> None:
        """A frame of the booted guest."""
        t = frame["t"]
        beside = self._beside.get(t)
        if beside is not None:
            beside(frame)
            return
        run = self.run
        if run is not None and frame["run"] == run.cell.run:
            live = self._live.get(t)
            if live is not None:
                live(run, frame)
            return
        after = self._after.get(t)
        if after is not None:
            after(frame)

    def text(self, stream: Stream, text: str) -> None:
        """Text of a pipe: the run's while there is one (B6)."""
        if self.run is not None:
            self.run.text(stream, text)
        else:
            self._late.text(None, Output(stream, text, late=True))

    def damaged(self) -> None:
        """A line was no frame: what it held is lost."""
        if self.run is not None:
            self.run.damaged()

    def begin(self, run: Run) -> None:
        """A run is about to be sent."""
        self._late.flush()
        self._late.renew()
        self.run = run
        self._agents = self._agents or run.cell.origin == "agent"
        while self._notes:
            run.sink.note(self._notes.popleft())

    def end(self, run: Run) -> None:
        """A run is settled: what comes of it now is late."""
        if self.run is run:
            self.run = None
        self._origins[run.cell.run] = run.cell.origin
        if len(self._origins) > _REMEMBERED:
            self._origins.popitem(last=False)

    def close(self) -> None:
        """Nothing more will come."""
        self._late.close()
        self.asides.close()

    # ------------------------------------------------------------ beside runs

    def _pong(self, frame: Frame) -> None:
        if self.run is not None:
            self.run.pong(frame)

    def _sync(self, frame: Frame) -> None:
        self.process.pipes.drain()
        self.process.channel.send({"t": "synced", "run": frame["run"], "id": frame["id"]})

    def _comm(self, frame: Frame) -> None:
        watcher = self._watcher()
        if watcher is not None:
            watcher.comm(comm_message(frame))

    def _note(self, frame: Frame) -> None:
        self._tell(frame["text"])

    def _skills(self, frame: Frame) -> None:
        for name, why in frame["failed"].items():
            self._tell(f"The skill {name} could not be loaded: {why}")

    def _tell(self, text: str) -> None:
        """A line for the person: with the run at work, else with the next."""
        if self.run is not None:
            self.run.sink.note(printable(text))
        else:
            self._notes.append(printable(text))

    def _fault(self, run: Run, frame: Frame) -> None:
        if frame["fatal"]:
            self.process.kill("fault", frame["message"])
        elif not run.started:
            self._on_busy(run)
        else:
            self._idle_fault(frame)

    def _idle_fault(self, frame: Frame) -> None:
        if frame["fatal"]:
            self.process.kill("fault", frame["message"])
            return
        _log.warning("a fault of the guest: %s", frame["message"])
        if self.run is not None:
            self.run.damaged(frame["message"])

    # ------------------------------------------------------------ late

    def _late_output(self, frame: Frame) -> None:
        self.process.pipes.drain()
        shown = Output(frame["stream"], frame["text"], True, max(frame.get("cut", 0), 0))
        self._late.text(frame["run"], shown)

    def _late_display(self, frame: Frame) -> None:
        origin = self._origins.get(frame["run"] or "")
        agent = origin == "agent" or (origin is None and self._agents)
        self._late.display(frame["run"], for_page(display_of(frame, late=True), agent))

    def _late_call(self, frame: Frame) -> None:
        if frame["run"] not in self._origins:
            return
        self.process.channel.send(
            {
                "t": "reply",
                "run": frame["run"],
                "id": frame["id"],
                "ok": False,
                "kind": "failed",
                "name": "ended",
                "message": ENDED_CALL.sentence,
            }
        )

    def _emit_late(self, run: str | None, shown: Shown) -> None:
        watcher = self._watcher()
        if watcher is None:
            return
        if isinstance(shown, Output):
            watcher.late_output(run, replace(shown, late=True))
        else:
            watcher.late_display(run, shown)


def _started(run: Run, _frame: Frame) -> None:
    run.started = True
