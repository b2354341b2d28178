"""The plan (``write_todos``): what it takes, what it refuses, and that it lives in the log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from keelbook.config import NoConfig, sentences
from keelbook.events import StepStarted, ToolStarted
from keelbook.plan import Todo, TodosWritten
from tests.loop.staging import Front, asked, logged, results
from tests.rows.planning import brief, echo, item, plan, planning, python, write

CALL = "t1s1c1"


async def written(folder: Path, given: Any) -> tuple[tuple[str, str], tuple[Todo, ...], int]:
    """One write over a plan of one item ``old``: its result, the plan after it, how many writes."""
    call = {"tool": "write_todos", "arguments": {"todos": given}}
    async with planning(folder, [[write(item("old"))], [call]]) as opened:
        await asked(opened)
        writes = logged(opened, TodosWritten)
        return results(opened)["t1s2c1"], plan(opened), len(writes)


async def accepted(folder: Path, given: Any) -> tuple[Todo, ...]:
    """The plan after a write that must be taken."""
    (code, _), todos, writes = await written(folder, given)
    assert (code, writes) == ("", 2)
    return todos


async def refused(folder: Path, given: Any, code: str = "bad-plan") -> str:
    """The sentence of a write that must be refused and leave the list as it was."""
    (said, sentence), todos, writes = await written(folder, given)
    assert (said, writes) == (code, 1)
    assert brief(todos) == [("old", "pending", ())]
    assert sentence.startswith("Nothing was saved: ")
    assert sentence.endswith(".")
    return sentence


# ---------------------------------------------------------------- what is a plan


async def test_an_empty_list_empties_the_plan_and_its_block(tmp_path: Path) -> None:
    """rows T1"""
    async with planning(tmp_path, [[write(item("a"))], [write()]]) as opened:
        await asked(opened)
        assert plan(opened) == ()
        assert results(opened)["t1s2c1"] == ("", "The plan is empty.")
        contexts = [each.context for each in logged(opened, StepStarted)]
    assert contexts == ["", "Plan\n[ ] a", ""]


async def test_contents_and_names_are_trimmed_before_every_other_check(tmp_path: Path) -> None:
    """rows T2"""
    todos = await accepted(tmp_path, [item("  a\n"), item("b", "pending", " a ")])
    assert brief(todos) == [("a", "pending", ()), ("b", "pending", ("a",))]
    long = f"  {'x' * 500}  "
    assert (await accepted(tmp_path, [item(long)]))[0].content == "x" * 500


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ([item(" a "), item("a")], "bad-plan", "two items are called `a`"),
        ([item("")], "bad-arguments", "todos[0].content"),
        ([item("ok"), item("  ")], "bad-arguments", "todos[1].content"),
    ],
)
async def test_blank_and_equal_contents_are_refused(
    tmp_path: Path, given: Any, code: str, said: str
) -> None:
    """rows T2"""
    assert said in await refused(tmp_path, given, code)


async def test_the_bounds_of_a_plan_are_taken(tmp_path: Path) -> None:
    """rows T3"""
    assert len((await accepted(tmp_path, [item("x" * 500)]))[0].content) == 500
    hundred = [item(f"item {n}") for n in range(100)]
    assert len(await accepted(tmp_path, hundred)) == 100
    names = [f"item {n}" for n in range(20)]
    wide = [*(item(name) for name in names), item("last", "pending", *names)]
    assert (await accepted(tmp_path, wide))[-1].requires == tuple(names)
    twice = [item("a"), item("b"), item("c", "pending", "b", "a", "b")]
    assert (await accepted(tmp_path, twice))[-1].requires == ("b", "a")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([item("x" * 501)], "`todos[0].content` should have at most 500 characters"),
        ([item(f"item {n}") for n in range(101)], "`todos` should have at most 100 items"),
        (
            [*(item(str(n)) for n in range(21)), item("z", "pending", *map(str, range(21)))],
            "`todos[21].requires` should have at most 20 items",
        ),
    ],
)
async def test_past_the_bounds_it_is_refused(tmp_path: Path, given: Any, said: str) -> None:
    """rows T3"""
    assert said in await refused(tmp_path, given, "bad-arguments")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([item("a", "doing")], "`todos[0].status` is `doing`, not one of"),
        ([item("a", "Completed")], "`todos[0].status` is `Completed`, not one of"),
        ([{"status": "pending"}], "`todos[0].content` is missing"),
        ([{"content": 5}], "`todos[0].content` should be a string"),
    ],
)
async def test_another_status_or_no_content_is_refused(
    tmp_path: Path, given: Any, said: str
) -> None:
    """rows T4"""
    assert said in await refused(tmp_path, given, "bad-arguments")


async def test_a_missing_status_is_pending(tmp_path: Path) -> None:
    """rows T4"""
    assert brief(await accepted(tmp_path, [{"content": "a"}])) == [("a", "pending", ())]


@pytest.mark.parametrize("key", ["worked", "source", "activeForm", "id"])
async def test_any_other_key_is_refused(tmp_path: Path, key: str) -> None:
    """rows T5"""
    given = [{"content": "a", key: []}]
    assert f"there is no `todos[0].{key}`" in await refused(tmp_path, given, "bad-arguments")


async def test_a_list_given_as_json_text_is_that_list_under_all_rules(tmp_path: Path) -> None:
    """rows T6"""
    todos = await accepted(tmp_path, json.dumps([item(" a "), item("b", "pending", "a")]))
    assert brief(todos) == [("a", "pending", ()), ("b", "pending", ("a",))]
    assert "called `a`" in await refused(tmp_path, json.dumps([item("a"), item("a")]))


@pytest.mark.parametrize("text", ["", "[", "a, b", '{"content": "a"}', "5", '"[]"'])
async def test_text_that_is_no_list_is_refused(tmp_path: Path, text: str) -> None:
    """rows T6"""
    assert "`todos` should be a list" in await refused(tmp_path, text, "bad-arguments")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([item("a", "pending", "b")], "`a` requires `b`, which is not in this list"),
        ([item("a", "pending", "old")], "`a` requires `old`, which is not in this list"),
        ([item("a", "pending", "a")], "`a` requires itself"),
        (
            [item("a", "pending", "b"), item("b", "pending", "a")],
            "items require each other: `a` -> `b` -> `a`",
        ),
        (
            [item("z", "pending", "a"), item("a", "pending", "b"), item("b", "pending", "c"),
             item("c", "pending", "a")],
            "items require each other: `a` -> `b` -> `c` -> `a`",
        ),
    ],
)  # fmt: skip
async def test_prerequisites_name_items_of_this_list_and_go_round_in_no_circle(
    tmp_path: Path, given: Any, said: str
) -> None:
    """rows T7"""
    assert said in await refused(tmp_path, given)


async def test_a_wide_graph_without_a_circle_is_looked_through_quickly(tmp_path: Path) -> None:
    names = [f"n{n}" for n in range(100)]
    given = [item(name, "pending", *names[max(0, n - 20) : n]) for n, name in enumerate(names)]
    assert len(await accepted(tmp_path, given[::-1])) == 100


@pytest.mark.parametrize("status", ["in_progress", "completed"])
async def test_an_item_does_not_start_before_what_it_requires(tmp_path: Path, status: str) -> None:
    """rows T8"""
    for open_status in ("pending", "in_progress"):
        given = [item("a", open_status), item("b", status, "a")]
        assert f"`b` is {status} before `a`" in await refused(tmp_path, given)
    done = [item("b", status, "a"), item("a", "completed")]
    assert len(await accepted(tmp_path, done)) == 2


async def test_several_items_may_be_under_way_and_the_same_list_may_come_again(
    tmp_path: Path,
) -> None:
    """rows T9"""
    given = [item("a", "in_progress"), item("b", "in_progress")]
    async with planning(tmp_path, [[write(*given)], [write(*given)]]) as opened:
        await asked(opened)
        assert [code for code, _ in results(opened).values()] == ["", ""]
        assert len(logged(opened, TodosWritten)) == 2


# ---------------------------------------------------------------- several writes


async def test_two_plans_in_one_message_are_both_refused_and_the_others_run(tmp_path: Path) -> None:
    """rows T10"""
    message = [write(item("a")), echo(), write(item("b"))]
    async with planning(tmp_path, [message]) as opened:
        await asked(opened)
        sentence = "Nothing was saved: one message held 2 plans. Send the whole plan once."
        assert results(opened) == {
            "t1s1c1": ("parallel-lists", sentence), "t1s1c2": ("", "x"),
            "t1s1c3": ("parallel-lists", sentence),
        }  # fmt: skip
        assert (plan(opened), logged(opened, TodosWritten)) == ((), [])
        assert [each.tool for each in logged(opened, ToolStarted)] == ["echo"]


async def test_three_plans_are_counted_and_a_wrong_one_among_them_counts(tmp_path: Path) -> None:
    """rows T10"""
    wrong = {"tool": "write_todos", "arguments": {"todos": 5}}
    async with planning(tmp_path, [[write(item("a")), wrong, write(item("b"))]]) as opened:
        await asked(opened)
        codes = [code for code, _ in results(opened).values()]
        assert codes == ["parallel-lists", "bad-arguments", "parallel-lists"]
        assert "held 3 plans" in results(opened)["t1s1c1"][1]


async def test_the_second_of_two_messages_replaces_the_first_entirely(tmp_path: Path) -> None:
    """rows T11"""
    async with planning(tmp_path, [[write(item("a"))], [write(item("b"))]]) as opened:
        await asked(opened)
        assert brief(plan(opened)) == [("b", "pending", ())]


async def test_of_two_writes_in_one_cell_the_last_one_stands(tmp_path: Path) -> None:
    """rows T11"""
    code = (
        "await tools.write_todos(todos=[{'content': 'a'}])\n"
        "(await tools.write_todos(todos=[{'content': 'b'}]))['summary']"
    )
    async with planning(tmp_path, [[python(code)]]) as opened:
        await asked(opened)
        assert results(opened)[CALL] == ("", '[value]\n"0 done, 0 under way, 1 open"')
        writes = [[each.content for each in write.todos] for write in logged(opened, TodosWritten)]
    assert writes == [["a"], ["b"]]


async def test_a_persons_cell_cannot_write_the_agents_plan(tmp_path: Path) -> None:
    """rows T12 (its second half, the breaker, is the limits row's)"""
    async with planning(tmp_path) as opened:
        code = "await tools.write_todos(todos=[{'content': 'a'}])"
        outcome = await opened.run_cell(code, Front(), number=1)
        assert outcome.error is not None
        assert outcome.error.name == "ToolFailed"
        assert "`write_todos` is for the agent" in outcome.error.message
        assert results(opened)["p1.1"][0] == "agents-only"
        assert plan(opened) == ()


async def test_a_refused_plan_is_a_failure_each_time(tmp_path: Path) -> None:
    """rows T12: what the breaker will count, in the log by its code."""
    bad = write(item("a", "pending", "b"))
    async with planning(tmp_path, [[bad]] * 5) as opened:
        await asked(opened)
        assert [code for code, _ in results(opened).values()] == ["bad-plan"] * 5


# ---------------------------------------------------------------- settings


def test_the_row_has_no_settings() -> None:
    """rows section 2: any key is E1."""
    with pytest.raises(ValidationError) as refused:
        NoConfig.model_validate({"maxItems": 5})
    (sentence,) = sentences(refused.value, "todo", NoConfig)
    assert sentence == "todo.maxItems: There is no setting `maxItems`."
