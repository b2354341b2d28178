"""What closes the records that a dead host, a cancel or a fault left open.

Rules (E14, I11): a call that was started and has no result may have done its work, so its outcome
is unknown; one that never started was not run. A run that was not settled died with its guest.
Every call gets its one result and nothing is run again.
"""

from __future__ import annotations

from collections.abc import Collection

from keelbook.events import CellEnded, Event, ToolEnded
from keelbook.loop.progress import Progress
from keelbook.messages import Text

UNKNOWN = (
    "The host ended while this call ran, so what it did is not known. Look before you repeat it."
)
NOT_RUN = "This call was not run: {why}"
CELL = "The host ended while this cell ran."


def running_calls(now: Progress, live: Collection[str] = ()) -> tuple[Event, ...]:
    """Results for the calls and runs that were under way, but for the ``live`` runs."""
    calls = tuple(
        _result(each.call, each.tool, UNKNOWN, "outcome-unknown", each.parent)
        for each in now.running
        if each.parent not in live
    )
    cells = tuple(
        CellEnded(run=run, status="died", reason="host-ended", error=CELL)
        for run in now.cells
        if run not in live
    )
    return (*cells, *calls)


def unstarted_calls(now: Progress, code: str, why: str) -> tuple[Event, ...]:
    """Results for the calls of the last reply that were never started."""
    started = {each.call for each in now.running}
    return tuple(
        _result(call.id, call.tool, NOT_RUN.format(why=why), code, "")
        for call in now.calls
        if call.id in now.unanswered and call.id not in started
    )


def _result(call: str, tool: str, sentence: str, code: str, parent: str) -> ToolEnded:
    return ToolEnded(
        call=call,
        tool=tool,
        blocks=(Text(text=sentence),),
        is_error=True,
        code=code,
        parent=parent,
    )
