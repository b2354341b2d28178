"""The lifeline to one warden: the guest's pid, its end, and the sure way to end it.

Rules (R3, D6, D9, D10, D13): closing the lifeline makes the warden kill all below it; the guest's
own pid is signalled only while its start token matches, and no other process or group is; a warden
that does not end by itself is killed, with all that was seen below it. Nothing is left unreaped.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
from typing import Any, Final

from keelbook.guest_process.tree import Process, processes, start_token

_WARDEN_ENDS_S: Final = 1.0
_FLAGS: Final = socket.MSG_DONTWAIT


class Lifeline:
    """fd 4 of one warden. ``ended`` becomes the child's wait status, None when nobody knows it."""

    def __init__(self, sock: socket.socket, warden: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._sock: socket.socket | None = sock
        self._partial = b""
        self._status: int | None = None
        self._token: str | None = None
        self._reaping: asyncio.TimerHandle | None = None
        self._forcing: asyncio.TimerHandle | None = None
        self.warden = warden
        self.child: int | None = None
        self.missing: tuple[str, ...] = ()
        self.killed = False
        self.reports: list[dict[str, Any]] = []
        self.ended: asyncio.Future[int | None] = self._loop.create_future()
        self._loop.add_reader(sock.fileno(), self._readable)

    def signal(self, number: signal.Signals) -> bool:
        """Sends a signal to the child itself, if it is still that process."""
        if self.child is None or self._token is None or self.ended.done():
            return False
        if start_token(self.child) != self._token:
            return False
        with contextlib.suppress(OSError):
            os.kill(self.child, number)
        return True

    def kill(self) -> None:
        """Begins the end of the child and of all it started; ``ended`` tells when it is done."""
        if self.killed or self.ended.done():
            return
        self.killed = True
        self.signal(signal.SIGKILL)
        if self._sock is not None:
            with contextlib.suppress(OSError):
                self._sock.shutdown(socket.SHUT_WR)
        self._forcing = self._loop.call_later(_WARDEN_ENDS_S, self._force)

    def processes(self) -> list[Process]:
        """The warden and all below it."""
        return [] if self.ended.done() else processes(self.warden)

    def _force(self) -> None:
        seen = [(each.pid, start_token(each.pid)) for each in self.processes()]
        for pid, token in seen:
            if token is not None and start_token(pid) == token:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)

    def _readable(self) -> None:
        if self._sock is None:
            return
        try:
            data = self._sock.recv(65536, _FLAGS)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            self._take(json.loads(line))
        if not data:
            self._loop.remove_reader(self._sock.fileno())
            self._sock.close()
            self._sock = None
            self._reap(0.0005)

    def _take(self, record: dict[str, Any]) -> None:
        if "pid" in record:
            self.child = record["pid"]
            self.missing = tuple(record["missing"])
            self._token = start_token(record["pid"])
        elif "status" in record:
            self._status = record["status"]
        else:
            self.reports.append(record)

    def _reap(self, again_s: float) -> None:
        """The lifeline is closed, so the warden is ending: waits for it without blocking."""
        try:
            pid, status = os.waitpid(self.warden, os.WNOHANG)
        except ChildProcessError:
            pid, status = self.warden, -1
        if pid == 0:
            self._reaping = self._loop.call_later(again_s, self._reap, min(again_s * 2, 0.1))
            return
        if self._forcing is not None:
            self._forcing.cancel()
        known = self._status if self._status is not None else status
        if not self.ended.done():
            self.ended.set_result(None if known < 0 else known)
