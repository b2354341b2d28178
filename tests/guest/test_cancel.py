"""Ending cells from outside (guest C1-C9, C11, C14-C20, C22, C23)."""

# ruff: noqa: E501 - the text of a cell stands on one line

from __future__ import annotations

import os
import signal
import time

import pytest

from tests.guest.conftest import Start
from tests.guest.driver import Driven, Ended

IN_TIME = 0.5


def cancelled(guest: Driven, code: str, after: float = 0.15, **fields: bool) -> tuple[Ended, float]:
    """Runs a cell, cancels it, and says how long its end took."""
    run = guest.begin(code, **fields)
    guest.wait(lambda frame: frame["t"] == "started" and frame["run"] == run)
    time.sleep(after)
    began = time.monotonic()
    guest.cancel(run)
    ended = guest.finish(run, 5.0)
    return ended, time.monotonic() - began


CELLS = [
    ("C1", "import asyncio\nx = 1\nawait asyncio.sleep(30)"),
    ("C1", "x = 1\nawait tools.never()"),
    ("C2", "x = 1\nwhile True: pass"),
    ("C2", "import asyncio\nx = 1\nawait asyncio.sleep(0)\nwhile True: pass"),
    ("C3", "import time\nx = 1\ntime.sleep(30)"),
    ("C3", "import selectors\nx = 1\nselectors.DefaultSelector().select(30)"),
    ("C3", "import threading\nx = 1\nl = threading.Lock()\nl.acquire()\nl.acquire()"),
    ("C3", "import queue\nx = 1\nqueue.Queue().get()"),
    ("C3", "import threading, time\nx = 1\nt = threading.Thread(target=time.sleep, args=(2,), daemon=True)\nt.start()\nt.join()"),
    ("C4", "import asyncio\nx = 1\nasync def hog():\n  while True: pass\nt = asyncio.create_task(hog())\nawait asyncio.sleep(30)"),
    ("C4", "import asyncio, time\nx = 1\nasyncio.get_running_loop().call_soon(time.sleep, 30)\nawait asyncio.sleep(30)"),
    ("C19", "x = 1\nwhile True: print('y' * 100)"),
    ("C19", "x = 1\nwhile True: display({'text/plain': 'a'}, raw=True)"),
    ("C20", "import re\nx = 1\nre.match('(a+)+$', 'a' * 40 + 'b')"),
    ("B16", "x = 1\nclass B:\n  def __repr__(self):\n    while True: pass\nB()"),
    ("B16", "import time\nx = 1\nclass B:\n  def _repr_html_(self): time.sleep(30)\nB()"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "code"), CELLS)
def test_a_cell_ends_in_time_and_keeps_its_names(guest: Driven, case: str, code: str) -> None:
    """guest C1-C4, C19, C20, B16"""
    if case == "C20":
        run = guest.begin(code)
        guest.wait(lambda frame: frame["t"] == "started" and frame["run"] == run)
        time.sleep(0.15)
        began = time.monotonic()
        guest.cancel(run)
        os.kill(guest.records[0]["pid"], signal.SIGINT)
        ended, took = guest.finish(run, 5.0), time.monotonic() - began
    else:
        ended, took = cancelled(guest, code)
    assert ended.status == "aborted"
    assert ended.error["name"] == "KeyboardInterrupt"
    assert took < IN_TIME
    assert guest.run("x").value == 1


def test_a_subprocess_that_is_waited_for_does_not_hold_the_cell(guest: Driven) -> None:
    """guest C3"""
    ended, took = cancelled(guest, "import subprocess\nsubprocess.run(['sleep', '30'])")
    assert ended.status == "aborted"
    assert took < IN_TIME + 0.25  # subprocess itself waits a quarter of a second


def test_a_question_that_waits_is_given_up(guest: Driven) -> None:
    """guest C3"""
    ended, took = cancelled(guest, "input('x')", stdin=True)
    assert (ended.status, took < IN_TIME) == ("aborted", True)


def test_a_cancel_right_behind_its_run_runs_no_line(guest: Driven) -> None:
    """guest C5"""
    for code in ("print('ran')", "import asyncio\nprint('ran')\nawait asyncio.sleep(0)"):
        for _ in range(30):
            run = guest.begin(code)
            guest.cancel(run)
            ended = guest.finish(run)
            assert ended.status in ("aborted", "ok"), ended.traceback
            started = any(frame["t"] == "started" for frame in ended.frames)
            assert started or ended.text() == ""
            assert started or ended.status == "aborted"
            assert sum(frame["t"] == "done" for frame in ended.frames) == 1


