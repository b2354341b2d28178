"""Bytes of one line to a checked frame, or a sentence saying what is wrong with it.

Rules (R12): size and nesting are bounded before anything is parsed; a frame is rebuilt from its
declared shape, so that nothing undeclared goes on; a wrong type costs the whole frame, an unknown
field only that field; nothing here raises because of what a line holds. NaN and Infinity are no
JSON. Shapes are turned into closures once, so that a frame costs a few microseconds.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any, Final

from keelbook.guest_process.protocol import (
    ANSWERS,
    GUEST_FRAMES,
    MAX_INT,
    PAYLOAD_PLACES,
    RECORDS,
    Fields,
)

Frame = dict[str, Any]
Check = Callable[[Any], Any]


class Wrong(Exception):
    """What is wrong with one line, in a few words."""


def _plain(kind: type) -> Check:
    def check(value: Any) -> Any:
        if type(value) is not kind:
            raise Wrong(f"{type(value).__name__} for {kind.__name__}")
        return value

    return check


def _int(value: Any) -> Any:
    if type(value) is not int or not -MAX_INT <= value <= MAX_INT:
        raise Wrong(f"{type(value).__name__} for int")
    return value


def _num(value: Any) -> Any:
    if type(value) is not float:
        return _int(value)
    return value


def _any(value: Any) -> Any:
    return value


_PLAIN: Final[dict[str, Check]] = {
    "str": _plain(str),
    "bool": _plain(bool),
    "null": _plain(type(None)),
    "int": _int,
    "num": _num,
    "json": _any,
}


def _text_of(names: frozenset[str]) -> Check:
    def check(value: Any) -> Any:
        if type(value) is not str or value not in names:
            raise Wrong("a text that is not one of those allowed")
        return value

    return check


def _list_of(item: Check) -> Check:
    def check(value: Any) -> Any:
        if type(value) is not list:
            raise Wrong(f"{type(value).__name__} for list")
        return [item(each) for each in value]

    return check


def _object_of(item: Check) -> Check:
    def check(value: Any) -> Any:
        if type(value) is not dict:
            raise Wrong(f"{type(value).__name__} for object")
        return {name: item(each) for name, each in value.items()}

    return check


def _or_null(item: Check) -> Check:
    return lambda value: None if value is None else item(value)


def checker(kind: str) -> Check:
    """The check for a type in the notation of ``protocol``; it returns the rebuilt value."""
    if kind.startswith("'"):
        return _text_of(frozenset(each.strip("'") for each in kind.split("|")))
    if kind.startswith("["):
        return _list_of(checker(kind[1:-1]))
    if kind.startswith("{"):
        return _object_of(checker(kind[1:-1]))
    if kind.endswith("/null"):
        return _or_null(checker(kind.removesuffix("/null")))
    return _PLAIN[kind] if kind in _PLAIN else shaper(*(RECORDS.get(kind) or ANSWERS[kind]))


def shaper(required_fields: Fields, optional_fields: Fields) -> Check:
    """The check for a whole record or frame (without ``t`` and ``run``)."""
    required = [(name, checker(kind)) for name, kind in required_fields.items()]
    optional = [(name, checker(kind)) for name, kind in optional_fields.items()]

    def check(value: Any) -> Any:
        if type(value) is not dict:
            raise Wrong(f"{type(value).__name__} for object")
        rebuilt: Frame = {}
        try:
            for name, accept in required:
                rebuilt[name] = accept(value[name])
        except KeyError as missing:
            raise Wrong(f"{missing} is missing") from None
        for name, accept in optional:
            if name in value:
                rebuilt[name] = accept(value[name])
        return rebuilt

    return check


_STRINGS: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')
_STEPS: Final = bytes(1 if byte in b"[{" else 255 if byte in b"]}" else 0 for byte in range(256))
_NOT_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b"[]{}")


def nesting(line: bytes) -> int:
    """How deep arrays and objects of a JSON text nest, found without parsing it."""
    steps = _STRINGS.sub(b"", line).translate(_STEPS, _NOT_BRACKETS)
    return max(accumulate(array("b", steps)), default=0)


def _no_constant(name: str) -> Any:
    raise Wrong(f"{name} is no JSON")


_parse: Final = json.JSONDecoder(parse_constant=_no_constant).decode


def parse(line: bytes, depth: int) -> Any:
    """The JSON value of ``line``, nested at most ``depth`` deep. Raises Wrong."""
    if line.count(b"[") + line.count(b"{") > depth and nesting(line) > depth:
        raise Wrong(f"nested more than {depth} deep")
    try:
        return _parse(str(line, "utf-8"))
    except (ValueError, RecursionError, MemoryError) as problem:
        raise Wrong(f"no JSON ({type(problem).__name__})") from None


class Decoder:
    """Turns a guest's lines into frames; counts what it drops and keeps the last reason.

    In a frame with payloads the field they belong to must hold null; ``payloads`` fills it.
    """

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.dropped = 0
        self.unknown_fields = 0
        self.reason = ""
        self._shapes = {t: shaper(*shape) for t, shape in GUEST_FRAMES.items()}
        self._travelling = {t: shaper(*_nullable(t)) for t in GUEST_FRAMES}

    def frame(self, line: bytes) -> Frame | None:
        """The frame of one line, or None when it was dropped."""
        try:
            return self._frame(parse(line, self.depth))
        except Wrong as wrong:
            self.drop(str(wrong))
            return None

    def drop(self, reason: str) -> None:
        """Counts one line or frame that goes no further."""
        self.dropped += 1
        self.reason = reason

    def _frame(self, raw: Any) -> Frame:
        if type(raw) is not dict:
            raise Wrong("not an object")
        t, run = raw.get("t"), raw.get("run", False)
        shapes = self._travelling if "payloads" in raw else self._shapes
        found = shapes.get(t) if type(t) is str else None
        if found is None:
            raise Wrong("an unknown type of frame")
        if run is not None and type(run) is not str:
            raise Wrong("no run")
        frame: Frame = found(raw)
        self.unknown_fields += len(raw) - len(frame) - 2
        frame["t"] = t
        frame["run"] = run
        return frame


def _nullable(t: str) -> tuple[Fields, Fields]:
    """The shape of a frame whose place for payloads holds null."""
    required, optional = GUEST_FRAMES[t]
    field = PAYLOAD_PLACES.get(t, "/")[1:]
    changed = {name: "null" if name == field else kind for name, kind in required.items()}
    return changed, optional


def encode(frame: Mapping[str, Any]) -> bytes:
    """One line of JSON with its newline; non-ASCII is escaped. Raises ValueError for NaN."""
    return _encode(frame).encode("ascii") + b"\n"


_encode: Final = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
