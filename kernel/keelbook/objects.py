"""Content-addressed objects: bytes by the digest of what they are.

Rules: a digest is 64 hex digits of SHA-256; the same bytes are kept once. An object appears whole
or not at all, is never changed, and is checked when it is read. The contract says nothing of where
objects lie: no path goes in or comes out. ``put`` of bytes that are there renews their age, so that
a collector which spares young objects spares them.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from keelbook.errors import Refused
from keelbook.private import private_folder

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Objects(Protocol):
    """A store of immutable bytes."""

    def put(self, data: bytes | memoryview) -> str:
        """Keeps ``data``, returns its digest. Raises Refused (``objects-full``, ``objects-io``)."""

    def get(self, digest: str) -> bytes:
        """The bytes. Raises Refused (``object-missing``, ``object-damaged``)."""

    def has(self, digest: str) -> bool:
        """Whether the object is there; its content is not checked."""

    def delete(self, digest: str) -> None:
        """Forgets the object; one that is not there is passed over."""

    def digests(self) -> Iterator[str]:
        """Every object that is there, in no order."""


class LocalObjects:
    """Objects as files of one folder, which only its owner may read.

    ``durable``: an object has reached the disk when ``put`` returns, also through a power cut.
    """

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self._folder = private_folder(folder)
        self._durable = durable

    def put(self, data: bytes | memoryview) -> str:
        """Keeps ``data`` and returns its digest."""
        digest = hashlib.sha256(data).hexdigest()
        path = self._path(digest)
        try:
            if path.stat().st_size == memoryview(data).nbytes:
                os.utime(path)
                return digest
        except OSError:
            pass
        try:
            self._write(path, data)
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
            raise Refused(
                f"An object of {memoryview(data).nbytes:,} bytes could not be kept: "
                f"{error.strerror}.",
                "objects-full" if full else "objects-io",
            ) from None
        return digest

    def _write(self, path: Path, data: bytes | memoryview) -> None:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
        file = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(file, "wb") as out:
                out.write(data)
                if self._durable:
                    out.flush()
                    os.fsync(out.fileno())
            os.replace(fresh, path)
        except BaseException:
            with suppress(OSError):
                fresh.unlink()
            raise
        if self._durable:
            _sync(path.parent)

    def get(self, digest: str) -> bytes:
        """The bytes, checked against their digest."""
        try:
            data = self._path(digest).read_bytes()
        except FileNotFoundError:
            raise Refused(f"There is no object {digest[:16]}.", "object-missing") from None
        except OSError as error:
            raise Refused(
                f"Object {digest[:16]} cannot be read: {error.strerror}.", "object-damaged"
            ) from None
        if hashlib.sha256(data).hexdigest() != digest:
            raise Refused(
                f"Object {digest[:16]} is damaged; it was left as it is.", "object-damaged"
            )
        return data

    def has(self, digest: str) -> bool:
        """Whether the object is there."""
        return self._path(digest).is_file()

    def delete(self, digest: str) -> None:
        """Forgets the object."""
        with suppress(FileNotFoundError):
            self._path(digest).unlink()

    def digests(self) -> Iterator[str]:
        """Every object that is there."""
        for shelf in self._folder.glob("[0-9a-f][0-9a-f]"):
            for path in shelf.iterdir():
                if _DIGEST.fullmatch(shelf.name + path.name):
                    yield shelf.name + path.name

    def _path(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise Refused(f"`{digest[:80]}` is no object's digest.", "object-missing")
        return self._folder / digest[:2] / digest[2:]


def _sync(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)
