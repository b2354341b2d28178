"""A log that cannot be trusted is refused with a sentence, and not one byte of it changes."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from keelbook.archive import Archive
from keelbook.errors import Refused
from keelbook.events import Vocabulary
from keelbook.log import Log
from keelbook.store import FORMAT
from tests.log.samples import TOTAL, Counted, Hinted, archive_in


@pytest.fixture
def file(log: Log) -> Path:
    """A closed log of some 4,000 events."""
    for start in range(0, 4000, 40):
        log.append(*(Counted(number=n, note="m" * 40) for n in range(start, start + 40)))
    log.close()
    return log.folder / "log.sqlite"


def digest(file: Path) -> str:
    """What is in the file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def alter(file: Path, statement: str) -> None:
    """Changes the file as a stranger with a SQLite shell would."""
    db = sqlite3.connect(file)
    with db:
        db.execute(statement)
    db.close()


def refused(archive: Archive, file: Path, act: Callable[[], object]) -> str:
    """The sentence ``act`` is refused with; the file is as it was."""
    before = digest(file)
    with pytest.raises(Refused) as found:
        act()
    assert digest(file) == before
    assert archive.writer("one") is None
    assert "\n" not in found.value.sentence
    assert found.value.code == "log-damaged"
    assert str(file) in found.value.sentence
    assert found.value.sentence.endswith("; nothing was changed.")
    return found.value.sentence


def check(archive: Archive) -> None:
    """Opens the session and reads all of it."""
    with archive.read("one") as log:
        log.check()


def test_a_sound_log_passes_its_check(archive: Archive, file: Path) -> None:
    check(archive)


def test_a_file_that_is_no_database_is_refused(archive: Archive, file: Path) -> None:
    """guest I11"""
    file.write_bytes(b"not a database at all, but long enough to look" * 100)
    assert "file is not a database" in refused(archive, file, lambda: archive.write("one"))
    refused(archive, file, lambda: archive.read("one"))


def test_an_empty_file_is_refused(archive: Archive, file: Path) -> None:
    file.write_bytes(b"")
    assert "it is not a Keelbook log" in refused(archive, file, lambda: archive.read("one"))
    refused(archive, file, lambda: archive.write("one"))


def test_a_database_of_something_else_is_refused(archive: Archive, file: Path) -> None:
    alter(file, "PRAGMA application_id=7")
    assert "it is not a Keelbook log" in refused(archive, file, lambda: archive.write("one"))


def test_a_missing_event_is_refused_at_once(archive: Archive, file: Path) -> None:
    """guest I11: damage in the middle"""
    alter(file, "DELETE FROM event WHERE seq = 77")
    said = refused(archive, file, lambda: archive.write("one"))
    assert "it holds 4000 events where 4001 were numbered" in said


def test_a_changed_letter_is_refused_when_it_is_read(archive: Archive, file: Path) -> None:
    """guest I11: damage in the middle"""
    alter(file, "UPDATE event SET data = replace(data, 'mmm', 'mnm') WHERE seq = 77")
    said = refused(archive, file, lambda: check(archive))
    assert "event 77 is not what was written" in said
    with archive.read("one") as log:
        assert len(list(log.read(until=76))) == 76
        with pytest.raises(Refused, match="event 77"):
            log.at([77])


@pytest.mark.parametrize("data", ["{", "[]", '{"number": "x"}', '{"number": 1, "extra": 2}'])
def test_an_event_that_is_none_is_refused(archive: Archive, file: Path, data: str) -> None:
    crc = zlib.crc32(data.encode())
    alter(file, f"UPDATE event SET data = '{data}', crc = {crc} WHERE seq = 3000")
    said = refused(archive, file, lambda: check(archive))
    assert "event 3000 is no `sample/counted`: " in said


def test_overwritten_pages_are_refused(archive: Archive, file: Path) -> None:
    """guest I11: damage in the middle"""
    data = bytearray(file.read_bytes())
    for page in range(8, 40):
        data[page * 4096 : page * 4096 + 64] = b"\xa5" * 64
    file.write_bytes(data)
    refused(archive, file, lambda: check(archive))


@pytest.mark.parametrize("part", [0.2, 0.5, 0.95])
def test_a_file_cut_short_is_refused(archive: Archive, file: Path, part: float) -> None:
    """guest I11: damage in the middle"""
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * part)])
    refused(archive, file, lambda: check(archive))


def test_damage_met_while_writing_stops_nothing_else(archive: Archive, file: Path) -> None:
    alter(file, "UPDATE event SET data = replace(data, 'mmm', 'mnm') WHERE seq = 77")
    with archive.write("one") as log:
        with pytest.raises(Refused, match="event 77"):
            log.fold(TOTAL)
        assert log.append(Counted(number=1))[0].seq == 4002
        assert next(log.read(after=4001)).event == Counted(number=1)


def test_an_unknown_event_is_refused_unless_it_may_be_passed_over(
    archive: Archive, file: Path
) -> None:
    before = digest(file)
    stranger = archive_in(archive.folder.parent, Vocabulary((Hinted,)))
    for act in (stranger.write, stranger.read):
        with pytest.raises(Refused) as found:
            act("one")
        assert found.value.code == "log-unknown"
        assert found.value.sentence == (
            "The log of session one holds `sample/counted` events, which this Keelbook does not "
            "know; open it with the version and the rows that wrote it. Nothing was changed."
        )
    assert digest(file) == before
    assert archive.writer("one") is None


def test_a_log_of_a_newer_keelbook_is_refused(archive: Archive, file: Path) -> None:
    alter(file, f"PRAGMA user_version={FORMAT + 1}")
    before = digest(file)
    with pytest.raises(Refused, match="was written by a newer Keelbook") as found:
        archive.write("one")
    assert found.value.code == "log-unknown"
    assert digest(file) == before
