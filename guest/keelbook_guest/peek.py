"""Views of one variable: its text, its HTML, a page of its grid, its image (guest J17).

Rules: this runs user code, so it is called on the main thread and only when no cell runs.
The grid is a bundle of its own:

    application/vnd.keelbook.grid.v1+json
    {"columns": [str], "index": [str], "rows": [[str/num/bool/null]], "total": int,
     "offset": int}

`total` counts rows, `offset` is that of the first row given. A cell that JSON does not
keep exactly is its text, of at most 200 code points.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from keelbook_guest.codec import exact
from keelbook_guest.display import Formatter, fit
from keelbook_guest.resolve import is_from
from keelbook_guest.usercode import user_call

GRID = "application/vnd.keelbook.grid.v1+json"
IMAGES = ("image/png", "image/jpeg", "image/svg+xml")
MOST_ROWS, MOST_COLUMNS = 1000, 200
CELL = 200


class NoView(Exception):
    """The value has no such view; the text says so in one sentence."""


def peek(
    formatter: Formatter, value: Any, view: str, offset: int, limit: int, size: int | None
) -> dict[str, Any]:
    """The mime bundle of a view. NoView if the value has none, else what its code raises."""
    if view == "grid":
        return {GRID: user_call(grid, value, max(0, offset), max(0, min(limit, MOST_ROWS)))}
    data, _ = formatter.bundle(value)
    wanted = {"repr": ("text/plain",), "html": ("text/html",), "image": IMAGES}[view]
    found = {mime: data[mime] for mime in wanted if mime in data}
    if not found:
        raise NoView(f"A {type(value).__name__} has no {view} view.")
    fitted, _ = fit(found, {}, size, type(value).__qualname__)
    return fitted


def grid(value: Any, offset: int, limit: int) -> dict[str, Any]:
    """A page of a frame, series, array of one or two dimensions, list, tuple or dict."""
    if is_from(value, "pandas", "DataFrame") or is_from(value, "pandas", "Series"):
        return _pandas(value, offset, limit)
    if is_from(value, "polars", "DataFrame"):
        part = value[:, :MOST_COLUMNS].slice(offset, limit)
        return _page(part.columns, part.rows(), len(value), offset)
    if is_from(value, "numpy", "ndarray") and value.ndim in (1, 2):
        part = value[offset : offset + limit]
        part = part[:, :MOST_COLUMNS] if value.ndim == 2 else part.reshape(-1, 1)
        columns = [str(number) for number in range(part.shape[1])]
        return _page(columns, part.tolist(), value.shape[0], offset)
    if isinstance(value, dict):
        pairs = islice(dict.items(value), offset, offset + limit)
        return _page(["key", "value"], pairs, len(value), offset)
    if isinstance(value, (list, tuple)):
        return _records(value, offset, limit)
    raise NoView(f"A {type(value).__name__} has no grid view.")


def _pandas(value: Any, offset: int, limit: int) -> dict[str, Any]:
    frame = value.to_frame() if value.ndim == 1 else value
    part = frame.iloc[offset : offset + limit, :MOST_COLUMNS]
    page = _page(
        [str(name) for name in part.columns],
        part.itertuples(index=False, name=None),
        len(frame),
        offset,
    )
    page["index"] = [str(label)[:CELL] for label in part.index]
    return page


def _records(value: Any, offset: int, limit: int) -> dict[str, Any]:
    """A list of dicts has their keys as columns, one of lists their positions."""
    part = value[offset : offset + limit]
    if part and all(isinstance(item, dict) for item in part):
        names = list(dict.fromkeys(key for item in part for key in item))[:MOST_COLUMNS]
        lines = [[item.get(name) for name in names] for item in part]
        return _page([str(name) for name in names], lines, len(value), offset)
    if part and all(isinstance(item, (list, tuple)) for item in part):
        width = min(max(len(item) for item in part), MOST_COLUMNS)
        lines = [[*item[:width], *[None] * (width - len(item))] for item in part]
        return _page([str(number) for number in range(width)], lines, len(value), offset)
    return _page(["value"], ([item] for item in part), len(value), offset)


def _page(
    columns: Iterable[Any], lines: Iterable[Iterable[Any]], total: int, offset: int
) -> dict[str, Any]:
    rows = [[_cell(item) for item in line] for line in lines]
    index = [str(offset + number) for number in range(len(rows))]
    names = [str(name)[:CELL] for name in columns]
    return {"columns": names, "index": index, "rows": rows, "total": total, "offset": offset}


def _cell(item: Any) -> Any:
    if is_from(item, "numpy", "generic"):
        item = item.item()
    kept, plain = exact(item, CELL, 0)
    return plain if kept else str(item)[:CELL]
