"""Rich displays: from an object to a mime bundle, and the `display` people call.

Rules
- Every bundle has text/plain. A `_repr_*_` method that raises is passed over and noted on
  stderr (guest B26); what `__repr__` raises is the cell's error (guest B16).
- Bytes of an image cross as base64 text. A bundle over `display_bytes` becomes its
  text/plain and a notice naming type and size (guest B31).
- `show` goes out at once, after pending output; updates of one id within a flush are
  merged to the last (guest B27).
"""

from __future__ import annotations

import os
from binascii import b2a_base64
from collections.abc import Callable
from typing import Any

from keelbook_guest.codec import encode
from keelbook_guest.pretty import pretty
from keelbook_guest.usercode import user_call

Bundle = dict[str, Any]

METHODS: dict[str, str] = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_pdf_": "application/pdf",
    "_repr_jpeg_": "image/jpeg",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
    "_repr_javascript_": "application/javascript",
}
PLAIN = frozenset((int, float, bool, str, bytes, type(None), list, dict, tuple, set, complex))
_ABSENT = object()


def text_of(value: object, limit: int) -> str:
    """The text/plain of a value. Raises what its `__repr__` raises."""
    own = getattr(type(value), "_repr_pretty_", None)
    if own is not None and callable(own) and not isinstance(value, type):
        return _own_pretty(value, limit)
    return user_call(pretty, value, limit)


def _own_pretty(value: Any, limit: int) -> str:
    """By `_repr_pretty_`, which needs the printer of IPython's protocol."""
    printer = PrettyProtocol(limit)
    user_call(value._repr_pretty_, printer, False)
    return printer.getvalue()


