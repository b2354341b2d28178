"""fd 3: frames out from any thread, frames in on the I/O thread.

Rules (guest section 2)
- A frame is never interleaved and never left half written, whatever a signal handler of
  the user's raises meanwhile; a send from inside a send waits its turn.
- The socket is never set non-blocking: the flag is shared with whoever has a duplicate.
- A field longer than `inline_bytes` travels as a sealed memory file, or an unlinked
  temporary file where there is none.
- A line longer than `line_bytes` would end the guest: it is not sent, and a fault says so.
- When the channel is lost the guest has nobody to work for, and exits at once.
"""

from __future__ import annotations

import array
import os
import socket
from collections.abc import Callable
from threading import RLock
from typing import Any

from keelbook_guest.codec import Encoded, decode, encode
from keelbook_guest.protocol import PAYLOAD_PLACES

Frame = dict[str, Any]
Line = tuple[bytes, list[int]]
EXIT_LOST = 70
READ_SIZE = 1 << 16
F_ADD_SEALS, SEALS = 1033, 0xF


class Channel:
    """The guest's end of the socket pair."""

    def __init__(self, fd: int) -> None:
        self.socket = socket.socket(fileno=fd)
        self.socket.setblocking(True)
        os.set_inheritable(fd, False)
        self.inline_bytes = 1 << 18
        self.line_bytes = 1 << 20
        self.fds = 8
        self.tmp = ""
        self.lock = RLock()
        self._sending = False
        self._backlog: list[Line] = []
        self._received = bytearray()
        self._lines: list[bytes] = []
        self._descriptors: list[int] = []

    def configure(self, limits: dict[str, Any], tmp: str) -> None:
        """Sets the sizes that the `boot` frame gives."""
        self.inline_bytes = limits["inline_bytes"] or self.inline_bytes
        self.line_bytes = limits["line_bytes"] or self.line_bytes
        self.fds = limits["fds"] or self.fds
        self.tmp = tmp

    def send(self, frames: list[Frame]) -> None:
        """Sends frames in order, as one write where none carries descriptors."""
        lines = self._join([self._fitting(frame) for frame in frames])
        with self.lock:
            self._backlog += lines
            if self._sending:
                return
            try:
                self._sending = True
                while self._backlog:
                    self._write(*self._backlog.pop(0))
            finally:
                self._sending = False

    def _fitting(self, frame: Frame) -> Line:
        line = self._line(frame)
        if len(line[0]) <= self.line_bytes:
            return line
        for fd in line[1]:
            os.close(fd)
        said = f"A frame {frame['t']} of {len(line[0])} bytes was too long to be sent."
        return self._line({"t": "fault", "run": frame["run"], "message": said, "fatal": False})

    def _line(self, frame: Frame) -> Line:
        frame.setdefault("run", None)
        place = PAYLOAD_PLACES.get(frame["t"], "/")[1:]
        if place == "buffers":
            return self._with_buffers(frame)
        value = frame.get(place)
        if type(value) is Encoded:
            if len(value.text) > self.inline_bytes:
                return self._with_payload(frame, place, value.text)
            rest = encode({name: item for name, item in frame.items() if name != place})
            return f'{rest[:-1]},"{place}":{value.text}}}\n'.encode("ascii"), []
        text = encode(frame)
        if place in frame and len(text) > self.inline_bytes:
            return self._with_payload(frame, place, encode(value))
        return text.encode("ascii") + b"\n", []

    def _with_payload(self, frame: Frame, place: str, text: str) -> Line:
        data = text.encode("ascii")
        payloads = [{"at": f"/{place}", "bytes": len(data), "form": "json"}]
        line = encode({**frame, place: None, "payloads": payloads})
        return line.encode("ascii") + b"\n", [self._file(data)]

    def _with_buffers(self, frame: Frame) -> Line:
        buffers = frame.get("buffers") or []
        payloads = [
            {"at": f"/buffers/{k}", "bytes": len(buffer), "form": "bytes"}
            for k, buffer in enumerate(buffers)
        ]
        if not buffers:
            return encode(frame).encode("ascii") + b"\n", []
        line = encode({**frame, "buffers": [None] * len(buffers), "payloads": payloads})
        return line.encode("ascii") + b"\n", [self._file(buffer) for buffer in buffers]

    def _file(self, data: bytes) -> int:
        if hasattr(os, "memfd_create"):
            import fcntl

            fd = os.memfd_create("keelbook", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
            _write_whole(fd, data)
            fcntl.fcntl(fd, F_ADD_SEALS, SEALS)
            return fd
        import tempfile

        fd, path = tempfile.mkstemp(dir=self.tmp or None)
        os.unlink(path)
        _write_whole(fd, data)
        return fd

    @staticmethod
    def _join(lines: list[Line]) -> list[Line]:
        joined: list[Line] = []
        for data, fds in lines:
            if joined and not fds and not joined[-1][1]:
                joined[-1] = (joined[-1][0] + data, [])
            else:
                joined.append((data, fds))
        return joined

    def _write(self, data: bytes, fds: list[int]) -> None:
        """Writes all of `data`; a signal handler's exception is raised when that is done.

        The counts are kept by C code, so that no exception can come between a send and
        the knowledge of how much it sent.
        """
        counts: list[int] = []
        failure: BaseException | None = None
        view = memoryview(data)
        rest = view
        while rest:
            try:
                if fds and not counts:
                    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))
                    counts.extend(map(self.socket.sendmsg, ([rest],), ([rights],)))
                else:
                    counts.extend(map(self.socket.send, (rest,)))
            except OSError:
                os._exit(EXIT_LOST)
            except BaseException as error:
                failure = error
            rest = view[sum(counts) :]
        for fd in fds:
            os.close(fd)
        if failure is not None:
            raise failure

    def read(self) -> Frame | None:
        """The next frame; None for a line that is none. Exits when the host is gone."""
        while not self._lines:
            try:
                data, control, _, _ = self.socket.recvmsg(
                    READ_SIZE,
                    socket.CMSG_SPACE(4 * self.fds),
                    getattr(socket, "MSG_CMSG_CLOEXEC", 0),
                )
            except OSError:
                data, control = b"", []
            if not data:
                os._exit(EXIT_LOST)
            for level, kind, rights in control:
                if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                    numbers = array.array("i")
                    numbers.frombytes(rights[: len(rights) // 4 * 4])
                    self._descriptors += numbers
            self._received += data
            if b"\n" in data:
                *self._lines, rest = bytes(self._received).split(b"\n")
                self._lines.reverse()
                self._received = bytearray(rest)
        return self._frame(self._lines.pop())

    def waiting(self) -> bool:
        """Whether a whole line was read and not yet given out."""
        return bool(self._lines)

    def _frame(self, line: bytes) -> Frame | None:
        try:
            frame = decode(line)
        except (ValueError, RecursionError):
            return None
        if type(frame) is not dict:
            return None
        for payload in frame.pop("payloads", ()):
            _place(frame, payload["at"], self._payload(payload))
        return frame

    def _payload(self, payload: dict[str, Any]) -> Any:
        fd = self._descriptors.pop(0)
        try:
            data = b""
            while len(data) < payload["bytes"]:
                part = os.pread(fd, payload["bytes"] - len(data), len(data))
                if not part:
                    break
                data += part
        finally:
            os.close(fd)
        if payload["form"] == "bytes":
            return data
        return decode(data) if payload["form"] == "json" else data.decode("utf-8")

    def fork(self) -> None:
        """In a forked child: the channel is the parent's alone (guest D2)."""
        self.lock = RLock()
        self.socket.close()


def _place(frame: Frame, pointer: str, value: Any) -> None:
    name, _, index = pointer[1:].partition("/")
    if index:
        frame[name][int(index)] = value
    else:
        frame[name] = value


def _write_whole(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


Handler = Callable[[Frame], None]
"""What takes a frame of one type, on the I/O thread."""
