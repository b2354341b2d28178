"""Drives a real guest without the host: spawns its warden and speaks frames with it.

Rules: the same descriptors as the host gives (guest R3); every wait has a time limit; what
was started is ended by `close`. Payloads in both directions are sealed memory files.
"""

from __future__ import annotations

import array
import fcntl
import json
import os
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, Queue
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "guest" / "keelbook_guest"
Frame = dict[str, Any]
WAIT_S = 20.0

LIMITS: Frame = {
    "address_bytes": None,
    "nofile": 4096,
    "fsize_bytes": None,
    "cpu_life_s": None,
    "idle_cpu_s": None,
    "notebook_text_bytes": 8 << 20,
    "display_bytes": 16 << 20,
    "value_bytes": 64 << 10,
    "traceback_bytes": 256 << 10,
    "args_bytes": 32 << 20,
    "depth": 200,
    "line_bytes": 1 << 20,
    "inline_bytes": 256 << 10,
    "payload_bytes": 64 << 20,
    "fds": 8,
    "flush_s": 0.05,
    "grace_s": 2.0,
    "skill_s": 10.0,
    "answer_s": 1.0,
}
READABLE = [
    *("/usr", "/lib", "/lib64", "/bin", "/sbin", "/opt", "/proc", "/sys", "/dev/zero"),
    *("/dev/urandom", "/etc/ld.so.cache", "/etc/passwd", "/etc/localtime", "/etc/nsswitch.conf"),
]
WRITABLE = ["/dev/null", "/dev/shm", "/dev/ptmx", "/dev/pts"]
CONFINE: Frame = {
    "mode": "off",
    "read": READABLE,
    "write": [],
    "tcp": "all",
    "namespaces": [],
    "canary": "",
}


def spawn(python: str, env: dict[str, str], channel: bool = True) -> tuple[int, list[Any]]:
    """A warden of `python`: its pid and our ends (channel, lifeline, stdout, stderr)."""
    ours, theirs = [], []
    for _ in range(2):
        mine, its = socket.socketpair()
        ours.append(mine)
        theirs.append(its.detach())
    pipes = [os.pipe(), os.pipe()]
    null = os.open(os.devnull, os.O_RDWR)
    fds = [null, pipes[0][1], pipes[1][1], *theirs]
    high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 32) for fd in fds]
    for fd in fds:
        os.close(fd)
    text = (FOLDER / "bootstrap.py").read_text(encoding="utf-8")
    pid = os.posix_spawn(
        python,
        [python, "-I", "-c", text, str(FOLDER)],
        env,
        file_actions=[(os.POSIX_SPAWN_DUP2, fd, k) for k, fd in enumerate(high)],
        setpgroup=0,
    )
    for fd in high:
        os.close(fd)
    return pid, [*ours, pipes[0][0], pipes[1][0]]


