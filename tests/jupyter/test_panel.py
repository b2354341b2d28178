"""The panel's requests and pushes on a real kernel (lab W1-W4)."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from keelbook.jupyter.wire import OPS, WireEvent, WireReply
from tests.jupyter.driving import Driven, driven

SCRIPT = """
turns:
  - request: work
    replies:
      - calls:
          - write_todos:
              todos: [{content: One, status: in_progress}, {content: Two}]
          - python: |
              import asyncio
              await asyncio.sleep(1.0)
      - text: Done.
"""


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[Driven]:
    """A kernel whose model is the script."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "work.yaml").write_text(SCRIPT)
    with driven(tmp_path, model="scripted:work.yaml") as kernel:
        kernel.ready()
        yield kernel


def result(kernel: Driven, op: str, **args: Any) -> Any:
    """A result, checked against the wire's own type."""
    reply = WireReply.model_validate(kernel.panel(op, **args))
    assert reply.ok, reply.error
    return OPS[op][1].model_validate(reply.result)


def pushed(kernel: Driven) -> list[WireEvent]:
    """The pushes that are on their way."""
    return [
        WireEvent.model_validate(m["content"])
        for m in kernel.drained(0.3)
        if m["msg_type"] == "keelbook_event"
    ]


def ended(kernel: Driven) -> Any:
    """The agent's state once its turn is over."""
    for _ in range(100):
        state = result(kernel, "state.get").agent
        if state.state == "ended":
            return state
        time.sleep(0.1)
    raise AssertionError("the turn does not end")


def test_a_request_has_a_reply_and_no_status(kernel: Driven) -> None:
    """lab W1"""
    kernel.drained()
    state = result(kernel, "state.get")
    assert state.agent.state in ("idle", "ended")
    assert [m for m in kernel.drained(0.2) if m["msg_type"] == "status"] == []


@pytest.mark.parametrize(("content", "code"), [
    ({"id": "1", "op": "state.got", "args": {}}, "unknown-op"),
    ({"id": "1", "op": "state.get", "args": {"topics": ["moon"]}}, "bad-arguments"),
    ({"id": "1", "op": "turn.ask", "args": {"text": ""}}, "bad-arguments"),
    ({"id": "1", "op": "turn.ask", "args": {"text": "x", "extra": 1}}, "bad-arguments"),
    ({"op": "state.get"}, "bad-arguments"),
    ({"id": 5, "op": "state.get"}, "bad-arguments"),
    ({"id": "1", "op": "session.events", "args": {"size": 100000}}, "bad-arguments"),
])  # fmt: skip
def test_a_bad_request_is_refused_with_a_code_and_a_sentence(
    kernel: Driven, content: dict[str, Any], code: str
) -> None:
    """lab W1: nothing happens."""
    reply = WireReply.model_validate(kernel.control("keelbook_request", content))
    assert not reply.ok
    assert reply.error is not None
    assert reply.error.code == code
    assert reply.error.sentence.endswith((".", "?"))


def test_it_works_while_a_cell_spins(kernel: Driven) -> None:
    """lab W1"""
    cell = kernel.send("while True: pass")
    kernel.until(lambda m: m["msg_type"] == "execute_input")
    begun = time.monotonic()
    assert kernel.panel("state.get")["ok"]
    assert time.monotonic() - begun < 1.0
    kernel.control("interrupt_request")
    kernel.settled(cell)


def test_a_turn_asked_from_the_panel_runs_and_is_told_in_pushes(scripted: Driven) -> None:
    """lab W2, W5"""
    assert result(scripted, "state.get").agent.state == "idle"
    asked = result(scripted, "turn.ask", text="work please")
    assert (asked.turn, asked.steered) == (1, False)
    working = result(scripted, "state.get").agent
    assert (working.state, working.turn, working.model) == ("working", 1, "scripted:work.yaml")
    steered = result(scripted, "turn.ask", text="quickly")
    assert (steered.turn, steered.steered) == (1, True)
    assert result(scripted, "state.get").agent.queued == 1
    over = ended(scripted)
    assert (over.kind, over.queued) == ("done", 0)
    plan = result(scripted, "todos.get")
    assert [item.content for item in plan.items] == ["One", "Two"]
    events = pushed(scripted)
    assert [each.seq for each in events] == list(range(1, len(events) + 1))
    assert {topic for each in events for topic in each.topics} == {"agent", "todos"}


def test_pushes_are_at_most_twenty_a_second_and_have_no_parent(scripted: Driven) -> None:
    """lab W2"""
    result(scripted, "turn.ask", text="work")
    ended(scripted)
    events = [m for m in scripted.drained(0.3) if m["msg_type"] == "keelbook_event"]
    assert all(m["parent_header"] == {} for m in events)
    dates = [m["header"]["date"] for m in events]
    for first, second in itertools.pairwise(dates):
        assert (second - first).total_seconds() > 0.045


def test_a_turn_is_cancelled_from_the_panel_and_a_second_time_says_nothing_ran(
    scripted: Driven,
) -> None:
    """lab W4, W5"""
    result(scripted, "turn.ask", text="work")
    assert result(scripted, "turn.cancel").cancelled
    assert ended(scripted).kind == "aborted"
    assert not result(scripted, "turn.cancel").cancelled


def test_a_persons_cell_runs_while_the_panels_turn_works(scripted: Driven) -> None:
    """session: a person's cells run between the agent's."""
    result(scripted, "turn.ask", text="work")
    assert scripted.ok("'mine'").result == "'mine'"
    assert ended(scripted).kind == "done"


def test_rows_sessions_events_and_variables_come_in_pages(scripted: Driven) -> None:
    """lab W5"""
    scripted.ok("alpha, beta, gamma = 1, [2], 'three'")
    assert "todo" in [row.name for row in result(scripted, "rows.get").rows]
    listed = result(scripted, "session.list")
    assert [each.current for each in listed.sessions] == [True]
    page = result(scripted, "session.events", size=2)
    assert page.next is not None
    before = result(scripted, "session.events", size=500, before=page.next)
    assert page.events[-1].seq == before.events[0].seq + 1
    assert before.next is None
    tagged = result(scripted, "session.events", tags=["cell/start"])
    assert {each.tag for each in tagged.events} == {"cell/start"}
    first = result(scripted, "variables.list", size=2)
    names = [each.name for each in first.variables]
    rest = result(scripted, "variables.list", size=2, cursor=first.next)
    assert {*names, *(each.name for each in rest.variables)} >= {"alpha", "beta", "gamma"}
    assert (first.total, rest.next) == (3, None)


def test_no_model_is_said_to_the_panel_too(kernel: Driven) -> None:
    """lab P4: one sentence."""
    reply = kernel.panel("turn.ask", text="hello")
    if reply["ok"]:
        assert "No model is set" in ended(kernel).sentence
    else:
        assert "No model is set" in reply["error"]["sentence"]
