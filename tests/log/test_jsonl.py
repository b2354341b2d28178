"""JSONL: a session carried elsewhere and back (guest I11)."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from keelbook.archive import Archive
from keelbook.errors import Refused
from keelbook.events import Vocabulary
from keelbook.jsonl import export, import_file
from keelbook.log import Log
from tests.log.samples import TOTAL, Counted, Hinted, archive_in, asked


@pytest.fixture
def lines(log: Log) -> list[bytes]:
    """An exported session: five batches, seven lines; the last batch has two."""
    log.append(Counted(number=1, note="é☃"))
    log.append(Hinted(hint="h"))
    log.append(Counted(number=2), asked("hello"))
    log.append(Counted(number=3), Counted(number=4))
    return exported(log)


def exported(log: Log) -> list[bytes]:
    """A log's lines."""
    out = io.BytesIO()
    assert export(log, out) == log.length
    return out.getvalue().splitlines(keepends=True)


def put(tmp_path: Path, *lines: bytes) -> Path:
    """A file of these lines."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def test_a_line_says_what_a_person_wants_to_know(lines: list[bytes]) -> None:
    first = json.loads(lines[1])
    assert first | {"at": 0} == {
        "seq": 2, "at": 0, "tag": "sample/counted", "ignorable": False, "more": 0,
        "event": {"number": 1, "note": "é☃"},
    }  # fmt: skip
    assert [json.loads(line)["more"] for line in lines] == [0, 0, 0, 1, 0, 1, 0]


def test_an_export_comes_back_the_same(
    archive: Archive, log: Log, lines: list[bytes], tmp_path: Path
) -> None:
    assert import_file(archive, put(tmp_path, *lines), "two") == "two"
    with archive.read("two") as copy:
        assert list(copy.read()) == list(log.read())
        assert copy.fold(TOTAL) == 10
        assert exported(copy) == lines
    elsewhere = archive_in(tmp_path / "elsewhere")
    assert import_file(elsewhere, put(tmp_path, *lines)) == "one"
    assert [each.card.session for each in elsewhere.sessions()] == ["one"]


def test_a_forks_export_is_named_after_the_fork(archive: Archive, log: Log, tmp_path: Path) -> None:
    archive.fork("one", 1, "two")
    with archive.read("two") as fork:
        path = put(tmp_path, *exported(fork))
    assert import_file(archive_in(tmp_path / "elsewhere"), path) == "two"


def test_an_id_in_use_is_refused_and_left_alone(
    archive: Archive, log: Log, lines: list[bytes], tmp_path: Path
) -> None:
    with pytest.raises(Refused, match="There is a session one already"):
        import_file(archive, put(tmp_path, *lines))
    log.append(Counted(number=1))


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_a_torn_last_line_is_dropped_with_its_batch(
    archive: Archive, lines: list[bytes], tmp_path: Path, cut: int
) -> None:
    """guest I11: its batch is absent whole."""
    path = put(tmp_path, *lines[:-1], lines[-1][: -1 - cut])
    with archive.read(import_file(archive, path, "two")) as copy:
        assert copy.length == 5
    path = put(tmp_path, *lines[:2], lines[2][: -1 - cut])
    with archive.read(import_file(archive, path, "three")) as copy:
        assert copy.length == 2


def test_a_line_torn_inside_a_character_is_dropped(
    archive: Archive, lines: list[bytes], tmp_path: Path
) -> None:
    torn = lines[1][: lines[1].index("☃".encode()) + 1]
    with archive.read(import_file(archive, put(tmp_path, lines[0], torn), "two")) as copy:
        assert copy.length == 1


def test_a_whole_last_line_without_its_newline_is_kept(
    archive: Archive, lines: list[bytes], tmp_path: Path
) -> None:
    """guest I11"""
    path = put(tmp_path, *lines[:-1], lines[-1].rstrip(b"\n"))
    with archive.read(import_file(archive, path, "two")) as copy:
        assert copy.length == 7


def test_a_bad_middle_line_is_refused_by_its_number(
    archive: Archive, lines: list[bytes], tmp_path: Path
) -> None:
    """guest I11"""
    path = put(tmp_path, *lines[:3], lines[3][:-9] + b"\n", *lines[4:])
    with pytest.raises(Refused) as found:
        import_file(archive, path, "two")
    assert found.value.code == "import-damaged"
    assert found.value.sentence.startswith(f"Line 4 of {path} is damaged (")
    assert found.value.sentence.endswith("); no session was made.")
    assert [each.name for each in archive.folder.iterdir()] == ["one"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: [*lines[:3], b"\n", *lines[3:]], "Line 4 .* is damaged"),
        (lambda lines: [*lines[:3], *lines[4:]], "Line 4 .*the event is not in its place"),
        (lambda lines: lines[1:], "Line 1 .*the event is not in its place"),
        (lambda lines: [*lines[:-1], b"{\n"], "Line 7 .* is damaged"),
        (
            lambda lines: [line.replace(b'"more":1', b'"more":5') for line in lines],
            "Line 5 .*its batch is not all there",
        ),
        (
            lambda lines: [line.replace(b'"number":2', b'"number":[2]') for line in lines],
            "Line 4 .*number: Input should be a valid integer",
        ),
        (lambda lines: [line.replace(b"hello", b"\\ud800") for line in lines], "Line 5 "),
        (lambda lines: [line.replace(b'"hello"', b"NaN") for line in lines], "Line 5 "),
        (
            lambda lines: [line.replace(b'"event":{', b'"event":{"x":1,') for line in lines],
            "Line 1 ",
        ),
        (lambda lines: [], "holds no session"),
        (lambda lines: [lines[0][:20]], "holds no session"),
    ],
)
def test_a_file_with_a_fault_makes_no_session(
    archive: Archive, lines: list[bytes], tmp_path: Path, change: object, why: str
) -> None:
    assert callable(change)
    with pytest.raises(Refused, match=why):
        import_file(archive, put(tmp_path, *change(lines)), "two")
    assert [each.name for each in archive.folder.iterdir()] == ["one"]


def test_an_unknown_event_is_refused_unless_it_may_be_passed_over(
    archive: Archive, lines: list[bytes], tmp_path: Path
) -> None:
    path = put(tmp_path, *lines)
    with pytest.raises(Refused, match=r"Line 2 .* does not know") as found:
        import_file(archive_in(tmp_path / "b", Vocabulary((Hinted,))), path)
    assert found.value.code == "log-unknown"
    other = archive_in(tmp_path / "c", Vocabulary((Counted,)))
    with other.read(import_file(other, path)) as copy:
        assert [each.seq for each in copy.read()] == [1, 2, 4, 5, 6, 7]
        assert [line.split(b'"event"')[1] for line in exported(copy)] == [
            line.split(b'"event"')[1] for line in lines
        ]


def test_a_missing_file_is_one_sentence(archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"none\.jsonl cannot be read: No such file or directory\.$"):
        import_file(archive, tmp_path / "none.jsonl", "two")
