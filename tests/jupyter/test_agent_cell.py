"""An ``%%agent`` cell: what it draws, in which order, how it ends (lab N1, N2; guest G15, J4)."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.jupyter.driving import Answer, Driven, driven

PLAN_AND_RUN = """
turns:
  - replies:
      - text: I *look* at it.
        calls:
          - write_todos:
              todos: [{content: Count, status: in_progress}]
          - python: |
              print('counting')
              found = 3
              found
      - calls:
          - write_todos:
              todos: [{content: Count, status: completed}]
          - python: "!echo from the shell"
      - text: There are **three**.
"""
SLOW = """
turns:
  - request: slowly
    replies:
      - text: I wait.
        calls:
          - python: |
              import asyncio
              began = True
              await asyncio.sleep(15 if wait else 0.6)
      - text: Done waiting.
  - request: again
    replies:
      - text: Second turn.
"""
SHOWS = """
turns:
  - replies:
      - calls:
          - python: |
              from IPython.display import HTML, Javascript, display
              display(HTML('<b onclick="parent.x=1">bold</b>'))
              display({'application/vnd.keelbook.turn.v1+json': {'turn': 9},
                       'application/vnd.jupyter.widget-view+json': {'model_id': 'x'},
                       'text/plain': 'plain'}, raw=True)
              display(Javascript('window.bad = 1'))
      - text: Shown.
"""
FAILS = """
turns:
  - replies:
      - text: I try.
        calls:
          - python: 1/0
          - frobnicate: {}
      - text: It failed.
"""


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[Driven]:
    """A kernel whose workspace holds the scripts."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    for name, text in (("plan", PLAN_AND_RUN), ("slow", SLOW), ("shows", SHOWS), ("fails", FAILS)):
        (workspace / f"{name}.yaml").write_text(text)
    with driven(tmp_path) as kernel:
        kernel.ready()
        yield kernel


def agent(name: str, words: str = "please") -> str:
    """A cell that asks the agent of a script."""
    return f"%%agent --model scripted:{name}.yaml\n{words}"


def kind_of(message: dict[str, Any]) -> str:
    """An output in a word: its card's kind, its stream or its first mime."""
    if message["msg_type"] == "stream":
        return str(message["content"]["name"])
    data = message["content"].get("data", {})
    cards = [re.fullmatch(r"application/vnd\.keelbook\.(\w+)\.v1\+json", mime) for mime in data]
    return next((m[1] for m in cards if m), next(iter(sorted(data)), message["msg_type"]))


def shown(answer: Answer) -> list[str]:
    """The notebook as it stands in the end: updates are in their display's place."""
    return [kind_of(m) for m in answer.outputs if m["msg_type"] != "update_display_data"]


def card(answer: Answer, kind: str) -> dict[str, Any]:
    """The last payload of a kind."""
    mime = f"application/vnd.keelbook.{kind}.v1+json"
    payload: dict[str, Any] = [data[mime] for data in answer.bundles if mime in data][-1]
    return payload


def test_outputs_come_in_the_order_things_happen(scripted: Driven) -> None:
    """lab N1"""
    answer = scripted.ok(agent("plan"))
    assert shown(answer) == [
        "text/markdown", "plan", "call", "stdout", "text/plain", "call", "stdout",
        "text/markdown", "turn",
    ]  # fmt: skip
    assert answer.text() == "counting\nfrom the shell\n"
    assert card(answer, "plan")["items"][0]["status"] == "completed"
    assert card(answer, "turn")["ended"] == "done"
    assert scripted.ok("found").result == "3"


def test_streamed_words_end_exactly_as_they_were_said(scripted: Driven) -> None:
    """lab N1: updates are coalesced, the final text is whole."""
    answer = scripted.ok(agent("plan"))
    by_display: dict[str, str] = {}
    for message in answer.outputs:
        if "text/markdown" in message["content"].get("data", {}):
            place = message["content"]["transient"]["display_id"]
            by_display[place] = message["content"]["data"]["text/markdown"]
    assert list(by_display.values()) == ["I *look* at it.", "There are **three**."]


def test_every_card_and_every_update_has_all_three_mimes(scripted: Driven) -> None:
    """lab N1, N2"""
    answer = scripted.ok(agent("plan"))
    cards = [data for data in answer.bundles if any("vnd.keelbook" in mime for mime in data)]
    assert len(cards) > 5
    for data in cards:
        assert {"text/html", "text/plain"} < set(data)
        assert "<script" not in data["text/html"]


def test_the_same_session_draws_the_same_notebook(tmp_path: Path) -> None:
    """DESIGN decision 8: no times, no random ids."""
    drawn = []
    for name in ("one", "two"):
        folder = tmp_path / name / "workspace"
        folder.mkdir(parents=True)
        (folder / "plan.yaml").write_text(PLAN_AND_RUN)
        with driven(tmp_path / name) as kernel:
            kernel.ready()
            answer = kernel.ok(agent("plan"))
            places: dict[str, dict[str, Any]] = {}
            for number, message in enumerate(answer.outputs):
                content = message["content"]
                place = content.get("transient", {}).get("display_id", str(number))
                places[place] = content
            drawn.append([content.get("data") for content in places.values()])
    assert drawn[0] == drawn[1]


