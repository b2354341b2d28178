"""How a run ended, and what its last frames say of it.

Rules (guest R7, A34, B13-B20, J8)
- A value goes to the notebook as a display with op `result` and to the model as JSON, if
  JSON keeps it exactly, or as text. None is no value, and neither is a call that was
  not awaited.
- A cancel makes an ending `aborted` only if the run felt it and ended by it; a refusal
  or a spent budget makes it `stopped` whatever the code did.
- What a value's `__repr__` raises is the cell's error and names the type.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import CodeType
from typing import Any

from keelbook_guest.codec import encode, exact
from keelbook_guest.display import Formatter, fit
from keelbook_guest.failure import describe, message_of
from keelbook_guest.namespace import Names
from keelbook_guest.proxies import Call
from keelbook_guest.record import Run
from keelbook_guest.streams import Frame, Sink
from keelbook_guest.text import cut_marked, cut_middle
from keelbook_guest.usercode import user_call


class Outcome:
    """What a cell came to. `fields` are those of `done`, `frames` go out before it."""

    __slots__ = ("error", "fields", "frames", "value")

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self.value: Any = None
        self.fields: dict[str, Any] = {}
        self.frames: list[Frame] = []


class Values:
    """Turns what cells evaluate to into frames. `finally_` are called at each cell's end."""

    def __init__(self, formatter: Formatter, names: Names, limits: dict[str, Any]) -> None:
        self.formatter = formatter
        self.names = names
        self.value_bytes: int | None = limits["value_bytes"]
        self.display_bytes: int | None = limits["display_bytes"]
        self.traceback_bytes: int | None = limits["traceback_bytes"]
        self.depth: int = limits["depth"] or 200
        self.finally_: list[Callable[[Run, Any], list[Frame]]] = []

    def conclude(self, run: Run, outcome: Outcome, value: Any) -> None:
        """After the last line: shows the value, evaluates the user expressions."""
        if value is not None and not run.silent and not isinstance(value, Call):
            outcome.value = value
            self._show(run, outcome, value)
            if run.origin != "probe":
                self.names.show(value)
        if run.expressions:
            outcome.fields["expressions"] = {
                name: self._expression(run, code) for name, code in run.expressions.items()
            }

    def at_end(self, run: Run, outcome: Outcome) -> None:
        """However the cell ended: what libraries show then (figures)."""
        for hook in self.finally_:
            try:
                outcome.frames += hook(run, outcome.value)
            except BaseException as error:
                outcome.error = outcome.error or error
        outcome.value = None

    def _show(self, run: Run, outcome: Outcome, value: Any) -> None:
        kind = type(value)
        try:
            data, metadata = self.formatter.bundle(value)
        except Exception as error:
            _note(error, f"raised by the value's own text: its type is {_name(kind)}")
            raise
        text = str(data.get("text/plain", ""))
        data, metadata = fit(data, metadata, self.display_bytes, _name(kind))
        frame = {"t": "display", "run": run.id, "op": "result", "late": False}
        outcome.frames.append({**frame, "data": data, "metadata": metadata})
        kept, plain = exact(value, self.value_bytes or 1 << 62, self.depth)
        if kept:
            outcome.fields["value"] = {"form": "json", "json": plain}
        else:
            text, cut = cut_marked(text, self.value_bytes)
            record = {"form": "repr", "text": text, "type": _name(kind), "cut": cut}
            outcome.fields["value"] = record

    def _expression(self, run: Run, source: str) -> dict[str, Any]:
        try:
            code: CodeType = compile(source, "<expression>", "eval", 0, True)
            value = user_call(eval, code, self.names.space)
            data, metadata = self.formatter.bundle(value)
        except Exception as error:
            record = describe(error, run.file, self.traceback_bytes)
            return {
                "status": "error",
                "ename": record["name"],
                "evalue": record["message"],
                "traceback": record["traceback"],
            }
        data, metadata = fit(data, metadata, self.value_bytes, _name(type(value)))
        return {"status": "ok", "data": data, "metadata": metadata}


def status_of(run: Run, error: BaseException | None) -> str:
    """The status of a run whose code ended with `error`."""
    if run.stop is not None:
        return "stopped"
    if error is None:
        return "ok"
    if run.reason is not None and run.cancel_felt and _is_interrupt(error):
        return "aborted"
    return "error"


def record_of(frames: list[Frame], sink: Sink) -> list[Frame]:
    """The frames, the last of them (`done`) made to fit into one line."""
    done = frames[-1]
    limit = sink.line_bytes
    try:
        size = len(encode(done))
    except ValueError:
        size, done["value"] = limit + 1, {"form": "repr", "text": "<int>", "type": "int"}
    if size < limit:
        return frames
    done.pop("expressions", None)
    if "error" in done:
        error = done["error"]
        room = limit // 48
        text, _ = cut_middle("\n".join(error["traceback"]), 2 * room, room // 2)
        error.update(traceback=text.split("\n"), message=error["message"][:room], cut=True)
    return frames


def _is_interrupt(error: BaseException) -> bool:
    if isinstance(error, (KeyboardInterrupt, asyncio.CancelledError)):
        return True
    members: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    return bool(members) and all(_is_interrupt(member) for member in members)


def _note(error: Exception, text: str) -> None:
    if hasattr(error, "add_note"):
        error.add_note(text)
    elif len(error.args) <= 1:
        error.args = (f"{message_of(error)} ({text})",)


def _name(kind: type) -> str:
    module = kind.__module__
    name = kind.__qualname__
    return name if module in ("builtins", "__main__") else f"{module}.{name}"
