"""The kernel's side of the panel: its requests are passed to ``ops``, and it is told what changed.

Rules (lab W2): one ``keelbook_event`` with an empty parent names the topics that changed, at most
``RATE`` a second; ``seq`` counts them without gaps, so that a client who misses one can tell. The
state itself is always fetched. The types of the wire are loaded when the first client asks: a
kernel without one starts sooner.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from keelbook.events import Logged
from keelbook.jupyter.host import Host
from keelbook.jupyter.iopub import IOPub
from keelbook.record import Json

if TYPE_CHECKING:
    from keelbook.jupyter.ops import Ops

REQUEST, REPLY, EVENT = "keelbook_request", "keelbook_reply", "keelbook_event"
RATE = 20
_TOPICS = {
    "turn/start": "agent",
    "turn/end": "agent",
    "step/start": "agent",
    "user/posted": "agent",
    "user/message": "agent",
    "prompt/set": "agent",
    "todo/write": "todos",
    "tool/result": "todos",
}


class Panel:
    """Requests and pushes of one kernel process, named ``boot_id``."""

    def __init__(self, iopub: IOPub, host: Host, boot_id: str) -> None:
        self._iopub = iopub
        self._host = host
        self._boot_id = boot_id
        self._ops: Ops | None = None
        self._topics: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._last = 0.0
        self._seq = 0

    async def answer(self, content: Json) -> dict[str, Json]:
        """Content of the reply to a ``keelbook_request``."""
        if self._ops is None:
            from keelbook.jupyter.ops import Ops

            self._ops = Ops(self._host, self._boot_id, lambda: self._seq)
        return await self._ops.answer(content)

    def heard(self, batch: tuple[Logged, ...]) -> None:
        """The log grew."""
        changed = {_TOPICS[each.event.tag] for each in batch if each.event.tag in _TOPICS}
        if changed:
            self.changed(*changed)

    def changed(self, *topics: str) -> None:
        """These topics changed; told now or within a twentieth of a second."""
        self._topics.update(topics)
        if self._timer is None:
            wait = max(self._last + 1 / RATE - time.monotonic(), 0.0)
            self._timer = asyncio.get_running_loop().call_later(wait, self._push)

    def _push(self) -> None:
        from keelbook.jupyter.wire import WireEvent

        self._timer = None
        self._seq += 1
        topics = sorted(self._topics)
        self._topics.clear()
        self._last = time.monotonic()
        event = WireEvent.model_validate(
            {"boot_id": self._boot_id, "seq": self._seq, "topics": topics}
        )
        self._iopub.send(EVENT, event.model_dump(mode="json"), {})
