"""Linux namespaces for the tree below the warden: user, pid, net, mount.

Rules: what could not be entered is named, never passed over (guest H20); a person keeps
their own user and group ids inside; a covered folder shows as an empty, read-only one
(guest H16); the loopback of a new net namespace is up.
"""

from __future__ import annotations

import ctypes
import errno
import os

from keelbook_guest.system import LINUX, libc

FLAGS = {"user": 0x10000000, "pid": 0x20000000, "net": 0x40000000, "mount": 0x00020000}
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


class Entered:
    """Which namespaces were entered, and what was asked for but could not be had."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.missing: list[str] = []


def enter(names: list[str], cover: list[str]) -> Entered:
    """Enters the namespaces of `names` together, then hides the folders of `cover`."""
    entered = Entered()
    asked = [name for name in FLAGS if name in names]
    if not asked:
        entered.missing += [f"cover {path}" for path in cover]
        return entered
    if not LINUX or not _unshare(asked):
        entered.missing += [f"{name} namespace" for name in asked]
        return entered
    entered.names = asked
    if "net" in asked and not _loopback_up():
        entered.missing.append("loopback")
    if "mount" in asked:
        _mount(None, "/", None, MS_REC | MS_PRIVATE)
    elif "pid" in asked:
        entered.missing.append("private /proc")
    for path in cover:
        if "mount" not in asked or not _cover(path):
            entered.missing.append(f"cover {path}")
    return entered


def mount_proc() -> bool:
    """Gives this mount namespace a /proc that shows its own pid namespace only."""
    return _mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)


def _unshare(asked: list[str]) -> bool:
    """As one call; without privilege the others need a user namespace of their own."""
    uid, gid = os.geteuid(), os.getegid()
    flags = sum(FLAGS[name] for name in asked)
    if libc.unshare(flags) == 0:
        if "user" in asked:
            _map_ids(uid, gid)
        return True
    if "user" in asked or ctypes.get_errno() != errno.EPERM:
        return False
    if libc.unshare(flags | FLAGS["user"]) != 0:
        return False
    asked.append("user")
    _map_ids(uid, gid)
    return True


def _map_ids(uid: int, gid: int) -> None:
    """A process whose ids are not mapped owns nothing: an OSError here ends the start."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {uid} 1"),
        ("gid_map", f"{gid} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _mount(source: str | None, target: str, kind: str | None, flags: int) -> bool:
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind)]
    return bool(libc.mount(*texts, ctypes.c_ulong(flags), b"" if kind else None) == 0)


def _cover(path: str) -> bool:
    if not os.path.exists(path):
        return True
    if os.path.isdir(path):
        return _mount("tmpfs", path, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
    return _mount(os.devnull, path, None, MS_BIND)


def _loopback_up() -> bool:
    import fcntl
    import socket
    import struct

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("16sh14x", b"lo", 0)
        try:
            flags = struct.unpack("16sh14x", fcntl.ioctl(probe, SIOCGIFFLAGS, request))[1]
            fcntl.ioctl(probe, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))
        except OSError:
            return False
    return True
