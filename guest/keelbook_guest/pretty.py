"""The text of a value, as people know it from IPython: wrapped at 79 columns, bounded.

Rules
- Containers show their first 1,000 items, to a depth of 100, and a text ends after
  `limit` code points; the whole `repr` of a large value is never built (guest B20). An
  int too long to print is `<int of N bits>` (guest B15).
- A group breaks at all of its commas or at none; outer groups break first.
- A subclass of a container that has its own `__repr__` is shown by it.
- What a `__repr__` raises is passed on: it is the cell's error (guest B16).
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, FunctionType
from typing import Any

from keelbook_guest.codec import MAX_BITS

WIDTH = 79
MAX_ITEMS = 1000
MAX_DEPTH = 100
LIMIT = 1 << 20


def pretty(value: object, limit: int = LIMIT) -> str:
    """The text of `value`, of at most about `limit` code points."""
    kind = type(value)
    if kind is int:
        return _int_text(value)  # type: ignore[arg-type]
    if kind is float or kind is bool or value is None:
        return repr(value)
    printer = Printer(limit)
    try:
        printer.value(value)
    except _Full:
        printer.full()
    return printer.finish()


class _Full(Exception):
    """The text has its length; nothing more is added."""


class _Group:
    """Texts that break together. `pending` counts its breaks still in the queue."""

    __slots__ = ("broken", "depth", "indent", "pending")

    def __init__(self, depth: int, indent: int) -> None:
        self.depth = depth
        self.indent = indent
        self.pending = 0
        self.broken = False


class Printer:
    """Lays out a stream of texts and breaks, looking ahead no further than one line."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.out: list[str] = []
        self.length = 0
        self.column = 0
        self.queue: deque[str | _Group] = deque()
        self.queued = 0
        self.groups = [_Group(0, 0)]
        self.open_groups: list[_Group] = [self.groups[0]]
        self.inside: set[int] = set()

    def text(self, text: str) -> None:
        """Adds text that holds no newline."""
        self.length += len(text)
        if not self.queue:
            self.out.append(text)
            self.column += len(text)
        else:
            self.queue.append(text)
            self.queued += len(text)
            self._fit()
        if self.length > self.limit:
            raise _Full

    def soft_break(self) -> None:
        """A space, or a newline if the group breaks."""
        group = self.groups[-1]
        if group.broken:
            self._drain()
            self._newline(group)
            return
        self.queue.append(group)
        group.pending += 1
        self.queued += 1
        self._fit()

    def hard_break(self) -> None:
        """A newline at the group's indentation; the outermost open group breaks as well."""
        self._break_outermost()
        self._drain()
        self._newline(self.groups[-1])

    def begin(self, opening: str) -> None:
        """Opens a group; what breaks in it is indented by the opening's width."""
        self.text(opening)
        outer = self.groups[-1]
        group = _Group(outer.depth + 1, outer.indent + len(opening))
        self.groups.append(group)
        self.open_groups.append(group)

    def end(self, closing: str) -> None:
        """Closes the group."""
        group = self.groups.pop()
        if not group.pending:
            self.open_groups.remove(group)
        self.text(closing)

    def finish(self) -> str:
        """The whole text."""
        self._drain()
        return "".join(self.out)

    def full(self) -> None:
        """Ends a text that has its length."""
        self._drain()
        self.out.append("...")

    def value(self, value: Any) -> None:
        """Adds the text of a value."""
        kind = type(value)
        for base in kind.__mro__:
            printer = _PRINTERS.get(base) or _named_printer(base)
            if printer is not None:
                if base is not kind and base is not object and not _same(kind, base):
                    break
                printer(self, value)
                return
        self.lines(_repr(value, self.limit))

    def lines(self, text: str) -> None:
        """Adds a text that may hold newlines."""
        for number, line in enumerate(text.splitlines() or [""]):
            if number:
                self.hard_break()
            self.text(line)

    def items(self, items: Iterable[Any]) -> Iterator[Any]:
        """The first items, with the commas and breaks between them."""
        for number, item in enumerate(items):
            if number:
                self.text(",")
                self.soft_break()
            if number == MAX_ITEMS:
                self.text("...")
                return
            yield item

    def once(self, value: object, again: str) -> bool:
        """False, with `again` as its text, if the value is inside itself or too deep."""
        if id(value) in self.inside or len(self.groups) > MAX_DEPTH:
            self.text(again)
            return False
        self.inside.add(id(value))
        return True

    def _fit(self) -> None:
        while self.column + self.queued > WIDTH and self._break_outermost():
            pass

    def _break_outermost(self) -> bool:
        waiting = [group for group in self.open_groups if group.pending]
        if not waiting:
            return False
        group = min(waiting, key=lambda group: group.depth)
        for outer in self.open_groups:
            outer.broken = outer.broken or outer.depth <= group.depth
        while group.pending:
            self._pop()
        while self.queue and isinstance(self.queue[0], str):
            self._pop()
        return True

    def _pop(self) -> None:
        item = self.queue.popleft()
        if isinstance(item, str):
            self.queued -= len(item)
            self.out.append(item)
            self.column += len(item)
            return
        self.queued -= 1
        item.pending -= 1
        if item.broken:
            self._newline(item)
        else:
            self.out.append(" ")
            self.column += 1
        if not item.pending and item not in self.groups and item in self.open_groups:
            self.open_groups.remove(item)

    def _newline(self, group: _Group) -> None:
        self.out.append("\n" + " " * group.indent)
        self.length += group.indent + 1
        self.column = group.indent

    def _drain(self) -> None:
        while self.queue:
            self._pop()


