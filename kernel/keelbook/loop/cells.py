"""Runs code in the guest and keeps the record of it: ``cell/start``, ``cell/end``.

Rules: a run is in the log before its code is sent and after it is settled; a probe never is. A
caller who is cancelled ends the run and still gets its outcome, so that every record is closed. A
log that cannot be written stops an agent's cell but not a person's: they are told instead.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Literal

from keelbook.errors import KeelbookError, Refused
from keelbook.events import CellEnded, CellStarted, Event
from keelbook.interpreter import CancelReason, Cell, CellValue, Interpreter, Outcome, Sink
from keelbook.log import Log
from keelbook.loop import progress
from keelbook.text import cut

SHOWN_BYTES = 4096
NOT_RECORDED = "This cell is not in the session's record. {}"


class Cells:
    """The cells of one session. ``why`` is what an agent's cancelled run is told; ``people``
    are the runs of a person under way."""

    def __init__(self, log: Log, interpreter: Interpreter) -> None:
        self._log = log
        self._interpreter = interpreter
        self._numbered = 0
        self.people: set[str] = set()
        self.why: CancelReason = "turn"

    def next_run(self) -> str:
        """The id of a person's next cell."""
        self._numbered = max(self._numbered, self._log.fold(progress.FOLD).people) + 1
        return f"p{self._numbered}"

    async def run(self, cell: Cell, sink: Sink, call: str = "") -> Outcome:
        """Runs a cell to its one end. ``call`` is the call it carries out.

        Raises Refused when an agent's cell cannot be recorded; then it was not run.
        """
        if cell.origin != "probe":
            self._record(_started(cell, call), cell, sink.note)
        if cell.origin != "agent":
            self.people.add(cell.run)
        try:
            outcome = await self._settled(cell, sink)
        finally:
            self.people.discard(cell.run)
        if cell.origin != "probe":
            self._record(_ended(cell.run, outcome), cell, sink.note)
        return outcome

    async def _settled(self, cell: Cell, sink: Sink) -> Outcome:
        run = asyncio.ensure_future(self._interpreter.run(cell, sink))
        while True:
            try:
                return await asyncio.shield(run)
            except asyncio.CancelledError:
                if run.cancelled():
                    raise
                why: CancelReason = self.why if cell.origin == "agent" else "person"
                self._interpreter.cancel(cell.run, why)
            except KeelbookError as error:
                return Outcome("died", reason=error.code, sentence=error.sentence, started=False)

    def _record(self, event: Event, cell: Cell, note: Callable[[str], None]) -> None:
        try:
            self._log.append(event)
        except Refused as error:
            if cell.origin == "agent":
                raise
            note(NOT_RECORDED.format(error.sentence))


def _started(cell: Cell, call: str) -> CellStarted:
    origin: Literal["agent", "person"] = "agent" if cell.origin == "agent" else "person"
    return CellStarted(run=cell.run, origin=origin, code=cell.code, number=cell.number, call=call)


def _ended(run: str, outcome: Outcome) -> CellEnded:
    error = "" if outcome.error is None else f"{outcome.error.name}: {outcome.error.message}"
    return CellEnded(
        run=run,
        status=outcome.status,
        reason=outcome.reason,
        value=cut(value_text(outcome.value), SHOWN_BYTES)[0],
        error=cut(error or outcome.sentence, SHOWN_BYTES)[0],
        cpu_s=round(outcome.cpu_s, 6),
        wall_s=round(outcome.wall_s, 6),
    )


def value_text(value: CellValue | None) -> str:
    """A cell's value as a reader meets it."""
    if value is None:
        return ""
    return json.dumps(value.json, ensure_ascii=False) if value.form == "json" else value.text
