"""Opens exactly the path that was judged, and says in one sentence what the disk answered.

Rules: a path given here is resolved already, so no link may stand in it: it is walked down folder
by folder without following any, and a link that appeared since is ``path-changed`` (F6). Opening
never waits (a named pipe, a device). A file is replaced whole or not at all. Only the standard
library is needed: the search process uses this module too.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from keelbook.errors import KeelbookError, Refused, ToolFailed

_DOWN = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CHUNK = 1 << 20

_SENTENCES = {
    errno.ENOENT: "There is no file or folder {}.",
    errno.EACCES: "The operating system does not permit access to {}.",
    errno.EPERM: "The operating system does not permit access to {}.",
    errno.ENOTDIR: "{} leads through a file as if it were a folder.",
    errno.EISDIR: "{} is a folder.",
    errno.ELOOP: "{} is a link that leads back to itself.",
    errno.ENAMETOOLONG: "The name {} is too long.",
    errno.ENOSPC: "There is no room left on the disk to write {}; the file is as it was before.",
    errno.EDQUOT: "The disk quota is used up; {} is as it was before.",
    errno.EROFS: "{} lies on a disk that can only be read.",
    errno.EMFILE: "Too many files are open; try {} again later.",
}

_CODES = {errno.ENOENT: "not-found", errno.ENOSPC: "disk-full", errno.EDQUOT: "disk-full"}


def trouble(error: OSError, shown: str) -> KeelbookError:
    """The error a reader gets for what the disk answered about ``shown``."""
    sentence = _SENTENCES.get(error.errno or 0)
    if sentence is None:
        return ToolFailed(f"{shown} cannot be used: {error.strerror or error}.")
    return ToolFailed(sentence.format(shown), _CODES.get(error.errno or 0, "tool-failed"))


def changed(path: Path) -> Refused:
    """A link or another file stands where none was when the path was judged."""
    return Refused(
        f"{path} changed while it was being opened; nothing was read or written.", "path-changed"
    )


@contextlib.contextmanager
def folder(path: Path, *, create: bool = False) -> Iterator[int]:
    """A descriptor of the folder ``path`` to open entries by. Raises OSError, Refused."""
    fd = os.open("/", _DOWN & ~os.O_NOFOLLOW)
    try:
        for name in path.parts[1:]:
            below = _enter(fd, name, path, create)
            os.close(fd)
            fd = below
        yield fd
    finally:
        os.close(fd)


def _enter(fd: int, name: str, path: Path, create: bool) -> int:
    try:
        return os.open(name, _DOWN, dir_fd=fd)
    except FileNotFoundError:
        if not create:
            raise
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, dir_fd=fd)
        return os.open(name, _DOWN, dir_fd=fd)
    except OSError as error:
        raise _linked(error, fd, name, path) from None


def _linked(error: OSError, fd: int, name: str, path: Path) -> Exception:
    """``path-changed`` when a link was in the way, a loop of links apart; else the error."""
    if error.errno not in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
        return error
    if not stat.S_ISLNK(os.lstat(name, dir_fd=fd).st_mode):
        return error
    try:
        os.stat(path)
    except OSError as loop:
        if loop.errno == errno.ELOOP:
            return loop
    return changed(path)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[tuple[int, os.stat_result]]:
    """An ordinary file open for reading. Raises OSError, ToolFailed, Refused."""
    with folder(path.parent) as parent:
        try:
            fd = os.open(path.name or ".", _READ, dir_fd=parent)
        except OSError as error:
            raise _linked(error, parent, path.name, path) from None
    try:
        state = os.fstat(fd)
        if stat.S_ISDIR(state.st_mode):
            raise IsADirectoryError(errno.EISDIR, "", str(path))
        if not stat.S_ISREG(state.st_mode):
            raise ToolFailed(f"{path} is a {kind(state.st_mode)}, not a file that can be read.")
        yield fd, state
    finally:
        os.close(fd)


@contextlib.contextmanager
def reading_folder(path: Path) -> Iterator[int]:
    """A descriptor of a folder to list its entries by. Raises OSError, Refused."""
    with folder(path) as place:
        fd = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=place)
    try:
        yield fd
    finally:
        os.close(fd)


def contents(fd: int, most: int) -> bytes:
    """What is left to read of an open file, at most ``most`` bytes. Sizes are not trusted."""
    parts, left = [], most
    while left > 0 and (part := os.read(fd, min(_CHUNK, left))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def stamp(state: os.stat_result) -> tuple[int, int, int]:
    """What tells this state of the file from another (``files.Stamp``)."""
    return state.st_ino, state.st_mtime_ns, state.st_size


def state_of(parent: int, name: str) -> os.stat_result | None:
    """The entry itself, links not followed; None when there is none."""
    try:
        return os.lstat(name, dir_fd=parent)
    except FileNotFoundError:
        return None


def replace(
    path: Path, data: bytes, allows: Callable[[os.stat_result | None], None]
) -> os.stat_result:
    """Puts ``data`` at ``path``, whole or not at all, and keeps the mode of what was there.

    ``allows`` is given what stands there just before the change and raises to prevent it.
    Folders on the way are made. Raises OSError, Refused, and what ``allows`` raises.
    """
    with folder(path.parent, create=True) as parent:
        before = state_of(parent, path.name)
        allows(before)
        interim = f".{path.name[:200]}.{secrets.token_hex(4)}"
        mode = stat.S_IMODE(before.st_mode) if before else 0o666
        fd = os.open(
            interim, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode, dir_fd=parent
        )
        try:
            _fill(fd, data, before)
            written = os.fstat(fd)
            allows(state_of(parent, path.name))
            os.rename(interim, path.name, src_dir_fd=parent, dst_dir_fd=parent)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(interim, dir_fd=parent)
            raise
        finally:
            os.close(fd)
        return written


def _fill(fd: int, data: bytes, before: os.stat_result | None) -> None:
    if before is not None:
        if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
            with contextlib.suppress(OSError):
                os.fchown(fd, before.st_uid, before.st_gid)
        os.fchmod(fd, stat.S_IMODE(before.st_mode))
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def kind(mode: int) -> str:
    """``file``, ``folder``, ``link``, or what else an entry is."""
    for test, word in _KINDS:
        if test(mode):
            return word
    return "special file"


_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISREG, "file"),
    (stat.S_ISDIR, "folder"),
    (stat.S_ISLNK, "link"),
    (stat.S_ISFIFO, "named pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISBLK, "device"),
    (stat.S_ISCHR, "device"),
)