def test_a_cancel_of_no_run_at_work_is_not_felt(guest: Driven) -> None:
    """guest C6"""
    first = guest.run("1").done["run"]
    run = guest.begin("import time\nfor _ in range(20): time.sleep(0.01)\n5")
    guest.cancel(first)
    guest.cancel("no such run")
    assert guest.finish(run).value == 5


def test_a_cleanup_that_awaits_runs_undisturbed(guest: Driven) -> None:
    """guest C8"""
    run = guest.begin(
        "import asyncio\ntry: await asyncio.sleep(30)\n"
        "finally:\n  await asyncio.sleep(0.4)\n  print('clean')"
    )
    time.sleep(0.1)
    for _ in range(3):
        guest.cancel(run)
        time.sleep(0.05)
    ended = guest.finish(run)
    assert (ended.status, ended.text()) == ("aborted", "clean\n")


def test_a_signal_of_its_own_strikes_the_cell_at_work_and_nothing_else(guest: Driven) -> None:
    """guest C9"""
    ended = guest.run(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nfor _ in range(10**7): pass"
    )
    assert (ended.status, ended.error["name"]) == ("error", "KeyboardInterrupt")
    ended = guest.run(
        "import asyncio\nasyncio.get_running_loop().call_later(0.1, os.kill, os.getpid(), signal.SIGINT)\nawait asyncio.sleep(5)"
    )
    assert (ended.status, ended.error["name"]) == ("error", "KeyboardInterrupt")
    os.kill(guest.records[0]["pid"], signal.SIGINT)
    time.sleep(0.05)
    assert guest.run("import time\ntime.sleep(0.1)\n6").value == 6


def test_the_handler_is_back_before_the_next_cell(guest: Driven) -> None:
    """guest C11"""
    guest.run("import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)")
    ended, took = cancelled(guest, "while True: pass")
    assert (ended.status, took < IN_TIME) == ("aborted", True)


def test_a_task_of_an_ended_cell_computes_on_and_calls_nothing(guest: Driven) -> None:
    """guest C14"""
    guest.run(
        "import asyncio\nseen = []\nasync def f():\n  while len(seen) < 3:\n"
        "    try: await tools.echo('x')\n    except Exception as e: seen.append(str(e))\n"
        "    await asyncio.sleep(0.05)\nt = asyncio.create_task(f())\nawait asyncio.sleep(0)"
    )
    ended = guest.run("await t\nseen")
    assert all("its cell has ended" in text for text in ended.value[-2:])
    assert [frame for frame in ended.frames if frame["t"] == "call"] == []


def test_a_thread_calls_through_the_loop_only(guest: Driven) -> None:
    """guest C15"""
    ended = guest.run(
        "import asyncio\nloop = asyncio.get_running_loop()\n"
        "def ask(): return asyncio.run_coroutine_threadsafe(tools.echo('x'), loop).result()\n"
        "await asyncio.to_thread(ask)"
    )
    assert ended.value == {"value": "x"}
    ended = guest.run("await asyncio.to_thread(lambda: asyncio.run(tools.echo('x')))")
    assert ended.error["name"] == "RuntimeError"
    assert "run_coroutine_threadsafe" in ended.error["message"]


HARM = [
    "asyncio.get_running_loop().stop()",
    "asyncio.get_running_loop().stop()\nawait asyncio.sleep(0.01)",
    "try: asyncio.get_running_loop().close()\nexcept RuntimeError: pass",
    "for t in asyncio.all_tasks(): t.cancel()",
    "loop = asyncio.new_event_loop()\nasyncio.set_event_loop(loop)\nloop.close()",
    "import threading, time\nthreading.Thread(target=time.sleep, args=(1,)).start()",
]


@pytest.mark.parametrize("code", HARM)
def test_the_next_cell_works_whatever_was_done_to_the_loop(guest: Driven, code: str) -> None:
    """guest C16"""
    assert guest.run(f"import asyncio\n{code}").status == "ok"
    assert guest.run("await asyncio.sleep(0.01)\n3").value == 3


