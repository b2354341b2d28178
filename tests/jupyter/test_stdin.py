"""Questions of a cell to the person (guest B33, C3)."""

from __future__ import annotations

import time

from tests.jupyter.driving import Driven, Message


def question(kernel: Driven) -> Message:
    """The next question."""
    return kernel.client.get_stdin_msg(timeout=20)


def test_a_cells_question_goes_to_its_client_and_the_answer_comes_back(kernel: Driven) -> None:
    """guest B33: output first, then the question."""
    sent = kernel.send("print('now')\nname = input('n? ')\nname", allow_stdin=True)
    asked = question(kernel)
    assert asked["content"] == {"prompt": "n? ", "password": False}
    assert asked["parent_header"]["msg_id"] == sent
    kernel.client.input("Ada")
    answer = kernel.settled(sent)
    assert answer.result == "'Ada'"
    assert answer.text() == "now\n"


def test_a_password_is_asked_for_as_one(kernel: Driven) -> None:
    """guest B33"""
    sent = kernel.send("import getpass; len(getpass.getpass('key: '))", allow_stdin=True)
    assert question(kernel)["content"] == {"prompt": "key: ", "password": True}
    kernel.client.input("secret")
    assert kernel.settled(sent).result == "6"


def test_a_stale_answer_is_dropped(kernel: Driven) -> None:
    """guest B33"""
    kernel.client.input("too early")
    sent = kernel.send("input('a? ')", allow_stdin=True)
    question(kernel)
    kernel.client.input("in time")
    assert kernel.settled(sent).result == "'in time'"


def test_an_answer_to_an_earlier_question_is_dropped(kernel: Driven) -> None:
    """guest B33: a front end names the question it answers."""
    session, channel = kernel.client.session, kernel.client.stdin_channel
    sent = kernel.send("input('one? ') + input('two? ')", allow_stdin=True)
    first = question(kernel)
    channel.send(session.msg("input_reply", {"value": "1"}, parent=first))
    second = question(kernel)
    channel.send(session.msg("input_reply", {"value": "again"}, parent=first))
    channel.send(session.msg("input_reply", {"value": "2"}, parent=second))
    assert kernel.settled(sent).result == "'12'"


def test_without_stdin_the_cell_is_told_so(kernel: Driven) -> None:
    """guest B33"""
    answer = kernel.run("input('a? ')", allow_stdin=False)
    assert answer.reply["ename"] == "EOFError"
    assert "takes no questions" in answer.reply["evalue"]


def test_an_interrupt_withdraws_a_question(kernel: Driven) -> None:
    """guest C3"""
    sent = kernel.send("input('for ever? ')", allow_stdin=True)
    question(kernel)
    kernel.control("interrupt_request")
    assert kernel.settled(sent).reply["ename"] == "KeyboardInterrupt"
    kernel.client.input("late")
    sent = kernel.send("input('next? ')", allow_stdin=True)
    question(kernel)
    kernel.client.input("fresh")
    assert kernel.settled(sent).result == "'fresh'"


def test_side_requests_and_the_panel_are_answered_while_a_question_waits(kernel: Driven) -> None:
    """lab W1, guest J2"""
    sent = kernel.send("input('wait: ')", allow_stdin=True)
    question(kernel)
    begun = time.monotonic()
    assert kernel.panel("state.get", topics=["agent"])["ok"]
    assert kernel.reply(kernel.ask("is_complete_request", {"code": "1"}))["status"] == "complete"
    assert time.monotonic() - begun < 1.5
    kernel.client.input("go")
    assert kernel.settled(sent).result == "'go'"
