"""`sys.stdout` and `sys.stderr` of the guest, and the sink that sends what they are given.

Rules
- One sink keeps the order of both streams and of displays (guest B2). It sends after
  `flush_s`, at 8 KiB, on `flush()`, before any display and before `done`; the first text
  after a quiet spell goes out at once, through the flusher thread (guest B1).
- Text is credited to the run of the code that writes it (`record.Work.producer`).
- The notebook cap is applied here, per stream and run; what is left out is counted in
  UTF-8 bytes and nothing is cut inside a code point (guest B12, B35).
- `close()` closes nothing; `fileno()` is the real descriptor (guest B9, B10). In a forked
  child the streams write to it, and nothing is sent (guest D2).
"""

from __future__ import annotations

import codecs
import io
import os
from _thread import allocate_lock
from collections.abc import Callable, Iterable
from threading import RLock
from time import sleep
from typing import Any

from keelbook_guest.record import Run, Work
from keelbook_guest.stops import Interrupts
from keelbook_guest.text import cut_utf8, utf8_length

Frame = dict[str, Any]
FLUSH_SIZE = 8192
FIRST_S = 0.001
DESCRIPTORS = {"stdout": 1, "stderr": 2}


class Sink:
    """The pending output of all runs, in the order it was made."""

    def __init__(
        self, send: Callable[[list[Frame]], None], limits: dict[str, Any], interrupts: Interrupts
    ) -> None:
        self.send = send
        self.interrupts = interrupts
        self.flush_s: float = limits["flush_s"] or 0.05
        self.cap: int | None = limits["notebook_text_bytes"]
        self.line_bytes: int = limits["line_bytes"] or 1 << 20
        self.chunk = max(1024, (self.line_bytes - 1024) // 12)
        self.lock = RLock()
        self.entries: list[Any] = []
        self.size = 0
        self.forked = False
        self.written = 0
        self.loose = {"stdout": 0, "stderr": 0}
        self._ringing = False
        self._bell = allocate_lock()
        self._bell.acquire()

    def put(self, stream: str, run: Run | None, text: str) -> None:
        """Adds text of `run` (None: of no known run) to `stream`."""
        if self.forked:
            _write_all(DESCRIPTORS[stream], text.encode("utf-8", "backslashreplace"))
            return
        with self.lock:
            entries = self.entries
            if entries and entries[-1][0] is stream and entries[-1][1] is run:
                entries[-1][2].append(text)
            else:
                entries.append((stream, run, [text]))
            self.size += len(text)
            if self.size >= FLUSH_SIZE:
                self.flush()
            elif not self._ringing:
                self._ringing = True
                self._bell.release()
        if self.interrupts.waiting:
            self.interrupts.check()

    def update(self, frame: Frame) -> None:
        """Adds a display update; one for the same id that still waits is replaced."""
        with self.lock:
            for entry in self.entries:
                if entry[0] == "update" and entry[2]["display_id"] == frame["display_id"]:
                    entry[2].update(frame)
                    return
            self.entries.append(("update", None, frame))
            self._ring()

    def emit(self, *frames: Frame) -> None:
        """Sends what is pending and then `frames`, as one."""
        if self.forked:
            return
        with self.lock:
            self.send([*self._take(), *frames])

    def flush(self) -> None:
        """Sends what is pending."""
        with self.lock:
            frames = self._take()
            if frames:
                self.send(frames)

    def finish(self, run: Run, frames: list[Frame], work: Work) -> None:
        """Sends what is pending, the run's cut notices and its last frames, as one.

        From here on the run has ended: it is not at work, and its output is late.
        """
        with self.lock:
            pending = self._take()
            for stream, count in run.left_out.items():
                if count:
                    pending.append(_output(run, stream, "", count))
            run.ended = True
            work.active = None
            self.send([*pending, *frames])

    def flush_for_ever(self) -> None:
        """The flusher thread: sends soon after a first text, then every `flush_s`."""
        while True:
            self._bell.acquire()
            sleep(FIRST_S)
            while self._flush_some():
                sleep(self.flush_s)

    def fork(self) -> None:
        """In a forked child: nothing is pending, and text goes to the descriptors."""
        self.forked = True
        self.entries = []
        self.lock = RLock()

    def _ring(self) -> None:
        if not self._ringing:
            self._ringing = True
            self._bell.release()

    def _flush_some(self) -> bool:
        with self.lock:
            if not self.entries:
                self._ringing = False
                return False
            self.flush()
            return True

    def _take(self) -> list[Frame]:
        entries, self.entries, self.size = self.entries, [], 0
        frames: list[Frame] = []
        for kind, run, content in entries:
            if kind == "update":
                frames.append(content)
            else:
                self._frames(frames, kind, run, "".join(content))
        if frames:
            self.written += 1
        return frames

    def _frames(self, frames: list[Frame], stream: str, run: Run | None, text: str) -> None:
        sent = self.loose if run is None else run.text_bytes
        size = utf8_length(text)
        if self.cap is not None and sent[stream] + size > self.cap:
            kept = cut_utf8(text, self.cap - sent[stream])
            left_out = size - utf8_length(kept)
            sent[stream] = self.cap
            if run is None or run.ended:
                if kept:
                    frames.append(_output(run, stream, kept, left_out))
                return
            run.left_out[stream] += left_out
            text = kept
        else:
            sent[stream] += size
        starts = range(0, len(text), self.chunk)
        frames.extend(_output(run, stream, text[k : k + self.chunk], 0) for k in starts)


def _output(run: Run | None, stream: str, text: str, cut: int) -> Frame:
    frame: Frame = {
        "t": "output",
        "run": None if run is None else run.id,
        "stream": stream,
        "text": text,
        "late": run is None or run.ended,
    }
    if cut:
        frame["cut"] = cut
    return frame


def _write_all(fd: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(fd, data) :]
    except OSError:
        return


class ByteSide(io.BufferedIOBase):
    """`sys.stdout.buffer`: bytes become text in order with what was printed."""

    def __init__(self, text: Stream) -> None:
        self._text = text
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.partial = False
        self.name = text.name
        self.mode = "wb"

    def write(self, data: Any) -> int:
        """Takes all of `data`, which may end inside a code point."""
        view = memoryview(data).cast("B")
        text = self._decoder.decode(bytes(view))
        self.partial = bool(self._decoder.getstate()[0])
        if text:
            self._text.put(text)
        return len(view)

    def complete(self) -> None:
        """Gives out what was left of an unfinished code point."""
        self.partial = False
        self._text.put(self._decoder.decode(b"", True))

    def flush(self) -> None:
        self._text.flush()

    def fileno(self) -> int:
        return self._text.fileno()

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        self.flush()

    @property
    def closed(self) -> bool:
        return False

    @property
    def raw(self) -> ByteSide:
        """The same object: there is nothing below it."""
        return self


class Stream(io.TextIOBase):
    """A text stream whose writes become `output` frames."""

    def __init__(self, stream: str, sink: Sink, work: Work) -> None:
        self._stream = stream
        self._sink = sink
        self._producer = work.producer
        self.name = f"<{stream}>"
        self.mode = "w"
        self.write_through = False
        self._buffer = ByteSide(self)

    def write(self, text: str) -> int:
        """Takes all of `text`; its length in code points. TypeError for a non-text."""
        if type(text) is not str:
            if not isinstance(text, str):
                raise TypeError(f"write() argument must be str, not {type(text).__name__}")
            text = str.__str__(text)
        if self._buffer.partial:
            self._buffer.complete()
        self._sink.put(self._stream, self._producer(), text)
        return len(text)

    def put(self, text: str) -> None:
        """Text that came as bytes."""
        self._sink.put(self._stream, self._producer(), text)

    def writelines(self, lines: Iterable[Any]) -> None:
        write = self.write
        for line in lines:
            write(line)

    def flush(self) -> None:
        if not self._sink.forked:
            self._sink.flush()
            if self._sink.interrupts.waiting:
                self._sink.interrupts.check()

    def fileno(self) -> int:
        return DESCRIPTORS[self._stream]

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        self.flush()

    def reconfigure(self, **changes: Any) -> None:
        """Accepted and without effect: the stream is UTF-8 and sends lines as they come."""

    @property
    def closed(self) -> bool:
        return False

    @property
    def buffer(self) -> ByteSide:
        return self._buffer

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        return "backslashreplace"

    @property
    def line_buffering(self) -> bool:
        return True