class Driven:
    """A guest under test. `frames` holds all it sent, in order."""

    def __init__(
        self,
        python: str,
        *,
        limits: Frame | None = None,
        confine: Frame | None = None,
        start: Frame | None = None,
        env: dict[str, str] | None = None,
        boot: bool = True,
        **fields: Any,
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="keelbook-test-"))
        self.cwd = self.folder / "work"
        self.tmp = self.folder / "tmp"
        self.cwd.mkdir()
        self.tmp.mkdir()
        given = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **(env or {})}
        given["TMPDIR"] = str(self.tmp)
        self.warden, ends = spawn(python, given)
        self.channel, self.lifeline, self.out, self.err = ends
        self.frames: list[Frame] = []
        self.piped = {"stdout": b"", "stderr": b""}
        self.records: list[Frame] = []
        self.status: int | None = None
        self.answering: dict[str, Callable[[Frame], Frame | None]] = {}
        self._queue: Queue[Frame | None] = Queue()
        self._written = threading.Lock()
        self._count = 0
        self._threads = self._start_threads()
        record = {"mode": "guest", "namespaces": [], "cover": [], "lend": {}, **(start or {})}
        self.lifeline.sendall(json.dumps(record).encode() + b"\n")
        self.boot_frame = self._boot_frame(limits or {}, confine or {}, fields)
        self.ack: Frame = {}
        if boot:
            self.boot()

    def boot(self) -> Frame:
        """Sends the `boot` frame; the answer."""
        self.send(self.boot_frame)
        self.ack = self.wait(lambda frame: frame["t"] in ("boot-ack", "fault"))
        return self.ack

    def _boot_frame(self, limits: Frame, confine: Frame, fields: Frame) -> Frame:
        granted = [str(self.cwd), str(self.tmp), *WRITABLE]
        return {
            "t": "boot",
            "run": None,
            "protocol": 1,
            "session": "test",
            "cwd": str(self.cwd),
            "tmp": str(self.tmp),
            "limits": {**LIMITS, **limits},
            "confine": {**CONFINE, "write": granted, **confine},
            "namespaces": [],
            "skills": [],
            "restore": False,
            **fields,
        }

    def _start_threads(self) -> list[threading.Thread]:
        bodies: list[tuple[Callable[..., None], tuple[Any, ...]]] = [
            (self._read, ()),
            (self._drain, ("stdout", self.out)),
            (self._drain, ("stderr", self.err)),
            (self._hear, ()),
        ]
        threads = [threading.Thread(target=body, args=args, daemon=True) for body, args in bodies]
        for thread in threads:
            thread.start()
        return threads

    def send(self, frame: Frame, payloads: list[bytes] | None = None) -> None:
        """Writes a frame; `payloads` ride on its first byte."""
        data = json.dumps({"run": None, **frame}).encode() + b"\n"
        with self._written:
            if payloads:
                fds = [_memory_file(payload) for payload in payloads]
                rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))
                sent = self.channel.sendmsg([data], [rights])
                for fd in fds:
                    os.close(fd)
                data = data[sent:]
            self.channel.sendall(data)

    def begin(self, code: str, **fields: Any) -> str:
        """Sends a `run` frame; its id."""
        self._count += 1
        run = f"r{self._count}"
        self.send(
            {
                "t": "run",
                "run": run,
                "key": f"key-{run}",
                "file": f"<cell-{self._count}>",
                "code": code,
                "origin": "person",
                "silent": False,
                "stdin": False,
                "cpu_s": None,
                "wall_s": None,
                "expressions": {},
                **fields,
            }
        )
        return run

    def finish(self, run: str, within: float = WAIT_S) -> Ended:
        """Waits for the run's `done`; what it came to."""
        done = self.wait(lambda frame: frame["t"] == "done" and frame["run"] == run, within)
        return Ended(done, [frame for frame in self.frames if frame["run"] == run])

    def run(self, code: str, within: float = WAIT_S, **fields: Any) -> Ended:
        """Runs a cell to its end."""
        return self.finish(self.begin(code, **fields), within)

    def ask(self, kind: str, within: float = WAIT_S, **fields: Any) -> Frame:
        """Sends a question and waits for its `answer`."""
        self._count += 1
        number = self._count
        self.send({"t": kind, "id": number, **fields})
        return self.wait(
            lambda frame: frame["t"] in ("answer", "pong") and frame["id"] == number, within
        )

    def wait(self, wanted: Callable[[Frame], bool], within: float = WAIT_S) -> Frame:
        """The first frame, of those not yet looked at, that is `wanted`."""
        ends = time.monotonic() + within
        while True:
            try:
                frame = self._queue.get(timeout=max(0.0, ends - time.monotonic()))
            except Empty:
                raise AssertionError(f"no such frame in {within} s; {self.told()}") from None
            if frame is None:
                raise AssertionError(f"the guest is gone; {self.told()}")
            if wanted(frame):
                return frame

    def gone(self, within: float = WAIT_S) -> int:
        """Waits for the guest's end; the warden's wait status."""
        ends = time.monotonic() + within
        while time.monotonic() < ends:
            pid, status = os.waitpid(self.warden, os.WNOHANG)
            if pid:
                self.status = status
                return status
            time.sleep(0.005)
        raise AssertionError(f"the warden lives on; {self.told()}")

    def cancel(self, run: str, reason: str = "person") -> None:
        """Sends a `cancel` frame."""
        self.send({"t": "cancel", "run": run, "reason": reason})

    def wait_for_text(self, run: str | None, text: str, within: float = WAIT_S) -> Frame:
        """Waits for an `output` frame of the run that holds `text`."""
        return self.wait(
            lambda f: f["t"] == "output" and f["run"] == run and text in f["text"], within
        )

    def told(self) -> str:
        """What there is to say when a test fails."""
        return f"last frames {self.frames[-5:]}, stderr {self.piped['stderr'][-2000:]!r}"

    def close(self) -> None:
        """Ends the guest and all below it."""
        if self.status is None:
            self.lifeline.shutdown(socket.SHUT_WR)
            try:
                self.gone(5.0)
            except AssertionError:
                os.kill(self.warden, signal.SIGKILL)
                os.waitpid(self.warden, 0)
        self.channel.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(2.0)
        self.channel.close()
        self.lifeline.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self) -> None:
        buffer = b""
        descriptors: list[int] = []
        while True:
            try:
                data, control, _, _ = self.channel.recvmsg(1 << 16, socket.CMSG_SPACE(32))
            except OSError:
                data, control = b"", []
            for _, _, rights in control:
                numbers = array.array("i")
                numbers.frombytes(rights)
                descriptors += numbers
            if not data:
                self._queue.put(None)
                return
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                frame = json.loads(line)
                for payload in frame.pop("payloads", ()):
                    _put(frame, payload, descriptors.pop(0))
                self._take(frame)

    def _take(self, frame: Frame) -> None:
        self.frames.append(frame)
        reply = None
        if frame["t"] == "sync":
            reply = {"t": "synced", "id": frame["id"]}
        elif frame["t"] in self.answering:
            reply = self.answering[frame["t"]](frame)
        if reply is not None:
            self.send(reply)
        self._queue.put(frame)

    def _drain(self, name: str, fd: int) -> None:
        while True:
            data = os.read(fd, 65536)
            if not data:
                os.close(fd)
                return
            self.piped[name] += data

    def _hear(self) -> None:
        buffer = b""
        while True:
            try:
                data = self.lifeline.recv(65536)
            except OSError:
                return
            if not data:
                return
            *lines, buffer = (buffer + data).split(b"\n")
            self.records += [json.loads(line) for line in lines]


