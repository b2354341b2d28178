"""Appending, reading and listening: the log's first promises."""

from __future__ import annotations

import logging
import math
from pathlib import Path
from typing import ClassVar

import pytest

import keelbook.log
from keelbook.archive import Archive
from keelbook.errors import HostBug, Refused
from keelbook.events import CellEnded, CellStarted, Event, Logged, ToolStarted
from keelbook.log import Log
from tests.log.samples import Counted, Hinted


def numbers(events: object) -> list[int]:
    """What was counted, in the order given."""
    assert hasattr(events, "__iter__")
    return [each.event.number for each in events if isinstance(each.event, Counted)]


def test_events_are_numbered_from_one_without_gaps(log: Log) -> None:
    first = log.append(Counted(number=1), Counted(number=2))
    (second,) = log.append(Hinted(hint="x"))
    assert [each.seq for each in (*first, second)] == [2, 3, 4]
    assert log.length == 4
    assert first[0].at == first[1].at <= second.at


def test_what_is_read_back_is_what_was_appended(log: Log, archive: Archive) -> None:
    batch = log.append(Counted(number=7, note="ünï \n\t\0 ☃ 𝄞"), Hinted())
    log.close()
    with archive.read("one") as again:
        assert tuple(again.read(after=1)) == batch


def test_no_events_are_no_batch(log: Log) -> None:
    assert log.append() == ()
    assert log.length == 1


def test_a_range_can_be_read_from_either_end(log: Log) -> None:
    log.append(*(Counted(number=n) for n in range(2, 2500)))
    assert numbers(log.read(after=5, until=9)) == [6, 7, 8, 9]
    assert numbers(log.read(newest_first=True, limit=3)) == [2499, 2498, 2497]
    assert numbers(log.read(until=100, newest_first=True, limit=2)) == [100, 99]
    assert numbers(log.read(newest_first=True)) == list(range(2499, 1, -1))
    assert numbers(log.read()) == list(range(2, 2500))
    assert numbers(log.read(limit=1500)) == list(range(2, 1501))
    assert numbers(log.read(after=2499)) == numbers(log.read(until=0)) == []


def test_only_the_tags_asked_for_are_read(log: Log) -> None:
    log.append(Counted(number=1), Hinted(hint="a"), Counted(number=2), Hinted(hint="b"))
    assert numbers(log.read(tags={"sample/counted"})) == [1, 2]
    (newest,) = log.read(tags={"sample/hinted"}, newest_first=True, limit=1)
    assert newest.event == Hinted(hint="b")
    assert list(log.read(tags={"no/such"})) == []


def test_what_is_appended_during_a_reading_is_not_in_it(log: Log) -> None:
    log.append(*(Counted(number=n) for n in range(3)))
    seen = []
    for logged in log.read(after=1):
        log.append(Counted(number=100))
        seen.append(logged)
    assert numbers(seen) == [0, 1, 2]
    assert log.length == 7


def test_events_can_be_fetched_by_number(log: Log) -> None:
    log.append(*(Counted(number=n) for n in range(2, 3000)))
    found = log.at([2500, 3, 99_999, 3])
    assert list(found) == [2500, 3]
    assert numbers(found.values()) == [2500, 3]
    assert log.at([3])[3] is found[3]


