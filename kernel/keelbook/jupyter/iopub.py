"""Everything the kernel publishes, in order, no faster than front ends can take it.

Rules: what can go out at once does; under a flood messages are merged to ``RATE`` a second (text
of one stream joins, an update replaces an older one of the same display, what a ``clear_output``
would wipe is not sent), and displays past ``ROOM`` waiting ones are left out with a notice, text
never is. A status goes out after everything before it. A new subscriber is welcomed before it is
sent anything else.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from jupyter_client.session import Session

from keelbook.jupyter.channel import Channel, Frames
from keelbook.text import count

RATE = 200
BURST = 100
ROOM = 400

Parent = dict[str, Any]
"""The request a message belongs to, as received; empty for none."""


class Post:
    """One message that waits."""

    __slots__ = ("buffers", "content", "kind", "metadata", "parent")

    def __init__(
        self,
        kind: str,
        content: dict[str, Any],
        parent: Parent,
        metadata: dict[str, Any] | None = None,
        buffers: list[bytes] | None = None,
    ) -> None:
        self.kind = kind
        self.content = content
        self.parent = parent
        self.metadata = metadata
        self.buffers = buffers

    @property
    def display_id(self) -> str | None:
        """The display this shows or updates."""
        found = self.content.get("transient", {}).get("display_id")
        return found if isinstance(found, str) else None


class IOPub:
    """The iopub channel of one kernel; ``ident`` is the kernel's name in the topics."""

    def __init__(self, session: Session, socket: Any, ident: str) -> None:
        self._session = session
        self._channel: Any = Channel(socket, self._subscribed)
        self._topic = f"kernel.{ident}."
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Post] = []
        self._timer: asyncio.TimerHandle | None = None
        self._tokens = float(BURST)
        self._counted = time.monotonic()
        self._left_out: dict[str, tuple[Parent, int]] = {}

    # ------------------------------------------------------------ what is published

    def status(self, state: str, parent: Parent) -> None:
        """Busy, idle or starting, after everything before it."""
        self.flush()
        self._send(Post("status", {"execution_state": state}, parent))

    def send(
        self,
        kind: str,
        content: dict[str, Any],
        parent: Parent,
        *,
        metadata: dict[str, Any] | None = None,
        buffers: list[bytes] | None = None,
    ) -> None:
        """A message of any kind, in its place."""
        self._put(Post(kind, content, parent, metadata, buffers))

    def stream(self, name: str, text: str, parent: Parent) -> None:
        """Text of ``stdout`` or ``stderr``."""
        if not text:
            return
        crowded = len(self._waiting) > ROOM
        for post in reversed(self._waiting):
            if post.kind == "stream" and post.parent is parent and post.content["name"] == name:
                post.content["text"] += text
                return
            if not crowded:
                break
        self._put(Post("stream", {"name": name, "text": text}, parent))

    def display(
        self,
        kind: str,
        data: Mapping[str, Any],
        metadata: Mapping[str, Any],
        parent: Parent,
        *,
        display_id: str | None = None,
        number: int | None = None,
        kept: bool = False,
    ) -> None:
        """``display_data``, ``update_display_data`` or ``execute_result`` with its bundle.

        ``kept``: never left out, however much waits.
        """
        content: dict[str, Any] = {"data": dict(data), "metadata": dict(metadata)}
        if kind == "execute_result":
            content["execution_count"] = number
        content["transient"] = {} if display_id is None else {"display_id": display_id}
        post = Post(kind, content, parent)
        if kind == "update_display_data" and self._merged(post):
            return
        if len(self._waiting) >= ROOM and not kept and kind != "execute_result":
            key = parent.get("header", {}).get("msg_id", "")
            self._left_out[key] = (parent, self._left_out.get(key, (parent, 0))[1] + 1)
            return
        self._put(post)

    def clear(self, wait: bool, parent: Parent) -> None:
        """``clear_output``: now, or when the next output comes."""
        self._put(Post("clear_output", {"wait": wait}, parent))

    # ------------------------------------------------------------ when it goes out

    def flush(self) -> None:
        """Sends all that waits, and says what was left out."""
        waiting, self._waiting = self._waiting, []
        self._tokens = max(0.0, self._tokens - len(waiting))
        for post in waiting:
            self._send(post)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        left_out, self._left_out = self._left_out, {}
        for parent, number in left_out.values():
            words = f"{count(number, 'display')} left out: more than {RATE} a second came.\n"
            self._send(Post("stream", {"name": "stderr", "text": words}, parent))

    def close(self) -> None:
        """Sends the rest and stops."""
        self.flush()
        self._channel.close()

    def _put(self, post: Post) -> None:
        if post.kind != "clear_output":
            self._wipe(post)
        self._waiting.append(post)
        if self._timer is None:
            self._pump()

    def _wipe(self, post: Post) -> None:
        """Drops what a waiting ``clear_output`` of the same cell wipes now that output follows."""
        waiting = self._waiting
        for index in range(len(waiting) - 1, 0, -1):
            if waiting[index].kind == "clear_output" and waiting[index].parent is post.parent:
                waiting[:index] = [
                    each
                    for each in waiting[:index]
                    if each.parent is not post.parent
                    or each.kind not in ("stream", "display_data", "clear_output")
                ]
                return

    def _merged(self, post: Post) -> bool:
        """Puts an update's bundle into a waiting message of the same display."""
        for earlier in reversed(self._waiting):
            if earlier.kind == "clear_output":
                return False
            if earlier.display_id == post.display_id and earlier.display_id is not None:
                earlier.content["data"] = post.content["data"]
                earlier.content["metadata"] = post.content["metadata"]
                return True
        return False

    def _pump(self) -> None:
        """Sends what the rate allows now, and comes back for the rest."""
        self._timer = None
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._counted) * RATE)
        self._counted = now
        sent = 0
        while sent < len(self._waiting) and self._tokens >= 1:
            self._tokens -= 1
            self._send(self._waiting[sent])
            sent += 1
        del self._waiting[:sent]
        if self._waiting:
            delay = max((1 - self._tokens) / RATE, 1 / RATE)
            self._timer = self._loop.call_later(delay, self._pump)

    def _send(self, post: Post) -> None:
        self._channel.drain()
        self._session.send(
            self._channel,
            post.kind,
            post.content,
            parent=post.parent,
            ident=(self._topic + post.kind).encode(),
            metadata=post.metadata,
            buffers=list(post.buffers or ()),
        )

    def _subscribed(self, frames: Frames) -> None:
        """Welcomes a new subscriber, who knows from it that nothing will be missed from now on."""
        event = frames[0].bytes
        if event[:1] != b"\x01":
            return
        topic = event[1:]
        content = {"subscription": topic.decode("utf-8", "replace")}
        self._session.send(self._channel, "iopub_welcome", content, parent={}, ident=topic or None)
