"""The rows on their seams: order, what they decide, and what becomes of one that raises."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from keelbook.config import NoConfig
from keelbook.errors import ModelFailed
from keelbook.events import PromptSet, RowFailed, StepStarted, ToolStarted, UserMessaged
from keelbook.loop.table import seam_table
from keelbook.messages import Text, UserTurn
from keelbook.row import Command, Denied, EndTurn, Proceed, Row, Said
from keelbook.rows import todo
from keelbook.tool import Result, Scene
from tests.loop.staging import Word, asked, logged, replies, results, row, session, tool

CALL = replies("calls: [{echo: {word: hi}}]", "text: Done.")


def raising(*_: Any) -> Any:
    """A row that is broken."""
    raise ValueError("broken\nin two lines")


async def before(matter: Any, *rest: Any) -> Any:
    """Raises before it asks on."""
    raise ValueError("before")


async def after(matter: Any, *rest: Any) -> Any:
    """Asks on, then raises."""
    await rest[-1](matter)
    raise ValueError("after")


async def wrong(matter: Any, *rest: Any) -> Any:
    """Answers what is no answer."""
    await rest[-1](matter)
    return "yes"


def faults(opened: Any) -> list[tuple[str, str, str]]:
    """The faults on record: row, seam, sentence."""
    return [(each.row, each.seam, each.sentence) for each in logged(opened, RowFailed)]


async def test_the_first_row_is_the_outermost_on_every_seam(tmp_path: Path) -> None:
    order: list[str] = []

    def through(name: str) -> Row:
        def note(seam: str) -> Callable[..., Any]:
            async def noted(matter: Any, *rest: Any) -> Any:
                order.append(f"{seam} {name}")
                answer = await rest[-1](matter)
                order.append(f"{seam} {name} back")
                return answer

            return noted

        seams = ("before_step", "around_request", "around_tool", "before_stop")
        return row(name, **{seam: note(seam) for seam in seams})

    async with session(
        tmp_path, CALL, rows=[through("a"), through("b")], tools=[tool("echo")]
    ) as o:
        await asked(o)
    assert order[:4] == [
        "before_step a",
        "before_step b",
        "before_step b back",
        "before_step a back",
    ]
    assert [each.partition(" ")[0] for each in order[::4]] == [
        "before_step", "around_request", "around_tool", "before_step", "around_request",
        "before_stop",
    ]  # fmt: skip
    for start in range(0, len(order), 4):
        seam = order[start].partition(" ")[0]
        assert order[start : start + 4] == [
            f"{seam} a", f"{seam} b", f"{seam} b back", f"{seam} a back",
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("function", "code", "started"),
    [(before, "row-failed", 0), (after, "", 1), (wrong, "", 1)],
)
async def test_a_row_that_fails_while_judging_refuses_the_call_and_after_it_changes_nothing(
    tmp_path: Path, function: Any, code: str, started: int
) -> None:
    """rows G6"""
    broken = row("broken", around_tool=function)
    async with session(tmp_path, CALL, rows=[broken], tools=[tool("echo")]) as opened:
        assert (await asked(opened)).kind == "done"
        said, text = results(opened)["t1s1c1"]
        assert said == code
        assert text == (
            "hi" if started else "The call was not run: `broken`, which judges calls, failed."
        )
        assert len(logged(opened, ToolStarted)) == started
        assert [fault[:2] for fault in faults(opened)] == [("broken", "around_tool")]


async def test_a_call_is_run_once_however_often_a_row_asks(tmp_path: Path) -> None:
    runs: list[str] = []

    async def counting(arguments: Word, scene: Scene) -> Result:
        runs.append(scene.call)
        return Result("ran")

    async def twice(matter: Any, further: Any) -> Any:
        await further(matter)
        return await further(matter)

    async with session(tmp_path, CALL, rows=[row(around_tool=twice)],
                       tools=[tool("echo", counting)]) as opened:  # fmt: skip
        await asked(opened)
        assert results(opened)["t1s1c1"] == ("", "ran")
        assert faults(opened) == [("made", "around_tool", "HostBug: `next` was called twice.")]
    assert runs == ["t1s1c1"]


@pytest.mark.parametrize("function", [before, after, wrong])
async def test_a_row_that_fails_before_a_step_is_passed_over(tmp_path: Path, function: Any) -> None:
    """rows G6"""
    ran: list[int] = []

    async def inner(step: Any, further: Any) -> Any:
        ran.append(step.step)
        return await further(step)

    rows = [row("broken", before_step=function), row("inner", before_step=inner)]
    async with session(tmp_path, rows=rows) as opened:
        assert (await asked(opened)).kind == "done"
        assert [fault[:2] for fault in faults(opened)] == [("broken", "before_step")]
    assert ran == [1]


@pytest.mark.parametrize("function", [before, after, wrong])
async def test_a_row_that_bounds_the_turn_ends_it_when_it_fails(
    tmp_path: Path, function: Any
) -> None:
    """rows G6"""
    broken = row("limits", before_step=function, on_fault="end")
    async with session(tmp_path, rows=[broken]) as opened:
        ended = await asked(opened)
        assert (ended.kind, ended.reason) == ("failed", "row-failed")
        assert "`limits`, which bounds it, failed" in ended.sentence
        assert logged(opened, StepStarted) == []


@pytest.mark.parametrize("function", [before, after, wrong])
@pytest.mark.parametrize("seam", ["around_request", "before_stop"])
async def test_a_row_that_fails_around_a_request_or_a_stop_is_passed_over(
    tmp_path: Path, function: Any, seam: str
) -> None:
    """rows G6"""
    async with session(tmp_path, rows=[row("broken", **{seam: function})]) as opened:
        ended = await asked(opened)
        assert (ended.kind, ended.steps) == ("done", 1)
        assert [fault[:2] for fault in faults(opened)] == [("broken", seam)]


async def test_a_failure_of_the_model_passes_through_rows_as_it_is(tmp_path: Path) -> None:
    seen: list[str] = []

    async def looking(request: Any, view: Any, further: Any) -> Any:
        try:
            return await further(request)
        except ModelFailed as failure:
            seen.append(failure.kind)
            raise ValueError("broken while it handled it") from failure

    script = replies("{error: {kind: auth, sentence: The key is wrong.}}")
    async with session(tmp_path, script, rows=[row("looking", around_request=looking)]) as opened:
        ended = await asked(opened)
        assert (ended.kind, ended.sentence) == ("failed", "The key is wrong.")
        assert [fault[:2] for fault in faults(opened)] == [("looking", "around_request")]
    assert seen == ["auth"]


async def test_a_row_may_mend_a_request_and_send_it_again(tmp_path: Path) -> None:
    """rows C18: a remedy for a refused length, within the same step."""

    async def mending(request: Any, view: Any, further: Any) -> Any:
        try:
            return await further(request)
        except ModelFailed:
            return await further(view.render())

    script = replies("{error: {kind: length}, text: Now it fits.}")
    async with session(tmp_path, script, rows=[row(around_request=mending)]) as opened:
        assert (await asked(opened)).kind == "done"
        assert faults(opened) == []


async def test_a_row_may_refuse_a_request_and_a_retry(tmp_path: Path) -> None:
    """rows L4: a retry that is refused ends the turn with the provider's own error."""
    end = EndTurn("limited", "limit-model-calls", "Over.")

    async def refusing(request: Any, view: Any, further: Any) -> Any:
        return end if request.attempt >= allowed[0] else await further(request)

    allowed = [0]
    script = replies("{error: {kind: rate, times: 9, sentence: Too many.}}")
    for allowed[0], said in ((0, ("limited", "Over.")), (1, ("failed", "Too many."))):
        async with session(tmp_path, script, rows=[row(around_request=refusing)]) as opened:
            ended = await asked(opened)
            assert (ended.kind, ended.sentence) == said


