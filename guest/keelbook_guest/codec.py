"""JSON for the channel: frames to lines and back, and values to JSON by fixed rules.

Rules
- Encoder and decoder are the C ones, made once at import: a cell that patches `json`
  changes its own world only (guest G8).
- Non-ASCII is escaped, so a lone surrogate crosses as its escape (guest B11); NaN and
  Infinity are refused (guest B14).
- `argument` follows `protocol.CONVERSIONS` and names the path of what it refuses
  (guest E9, E17). `exact` gives a value only if JSON keeps every part of it (guest B13).
- No method of the user's is called but `Enum.value`, `isoformat`, `__fspath__`, `item`
  and the text of a Decimal or UUID.
"""

from __future__ import annotations

import json
import json.decoder
import json.encoder
import json.scanner
import math
import sys
from collections.abc import Iterator
from typing import Any

from keelbook_guest.protocol import MAX_DIGITS

Json = Any

_MAKE: Any = getattr(json.encoder, "c_make_encoder", None)
_SCAN: Any = getattr(json.scanner, "c_make_scanner", None)
_ESCAPE: Any = getattr(json.encoder, "c_encode_basestring_ascii", None)
if _MAKE is None or _SCAN is None or _ESCAPE is None:
    raise ImportError("Keelbook's guest needs CPython, with its C module _json")

MAX_BITS = int(MAX_DIGITS / math.log10(2))
_INT_BOUND = 10**MAX_DIGITS


def _refuse(value: object) -> Json:
    raise TypeError(f"{type(value).__name__} is not JSON")


_encode = _MAKE(None, _refuse, _ESCAPE, None, ":", ",", False, False, False)
_scan = _SCAN(json.decoder.JSONDecoder())
_join = "".join


def encode(value: Json) -> str:
    """`value`, already plain JSON, as one line of ASCII. TypeError or ValueError if not."""
    return _join(_encode(value, 0))


class Encoded:
    """JSON text of a field that was encoded before its frame was."""

    __slots__ = ("text",)

    def __init__(self, value: Json) -> None:
        self.text = encode(value)


def decode(line: str | bytes) -> Json:
    """The JSON value that `line` begins with. ValueError if there is none."""
    text = line if isinstance(line, str) else line.decode("utf-8")
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        raise ValueError("not JSON") from None
    if text[end:].strip():
        raise ValueError("more than one JSON value")
    return value


class _Inexact(Exception):
    """JSON would not keep the value as it is."""


def exact(value: object, limit: int, depth: int) -> tuple[bool, Json]:
    """(True, plain copy) if JSON keeps `value` exactly in at most about `limit` bytes."""
    budget = [limit]
    try:
        return True, _exact(value, budget, depth)
    except _Inexact:
        return False, None


def _exact(value: Any, budget: list[int], depth: int) -> Json:
    kind = type(value)
    if kind is str:
        budget[0] -= len(value) + 2
    elif kind is int:
        if value.bit_length() > MAX_BITS:
            raise _Inexact
        budget[0] -= value.bit_length() // 3 + 1
    elif kind is float:
        if not math.isfinite(value):
            raise _Inexact
        budget[0] -= 3
    elif kind is bool or value is None:
        budget[0] -= 4
    elif kind is list or kind is dict:
        budget[0] -= 2 * len(value) + 2
        if depth <= 0:
            raise _Inexact
    else:
        raise _Inexact
    if budget[0] < 0:
        raise _Inexact
    if kind is list:
        return [_exact(item, budget, depth - 1) for item in value]
    if kind is dict:
        return {_key(key, budget): _exact(item, budget, depth - 1) for key, item in value.items()}
    return value


def _key(key: Any, budget: list[int]) -> str:
    if type(key) is not str:
        raise _Inexact
    budget[0] -= len(key) + 2
    return key


def argument(value: object, path: str = "args", depth: int = 200) -> Json:
    """`value` as JSON by the conversion rules. TypeError naming the path of what has none."""
    try:
        return _Converter(depth).convert(value, 0)
    except _Refused as refused:
        where = path + "".join(reversed(refused.steps))
        raise TypeError(f"{where}: {refused}") from None


