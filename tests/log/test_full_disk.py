"""A disk that takes no more: one sentence, nothing torn, and on again when there is room."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.log.samples import Counted, archive_in

ROOT = Path(__file__).parents[2]

LIMITED = """
import json, resource, sys
from pathlib import Path
from keelbook.errors import Refused
from tests.log.samples import TOTAL, Counted, Hinted, archive_in
log = archive_in(Path(sys.argv[1])).create(session="one")
log.register(TOTAL)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
heard = []
log.subscribe(lambda batch: heard.append(batch[-1].seq))
said = []
for n in range(2000):
    before = log.length, log.fold(TOTAL), len(heard)
    try:
        log.append(*(Counted(number=1, note="x" * 100) for _ in range(10)))
    except Refused as refused:
        assert (log.length, log.fold(TOTAL), len(heard)) == before
        said.append((refused.code, refused.sentence))
        if len(said) == 3:
            break
stuck = log.length
try:
    log.append(Hinted(hint="x" * 9000))
except Refused as refused:
    said.append((refused.code, refused.sentence))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
log.append(Counted(number=1))
log.append(Hinted(hint="first of its tag"))
log.check()
print(json.dumps({"said": said, "stuck": stuck, "length": log.length, "total": log.fold(TOTAL)}))
"""

FULL = """
import json, os, sys
from pathlib import Path
from keelbook.errors import Refused
from keelbook.objects import LocalObjects
from tests.log.samples import TOTAL, Counted, archive_in
disk = Path(sys.argv[1])
log = archive_in(disk).create(session="one")
log.register(TOTAL)
said = []
for n in range(10000):
    try:
        log.append(*(Counted(number=1, note="x" * 100) for _ in range(10)))
    except Refused as refused:
        said.append((refused.code, refused.sentence))
        if len(said) == 2:
            break
stuck = log.length, log.fold(TOTAL)
for act in (
    lambda: LocalObjects(disk / "objects").put(b"y" * 1_000_000),
    lambda: archive_in(disk).create(session="two"),
    lambda: archive_in(disk).fork("one", 1, "three"),
):
    try:
        act()
    except Refused as refused:
        said.append((refused.code, refused.sentence))
sessions = sorted(each.name for each in (disk / "sessions").iterdir())
assert (log.length, log.fold(TOTAL)) == stuck
log.close()
(disk / "ballast").unlink()
with archive_in(disk).write("one") as log:
    log.append(Counted(number=1))
    log.check()
    print(json.dumps({"said": said, "stuck": stuck[0], "length": log.length,
                      "total": log.fold(TOTAL), "sessions": sessions}))
"""

READ_ONLY = """
import json, sys
from pathlib import Path
from keelbook.errors import Refused
from tests.log.samples import archive_in
archive = archive_in(Path(sys.argv[1]))
said = []
for act in (archive.create, lambda: archive.write("one"), lambda: archive.fork("one", 1)):
    try:
        act()
    except Refused as refused:
        said.append((refused.code, refused.sentence))
with archive.read("one") as log:
    print(json.dumps({"said": said, "length": log.length}))
"""


def run(code: str, folder: Path, *before: str) -> dict[str, Any]:
    """What the program printed; ``before`` are commands of the shell it starts under."""
    command = [sys.executable, "-c", code, str(folder)]
    if before:
        script = " && ".join((*before, 'exec "$@"'))
        command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh",
                   *command]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    command = [
        "unshare",
        "--user",
        "--map-root-user",
        "--mount",
        "mount",
        "-t",
        "tmpfs",
        "t",
        "/mnt",
    ]
    return subprocess.run(command, capture_output=True).returncode == 0


mounting = pytest.mark.skipif(not _can_mount(), reason="this system lets nobody mount a tmpfs")


def test_a_file_that_may_not_grow_refuses_and_goes_on_later(tmp_path: Path) -> None:
    found = run(LIMITED, tmp_path)
    assert len(found["said"]) == 4
    for code, sentence in found["said"]:
        assert code == "log-io"
        assert sentence.endswith("nothing was logged.")
        assert "\n" not in sentence
    assert found["stuck"] > 100
    assert found["stuck"] % 10 == 1
    assert found["length"] == found["stuck"] + 2
    assert found["total"] == found["length"] - 2
    with archive_in(tmp_path).read("one") as log:
        log.check()
        assert log.length == found["length"]


@mounting
def test_a_full_disk_refuses_and_the_session_goes_on_when_there_is_room(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    found = run(
        FULL, disk,
        f"mount -t tmpfs -o size=1m tmpfs {disk}",
        f"head -c 300000 /dev/zero > {disk}/ballast",
    )  # fmt: skip
    assert [code for code, _ in found["said"]] == [
        "log-full", "log-full", "objects-full", "log-full", "log-full",
    ]  # fmt: skip
    assert found["said"][0][1] == (
        f"The log {disk}/sessions/one/log.sqlite cannot grow because the disk is full; "
        "nothing was logged."
    )
    assert found["sessions"] == ["one"]
    assert found["stuck"] > 100
    assert found["length"] == found["stuck"] + 1
    assert found["total"] == found["length"] - 1


@mounting
def test_a_read_only_disk_can_be_read_and_refuses_to_be_written(tmp_path: Path) -> None:
    with archive_in(tmp_path).create(session="one") as log:
        log.append(Counted(number=1))
    found = run(READ_ONLY, tmp_path, f"mount --bind -o ro {tmp_path} {tmp_path}")
    assert found["length"] == 2
    assert len(found["said"]) == 3
    for _, sentence in found["said"]:
        assert sentence.endswith(": Read-only file system.")