class Ended:
    """A run that has ended: its `done` and all its frames."""

    def __init__(self, done: Frame, frames: list[Frame]) -> None:
        self.done = done
        self.frames = frames
        self.status: str = done["status"]
        self.error: Frame = done.get("error", {})

    @property
    def value(self) -> Any:
        """The JSON value, or the text of a `repr` value; None if there is none."""
        value = self.done.get("value")
        if value is None:
            return None
        return value["json"] if value["form"] == "json" else value["text"]

    @property
    def traceback(self) -> str:
        """The traceback as one text."""
        return "\n".join(self.error.get("traceback", []))

    def text(self, stream: str = "stdout") -> str:
        """What the run printed."""
        frames = (frame for frame in self.frames if frame["t"] == "output")
        return "".join(frame["text"] for frame in frames if frame["stream"] == stream)

    def shown(self, op: str = "show") -> list[Frame]:
        """The displays of one op."""
        return [frame for frame in self.frames if frame["t"] == "display" and frame["op"] == op]


def _memory_file(data: bytes) -> int:
    fd = os.memfd_create("test", os.MFD_ALLOW_SEALING)
    os.write(fd, data)
    fcntl.fcntl(fd, 1033, 0xF)
    return fd


def _put(frame: Frame, payload: Frame, fd: int) -> None:
    data = os.pread(fd, payload["bytes"] + 1, 0)
    os.close(fd)
    assert len(data) == payload["bytes"]
    value = data if payload["form"] == "bytes" else json.loads(data)
    name, _, index = payload["at"][1:].partition("/")
    if index:
        frame[name][int(index)] = value
    else:
        frame[name] = value
