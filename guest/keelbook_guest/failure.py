"""Exceptions of user code as `Error` records.

Rules (guest A24, A25, A30, B17, B18)
- Source lines, causes, contexts, notes and members of groups are kept; frames of the
  runtime are not shown.
- A stack of more than 1,000 frames shows its two ends; a text over `limit` bytes keeps
  its head and its last lines.
- Nothing an exception does when it is printed reaches the caller.
"""

from __future__ import annotations

import sys
import traceback
from collections import deque
from collections.abc import Iterator
from itertools import islice
from types import TracebackType
from typing import Any

from keelbook_guest.text import cut_marked, cut_middle
from keelbook_guest.usercode import user_call

ENDS = 500
TAIL = 4000
MESSAGE_BYTES = 16384
UNPRINTABLE = "<exception str() failed>"
FOLDER = __file__.rpartition("/")[0] + "/"


def describe(error: BaseException, file: str, limit: int | None, name: str = "") -> dict[str, Any]:
    """The `Error` record of an exception raised by the cell `file`."""
    message, _ = cut_marked(message_of(error), MESSAGE_BYTES)
    try:
        text = "".join(user_call(_lines, error))
    except Exception:
        text = f"{type(error).__qualname__}: {UNPRINTABLE}"
    text, cut = cut_middle(text.rstrip("\n"), limit or sys.maxsize, TAIL)
    record: dict[str, Any] = {
        "name": name or type(error).__name__[:1000],
        "message": message,
        "traceback": text.split("\n"),
        "cut": cut,
    }
    line = _line_in(error, file)
    if line is not None:
        record["line"] = line
    return record


def message_of(error: BaseException) -> str:
    """The exception's text."""
    try:
        return str(user_call(str, error))
    except Exception:
        return UNPRINTABLE


def _lines(error: BaseException) -> Iterator[str]:
    report = traceback.TracebackException(type(error), error, None, limit=0)
    _fill(report, error, set())
    return report.format()


def _fill(report: Any, error: BaseException | None, seen: set[int]) -> None:
    """Gives each part of a report the stack of its exception."""
    if report is None or error is None or id(error) in seen:
        return
    seen.add(id(error))
    report._str = message_of(error)
    report.stack = _stack(error.__traceback__)
    _fill(report.__cause__, error.__cause__, seen)
    _fill(report.__context__, error.__context__, seen)
    parts = getattr(report, "exceptions", None) or ()
    for part, member in zip(parts, getattr(error, "exceptions", ()), strict=False):
        _fill(part, member, seen)


class _Stack(traceback.StackSummary):
    """A stack whose middle may be left out."""

    left_out = 0

    def format(self, **kwargs: Any) -> list[str]:
        if not self.left_out:
            return super().format(**kwargs)
        head = traceback.StackSummary(self[:ENDS]).format(**kwargs)
        tail = traceback.StackSummary(self[ENDS:]).format(**kwargs)
        return [*head, f"  [... {self.left_out} frames left out ...]\n", *tail]


def _stack(trace: TracebackType | None) -> _Stack | None:
    head: list[TracebackType] = []
    tail: deque[TracebackType] = deque(maxlen=ENDS)
    total = 0
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(FOLDER):
            total += 1
            (head if len(head) < ENDS else tail).append(trace)
        trace = trace.tb_next
    if not head:
        return None
    stack = _Stack(_summary(entry) for entry in (*head, *tail))
    stack.left_out = total - len(head) - len(tail)
    return stack


def _summary(entry: TracebackType) -> traceback.FrameSummary:
    code = entry.tb_frame.f_code
    where: dict[str, Any] = {}
    if hasattr(code, "co_positions"):
        positions = next(islice(code.co_positions(), entry.tb_lasti // 2, None), None)
        if positions is not None and positions[0] == entry.tb_lineno:
            where = dict(zip(("end_lineno", "colno", "end_colno"), positions[1:], strict=True))
    return traceback.FrameSummary(
        code.co_filename, entry.tb_lineno, code.co_name, lookup_line=False, **where
    )


def _line_in(error: BaseException, file: str) -> int | None:
    """The line of the cell where the exception passed last, or that does not parse."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            found = trace.tb_lineno
        trace = trace.tb_next
    if found is None and isinstance(error, SyntaxError) and error.filename == file:
        found = error.lineno
    return found
