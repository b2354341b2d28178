"""What is put in order around each cell: names, streams, descriptors, signals, CPU budget.

Rules: everything here is cheap when nothing is amiss; what had to be put back is said in
one note (guest A31); a cell's budget is whole whatever earlier cells used (guest H1).
"""

from __future__ import annotations

import os
import sys
from typing import Any

from keelbook_guest.limits import CpuBudget
from keelbook_guest.namespace import Names
from keelbook_guest.record import Run
from keelbook_guest.stops import Interrupts
from keelbook_guest.streams import Frame, Sink
from keelbook_guest.system import flush_c_streams


class Upkeep:
    """Puts things in order before a cell and after it."""

    def __init__(
        self,
        sink: Sink,
        names: Names,
        interrupts: Interrupts,
        limits: dict[str, Any],
        streams: dict[str, Any],
    ) -> None:
        self.sink = sink
        self.names = names
        self.interrupts = interrupts
        self.streams = streams
        self.budget = CpuBudget()
        self.idle_cpu_s: float | None = limits["idle_cpu_s"]
        self.pending: list[list[dict[str, Any]]] = []
        self.rebind: Any = None
        self._spare = {fd: os.dup(fd) for fd in (1, 2)}

    def before(self, run: Run) -> None:
        """Just before a cell's code is compiled."""
        while self.pending:
            self.rebind(self.pending.pop(0))
        self.interrupts.install()
        self.sink.loose = {"stdout": 0, "stderr": 0}
        restored = self._restore()
        if restored:
            self.sink.emit(self._note(run, restored))
        self.budget.arm(run.cpu_s)

    def after(self, run: Run) -> list[Frame]:
        """When a cell's code has ended; the notes to send with its end."""
        self.budget.arm(self.idle_cpu_s if run.origin == "agent" else None)
        restored = self._restore()
        flush_c_streams()
        return [self._note(run, restored)] if restored else []

    def _restore(self) -> list[str]:
        restored = self.names.restore()
        for name, stream in self.streams.items():
            now = getattr(sys, name, None)
            if now is not stream and (now is None or getattr(now, "closed", False)):
                setattr(sys, name, stream)
                restored.append(f"sys.{name}")
        for fd, spare in self._spare.items():
            try:
                os.fstat(fd)
            except OSError:
                os.dup2(spare, fd)
        return restored

    @staticmethod
    def _note(run: Run, restored: list[str]) -> Frame:
        verb = "was" if len(restored) == 1 else "were"
        text = f"{', '.join(restored)} {verb} gone or unusable and {verb} put back."
        return {"t": "note", "run": run.id, "text": text}