async def test_a_row_ends_the_turn_before_a_step_and_what_was_typed_is_read_first(
    tmp_path: Path,
) -> None:
    """rows B3: what people wrote is admitted before the step is judged."""
    heard: list[int] = []

    async def judging(step: Any, further: Any) -> Any:
        heard.append(len(logged(opened, UserMessaged)))
        assert await further(step) == Proceed()
        return EndTurn("aborted", "turn-budget", "Closed.")

    async with session(tmp_path, rows=[row(before_step=judging)]) as opened:
        opened.post("Wait.", by="panel")
        ended = await asked(opened)
        assert (ended.reason, ended.steps) == ("turn-budget", 0)
    assert heard == [2]


async def test_a_broken_section_or_context_is_left_out_and_recorded(tmp_path: Path) -> None:
    rows = [
        row("broken", section=raising, context=raising),
        row("sound", section=lambda _: "Sound.", context=lambda _: "Now."),
    ]
    async with session(tmp_path, rows=rows) as opened:
        assert (await asked(opened)).kind == "done"
        assert logged(opened, PromptSet)[0].system.endswith("Sound.\n")
        assert logged(opened, StepStarted)[0].context == "Now."
        assert ("broken", "section", "ValueError: broken in two lines") in faults(opened)


@pytest.mark.parametrize(
    ("judge", "code", "said"),
    [
        (before, "row-failed", "x.txt was not touched: `paths`, which judges paths, failed."),
        (None, "", "resolved x.txt"),
    ],
)
async def test_rows_judge_every_path(tmp_path: Path, judge: Any, code: str, said: str) -> None:
    async def passing(access: Any, view: Any, further: Any) -> None:
        await further(access)

    async def opening(arguments: Word, scene: Scene) -> Result:
        path = await scene.files.open(arguments.word, "read", "echo")
        return Result(f"resolved {path.name}")

    script = replies("calls: [{echo: {word: x.txt}}]", "text: Done.")
    rows = [row("paths", on_file=judge or passing)]
    async with session(tmp_path, script, rows=rows, tools=[tool("echo", opening)]) as opened:
        await asked(opened)
        assert results(opened)["t1s1c1"] == (code, said)


