"""The comms between front ends and the guest, mirrored so that the host can tell of them.

Rules (guest J15): a comm message passes through as it is, in order, whether a cell runs or not; the
host keeps only ids and target names, so ``comm_info`` needs no guest; the guest's end closes all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from keelbook.interpreter import CommMessage
from keelbook.jupyter.iopub import IOPub, Parent

Op = Literal["open", "msg", "close"]
_OPS: dict[str, Op] = {"comm_open": "open", "comm_msg": "msg", "comm_close": "close"}


class Comms:
    """Every open comm: its id and its target. ``to_guest`` takes what a front end sent."""

    def __init__(self, iopub: IOPub, to_guest: Callable[[CommMessage], None]) -> None:
        self._iopub = iopub
        self._to_guest = to_guest
        self._targets: dict[str, str] = {}

    def info(self, target: str | None) -> dict[str, dict[str, str]]:
        """Content of ``comm_info_reply``: the open comms, of one target if it is named."""
        return {
            comm: {"target_name": name}
            for comm, name in self._targets.items()
            if target in (None, "", name)
        }

    def from_client(self, kind: str, message: Parent) -> None:
        """A comm message of a front end's. One for a comm that is not open goes nowhere."""
        content: dict[str, Any] = message["content"]
        comm, op = str(content.get("comm_id", "")), _OPS[kind]
        if op == "open":
            self._targets[comm] = str(content.get("target_name", ""))
        elif comm not in self._targets:
            return
        target = self._targets[comm] if op == "open" else None
        if op == "close":
            del self._targets[comm]
        buffers = tuple(bytes(each) for each in message.get("buffers") or ())
        data, metadata = content.get("data"), message.get("metadata")
        self._to_guest(CommMessage(op, comm, data, metadata, target, buffers))

    def from_guest(self, message: CommMessage, parent: Parent) -> None:
        """A comm message of the guest's, published with the request that runs, if one does."""
        content: dict[str, Any] = {"comm_id": message.comm, "data": message.data or {}}
        if message.op == "open":
            self._targets[message.comm] = message.target or ""
            content |= {"target_name": message.target or "", "target_module": None}
        elif message.op == "close":
            self._targets.pop(message.comm, None)
        self._iopub.send(
            f"comm_{message.op}",
            content,
            parent,
            metadata=message.metadata if isinstance(message.metadata, dict) else None,
            buffers=list(message.buffers),
        )

    def close_all(self) -> None:
        """The guest is gone: every comm is closed, and front ends are told."""
        for comm in list(self._targets):
            self.from_guest(CommMessage("close", comm, {}), {})
