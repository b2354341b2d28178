"""Questions and messages beside the runs (guest J2, J13, J15-J17, R5)."""

from __future__ import annotations

import asyncio
import time

import pytest

from keelbook.errors import Refused
from keelbook.guest_process.completeness import by_host
from keelbook.interpreter import CommMessage
from tests.guest_process.bench import Bench

WHOLE = ["x = 1", "await f()", "return 1", "", "# words", "if x:\n    y\n\n"]
UNFINISHED = ["def f():", "x = (", "'''a", "for x in y:\n    z", "if x:\n  return 1", "a = \\"]
WRONG = ["x ==", "1 +", "'abc", "def f(:", "\0"]


@pytest.mark.parametrize(
    ("code", "status"),
    [
        *((code, "complete") for code in WHOLE),
        *((code, "incomplete") for code in UNFINISHED),
        *((code, "invalid") for code in WRONG),
    ],
)
def test_without_a_guest_the_hosts_grammar_judges(code: str, status: str) -> None:
    """guest J13"""
    assert by_host(code).status == status


async def test_a_guest_judges_by_its_own_grammar(bench: Bench) -> None:
    """guest J13"""
    assert (await bench.guest.is_complete("for x in y:")).status == "incomplete"
    await bench.guest.start()
    for code in ("return 1", "await f()", "x = 1"):
        assert (await bench.guest.is_complete(code)).status == "complete"
    found = await bench.guest.is_complete("for x in y:")
    assert (found.status, found.indent) == ("incomplete", "    ")
    assert (await bench.guest.is_complete("x ==")).status == "invalid"


async def test_completion_knows_names_and_attributes(bench: Bench) -> None:
    """guest J16"""
    empty = await bench.guest.complete("x", 1)
    assert (empty.matches, empty.start, empty.end) == ((), 1, 1)
    await bench.run("import math\nnumber_of_things = {'first': 1}")
    found = await bench.guest.complete("1 + number_of", 13)
    assert found.matches == ("number_of_things",)
    assert (found.start, found.end) == (4, 13)
    assert "sqrt" in " ".join((await bench.guest.complete("math.sq", 7)).matches)


async def test_inspection_finds_help_or_nothing(bench: Bench) -> None:
    """guest J2"""
    assert await bench.guest.inspect("len", 3, 0) is None
    await bench.run("def mine(a, b=2):\n    'Adds.'\n    return a + b")
    found = await bench.guest.inspect("mine(", 4, 0)
    assert found is not None
    assert "mine(a, b=2)" in found["text/plain"]
    assert "Adds." in found["text/plain"]
    assert await bench.guest.inspect("no_such_name", 5, 0) is None


async def test_variables_come_in_pages_and_run_no_code_of_the_user(bench: Bench) -> None:
    """guest J17"""
    assert await bench.guest.variables() == ((), 0)
    await bench.run(
        "class Loud:\n    def __repr__(self): raise SystemExit\n    __len__ = __repr__\n"
        "loud = Loud()\nitems = [1, 2, 3]\nwords = 'abc'"
    )
    rows, total = await bench.guest.variables()
    assert total == 4
    by_name = {row.name: row for row in rows}
    assert by_name["items"].type == "list"
    assert "3" in by_name["items"].size
    assert by_name["loud"].type == "Loud"
    page, total = await bench.guest.variables(offset=1, limit=2)
    assert [row.name for row in page] == [row.name for row in rows[1:3]]
    assert total == 4
    page, _ = await bench.guest.variables(prefix="wo")
    assert [row.name for row in page] == ["words"]


async def test_a_view_of_a_variable_is_refused_while_a_cell_runs(bench: Bench) -> None:
    """guest J17"""
    with pytest.raises(Refused):
        await bench.guest.peek("x", "repr", 0, 10)
    await bench.run("x = [1, 2, 3]")
    bundle = await bench.guest.peek("x", "repr", 0, 10)
    assert "[1, 2, 3]" in str(bundle)
    with pytest.raises(Refused):
        await bench.guest.peek("no_such_name", "repr", 0, 10)
    run, end, book = bench.begin("print('go', flush=True)\nwhile True: pass")
    await book.wait_for("go")
    with pytest.raises(Refused, match="A cell is running"):
        await bench.guest.peek("x", "repr", 0, 10)
    bench.guest.cancel(run, "person")
    await end


async def test_a_guest_that_does_not_answer_costs_its_time_only(bench: Bench) -> None:
    """guest R5, J16"""
    await bench.guest.start()
    run, end, _ = bench.begin("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)")
    await asyncio.sleep(0.3)
    began = time.monotonic()
    assert (await bench.guest.complete("x", 1)).matches == ()
    assert (await bench.guest.is_complete("x = (")).status == "incomplete"
    assert time.monotonic() - began < 4
    bench.guest.cancel(run, "person")
    await end


async def test_a_question_open_when_the_guest_dies_is_answered_empty_at_once(bench: Bench) -> None:
    """guest J16"""
    await bench.guest.start()
    _, end, _ = bench.begin("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)")
    await asyncio.sleep(0.2)
    asked = asyncio.create_task(bench.guest.complete("x", 1))
    await asyncio.sleep(0.05)
    assert bench.guest._keeper.process is not None
    bench.guest._keeper.process.kill("host", "was ended by a test")
    began = time.monotonic()
    assert (await asked).matches == ()
    assert time.monotonic() - began < 1
    assert (await end).status == "died"


async def test_code_that_is_too_long_to_be_asked_about_is_answered_empty(bench: Bench) -> None:
    await bench.guest.start()
    code = "x = 1\n" * 400_000
    assert (await bench.guest.complete(code, 3)).matches == ()
    assert (await bench.guest.is_complete(code)).status == "complete"


COMM = """
import comm
held = comm.create_comm(target_name='jupyter.widget', data={'a': 1}, buffers=[b'xyz'])
seen = []
def hear(message):
    seen.append((message['content']['data'], [bytes(b) for b in message['buffers']]))
held.on_msg(hear)
held.comm_id
"""


async def test_comm_messages_cross_in_both_directions_with_their_buffers(bench: Bench) -> None:
    """guest J15, B30"""
    info = await bench.guest.start()
    if not info.modules["comm"]:
        pytest.skip("comm is not installed in the guest's interpreter")
    id_ = await bench.value(COMM)
    (opened,) = bench.room.comms
    assert (opened.op, opened.comm, opened.target) == ("open", id_, "jupyter.widget")
    assert (opened.data, opened.buffers) == ({"a": 1}, (b"xyz",))
    for number in range(5):
        bench.guest.comm(CommMessage("msg", id_, {"n": number}, buffers=(b"b" * number,)))
    await bench.run("await __import__('asyncio').sleep(0.1)")
    assert await bench.value("[data['n'] for data, _ in seen]") == [0, 1, 2, 3, 4]
    assert await bench.value("[len(b[0]) for _, b in seen]") == [0, 1, 2, 3, 4]
    await bench.run("held.close()")
    assert bench.room.comms[-1].op == "close"


async def test_late_frames_of_a_closed_guest_reach_nobody(bench: Bench) -> None:
    """guest R14"""
    await bench.run(
        "import threading, time\n"
        "def later():\n    time.sleep(0.3); print('too late')\n"
        "threading.Thread(target=later).start()"
    )
    await bench.guest.close()
    seen = len(bench.room.late)
    await asyncio.sleep(0.5)
    assert len(bench.room.late) == seen
