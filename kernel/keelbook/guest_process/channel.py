"""The channel to one guest: lines in, lines out, descriptors with them, on the event loop.

Rules: the socket stays in blocking mode and every call asks not to wait (duplicates of a
descriptor share the flag); a frame goes out whole or, where the guest does not read, into a queue
that the loop empties; one read takes at most 64 KiB, so that a flood leaves the loop free between
reads. Every read has room for descriptors; those no frame claims are closed. A line over
``line_bytes`` ends the channel (D5). Frames that carry too much or say nonsense are counted.
"""

from __future__ import annotations

import array
import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from keelbook.guest_process.decoding import Decoder, Frame, Wrong, encode
from keelbook.guest_process.payloads import close_all, fill, pack
from keelbook.guest_process.settings import Limits

_CHUNK: Final = 64 * 1024
_DONT_WAIT: Final = socket.MSG_DONTWAIT | getattr(socket, "MSG_NOSIGNAL", 0)
_READ: Final = socket.MSG_DONTWAIT | getattr(socket, "MSG_CMSG_CLOEXEC", 0)
_QUEUE_BYTES: Final = 64 * 1024 * 1024


class Send(Protocol):
    """What ``Channel.send`` is to those who only send."""

    def __call__(self, frame: Frame, most: int | None = None) -> bool:
        """Sends one frame."""


