"""Processes that a cell starts: output in order before them, and forks of the guest.

Rules (guest B5, D2)
- Before a child starts, what was printed is sent, and the guest waits, for at most
  `SYNC_S`, until the host has read it.
- A forked child has no channel: its prints go to the descriptors, its signals are
  Python's own, its event loop is cut off from the parent's, and it runs nothing but the
  code that forked.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
import sys
from _thread import allocate_lock, get_ident
from itertools import count
from typing import Any

from keelbook_guest.channel import Channel, Frame
from keelbook_guest.loop import CellLoop
from keelbook_guest.streams import Sink

SYNC_S = 0.2
STARTS = frozenset(
    (
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.posix_spawn",
        "os.spawn",
        "os.system",
        "pty.spawn",
        "subprocess.Popen",
    )
)


class Children:
    """Watches the starts of processes."""

    def __init__(self, sink: Sink, channel: Channel, loop: CellLoop) -> None:
        self.sink = sink
        self.channel = channel
        self.loop = loop
        self._next = count(1)
        self._synced = 0
        self._waiting: dict[int, Any] = {}

    def install(self) -> None:
        """Watches from now on."""
        sys.addaudithook(self._audit)
        os.register_at_fork(after_in_child=self._forked)

    def take_synced(self, frame: Frame) -> None:
        """A `synced` frame, on the I/O thread."""
        waiting = self._waiting.pop(frame["id"], None)
        if waiting is not None:
            waiting.release()

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if event in STARTS and not self.sink.forked:
            self._settle()

    def _settle(self) -> None:
        """Sends what was printed and waits until the host has it."""
        self.sink.flush()
        written = self.sink.written
        if written == self._synced:
            return
        self._synced = written
        number = next(self._next)
        waiting = allocate_lock()
        waiting.acquire()
        self._waiting[number] = waiting
        self.channel.send([{"t": "sync", "id": number}])
        waiting.acquire(timeout=SYNC_S)
        self._waiting.pop(number, None)

    def _forked(self) -> None:
        self.sink.fork()
        self.channel.fork()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        loop: Any = self.loop
        for handle in (*loop._ready, *loop._scheduled):
            handle.cancel()
        loop._selector = selectors.DefaultSelector()
        loop._make_self_pipe()
        if loop._thread_id == get_ident():
            asyncio._set_running_loop(self.loop)
