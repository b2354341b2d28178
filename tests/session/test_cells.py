"""A person's cells: recorded, shown, asked and ended; probes and full disks."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from keelbook.errors import Refused
from keelbook.events import CellEnded, CellStarted, ToolStarted
from keelbook.guest_process.guest import Guest
from keelbook.session import Session
from keelbook.tool import Result, Scene
from tests.loop.staging import (
    Front,
    Watching,
    Word,
    asked,
    logged,
    replies,
    results,
    session,
    tool,
    until,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Session]:
    """A session with a real guest and the tool ``echo``."""
    (tmp_path / "workspace").mkdir()
    guest = Guest(cwd=str(tmp_path / "workspace"))
    script = replies("calls: [{python: 'mine = theirs + 1'}]", "text: Done.")
    async with session(tmp_path, script, interpreter=guest, tools=[tool("echo")]) as made:
        yield made


async def test_a_cell_is_recorded_around_its_run(opened: Session) -> None:
    front = Front()
    outcome = await opened.run_cell("print('hi')\n6 * 7", front, number=3)
    assert outcome.status == "ok"
    assert ("stdout", "hi\n") in front.seen
    (started,) = logged(opened, CellStarted)
    (ended,) = logged(opened, CellEnded)
    assert (started.run, started.number, started.code) == ("p1", 3, "print('hi')\n6 * 7")
    assert (ended.run, ended.status, ended.value, ended.error) == ("p1", "ok", "42", "")
    await opened.run_cell("1 / 0", front, number=4)
    ended = logged(opened, CellEnded)[-1]
    assert (ended.run, ended.status, ended.error) == (
        "p2", "error", "ZeroDivisionError: division by zero",
    )  # fmt: skip


async def test_what_is_recorded_of_a_value_is_bounded(opened: Session) -> None:
    await opened.run_cell("'x' * 50_000", Front(), number=1)
    (ended,) = logged(opened, CellEnded)
    assert 4096 <= len(ended.value) < 4200
    assert "bytes left out" in ended.value


async def test_person_and_agent_share_one_namespace(opened: Session) -> None:
    await opened.run_cell("theirs = 41", Front(), number=1)
    await asked(opened)
    outcome = await opened.run_cell("mine", Front(), number=2)
    assert outcome.value is not None
    assert outcome.value.json == 42


async def test_a_turn_begun_while_a_persons_cell_runs_leaves_its_record_open(
    tmp_path: Path,
) -> None:
    release = asyncio.Event()

    async def hold(arguments: Word, scene: Scene) -> Result:
        await release.wait()
        return Result("held")

    async with session(tmp_path, tools=[tool("hold", hold)]) as opened:
        cell = asyncio.create_task(opened.run_cell("await tools.hold()", Front(), number=1))
        await until(lambda: logged(opened, ToolStarted))
        assert (await asked(opened)).kind == "done"
        release.set()
        assert (await cell).status == "ok"
        assert [each.status for each in logged(opened, CellEnded)] == ["ok"]
        assert results(opened) == {"p1.1": ("", "held")}


async def test_a_probe_leaves_no_trace(opened: Session) -> None:
    await opened.run_cell("1", Front(), number=1)
    before = opened.log.length
    front = Front()
    outcome = await opened.run_cell("print('seen')\n2", front, probe=True)
    assert outcome.value is not None
    assert ("stdout", "seen\n") in front.seen
    assert opened.log.length == before


async def test_a_cell_asks_its_person_and_an_agents_cell_nobody(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    guest = Guest(cwd=str(tmp_path / "workspace"))
    script = replies("calls: [{python: input()}]", "text: Done.")
    async with session(tmp_path, script, interpreter=guest) as opened:
        outcome = await opened.run_cell("input('n? ')", Front(answer="5"), number=1, stdin=True)
        assert outcome.value is not None
        assert outcome.value.json == "5"
        await asked(opened)
        code, text = results(opened)["t1s1c1"]
        assert code == "cell-error"
        assert "EOFError" in text


async def test_interrupt_ends_the_cell_and_keeps_the_namespace(opened: Session) -> None:
    front = Front()
    code = "kept = 1\nprint('on', flush=True)\nwhile True:\n    kept += 1"
    cell = asyncio.create_task(opened.run_cell(code, front, number=1))
    await until(lambda: ("stdout", "on\n") in front.seen)
    assert opened.interrupt("p9") is False
    assert opened.interrupt() is True
    outcome = await cell
    assert (outcome.status, outcome.reason) == ("aborted", "person")
    assert opened.interrupt() is False
    outcome = await opened.run_cell("kept > 1", front, number=2)
    assert outcome.value is not None
    assert outcome.value.json is True
    assert logged(opened, CellEnded)[0].status == "aborted"


async def test_cancel_of_the_agents_turn_ends_its_real_cell(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    guest = Guest(cwd=str(tmp_path / "workspace"))
    script = replies('calls: [{python: "kept = 7\\nprint(1, flush=True)\\nwhile True: pass"}]')
    async with session(tmp_path, script, interpreter=guest) as opened:
        watching = Watching()
        turn = asyncio.create_task(opened.ask("Go.", watching))
        await until(lambda: watching.seen, 20)
        opened.cancel()
        assert (await turn).reason == "person"
        (ended,) = logged(opened, CellEnded)
        assert (ended.status, ended.reason) == ("aborted", "person")
        assert results(opened)["t1s1c1"][0] == "cell-aborted"
        outcome = await opened.run_cell("kept", Front(), number=1)
        assert outcome.value is not None
        assert outcome.value.json == 7


async def test_a_cell_that_kills_the_guest_is_recorded_and_the_agent_is_told(
    tmp_path: Path,
) -> None:
    (tmp_path / "workspace").mkdir()
    guest = Guest(cwd=str(tmp_path / "workspace"))
    script = replies("calls: [{python: 'import os; os._exit(7)'}]", "text: I see.")
    async with session(tmp_path, script, interpreter=guest) as opened:
        assert (await asked(opened)).kind == "done"
        code, text = results(opened)["t1s1c1"]
        assert code == "guest-died"
        assert "7" in text
        assert logged(opened, CellEnded)[0].status == "died"


async def test_a_persons_cell_runs_though_its_record_cannot_be_written(opened: Session) -> None:
    await opened.run_cell("1", Front(), number=1)
    shutil.rmtree(opened.log.folder)
    front = Front()
    outcome = await opened.run_cell("2 + 2", front, number=2)
    assert outcome.value is not None
    assert outcome.value.json == 4
    notes = [each[1] for each in front.seen if each[0] == "note"]
    assert notes
    assert all(note.startswith("This cell is not in the session's record. ") for note in notes)
    with pytest.raises(Refused) as refused:
        await asked(opened)
    assert refused.value.code == "lease-lost"
    assert opened.state == "idle"


FULL = """
import asyncio, json, resource, sys
from pathlib import Path
from keelbook.errors import Refused
from keelbook.events import TurnEnded
from keelbook.tool import Result
from tests.loop.staging import asked, logged, session, tool, results

