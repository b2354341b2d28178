"""The toolset as a program in a cell reaches it: the real guest, the real pipeline."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from keelbook.events import ToolEnded, ToolStarted
from keelbook.messages import text_of
from keelbook.observer import Output, Silence
from keelbook.tool import Scene
from keelbook.toolset import bash
from tests.toolset.cells import Bench, bench


@pytest.fixture
async def cells(workspace: Path, tmp_path: Path) -> AsyncIterator[Bench]:
    """A session over a real guest."""
    async with bench(workspace, tmp_path) as made:
        yield made


async def test_positional_arguments_bind_in_declared_order(cells: Bench) -> None:
    """guest E12"""
    value = await cells.value(
        "await tools.write('a.py', 'x = 1\\ny = 2\\n')\n"
        "await tools.edit('a.py', 'x = 1', 'x = 3')\n"
        "[await tools.read('a.py'), await tools.read('a.py', 2, 1), await tools.glob('*.py'),\n"
        " [m['line'] for m in await tools.grep('y', 'a.py')], \n"
        " [e['name'] for e in await tools.ls('.')]]"
    )
    assert value == ["x = 3\ny = 2\n", "y = 2\n", ["a.py"], [2], ["a.py"]]


async def test_keywords_are_spelled_as_the_model_spells_them(cells: Bench) -> None:
    value = await cells.value(
        "await tools.write(path='a', content='X')\n"
        "[len(await tools.grep(pattern='x', ignore_case=True)),\n"
        " (await tools.bash(command='echo hi', timeout_s=5))['stdout'],\n"
        " await tools.edit(path='a', old='X', new='Y', all=True)]"
    )
    assert value == [1, "hi\n", {"path": "a", "replaced": 1, "lines": [1]}]


async def test_a_failing_tool_is_an_error_a_program_may_catch(cells: Bench) -> None:
    """guest E4"""
    value = await cells.value(
        "try:\n    await tools.read('nowhere')\n"
        "except Exception as error:\n    said = [type(error).__name__, str(error), error.kind]\n"
        "said"
    )
    assert value == ["ToolFailed", "tools.read: There is no file nowhere.", "not-found"]


async def test_what_a_path_rule_refuses_stops_the_program(cells: Bench, tmp_path: Path) -> None:
    """rows G7"""
    outcome, _ = await cells.run(
        "try:\n    await tools.write('../out', 'x')\nexcept Exception:\n    print('went on')\n"
        "await tools.write('after', 'x')\n"
    )
    assert outcome.status == "stopped"
    assert "outside" in outcome.sentence
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "workspace" / "after").exists()


async def test_a_person_replaces_files_without_being_asked_twice(
    cells: Bench, workspace: Path
) -> None:
    (workspace / "a").write_text("old")
    assert await cells.value("(await tools.write('a', 'new'))['created']") is False


async def test_bash_gives_output_and_exit_code(cells: Bench) -> None:
    value = await cells.value("await tools.bash('echo out; echo err >&2; pwd; exit 3')")
    assert isinstance(value, dict)
    assert value["exit"] == 3
    assert value["stderr"] == "err\n"
    assert value["stdout"].startswith("out\n/")
    assert value["cut"] == 0


async def test_bash_is_bound_as_cells_are(cells: Bench, tmp_path: Path) -> None:
    """guest H9: relative writes land in the workspace, others are refused by the system."""
    (tmp_path / "outside").mkdir()
    value = await cells.value(
        f"r = await tools.bash('echo x > inside; echo x > {tmp_path}/outside/f')\n"
        "[r['exit'] != 0, 'ermission denied' in r['stderr']]"
    )
    assert value == [True, True]
    assert (tmp_path / "workspace" / "inside").read_text() == "x\n"
    assert list((tmp_path / "outside").iterdir()) == []


async def test_bash_ends_a_command_that_takes_too_long_and_all_it_started(cells: Bench) -> None:
    begun = time.monotonic()
    outcome, _ = await cells.run("await tools.bash('echo before; sleep 60 & sleep 60', 0.5)")
    assert time.monotonic() - begun < 15
    (ended,) = [each.event for each in cells.session.log.read(tags=(ToolEnded.tag,))]
    assert isinstance(ended, ToolEnded)
    assert (ended.is_error, ended.code) == (True, "timeout")
    assert text_of(ended.blocks) == (
        "before\n[The command was ended after 0.5 s; if it needs longer, give `timeout_s`.]"
    )
    assert outcome.status == "error"


async def test_what_bash_prints_is_passed_on_while_it_runs(cells: Bench, scene: Scene) -> None:
    seen: list[tuple[float, str]] = []

    class Watch(Silence):
        """Notes when text came."""

        def output(self, call: str, output: Output) -> None:
            """Stream text."""
            seen.append((time.monotonic(), output.text))

    await cells.value("1")
    at = replace(scene, interpreter=cells.guest, observer=Watch())
    arguments = bash.BashArguments(command="echo first; sleep 1; echo last", timeout_s=20)
    result = await bash.tool().run(arguments, at)
    assert result.text == "first\nlast"
    assert [text for _, text in seen] == ["first\n", "last\n"]
    assert seen[1][0] - seen[0][0] > 0.7


async def test_a_model_sees_both_ends_of_a_long_output(cells: Bench) -> None:
    await cells.run("await tools.bash('echo begin; seq 1 100000; echo end')")
    (ended,) = [each.event for each in cells.session.log.read(tags=(ToolEnded.tag,))]
    assert isinstance(ended, ToolEnded)
    text = text_of(ended.blocks)
    assert text.startswith("begin\n1\n")
    assert text.endswith("100000\nend")
    assert "bytes left out" in text
    assert len(text) < 70_000


async def test_a_thousand_listings_in_one_gather(cells: Bench, workspace: Path) -> None:
    """guest E13"""
    (workspace / "a").touch()
    begun = time.monotonic()
    value = await cells.value(
        "import asyncio\n"
        "found = await asyncio.gather(*(tools.ls() for _ in range(1000)))\n"
        "[len(found), found[0][0]['name'], found == [found[0]] * 1000]"
    )
    assert value == [1000, "a", True]
    assert time.monotonic() - begun < 20
    starts = list(cells.session.log.read(tags=(ToolStarted.tag,)))
    assert len(starts) == 1000


async def test_the_host_answers_while_a_search_runs(cells: Bench, workspace: Path) -> None:
    (workspace / "a").write_text("a" * 40 + "!\n")
    running = asyncio.create_task(cells.run("await tools.grep('(a+)+$')"))
    longest = 0.0
    while not running.done():
        begun = time.monotonic()
        await asyncio.sleep(0.01)
        longest = max(longest, time.monotonic() - begun)
    outcome, _ = await running
    assert outcome.error is not None
    assert "takes too long" in outcome.error.message
    assert longest < 1.0
