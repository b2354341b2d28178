"""Help for the name at a cursor (guest A39, J2): signature, docstring, file, source.

Rules: the object is found as for completion, with nothing of the user's run; with
`detail` 1 the source stands in place of the docstring where there is one.
"""

from __future__ import annotations

import inspect
import re
from types import FunctionType, MethodType, ModuleType
from typing import Any

from keelbook_guest.complete import called
from keelbook_guest.lexical import expression, place, word
from keelbook_guest.proxies import BoundCall, BoundNamespace
from keelbook_guest.resolve import ABSENT, Instance, resolve
from keelbook_guest.variables import row

REACH = 100_000
_NAME_END = re.compile(r"\w*")
NOTHING: dict[str, Any] = {"found": False, "data": {}}


def help_at(code: str, cursor: int, detail: int, space: dict[str, Any]) -> dict[str, Any]:
    """`{"found", "data"}`; the data has text/plain."""
    head = code[:cursor]
    rest = _NAME_END.match(code, cursor)
    whole = (head + (rest.group() if rest is not None else ""))[-REACH:]
    if place(whole).string is not None:
        return NOTHING
    names = [expression(whole) if word(whole) else "", called(head[-REACH:])]
    for name in names:
        found = ABSENT if not name else resolve(name, space)
        if found is not ABSENT:
            text = describe_object(name, found, detail)
            return {"found": True, "data": {"text/plain": text}}
    return NOTHING


def describe_object(name: str, value: Any, detail: int) -> str:
    """The help text of a value."""
    kind = value.kind if isinstance(value, Instance) else type(value)
    documented = kind if isinstance(value, Instance) else value
    parts: list[tuple[str, str]] = []
    signature = _signature(name, documented)
    if signature:
        parts.append(("Signature", signature))
    parts.append(("Type", kind.__name__))
    preview = "" if signature else row("", documented)["preview"]
    if preview:
        parts.append(("Value", preview))
    source = _source(documented) if detail else ""
    doc = _doc(documented)
    if source:
        parts.append(("Source", "\n" + source))
    elif doc:
        parts.append(("Docstring", "\n" + doc if "\n" in doc else doc))
    file = _file(documented)
    if file:
        parts.append(("File", file))
    return "\n".join(f"{label + ':':<11}{text}".rstrip() for label, text in parts)


def _signature(name: str, value: Any) -> str:
    if not isinstance(value, (FunctionType, MethodType, BoundCall, type)) and not (
        inspect.isbuiltin(value) or inspect.ismethoddescriptor(value)
    ):
        return ""
    try:
        return f"{name.rpartition('.')[2]}{inspect.signature(value)}"
    except (TypeError, ValueError):
        return ""


def _doc(value: Any) -> str:
    if isinstance(value, (BoundCall, BoundNamespace)):
        return str(value.__doc__)
    plain = (type, FunctionType, MethodType, ModuleType, property)
    known = isinstance(value, plain) or inspect.isroutine(value)
    found = inspect.getdoc(value if known else type(value))
    return found or ""


def _source(value: Any) -> str:
    if isinstance(value, property):
        value = value.fget
    try:
        return inspect.getsource(inspect.unwrap(value)).rstrip()
    except (TypeError, OSError, ValueError):
        return ""


def _file(value: Any) -> str:
    try:
        return inspect.getfile(inspect.unwrap(value)) if callable(value) else inspect.getfile(value)
    except (TypeError, ValueError):
        return ""
