"""One run of one cell, from its ``run`` frame to the moment it is settled.

Rules (R13-R15): ``done`` counts only with this run's key; then both pipes are read, and a ``pong``
that does not name this run as busy settles it. The first outcome written stands, and everything
after it is late. What a run may still do to the session ends with it: calls, questions, clocks.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from keelbook.errors import KeelbookError
from keelbook.guest_process.calls import Calls
from keelbook.guest_process.clocks import CpuClock, WallClock
from keelbook.guest_process.decoding import Frame
from keelbook.guest_process.ladder import Ladder
from keelbook.guest_process.outcomes import ENDED_AS, outcome_of
from keelbook.guest_process.outlet import Outlet, Shown, printable
from keelbook.guest_process.page import for_page
from keelbook.guest_process.payloads import TooLong
from keelbook.guest_process.process import GuestProcess
from keelbook.guest_process.settings import GuestSettings
from keelbook.interpreter import CancelReason, Cell, CellError, Namespace, Outcome, RunStopped, Sink
from keelbook.observer import Display, Output, Stream

ENDED_CALL = RunStopped("ended", "Its cell has ended.")
_MOST_ENDS = 8
_MOST_DOUBTS = 3
_LOST = "The cell wrote on the guest's channel, so how it ended was not heard."


class Run:
    """A cell in the guest, or on its way there. ``outcome`` is set once."""

    def __init__(
        self, cell: Cell, sink: Sink, on_settled: Callable[[Run, Outcome], Outcome]
    ) -> None:
        self._on_settled = on_settled
        self.cell = cell
        self.sink = sink
        self.key = secrets.token_hex(16)
        self.outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.started = False
        self.sent = False
        self.refusal = ""
        self.refusal_kind = ""
        self._ends: list[Frame] = []
        self._ping: int | None = None
        self._doubts = 0
        self._lost = ""
        self._questions: dict[int, asyncio.Task[None]] = {}

    # ------------------------------------------------------------ begin

    def begin(
        self,
        process: GuestProcess,
        settings: GuestSettings,
        namespaces: Mapping[str, Namespace],
        next_id: Callable[[], int],
    ) -> bool:
        """Sends the cell to the guest; False when it is too long to be sent."""
        cell = self.cell
        self._process = process
        self._settings = settings
        self._next_id = next_id
        self.ladder = Ladder(cell.run, process, next_id)
        self.outlet = Outlet(self._emit, settings)
        most = settings.calls_per_cell if cell.origin == "agent" else None
        self.calls = Calls(
            cell.run, self.sink, namespaces, settings, most, process.channel.send, self._refused
        )
        self.wall = WallClock(cell.wall_s, lambda: self.cancel("wall"))
        self.cpu = CpuClock(cell.cpu_s, process.cpu, lambda: self.cancel("cpu"))
        try:
            self.sent = process.channel.send(self._frame())
        except TooLong:
            self.sent = False
        if not self.sent:
            self.wall.stop()
            self.cpu.stop()
        return self.sent

    def _frame(self) -> Frame:
        cell = self.cell
        frame: Frame = {
            "t": "run",
            "run": cell.run,
            "key": self.key,
            "file": f"<cell-{cell.number if cell.number is not None else cell.run}>",
            "code": cell.code,
            "origin": cell.origin,
            "silent": cell.silent,
            "stdin": cell.stdin and cell.origin == "person",
            "cpu_s": cell.cpu_s,
            "wall_s": cell.wall_s,
            "expressions": dict(cell.expressions),
        }
        if cell.number is not None:
            frame["number"] = cell.number
        return frame

    # ------------------------------------------------------------ what the guest says

    def output(self, frame: Frame) -> None:
        """Stream text by a frame: after whatever the pipes hold now (B5)."""
        self._process.pipes.drain()
        cut = frame.get("cut", 0)
        self.outlet.text(None, Output(frame["stream"], frame["text"], cut=max(cut, 0)))

    def text(self, stream: Stream, text: str) -> None:
        """Stream text by a pipe."""
        self.outlet.text(None, Output(stream, text))

    def display(self, display: Display) -> None:
        """A rich display."""
        self.outlet.display(None, for_page(display, self.cell.origin == "agent"))

    def done(self, frame: Frame) -> None:
        """The guest says that the run is over."""
        if frame["key"] == self.key and len(self._ends) < _MOST_ENDS:
            self._ends.append(frame)
            if len(self._ends) == 1:
                self._ask()

    def _ask(self) -> None:
        self._process.pipes.drain()
        self._ping = self._next_id()
        self._process.channel.send({"t": "ping", "run": None, "id": self._ping})

    def pong(self, frame: Frame) -> None:
        """Its reader says what is on the main thread."""
        self.ladder.pong(frame["id"])
        if frame["id"] != self._ping:
            return
        if not self._ends:
            self._still_doubted(frame["busy"])
            return
        if frame["busy"] == self.cell.run:
            self._ends.pop(0)
            self._ping = None
            if self._ends:
                self._ask()
            return
        end, reason = self._ends[0], self.ladder.reason
        self.settle(outcome_of(end, self.cell, self._settings.limits, reason, self.refusal))

    def damaged(self, why: str = _LOST) -> None:
        """A line was lost; if it was this run's ``done``, nobody will say that it is over."""
        self._lost = printable(why)
        if self.started and not self._ends and not self._doubts:
            self._doubts = _MOST_DOUBTS
            self._ask()

    def _still_doubted(self, busy: str | None) -> None:
        self._doubts = 0 if busy == self.cell.run else self._doubts - 1
        if self._doubts > 0:
            self._ask()
        elif busy != self.cell.run:
            reason = self.ladder.reason
            error = CellError("ChannelDamaged", self._lost, (self._lost,))
            status = "error" if reason is None else ENDED_AS[reason]
            self.settle(Outcome(status, error=error, reason=reason or ""))

    def stdin(self, frame: Frame) -> None:
        """The cell asks the person a line; only a person's own cell may (B34, G13)."""
        id_ = frame["id"]
        if self.cell.origin != "person" or not self.cell.stdin or id_ in self._questions:
            return
        self.outlet.flush()
        self._questions[id_] = asyncio.create_task(self._ask_line(id_, frame))

    async def _ask_line(self, id_: int, frame: Frame) -> None:
        reply: Frame = {"t": "stdin-reply", "run": self.cell.run, "id": id_, "ok": False}
        try:
            with self.waiting():
                line = await self.sink.stdin(frame["prompt"], frame["password"])
            reply |= {"ok": True, "value": line}
        except KeelbookError as problem:
            reply["message"] = problem.sentence
        finally:
            self._questions.pop(id_, None)
        self._process.channel.send(reply)

    # ------------------------------------------------------------ end

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """A person is asked: their time is not the cell's (H5)."""
        self.wall.pause()
        try:
            yield
        finally:
            self.wall.resume()

    def cancel(self, reason: CancelReason) -> None:
        """Begins the ladder; open questions are withdrawn."""
        if self.outcome.done() or not self.sent:
            return
        self.ladder.begin(reason, self._settings.limits.grace_s)
        for task in self._questions.values():
            task.cancel()

    def _refused(self, why: RunStopped) -> None:
        self.refusal, self.refusal_kind = why.sentence, why.kind
        self.cancel("refused")

    def settle(self, outcome: Outcome) -> None:
        """The run is over. The first outcome stands."""
        if self.outcome.done():
            return
        if self.sent:
            self.ladder.end()
            self.wall.stop()
            self.cpu.stop()
            self.calls.close(ENDED_CALL)
            for task in self._questions.values():
                task.cancel()
            self.outlet.close()
        self.outcome.set_result(self._on_settled(self, outcome))

    def _emit(self, _run: str | None, shown: Shown) -> None:
        if isinstance(shown, Output):
            self.sink.output(shown)
        else:
            self.sink.display(shown)
