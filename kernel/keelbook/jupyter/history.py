"""The input history of a session, read from its log.

Rules (guest J9): a session number is the count of times the log was opened for writing, so numbers
are kept over restarts; an input is what the person typed, also where a magic became something else;
probes are not in it. Only recorded cells of a person count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

from keelbook.events import CellEnded, CellStarted, Event, InputTyped, SessionOpened
from keelbook.log import Log

_TAGS = (SessionOpened.tag, InputTyped.tag, CellStarted.tag, CellEnded.tag)


@dataclass(slots=True)
class Input:
    """One input: the session and the number it was run under, and what came of it."""

    session: int
    number: int
    source: str
    output: str | None = None

    def row(self, output: bool) -> list[Any]:
        """As ``history_reply`` has it."""
        return [self.session, self.number, (self.source, self.output) if output else self.source]


def history(log: Log, content: dict[str, Any]) -> list[list[Any]]:
    """The entries a ``history_request`` asks for, oldest first."""
    kind, output = content.get("hist_access_type", "tail"), bool(content.get("output"))
    if kind == "range":
        found = _range(log, content)
    elif kind == "search":
        found = _search(log, content)
    else:
        found = islice(_newest_first(log), _number(content))
    return [each.row(output) for each in reversed(list(found))]


def _newest_first(log: Log) -> Iterator[Input]:
    """Every input, the last one first."""
    session = sum(1 for _ in log.read(tags=(SessionOpened.tag,)))
    outputs: dict[str, str] = {}
    cell: Input | None = None
    for logged in log.read(tags=_TAGS, newest_first=True):
        event: Event | None = logged.event
        if cell is not None:
            if isinstance(event, InputTyped) and event.number == cell.number:
                cell.source = event.source
                event = None
            yield cell
            cell = None
        if isinstance(event, CellEnded) and event.value:
            outputs[event.run] = event.value
        elif isinstance(event, CellStarted) and event.number is not None:
            cell = Input(session, event.number, event.code, outputs.pop(event.run, None))
        elif isinstance(event, InputTyped):
            yield Input(session, event.number, event.source)
        elif isinstance(event, SessionOpened):
            session -= 1
    if cell is not None:
        yield cell


def _range(log: Log, content: dict[str, Any]) -> Iterator[Input]:
    """Inputs ``start <= number < stop`` of one session; 0 is this one, -1 the one before."""
    last = sum(1 for _ in log.read(tags=(SessionOpened.tag,)))
    asked = content.get("session") or 0
    session = asked if asked > 0 else last + asked
    start, stop = content.get("start") or 0, content.get("stop")
    for each in _newest_first(log):
        if each.session < session:
            return
        within = each.number >= start and (stop is None or each.number < stop)
        if each.session == session and within:
            yield each


def _search(log: Log, content: dict[str, Any]) -> Iterator[Input]:
    """The last ``n`` inputs that match the glob; ``unique`` keeps the newest of equal ones."""
    pattern, unique = content.get("pattern") or "*", bool(content.get("unique"))
    seen: set[str] = set()

    def fits(each: Input) -> bool:
        if not fnmatchcase(each.source, pattern) or (unique and each.source in seen):
            return False
        seen.add(each.source)
        return True

    return islice(filter(fits, _newest_first(log)), _number(content))


def _number(content: dict[str, Any]) -> int | None:
    number = content.get("n")
    return max(number, 0) if isinstance(number, int) else None
