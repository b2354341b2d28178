"""Large values of a frame as file descriptors: made, checked, read.

Rules: a value longer than ``inline_bytes`` leaves a null in its place and travels in a sealed
memfd (an unlinked file where there are none). What arrives is trusted in nothing: only a regular
file of exactly the stated size, sealed where seals exist, is read, with ``pread``; every
descriptor is closed whatever happens. A payload stands only where the protocol has a place for one.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
import tempfile
from collections.abc import Callable, Sequence
from typing import Final

from keelbook.guest_process.decoding import Check, Frame, Wrong, checker, parse
from keelbook.guest_process.protocol import GUEST_FRAMES, PAYLOAD_PLACES

_ESCAPED: Final = 6
"""Bytes of JSON that one character may take."""

_SEALED: Final = hasattr(os, "memfd_create")
_SEALS: Final = 0x1 | 0x2 | 0x4 | 0x8 if _SEALED else 0
_ADD_SEALS: Final = 1033
_GET_SEALS: Final = 1034


def put(data: bytes) -> int:
    """A new descriptor holding ``data``, which nobody can change any more where seals exist."""
    if not _SEALED:
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            return os.dup(file.fileno())
    fd = os.memfd_create("keelbook-payload", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(fd, left) :]
        fcntl.fcntl(fd, _ADD_SEALS, _SEALS)
    except BaseException:
        os.close(fd)
        raise
    return fd


def take(fd: int, size: int, most: int) -> bytes:
    """The ``size`` bytes a peer's descriptor holds. Raises Wrong; never closes ``fd``."""
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        raise Wrong("a payload that is no regular file")
    if found.st_size != size or size > most:
        raise Wrong(f"a payload of {found.st_size} bytes that says {size} (at most {most})")
    if _SEALED and not _is_sealed(fd):
        raise Wrong("a payload that is not sealed")
    parts, offset = [], 0
    while offset < size:
        part = os.pread(fd, size - offset, offset)
        if not part:
            raise Wrong("a payload that ends early")
        parts.append(part)
        offset += len(part)
    return b"".join(parts)


def _is_sealed(fd: int) -> bool:
    try:
        return fcntl.fcntl(fd, _GET_SEALS) & 0xE == 0xE
    except OSError:
        return False


def close_all(fds: Sequence[int]) -> None:
    """Closes descriptors; one that is closed already is passed over."""
    for fd in fds:
        try:
            os.close(fd)
        except OSError:
            continue


def fill(frame: Frame, fds: Sequence[int], most: int, depth: int) -> None:
    """Puts the payloads of a decoded frame in their places and closes ``fds``.

    ``most`` bounds all payloads of the frame together. Raises Wrong.
    """
    try:
        entries = frame.pop("payloads")
        if not entries or len(entries) != len(fds):
            raise Wrong(f"{len(entries)} payloads listed and {len(fds)} sent")
        for index, (entry, fd) in enumerate(zip(entries, fds, strict=True)):
            data = take(fd, entry["bytes"], most)
            most -= len(data)
            _put_in_place(frame, index, entry, data, depth)
    finally:
        close_all(fds)


def _put_in_place(frame: Frame, index: int, entry: Frame, data: bytes, depth: int) -> None:
    t, at, form = frame["t"], entry["at"], entry["form"]
    place = PAYLOAD_PLACES.get(t)
    if t == "comm" and form == "bytes" and at == f"{place}/{index}":
        buffers = frame.get("buffers", [])
        if index < len(buffers):
            buffers[index] = data
            return
    elif t != "comm" and form != "bytes" and at == place and index == 0:
        value = parse(data, depth) if form == "json" else data.decode("utf-8", "replace")
        frame[at[1:]] = _TRAVELLED[t](value)
        return
    raise Wrong("a payload in a place where none may be")


_TRAVELLED: Final[dict[str, Check]] = {
    t: checker({**GUEST_FRAMES[t][0], **GUEST_FRAMES[t][1]}[place[1:]])
    for t, place in PAYLOAD_PLACES.items()
    if t in GUEST_FRAMES
}


class TooLong(ValueError):
    """A value that must not cross; ``size`` is its length in bytes."""

    def __init__(self, size: int) -> None:
        super().__init__(f"a value of {size} bytes")
        self.size = size


def pack(
    frame: Frame, encode: Callable[[Frame], bytes], inline: int, most: int
) -> tuple[bytes, list[int]]:
    """The line of a host's frame and the descriptors that go with it.

    The caller sends the descriptors with the first byte of the line and closes them. Raises
    TooLong for a value of more than ``most`` bytes, TypeError or ValueError for what is no JSON.
    """
    place = PAYLOAD_PLACES.get(frame["t"], "/")
    value = frame.get(place[1:])
    if value is None or not isinstance(value, (str, list, dict)):
        return encode(frame), []
    if frame["t"] == "comm":
        return _pack_buffers(frame, encode)
    if isinstance(value, str) and len(value) * _ESCAPED <= min(inline, most):
        return encode(frame), []
    form, data = _as_bytes(value)
    if len(data) > most:
        raise TooLong(len(data))
    if len(data) <= inline and len(line := encode(frame)) <= 2 * inline:
        return line, []
    entry = {"at": place, "bytes": len(data), "form": form}
    line = encode({**frame, place[1:]: None, "payloads": [entry]})
    return line, [put(data)]


def _as_bytes(value: object) -> tuple[str, bytes]:
    if isinstance(value, str):
        try:
            return "text", value.encode()
        except UnicodeEncodeError:
            pass
    return "json", json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def _pack_buffers(frame: Frame, encode: Callable[[Frame], bytes]) -> tuple[bytes, list[int]]:
    buffers = frame["buffers"]
    entries = [
        {"at": f"{PAYLOAD_PLACES['comm']}/{index}", "bytes": len(data), "form": "bytes"}
        for index, data in enumerate(buffers)
    ]
    line = encode({**frame, "buffers": [None] * len(buffers), "payloads": entries})
    return line, [put(data) for data in buffers]
