"""Signals, tasks and forks, seen from the host (guest C4, C9, C15-C22, D2, D3, D13)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest

from keelbook.guest_process.tree import CpuCount, processes, start_token
from tests.guest_process.bench import Bench
from tests.guest_process.test_death import alive, gone


async def test_a_task_that_hogs_the_loop_is_interrupted_and_the_loop_goes_on(bench: Bench) -> None:
    """guest C4"""
    pid = (await bench.guest.start()).pid
    run, end, book = bench.begin(
        "import asyncio\n"
        "async def hog():\n"
        "    print('go', flush=True)\n"
        "    while True: pass\n"
        "task = asyncio.ensure_future(hog())\n"
        "await asyncio.sleep(60)"
    )
    await book.wait_for("go")
    bench.guest.cancel(run, "person")
    began = time.monotonic()
    assert (await end).status == "aborted"
    assert time.monotonic() - began < 1.5
    assert await bench.value("import asyncio; await asyncio.sleep(0); 1") == 1
    assert (await bench.guest.start()).pid == pid


async def test_a_signal_a_cell_sends_itself_is_its_own_and_none_between_cells(
    bench: Bench,
) -> None:
    """guest C9"""
    outcome, _ = await bench.run(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(1)"
    )
    assert outcome.status == "error"
    assert outcome.error is not None
    assert outcome.error.name == "KeyboardInterrupt"
    os.kill((await bench.guest.start()).pid, signal.SIGINT)
    await asyncio.sleep(0.1)
    assert await bench.value("time.sleep(0.1); 1") == 1


HARM = {
    "stop": "import asyncio; asyncio.get_running_loop().stop()",
    "close": "import asyncio\ntry: asyncio.get_running_loop().close()\nexcept RuntimeError: pass",
    "cancel": "import asyncio\n[task.cancel() for task in asyncio.all_tasks()]",
    "another": "import asyncio; asyncio.set_event_loop(asyncio.new_event_loop())",
    "thread": "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()",
}


@pytest.mark.parametrize("code", HARM.values(), ids=HARM)
async def test_the_next_cell_works_whatever_was_done_to_the_loop(bench: Bench, code: str) -> None:
    """guest C16"""
    pid = (await bench.guest.start()).pid
    await bench.run(code)
    assert await bench.value("import asyncio; await asyncio.sleep(0.01); 1") == 1
    assert await bench.value("2") == 2
    assert (await bench.guest.start()).pid == pid


async def test_handlers_of_exit_run_at_a_clean_end_and_hold_it_for_its_grace_only(
    bench: Bench,
) -> None:
    """guest C17"""
    await bench.run(
        "import atexit, time\n"
        "atexit.register(lambda: time.sleep(60))\n"
        "atexit.register(lambda: open('left', 'w').write('bye'))"
    )
    began = time.monotonic()
    await bench.guest.close()
    assert time.monotonic() - began < 4.5
    assert (bench.folder / "left").read_text() == "bye"


FLOODS = {
    "print": "while True: print('x' * 100)",
    "display": "while True: display('x')",
}


@pytest.mark.parametrize("code", FLOODS.values(), ids=FLOODS)
async def test_a_cancel_in_the_middle_of_output_leaves_the_channel_whole(
    bench: Bench, code: str
) -> None:
    """guest C19"""
    pid = (await bench.guest.start()).pid
    for _ in range(5):
        run, end, book = bench.begin(code)
        await book.wait_for("x") if "print" in code else await asyncio.sleep(0.2)
        bench.guest.cancel(run, "person")
        assert (await end).status == "aborted"
    assert await bench.value("1") == 1
    assert (await bench.guest.start()).pid == pid
    assert bench.guest._keeper.process is not None
    assert bench.guest._keeper.process.facts()["dropped"] == 0


async def test_only_the_tasks_of_the_cancelled_run_are_cancelled(bench: Bench) -> None:
    """guest C22"""
    await bench.run(
        "import asyncio\n"
        "ticks = 0\n"
        "async def tick():\n"
        "    global ticks\n"
        "    while True: await asyncio.sleep(0.01); ticks += 1\n"
        "old = asyncio.ensure_future(tick())"
    )
    run, end, book = bench.begin(
        "new = [asyncio.ensure_future(asyncio.sleep(60)) for _ in range(3)]\n"
        "print('go', flush=True)\nawait asyncio.sleep(60)"
    )
    await book.wait_for("go")
    bench.guest.cancel(run, "person")
    await end
    assert await bench.value(
        "await asyncio.sleep(0.1); [all(t.cancelled() for t in new), old.done()]"
    ) == [True, False]


async def test_a_forked_child_that_falls_out_of_its_cell_says_nothing_on_the_channel(
    bench: Bench,
) -> None:
    """guest D2"""
    outcome, book = await bench.run(
        "import os\nchild = os.fork()\n"
        "if child == 0: print('from the child', flush=True)\n"
        "else: os.waitpid(child, 0)\n"
        "child > 0"
    )
    assert outcome.value is not None
    assert outcome.value.json is True
    assert book.text() == "from the child\n"
    assert await bench.value("1") == 1


async def test_pools_of_processes_work(bench: Bench) -> None:
    """guest D3, H15"""
    (bench.folder / "squares.py").write_text("def square(x): return x * x\n")
    assert (
        await bench.value(
            "import multiprocessing, squares\n"
            "found = []\n"
            "for kind in ('fork', 'spawn'):\n"
            "    with multiprocessing.get_context(kind).Pool(2) as pool:\n"
            "        found += pool.map(squares.square, [1, 2, 3])\n"
            "found"
        )
        == [1, 4, 9] * 2
    )


async def test_a_process_is_signalled_only_while_it_is_the_same_one(bench: Bench) -> None:
    """guest D13"""
    await bench.guest.start()
    assert bench.guest._keeper.process is not None
    lifeline = bench.guest._keeper.process.lifeline
    other = subprocess.Popen(["sleep", "60"])
    lifeline.child, mine = other.pid, lifeline.child
    assert not lifeline.signal(signal.SIGKILL)
    assert alive(other.pid)
    lifeline.child = mine
    assert lifeline.signal(signal.SIGCONT)
    other.kill()
    other.wait()
    assert start_token(other.pid) is None


async def test_the_cpu_of_a_process_that_vanished_is_not_forgotten() -> None:
    """guest H4"""
    code = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "spin = 'import time\\nwhile time.process_time() < 0.4: pass'\n"
        "subprocess.Popen([sys.executable, '-c', spin])\n"
        "time.sleep(60)"
    )
    host = subprocess.Popen([sys.executable, "-c", code])
    counted = CpuCount(host.pid)
    seen = 0.0
    while len(processes(host.pid)) < 2:
        await asyncio.sleep(0.01)
    while len(processes(host.pid)) == 2:
        seen = counted.total()
        await asyncio.sleep(0.02)
    assert seen > 0.3
    assert counted.total() >= seen
    host.kill()
    host.wait()
    assert await gone(host.pid)
