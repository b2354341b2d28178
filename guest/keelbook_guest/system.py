"""The few system calls that Python has no function for, by ctypes.

Rules: every call says by its return value whether the system did it; none raises for a
system that lacks it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Any

LINUX = sys.platform.startswith("linux")
PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
PR_SET_CHILD_SUBREAPER = 36

libc = ctypes.CDLL(None, use_errno=True)
_prctl: Any = libc.prctl if LINUX else None
_fflush: Any = libc.fflush
_fflush.argtypes = [ctypes.c_void_p]


def prctl(option: int, argument: int, third: int = 0) -> bool:
    """Linux `prctl`; whether it was done."""
    if _prctl is None:
        return False
    zero = ctypes.c_ulong(0)
    values = (ctypes.c_ulong(argument), ctypes.c_ulong(third), zero, zero)
    return bool(_prctl(option, *values) == 0)


def subreaper() -> bool:
    """Makes this process the parent of orphans below it."""
    return prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent: int) -> None:
    """Has the kernel kill this process when `parent` dies; dies now if it did already.

    From inside a new pid namespace the parent's pid shows as 0.
    """
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() not in (parent, 0):
        os._exit(1)


def flush_c_streams() -> None:
    """Writes out what C code left in its buffers."""
    _fflush(None)
