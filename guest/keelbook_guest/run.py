"""Runs cells: from a `run` frame to its one `done`.

Rules (guest R7, R13, R15, A28, C5, C6, C18)
- One run at a time; a second one meanwhile is a fault.
- A cell without await runs inside one callback of the loop; one with await is a task.
  Both run in one lasting context, so that context variables persist.
- `started` is on the wire before the first line runs; `done` is the run's last frame,
  and from the moment it is written the run is not busy and its output is late.
- A cancel belongs to the run it names, or to none.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import sys
from collections.abc import Callable
from time import monotonic, process_time
from types import CodeType
from typing import Any

from keelbook_guest.asides import Asides
from keelbook_guest.cell import CO_COROUTINE, Compiled, compile_cell, normalise, remember
from keelbook_guest.ending import Outcome, Values, record_of, status_of
from keelbook_guest.failure import describe
from keelbook_guest.loop import CellLoop
from keelbook_guest.namespace import Names
from keelbook_guest.record import Run, Work, current_run
from keelbook_guest.refusals import Refusals
from keelbook_guest.stops import Interrupts, RunStopped
from keelbook_guest.streams import Frame, Sink
from keelbook_guest.upkeep import Upkeep

ONCE_S = 1.0
TRIES = 20


class Runner:
    """The life of each run."""

    def __init__(
        self,
        sink: Sink,
        work: Work,
        interrupts: Interrupts,
        names: Names,
        values: Values,
        upkeep: Upkeep,
        asides: Asides,
        refusals: Refusals,
        loop: CellLoop,
        limits: dict[str, Any],
    ) -> None:
        self.sink = sink
        self.work = work
        self.interrupts = interrupts
        self.names = names
        self.values = values
        self.upkeep = upkeep
        self.asides = asides
        self.refusals = refusals
        self.loop = loop
        self.traceback_bytes: int | None = limits["traceback_bytes"]
        self.context = contextvars.copy_context()
        self.base = contextvars.copy_context()
        self.pid = os.getpid()
        self.catch_up: Callable[[], object] = list
        interrupts.post = self.loop.call_soon_threadsafe
        interrupts.on_stray = self._stray
        interrupts.on_stop = self._stopped

    def take_run(self, frame: Frame) -> None:
        """A `run` frame, on the I/O thread."""
        if self.work.active is not None:
            message = f"Run {frame['run']} cannot begin: run {self.work.active.id} is at work."
            self.sink.emit({"t": "fault", "run": frame["run"], "message": message, "fatal": False})
            return
        self.asides.give_way()
        run = Run(frame)
        self.interrupts.files.add(run.file)
        self.work.active = run
        self.loop.call_soon_threadsafe(self._begin, run)

    def take_cancel(self, frame: Frame) -> None:
        """A `cancel` frame, on the I/O thread."""
        run = self.work.active
        if run is None or run.id != frame["run"] or run.ended or run.reason is not None:
            return
        if run.stray_at and monotonic() - run.stray_at < ONCE_S and not run.stray_due:
            run.cancel_felt = True
        run.reason = frame["reason"]
        self.loop.call_soon_threadsafe(self._deliver, run)
        self.interrupts.ask(run)

    def take_stop(self, run: Run) -> None:
        """A call of `run` was refused, on the I/O thread; `run.stop` says why."""
        self.loop.call_soon_threadsafe(self._stopped, run)
        self.interrupts.ask(run)

    def nudge(self, run: Run) -> None:
        """Posts again what a user's signal handler may have kept from being run."""
        if not run.begun:
            self.loop.call_soon_threadsafe(self._begin, run)
        elif run.stop is not None:
            self.loop.call_soon_threadsafe(self._stopped, run)
        elif run.reason is not None:
            self.loop.call_soon_threadsafe(self._deliver, run)

    def _begin(self, run: Run) -> None:
        if run.begun or run.ended:
            return
        run.wall_began = monotonic()
        run.cpu_began = process_time()
        run.begun = True
        try:
            self._begin_once(run)
        except BaseException as error:
            self._finish(run, Outcome(error=error))

    def _begin_once(self, run: Run) -> None:
        if run.reason is not None:
            run.cancel_felt = True
            self._finish(run, Outcome(error=KeyboardInterrupt()))
            return
        try:
            self.upkeep.before(run)
            source = normalise(run.code)
            remember(source, run.file)
            compiled = compile_cell(source, run.file)
        except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
            self._finish(run, Outcome(error=error.with_traceback(None)))
            return
        if compiled.is_async():
            self.context.run(self._spawn, run, compiled)
        else:
            outcome = Outcome()
            self.context.run(self._execute, run, compiled, outcome)
            self._finish(run, outcome)

    def _execute(self, run: Run, compiled: Compiled, outcome: Outcome) -> None:
        """Runs a cell that has no await, in its context."""
        current_run.set(run)
        space = self.names.space
        try:
            self.sink.emit({"t": "started", "run": run.id})
            value = None
            for part in compiled.parts:
                value = eval(part, space)
            self._leave_if_forked(None)
            self.values.conclude(run, outcome, value if compiled.valued else None)
        except BaseException as error:
            outcome.error = error

    def _spawn(self, run: Run, compiled: Compiled) -> None:
        current_run.set(run)
        outcome = Outcome()
        run.task = self.loop.create_task(self._drive(run, compiled, outcome))
        run.task.add_done_callback(lambda task: self._let_go(run, task), context=self.base)

    async def _drive(self, run: Run, compiled: Compiled, outcome: Outcome) -> None:
        """Runs a cell that awaits, as a task."""
        space = self.names.space
        try:
            self.sink.emit({"t": "started", "run": run.id})
            value: Any = None
            for part in compiled.parts:
                value = eval(part, space)
                if _awaits(part):
                    value = await value
            self._leave_if_forked(None)
            self.values.conclude(run, outcome, value if compiled.valued else None)
        except BaseException as error:
            outcome.error = error
        self.context = contextvars.copy_context()
        self._finish(run, outcome)

    def _let_go(self, run: Run, task: asyncio.Task[None]) -> None:
        """A task that was cancelled before its first step ran no line."""
        if not run.ended:
            error = None if task.cancelled() else task.exception()
            self._finish(run, Outcome(error=error or KeyboardInterrupt()))

    def _finish(self, run: Run, outcome: Outcome) -> None:
        """Ends the run, whatever a user's signal handler raises meanwhile."""
        for _ in range(TRIES):
            if run.ended:
                return
            try:
                self._finish_once(run, outcome)
            except BaseException as error:
                outcome.error = outcome.error or error
                outcome.frames.clear()
        if not run.ended:
            message = f"The cell's end could not be told: {outcome.error!r}"
            record = {"name": "RuntimeError", "message": message, "traceback": [message]}
            done = {**self._done(run, "error"), "error": {**record, "cut": False}}
            self.sink.finish(run, [done], self.work)

    def _finish_once(self, run: Run, outcome: Outcome) -> None:
        self._leave_if_forked(outcome.error)
        if run.stray_at and run.reason is None:
            self.catch_up()
        self.values.at_end(run, outcome)
        status = status_of(run, outcome.error)
        if status == "aborted":
            self._cancel_tasks(run)
        done = self._done(run, status)
        if outcome.error is not None or status == "stopped":
            done["error"] = self._error(run, status, outcome.error)
        else:
            done.update(outcome.fields)
        frames = [*outcome.frames, *self.upkeep.after(run), done]
        self.sink.finish(run, record_of(frames, self.sink), self.work)

    @staticmethod
    def _done(run: Run, status: str) -> Frame:
        return {
            "t": "done",
            "run": run.id,
            "key": run.key,
            "status": status,
            "cpu_s": process_time() - run.cpu_began,
            "wall_s": monotonic() - run.wall_began,
            "left": sum(not task.done() for task in run.tasks if task is not run.task),
        }

    def _error(self, run: Run, status: str, error: BaseException | None) -> dict[str, Any]:
        if run.stop is not None and not isinstance(error, RunStopped):
            error = RunStopped(run.stop)
        assert error is not None
        kind = type(error)
        sys.last_type, sys.last_value, sys.last_traceback = kind, error, error.__traceback__
        sys.last_exc = error  # type: ignore[attr-defined]
        self.refusals.explain(run, error)
        interrupted = status == "aborted" or (run.stray_at and kind is asyncio.CancelledError)
        name = "KeyboardInterrupt" if interrupted else ""
        return describe(error, run.file, self.traceback_bytes, name)

    def _deliver(self, run: Run) -> None:
        """A cancel, on the loop: nothing of the run is on the stack."""
        if run.ended or run is not self.work.active or run.task is None:
            return
        if not run.cancel_felt:
            run.cancel_felt = True
            run.task.cancel()
        self._cancel_tasks(run)

    def _stray(self, run: Run) -> None:
        """A SIGINT that came while the cell was waiting."""
        if not run.ended and run.stray_due and run.task is not None:
            run.stray_due = False
            run.task.cancel()

    def _stopped(self, run: Run) -> None:
        """Policy ended the run, on the loop: none of its code is stepped again."""
        if run.ended or run is not self.work.active:
            return
        self.loop.freeze(run)
        self._finish(run, Outcome())

    @staticmethod
    def _cancel_tasks(run: Run) -> None:
        if run.tasks_cancelled:
            return
        run.tasks_cancelled = True
        for task in list(run.tasks):
            if task is not run.task and not task.done():
                task.cancel()

    def _leave_if_forked(self, error: BaseException | None) -> None:
        """A forked child that falls out of the cell ends here (guest D2)."""
        if os.getpid() == self.pid:
            return
        if error is not None:
            text = "\n".join(describe(error, "", self.traceback_bytes)["traceback"])
            sys.stderr.write(f"{text}\n")
        os._exit(0 if error is None else 1)


def _awaits(part: CodeType) -> bool:
    return bool(part.co_flags & CO_COROUTINE)
