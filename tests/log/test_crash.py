"""Crashes: a writer killed at any moment, and a write-ahead log torn at any byte (guest I11)."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from keelbook.archive import Archive
from keelbook.log import Log
from keelbook.surface import FOLD, nodes
from tests.log.samples import TOTAL, Counted, archive_in, asked

BATCH = 7
WRITER = f"""
import sys
from pathlib import Path
from tests.log.samples import TOTAL, Counted, archive_in, asked
from keelbook.surface import FOLD
log = archive_in(Path(sys.argv[1])).write("one")
log.register(TOTAL, FOLD)
while True:
    start = log.length
    batch = [Counted(number=start) for _ in range({BATCH - 1})]
    log.append(*batch, asked(f"batch at {{start}}"))
    sys.stdout.write(f"{{log.length}}\\n")
    sys.stdout.flush()
"""


def whole(log: Log) -> None:
    """Every batch is there with all its events, and the folds say the same as the events do."""
    log.check()
    events = list(log.read(after=1))
    assert len(events) % BATCH == 0
    total = 0
    for start in range(0, len(events), BATCH):
        batch = events[start : start + BATCH]
        assert {each.event.number for each in batch[:-1] if isinstance(each.event, Counted)} == {
            start + 1
        }
        total += (start + 1) * (BATCH - 1)
    assert log.fold(TOTAL) == total
    assert len(log.fold(FOLD).order) == len(events) // BATCH


@pytest.mark.parametrize("seed", range(6))
def test_a_writer_killed_at_any_moment_leaves_whole_batches(
    archive: Archive, log: Log, tmp_path: Path, seed: int
) -> None:
    """guest I11: what was appended before the kill is there, and nothing of a torn batch."""
    log.close()
    chance = random.Random(seed)
    for _ in range(3):
        command = [sys.executable, "-c", WRITER, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=_root()) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.uniform(0, 0.15))
            os.kill(process.pid, signal.SIGKILL)
            told = [line for line in process.stdout.read().split(b"\n") if line][-1:]
        with archive.write("one") as again:
            whole(again)
            assert again.length >= int(*told) if told else again.length >= 1


def _root() -> Path:
    return Path(__file__).parents[2]


def test_a_write_ahead_log_torn_at_any_byte_loses_whole_batches_only(
    archive: Archive, log: Log, tmp_path: Path
) -> None:
    """guest I11: the torn batch is absent whole, all before it is there."""
    for start in range(40):
        log.append(*(Counted(number=start) for _ in range(BATCH)))
    kept = tmp_path / "kept"
    shutil.copytree(log.folder, kept)
    log.close()
    size = (kept / "log.sqlite-wal").stat().st_size
    lengths = []
    for place in sorted(random.Random(1).sample(range(size // 4, size + 1), 60)):
        torn = _torn(kept, tmp_path / "torn", place)
        with torn.write("one") as again:
            again.check()
            assert (again.length - 1) % BATCH == 0
            lengths.append(again.length)
            assert again.append(Counted(number=1))[0].seq == again.length
    assert lengths == sorted(lengths)
    assert len(set(lengths)) > 20


def _torn(kept: Path, folder: Path, place: int) -> Archive:
    """A copy of the session whose write-ahead log ends at byte ``place``."""
    shutil.rmtree(folder, ignore_errors=True)
    archive = archive_in(folder)
    shutil.copytree(kept, archive.folder / "one")
    (archive.folder / "one" / "log.sqlite-shm").unlink()
    with (archive.folder / "one" / "log.sqlite-wal").open("r+b") as wal:
        wal.truncate(place)
    return archive


def test_a_reader_can_open_what_a_killed_writer_left(
    archive: Archive, log: Log, tmp_path: Path
) -> None:
    log.append(Counted(number=1), asked("hello"))
    copy = archive_in(tmp_path / "copy")
    shutil.copytree(log.folder, copy.folder / "one")
    with copy.read("one") as reader:
        assert reader.length == 3
        assert [node.id for node in nodes(reader)] == ["3.0"]
