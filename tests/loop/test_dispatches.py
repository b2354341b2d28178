"""Calls that code in a cell makes, and what every call leaves: the same pipeline."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from keelbook.errors import BadConfig, ToolFailed
from keelbook.events import ToolEnded, ToolStarted
from keelbook.observer import Output
from keelbook.row import Denied, EndTurn, NextTool, ToolCall, ToolOutcome
from keelbook.surface import messages
from keelbook.tool import Result, Scene
from tests.loop.inprocess import InProcess
from tests.loop.staging import (
    Front,
    Watching,
    Word,
    asked,
    calling,
    logged,
    replies,
    results,
    row,
    session,
    tags,
    tool,
)


async def test_a_dispatch_is_a_call_of_its_own_under_its_cell(tmp_path: Path) -> None:
    code = "a = await tools.echo(word='x')\\nawait tools.echo(word=a * 2)"
    async with session(tmp_path, calling(f'{{python: "{code}"}}'),
                       tools=[tool("echo", native=False)]) as opened:  # fmt: skip
        await asked(opened)
        started = [(each.call, each.parent, each.origin) for each in logged(opened, ToolStarted)]
        assert started == [
            ("t1s1c1", "", "agent"), ("t1s1c1.1", "t1s1c1", "agent"),
            ("t1s1c1.2", "t1s1c1", "agent"),
        ]  # fmt: skip
        assert results(opened)["t1s1c1"] == ("", '[value]\n"xx"')
        roles = [each.role for each in messages(opened.log)]
        assert roles == ["user", "assistant", "tool", "assistant"]


async def test_a_dispatch_refused_by_policy_stops_the_program_and_not_the_turn(
    tmp_path: Path,
) -> None:
    """rows G7"""

    async def no(call: ToolCall, further: NextTool) -> ToolOutcome:
        return Denied("no", "No.") if call.tool.name == "echo" else await further(call)

    code = "try:\\n    await tools.echo()\\nexcept ValueError:\\n    pass\\nreached = 1"
    guest = InProcess()
    async with session(tmp_path, calling(f'{{python: "{code}"}}'), tools=[tool("echo")],
                       rows=[row(around_tool=no)], interpreter=guest) as opened:  # fmt: skip
        assert (await asked(opened)).kind == "done"
        assert results(opened)["t1s1c1"] == ("cell-stopped", "[No.]")
        assert "reached" not in guest.namespace


async def test_a_dispatch_that_fails_can_be_caught(tmp_path: Path) -> None:
    """rows G7"""

    async def fails(arguments: Word, scene: Scene) -> Result:
        raise ToolFailed("It is not there.", "not-found")

    code = (
        "said = []\\n"
        "for word in ('x', 3, None):\\n"
        "    try:\\n"
        "        await tools.fails(word=word)\\n"
        "    except Exception as error:\\n"
        "        said.append(error.code)\\n"
        "said"
    )
    async with session(tmp_path, calling(f'{{python: "{code}"}}'),
                       tools=[tool("fails", fails)]) as opened:  # fmt: skip
        await asked(opened)
        assert results(opened)["t1s1c1"] == (
            "", '[value]\n["not-found", "bad-arguments", "bad-arguments"]',
        )  # fmt: skip


async def test_a_dispatch_whose_denial_ends_the_turn_ends_it(tmp_path: Path) -> None:
    """rows L8: nothing the cell catches keeps the turn going."""

    async def over(call: ToolCall, further: NextTool) -> ToolOutcome:
        if call.parent:
            return Denied("limit", "Over.", ends=EndTurn("failed", "limit", "Over."))
        return await further(call)

    code = "try:\\n    await tools.echo()\\nexcept BaseException:\\n    pass"
    async with session(tmp_path, calling(f'{{python: "{code}"}}'), tools=[tool("echo")],
                       rows=[row(around_tool=over)]) as opened:  # fmt: skip
        ended = await asked(opened)
    assert (ended.kind, ended.reason, ended.steps) == ("failed", "limit", 1)


async def test_a_persons_cell_calls_tools_that_are_for_everyone(tmp_path: Path) -> None:
    judged: list[str] = []

    async def judging(call: ToolCall, further: NextTool) -> ToolOutcome:
        judged.append(call.origin)
        return await further(call)

    tools = [tool("echo"), tool("own", audience="agents")]
    async with session(tmp_path, tools=tools, rows=[row(around_tool=judging)]) as opened:
        outcome = await opened.run_cell("await tools.echo(word='x')", Front(), number=1)
        assert outcome.value is not None
        assert outcome.value.json == "x"
        outcome = await opened.run_cell("await tools.own()", Front(), number=2)
        assert outcome.error is not None
        assert outcome.error.message == "`own` is for the agent; a person's cell cannot call it."
        assert [each.origin for each in logged(opened, ToolStarted)] == ["person"]
        assert results(opened)["p2.1"][0] == "agents-only"
    assert judged == ["person"]


async def test_a_probes_calls_are_judged_and_leave_no_trace(tmp_path: Path) -> None:
    async def judging(call: ToolCall, further: NextTool) -> ToolOutcome:
        if call.arguments.word == "no":
            return Denied("no", "No.")
        return await further(call)

    async with session(tmp_path, tools=[tool("echo")], rows=[row(around_tool=judging)]) as opened:
        before = opened.log.length
        went = await opened.run_cell("await tools.echo(word='x')", Front(), probe=True)
        assert went.value is not None
        refused = await opened.run_cell("await tools.echo(word='no')", Front(), probe=True)
        assert (refused.status, refused.reason) == ("stopped", "no")
        assert opened.log.length == before


async def test_a_call_the_cell_gave_up_still_has_its_result(tmp_path: Path) -> None:
    """guest E16"""

    async def slow(arguments: Word, scene: Scene) -> Result:
        await asyncio.sleep(30)
        return Result("late")

    code = (
        "import asyncio\\n"
        "task = asyncio.ensure_future(tools.slow())\\n"
        "await asyncio.sleep(0.01)\\n"
        "task.cancel()\\n"
        "await asyncio.wait([task])"
    )
    async with session(tmp_path, calling(f'{{python: "{code}"}}'),
                       tools=[tool("slow", slow)]) as opened:  # fmt: skip
        await asked(opened)
        assert results(opened)["t1s1c1.1"][0] == "cancelled"


async def test_arguments_are_recorded_as_they_ran(tmp_path: Path) -> None:
    async def editing(call: ToolCall, further: NextTool) -> ToolOutcome:
        return await further(replace(call, arguments=Word(word="edited")))

    async with session(tmp_path, calling("{echo: {word: given}}"), tools=[tool("echo")],
                       rows=[row(around_tool=editing)]) as opened:  # fmt: skip
        await asked(opened)
        assert logged(opened, ToolStarted)[0].arguments == {"word": "edited"}
        assert results(opened)["t1s1c1"] == ("", "edited")


async def test_text_that_utf8_cannot_carry_crosses_escaped(tmp_path: Path) -> None:
    """guest B11"""

    async def broken(arguments: Word, scene: Scene) -> Result:
        return Result("a\udc80b")

    script = replies(
        'calls: [{broken: {}}, {python: "await tools.echo(word=chr(0xdc80))"}]',
        "{text: Done., expect: 'a\\udc80b'}",
    )
    async with session(tmp_path, script, tools=[tool("broken", broken), tool("echo")]) as opened:
        assert (await asked(opened)).kind == "done"
        texts = [text for _, text in results(opened).values()]
        assert texts == ["a\\udc80b", "\\udc80", '[value]\n"\\udc80"']


@pytest.mark.parametrize("kind", ["name", "title"])
async def test_two_tools_of_one_name_are_refused_before_anything_opens(
    tmp_path: Path, kind: str
) -> None:
    twin = tool("echo") if kind == "name" else tool("other", shown_as="echo")
    with pytest.raises(BadConfig) as refused:
        async with session(tmp_path, tools=[tool("echo"), twin]):
            raise AssertionError("it opened")
    assert refused.value.sentence == "Two tools are called `echo`."
    assert not (tmp_path / "sessions").exists()


async def test_a_tool_that_shows_output_shows_it_under_its_call(tmp_path: Path) -> None:
    async def showing(arguments: Word, scene: Scene) -> Result:
        scene.observer.output(scene.call, Output("stdout", "building"))
        return Result("built")

    watching = Watching()
    async with session(tmp_path, calling("{build: {}}"), tools=[tool("build", showing)]) as opened:
        await opened.ask("Build.", watching)
        assert tags(logged(opened, ToolEnded)) == ["tool/result"]
    assert ("output", "t1s1c1", "stdout", "building") in watching.seen