Print = Callable[[Printer, Any], None]


def _same(kind: type, base: type) -> bool:
    """Whether a type shows its values as `base` does."""
    own: object = kind.__repr__
    return own is base.__repr__


def _int_text(value: int) -> str:
    if value.bit_length() > MAX_BITS:
        return f"<int of {value.bit_length()} bits>"
    return int.__repr__(value)


def _repr(value: object, limit: int) -> str:
    if isinstance(value, (str, bytes, bytearray)) and len(value) > limit:
        return repr(value[:limit])
    text = repr(value)
    return text if len(text) <= limit else text[:limit] + "..."


def _sequence(opening: str, closing: str) -> Print:
    def show(printer: Printer, value: Any) -> None:
        if not printer.once(value, f"{opening}...{closing}"):
            return
        printer.begin(opening)
        for item in printer.items(value):
            printer.value(item)
        if opening == "(" and len(value) == 1:
            printer.text(",")
        printer.end(closing)
        printer.inside.discard(id(value))

    return show


def _dict(printer: Printer, value: Any) -> None:
    if not printer.once(value, "{...}"):
        return
    printer.begin("{")
    for key, item in printer.items(value.items()):
        printer.value(key)
        printer.text(": ")
        printer.value(item)
    printer.end("}")
    printer.inside.discard(id(value))


def _set(printer: Printer, value: Any) -> None:
    name = type(value).__name__
    wrapped = type(value) is not set
    if not value:
        printer.text(f"{name}()")
        return
    if not printer.once(value, f"{name}(...)"):
        return
    items = value
    if len(value) < MAX_ITEMS:
        try:
            items = sorted(value)
        except Exception:
            items = sorted(value, key=str)
    printer.begin(f"{name}({{" if wrapped else "{")
    for item in printer.items(items):
        printer.value(item)
    printer.end("})" if wrapped else "}")
    printer.inside.discard(id(value))


def _call(name: Callable[[Any], str], parts: Callable[[Any], list[Any]]) -> Print:
    def show(printer: Printer, value: Any) -> None:
        if not printer.once(value, f"{name(value)}(...)"):
            return
        printer.begin(f"{name(value)}(")
        for part in printer.items(parts(value)):
            printer.value(part)
        printer.end(")")
        printer.inside.discard(id(value))

    return show


def _class(printer: Printer, value: Any) -> None:
    if _same(type(value), type):
        printer.text(_qualified(value))
    else:
        printer.lines(repr(value))


def _qualified(kind: Any) -> str:
    module = kind.__module__
    name = getattr(kind, "__qualname__", kind.__name__)
    return name if module in (None, "builtins") else f"{module}.{name}"


def _function(printer: Printer, value: Any) -> None:
    module = value.__module__
    name = value.__qualname__
    if module not in (None, "builtins"):
        name = f"{module}.{name}"
    inspect = sys.modules.get("inspect")
    try:
        name += str(inspect.signature(value)) if inspect else ""
    except (TypeError, ValueError):
        name = name.strip()
    printer.lines(f"<function {name}>")


def _object(printer: Printer, value: Any) -> None:
    if _same(type(value), object):
        printer.text(f"<{_qualified(type(value))} at 0x{id(value):x}>")
    else:
        printer.lines(_repr(value, printer.limit))


def _exception(printer: Printer, value: Any) -> None:
    _call(lambda error: _qualified(type(error)), lambda error: list(error.args))(printer, value)


_PRINTERS: dict[type, Print] = {
    int: lambda printer, value: printer.text(_int_text(value)),
    list: _sequence("[", "]"),
    tuple: _sequence("(", ")"),
    dict: _dict,
    set: _set,
    frozenset: _set,
    type: _class,
    FunctionType: _function,
    BuiltinFunctionType: _function,
    BaseException: _exception,
    object: _object,
}
_NAMED: dict[tuple[str, str], Print] = {
    ("collections", "deque"): _call(lambda d: "deque", lambda d: [list(d)]),
    ("collections", "defaultdict"): _call(
        lambda d: "defaultdict", lambda d: [d.default_factory, dict(d)]
    ),
    ("collections", "Counter"): _call(
        lambda c: "Counter", lambda c: [dict(c.most_common())] if c else []
    ),
    ("collections", "OrderedDict"): _call(
        lambda d: "OrderedDict", lambda d: [list(d.items())] if d else []
    ),
}


def _named_printer(kind: type) -> Print | None:
    return _NAMED.get((kind.__module__, kind.__name__))
