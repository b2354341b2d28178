"""The pipeline: one way from a wanted call to its one result, whoever asked for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from keelbook.errors import Refused, ToolFailed
from keelbook.events import Event, RowFailed, ToolEnded, ToolStarted
from keelbook.messages import ToolAnswer
from keelbook.row import Denied, Ended, EndTurn, NextTool, Row, ToolCall, ToolOutcome
from keelbook.surface import messages
from keelbook.tool import Capabilities, PathArgument, Result, Scene
from tests.loop.staging import (
    Word,
    asked,
    calling,
    logged,
    results,
    row,
    session,
    tool,
    until,
)

# ---------------------------------------------------------------- one call, one result


@pytest.mark.parametrize(
    ("call", "code", "text"),
    [
        ("{echo: {word: hi}}", "", "hi"),
        ("{echo: {wrd: hi}}", "bad-arguments",
         "`echo` was not run: there is no `wrd`, perhaps `word` was meant."),
        ("{echo: {number: many}}", "bad-arguments",
         "`echo` was not run: `number` should be a whole number, "
         "unable to parse string as an integer."),
        ("{tool: echo, arguments: '{\"word\": '}", "bad-arguments",
         "`echo` was not run: its arguments are not a JSON object."),
        ("{eco: {}}", "unknown-tool", "There is no tool `eco`; did you mean `echo`?"),
        ("{zzz: {}}", "unknown-tool", "There is no tool `zzz`."),
        ("{only: {}}", "code-only",
         "`only` is called from code only. Run `await tools.only(...)` with `python` instead."),
        ("{fails: {}}", "not-found", "There is no such file."),
        ("{breaks: {}}", "tool-failed", "`breaks` failed: KeyError: 'nothing'"),
        ("{forbids: {}}", "path-denied", "Not there."),
    ],
)  # fmt: skip
async def test_every_call_has_one_result_with_its_code_and_sentence(
    tmp_path: Path, call: str, code: str, text: str
) -> None:
    """rows G3, guest E7"""

    async def fails(arguments: Word, scene: Scene) -> Result:
        raise ToolFailed("There is no such file.", "not-found")

    async def breaks(arguments: Word, scene: Scene) -> Result:
        return Result(dict[str, str]()["nothing"])

    async def forbids(arguments: Word, scene: Scene) -> Result:
        raise Refused("Not there.", "path-denied")

    tools = [
        tool("echo"), tool("only", native=False), tool("fails", fails), tool("breaks", breaks),
        tool("forbids", forbids),
    ]  # fmt: skip
    async with session(tmp_path, calling(call), tools=tools) as opened:
        ended = await asked(opened)
        assert ended.kind == "done"
        assert results(opened) == {"t1s1c1": (code, text)}
        assert logged(opened, ToolEnded)[0].is_error == bool(code)
        refused = code in ("bad-arguments", "unknown-tool", "code-only")
        assert len(logged(opened, ToolStarted)) == (not refused)


async def test_without_code_mode_every_tool_is_the_models_own(tmp_path: Path) -> None:
    tools = [tool("only", native=False)]
    script = calling("{only: {word: x}}")
    async with session(tmp_path, script, tools=tools, code_mode=False) as opened:
        await asked(opened)
        assert results(opened) == {"t1s1c1": ("", "x")}


async def test_a_result_and_the_facts_it_established_are_one_batch(tmp_path: Path) -> None:
    """rows G1: neither is in the log without the other."""

    async def listening(call: ToolCall, further: NextTool) -> ToolOutcome:
        outcome = await further(call)
        assert isinstance(outcome, Ended)
        return Ended(outcome.result, (RowFailed(row="beside", seam="", sentence=""),))

    async def establishing(arguments: Word, scene: Scene) -> Result:
        return Result("", events=(RowFailed(row="own", seam="", sentence=""),))

    batches: list[list[Event]] = []
    tools = [tool("establish", establishing)]
    async with session(tmp_path, calling("{establish: {}}"), tools=tools,
                       rows=[row(around_tool=listening)]) as opened:  # fmt: skip
        opened.log.subscribe(lambda batch: batches.append([each.event for each in batch]))
        await asked(opened)
    (batch,) = [batch for batch in batches if any(isinstance(e, ToolEnded) for e in batch)]
    assert [getattr(each, "row", each.tag) for each in batch] == ["own", "beside", "tool/result"]


# ---------------------------------------------------------------- order of judgement


async def test_a_call_is_judged_in_list_order_and_the_first_refusal_ends_it(tmp_path: Path) -> None:
    """rows G4"""
    order: list[str] = []

    def judge(name: str, refuse: bool) -> Row:
        async def judging(call: ToolCall, further: NextTool) -> ToolOutcome:
            order.append(name)
            return Denied("no", f"{name} says no.") if refuse else await further(call)

        return row(name, around_tool=judging)

    rows = [judge("first", False), judge("second", True), judge("third", False)]
    script = calling("{echo: {}}", "{echo: {word: [1]}}")
    async with session(tmp_path, script, rows=rows, tools=[tool("echo")]) as opened:
        await asked(opened)
        answered = results(opened)
        assert answered["t1s1c1"] == ("no", "second says no.")
        assert answered["t1s1c2"][0] == "bad-arguments"
        assert logged(opened, ToolStarted) == []
    assert order == ["first", "second"]


async def test_calls_of_one_message_are_judged_in_order_and_run_together(tmp_path: Path) -> None:
    """rows G5: they end in any order, and the model is sent them in message order."""
    over = {number: asyncio.Event() for number in range(1, 6)}
    over[5].set()
    judged: list[str] = []

    async def until_the_next_is_over(arguments: Word, scene: Scene) -> Result:
        await over[arguments.number + 1].wait()
        over[arguments.number].set()
        return Result(scene.call)

    async def judging(call: ToolCall, further: NextTool) -> ToolOutcome:
        before = list(judged)
        judged.append(call.id)
        await asyncio.sleep(0.002)
        assert [each.call for each in logged(opened, ToolStarted)] == before
        return await further(call)

    script = calling(*(f"{{slow: {{number: {n}}}}}" for n in range(1, 5)))
    tools, rows = [tool("slow", until_the_next_is_over)], [row(around_tool=judging)]
    async with session(tmp_path, script, tools=tools, rows=rows) as opened:
        await asked(opened)
        ended = [each.call for each in logged(opened, ToolEnded)]
        sent = [m.call for m in messages(opened.log) if isinstance(m, ToolAnswer)]
    names = [f"t1s1c{n}" for n in range(1, 5)]
    assert (judged, sent) == (names, names)
    assert ended == names[::-1]


async def test_ten_calls_run_at_once_and_an_exclusive_one_alone(tmp_path: Path) -> None:
    """guest E13"""
    first = {f"t1s1c{n}" for n in range(1, 11)}
    full = asyncio.Event()
    running: list[str] = []
    crowds: dict[str, list[str]] = {}

    async def busy(arguments: Word, scene: Scene) -> Result:
        running.append(scene.call)
        if len(running) == 10:
            full.set()
        if scene.call in first:
            await full.wait()
        await asyncio.sleep(0.005)
        crowds[scene.call] = list(running)
        running.remove(scene.call)
        return Result("")

    tools = [tool("many", busy), tool("alone", busy, exclusive=True)]
    calls = ["{many: {}}"] * 15 + ["{alone: {}}"] + ["{many: {}}"] * 3
    async with session(tmp_path, calling(*calls), tools=tools) as opened:
        await asked(opened)
        started = [each.call for each in logged(opened, ToolStarted)]
    assert started == [f"t1s1c{n}" for n in range(1, 20)]
    assert max(map(len, crowds.values())) == 10
    assert crowds["t1s1c16"] == ["t1s1c16"]
    assert all("t1s1c16" not in crowds[f"t1s1c{n}"] for n in (*range(1, 16), 17, 18, 19))


async def test_while_a_person_is_asked_others_are_judged_and_run(tmp_path: Path) -> None:
    """rows H10, G5"""
    answer = asyncio.Event()

    async def asking(call: ToolCall, further: NextTool) -> ToolOutcome:
        if call.arguments.word == "ask":
            async with call.parked():
                await answer.wait()
        return await further(call)

    script = calling(*["{echo: {word: ask}}"] * 11, "{echo: {word: go}}", "{alone: {}}")
    tools = [tool("echo"), tool("alone", exclusive=True)]
    async with session(tmp_path, script, tools=tools, rows=[row(around_tool=asking)]) as opened:
        turn = asyncio.create_task(asked(opened))
        await until(lambda: len(logged(opened, ToolEnded)) == 2)
        assert opened.state == "waiting"
        assert [each.call for each in logged(opened, ToolStarted)] == ["t1s1c12", "t1s1c13"]
        answer.set()
        assert (await turn).kind == "done"
        assert len(results(opened)) == 13


async def test_cancel_withdraws_a_parked_call(tmp_path: Path) -> None:
    """rows H11: it still gets its result."""
    withdrawn: list[str] = []

    async def asking(call: ToolCall, further: NextTool) -> ToolOutcome:
        async with call.parked():
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                withdrawn.append(call.id)
                raise
        return await further(call)

    async with session(tmp_path, calling("{echo: {}}"), tools=[tool("echo")],
                       rows=[row(around_tool=asking)]) as opened:  # fmt: skip
        turn = asyncio.create_task(asked(opened))
        await until(lambda: opened.state == "waiting")
        opened.cancel()
        await turn
        assert results(opened)["t1s1c1"][0] == "cancelled"
        assert opened.state == "idle"
    assert withdrawn == ["t1s1c1"]


async def test_a_denial_that_ends_the_turn_stops_siblings_that_have_not_started(
    tmp_path: Path,
) -> None:
    """rows L7: running ones finish, parked ones are closed, every call has a result."""
    end = EndTurn("limited", "limit-tool-calls", "The turn ended: 2 of 2 calls.")
    started = asyncio.Event()

    async def slow(arguments: Word, scene: Scene) -> Result:
        started.set()
        await asyncio.sleep(0.02)
        return Result("finished")

    async def limiting(call: ToolCall, further: NextTool) -> ToolOutcome:
        if call.arguments.word == "ask":
            async with call.parked():
                await asyncio.Event().wait()
        if call.arguments.word == "over":
            await started.wait()
            return Denied("limit-tool-calls", "Not run.", ends=end)
        return await further(call)

    script = calling("{echo: {word: ask}}", "{slow: {}}", "{echo: {word: over}}", "{echo: {}}")
    tools = [tool("echo"), tool("slow", slow)]
    async with session(tmp_path, script, tools=tools, rows=[row(around_tool=limiting)]) as opened:
        ended = await asked(opened)
        assert (ended.kind, ended.reason, ended.sentence) == (end.kind, end.reason, end.sentence)
        assert {call: code for call, (code, _) in results(opened).items()} == {
            "t1s1c1": "sibling-stopped", "t1s1c2": "", "t1s1c3": "limit-tool-calls",
            "t1s1c4": "sibling-stopped",
        }  # fmt: skip


async def test_a_denial_before_any_sibling_was_looked_at_answers_them_all(tmp_path: Path) -> None:
    async def limiting(call: ToolCall, further: NextTool) -> ToolOutcome:
        return Denied("limit", "Not run.", ends=EndTurn("limited", "limit", "Over."))

    script = calling("{echo: {}}", "{echo: {}}", "{echo: {}}")
    async with session(tmp_path, script, tools=[tool("echo")],
                       rows=[row(around_tool=limiting)]) as opened:  # fmt: skip
        assert (await asked(opened)).kind == "limited"
        codes = [code for code, _ in results(opened).values()]
    assert codes == ["limit", "sibling-stopped", "sibling-stopped"]


async def test_a_path_the_tool_declares_is_judged_before_the_call_starts(tmp_path: Path) -> None:
    """rows G4: a refusal by a path rule leaves no start record."""
    writes = Capabilities(paths=(PathArgument("word", "write"),))
    script = calling("{keep: {word: /etc/motd}}", "{keep: {word: here.txt}}")
    tools = [tool("keep", capabilities=writes)]
    async with session(tmp_path, script, tools=tools) as opened:
        await asked(opened)
        assert {call: code for call, (code, _) in results(opened).items()} == {
            "t1s1c1": "path-denied", "t1s1c2": "",
        }  # fmt: skip
        assert [each.call for each in logged(opened, ToolStarted)] == ["t1s1c2"]
