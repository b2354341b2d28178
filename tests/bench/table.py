"""The table of a run: medians, ratios, limits, and whether they hold."""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

ME, OTHER = "keelbook", "python3"
Column = Literal["me", "other"]


@dataclass(frozen=True)
class Line:
    """One thing measured. ``ratio``, ``most``, ``least`` are limits; None means only reported."""

    key: str
    title: str
    unit: str
    ratio: float | None = None
    most: float | None = None
    least: float | None = None


LINES = (
    Line("launch", "launch to first answered cell", "s", ratio=1.0),
    Line("greeted", "the same, asked first who it is, as clients do", "s", ratio=1.0),
    Line("round_trip", "cell round trip (`x = i; x + 1`)", "ms", ratio=0.8),
    Line("printed", "20,000 printed lines", "s", ratio=1.0),
    Line("first_line", "first line of a print before a sleep", "ms", most=100),
    Line("interrupt_loop", "interrupt of a spinning loop", "ms"),
    Line("interrupt_sleep", "interrupt of `time.sleep`", "ms"),
    Line("rss", "resident memory, all processes", "MB"),
    Line("pss", "the same, shared pages once", "MB"),
    Line("append_1", "log, events appended one by one", "/s", least=20_000),
    Line("append_10", "log, events appended by tens", "/s", least=20_000),
    Line("open", "log, opening a million events", "s", most=1.0),
)
SCALE = {"ms": 1000.0}


class Table:
    """Values as they come in, by column and line; the names of the columns may be the same."""

    def __init__(self, me: str = ME, other: str = OTHER) -> None:
        self.names: dict[Column, str] = {"me": me, "other": other}
        self._values: defaultdict[tuple[Column, str], list[float]] = defaultdict(list)

    def add(self, column: Column, key: str, value: float) -> None:
        """One value, in seconds, megabytes or events a second."""
        self._values[column, key].append(value)

    def median(self, column: Column, key: str) -> float | None:
        """The median of a line, None when it was not measured."""
        values = self._values.get((column, key))
        return statistics.median(values) if values else None

    def missed(self) -> list[str]:
        """The limits that do not hold, one sentence each."""
        return [said for line in LINES for said in self._missed(line)]

    def _missed(self, line: Line) -> list[str]:
        mine, other = self.median("me", line.key), self.median("other", line.key)
        if mine is None:
            return []
        shown = mine * SCALE.get(line.unit, 1.0)
        found = []
        if line.ratio is not None and other is not None and mine / other > line.ratio:
            found.append(f"{line.title}: {mine / other:.2f} x, at most {line.ratio:.1f} x")
        if line.most is not None and shown > line.most:
            found.append(f"{line.title}: {_number(shown)} {line.unit}, at most {line.most:g}")
        if line.least is not None and shown < line.least:
            found.append(f"{line.title}: {_number(shown)} {line.unit}, at least {line.least:,g}")
        return found

    def markdown(self) -> str:
        """The table, as it can stand in a README."""
        rows = [self._row(line) for line in LINES if self.median("me", line.key) is not None]
        names = " | ".join(self.names.values())
        head = f"| what | {names} | ratio | limit |\n|---|---:|---:|---:|---|"
        return "\n".join([head, *rows])

    def _row(self, line: Line) -> str:
        mine, other = self.median("me", line.key), self.median("other", line.key)
        ratio = f"{mine / other:.2f}" if mine is not None and other else ""
        cells = (line.title, self._cell("me", line), self._cell("other", line), ratio)
        return f"| {' | '.join(cells)} | {_limit(line)} |"

    def _cell(self, column: Column, line: Line) -> str:
        middle = self.median(column, line.key)
        if middle is None:
            return ""
        scale = SCALE.get(line.unit, 1.0)
        values = self._values[column, line.key]
        spread = f" ({_number(min(values) * scale)} to {_number(max(values) * scale)})"
        return f"{_number(middle * scale)} {line.unit}" + (spread if len(values) > 1 else "")


def _limit(line: Line) -> str:
    if line.ratio is not None:
        return f"at most {line.ratio:.1f} x"
    if line.most is not None:
        return f"at most {line.most:g} {line.unit}"
    return "" if line.least is None else f"at least {line.least:,g} {line.unit}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