def test_what_is_kept_in_memory_is_bounded(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    log.append(*(Counted(number=n, note="x" * 1000) for n in range(2, 102)))
    monkeypatch.setattr(keelbook.log, "KEPT_CHARACTERS", 20_000)
    assert len(log.at(range(2, 102))) == 100
    before = log.at([101])[101]
    assert log.at([101])[101] is before
    log.at(range(2, 50))
    assert log.at([101])[101] is not before
    assert log.at([101])[101] == before


def test_a_lone_surrogate_is_logged_as_its_escape(log: Log, archive: Archive) -> None:
    cell = CellStarted(run="r1", origin="person", code="x = '\udc80'")
    (logged,) = log.append(cell)
    assert isinstance(logged.event, CellStarted)
    assert logged.event.code == "x = '\\udc80'"
    assert list(log.read(after=1)) == [logged]


def test_numbers_that_json_lacks_are_read_back(log: Log) -> None:
    log.append(CellEnded(run="r", status="ok", cpu_s=math.inf))
    log.append(ToolStarted(call="c", tool="t", arguments={"x": math.nan}, origin="agent"))
    first, second = log.read(after=1)
    assert isinstance(first.event, CellEnded)
    assert first.event.cpu_s == math.inf
    assert isinstance(second.event, ToolStarted)
    assert second.event.arguments == {"x": "NaN"}


def test_an_event_outside_the_vocabulary_is_our_own_fault(log: Log) -> None:
    class Stray(Event):
        tag: ClassVar[str] = "sample/stray"

    with pytest.raises(HostBug, match="`sample/stray` is not in this session's vocabulary"):
        log.append(Counted(number=1), Stray())
    assert log.length == 1


def test_an_event_json_cannot_hold_leaves_nothing_behind(log: Log) -> None:
    bad = ToolStarted(call="c", tool="t", arguments={"x": object()}, origin="agent")
    with pytest.raises(HostBug, match="cannot be written as JSON"):
        log.append(Counted(number=1), bad)
    assert log.length == 1
    assert list(log.read(after=1)) == []


def test_a_closed_log_and_a_reader_refuse_to_append(log: Log, archive: Archive) -> None:
    with (
        archive.read("one") as reader,
        pytest.raises(Refused, match="not open for writing") as found,
    ):
        reader.append(Counted(number=1))
    assert found.value.code == "log-readonly"
    log.close()
    with pytest.raises(Refused, match="not open for writing"):
        log.append(Counted(number=1))
    log.close()


def test_a_log_whose_folder_is_gone_refuses_to_append(log: Log, tmp_path: Path) -> None:
    import shutil

    shutil.rmtree(log.folder)
    with pytest.raises(Refused, match=r"The folder of session one was removed") as found:
        log.append(Counted(number=1))
    assert found.value.code == "lease-lost"
    assert log.length == 1


def test_a_listener_hears_each_batch_after_it_is_committed(log: Log, archive: Archive) -> None:
    heard: list[tuple[Logged, ...]] = []

    def listen(batch: tuple[Logged, ...]) -> None:
        with archive.read("one") as reader:
            assert reader.length == batch[-1].seq
        heard.append(batch)

    stop = log.subscribe(listen)
    first = log.append(Counted(number=1), Counted(number=2))
    second = log.append(Counted(number=3))
    stop()
    stop()
    log.append(Counted(number=4))
    assert heard == [first, second]


def test_a_listener_that_raises_hurts_neither_the_append_nor_the_others(
    log: Log, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[int] = []

    def broken(batch: tuple[Logged, ...]) -> None:
        raise ValueError("broken listener")

    log.subscribe(broken)
    log.subscribe(lambda batch: heard.append(batch[-1].seq))
    with caplog.at_level(logging.ERROR):
        log.append(Counted(number=1))
        log.append(Counted(number=2))
    assert heard == [2, 3]
    assert "broken listener" in caplog.text


def test_batches_appended_by_a_listener_are_heard_in_order(log: Log) -> None:
    heard: list[int] = []

    def answers(batch: tuple[Logged, ...]) -> None:
        if batch[0].seq < 5:
            log.append(Counted(number=batch[0].seq))

    log.subscribe(answers)
    log.subscribe(lambda batch: heard.append(batch[0].seq))
    log.append(Counted(number=0))
    assert heard == [2, 3, 4, 5]


def test_a_listener_that_is_cancelled_does_not_silence_the_log(log: Log) -> None:
    heard: list[int] = []

    def interrupted(batch: tuple[Logged, ...]) -> None:
        raise KeyboardInterrupt

    stop = log.subscribe(interrupted)
    with pytest.raises(KeyboardInterrupt):
        log.append(Counted(number=1))
    stop()
    log.subscribe(lambda batch: heard.append(batch[0].seq))
    log.append(Counted(number=2))
    assert heard == [3]
