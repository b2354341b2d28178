"""The operating system's limits on the guest, and the CPU budget of each cell.

Rules (guest H1, H3, H7, H8)
- Soft and hard limits are made equal at the start, so that a cell cannot raise them; what
  the system refuses is reported as null, never as set.
- A cell's CPU budget is a timer on the process's CPU clock that sends SIGXCPU, again every
  quarter of a second; where there is no such timer, the soft CPU limit.
"""

from __future__ import annotations

import ctypes
import math
import resource
import signal
from time import process_time
from typing import Any

from keelbook_guest.system import LINUX, libc

CLOCK_PROCESS_CPUTIME_ID = 2
SIGEV_SIGNAL = 0
AGAIN_S = 0.25

_RESOURCES = {
    "address_bytes": resource.RLIMIT_AS,
    "nofile": resource.RLIMIT_NOFILE,
    "fsize_bytes": resource.RLIMIT_FSIZE,
}


def apply_limits(limits: dict[str, Any]) -> dict[str, float | None]:
    """Sets what `limits` asks for; what is in force, by name, null where nothing is."""
    applied: dict[str, float | None] = {}
    for name, number in _RESOURCES.items():
        applied[name] = _set(number, limits.get(name))
    life = limits.get("cpu_life_s")
    applied["cpu_life_s"] = None
    if life is not None:
        used = math.ceil(process_time() + life)
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (used, used))
            applied["cpu_life_s"] = life
        except (ValueError, OSError):
            applied["cpu_life_s"] = None
    return applied


def _set(number: int, value: int | None) -> int | None:
    if value is None:
        return None
    try:
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(number, (value, value))
    except (ValueError, OSError):
        return None
    return value


class _Event(ctypes.Structure):
    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signo", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("pad", ctypes.c_int * 12),
    )


class _Times(ctypes.Structure):
    _fields_ = (
        ("again_s", ctypes.c_long),
        ("again_ns", ctypes.c_long),
        ("first_s", ctypes.c_long),
        ("first_ns", ctypes.c_long),
    )


class CpuBudget:
    """The CPU time that the code now running may use."""

    def __init__(self) -> None:
        self._armed = False
        self._timer: ctypes.c_void_p | None = None
        self._by_limit = False
        self._hard = resource.getrlimit(resource.RLIMIT_CPU)[1]

    def arm(self, seconds: float | None) -> None:
        """Gives `seconds` from now on, or as many as one likes."""
        if seconds is None:
            if self._armed:
                self._armed = False
                self._set(0.0)
            return
        self._armed = True
        self._set(seconds)

    def _set(self, seconds: float) -> None:
        if self._timer is None and not self._by_limit:
            self._timer = _make_timer()
            self._by_limit = self._timer is None
        if self._by_limit:
            self._limit(seconds)
            return
        again = AGAIN_S if seconds else 0.0
        times = _Times(0, int(again * 1e9), int(seconds), int(seconds % 1 * 1e9))
        libc.timer_settime(self._timer, 0, ctypes.byref(times), None)

    def _limit(self, seconds: float) -> None:
        soft = math.ceil(process_time() + seconds) if seconds else self._hard
        if self._hard != resource.RLIM_INFINITY:
            soft = min(soft, self._hard)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, self._hard))


def _make_timer() -> ctypes.c_void_p | None:
    if not LINUX or not hasattr(libc, "timer_create"):
        return None
    event = _Event(None, signal.SIGXCPU, SIGEV_SIGNAL)
    timer = ctypes.c_void_p()
    made = libc.timer_create(CLOCK_PROCESS_CPUTIME_ID, ctypes.byref(event), ctypes.byref(timer))
    return timer if made == 0 else None
