"""Governed calls on their way: sends `call` frames and hands the replies to who awaits them.

Rules
- A call belongs to the run of the code that made it; once that run has ended, it fails
  here and nothing is sent (guest C14).
- Only the guest's own event loop can wait for a call (guest C15).
- A reply that refuses ends the run and is never raised in the code that awaits it
  (guest E1); a late or unknown reply is dropped (guest E16, G10).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from itertools import count
from typing import Any

from keelbook_guest.codec import Encoded
from keelbook_guest.proxies import Binding, Call, label
from keelbook_guest.record import Run, Work
from keelbook_guest.stops import ToolFailed
from keelbook_guest.streams import Frame, Sink


class Calls:
    """All calls of this guest that have no reply yet, and what is bound."""

    def __init__(self, sink: Sink, work: Work, limits: dict[str, Any]) -> None:
        self.sink = sink
        self.work = work
        self.depth: int = limits["depth"] or 200
        self.args_bytes: int | None = limits["args_bytes"]
        self.loop: asyncio.AbstractEventLoop | None = None
        self.on_stop: Callable[[Run], None] | None = None
        self._bound: dict[str, dict[str, Any]] = {}
        self._waiting: dict[int, tuple[asyncio.Future[Any], Call]] = {}
        self._next = count(1)

    def bind(self, namespaces: list[dict[str, Any]]) -> None:
        """Replaces what is bound."""
        self._bound = {
            entry["name"]: {
                "description": entry["description"],
                "bindings": {binding["name"]: binding for binding in entry["bindings"]},
            }
            for entry in namespaces
        }

    def binding(self, namespace: str, name: str) -> Binding | None:
        """See `proxies.Caller`."""
        found: Binding | None = self._bound.get(namespace, {}).get("bindings", {}).get(name)
        return found

    def names(self, namespace: str) -> list[str]:
        """See `proxies.Caller`."""
        return sorted(self._bound.get(namespace, {}).get("bindings", {}))

    def description(self, namespace: str) -> str:
        """See `proxies.Caller`."""
        return str(self._bound.get(namespace, {}).get("description", ""))

    def owner(self) -> Run | None:
        """See `proxies.Caller`."""
        return self.work.producer()

    def start(self, call: Call) -> Generator[Any, None, Any]:
        """See `proxies.Caller`. Raises ToolFailed or RuntimeError for what cannot be sent."""
        run: Run | None = call.run
        if self.sink.forked:
            raise ToolFailed(f"{call.shown}: a forked child cannot call the host", "forked")
        if asyncio._get_running_loop() is not self.loop or self.loop is None:
            raise RuntimeError(
                f"{call.shown} can only be awaited on the notebook's event loop; from a thread "
                f"use asyncio.run_coroutine_threadsafe({call.shown}(...), loop).result()"
            )
        if run is None or run.ended or run.stop is not None:
            raise ToolFailed(f"{call.shown}: its cell has ended, so it was not called", "ended")
        args = Encoded(call.args)
        size = len(args.text)
        if self.args_bytes is not None and size > self.args_bytes:
            raise ToolFailed(
                f"{call.shown}: the arguments are {size} bytes of JSON, "
                f"more than the {self.args_bytes} that may be sent",
                "too-large",
            )
        number = next(self._next)
        future = self.loop.create_future()
        future.add_done_callback(lambda done: self._done(number, done))
        self._waiting[number] = (future, call)
        self.sink.emit(
            {
                "t": "call",
                "run": run.id,
                "id": number,
                "namespace": call.namespace,
                "name": call.name,
                "args": args,
            }
        )
        return future.__await__()

    def forgotten(self, call: Call) -> None:
        """See `proxies.Caller`: warns in the cell that made the call (guest B24)."""
        text = (
            f"{call.where}: {call.shown}(...) was not awaited, so it was not called; "
            f"write: await {call.shown}(...)\n"
        )
        self.sink.put("stderr", call.run, text)

    def take_reply(self, frame: Frame) -> None:
        """A `reply` frame, on the I/O thread."""
        found = self._waiting.get(frame["id"])
        if found is None or self.loop is None:
            return
        future, call = found
        if not frame["ok"] and frame.get("kind") == "stopped":
            self._waiting.pop(frame["id"], None)
            run: Run = call.run
            if not run.ended and run.stop is None and self.on_stop is not None:
                run.stop = frame.get("message") or f"{call.shown} was refused."
                self.on_stop(run)
            return
        self.loop.call_soon_threadsafe(self._settle, future, call, frame)

    def _settle(self, future: asyncio.Future[Any], call: Call, frame: Frame) -> None:
        self._waiting.pop(frame["id"], None)
        if future.done():
            return
        if frame["ok"]:
            future.set_result(frame.get("value"))
        else:
            future.set_exception(_failure(call, frame))

    def _done(self, number: int, future: asyncio.Future[Any]) -> None:
        found = self._waiting.pop(number, None)
        if found is not None and future.cancelled():
            run: Run = found[1].run
            self.sink.emit({"t": "call-cancel", "run": run.id, "id": number})


def _failure(call: Call, frame: Frame) -> ToolFailed:
    message = frame.get("message") or "it failed and said nothing"
    if call.name not in message:
        message = f"{label(call.namespace, call.name)}: {message}"
    return ToolFailed(message, frame.get("name") or "failed")
