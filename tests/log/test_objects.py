"""Content-addressed objects: whole or absent, checked, and without a path in the contract."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest

from keelbook.errors import Refused
from keelbook.objects import LocalObjects


@pytest.fixture(params=[False, True], ids=["plain", "durable"])
def objects(tmp_path: Path, request: pytest.FixtureRequest) -> LocalObjects:
    """An empty store."""
    return LocalObjects(tmp_path / "objects", durable=request.param)


def only_file(folder: Path) -> Path:
    """The one object's file."""
    (found,) = (path for path in folder.rglob("*") if path.is_file())
    return found


@pytest.mark.parametrize("data", [b"", b"\0\xff" * 9, b"x" * 3_000_000])
def test_bytes_come_back_by_their_digest(objects: LocalObjects, data: bytes) -> None:
    digest = objects.put(data)
    assert digest == hashlib.sha256(data).hexdigest()
    assert objects.get(digest) == data
    assert objects.has(digest)
    assert list(objects.digests()) == [digest]
    assert objects.put(memoryview(data)) == digest


def test_the_same_bytes_are_kept_once_and_their_age_is_renewed(
    objects: LocalObjects, tmp_path: Path
) -> None:
    objects.put(b"same")
    path = only_file(tmp_path)
    os.utime(path, (1, 1))
    inode = path.stat().st_ino
    objects.put(b"same")
    assert only_file(tmp_path).stat().st_ino == inode
    assert path.stat().st_mtime > 1


def test_an_object_is_its_owners_only(objects: LocalObjects, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        objects.put(b"private")
    finally:
        os.umask(before)
    path = only_file(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700


def test_a_forgotten_object_is_gone_and_can_be_forgotten_again(objects: LocalObjects) -> None:
    digest = objects.put(b"gone")
    objects.delete(digest)
    objects.delete(digest)
    assert not objects.has(digest)
    assert list(objects.digests()) == []
    with pytest.raises(Refused, match=f"There is no object {digest[:16]}") as found:
        objects.get(digest)
    assert found.value.code == "object-missing"


def test_a_changed_object_is_refused_and_can_be_put_again(
    objects: LocalObjects, tmp_path: Path
) -> None:
    digest = objects.put(b"truth")
    only_file(tmp_path).write_bytes(b"lies!!")
    with pytest.raises(Refused, match="is damaged") as found:
        objects.get(digest)
    assert found.value.code == "object-damaged"
    objects.put(b"truth")
    assert objects.get(digest) == b"truth"


@pytest.mark.parametrize("digest", ["", "../../etc/passwd", "A" * 64, "0" * 63, "0" * 64 + "\n"])
def test_what_is_no_digest_is_refused(objects: LocalObjects, digest: str) -> None:
    for act in (objects.get, objects.has, objects.delete):
        with pytest.raises(Refused, match="no object's digest"):
            act(digest)


def test_a_write_that_was_cut_off_is_no_object(objects: LocalObjects, tmp_path: Path) -> None:
    digest = objects.put(b"whole")
    path = only_file(tmp_path)
    path.rename(path.with_name(path.name + ".1234.new"))
    assert list(objects.digests()) == []
    assert not objects.has(digest)


def test_no_sentence_names_a_path(objects: LocalObjects, tmp_path: Path) -> None:
    digest = objects.put(b"x")
    path = only_file(tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(Refused) as found:
        objects.get(digest)
    assert str(tmp_path) not in found.value.sentence
    with pytest.raises(Refused) as found:
        objects.put(b"x")
    assert str(tmp_path) not in found.value.sentence
    assert found.value.code == "objects-io"
