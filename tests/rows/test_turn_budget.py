"""The turn budget: when a turn is asked to wrap up, when it is closed, and what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from keelbook.events import StepStarted, ToolStarted, TurnEnded, UserMessaged
from keelbook.rows import turn_budget
from keelbook.rows.turn_budget import NOTICE, REPORT, TurnBudget, TurnBudgetStopped
from keelbook.session import Session
from keelbook.tool import Result, Scene
from tests.loop.staging import Word, asked, logged, replies, session, tool

CALL = "calls: [{echo: {word: hi}}]"


def notices(opened: Session) -> list[int]:
    """The steps that a notice was given before."""
    found, step = [], 0
    for event in logged(opened, StepStarted, UserMessaged):
        if isinstance(event, StepStarted):
            step = event.step
        elif event.message.blocks[0].text == NOTICE:
            found.append(step + 1)
    return found


@pytest.mark.parametrize(
    ("numbers", "asked_before", "stopped"),
    [
        ((20, 8, 2), [21, 25], 29),
        ((20, 8, 1), [21], 29),
        ((20, 8, 3), [21, 23, 25], 27),
        ((20, 7, 2), [21, 24], 27),
        ((20, 0, 2), [21], 22),
        ((20, 1, 2), [21], 22),
        ((3, 2, 5), [4, 5], 6),
    ],
)
async def test_notices_and_the_stop_come_before_these_steps(
    tmp_path: Path, numbers: tuple[int, int, int], asked_before: list[int], stopped: int
) -> None:
    """rows B1, B2, B4, B5, B9"""
    most, graceful, fires = numbers
    config = TurnBudget(max_steps=most, graceful_steps=graceful, max_fires=fires)
    script = replies(*[CALL] * (stopped - 1), "text: The report.")
    rows = [turn_budget.row(config)]
    async with session(tmp_path, script, rows=rows, tools=[tool("echo")]) as opened:
        ended = await asked(opened)
        assert notices(opened) == asked_before
        assert [each.step for each in logged(opened, TurnBudgetStopped)] == [stopped]
        assert len(logged(opened, StepStarted)) == stopped - 1
        assert (ended.kind, ended.reason) == ("aborted", "turn-budget")
        assert ended.sentence == turn_budget.CLOSED.format(steps=stopped - 1)
        assert logged(opened)[-2].message.text == "The report."
        assert logged(opened)[-3].message.blocks[0].text == REPORT


async def test_a_report_that_calls_a_tool_runs_nothing_and_the_person_reads_so(
    tmp_path: Path,
) -> None:
    """rows B5"""
    config = TurnBudget(max_steps=1, graceful_steps=0, max_fires=1)
    rows = [turn_budget.row(config)]
    async with session(tmp_path, replies(*[CALL] * 4), rows=rows, tools=[tool("echo")]) as opened:
        ended = await asked(opened)
        assert (ended.kind, ended.reason) == ("aborted", "turn-budget")
        assert ended.sentence.endswith(turn_budget.NO_REPORT)
        assert len(logged(opened, ToolStarted)) == 2


async def test_a_person_who_writes_starts_the_count_anew(tmp_path: Path) -> None:
    """rows B1 (last line of the table), B3"""

    async def post(arguments: Word, scene: Scene) -> Result:
        if len(logged(opened, ToolStarted)) == 24:
            opened.post("Go on.", by="panel")
        return Result("ok")

    rows = [turn_budget.row(TurnBudget(final_report=False))]
    script = replies(*[CALL] * 60)
    async with session(tmp_path, script, rows=rows, tools=[tool("echo", post)]) as opened:
        await asked(opened)
        assert notices(opened) == [21, 45, 49]
        assert [each.step for each in logged(opened, TurnBudgetStopped)] == [53]
        (ended,) = logged(opened, TurnEnded)
        assert ended.sentence == turn_budget.CLOSED.format(steps=52)
