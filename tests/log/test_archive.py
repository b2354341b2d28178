"""The archive: making, listing, resuming, forking and removing sessions."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from keelbook.archive import Archive
from keelbook.errors import Refused
from keelbook.events import SessionCreated, SessionForked
from keelbook.log import Log
from keelbook.surface import messages
from tests.log.samples import (
    TOTAL,
    VOCABULARY,
    Counted,
    asked,
    counting,
    reply,
    turn_end,
    turn_start,
)


def test_a_log_begins_with_the_session_it_belongs_to(archive: Archive) -> None:
    with archive.create(origin="/home/me/a.ipynb", workspace="/home/me") as log:
        (first,) = log.read()
    assert isinstance(first.event, SessionCreated)
    assert first.event.session == log.session
    assert (first.event.origin, first.event.workspace) == ("/home/me/a.ipynb", "/home/me")


def test_nobody_else_can_read_a_session_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        archive = Archive(VOCABULARY, tmp_path / "deep" / "sessions")
        log = archive.create()
        log.append(Counted(number=1))
        modes = {
            path.relative_to(archive.folder): stat.S_IMODE(path.stat().st_mode)
            for path in (archive.folder, *archive.folder.rglob("*"))
        }
        log.close()
    finally:
        os.umask(before)
    folders = {mode for path, mode in modes.items() if (archive.folder / path).is_dir()}
    files = {mode for path, mode in modes.items() if (archive.folder / path).is_file()}
    assert folders == {0o700}
    assert files == {0o600}
    assert len(modes) >= 6


def test_an_archive_with_wider_bits_is_narrowed_and_a_strangers_is_refused(
    tmp_path: Path,
) -> None:
    (tmp_path / "wide").mkdir(mode=0o755)
    assert stat.S_IMODE(Archive(VOCABULARY, tmp_path / "wide").folder.stat().st_mode) == 0o700
    (tmp_path / "link").symlink_to(tmp_path / "wide")
    with pytest.raises(Refused, match="is not a folder"):
        Archive(VOCABULARY, tmp_path / "link")
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused, match=r"(is not a folder|cannot be used)"):
        Archive(VOCABULARY, tmp_path / "file")
    with pytest.raises(Refused, match="cannot be used: File exists"):
        Archive(VOCABULARY, tmp_path / "file" / "in")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to someone else")
def test_a_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    os.chown(tmp_path / "theirs", 12345, 12345)
    with pytest.raises(Refused, match="belongs to another user"):
        Archive(VOCABULARY, tmp_path / "theirs")


def test_the_data_folder_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEELBOOK_DATA", str(tmp_path / "data"))
    assert Archive(VOCABULARY).folder == tmp_path / "data" / "sessions"
    (tmp_path / "elsewhere").symlink_to(tmp_path / "data")
    monkeypatch.setenv("KEELBOOK_DATA", str(tmp_path / "elsewhere"))
    assert Archive(VOCABULARY).folder == tmp_path / "data" / "sessions"
    monkeypatch.delenv("KEELBOOK_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "keelbook" in str(Archive(VOCABULARY).folder)
    assert Archive(VOCABULARY).folder.is_relative_to(tmp_path)


@pytest.mark.parametrize("session", ["../x", "a/b", "", ".", "..", "a" * 81, "-x", "a\n", "é"])
def test_an_id_that_leaves_the_store_is_refused(archive: Archive, log: Log, session: str) -> None:
    """guest I12"""
    for act in (archive.write, archive.read, archive.writer, archive.delete):
        with pytest.raises(Refused, match="cannot be a session's name") as found:
            act(session)
        assert found.value.code == "bad-session"
    if session:
        with pytest.raises(Refused, match="cannot be a session's name"):
            archive.create(session=session)
        with pytest.raises(Refused, match="cannot be a session's name"):
            archive.fork("one", 1, session)


def test_an_id_in_use_is_refused(archive: Archive, log: Log) -> None:
    """guest I12"""
    with pytest.raises(Refused, match="There is a session one already") as found:
        archive.create(session="one")
    assert found.value.code == "session-exists"
    with pytest.raises(Refused, match="There is a session one already"):
        archive.fork("one", 1, "one")
    assert log.append(Counted(number=1))[0].seq == 2


def test_a_session_that_is_not_there_is_one_sentence(archive: Archive) -> None:
    for act in (archive.write, archive.read, archive.delete):
        with pytest.raises(Refused, match=r"^There is no session ghost\.$") as found:
            act("ghost")
        assert found.value.code == "no-session"


def test_sessions_are_listed_most_recently_active_first(archive: Archive) -> None:
    first = archive.create(origin="a.ipynb")
    second = archive.create(origin="b.ipynb", workspace="/w")
    time.sleep(0.02)
    first.append(Counted(number=1))
    listed = archive.sessions()
    assert [each.card.session for each in listed] == [first.session, second.session]
    assert (listed[1].card.origin, listed[1].card.workspace) == ("b.ipynb", "/w")
    assert listed[0].card.created < listed[0].active
    first.close()
    second.close()


def test_the_same_notebook_finds_its_newest_session(archive: Archive) -> None:
    assert archive.newest("a.ipynb") is None
    ids = []
    for origin in ("a.ipynb", "b.ipynb", "a.ipynb", ""):
        with archive.create(origin=origin) as log:
            ids.append(log.session)
        time.sleep(0.02)
    assert archive.newest("a.ipynb") == ids[2]
    assert archive.newest("b.ipynb") == ids[1]
    assert archive.newest("") is None
    assert archive.newest("c.ipynb") is None
    archive.delete(ids[2])
    assert archive.newest("a.ipynb") == ids[0]
    with archive.write(ids[0]) as log:
        log.append(Counted(number=1))
    assert archive.newest("a.ipynb") == ids[0]
    for broken in (archive.folder / ".origins").iterdir():
        broken.write_bytes(b"../../etc\n\xff\n")
    assert archive.newest("a.ipynb") is None


def test_a_half_made_session_is_not_listed_and_a_broken_card_hides_no_other(
    archive: Archive, log: Log
) -> None:
    (archive.folder / "half").mkdir()
    with archive.create(session="two") as two:
        (two.folder / "session.json").write_text("{")
    assert [each.card.session for each in archive.sessions()] == ["one"]


def test_a_removed_session_is_gone_and_an_open_one_is_not_removed(
    archive: Archive, log: Log
) -> None:
    with pytest.raises(Refused, match="already open for writing"):
        archive.delete("one")
    log.append(Counted(number=1))
    log.close()
    archive.delete("one")
    assert archive.sessions() == ()
    with pytest.raises(Refused, match="There is no session one"):
        archive.read("one")


def test_a_fork_shares_the_past_and_goes_its_own_way(archive: Archive, log: Log) -> None:
    log.append(Counted(number=3), asked("hello"))
    log.append(Counted(number=4))
    log.fold(TOTAL)
    assert archive.fork("one", 3, "two") == "two"
    with archive.write("two") as fork:
        assert list(fork.read(until=3)) == list(log.read(until=3))
        (forked,) = fork.read(after=3)
        assert forked.event == SessionForked(source="one", at=3, session="two")
        assert fork.fold(TOTAL) == 3
        assert len(messages(fork)) == 1
        fork.append(Counted(number=10))
        assert (fork.fold(TOTAL), log.fold(TOTAL)) == (13, 7)
    cards = {each.card.session: each.card for each in archive.sessions()}
    assert cards["two"].source == "one"


def test_a_fork_starts_from_the_saved_states_of_its_source(archive: Archive, log: Log) -> None:
    """rows G2: a fork folds its copied prefix, and need not replay it."""
    log.append(*(Counted(number=1) for _ in range(2000)))
    log.fold(TOTAL)
    log.save()
    log.append(Counted(number=5))
    steps: list[int] = []
    with archive.write(archive.fork("one", log.length)) as fork:
        assert fork.fold(counting(steps)) == 2005
    assert steps == [2002]


def test_a_state_saved_after_the_fork_does_not_leak_into_it(archive: Archive, log: Log) -> None:
    log.append(Counted(number=1))
    log.append(Counted(number=5))
    log.fold(TOTAL)
    log.save()
    with archive.write(archive.fork("one", 2)) as fork:
        assert fork.fold(TOTAL) == 1


def test_a_fork_inside_a_turn_is_refused(archive: Archive, log: Log) -> None:
    """guest I12"""
    log.append(turn_start(1))
    log.append(asked("hello"))
    log.append(reply("hi"))
    log.append(turn_end(1))
    for at in (2, 3, 4):
        with pytest.raises(Refused) as found:
            archive.fork("one", at)
        assert found.value.sentence == (
            f"Session one cannot be forked at event {at}, inside turn 1; wait for its end or fork "
            "before event 2."
        )
        assert found.value.code == "open-turn"
    for at in (1, 5):
        archive.read(archive.fork("one", at)).close()
    assert len(archive.sessions()) == 3


def test_a_fork_that_would_tear_a_batch_is_refused(archive: Archive, log: Log) -> None:
    log.append(Counted(number=1), Counted(number=2))
    for at in (0, -1, 2, 4):
        with pytest.raises(Refused, match="no batch of events ends there") as found:
            archive.fork("one", at)
        assert found.value.code == "fork-place"
    assert [each.name for each in archive.folder.iterdir()] == ["one"]
    archive.fork("one", 3)


def test_a_fork_of_a_fork_keeps_the_origin_and_names_its_source(archive: Archive) -> None:
    with archive.create(origin="a.ipynb", session="a") as log:
        log.append(Counted(number=1))
    archive.fork("a", 2, "b")
    archive.fork("b", 3, "c")
    card = next(each.card for each in archive.sessions() if each.card.session == "c")
    assert (card.origin, card.source) == ("a.ipynb", "b")
    assert archive.newest("a.ipynb") == "a"
