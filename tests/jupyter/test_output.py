"""What cells print and display on its way to the notebook (guest B1, B6, B7, B22, B27, G16)."""

from __future__ import annotations

import time

import pytest

from tests.jupyter.driving import Driven


def test_the_first_line_before_a_long_sleep_is_there_at_once(kernel: Driven) -> None:
    """guest B1: within 100 ms at the client (room for a busy machine)."""
    seen: list[float] = []
    sent = kernel.send("import time\nprint(time.time())\ntime.sleep(1.5)")
    kernel.settled(
        sent,
        lambda m: (
            seen.append(time.time() - float(m["content"]["text"]))
            if m["msg_type"] == "stream"
            else None
        ),
    )
    assert seen[0] < 0.3


def test_twenty_thousand_lines_are_few_messages_and_none_is_missing(kernel: Driven) -> None:
    """guest B2, G16"""
    begun = time.monotonic()
    answer = kernel.ok("for i in range(20_000): print(i)")
    took = time.monotonic() - begun
    assert answer.text() == "".join(f"{i}\n" for i in range(20_000))
    assert len(answer.outputs) < 100 + 250 * took


def test_mixed_streams_keep_their_order(kernel: Driven) -> None:
    """guest B2"""
    answer = kernel.ok(
        "import sys\nfor i in range(30):\n    print(i, file=(sys.stdout, sys.stderr)[i % 2])"
    )
    text = "".join(m["content"]["text"] for m in answer.outputs)
    assert text.split() == [str(i) for i in range(30)]


def test_a_flood_of_displays_is_slowed_then_cut_with_a_notice(kernel: Driven) -> None:
    """guest G16: merged to at most 200 messages a second, then left out."""
    begun = time.monotonic()
    answer = kernel.ok("for i in range(3000): display(i)")
    took = time.monotonic() - begun
    shown = [m for m in answer.outputs if m["msg_type"] == "display_data"]
    assert len(shown) < 550 + 250 * took
    if len(shown) < 3000:
        assert "left out" in answer.text("stderr")
    assert kernel.ok("'next'").result == "'next'"


def test_an_interrupt_is_served_during_a_flood(kernel: Driven) -> None:
    """guest G16"""
    sent = kernel.send("while True: display(1)")
    kernel.until(lambda m: m["msg_type"] == "display_data")
    begun = time.monotonic()
    kernel.control("interrupt_request")
    answer = kernel.settled(sent)
    assert answer.reply["ename"] == "KeyboardInterrupt"
    assert time.monotonic() - begun < 5


def test_text_comes_before_the_error_it_was_printed_before(kernel: Driven) -> None:
    """guest B22"""
    answer = kernel.run("print('before')\nraise ValueError('bad')")
    assert [m["msg_type"] for m in answer.outputs] == ["stream", "error"]
    error = answer.outputs[-1]["content"]
    assert (error["ename"], error["evalue"]) == ("ValueError", "bad")
    assert any("<cell-" in line for line in error["traceback"])


def test_an_update_replaces_the_whole_bundle_in_place(kernel: Driven) -> None:
    """guest B27"""
    answer = kernel.ok("h = display('a', display_id='p1')\nh.update('b')")
    kinds = [(m["msg_type"], m["content"]["data"]["text/plain"]) for m in answer.outputs]
    assert kinds in (
        [("display_data", "'a'"), ("update_display_data", "'b'")],
        [("display_data", "'b'")],
    )
    assert answer.outputs[0]["content"]["transient"] == {"display_id": "p1"}


def test_clear_output_reaches_the_front_end(kernel: Driven) -> None:
    """guest B27"""
    answer = kernel.ok(
        "from IPython.display import clear_output\n"
        "for i in range(3):\n    clear_output(wait=True)\n    print(i)"
    )
    kinds = [m["msg_type"] for m in answer.outputs]
    assert "clear_output" in kinds
    assert answer.outputs[kinds.index("clear_output")]["content"] == {"wait": True}
    assert answer.text().endswith("2\n")


def test_output_of_a_thread_after_its_cell_is_never_under_the_next(kernel: Driven) -> None:
    """guest B6: the cell that started the thread, or none."""
    first = kernel.send(
        "import threading, time\n"
        "def late():\n    time.sleep(0.5)\n    print('from a thread')\n"
        "threading.Thread(target=late).start()"
    )
    kernel.settled(first)
    second = kernel.send("time.sleep(1)")
    message = kernel.until(
        lambda m: m["msg_type"] == "stream" and "from a thread" in m["content"]["text"]
    )
    assert message["parent_header"].get("msg_id") in (None, first)
    kernel.settled(second)


def test_output_of_a_task_after_its_cell_belongs_to_that_cell(kernel: Driven) -> None:
    """guest B7"""
    sent = kernel.send(
        "import asyncio\n"
        "async def later():\n    await asyncio.sleep(0.5)\n    print('from a task')\n"
        "task = asyncio.ensure_future(later())"
    )
    kernel.settled(sent)
    message = kernel.until(
        lambda m: m["msg_type"] == "stream" and "from a task" in m["content"]["text"]
    )
    assert message["parent_header"]["msg_id"] == sent


@pytest.mark.parametrize("code", ["1 +", "return = 3", "x = 'open"])
def test_a_syntax_error_is_one_error_message_that_names_the_cell(kernel: Driven, code: str) -> None:
    """guest J1, A24"""
    answer = kernel.run(code)
    assert [m["msg_type"] for m in answer.outputs] == ["error"]
    assert answer.reply["ename"] == "SyntaxError"
