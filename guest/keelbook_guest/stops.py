"""Ending a run from outside its code: interrupts, refusals, and where they may strike.

The I/O thread posts a cancel to the loop and sends SIGINT to the main thread; whichever
acts first uses the request up (guest, section 5).

Rules
- An exception is raised only where user code is on the main stack, never inside the
  runtime's own functions: there the request waits until that function returns, so no
  frame is half written and no lock is held (guest C19).
- A cancel is felt once (guest C8); one that strikes a task which hogs the loop is felt by
  the cell as well (guest C4). Nothing strikes a `__del__`, which would swallow it.
- A SIGINT nobody asked for strikes the cell at work, and nothing between cells (guest C9).
  One that was sent for a run which has ended meanwhile strikes nothing (guest C6).
- `RunStopped` is a BaseException: policy is not an error to be caught (guest E3).
"""

from __future__ import annotations

import asyncio
import signal
import sys
from _thread import get_ident
from collections.abc import Callable
from time import monotonic, process_time
from types import CodeType, FrameType

from keelbook_guest.record import Run, Work, current_run
from keelbook_guest.usercode import USER_CALL

HOG_S = 0.2
OURS_S = 0.05
SPENT = 0.99
SEEN_THROUGH = frozenset(
    f"{name}.py"
    for name in (
        "answers",
        "backend",
        "display",
        "failure",
        "figures",
        "magics",
        "peek",
        "pretty",
        "skills",
        "usercode",
    )
)
"""Modules that hold no lock and send nothing while they call user code."""

CPU_SENTENCE = "The cell used up its CPU time."


class RunStopped(BaseException):
    """This run is over: a refusal, a ceiling or the CPU budget ended it."""


class ToolFailed(Exception):
    """A governed call did not do its work; `kind` says in a word why."""

    def __init__(self, message: str, kind: str = "failed") -> None:
        super().__init__(message)
        self.kind = kind


for _kind in (RunStopped, ToolFailed):
    _kind.__module__ = "builtins"


_CALLBACK: CodeType = asyncio.Handle._run.__code__
_USER, _RUNTIME, _HOG, _LOOP = "user", "runtime", "hog", "loop"


def without_signals(body: Callable[[], None]) -> Callable[[], None]:
    """A thread's body that leaves all signals to the main thread (guest R5)."""

    def run() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        body()

    return run


class Interrupts:
    """The handlers of SIGINT and SIGXCPU, and the check that runtime functions end with."""

    def __init__(self, work: Work, folder: str) -> None:
        self.work = work
        self.folder = folder
        self.files: set[str] = set()
        self.waiting = False
        self.asked_at = 0.0
        self.sent_at = 0.0
        self.post: Callable[[Callable[[Run], None], Run], object] | None = None
        self.on_stray: Callable[[Run], None] | None = None
        self.on_stop: Callable[[Run], None] | None = None

    def install(self) -> None:
        """Puts the handlers (back) in place; cheap when they are."""
        for number, handler in (
            (signal.SIGINT, self._on_interrupt),
            (signal.SIGXCPU, self._on_cpu),
        ):
            if signal.getsignal(number) != handler:
                signal.signal(number, handler)

    def ask(self, run: Run) -> None:
        """Sends the main thread to look for a request of `run` (any thread)."""
        self.asked_at = monotonic()
        self.again(run)

    def again(self, run: Run) -> bool:
        """Asks once more while a request of `run` is not felt; whether it was needed."""
        if run.ended or run is not self.work.on_main() or not self.due(run):
            return False
        self.sent_at = monotonic()
        signal.pthread_kill(self.work.main, signal.SIGINT)
        return True

    def check(self) -> None:
        """What a runtime function called by user code does last, if `waiting` is set."""
        if get_ident() != self.work.main:
            return
        self.waiting = False
        run = self.work.on_main()
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and self._is_ours(frame.f_code):
            frame = frame.f_back
        if run is not None and (self.due(run) or run.stray_due):
            self._strike(run, frame)

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        run = self.work.on_main()
        if run is None:
            return
        if self.due(run):
            self._strike(run, frame)
        elif not (run.cancel_felt or run.stop_felt or monotonic() - self.sent_at < OURS_S):
            run.stray_due = True
            run.stray_at = self.asked_at = monotonic()
            if run.task is not None and self.post and self.on_stray:
                self.post(self.on_stray, run)
            self._strike(run, frame)

    def spend(self) -> Run | None:
        """Stops the run at work if its CPU budget is spent (any thread); the run."""
        run = self.work.active
        if run is None or run.cpu_s is None or not run.begun:
            return None
        if process_time() - run.cpu_began < run.cpu_s * SPENT:
            return None
        run.stop = run.stop or CPU_SENTENCE
        run.stop_felt = False
        if self.post and self.on_stop:
            self.post(self.on_stop, run)
        return run

    def _on_cpu(self, number: int, frame: FrameType | None) -> None:
        run = self.spend()
        if run is not None:
            self._strike(run, frame)
        elif self.work.active is not None and self.work.active.begun:
            return
        elif self._place(frame) in (_USER, _HOG):
            raise RunStopped("Code left running between cells used up its CPU time.")

    @staticmethod
    def due(run: Run) -> bool:
        return (run.stop is not None and not run.stop_felt) or (
            run.reason is not None and not run.cancel_felt
        )

    def _strike(self, run: Run, frame: FrameType | None) -> str:
        """Raises what is due, if user code is at work; else says what is."""
        place = self._place(frame)
        if place == _RUNTIME:
            self.waiting = True
        elif place == _HOG:
            other = current_run.get() is not run
            if other and monotonic() - self.asked_at < HOG_S:
                return place
        if place not in (_USER, _HOG):
            return place
        if run.stop is not None:
            run.stop_felt = True
            raise RunStopped(run.stop)
        by_the_cell = run.task is None or asyncio.current_task() is run.task
        run.cancel_felt = by_the_cell and run.reason is not None
        run.stray_due = run.stray_due and not by_the_cell
        raise KeyboardInterrupt

    def _is_ours(self, code: CodeType) -> bool:
        """Code that must not be struck: the runtime's, but for what only calls user code."""
        name = code.co_filename
        return name.startswith(self.folder) and name[len(self.folder) :] not in SEEN_THROUGH

    def _place(self, frame: FrameType | None) -> str:
        """Whose code is at work on the main stack, from the innermost frame outwards."""
        inner = frame
        while frame is not None:
            code = frame.f_code
            if code is USER_CALL:
                return _USER
            if code.co_filename in self.files:
                mine = current_run.get()
                return _USER if mine is None or mine is self.work.on_main() else _HOG
            if self._is_ours(code) or code.co_name == "__del__":
                return _RUNTIME
            if code is _CALLBACK:
                stuck = frame is inner and monotonic() - self.asked_at < HOG_S
                return _LOOP if stuck else _HOG
            frame = frame.f_back
        return _LOOP