async def test_no_row_keeps_a_cancel_from_the_turn(tmp_path: Path) -> None:
    """rows G6: cancellation is never caught, and a row that does is not obeyed."""

    reached = asyncio.Event()

    async def deaf(call: Any, further: Any) -> Any:
        try:
            reached.set()
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            return Denied("deaf", "I did not hear.")

    async with session(tmp_path, CALL, rows=[row(around_tool=deaf)], tools=[tool("echo")]) as o:
        turn = asyncio.create_task(asked(o))
        await reached.wait()
        o.cancel()
        assert (await turn).kind == "aborted"
        assert results(o)["t1s1c1"][0] == "deaf"


async def test_a_row_that_hides_a_cancel_before_a_step_is_not_obeyed_for_long(
    tmp_path: Path,
) -> None:
    reached = asyncio.Event()

    async def deaf(step: Any, further: Any) -> Any:
        try:
            reached.set()
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            return await further(step)

    async with session(tmp_path, CALL, rows=[row(before_step=deaf)], tools=[tool("echo")]) as o:
        turn = asyncio.create_task(asked(o))
        await reached.wait()
        o.cancel()
        ended = await turn
        assert (ended.kind, ended.steps) == ("aborted", 1)
        assert results(o)["t1s1c1"][0] == "cancelled"


async def test_a_lifespan_runs_while_the_session_lives(tmp_path: Path) -> None:
    life: list[str] = []

    @asynccontextmanager
    async def living(view: Any) -> Any:
        life.append("begun")
        yield
        life.append("ended")

    rows = [row("living", lifespan=living), row("broken", lifespan=raising)]
    async with session(tmp_path, rows=rows) as opened:
        assert life == ["begun"]
        assert [fault[:2] for fault in faults(opened)] == [("broken", "lifespan")]
    assert life == ["begun", "ended"]


async def test_rows_see_the_view_and_may_ask_the_model_outside_every_seam(tmp_path: Path) -> None:
    """rows B5: the turn-budget's last report is a request of its own."""
    seen: dict[str, Any] = {}

    async def reporting(step: Any, further: Any) -> Any:
        view = step.view
        note = UserTurn(blocks=(Text(text="Report."),), source="budget")
        view.log.append(UserMessaged(message=note))
        seen["words"] = (await view.request(view.render())).text
        seen["view"] = (view.model_name, view.working, view.window, view.price, sorted(view.tools))
        return EndTurn("aborted", "turn-budget", "Closed.")

    script = "turns:\n- replies: [{text: 'My report.', expect: Report.}]\n"
    async with session(tmp_path, script, rows=[row("budget", before_step=reporting)]) as opened:
        ended = await asked(opened)
    assert ended.reason == "turn-budget"
    assert seen == {
        "words": "My report.", "view": ("scripted:test", True, None, None, ["run_code"]),
    }  # fmt: skip


def test_the_table_of_rows_and_seams() -> None:
    async def said(arguments: str, view: Any) -> Said:
        return Said("")

    made = row("made", before_step=before, commands=(Command("compact", "", said),))
    table = seam_table([todo.row(NoConfig()), row("idle"), made])
    assert table == (
        "row   section  context  tools        commands  before_step  around_request  around_tool"
        "  on_file  before_stop  lifespan",
        "todo  x        x        write_todos  todos     -            -               x          "
        "  -        -            -",
        "idle  -        -        -            -         -            -               -          "
        "  -        -            -",
        "made  -        -        -            compact   x            -               -          "
        "  -        -            -",
        "idle is inert: this profile gives it nothing to do.",
    )
