"""Which row sits on which seam, as a table for ``keelbook doctor``.

Rules: rows stand in the order of the list, seams in the order a step meets them; a row on no seam
at all is called inert.
"""

from __future__ import annotations

from collections.abc import Sequence

from keelbook.row import Row

SEAMS = (
    "section", "context", "tools", "commands", "before_step", "around_request", "around_tool",
    "on_file", "before_stop", "lifespan",
)  # fmt: skip


def inert(row: Row) -> bool:
    """Whether the row does nothing in this profile."""
    return not any(getattr(row, seam) for seam in SEAMS)


def seam_table(rows: Sequence[Row]) -> tuple[str, ...]:
    """The table, line by line: ``x`` for a seam, names for tools and commands."""
    table: list[tuple[str, ...]] = [("row", *SEAMS)]
    table += [(row.name, *(_cell(row, seam) for seam in SEAMS)) for row in rows]
    widths = [max(len(line[column]) for line in table) for column in range(len(SEAMS) + 1)]
    lines = [
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]
    notes = [
        f"{row.name} is inert: this profile gives it nothing to do." for row in rows if inert(row)
    ]
    return (*lines, *notes)


def _cell(row: Row, seam: str) -> str:
    found = getattr(row, seam)
    if not found:
        return "-"
    return ",".join(each.name for each in found) if isinstance(found, tuple) else "x"
