"""Asks a search process which paths and lines match, and bounds how long that may take.

Rules: called in a thread. A process serves one search at a time and is kept for the next one; when
a search is given up, takes more than ``SEARCH_S`` or goes wrong, its process is killed. ``-S`` and
``-I`` keep the start short and whatever lies in the current folder out.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from keelbook.errors import ToolFailed
from keelbook.toolset.threads import Stop

SEARCH_S = 60.0
KEPT = 2

_START = (
    "import sys; sys.path.insert(0, sys.argv.pop())\n"
    "from keelbook.toolset.search_process import main; main()"
)
_PACKAGES = str(Path(__file__).parents[2])
_idle: list[_Process] = []
_guard = threading.Lock()


class _Process:
    """One search process."""

    def __init__(self) -> None:
        self._popen = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _START, _PACKAGES],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
            cwd="/",
        )
        self._rest = b""

    def ask(self, request: dict[str, Any], until: float, stop: Stop) -> dict[str, Any]:
        """The answer to one request. Raises ToolFailed, GivenUp."""
        assert self._popen.stdin is not None
        try:
            data = memoryview(json.dumps(request).encode("ascii") + b"\n")
            while data:
                data = data[self._popen.stdin.write(data) :]
            answer = json.loads(self._line(until, stop))
        except (OSError, EOFError, ValueError):
            raise ToolFailed("The search broke off; try a simpler pattern.", "search") from None
        if "error" in answer:
            raise ToolFailed(answer["error"], answer["code"])
        return dict(answer)

    def _line(self, until: float, stop: Stop) -> bytes:
        assert self._popen.stdout is not None
        out = self._popen.stdout.fileno()
        poll = select.poll()
        poll.register(out, select.POLLIN)
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            stop.check()
            if time.monotonic() > until:
                raise ToolFailed(
                    f"The search took more than {SEARCH_S:g} s and was ended; search a smaller "
                    "folder or give a `glob`.",
                    "timeout",
                )
            if poll.poll(100):
                part = os.read(out, 1 << 20)
                if not part:
                    raise EOFError
                parts.append(part)
        line, _, self._rest = b"".join(parts).partition(b"\n")
        return line

    def close(self) -> None:
        """Ends the process."""
        self._popen.kill()
        self._popen.__exit__(None, None, None)


@contextmanager
def _process() -> Iterator[_Process]:
    with _guard:
        process = _idle.pop() if _idle else None
    process = process or _Process()
    try:
        yield process
    except BaseException:
        process.close()
        raise
    with _guard:
        if len(_idle) < KEPT:
            _idle.append(process)
            return
    process.close()


def search(
    job: dict[str, Any], paths: Iterable[str], size: int, stop: Stop
) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """Each batch of ``size`` paths with its answer. Raises ToolFailed, GivenUp."""
    until = time.monotonic() + SEARCH_S
    remaining = iter(paths)
    with _process() as process:
        process.ask(job, until, stop)
        while batch := list(islice(remaining, size)):
            answer = process.ask({"paths": batch}, until, stop)
            yield batch, answer
            if answer.get("full"):
                return


@atexit.register
def close_all() -> None:
    """Ends the processes that wait for a next search."""
    with _guard:
        while _idle:
            _idle.pop().close()
