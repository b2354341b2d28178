"""The processes below a warden, seen from outside: CPU time, memory, who they are.

Rules (H4): the whole tree counts, living and reaped; CPU that vanishes with a process nobody
waited for is carried on, so that the sum never falls. On Linux by ``/proc``, elsewhere by psutil.
A pid is believed only together with the start token of its process (D13).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Final, NamedTuple

_PROC: Final = sys.platform.startswith("linux")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Process(NamedTuple):
    """One process: seconds of CPU, its own and of children it waited for; bytes resident."""

    pid: int
    cpu_s: float
    memory: int


def start_token(pid: int) -> str | None:
    """What tells this process from a later one of the same pid, or None when it is not there."""
    if _PROC:
        fields = _stat(pid)
        return fields[19].decode() if fields else None
    import psutil

    try:
        return str(psutil.Process(pid).create_time())
    except psutil.Error:
        return None


def processes(root: int) -> list[Process]:
    """``root`` and all below it that live now."""
    if not _PROC:
        return _by_psutil(root)
    found, ahead = [], [root]
    while ahead:
        pid = ahead.pop()
        fields = _stat(pid)
        if fields is None:
            continue
        cpu = sum(map(int, fields[11:15])) / _TICKS
        found.append(Process(pid, cpu, int(fields[21]) * _PAGE))
        ahead += _children(pid)
    return found


class CpuCount:
    """CPU seconds of one warden's tree since its start; ``total`` never falls."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._seen = 0.0
        self._lost = 0.0

    def total(self) -> float:
        """The sum now."""
        now = sum(process.cpu_s for process in processes(self._root))
        self._lost += max(0.0, self._seen - now)
        self._seen = now
        return now + self._lost


def _stat(pid: int) -> list[bytes] | None:
    """The fields of ``/proc/<pid>/stat`` after the name, state first."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            line = file.read()
    except OSError:
        return None
    return line[line.rindex(b")") + 2 :].split()


def _children(pid: int) -> Iterator[int]:
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return
    for task in tasks:
        try:
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                yield from map(int, file.read().split())
        except OSError:
            continue


def _by_psutil(root: int) -> list[Process]:
    import psutil

    found = []
    try:
        top = psutil.Process(root)
        for process in (top, *top.children(recursive=True)):
            with process.oneshot():
                times = process.cpu_times()
                cpu = times.user + times.system
                found.append(Process(process.pid, cpu, process.memory_info().rss))
    except psutil.Error:
        return found
    return found
