"""Where the plan lives, and which calls did the work of its items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from keelbook.errors import Refused
from keelbook.events import PromptSet, StepStarted, Vocabulary
from keelbook.log import Log
from keelbook.rows import todo
from keelbook.surface import messages
from tests.loop.staging import Front, asked, logged, results
from tests.rows.planning import brief, echo, item, plan, planning, python, write

CALL = "t1s1c1"


# ---------------------------------------------------------------- where it lives


async def test_a_new_turn_a_new_process_and_a_fork_have_the_list(tmp_path: Path) -> None:
    """rows T13"""
    async with planning(tmp_path, [[write(item("a"))]], [], origin="n.ipynb") as opened:
        await asked(opened)
        await asked(opened)
        assert brief(plan(opened)) == [("a", "pending", ())]
        source, length = opened.id, opened.log.length
    async with planning(tmp_path, [], origin="n.ipynb") as again:
        assert again.id == source
        assert brief(plan(again)) == [("a", "pending", ())]
        fork = again.fork(length)
    async with planning(tmp_path, [], session=fork) as forked:
        assert forked.id != source
        assert brief(plan(forked)) == [("a", "pending", ())]


async def test_a_build_without_the_row_refuses_its_log(tmp_path: Path) -> None:
    """rows T13"""
    async with planning(tmp_path, [[write(item("a"))]]) as opened:
        await asked(opened)
        folder = opened.log.folder
    with pytest.raises(Refused) as refused:
        Log.read_only(folder, Vocabulary())
    assert "`todo/write`" in refused.value.sentence


async def test_the_plan_rides_behind_the_conversation_and_leaves_the_prefix_alone(
    tmp_path: Path,
) -> None:
    """rows T14"""
    given = [
        item("a", "completed"), item("b", "in_progress", "a"), item("c"),
        item("d", "pending", "a", "b", "c"),
    ]  # fmt: skip
    async with planning(tmp_path, [[write(*given)]], []) as opened:
        await asked(opened)
        before = [each.to_json() for each in messages(opened.log)]
        await asked(opened)
        after = [each.to_json() for each in messages(opened.log)]
        (prompt,) = logged(opened, PromptSet)
        contexts = [each.context for each in logged(opened, StepStarted)]
    block = "Plan\n[x] a\n[~] b\n[ ] c\n[ ] d (waits for: b, c)"
    assert contexts == ["", block, block]
    assert after[: len(before)] == before
    assert todo.GUIDANCE in prompt.system
    assert block not in prompt.system


# ---------------------------------------------------------------- what did the work


async def worked(folder: Path, *turns: Any) -> dict[str, Any]:
    """``worked`` of each item after these turns."""
    async with planning(folder, *turns) as opened:
        for _ in turns:
            await asked(opened)
        return {each.content: each.worked for each in plan(opened)}


PENDING = write(item("a"))
DONE = write(item("a", "completed"))


async def test_worked_names_the_calls_between_the_open_item_and_its_completion(
    tmp_path: Path,
) -> None:
    """rows T15, T16"""
    assert await worked(tmp_path, [[PENDING], [echo()], [DONE]]) == {"a": ("t1s2c1",)}
    assert await worked(tmp_path, [[PENDING], [DONE]]) == {"a": ()}
    assert await worked(tmp_path, [[PENDING], [echo(), echo(), DONE]]) == {
        "a": ("t1s2c1", "t1s2c2"),
    }  # fmt: skip
    assert await worked(tmp_path, [[PENDING], [echo()]], [[echo()], [DONE]]) == {
        "a": ("t1s2c1", "t2s1c1"),
    }  # fmt: skip


async def test_a_cell_with_three_dispatches_is_four_ids_and_failed_calls_count(
    tmp_path: Path,
) -> None:
    """rows T15, T16"""
    code = "for n in range(3):\n    await tools.echo(word=str(n))"
    assert await worked(tmp_path, [[PENDING], [python(code)], [DONE]]) == {
        "a": ("t1s2c1", "t1s2c1.1", "t1s2c1.2", "t1s2c1.3"),
    }  # fmt: skip
    assert await worked(tmp_path, [[PENDING], [python("1 / 0")], [DONE]]) == {"a": ("t1s2c1",)}


async def test_a_call_refused_before_its_start_or_still_running_is_not_in_it(
    tmp_path: Path,
) -> None:
    """rows T16: the cell that writes the plan is itself still running."""
    refused_call = {"tool": "echo", "arguments": {"word": []}}
    assert await worked(tmp_path, [[PENDING], [refused_call], [DONE]]) == {"a": ()}
    code = (
        "await tools.echo()\n"
        "await tools.write_todos(todos=[{'content': 'a', 'status': 'completed'}])"
    )
    assert await worked(tmp_path, [[PENDING], [python(code)]]) == {"a": ("t1s2c1.1",)}


async def test_a_persons_cells_are_not_the_agents_work(tmp_path: Path) -> None:
    async with planning(tmp_path, [[PENDING]], [[DONE]]) as opened:
        await asked(opened)
        await opened.run_cell("await tools.echo(word='mine')", Front(), number=1)
        await asked(opened)
        assert plan(opened)[0].worked == ()


async def test_the_window_opens_at_the_last_write_that_has_the_item_open(tmp_path: Path) -> None:
    """rows T17"""
    turn = [[PENDING], [echo()], [PENDING], [DONE]]
    assert await worked(tmp_path, turn) == {"a": ()}
    assert await worked(tmp_path, [[echo()], [DONE]]) == {"a": ()}
    under_way = write(item("a", "in_progress"))
    assert await worked(tmp_path, [[PENDING], [under_way], [echo()], [DONE]]) == {"a": ("t1s3c1",)}


async def test_worked_is_kept_while_the_item_stays_completed(tmp_path: Path) -> None:
    """rows T18"""
    begun = [[PENDING], [echo()], [DONE]]
    more = write(item("a", "completed"), item("b"))
    assert await worked(tmp_path, [*begun, [echo()], [more]]) == {"a": ("t1s2c1",), "b": None}
    assert await worked(tmp_path, [*begun, [PENDING]]) == {"a": None}
    assert await worked(tmp_path, [*begun, [PENDING], [echo()], [DONE]]) == {"a": ("t1s5c1",)}
    assert await worked(tmp_path, [*begun, [write(item("A", "completed"))]]) == {"A": ()}
    assert await worked(tmp_path, [*begun, [write()], [echo()], [DONE]]) == {"a": ()}


async def test_without_an_open_item_no_calls_are_kept(tmp_path: Path) -> None:
    turn = [[echo()], [PENDING], [echo()], [DONE], [echo()]]
    async with planning(tmp_path, turn) as opened:
        await asked(opened)
        assert opened.log.fold(todo.PLAN).calls == ()


async def test_the_person_is_shown_what_was_completed_without_a_call(tmp_path: Path) -> None:
    """rows T19"""
    given = [item("a", "completed"), item("b", "in_progress"), item("c")]
    async with planning(tmp_path, [[write(*given)]]) as opened:
        empty = await opened.command("todos")
        assert (empty.sentence, empty.bundle) == ("The plan is empty.", None)
        await asked(opened)
        said = await opened.command("todos")
        assert said.sentence == "Plan: 1 done, 1 under way, 1 open, 1 unevidenced."
        assert said.bundle is not None
        assert results(opened)[CALL] == ("", "Plan saved: 1 done, 1 under way, 1 open.")
        assert all("unevidenced" not in each.context for each in logged(opened, StepStarted))
