"""The lease of a session: one writer at a time, ended by the operating system with its process.

Rules: the lease is an ``flock`` on a file in the session's folder, which also names the holder;
what is written there is for the sentence only and decides nothing. The descriptor is closed on
exec, so no child process keeps a dead writer's session locked.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from pathlib import Path

from keelbook.errors import Refused

NAME = "writer"
_GLANCE_S = 0.02


class Lease:
    """A held lease on one session's folder."""

    def __init__(self, folder: Path) -> None:
        """Takes the lease. Raises Refused ``lease-held`` naming the holder's process."""
        self.folder = folder
        path = folder / NAME
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise Refused(
                f"Session {folder.name} cannot be opened for writing: {error.strerror}.", "log-io"
            ) from None
        if not (_lock(self._file) or self._after_a_glance()):
            os.close(self._file)
            raise Refused(_held(folder), "lease-held")
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def _after_a_glance(self) -> bool:
        """A second try: ``holder`` in another process has the lock for some microseconds."""
        time.sleep(_GLANCE_S)
        return _lock(self._file)

    @property
    def lost(self) -> bool:
        """Whether the session's folder was removed from under the writer."""
        return os.fstat(self._file).st_nlink == 0

    def release(self) -> None:
        """Gives the lease up. A second call does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def holder(folder: Path) -> int | None:
    """The process that writes to this session, or None when nobody does."""
    try:
        file = os.open(folder / NAME, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return int(os.pread(file, 32, 0).strip() or b"0")
    finally:
        os.close(file)
    return None


def _lock(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _held(folder: Path) -> str:
    found = (folder / NAME).read_bytes().strip().decode("ascii", "replace") or "unknown"
    return (
        f"Session {folder.name} is already open for writing in process {found}; "
        "close it there, or start a new session."
    )
