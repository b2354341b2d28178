"""Probes, counts, user expressions and history (guest J6-J9)."""

from __future__ import annotations

from pathlib import Path

from tests.jupyter.driving import Driven, driven


def test_a_silent_request_publishes_only_status_and_leaves_no_trace(own: Driven) -> None:
    """guest J6"""
    before = own.ok("1").reply["execution_count"]
    events = own.panel("session.events", size=1)["result"]["total"]
    silent = own.run("print('unheard'); 5", silent=True)
    assert silent.kinds == ["busy", "idle"]
    assert silent.status == "ok"
    assert own.panel("session.events", size=1)["result"]["total"] == events
    assert own.ok("2").reply["execution_count"] == before + 1


def test_an_unrecorded_request_shows_outputs_and_does_not_count(own: Driven) -> None:
    """guest J7"""
    before = own.ok("1").reply["execution_count"]
    events = own.panel("session.events", size=1)["result"]["total"]
    probe = own.ok("print('seen')", store_history=False)
    assert probe.text() == "seen\n"
    assert probe.reply["execution_count"] == before
    assert own.panel("session.events", size=1)["result"]["total"] == events
    reply = own.reply(own.ask("history_request", {
        "hist_access_type": "tail", "n": 5, "raw": True, "output": False,
    }))  # fmt: skip
    assert [entry[2] for entry in reply["history"]] == ["1"]


def test_user_expressions_are_evaluated_after_success_each_for_itself(kernel: Driven) -> None:
    """guest J8"""
    answer = kernel.ok("a = 6", user_expressions={"twice": "a * 2", "bad": "1/0"})
    found = answer.reply["user_expressions"]
    assert found["twice"]["status"] == "ok"
    assert found["twice"]["data"]["text/plain"] == "12"
    assert found["bad"]["status"] == "error"
    assert found["bad"]["ename"] == "ZeroDivisionError"


def test_user_expressions_are_skipped_after_an_error(kernel: Driven) -> None:
    """guest J8"""
    answer = kernel.run("1/0", user_expressions={"a": "1"})
    assert answer.reply["user_expressions"] == {}


def test_the_count_is_the_same_in_input_result_and_reply(kernel: Driven) -> None:
    """guest J9"""
    answer = kernel.ok("7")
    counts = {
        m["content"]["execution_count"]
        for m in answer.messages
        if m["msg_type"] in ("execute_input", "execute_result")
    }
    assert counts == {answer.reply["execution_count"]}


def test_the_count_goes_on_after_a_guests_death(own: Driven) -> None:
    """guest J9, J10"""
    before = own.ok("1").reply["execution_count"]
    died = own.run("import os; os._exit(3)")
    assert (died.status, died.reply["ename"]) == ("error", "GuestDied")
    assert died.reply["execution_count"] == before + 1
    assert own.ok("2").reply["execution_count"] == before + 2


def test_history_is_what_was_typed_also_where_a_magic_became_something_else(own: Driven) -> None:
    """guest J9"""
    typed = ["x = 3", "%pwd", "!true", "x"]
    for code in typed:
        own.ok(code)
    reply = own.reply(own.ask("history_request", {
        "hist_access_type": "tail", "n": 10, "raw": True, "output": True,
    }))  # fmt: skip
    assert [entry[:2] for entry in reply["history"]] == [[1, n] for n in (1, 2, 3, 4)]
    assert [entry[2][0] for entry in reply["history"]] == typed
    assert reply["history"][3][2][1] == "3"


def test_history_keeps_session_numbers_over_restarts(tmp_path: Path) -> None:
    """guest J9, J14: the notebook's session goes on under a new number."""
    name = str(tmp_path / "workspace" / "book.ipynb")
    for number in (1, 2):
        with driven(tmp_path, notebook=name) as kernel:
            kernel.ready()
            assert kernel.ok(f"value = {number}").reply["execution_count"] == 1
            reply = kernel.reply(kernel.ask("history_request", {
                "hist_access_type": "tail", "n": 5, "raw": True, "output": False,
            }))  # fmt: skip
            assert reply["history"] == [[n, 1, f"value = {n}"] for n in range(1, number + 1)]
    with driven(tmp_path, notebook=name) as kernel:
        kernel.ready()
        asked = {"hist_access_type": "range", "session": -1, "start": 1, "raw": True}
        reply = kernel.reply(kernel.ask("history_request", {**asked, "output": False}))
        assert reply["history"] == [[2, 1, "value = 2"]]
