"""Tells front ends what changed, in small messages with no content to speak of.

Rules (lab W2): one ``keelbook_event`` with an empty parent names the topics that changed, at most
``RATE`` a second; ``seq`` counts them without gaps, so that a client who misses one can tell. The
state itself is always fetched.
"""

from __future__ import annotations

import asyncio
import time

from keelbook.events import Logged
from keelbook.jupyter.iopub import IOPub
from keelbook.jupyter.wire import EVENT, Topic, WireEvent

RATE = 20
_TOPICS: dict[str, Topic] = {
    "turn/start": "agent",
    "turn/end": "agent",
    "step/start": "agent",
    "user/posted": "agent",
    "user/message": "agent",
    "prompt/set": "agent",
    "todo/write": "todos",
    "tool/result": "todos",
}


class Pushes:
    """The pushes of one kernel process, named ``boot_id``."""

    def __init__(self, iopub: IOPub, boot_id: str) -> None:
        self._iopub = iopub
        self._boot_id = boot_id
        self._topics: set[Topic] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._last = 0.0
        self.seq = 0

    def heard(self, batch: tuple[Logged, ...]) -> None:
        """The log grew."""
        changed = {_TOPICS[each.event.tag] for each in batch if each.event.tag in _TOPICS}
        if changed:
            self.changed(*changed)

    def changed(self, *topics: Topic) -> None:
        """These topics changed; told now or within a twentieth of a second."""
        self._topics.update(topics)
        if self._timer is None:
            wait = max(self._last + 1 / RATE - time.monotonic(), 0.0)
            self._timer = asyncio.get_running_loop().call_later(wait, self._push)

    def _push(self) -> None:
        self._timer = None
        self.seq += 1
        topics = tuple(sorted(self._topics))
        self._topics.clear()
        self._last = time.monotonic()
        event = WireEvent(boot_id=self._boot_id, seq=self.seq, topics=topics)
        self._iopub.send(EVENT, event.model_dump(mode="json"), {})
