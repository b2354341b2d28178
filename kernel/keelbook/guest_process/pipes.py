"""The guest's fd 1 and 2: drained at once, decoded, handed on.

Rules: a writer is never blocked by the host for longer than a turn of the loop; bytes that are no
UTF-8 become replacement characters, and a character that is cut by a read is put together; one
call of ``drain`` takes what the pipes hold at that moment and comes back.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import select
from collections.abc import Callable
from typing import Final

from keelbook.observer import Stream

_CHUNK: Final = 64 * 1024
_MOST_READS: Final = 4


class Pipes:
    """Both pipes of one guest. ``on_text`` gets what was written, in the order it was read."""

    def __init__(self, stdout: int, stderr: int, on_text: Callable[[Stream, str], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_text = on_text
        self._names: dict[int, Stream] = {stdout: "stdout", stderr: "stderr"}
        replacing = codecs.getincrementaldecoder("utf-8")
        self._decoders = {fd: replacing("replace") for fd in self._names}
        self._poll = select.poll()
        self.at_end = asyncio.Event()
        for fd in self._names:
            self._poll.register(fd, select.POLLIN)
            self._loop.add_reader(fd, self._read, fd)

    def drain(self) -> None:
        """Takes what both pipes hold now."""
        for _ in range(_MOST_READS):
            ready = self._poll.poll(0)
            if not ready:
                return
            for fd, _events in ready:
                self._read(fd)

    def _read(self, fd: int) -> None:
        try:
            data = os.read(fd, _CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        text = self._decoders[fd].decode(data, final=not data)
        if text:
            self._on_text(self._names[fd], text)
        if not data:
            self._close(fd)

    def flush(self) -> None:
        """Gives up waiting for the rest of a character that was begun."""
        for fd, decoder in self._decoders.items():
            if text := decoder.decode(b"", final=True):
                self._on_text(self._names[fd], text)

    def _close(self, fd: int) -> None:
        self._loop.remove_reader(fd)
        self._poll.unregister(fd)
        del self._names[fd], self._decoders[fd]
        os.close(fd)
        if not self._names:
            self.at_end.set()

    def close(self) -> None:
        """Closes both. A second call does nothing."""
        self.flush()
        for fd in list(self._names):
            self._close(fd)
