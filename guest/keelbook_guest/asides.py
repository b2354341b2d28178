"""User code that the runtime runs on the main thread beside the cells: views, skills.

Rules: each has a time limit, after which it is interrupted like a cell; one that `yields`
is interrupted as soon as a cell arrives. It shows as a run of its own that no frame names,
so that an interrupt meant for a cell never strikes it, nor the other way round.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TypeVar

from keelbook_guest.record import Run, Work, current_run
from keelbook_guest.stops import Interrupts
from keelbook_guest.usercode import user_call

T = TypeVar("T")


class Asides:
    """Runs one aside at a time, and ends those that are late.

    `wake` has the I/O thread look at the deadline.
    """

    def __init__(self, work: Work, interrupts: Interrupts) -> None:
        self.work = work
        self.interrupts = interrupts
        self.wake: Callable[[], object] = bool
        self._ends = 0.0

    def run(self, name: str, seconds: float, yields: bool, function: Callable[[], T]) -> T:
        """`function()`, on the main thread. KeyboardInterrupt when its time is up."""
        run = Run.aside(name)
        run.yields = yields
        token = current_run.set(run)
        self._ends = monotonic() + seconds
        self.work.aside = run
        self.wake()
        try:
            return user_call(function)
        finally:
            self.work.aside = None
            run.ended = True
            current_run.reset(token)

    def deadline(self) -> float | None:
        """When the aside that runs now is late."""
        run = self.work.aside
        return self._ends if run is not None and run.reason is None else None

    def late(self) -> None:
        """Ends the aside if its time is up (I/O thread)."""
        run = self.work.aside
        if run is not None and run.reason is None and self._ends <= monotonic():
            run.reason = "wall"
            self.interrupts.ask(run)

    def give_way(self) -> None:
        """A cell has arrived (I/O thread)."""
        run = self.work.aside
        if run is not None and run.yields and run.reason is None:
            run.reason = "turn"
            self.interrupts.ask(run)