class _Refused(Exception):
    """A part has no JSON form; `steps` lead to it, innermost first."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.steps: list[str] = []


class _Converter:
    """One walk over an argument; `inside` are the containers being walked."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.inside: set[int] = set()

    def convert(self, value: Any, level: int) -> Json:
        kind = type(value)
        if kind is str or kind is bool or value is None:
            return value
        if kind is int:
            return _int(value)
        if kind is float:
            return _float(value)
        if isinstance(value, (list, tuple, dict, set, frozenset)) and not _is_enum(value):
            if level >= self.depth:
                raise _Refused(f"nested deeper than {self.depth} levels")
            if id(value) in self.inside:
                raise _Refused("the value contains itself")
            self.inside.add(id(value))
            try:
                return self._container(value, level + 1)
            finally:
                self.inside.discard(id(value))
        return self._scalar(value, level)

    def _container(self, value: Any, level: int) -> Json:
        if isinstance(value, dict):
            return self._dict(value, level)
        if isinstance(value, (list, tuple)):
            items = list.__iter__(value) if isinstance(value, list) else tuple.__iter__(value)
            return self._items(items, level)
        try:
            return sorted((self.convert(item, level) for item in value), key=encode)
        except _Refused as refused:
            refused.steps.append("{...}")
            raise

    def _items(self, items: Iterator[Any], level: int) -> list[Json]:
        plain: list[Json] = []
        try:
            for item in items:
                plain.append(self.convert(item, level))  # noqa: PERF401 - its length is the path
        except _Refused as refused:
            refused.steps.append(f"[{len(plain)}]")
            raise
        return plain

    def _dict(self, value: dict[Any, Any], level: int) -> Json:
        plain: dict[str, Json] = {}
        for key, item in dict.items(value):
            if not isinstance(key, str) or _is_enum(key):
                raise _Refused(
                    f"a key is {_described(key)}, and keys must be text; "
                    "convert them, for example with {str(k): v for k, v in d.items()}"
                )
            name = str.__str__(key)
            try:
                plain[name] = self.convert(item, level)
            except _Refused as refused:
                refused.steps.append(_step(name))
                raise
        return plain

    def _scalar(self, value: Any, level: int) -> Json:
        if _is_enum(value):
            return self.convert(value.value, level)
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, int):
            return _int(int.__int__(value))
        if isinstance(value, float):
            return _float(float.__float__(value))
        converted, plain = _known(value)
        if converted:
            return self.convert(plain, level)
        raise _Refused(f"{_described(value)} cannot be sent as JSON{_hint(value)}")


def _int(value: int) -> int:
    if value.bit_length() > MAX_BITS and abs(value) >= _INT_BOUND:
        raise _Refused(f"an int of {value.bit_length()} bits is too long to send")
    return value


def _float(value: float) -> float:
    if not math.isfinite(value):
        raise _Refused(f"{value} has no JSON form; send None or a text instead")
    return value


def _is_enum(value: object) -> bool:
    enum = sys.modules.get("enum")
    return enum is not None and isinstance(value, enum.Enum)


def _known(value: Any) -> tuple[bool, Any]:
    """(True, simpler value) for the library types of the conversion table.

    A type can only be met if its module was imported, so none is imported here.
    """
    modules = sys.modules
    if isinstance(value, _type(modules, "pathlib", "PurePath")):
        return True, value.__fspath__()
    for name in ("date", "time"):
        if isinstance(value, _type(modules, "datetime", name)):
            return True, value.isoformat()
    if isinstance(value, _type(modules, "decimal", "Decimal")):
        return True, str(value)
    if isinstance(value, _type(modules, "uuid", "UUID")):
        return True, str(value)
    if isinstance(value, _type(modules, "numpy", "generic")):
        plain = value.item()
        return type(plain).__module__ in ("builtins", "datetime"), plain
    return False, None


class _Nothing:
    """Stands for a type whose module was never imported."""


def _type(modules: dict[str, Any], module: str, name: str) -> Any:
    found = getattr(modules.get(module), name, _Nothing)
    return found if isinstance(found, type) else _Nothing


def _step(key: str) -> str:
    return f".{key}" if key.isidentifier() else f"[{key!r}]"


def _described(value: object) -> str:
    kind = type(value)
    module = "" if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}."
    return f"a value of type {module}{kind.__qualname__}"


def _hint(value: object) -> str:
    kind = type(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "; decode it to text first"
    if hasattr(kind, "tolist"):
        return "; call .tolist() first"
    if hasattr(kind, "to_dict"):
        return "; call .to_dict() first"
    if hasattr(kind, "__dataclass_fields__"):
        return "; use dataclasses.asdict() first"
    if hasattr(kind, "keys") and hasattr(kind, "__getitem__"):
        return "; use dict(...) first"
    if hasattr(kind, "__iter__"):
        return "; use list(...) first"
    return ""
