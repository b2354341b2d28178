"""The process that matches patterns, so that no pattern can hold up or fill up the host.

Rules: it speaks JSON lines on its standard streams: a ``job``, answered by ``{}``, then batches of
paths, each answered by one line; ``{"error", "code"}`` answers instead. It gives up by itself when
a batch of lines costs more than ``CPU_S`` of computing, and its memory is bounded. It needs the
standard library and ``disk`` only, and runs until its input ends.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import resource
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from keelbook.errors import KeelbookError
from keelbook.toolset import disk, encoding

CPU_S = 3.0
MEMORY = 2 << 30
WHOLE = 16 << 20
LINE = 1 << 20
BATCH = 4096
SHOWN = 2000

Answer = dict[str, Any]


class Slow(Exception):
    """Matching cost more than its share of computing time."""


def serve(requests: Iterator[bytes], reply: Callable[[Answer], None]) -> None:
    """Answers every request until there are no more."""
    job: Glob | Grep | None = None
    for line in requests:
        request = json.loads(line)
        try:
            if "job" in request:
                job = None
                job = (Grep if request["job"] == "grep" else Glob)(request)
                reply({})
            elif job is not None:
                reply(job.batch(request["paths"]))
        except re.error as error:
            where = "" if error.pos is None else f" at character {error.pos + 1}"
            reply(_failed(f"The pattern is no regular expression: {error.msg}{where}.", "pattern"))
        except (RecursionError, OverflowError):
            reply(_failed("The pattern is nested too deeply.", "pattern"))
        except MemoryError:
            reply(_failed("The search needed too much memory; use a simpler pattern.", "pattern"))
        except Slow:
            where = job.where if isinstance(job, Grep) else ""
            reply(_failed(f"The pattern takes too long{where}: it tries too many ways to match; "
                          "write it without a repeat inside a repeat.", "pattern"))  # fmt: skip
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _failed(sentence: str, code: str) -> Answer:
    return {"error": sentence, "code": code}


def _patterns(request: Answer) -> list[re.Pattern[str]]:
    return [re.compile(each) for each in request["globs"]]


class Glob:
    """Which paths match one of the job's ``globs`` (as regular expressions)."""

    def __init__(self, request: Answer) -> None:
        self._globs = _patterns(request)

    def batch(self, paths: list[str]) -> Answer:
        """``hits``: the indexes of the paths that match."""
        signal.setitimer(signal.ITIMER_VIRTUAL, CPU_S)
        return {"hits": [i for i, path in enumerate(paths) if self._matches(path)]}

    def _matches(self, path: str) -> bool:
        return any(each.match(path) for each in self._globs)


class Grep:
    """The lines of files below ``root`` that hold ``pattern``, at most ``most`` of them."""

    def __init__(self, request: Answer) -> None:
        self._globs = _patterns(request)
        source: str = request["pattern"]
        folds: bool = request["fold"]
        self._pattern = re.compile(source, re.IGNORECASE if folds else 0)
        literal = source.isascii() and not folds and not set(source) & set(r".^$*+?{}[]\|()")
        self._needle = source.encode() if literal else b""
        self._root = Path(request["root"])
        self._context: int = request["context"]
        self._left: int = request["most"]
        self.where = ""

    def batch(self, paths: list[str]) -> Answer:
        """``found``: for each file with matches its index and ``[line, column, text, ...]``."""
        found: list[Any] = []
        searched = binary = unread = 0
        for index, path in enumerate(paths):
            if self._globs and not any(each.match(path) for each in self._globs):
                continue
            if self._left <= 0:
                break
            try:
                lines = self._file(path)
            except (OSError, KeelbookError):
                unread += 1
                continue
            searched += lines is not None
            binary += lines is None
            if lines:
                found.append([index, lines])
        return {"found": found, "searched": searched, "binary": binary, "unread": unread,
                "full": self._left <= 0}  # fmt: skip

    def _file(self, path: str) -> list[Any] | None:
        """The matches of one file, None when it is binary."""
        with disk.reading(self._root / path if path else self._root) as (fd, _):
            data = disk.contents(fd, WHOLE)
            if encoding.is_binary(data[: encoding.SNIFF]):
                return None
            if len(data) < WHOLE:
                if self._needle and self._needle not in data and data[:1] not in b"\xff\xfe":
                    return []
                text = encoding.decode(data).text
                return self._search(path, iter(text.removesuffix("\n").split("\n")))
            os.lseek(fd, 0, os.SEEK_SET)
            with open(fd, "rb", closefd=False) as file:
                return self._search(path, _lines(file))

    def _search(self, path: str, lines: Iterator[str]) -> list[Any]:
        matches: list[Any] = []
        before: deque[str] = deque(maxlen=self._context)
        waiting: list[list[str]] = []
        search, context = self._pattern.search, self._context
        for number, line in enumerate(lines, 1):
            if number % BATCH == 1:
                self.where = f" in {path}, line {number} and after"
                signal.setitimer(signal.ITIMER_VIRTUAL, CPU_S)
            line = line.removesuffix("\r")
            hit = search(line)
            if context:
                waiting = [each for each in waiting if len(each) < context]
                for each in waiting:
                    each.append(_shown(line, 0)[0])
            if hit is not None:
                if self._left <= 0:
                    break
                self._left -= 1
                text, start = _shown(line, hit.start())
                after: list[str] = []
                matches.append([number, start + 1, text, list(before), after])
                waiting.append(after)
            if context:
                before.append(_shown(line, 0)[0])
        return matches


def _shown(line: str, start: int) -> tuple[str, int]:
    """The line, or of a very long one the part around ``start``; and where that now is."""
    if len(line) <= SHOWN:
        return line, min(start, len(line))
    first = max(0, min(start - SHOWN // 4, len(line) - SHOWN))
    return line[first : first + SHOWN], start - first


def _lines(file: Any) -> Iterator[str]:
    """The lines of an open file without their ends; of a very long one the first ``LINE`` bytes."""
    whole = True
    for part in iter(lambda: file.readline(LINE), b""):
        if whole:
            yield part.rstrip(b"\n").decode("utf-8", "replace")
        whole = part.endswith(b"\n")


def main() -> None:
    """Serves on the standard streams."""

    def slow(_signal: int, _frame: object) -> None:
        raise Slow

    signal.signal(signal.SIGVTALRM, slow)
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):
            continue
    out = sys.stdout.buffer

    def reply(answer: Answer) -> None:
        out.write(json.dumps(answer).encode("ascii") + b"\n")
        out.flush()

    serve(itertools.chain(sys.stdin.buffer), reply)


if __name__ == "__main__":
    main()
