"""Rows for the list of variables (guest J17).

Rules: names of `__main__` but those that begin with `_`, modules and the bound names;
type, length or shape and a short preview are read from exact built-in types and from the
array and frame types of known libraries; no `__repr__`, `__len__` or property of the
user's is called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice
from types import FunctionType, ModuleType
from typing import Any

from keelbook_guest.pretty import pretty

PREVIEW = 120
SAMPLE = 6
_SIZED = (str, bytes, bytearray, list, tuple, dict, set, frozenset)
_ATOMS = (int, float, complex, bool, type(None))


def rows(
    space: dict[str, Any], bound: dict[str, Any], prefix: str, offset: int, limit: int
) -> dict[str, Any]:
    """A page of rows, by name: `{"total", "rows"}`."""
    names = sorted(
        name
        for name, value in list(space.items())
        if name.startswith(prefix)
        and not name.startswith("_")
        and name not in bound
        and not isinstance(value, ModuleType)
    )
    page = names[offset : offset + limit]
    return {
        "total": len(names),
        "rows": [row(name, space[name]) for name in page if name in space],
    }


def row(name: str, value: Any) -> dict[str, str]:
    """One row."""
    kind = type(value)
    size, preview = _known(value, kind)
    return {"name": name, "type": kind.__name__, "size": size, "preview": preview[:PREVIEW]}


def _known(value: Any, kind: type) -> tuple[str, str]:
    if kind in _ATOMS:
        return "", pretty(value, PREVIEW)
    if kind in _SIZED:
        return str(len(value)), _sized(value, kind)
    if kind is FunctionType:
        code = value.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        return "", f"{value.__name__}({', '.join(names)})"
    if isinstance(value, type):
        return "", f"class {type.__dict__['__qualname__'].__get__(value)}"
    for module, name, reader in _LIBRARIES:
        if kind is getattr(sys.modules.get(module), name, None):
            try:
                return reader(value)
            except Exception:
                return "", ""
    return "", ""


def _sized(value: Any, kind: type) -> str:
    if kind in (str, bytes, bytearray):
        return repr(value[:PREVIEW])
    return " ".join(_outline(value, kind, 2).split())


def _outline(value: Any, kind: type, depth: int) -> str:
    """The first items of a container; what is not a built-in shows as its type."""
    if kind in _ATOMS:
        return pretty(value, PREVIEW)
    if kind in (str, bytes, bytearray):
        return repr(value[:40])
    if kind not in _SIZED:
        return f"<{kind.__name__}>"
    opening, closing = _BRACKETS.get(kind, ("{", "}"))
    if depth == 0:
        return f"{opening}...{closing}" if value else f"{opening}{closing}"
    pairs: Any = value.items() if kind is dict else value
    items = []
    for item in islice(iter(pairs), SAMPLE):
        held = item if kind is dict else (item,)
        items.append(": ".join(_outline(part, type(part), depth - 1) for part in held))
    more = ", ..." if len(value) > SAMPLE else ""
    return f"{opening}{', '.join(items)}{more}{closing}"


_BRACKETS: dict[type, tuple[str, str]] = {list: ("[", "]"), tuple: ("(", ")")}


def _shape(shape: Any) -> str:
    return f"({', '.join(str(part) for part in shape)})"


def _array(value: Any) -> tuple[str, str]:
    preview = str(value.dtype)
    if value.dtype.kind in "biufcSUM":
        preview += ": " + ", ".join(str(item) for item in value.flat[:SAMPLE])
        preview += ", ..." if value.size > SAMPLE else ""
    return _shape(value.shape), preview


def _frame(value: Any) -> tuple[str, str]:
    names = [str(name)[:40] for name in list(value.columns[:SAMPLE])]
    more = ", ..." if value.shape[1] > SAMPLE else ""
    return _shape(value.shape), f"columns: {', '.join(names)}{more}"


def _series(value: Any) -> tuple[str, str]:
    return _shape(value.shape), f"{value.dtype}"


def _tensor(value: Any) -> tuple[str, str]:
    return _shape(value.shape), f"{value.dtype}"


_LIBRARIES: tuple[tuple[str, str, Callable[[Any], tuple[str, str]]], ...] = (
    ("numpy", "ndarray", _array),
    ("pandas", "DataFrame", _frame),
    ("pandas", "Series", _series),
    ("polars", "DataFrame", _frame),
    ("polars", "Series", _series),
    ("torch", "Tensor", _tensor),
)