class Channel:
    """One guest's fd 3, seen from the host.

    ``on_frame`` gets every good frame, ``on_bad`` the line that was dropped and why, ``on_end``
    one word (``closed`` ``overlong``) when nothing more will come.
    """

    def __init__(
        self,
        sock: socket.socket,
        limits: Limits,
        on_frame: Callable[[Frame], None],
        on_bad: Callable[[bytes, str], None],
        on_end: Callable[[str], None],
    ) -> None:
        self.decoder = Decoder(limits.depth + 16)
        self._sock = sock
        self._loop = asyncio.get_running_loop()
        self._limits = limits
        self._on_frame = on_frame
        self._on_bad = on_bad
        self._on_end = on_end
        self._buffer = bytearray(_CHUNK)
        self._partial = bytearray()
        self._offset = 0
        self._descriptors = _Descriptors()
        self._room = socket.CMSG_SPACE(limits.fds * array.array("i").itemsize)
        self._queue: deque[tuple[memoryview, list[int]]] = deque()
        self._queued = 0
        self._open = True
        self._loop.add_reader(sock.fileno(), self._readable)

    @property
    def open(self) -> bool:
        """Whether frames may still come."""
        return self._open

    # ------------------------------------------------------------ in

    def read_pending(self) -> None:
        """Takes what has arrived by now, as if the loop had been told of it."""
        for _ in range(256):
            if not self._open or not self._readable():
                return

    def _readable(self) -> bool:
        try:
            size, control, flags, _ = self._sock.recvmsg_into([self._buffer], self._room, _READ)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            size, control, flags = 0, [], 0
        if control:
            self._descriptors.arrived(control, self._offset + len(self._partial) + size)
        if flags & socket.MSG_CTRUNC or len(self._descriptors) > 8 * self._limits.fds:
            self._descriptors.close()
            self.decoder.drop("more descriptors than allowed")
        if not size:
            self._end("closed")
            return False
        self._take(memoryview(self._buffer)[:size])
        return True

    def _take(self, chunk: memoryview) -> None:
        data = bytes(chunk)
        if b"\n" not in data:
            self._partial += data
        else:
            first, *lines = data.split(b"\n")
            last = lines.pop()
            for line in (bytes(self._partial) + first, *lines):
                try:
                    self._line(line)
                except Exception as problem:  # a bug of ours must not cost the lines behind it
                    self._loop.call_exception_handler(
                        {"message": "a frame of the guest was not handled", "exception": problem}
                    )
                if not self._open:
                    return
            self._partial = bytearray(last)
            if not last and self._descriptors:
                self._descriptors.passed(self._offset)
        if len(self._partial) > self._limits.line_bytes:
            self._end("overlong")

    def _line(self, line: bytes) -> None:
        start = self._offset
        self._offset += len(line) + 1
        if len(line) > self._limits.line_bytes:
            self._end("overlong")
            return
        frame = self.decoder.frame(line)
        if self._descriptors:
            self._descriptors.passed(start)
        if frame is None:
            self._on_bad(line, self.decoder.reason)
            return
        if "payloads" in frame and not self._filled(frame):
            self._on_bad(line, self.decoder.reason)
            return
        self._on_frame(frame)

    def _filled(self, frame: Frame) -> bool:
        fds = self._descriptors.claim(len(frame["payloads"]))
        try:
            fill(frame, fds, self._limits.payload_bytes, self._limits.depth)
        except Wrong as wrong:
            self.decoder.drop(str(wrong))
            return False
        return True

    # ------------------------------------------------------------ out

    def send(self, frame: Frame, most: int | None = None) -> bool:
        """Sends one frame or queues it; False when it is too long or the guest is gone.

        Raises TooLong for a value of more than ``most`` bytes (or ``payload_bytes``), TypeError or
        ValueError for one that is no JSON.
        """
        bound = self._limits.payload_bytes
        bound = bound if most is None else min(bound, most)
        line, fds = pack(frame, encode, self._limits.inline_bytes, bound)
        if not self._open or len(line) > self._limits.line_bytes or len(fds) > self._limits.fds:
            close_all(fds)
            return False
        if self._queue:
            return self._enqueue(memoryview(line), fds)
        sent = self._write(line, fds)
        if sent < len(line):
            self._loop.add_writer(self._sock.fileno(), self._writable)
            return self._enqueue(memoryview(line)[sent:], fds if not sent else [])
        return True

    def _write(self, data: bytes | memoryview, fds: list[int]) -> int:
        """Bytes that went out, without waiting; the descriptors are closed once one byte did."""
        try:
            if not fds:
                return self._sock.send(data, _DONT_WAIT)
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))
            sent = self._sock.sendmsg([data], [rights], _DONT_WAIT)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError:
            close_all(fds)
            return len(data)
        close_all(fds)
        return sent

    def _enqueue(self, data: memoryview, fds: list[int]) -> bool:
        self._queue.append((data, fds))
        self._queued += len(data)
        if self._queued > _QUEUE_BYTES:
            self._end("stuck")
        return self._open

    def _writable(self) -> None:
        while self._queue:
            data, fds = self._queue[0]
            sent = self._write(data, fds)
            self._queued -= sent
            if sent < len(data):
                if sent:
                    self._queue[0] = (data[sent:], [])
                return
            self._queue.popleft()
        self._loop.remove_writer(self._sock.fileno())

    # ------------------------------------------------------------ end

    def _end(self, why: str) -> None:
        if self._open:
            self.close()
            self._on_end(why)

    def close(self) -> None:
        """Closes the socket and all descriptors on their way. A second call does nothing."""
        if not self._open:
            return
        self._open = False
        self._loop.remove_reader(self._sock.fileno())
        self._loop.remove_writer(self._sock.fileno())
        self._descriptors.close()
        for _, fds in self._queue:
            close_all(fds)
        self._queue.clear()
        self._sock.close()


class _Descriptors:
    """Descriptors that have arrived, each with the stream offset before which its line began."""

    def __init__(self) -> None:
        self._held: deque[tuple[int, int]] = deque()

    def __len__(self) -> int:
        return len(self._held)

    def arrived(self, control: list[tuple[int, int, bytes]], before: int) -> None:
        """Queues what one read brought; its line starts before stream offset ``before``."""
        for level, kind, data in control:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                fds = array.array("i")
                fds.frombytes(data[: len(data) - len(data) % fds.itemsize])
                for fd in fds:
                    os.set_inheritable(fd, False)
                    self._held.append((before, fd))

    def passed(self, start: int) -> None:
        """Closes those whose line must have begun before ``start``: nobody claimed them."""
        while self._held and self._held[0][0] <= start:
            os.close(self._held.popleft()[1])

    def claim(self, count: int) -> list[int]:
        """The next ``count`` descriptors, fewer when there are fewer."""
        return [self._held.popleft()[1] for _ in range(min(count, len(self._held)))]

    def close(self) -> None:
        """Closes all."""
        close_all([fd for _, fd in self._held])
        self._held.clear()
