"""Ending a run from outside (guest C)."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.guest_process.bench import Bench, MakeBench, Notebook

IN_TIME = 0.5


async def cancel(bench: Bench, code: str, *, after: str = "go", **fields: object) -> float:
    """Runs ``code`` until it has printed ``after``, cancels it; seconds until its end."""
    run, end, book = bench.begin(f"print('{after}', flush=True)\n{code}", **fields)  # type: ignore[arg-type]
    await book.wait_for(after)
    await asyncio.sleep(0.1)
    began = time.monotonic()
    bench.guest.cancel(run, "person")
    outcome = await end
    assert (outcome.status, outcome.reason) == ("aborted", "person"), outcome
    return time.monotonic() - began


WAITS = {
    "an awaited sleep": "import asyncio\nawait asyncio.sleep(60)",
    "a spin": "while True: pass",
    "time.sleep": "import time\ntime.sleep(30)",
    "subprocess.run": "import subprocess\nsubprocess.run(['sleep', '30'])",
    "selectors": "import selectors\nselectors.DefaultSelector().select(30)",
    "a lock": "import threading\nlock = threading.Lock(); lock.acquire(); lock.acquire()",
    "a queue": "import queue\nqueue.Queue().get()",
    "a join": "import threading, time\n"
    "t = threading.Thread(target=time.sleep, args=(5,), daemon=True); t.start(); t.join()",
}


@pytest.mark.parametrize("code", WAITS.values(), ids=WAITS)
async def test_a_cancelled_cell_ends_in_time_and_names_are_kept(bench: Bench, code: str) -> None:
    """guest C1, C2, C3"""
    pid = (await bench.guest.start()).pid
    await bench.run("kept = 1")
    assert await cancel(bench, code) < IN_TIME
    assert await bench.value("kept") == 1
    assert bench.guest.info is not None
    assert bench.guest.info.pid == pid


async def test_a_question_is_withdrawn_when_its_cell_is_cancelled(bench: Bench) -> None:
    """guest C3"""
    book = Notebook()
    run, end, _ = bench.begin("input('name? ')", book=book, stdin=True)
    while not book.prompts:
        await asyncio.sleep(0.01)
    bench.guest.cancel(run, "person")
    assert (await end).status == "aborted"
    assert await bench.value("1") == 1


async def test_run_and_cancel_back_to_back_end_once(bench: Bench) -> None:
    """guest C5"""
    await bench.guest.start()
    for _ in range(20):
        run, end, _ = bench.begin("ran = True\nawait __import__('asyncio').sleep(5)")
        await asyncio.sleep(0)
        bench.guest.cancel(run, "person")
        assert (await end).status == "aborted"
    assert await bench.value("1") == 1


async def test_a_cell_that_still_waits_for_its_turn_never_runs_when_cancelled(bench: Bench) -> None:
    """guest C5"""
    await bench.guest.start()
    first, end, _ = bench.begin("import time; time.sleep(30)")
    second, waiting, _ = bench.begin("ran = True")
    await asyncio.sleep(0.05)
    bench.guest.cancel(second, "person")
    outcome = await waiting
    assert (outcome.status, outcome.started) == ("aborted", False)
    bench.guest.cancel(first, "person")
    await end
    assert await bench.value("'ran' in globals()") is False


async def test_a_cancel_of_a_finished_or_unknown_run_is_never_felt(bench: Bench) -> None:
    """guest C6"""
    cell = bench.cell("1")
    await bench.guest.run(cell, Notebook())
    bench.guest.cancel(cell.run, "person")
    bench.guest.cancel("no such run", "person")
    assert await bench.value("import time\ntime.sleep(0.2)\n3") == 3


async def test_a_cell_that_swallows_every_cancel_is_killed_and_the_guest_comes_back(
    bench: Bench,
) -> None:
    """guest C7, D17"""
    pid = (await bench.guest.start()).pid
    code = (
        "import asyncio\n"
        "while True:\n"
        "    try: await asyncio.sleep(60)\n"
        "    except BaseException: pass"
    )
    took = await cancel(bench, code)
    assert 1.9 < took < 3.5
    outcome, _ = await bench.run("1")
    assert outcome.status == "ok"
    assert "A new one was started" in outcome.notice
    assert (await bench.run("1"))[0].notice == ""
    assert bench.guest.info is not None
    assert bench.guest.info.pid != pid
    assert bench.guest.info.revived


async def test_the_cleanup_of_a_cancelled_cell_runs_undisturbed(bench: Bench) -> None:
    """guest C8"""
    run, end, book = bench.begin(
        "import asyncio\n"
        "print('go')\n"
        "try: await asyncio.sleep(10)\n"
        "finally:\n"
        "    await asyncio.sleep(0.6); print('cleaned')"
    )
    await book.wait_for("go")
    bench.guest.cancel(run, "person")
    await asyncio.sleep(0.3)
    bench.guest.cancel(run, "person")
    assert (await end).status == "aborted"
    assert book.text() == "go\ncleaned\n"


async def test_a_stopped_guest_is_killed_at_the_next_cancel(bench: Bench) -> None:
    """guest C10"""
    await bench.guest.start()
    run, end, _ = bench.begin("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)")
    await asyncio.sleep(0.3)
    bench.guest.cancel(run, "person")
    assert (await end).status == "aborted"
    assert await bench.value("1") == 1


async def test_a_cell_that_ignores_sigint_is_killed_and_the_handler_is_back(bench: Bench) -> None:
    """guest C11"""
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    await bench.guest.start()
    assert await cancel(bench, ignore) > 1.9
    assert await cancel(bench, "while True: pass") < IN_TIME


async def test_a_guest_that_stopped_reading_is_killed_on_schedule(bench: Bench) -> None:
    """guest C13"""
    await bench.guest.start()
    run, end, book = bench.begin(
        "import os, signal\nprint('go', flush=True)\nos.kill(os.getpid(), signal.SIGSTOP)"
    )
    await book.wait_for("go")
    for _ in range(200):
        await asyncio.sleep(0)
        bench.guest._keeper.process.channel.send(  # type: ignore[union-attr]
            {"t": "reply", "run": run, "id": 1, "ok": True, "value": "x" * 100_000}
        )
    began = time.monotonic()
    bench.guest.cancel(run, "person")
    assert (await end).status == "aborted"
    assert 1.9 < time.monotonic() - began < 3.5
    began = time.monotonic()
    await bench.guest.close()
    assert time.monotonic() - began < 5


async def test_c_code_that_checks_signals_is_interrupted_and_names_are_kept(bench: Bench) -> None:
    """guest C20"""
    await bench.guest.start()
    await bench.run("kept = 1")
    took = await cancel(bench, "import re; re.match('(a+)+$', 'a' * 60 + 'b')")
    assert took < 1.5
    assert await bench.value("kept") == 1


async def test_c_code_that_never_returns_is_killed_with_one_sentence(bench: Bench) -> None:
    """guest C21"""
    await bench.guest.start()
    run, end, book = bench.begin(
        "import ctypes\nprint('go', flush=True)\n"
        "ctypes.PyDLL(None).usleep.argtypes = [ctypes.c_uint]\n"
        "while True:\n"
        "    try: ctypes.PyDLL(None).sleep(1000)\n"
        "    except BaseException: pass"
    )
    await book.wait_for("go")
    await asyncio.sleep(0.3)
    bench.guest.cancel(run, "person")
    outcome = await end
    assert outcome.status == "aborted"
    assert "did not end its cell in time" in outcome.sentence
    assert "\n" not in outcome.sentence
    assert await bench.value("1") == 1


async def test_the_wall_clock_ends_a_cell(bench: Bench) -> None:
    """guest H5"""
    await bench.guest.start()
    outcome, _ = await bench.run("import time; time.sleep(60)", wall_s=0.3)
    assert (outcome.status, outcome.reason) == ("aborted", "wall")
    assert outcome.sentence == "The cell ran longer than its 0.3 s and was ended."


async def test_time_in_which_a_person_is_asked_is_not_the_cells(bench: Bench) -> None:
    """guest H5"""
    await bench.guest.start()
    run, end, _ = bench.begin("import asyncio; await asyncio.sleep(1.2)", wall_s=1.0)
    await asyncio.sleep(0.05)
    with bench.guest.waiting(run):
        await asyncio.sleep(0.6)
    assert (await end).status == "ok"


async def test_side_questions_are_answered_while_a_cell_spins(bench: Bench) -> None:
    """guest C23, J2"""
    await bench.guest.start()
    await bench.run("sizes = {'a': 1}")
    run, end, book = bench.begin("print('go', flush=True)\nwhile True: pass")
    await book.wait_for("go")
    began = time.monotonic()
    completed = await bench.guest.complete("siz", 3)
    assert "sizes" in completed.matches
    assert await bench.guest.inspect("sizes", 5, 0) is not None
    assert (await bench.guest.is_complete("for x in y:")).status == "incomplete"
    rows, total = await bench.guest.variables()
    assert (total, rows[0].name) == (1, "sizes")
    assert time.monotonic() - began < 4
    bench.guest.cancel(run, "person")
    assert (await end).status == "aborted"


async def test_a_host_that_gives_up_waiting_ends_the_cell(make: MakeBench) -> None:
    bench = await make()
    await bench.guest.start()
    _, end, book = bench.begin("print('go', flush=True)\nwhile True: pass")
    await book.wait_for("go")
    end.cancel()
    await asyncio.wait((end,))
    assert await bench.value("1") == 1
