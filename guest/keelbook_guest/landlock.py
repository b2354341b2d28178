"""Landlock, the Linux kernel's sandbox for unprivileged processes, by system calls.

Rules: each right that the running kernel's version lacks is named (guest H20); a path
that is not there is passed over; what is granted on a folder holds for all below it, and
nothing below can be taken back (guest H16).
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable

from keelbook_guest.system import LINUX, PR_SET_NO_NEW_PRIVS, libc, prctl

CREATE, ADD, RESTRICT = 444, 445, 446
VERSION_FLAG = 1
PATH_BENEATH, NET_PORT = 1, 2

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_CHAR, MAKE_BLOCK = 1 << 6, 1 << 11
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
READING = EXECUTE | READ_FILE | READ_DIR
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
TCP = 3
SCOPES = 3

RIGHTS_SINCE = {1: (1 << 13) - 1, 2: REFER, 3: TRUNCATE, 5: IOCTL_DEV}
NAMED_SINCE = {
    3: ("truncate",),
    4: ("tcp",),
    5: ("device ioctl",),
    6: ("signals", "abstract sockets"),
}


class _Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _Port(ctypes.Structure):
    _fields_ = (("allowed", ctypes.c_uint64), ("port", ctypes.c_uint64))


def version() -> int:
    """The kernel's Landlock ABI; 0 where there is none."""
    if not LINUX:
        return 0
    flags = ctypes.c_uint32(VERSION_FLAG)
    return max(0, int(libc.syscall(CREATE, None, ctypes.c_size_t(0), flags)))


def absent_rights(abi: int, tcp: str | list[int]) -> list[str]:
    """What a ruleset of this version cannot refuse, of what was asked for."""
    names = [name for since, found in NAMED_SINCE.items() if since > abi for name in found]
    return [name for name in names if name != "tcp" or tcp != "all"]


def restrict(
    read: Iterable[str], write: Iterable[str], tcp: str | list[int], abi: int
) -> str | None:
    """Confines this thread and all it starts; a reason if that was not done."""
    handled = 0
    for since, rights in RIGHTS_SINCE.items():
        handled |= rights if abi >= since else 0
    net = TCP if abi >= 4 and tcp != "all" else 0
    attributes = _Ruleset(handled, net, SCOPES if abi >= 6 else 0)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = libc.syscall(
        CREATE, ctypes.byref(attributes), ctypes.c_size_t(size), ctypes.c_uint32(0)
    )
    if ruleset < 0:
        return f"landlock_create_ruleset failed: {os.strerror(ctypes.get_errno())}"
    try:
        for path in read:
            _allow(ruleset, path, READING & handled)
        for path in write:
            _allow(ruleset, path, handled & ~(MAKE_CHAR | MAKE_BLOCK))
        for port in tcp if net and isinstance(tcp, list) else ():
            rule = _Port(TCP, port)
            libc.syscall(ADD, ruleset, NET_PORT, ctypes.byref(rule), ctypes.c_uint32(0))
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        if libc.syscall(RESTRICT, ruleset, ctypes.c_uint32(0)) != 0:
            return f"landlock_restrict_self failed: {os.strerror(ctypes.get_errno())}"
    finally:
        os.close(ruleset)
    return None


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= ON_FILES
        rule = _Beneath(rights, fd)
        libc.syscall(ADD, ruleset, PATH_BENEATH, ctypes.byref(rule), ctypes.c_uint32(0))
    finally:
        os.close(fd)