def limit(most):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

async def fill(arguments, scene):
    limit(1)
    return Result("filled")

async def main():
    turns = ("{calls: [{fill: {}}, {fill: {}}]}", "{text: Good.}")
    script = "turns:\\n" + "".join(f"- replies: [{each}]\\n" for each in turns)
    async with session(Path(sys.argv[1]), script, tools=[tool("fill", fill)]) as opened:
        try:
            await asked(opened)
            said = None
        except Refused as refused:
            said = [refused.code, refused.sentence]
        state = opened.state
        limit(resource.RLIM_INFINITY)
        ended = await asked(opened)
        ends = [[each.turn, each.kind, each.reason] for each in logged(opened, TurnEnded)]
        codes = {call: code for call, (code, _) in results(opened).items()}
        print(json.dumps({"said": said, "state": state, "ends": ends, "codes": codes}))

asyncio.run(main())
"""


def test_a_full_disk_ends_the_turn_in_a_sentence_and_the_next_one_works(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert told["said"][0] == "log-io"
    assert told["said"][1].endswith("nothing was logged.")
    assert told["state"] == "idle"
    assert told["ends"] == [[1, "aborted", "not-recorded"], [2, "done", ""]]
    assert told["codes"] == {"t1s1c1": "outcome-unknown", "t1s1c2": "not-run"}
