"""Readers beside a writer: they see what is committed, and see more when they ask."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from keelbook.archive import Archive
from keelbook.errors import Refused
from keelbook.events import Logged
from keelbook.log import Log
from tests.log.samples import TOTAL, Counted, Hinted

WATCH = """
import sys
from pathlib import Path
from tests.log.samples import TOTAL, archive_in
log = archive_in(Path(sys.argv[1])).read("one")
for line in sys.stdin:
    print(log.refresh(), log.length, log.fold(TOTAL), flush=True)
"""


def test_a_reader_sees_more_after_a_refresh(log: Log, archive: Archive) -> None:
    with archive.read("one") as reader:
        heard: list[tuple[Logged, ...]] = []
        reader.subscribe(heard.append)
        assert reader.fold(TOTAL) == 0
        batch = log.append(Counted(number=1), Hinted())
        assert reader.length == 1
        assert reader.refresh() == 2
        assert (reader.length, reader.fold(TOTAL)) == (3, 1)
        assert heard == [batch]
        assert reader.refresh() == 0
        assert len(heard) == 1


def test_a_reader_takes_in_thousands_in_pieces(log: Log, archive: Archive) -> None:
    with archive.read("one") as reader:
        sizes: list[int] = []
        reader.subscribe(lambda batch: sizes.append(len(batch)))
        reader.fold(TOTAL)
        log.append(*(Counted(number=1) for _ in range(2500)))
        assert reader.refresh() == 2500
        assert reader.fold(TOTAL) == 2500
    assert sizes == [1000, 1000, 500]


def test_a_reader_meets_a_new_unknown_event_with_a_sentence(log: Log, archive: Archive) -> None:
    from keelbook.events import Vocabulary
    from tests.log.samples import archive_in

    with archive_in(archive.folder.parent, Vocabulary()).read("one") as reader:
        log.append(Counted(number=1))
        with pytest.raises(Refused, match="holds `sample/counted` events"):
            reader.refresh()


def test_another_process_follows_a_writer(log: Log, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WATCH, str(tmp_path)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask() -> str:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        assert ask() == "0 1 0"
        log.append(Counted(number=5))
        assert ask() == "1 2 5"
        log.append(Counted(number=5), Counted(number=7))
        log.save()
        assert ask() == "2 4 17"
        log.close()
        assert ask() == "0 4 17"
        process.stdin.close()