def test_exit_handlers_run_at_a_clean_shutdown(start: Start) -> None:
    """guest C17"""
    guest = start()
    guest.run("import atexit\n@atexit.register\ndef f(): open('bye', 'w').close()")
    guest.run("class D:\n  def __del__(self): print('gone')\nd = D()")
    guest.run("import asyncio\nasyncio.get_running_loop().call_later(0.05, globals().pop, 'd')")
    late = guest.wait(lambda frame: frame["t"] == "output" and "gone" in frame["text"])
    assert late["late"] is True
    guest.send({"t": "shutdown", "grace_s": 2.0})
    assert os.WEXITSTATUS(guest.gone()) == 0
    assert (guest.cwd / "bye").exists()


def test_a_shutdown_ends_a_guest_that_does_not_stop(start: Start) -> None:
    """guest C17, J14"""
    guest = start()
    guest.begin("while True: pass")
    began = time.monotonic()
    guest.send({"t": "shutdown", "grace_s": 0.3})
    guest.gone()
    assert time.monotonic() - began < 1.5


def test_tasks_of_the_cell_are_cancelled_once_and_others_go_on(guest: Driven) -> None:
    """guest C22"""
    guest.run(
        "import asyncio\nlog = []\nasync def f(name):\n  while True:\n"
        "    try: await asyncio.sleep(30)\n    except asyncio.CancelledError: log.append(name)\n"
        "    if name != 'old': return\nold = asyncio.create_task(f('old'))\nawait asyncio.sleep(0)"
    )
    ended, _ = cancelled(
        guest,
        "mine = [asyncio.create_task(f(n)) for n in 'ab']\nawait asyncio.sleep(30)",
    )
    assert ended.status == "aborted"
    ended = guest.run("await asyncio.sleep(0.05)\n[sorted(log), old.done()]")
    assert ended.value == [["a", "b"], False]


def test_questions_are_answered_while_a_cell_spins(guest: Driven) -> None:
    """guest C23"""
    run = guest.begin("abcde = 1\nwhile True: pass")
    time.sleep(0.1)
    began = time.monotonic()
    assert guest.ask("complete", code="abcd", cursor=4)["data"]["matches"] == ["abcde"]
    assert guest.ask("is-complete", code="(", cursor=1)["data"]["status"] == "incomplete"
    assert guest.ask("inspect", code="len", cursor=3)["data"]["found"] is True
    assert guest.ask("variables", offset=0, limit=5)["data"]["total"] >= 1
    assert guest.ask("ping")["busy"] == run
    assert time.monotonic() - began < 1.0
    guest.cancel(run)
    assert guest.finish(run).status == "aborted"
    assert guest.ask("ping")["busy"] is None


ALARM = """
import signal
class Tick(Exception): pass
def tick(*a): raise Tick
old = signal.signal(signal.SIGALRM, tick)
hits = 0
for k in range(300):
  try:
    signal.setitimer(signal.ITIMER_REAL, 0.0002 + k * 1e-5)
    for _ in range(100000): print('z' * 3000, flush=True)
  except Tick: hits += 1
hits
"""


def test_a_users_own_signal_handler_leaves_no_half_frame(guest: Driven) -> None:
    """guest C19"""
    ended = guest.run(ALARM)
    assert ended.value == 300
    assert set(ended.text()) <= {"z", "\n"}


def test_an_alarm_that_strikes_between_cells_ends_nothing(guest: Driven) -> None:
    """guest C16"""
    for _ in range(20):
        guest.run(
            "import signal\ndef tick(*a): raise ValueError('late')\n"
            "old = signal.signal(signal.SIGALRM, tick)\n"
            "t = signal.setitimer(signal.ITIMER_REAL, 0.0005)"
        )
        time.sleep(0.01)
    assert guest.run("3").value == 3


LIBRARY = [
    "import collections, time\nclass Slow(collections.UserDict): __slots__ = ()\nSlow.__repr__ = eval('lambda self: time.sleep(30)')\nx = 1\n[Slow()]",
    'import fractions\nx = 1\nfractions.Fraction.__repr__ = eval("lambda self: [None for _ in iter(int, 1)]", {})\n[fractions.Fraction(1)]',
]


@pytest.mark.parametrize("code", LIBRARY)
def test_a_librarys_text_that_never_ends_is_ended(guest: Driven, code: str) -> None:
    """guest B16"""
    ended, took = cancelled(guest, code)
    assert (ended.status, took < IN_TIME) == ("aborted", True)
    guest.run("import fractions\nfractions.Fraction.__repr__ = lambda self: 'fine'")