def test_an_agents_html_is_framed_and_its_scripts_and_widgets_are_removed(
    scripted: Driven,
) -> None:
    """guest G14, G15"""
    answer = scripted.ok(agent("shows"))
    plain = [data for data in answer.bundles if not any("vnd.keelbook" in m for m in data)]
    framed = [data["text/html"] for data in plain if "text/html" in data]
    assert len(framed) == 1
    assert framed[0].startswith('<iframe sandbox="allow-scripts" srcdoc="')
    assert "<b onclick" not in framed[0]
    assert {"text/plain": "plain"} in plain
    assert not any("javascript" in mime or "widget" in mime for data in plain for mime in data)
    assert card(answer, "turn")["turn"] == 1


def test_a_persons_html_is_unchanged_but_cannot_be_one_of_our_cards(scripted: Driven) -> None:
    """guest G14, G15"""
    answer = scripted.ok(
        "display({'text/html': '<b>x</b>', 'application/vnd.keelbook.call.v1+json': {},"
        " 'application/javascript': '1'}, raw=True)"
    )
    assert answer.bundles == [{"text/html": "<b>x</b>", "application/javascript": "1"}]


def test_a_failing_call_and_a_refused_one_say_so_in_words(scripted: Driven) -> None:
    """lab N1"""
    answer = scripted.ok(agent("fails"))
    mime = "application/vnd.keelbook.call.v1+json"
    last = {data[mime]["tool"]: data for data in answer.bundles if mime in data}
    assert last["python"][mime]["status"] == "failed"
    assert last["python"][mime]["sentence"] == "ZeroDivisionError: division by zero"
    assert last["frobnicate"][mime]["status"] == "refused"
    assert "refused" in last["frobnicate"]["text/plain"]
    assert "no tool `frobnicate`" in last["frobnicate"]["text/html"]


def test_an_interrupt_ends_the_turn_and_keeps_the_namespace(scripted: Driven) -> None:
    """guest J4: the cell ends as KeyboardInterrupt, with the foot drawn."""
    scripted.ok("wait = True")
    cell = scripted.send(agent("slow", "slowly"))
    scripted.until(lambda m: kind_of(m) == "call")
    time.sleep(0.5)
    scripted.control("interrupt_request")
    answer = scripted.settled(cell)
    assert (answer.status, answer.reply["ename"]) == ("error", "KeyboardInterrupt")
    assert card(answer, "turn")["ended"] == "aborted"
    assert scripted.ok("began").result == "True"


def test_a_steering_cell_is_answered_at_once_and_read_at_the_next_step(scripted: Driven) -> None:
    """issue: a message sent while a turn runs is read at the next step."""
    scripted.ok("wait = False")
    cell = scripted.send(agent("slow", "slowly"))
    scripted.until(lambda m: kind_of(m) == "call")
    steer = scripted.send("%%agent --steer\nbe brief")
    assert scripted.reply(steer)["status"] == "ok"
    messages = [m for m in scripted.settled(cell).messages if m["msg_type"] != "status"]
    said = [
        m["content"]["data"]["application/vnd.keelbook.message.v1+json"]["words"]
        for m in messages
        if kind_of(m) == "message"
    ]
    assert said == ["be brief"]


def test_agent_cells_queue_so_that_run_all_works(scripted: Driven) -> None:
    """issue: plain agent cells wait for each other."""
    scripted.ok("wait = False")
    first = scripted.send(agent("slow", "slowly"))
    second = scripted.send(agent("slow", "again"))
    third = scripted.send("'after'")
    assert card(scripted.settled(first), "turn")["turn"] == 1
    assert card(scripted.settled(second), "turn")["turn"] == 2
    assert scripted.settled(third).result == "'after'"


def test_no_model_is_an_error_with_what_to_do(scripted: Driven) -> None:
    """issue, models: three lines, and a headless run fails."""
    answer = scripted.run("%%agent\nhello")
    assert answer.status == "error"
    said = "\n".join(answer.reply["traceback"])
    assert "KEELBOOK_MODEL" in said or "KEELBOOK_MODEL" in card(answer, "turn")["sentence"]
    assert "keelbook demo" in card(answer, "turn")["sentence"]


def test_a_missing_script_and_an_unknown_model_are_one_sentence(scripted: Driven) -> None:
    """Bad input."""
    for model in ("scripted:none.yaml", "opnai:gpt-5"):
        answer = scripted.run(f"%%agent --model {model}\nhello")
        assert (answer.status, answer.reply["ename"]) == ("error", "BadConfig")
        assert model.partition(":")[2] in answer.reply["evalue"]
    assert scripted.ok("1").result == "1"


def test_an_agent_cell_cannot_be_silent(scripted: Driven) -> None:
    """guest J6: a silent request shows nothing, a turn does."""
    reply = scripted.run(agent("plan"), silent=True).reply
    assert reply["status"] == "error"
    assert "cannot run silently" in reply["evalue"]
