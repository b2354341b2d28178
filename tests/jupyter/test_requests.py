"""What is answered while a cell runs, in which order, and with which status (guest J2-J5)."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.jupyter.driving import Driven

SIDE: list[tuple[str, dict[str, Any]]] = [
    ("complete_request", {"code": "zi", "cursor_pos": 2}),
    ("inspect_request", {"code": "zip", "cursor_pos": 3, "detail_level": 0}),
    ("is_complete_request", {"code": "if 1:"}),
    ("history_request", {"hist_access_type": "tail", "output": False, "raw": True, "n": 1}),
    ("comm_info_request", {}),
    ("kernel_info_request", {}),
]
SPIN = "import time\nend = time.monotonic() + 20\nwhile time.monotonic() < end: pass"


@pytest.mark.parametrize("code", [SPIN, "import asyncio; await asyncio.sleep(20)"])
def test_side_requests_are_answered_while_a_cell_runs_or_waits(kernel: Driven, code: str) -> None:
    """guest J2"""
    cell = kernel.send(code)
    kernel.until(lambda m: m["msg_type"] == "execute_input")
    for kind, content in SIDE:
        begun = time.monotonic()
        reply = kernel.reply(kernel.ask(kind, content))
        assert reply["status"] in ("ok", "incomplete"), reply
        assert time.monotonic() - begun < 1.0, kind
    assert kernel.control("usage_request")["guest_pid"]
    kernel.control("interrupt_request")
    assert kernel.reply(cell)["ename"] == "KeyboardInterrupt"


def test_a_side_request_has_its_own_busy_and_idle_then_the_cell_is_busy_again(
    kernel: Driven,
) -> None:
    """guest J3"""
    cell = kernel.send("import asyncio; await asyncio.sleep(20)")
    kernel.until(lambda m: m["msg_type"] == "execute_input")
    side = kernel.ask("comm_info_request", {})
    told = []
    for message in kernel.broadcasts():
        told.append((message["parent_header"]["msg_id"], message["content"]["execution_state"]))
        if len(told) == 3:
            break
    assert told == [(side, "busy"), (side, "idle"), (cell, "busy")]
    kernel.control("interrupt_request")
    kernel.settled(cell)


def test_a_cell_is_busy_then_input_outputs_reply_and_idle(kernel: Driven) -> None:
    """guest J3: every output of a cell precedes its idle."""
    answer = kernel.run("print('a')\ndisplay('b')\n'c'")
    assert answer.kinds == [
        "busy", "execute_input", "stream", "display_data", "execute_result", "idle",
    ]  # fmt: skip


def test_reply_and_idle_come_within_a_tenth_of_a_second(kernel: Driven) -> None:
    """guest J3"""
    sent = kernel.send("1")
    reply = kernel.reply_message(sent)
    idle = kernel.settled(sent, reply=False).messages[-1]
    apart = abs((reply["header"]["date"] - idle["header"]["date"]).total_seconds())
    assert apart < 0.1


def test_an_interrupt_ends_a_spinning_cell_and_keeps_its_names(kernel: Driven) -> None:
    """guest J4"""
    cell = kernel.send("kept = 5\nwhile True: pass")
    kernel.until(lambda m: m["msg_type"] == "execute_input")
    time.sleep(0.3)
    begun = time.monotonic()
    assert kernel.control("interrupt_request") == {"status": "ok"}
    answer = kernel.settled(cell)
    assert time.monotonic() - begun < 1.0
    assert (answer.status, answer.reply["ename"]) == ("error", "KeyboardInterrupt")
    assert [m["msg_type"] for m in answer.outputs] == ["error"]
    assert kernel.ok("kept").result == "5"


def test_an_interrupt_with_nothing_running_is_ok_and_is_not_felt_later(kernel: Driven) -> None:
    """guest J4"""
    assert kernel.control("interrupt_request") == {"status": "ok"}
    assert kernel.ok("1 + 1").result == "2"


def test_sigint_to_the_kernel_kills_nothing(kernel: Driven) -> None:
    """DESIGN, known traps: SIGINT never kills the kernel."""
    import os
    import signal

    pid = kernel.manager.provisioner.pid  # type: ignore[union-attr]
    cell = kernel.send("import asyncio; await asyncio.sleep(0.5); 'slept'")
    kernel.until(lambda m: m["msg_type"] == "execute_input")
    os.kill(pid, signal.SIGINT)
    answer = kernel.settled(cell)
    assert answer.result == "'slept'"


def test_all_that_waits_when_a_cell_fails_is_aborted_and_later_ones_run(kernel: Driven) -> None:
    """guest J5"""
    first = kernel.send("import time; time.sleep(0.5); 1/0")
    waiting = [kernel.send(f"x{n} = 1") for n in range(3)]
    assert kernel.settled(first).reply["ename"] == "ZeroDivisionError"
    assert [kernel.reply(each)["status"] for each in waiting] == ["aborted"] * 3
    assert kernel.ok("'x0' in globals()").result == "False"


def test_an_aborted_request_is_busy_and_idle_and_shows_nothing(kernel: Driven) -> None:
    """guest J5, J3"""
    first = kernel.send("import time; time.sleep(0.3); 1/0")
    second = kernel.send("2")
    kernel.settled(first)
    assert kernel.settled(second).kinds == ["busy", "idle"]


def test_without_stop_on_error_all_run_in_the_order_they_came(kernel: Driven) -> None:
    """guest J5"""
    kernel.ok("order = []")
    sent = [kernel.send(f"order.append({n}); 1 / {n % 2}", stop_on_error=False) for n in range(4)]
    assert [kernel.reply(each)["status"] for each in sent] == ["error", "ok", "error", "ok"]
    assert kernel.ok("order").result == "[0, 1, 2, 3]"


def test_what_this_kernel_does_not_do_is_answered_with_a_sentence(kernel: Driven) -> None:
    """guest J11: no debugger, no subshells."""
    for kind in ("create_subshell_request", "debug_request", "list_subshell_request"):
        reply = kernel.control(kind)
        assert reply["status"] == "error", kind
        assert reply["evalue"] == f"This kernel does not answer {kind}."
    info = kernel.reply(kernel.ask("kernel_info_request", {}))
    assert info["supported_features"] == []
    assert info["language_info"]["name"] == "python"


def test_a_request_of_no_known_kind_and_one_without_code_are_refused(kernel: Driven) -> None:
    """Bad input: one sentence, and the kernel goes on."""
    assert kernel.reply(kernel.ask("juggle_request", {}))["status"] == "error"
    reply = kernel.reply(kernel.ask("execute_request", {"silent": False}))
    assert reply["evalue"] == "An execute_request needs `code`, a text."
    assert kernel.ok("3").result == "3"


def test_usage_tells_of_host_and_guest(kernel: Driven) -> None:
    """guest J12"""
    usage = kernel.control("usage_request")
    assert usage["guest_pid"] == kernel.guest_pid()
    assert usage["kernel_memory"] > 20_000_000
    assert usage["kernel_cpu"] >= 0
    assert usage["cpu_count"] >= 1
