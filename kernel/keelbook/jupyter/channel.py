"""One ZMQ socket on the event loop: every message in is handed over, a message out is sent at once.

Rules: ZMQ's descriptor only says that something changed, so both a wake-up and a send look whether
messages wait; a message that fails whoever takes it never keeps the next ones waiting. Nothing here
knows what a message means. Used from the loop's thread only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any

import zmq

_complaints = logging.getLogger(__name__)

Frames = list[Any]
"""``zmq.Frame`` objects of one message."""


class Channel:
    """Reads ``socket`` as long as it is open; also what ``Session.send`` writes to."""

    def __init__(self, socket: zmq.Socket[bytes], arrived: Callable[[Frames], None]) -> None:
        self._socket = socket
        self._arrived = arrived
        self._loop = asyncio.get_running_loop()
        self._looking = False
        self._loop.add_reader(socket.fileno(), self.drain)
        self._look_soon()

    def send_multipart(self, frames: Sequence[Any], copy: bool = True, **options: Any) -> Any:
        """Sends one message now."""
        if self._socket.closed:
            return None
        sent = self._socket.send_multipart(frames, copy=copy, **options)
        if self._waits():
            self._look_soon()
        return sent

    def drain(self) -> None:
        """Hands over every message that has arrived."""
        self._looking = False
        while not self._socket.closed and self._waits():
            frames = self._socket.recv_multipart(zmq.NOBLOCK, copy=False)
            try:
                self._arrived(frames)
            except Exception as error:
                _complaints.warning("A message was dropped: %s: %s", type(error).__name__, error)

    def close(self) -> None:
        """Stops reading; the socket is closed by whoever made it."""
        if not self._socket.closed:
            self._loop.remove_reader(self._socket.fileno())

    def _waits(self) -> bool:
        return bool(int(self._socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN)

    def _look_soon(self) -> None:
        if not self._looking:
            self._looking = True
            self._loop.call_soon(self.drain)
