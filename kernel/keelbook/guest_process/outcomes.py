"""From a guest's ``done`` frame to the outcome a session is told.

Rules (R7, R15, G2, G9): caps hold whatever the guest's own did; what the host began decides the
reason, and the guest's word decides the rest; an ending the host did not ask for is an error of
the cell. A value and an error together are an error.
"""

from __future__ import annotations

import json
from typing import Any, Final

from keelbook.guest_process.decoding import Frame
from keelbook.guest_process.outlet import printable
from keelbook.guest_process.settings import Limits
from keelbook.interpreter import CancelReason, Cell, CellError, CellValue, Outcome, Status
from keelbook.text import cut

ENDED_AS: Final[dict[CancelReason, Status]] = {
    "person": "aborted",
    "wall": "aborted",
    "turn": "aborted",
    "refused": "stopped",
    "cpu": "stopped",
}

_INTERRUPT: Final = "KeyboardInterrupt"
_ESCAPED: Final = 6
"""Bytes of JSON that one code point may take."""


def outcome_of(
    frame: Frame, cell: Cell, limits: Limits, reason: CancelReason | None, refusal: str
) -> Outcome:
    """The outcome of a settled run; ``reason`` is that of a ladder that was begun, if any."""
    status: Status = frame["status"]
    if reason is None and status == "stopped" and cell.cpu_s is not None:
        reason = "cpu"
    error = error_of(frame.get("error"), limits)
    if reason in ("refused", "cpu"):
        status = "stopped"
    elif reason is not None and status == "error" and error and error.name == _INTERRUPT:
        status = ENDED_AS[reason]  # the signal was felt before the guest had read why (C20)
    elif (reason is None and status in ("aborted", "stopped")) or (error and status == "ok"):
        status = "error"
    if status == "error" and error is None:
        error = CellError(_INTERRUPT, "", (_INTERRUPT,))
    ended = reason if status in ("aborted", "stopped") else None
    return Outcome(
        status,
        value=value_of(frame.get("value"), limits) if status == "ok" else None,
        error=error if status != "ok" else None,
        reason=ended or "",
        sentence=sentence_of(ended, cell, refusal),
        cpu_s=frame["cpu_s"],
        wall_s=frame["wall_s"],
        left=frame["left"],
        expressions=frame.get("expressions", {}) if status == "ok" else {},
    )


def sentence_of(reason: CancelReason | None, cell: Cell, refusal: str) -> str:
    """Why a run was ended, for a person; empty when they did it themselves."""
    if reason == "wall":
        return f"The cell ran longer than its {cell.wall_s:g} s and was ended."
    if reason == "cpu":
        return f"The cell used up its {cell.cpu_s or 0:g} s of CPU time and was ended."
    if reason == "turn":
        return "The turn ended, and the cell with it."
    return refusal if reason == "refused" else ""


def value_of(record: Frame | None, limits: Limits) -> CellValue | None:
    """A value within ``value_bytes``."""
    if record is None:
        return None
    if record["form"] == "repr":
        text, shorter = cut(printable(record.get("text", "")), limits.value_bytes or 2**62)
        flag = record.get("cut", False) or shorter
        return CellValue("repr", text=text, type=record.get("type", ""), cut=flag)
    value = record.get("json")
    most = limits.value_bytes
    if most is None or not _is_long(value, most):
        return CellValue("json", json=value, type=record.get("type", ""))
    text, _ = cut(printable(json.dumps(value, ensure_ascii=False)), most)
    return CellValue("repr", text=text, type=record.get("type", ""), cut=True)


def _is_long(value: Any, most: int) -> bool:
    """Whether a value is over the cap by any measure; the guest's own counts code points."""
    if isinstance(value, str):
        return len(value) > most
    if isinstance(value, (list, dict)):
        return len(json.dumps(value)) > _ESCAPED * most
    return False


def error_of(record: Frame | None, limits: Limits) -> CellError | None:
    """An error within ``traceback_bytes``: what is over it goes from the middle."""
    if record is None:
        return None
    most = limits.traceback_bytes or 2**62
    lines = [printable(line) for line in record["traceback"]]
    name, _ = cut(printable(record["name"]), 1024)
    message, short = cut(printable(record["message"]), most)
    joined = "\n".join(lines)
    over = len(joined) * 4 > most and cut(joined, most)[1]
    if over:
        lines = cut(joined, most)[0].split("\n")
    return CellError(
        name, message, tuple(lines), cut=record["cut"] or over or short, line=record.get("line")
    )