class PrettyProtocol:
    """As much of IPython's printer as `_repr_pretty_` methods use."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[str] = []

    def text(self, text: str) -> None:
        self._parts.append(text)

    def pretty(self, value: object) -> None:
        self._parts.append(text_of(value, self._limit))

    def breakable(self, sep: str = " ") -> None:
        self._parts.append(sep)

    def break_(self) -> None:
        self._parts.append("\n")

    def begin_group(self, indent: int = 0, open: str = "") -> None:  # noqa: A002
        self._parts.append(open)

    def end_group(self, dedent: int = 0, close: str = "") -> None:
        self._parts.append(close)

    def group(self, indent: int = 0, open: str = "", close: str = "") -> _Group:  # noqa: A002
        return _Group(self, open, close)

    def getvalue(self) -> str:
        return "".join(self._parts)[: self._limit]


class _Group:
    def __init__(self, printer: PrettyProtocol, opening: str, closing: str) -> None:
        self.printer, self.opening, self.closing = printer, opening, closing

    def __enter__(self) -> None:
        self.printer.text(self.opening)

    def __exit__(self, *error: object) -> None:
        self.printer.text(self.closing)


class Formatter:
    """Makes bundles. `extra` gives figures of libraries that have no method of their own."""

    def __init__(self, note: Callable[[str], None], text_limit: int) -> None:
        self.note = note
        self.text_limit = text_limit
        self.extra: list[Callable[[Any], Bundle | None]] = []

    def bundle(self, value: Any) -> tuple[Bundle, Bundle]:
        """(data, metadata) of a value. Raises what its `__repr__` raises."""
        if type(value) in PLAIN:
            return {"text/plain": user_call(pretty, value, self.text_limit)}, {}
        data: Bundle = {}
        metadata: Bundle = {}
        if not isinstance(value, type):
            self._by_bundle(value, data, metadata)
            for name, mime in METHODS.items():
                if mime not in data:
                    self._by_method(value, name, mime, data, metadata)
            for maker in self.extra:
                data.update({mime: _plain(item) for mime, item in (maker(value) or {}).items()})
        if "text/plain" not in data:
            data = {"text/plain": text_of(value, self.text_limit), **data}
        return data, metadata

    def _by_bundle(self, value: Any, data: Bundle, metadata: Bundle) -> None:
        method = self._method(value, "_repr_mimebundle_")
        found = None if method is None else self._call(value, "_repr_mimebundle_", method)
        if isinstance(found, tuple) and len(found) == 2:
            found, extra = found
            metadata.update(extra or {})
        if isinstance(found, dict):
            data.update({mime: _plain(item) for mime, item in found.items() if item is not None})

    def _by_method(self, value: Any, name: str, mime: str, data: Bundle, metadata: Bundle) -> None:
        method = self._method(value, name)
        found = None if method is None else self._call(value, name, method)
        if isinstance(found, tuple) and len(found) == 2:
            found, extra = found
            if extra:
                metadata[mime] = extra
        if found is not None:
            data[mime] = _plain(found)

    def _method(self, value: Any, name: str) -> Callable[..., Any] | None:
        """The method, unless the object claims to have any attribute it is asked for."""
        try:
            method = getattr(value, name, None)
            if method is None or not callable(method):
                return None
            if hasattr(type(value), name):
                return method  # type: ignore[no-any-return]
            everything = getattr(value, "_keelbook_no_such_attribute_", _ABSENT)
        except Exception:
            return None
        return method if everything is _ABSENT else None

    def _call(self, value: object, name: str, method: Callable[..., Any]) -> Any:
        try:
            if name == "_repr_mimebundle_":
                try:
                    return user_call(method, include=None, exclude=None)
                except TypeError:
                    return user_call(method)
            return user_call(method)
        except NotImplementedError:
            return None
        except Exception as error:
            kind = type(value).__qualname__
            self.note(f"{name} of {kind} failed: {type(error).__name__}: {_said(error)}\n")
            return None


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "<exception str() failed>"


def _plain(item: Any) -> Any:
    """Bytes as base64 text; what JSON has stays."""
    if isinstance(item, (bytes, bytearray, memoryview)):
        return b2a_base64(item, newline=False).decode("ascii")
    return item


def fit(data: Bundle, metadata: Bundle, limit: int | None, name: str) -> tuple[Bundle, Bundle]:
    """The bundle as plain JSON within `limit` bytes, or its text and a notice."""
    text = str(data.get("text/plain", ""))
    try:
        size = len(encode(data)) + len(encode(metadata))
    except (TypeError, ValueError) as error:
        return {"text/plain": f"{text}\n[{name}: this display is no JSON: {error}]"}, {}
    if limit is None or size <= limit:
        return data, metadata
    short = text if len(text) <= 4096 else text[:4096] + "..."
    notice = f"[{name}: this display is {size} bytes, more than the {limit} that are shown]"
    return {"text/plain": f"{short}\n{notice}" if short else notice}, {}


class DisplayHandle:
    """What `display(..., display_id=...)` returns: shows or updates under one id."""

    def __init__(self, publisher: Publisher, display_id: str | None = None) -> None:
        self.display_id = display_id or new_id()
        self._publisher = publisher

    def display(self, value: Any, **kwargs: Any) -> None:
        """Shows `value` in a new place, with this id."""
        self._publisher.display(value, display_id=self.display_id, **kwargs)

    def update(self, value: Any, **kwargs: Any) -> None:
        """Replaces the whole bundle wherever this id is shown."""
        self._publisher.update(value, display_id=self.display_id, **kwargs)

    def __repr__(self) -> str:
        return f"<DisplayHandle display_id={self.display_id}>"


def new_id() -> str:
    """A display id no other display has."""
    return os.urandom(16).hex()


class Publisher:
    """`display`, `update_display` and `clear_output` over a way to send frames."""

    def __init__(
        self,
        formatter: Formatter,
        send: Callable[[dict[str, Any]], None],
        limit: int | None,
    ) -> None:
        self.formatter = formatter
        self.send = send
        self.limit = limit

    def display(
        self,
        *values: Any,
        include: Any = None,
        exclude: Any = None,
        metadata: Bundle | None = None,
        transient: Bundle | None = None,
        display_id: str | bool | None = None,
        raw: bool = False,
        clear: bool = False,
        **kwargs: Any,
    ) -> DisplayHandle | None:
        """Shows each value; a handle if `display_id` asks for one (True: a new id)."""
        name = new_id() if display_id is True else display_id or (transient or {}).get("display_id")
        if clear:
            self.clear_output(wait=True)
        for value in values:
            self._one("show", value, metadata, name, raw, (include, exclude))
        return DisplayHandle(self, name) if display_id else None

    def update(self, value: Any, *, display_id: str, **kwargs: Any) -> None:
        """Replaces what is shown under `display_id`."""
        metadata, raw = kwargs.get("metadata"), bool(kwargs.get("raw"))
        filters = (kwargs.get("include"), kwargs.get("exclude"))
        self._one("update", value, metadata, display_id, raw, filters)

    def clear_output(self, wait: bool = False) -> None:
        """Clears the cell's outputs, now or when the next one comes."""
        self.send({"t": "display", "op": "clear", "data": {}, "metadata": {}, "wait": bool(wait)})

    def publish(
        self,
        data: Bundle,
        metadata: Bundle | None = None,
        *,
        transient: Bundle | None = None,
        update: bool = False,
        **kwargs: Any,
    ) -> None:
        """Sends a bundle as it is (IPython's `publish_display_data`)."""
        name = (transient or {}).get("display_id")
        self._one("update" if update and name else "show", data, metadata, name, True, (None, None))

    def _one(
        self,
        op: str,
        value: Any,
        metadata: Bundle | None,
        name: str | None,
        raw: bool,
        filters: tuple[Any, Any],
    ) -> None:
        if raw or not self._by_itself(value):
            self.send(self.frame(op, value, metadata, name, raw, filters))

    def frame(
        self,
        op: str,
        value: Any,
        metadata: Bundle | None = None,
        name: str | None = None,
        raw: bool = False,
        filters: tuple[Any, Any] = (None, None),
    ) -> dict[str, Any]:
        """The `display` frame of a value; `filters` are mimes to keep and to leave out."""
        extra: Bundle = {}
        if raw:
            data = {mime: _plain(item) for mime, item in value.items()}
        else:
            data, extra = self.formatter.bundle(value)
        include, exclude = filters
        data = {
            mime: item
            for mime, item in data.items()
            if (not include or mime in include) and (not exclude or mime not in exclude)
        }
        data, extra = fit(data, {**extra, **(metadata or {})}, self.limit, type(value).__qualname__)
        frame: dict[str, Any] = {"t": "display", "op": op, "data": data, "metadata": extra}
        if name:
            frame["display_id"] = str(name)
        return frame

    def _by_itself(self, value: Any) -> bool:
        """Whether the value has shown itself with `_ipython_display_`."""
        if isinstance(value, type):
            return False
        method = self.formatter._method(value, "_ipython_display_")
        if method is None:
            return False
        try:
            user_call(method)
        except NotImplementedError:
            return False
        return True
