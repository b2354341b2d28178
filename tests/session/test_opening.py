"""Which log a session gets, and what the person is told when it is not the one they expect."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from keelbook.config import NoConfig
from keelbook.errors import Refused
from keelbook.events import GuestEnded, GuestStarted, SessionCreated, SessionOpened
from keelbook.guest_process.guest import Guest
from keelbook.interpreter import CommMessage, GuestInfo
from keelbook.log import FILE
from keelbook.observer import Display, Output
from keelbook.rows import todo
from tests.loop.inprocess import InProcess
from tests.loop.staging import Front, asked, logged, row, session

ORIGIN = "/notes/lesson.ipynb"


async def test_the_same_notebook_opened_again_continues_its_session(tmp_path: Path) -> None:
    async with session(tmp_path, origin=ORIGIN) as first:
        await asked(first, "Hello.")
    async with session(tmp_path, origin=ORIGIN) as again:
        assert (again.id, again.turn, again.take_notices()) == (first.id, 1, ())
        assert len(logged(again, SessionOpened)) == 2
        created = logged(again, SessionCreated)
        assert [(each.origin, each.workspace) for each in created] == [
            (ORIGIN, str(tmp_path / "workspace"))
        ]


async def test_another_notebook_or_none_gets_a_session_of_its_own(tmp_path: Path) -> None:
    ids = set()
    for origin in (ORIGIN, "/notes/other.ipynb", "", ""):
        async with session(tmp_path, origin=origin) as opened:
            ids.add(opened.id)
            assert opened.turn == 0
    assert len(ids) == 4


async def test_a_session_in_use_by_another_kernel_is_left_alone(tmp_path: Path) -> None:
    async with session(tmp_path, origin=ORIGIN) as first:
        async with session(tmp_path, origin=ORIGIN) as second:
            assert second.id != first.id
            (notice,) = second.take_notices()
            assert notice == (
                "This notebook's session is in use by another kernel, so a new session was begun."
            )
            assert second.take_notices() == ()
            assert (await asked(second)).kind == "done"
        assert (await asked(first)).kind == "done"


async def test_a_damaged_log_is_kept_and_a_new_session_begins(tmp_path: Path) -> None:
    async with session(tmp_path, origin=ORIGIN) as first:
        file = first.log.folder / FILE
    file.write_bytes(b"not a database " * 100)
    async with session(tmp_path, origin=ORIGIN) as second:
        assert second.id != first.id
        (notice,) = second.take_notices()
        assert str(file) in notice
        assert notice.endswith("A new session was begun; the old file is kept.")
    assert file.read_bytes() == b"not a database " * 100


async def test_a_log_damaged_in_the_middle_is_kept_and_a_new_session_begins(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, origin=ORIGIN) as first:
        await asked(first, "Hello.")
        file = first.log.folder / FILE
    with sqlite3.connect(file) as database:
        database.execute("DELETE FROM fold")
        database.execute("UPDATE event SET data = replace(data, 'Hello', 'Hallo')")
    async with session(tmp_path, origin=ORIGIN) as second:
        assert second.id != first.id
        (notice,) = second.take_notices()
        assert "is not what was written" in notice
        assert (await asked(second)).kind == "done"


async def test_a_log_that_holds_unknown_events_is_not_read_wrongly(tmp_path: Path) -> None:
    """rows T13: without the row, its events are not understood."""
    async with session(tmp_path, origin=ORIGIN, rows=[todo.row(NoConfig())]) as first:
        with sqlite3.connect(first.log.folder / FILE) as database:
            database.execute("INSERT INTO tag VALUES(99, 'todo/write', 0)")
    async with session(tmp_path, origin=ORIGIN) as second:
        assert second.id != first.id
        assert "`todo/write`" in second.take_notices()[0]


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
async def test_a_folder_without_write_permission_is_said(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions").chmod(stat.S_IRUSR | stat.S_IXUSR)
    async with session(tmp_path) as opened:
        assert "is kept in" in opened.take_notices()[0]


async def test_without_a_data_folder_the_session_lives_in_a_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("a file where the folder should be")
    async with session(tmp_path) as opened:
        (notice,) = opened.take_notices()
        assert notice.startswith(f"{tmp_path / 'sessions'} is not a folder")
        assert f"This session is kept in {opened.log.folder.parent}" in notice
        assert (await asked(opened)).kind == "done"


async def test_a_session_is_opened_by_its_id_or_not_at_all(tmp_path: Path) -> None:
    async with session(tmp_path) as first:
        await asked(first)
    async with session(tmp_path, session=first.id) as again:
        assert again.turn == 1
    with pytest.raises(Refused) as refused:
        async with session(tmp_path, session="nowhere"):
            pass
    assert refused.value.code == "no-session"


async def test_closing_twice_does_nothing_and_gives_the_lease_up(tmp_path: Path) -> None:
    async with session(tmp_path, origin=ORIGIN) as first:
        await first.close()
        async with session(tmp_path, origin=ORIGIN) as second:
            assert second.id == first.id
            await first.close()
            assert (await asked(second)).kind == "done"


async def test_opening_that_fails_gives_the_lease_up(tmp_path: Path) -> None:
    class Unbound(InProcess):
        def bind(self, namespaces: object) -> None:
            raise Refused("The guest cannot be started.")

    with pytest.raises(Refused):
        async with session(tmp_path, origin=ORIGIN, interpreter=Unbound()):
            pass
    async with session(tmp_path, origin=ORIGIN) as opened:
        assert opened.take_notices() == ()


class Watched:
    """A front end's watcher that remembers."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def late_output(self, run: str | None, output: Output) -> None:
        self.seen.append((run, output.text))

    def late_display(self, run: str | None, display: Display) -> None:
        self.seen.append((run, display.op))

    def comm(self, message: CommMessage) -> None:
        self.seen.append(message)

    def started(self, info: GuestInfo) -> None:
        self.seen.append(info)

    def ended(self, sentence: str, expected: bool) -> None:
        self.seen.append(sentence)


async def test_the_guests_coming_and_going_are_recorded_and_passed_on(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    guest = Guest(cwd=str(tmp_path / "workspace"))
    watched = Watched()
    async with session(tmp_path, interpreter=guest, watcher=watched) as opened:
        await guest.start()
        died = await opened.run_cell("import os; os._exit(3)", Front(), number=1)
        assert died.status == "died"
        again = await opened.run_cell("1 + 1", Front(), number=2)
        assert again.value is not None
        assert [each.revived for each in logged(opened, GuestStarted)] == [False, True]
        (ended,) = logged(opened, GuestEnded)
        assert ended.expected is False
        assert ended.sentence in watched.seen
    assert len([each for each in watched.seen if isinstance(each, GuestInfo)]) == 2


async def test_a_guest_that_was_there_first_is_recorded(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    guest = Guest(cwd=str(tmp_path / "workspace"))
    info = await guest.start()
    async with session(tmp_path, interpreter=guest) as opened:
        (started,) = logged(opened, GuestStarted)
        assert started.executable == info.executable


async def test_an_unknown_command_names_the_nearest(tmp_path: Path) -> None:
    async with session(tmp_path, rows=[todo.row(NoConfig()), row("idle")]) as opened:
        with pytest.raises(Refused) as refused:
            await opened.command("todo")
        assert refused.value.sentence == "There is no command `todo`; did you mean `todos`?"
        assert list(opened.commands) == ["todos"]
