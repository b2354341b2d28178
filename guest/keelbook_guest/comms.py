"""Comms: messages between a library in the guest and its part in the browser.

Rules (guest B30, J15): nothing happens unless a cell imports the package `comm`; messages
from the browser reach the library on the event loop, between cells and at awaits, in
order; what a handler raises is shown on stderr.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from keelbook_guest.codec import argument, encode
from keelbook_guest.failure import describe
from keelbook_guest.record import Work
from keelbook_guest.streams import Frame, Sink

OPS = {"comm_open": "open", "comm_msg": "msg", "comm_close": "close"}


class Comms:
    """Both directions. `post` hands work to the event loop from another thread."""

    def __init__(self, sink: Sink, work: Work, note: Callable[[str], None]) -> None:
        self.sink = sink
        self.work = work
        self.note = note
        self.post: Callable[[Callable[[Frame], None], Frame], object] | None = None
        self._manager: Any = None

    def meet(self, module: ModuleType) -> None:
        """The package `comm` was imported: its comms go through here from now on."""
        package: Any = module
        publish = self._publish

        class GuestComm(package.base_comm.BaseComm):  # type: ignore[misc]
            """A comm whose messages become frames."""

            def publish_msg(self, msg_type: str, **fields: Any) -> None:
                publish(self, msg_type, fields)

        manager = self._manager = package.base_comm.CommManager()
        package.create_comm = GuestComm
        package.get_comm_manager = lambda: manager

    def take(self, frame: Frame) -> None:
        """A `comm` frame, on the I/O thread."""
        if self.post is not None:
            self.post(self._receive, frame)

    def _publish(self, comm: Any, msg_type: str, fields: dict[str, Any]) -> None:
        run = self.work.producer()
        frame: Frame = {
            "t": "comm",
            "run": None if run is None or run.ended else run.id,
            "op": OPS[msg_type],
            "comm": str(comm.comm_id),
            "data": argument(fields.get("data") or {}, "data", 1000),
            "metadata": argument(fields.get("metadata") or {}, "metadata", 1000),
        }
        size = len(encode(frame))
        if size > self.sink.line_bytes // 2:
            raise ValueError(f"a comm message of {size} bytes is too long; send it as buffers")
        target = fields.get("target_name")
        if target:
            frame["target"] = str(target)
        buffers = fields.get("buffers")
        if buffers:
            frame["buffers"] = [bytes(memoryview(buffer).cast("B")) for buffer in buffers]
        self.sink.emit(frame)

    def _receive(self, frame: Frame) -> None:
        """Hands a message to the library, in the form that Jupyter gives it."""
        if self._manager is None:
            return
        message = {
            "content": {
                "comm_id": frame["comm"],
                "data": frame["data"],
                "target_name": frame.get("target", ""),
            },
            "metadata": frame["metadata"] or {},
            "buffers": [memoryview(buffer) for buffer in frame.get("buffers") or ()],
        }
        handler = getattr(self._manager, f"comm_{frame['op']}")
        try:
            handler(None, frame["comm"], message)
        except Exception as error:
            self.note("\n".join(describe(error, "", None)["traceback"]) + "\n")
