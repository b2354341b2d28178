"""A host killed at every event of a turn: what it had counted stands, and the turn goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from keelbook.archive import Archive
from keelbook.config import NoConfig
from keelbook.events import (
    CellEnded,
    CellStarted,
    ToolStarted,
    TurnEnded,
    TurnStarted,
    UserMessaged,
    Vocabulary,
)
from keelbook.messages import AssistantTurn, ToolAnswer
from keelbook.plan import TodosWritten
from keelbook.rows import todo
from keelbook.session import Session
from keelbook.surface import INTERRUPTED, messages
from tests.loop.staging import Watching, asked, logged, results
from tests.rows.planning import brief, plan
from tests.session.crashing import ORIGIN, folds, playing

ROOT = Path(__file__).parents[2]


def crash(folder: Path, *ends: int) -> str:
    """Runs the turn and kills it at each of these events; what was printed."""
    command = [sys.executable, "-m", "tests.session.crashing", str(folder), *map(str, ends)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[int]]:
    """A folder with one killed session for each place where a batch of the turn ends."""
    folder = tmp_path_factory.mktemp("crashed")
    ends: list[int] = json.loads(crash(folder, 0))
    crash(folder, *ends)
    return folder, ends


def told(folder: Path) -> Any:
    """The folds that a process wrote down before it was killed."""
    return json.loads((folder / "folds.json").read_text())


def whole(opened: Session) -> None:
    """Every call has one result, and the model is sent every call with its answer."""
    sent = messages(opened.log)
    calls = [call.id for m in sent if isinstance(m, AssistantTurn) for call in m.calls]
    answers = [m for m in sent if isinstance(m, ToolAnswer)]
    assert calls == [each.call for each in answers]
    assert INTERRUPTED not in str(answers)
    started = {each.call for each in logged(opened, ToolStarted)}
    assert started <= set(results(opened))
    cells = {each.run for each in logged(opened, CellStarted)}
    assert sorted(cells) == sorted(each.run for each in logged(opened, CellEnded))
    turns = [each.turn for each in logged(opened, TurnStarted)]
    assert turns == [each.turn for each in logged(opened, TurnEnded)]


def test_a_killed_process_leaves_every_fold_as_it_was(crashed: tuple[Path, list[int]]) -> None:
    """rows G2: the same counts, plan and surface, from the file alone."""
    folder, ends = crashed
    assert len(ends) > 25
    for end in ends:
        killed = folder / str(end)
        archive = Archive(Vocabulary([TodosWritten]), killed / "sessions")
        session = archive.newest(ORIGIN)
        assert session is not None
        with archive.read(session) as log:
            assert log.length == end
            assert json.loads(json.dumps(folds(log))) == told(killed), f"event {end}"


async def test_a_turn_goes_on_from_any_event_and_ends_as_if_nothing_had_happened(
    crashed: tuple[Path, list[int]],
) -> None:
    """rows G2; guest E14: what had started is unknown, and nothing runs twice."""
    folder, ends = crashed
    for end in ends:
        async with playing(folder / str(end), interrupted="continue") as opened:
            assert opened.take_notices() == ()
            was_open = told(folder / str(end))["progress"]["open"]
            ended = await opened.go_on(Watching())
            assert (ended is not None) == was_open, f"event {end}"
            assert ended is None or ended.kind == "done"
            whole(opened)
            starts = [each.call for each in logged(opened, ToolStarted)]
            assert len(starts) == len(set(starts)), f"event {end}"
            people = [each.by for each in logged(opened, UserMessaged)]
            assert people.count("cell") == 1
            assert opened.queued == 0
            lost = {code for code, _ in results(opened).values()} & {"outcome-unknown"}
            if not lost:
                assert people == ["cell", "panel"], f"event {end}"
                assert brief(plan(opened)) == [
                    ("a", "completed", ()), ("b", "completed", ("a",)),
                ]  # fmt: skip
            assert (await asked(opened)).kind == "done"


async def test_a_turn_nobody_goes_on_with_is_closed_and_the_next_one_works(
    tmp_path: Path, crashed: tuple[Path, list[int]]
) -> None:
    _, ends = crashed
    crash(tmp_path, *ends)
    for end in ends:
        was_open = told(tmp_path / str(end))["progress"]["open"]
        async with playing(tmp_path / str(end)) as opened:
            whole(opened)
            closed = [(e.kind, e.reason) for e in logged(opened, TurnEnded)]
            assert closed == [("aborted", "host-ended") if was_open else ("done", "")]
            assert await opened.go_on(Watching()) is None
            assert (await asked(opened)).turn == 2
            whole(opened)


REAL = """
import asyncio, sys
from pathlib import Path
from keelbook.guest_process.guest import Guest
from tests.loop.staging import Watching, replies, session

class Telling(Watching):
    def output(self, call, output):
        print(guest.info.pid, flush=True)

async def main():
    global guest
    folder = Path(sys.argv[1])
    (folder / "workspace").mkdir()
    guest = Guest(cwd=str(folder / "workspace"))
    script = replies('calls: [{python: "print(1)\\\\nimport time; time.sleep(60)"}]')
    async with session(folder, script, interpreter=guest, origin="n.ipynb") as opened:
        await opened.ask("Go.", Telling())

asyncio.run(main())
"""


async def test_a_host_killed_in_a_real_cell_takes_its_guest_along_and_says_so(
    tmp_path: Path,
) -> None:
    """guest D6, E14"""
    command = [sys.executable, "-c", REAL, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        guest = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
    until = time.monotonic() + 5
    while psutil.pid_exists(guest) and time.monotonic() < until:
        time.sleep(0.05)
    assert not psutil.pid_exists(guest)
    async with playing(tmp_path, session=_only(tmp_path)) as opened:
        code, text = results(opened)["t1s1c1"]
        assert code == "outcome-unknown"
        assert text.startswith("The host ended while this call ran")
        (cell,) = logged(opened, CellEnded)
        assert (cell.status, cell.reason) == ("died", "host-ended")
        assert [each.reason for each in logged(opened, TurnEnded)] == ["host-ended"]


def _only(folder: Path) -> str:
    archive = Archive(Vocabulary(todo.row(NoConfig()).events), folder / "sessions")
    (listed,) = archive.sessions()
    return listed.card.session
