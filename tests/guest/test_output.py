"""What cells print, and where it goes (guest B1-B12, B21-B24, B33-B36)."""

# ruff: noqa: E501 - the text of a cell stands on one line

from __future__ import annotations

import time

from tests.guest.conftest import Start
from tests.guest.driver import Driven, Frame


def outputs(frames: list[Frame]) -> list[Frame]:
    """The `output` frames."""
    return [frame for frame in frames if frame["t"] == "output"]


def test_a_first_line_goes_out_at_once(guest: Driven) -> None:
    """guest B1"""
    began = time.monotonic()
    run = guest.begin("import time\nprint('a')\ntime.sleep(5)")
    frame = guest.wait_for_text(run, "a")
    took = time.monotonic() - began
    guest.cancel(run)
    assert guest.finish(run).status == "aborted"
    assert took < 0.1
    assert frame["late"] is False


def test_a_first_line_goes_out_while_the_cell_spins(guest: Driven) -> None:
    """guest B1"""
    run = guest.begin("print('spin')\nwhile True: pass")
    guest.wait_for_text(run, "spin", 1.0)
    guest.cancel(run)
    assert guest.finish(run).status == "aborted"


def test_many_prints_are_few_frames_in_order(guest: Driven) -> None:
    """guest B2"""
    ended = guest.run(
        "import sys\nfor i in range(10000): print(i, file=sys.stderr if i % 1000 == 0 else None)"
    )
    frames = outputs(ended.frames)
    numbers = "".join(frame["text"] for frame in frames).split()
    assert numbers == [str(i) for i in range(10000)]
    assert len(frames) < 60
    assert ended.done["wall_s"] < 1.0


def test_the_notebook_cap_counts_bytes_and_says_what_is_left_out(start: Start) -> None:
    """guest B12, B35"""
    guest = start(limits={"notebook_text_bytes": 1000})
    ended = guest.run(
        "print('é' * 600, end='')\nprint('more')\nimport sys\nprint('e', file=sys.stderr)"
    )
    assert ended.text() == "é" * 500
    assert sum(frame.get("cut", 0) for frame in outputs(ended.frames)) == 200 + 5
    assert ended.text("stderr") == "e\n"
    assert guest.run("print('again')").text() == "again\n"


def test_no_cut_falls_inside_a_code_point(start: Start) -> None:
    """guest B12"""
    guest = start(limits={"notebook_text_bytes": 1001})
    ended = guest.run("print('\\U0001f600' * 300)")
    assert ended.text() == "\U0001f600" * 250


def test_output_of_a_child_process_stays_in_its_place(guest: Driven) -> None:
    """guest B5"""
    seen: list[tuple[int, str]] = []

    def synced(frame: Frame) -> Frame:
        seen.append((len(guest.frames), "sync"))
        return {"t": "synced", "id": frame["id"]}

    before = len(guest.piped["stdout"])
    guest.answering["sync"] = synced
    ended = guest.run(
        "import os, subprocess, sys\nprint('A')\nos.system('echo B')\nprint('C')\nsubprocess.run(['echo', 'D'])\nx = subprocess.run(['true'])"
    )
    del guest.answering["sync"]
    kinds = [frame["t"] for frame in guest.frames if frame["t"] in ("output", "sync")][-4:]
    assert kinds == ["output", "sync", "output", "sync"]
    assert ended.text() == "A\nC\n"
    assert guest.piped["stdout"][before:] == b"B\nD\n"


def test_text_of_c_code_is_out_before_done(guest: Driven) -> None:
    """guest B5"""
    before = len(guest.piped["stdout"])
    guest.run("import ctypes\nn = ctypes.CDLL(None).puts(b'from C')")
    time.sleep(0.05)
    assert guest.piped["stdout"][before:] == b"from C\n"


def test_a_thread_prints_under_its_cell_or_late_under_none(guest: Driven) -> None:
    """guest B6"""
    run = guest.begin(
        "import threading, time\ndef f():\n  print('now')\n  time.sleep(0.3)\n  print('then')\n"
        "t = threading.Thread(target=f)\nt.start()\ntime.sleep(0.1)"
    )
    ended = guest.finish(run)
    assert ended.text() == "now\n"
    other = guest.begin("time.sleep(0.4)\nprint('other')")
    late = guest.wait(lambda frame: frame["t"] == "output" and "then" in frame["text"])
    assert late["late"] is True
    assert late["run"] != other
    assert guest.finish(other).text() == "other\n"


def test_a_pool_that_lives_on_prints_under_the_cell_that_uses_it(guest: Driven) -> None:
    """guest B6"""
    guest.run(
        "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(1)\nr = list(pool.map(print, ['one']))"
    )
    ended = guest.run("r = list(pool.map(print, ['two']))\npool.shutdown()")
    assert ended.text() == "two\n"


def test_a_task_prints_late_under_its_own_cell(guest: Driven) -> None:
    """guest B7"""
    ended = guest.run(
        "import asyncio\nasync def f():\n  await asyncio.sleep(0.1)\n  print('task')\nt = asyncio.create_task(f())"
    )
    assert ended.done["left"] == 1
    late = guest.wait(lambda frame: frame["t"] == "output" and "task" in frame["text"])
    assert (late["run"], late["late"]) == (ended.done["run"], True)


def test_bytes_and_text_keep_their_order(guest: Driven) -> None:
    """guest B9, B11"""
    ended = guest.run(
        "import sys\nprint('a', end='')\nn = sys.stdout.buffer.write('é'.encode()[:1])\n"
        "m = sys.stdout.buffer.write('é'.encode()[1:] + b'\\xff')\nprint('b')\n"
        "k = sys.stdout.buffer.write(b'x' * 262144)\n[n, m, k]"
    )
    assert ended.text() == "aé\ufffdb\n" + "x" * 262144
    assert ended.value == [1, 2, 262144]


def test_the_streams_are_like_a_pipes(guest: Driven) -> None:
    """guest B9, B23"""
    ended = guest.run(
        "import sys, faulthandler\nfaulthandler.enable()\nfaulthandler.disable()\n"
        "sys.stdout.reconfigure(line_buffering=True)\n"
        "[sys.stdout.fileno(), sys.stderr.fileno(), sys.stdout.encoding, sys.stdout.isatty()]"
    )
    assert ended.value == [1, 2, "utf-8", False]
    assert guest.run("sys.stdout.write(3)").error["name"] == "TypeError"
    ended = guest.run("sys.stdout.writelines(['a', 'b'])\nprint('c', flush=True)")
    assert ended.text() == "abc\n"


def test_closed_and_missing_streams_come_back(guest: Driven) -> None:
    """guest B10"""
    cells = (
        "import sys, os\nsys.stdout.close()\nprint('still')",
        "sys.stdout = None",
        "sys.stdin.close()",
        "os.close(1)\nf = open('reuse', 'w')\nf.fileno()",
    )
    for cell in cells:
        assert guest.run(cell).status == "ok"
        assert guest.run("print('on')").text() == "on\n"
    assert guest.run("f.close()\nos.remove('reuse')").status == "ok"
    assert guest.run("os.fstat(1) and None").status == "ok"


def test_a_lone_surrogate_arrives(guest: Driven) -> None:
    """guest B11"""
    ended = guest.run("print('\\udc80')\nraise ValueError('\\udc81')")
    assert ended.text() == "\udc80\n"
    assert ended.error["message"] == "\udc81"


def test_a_printed_marker_sets_no_flag(guest: Driven) -> None:
    """guest B21"""
    ended = guest.run("print('[... 5 bytes left out ...]')\n'[... 5 bytes left out ...]'")
    assert not [frame for frame in outputs(ended.frames) if "cut" in frame]
    assert "cut" not in ended.done["value"]


def test_what_was_printed_stands_before_the_error(guest: Driven) -> None:
    """guest B22"""
    ended = guest.run("print('first')\n1/0")
    kinds = [frame["t"] for frame in ended.frames]
    assert kinds.index("output") < kinds.index("done")
    assert ended.text() == "first\n"


def test_a_logging_handler_of_an_earlier_cell_prints_under_the_cell_that_writes(
    guest: Driven,
) -> None:
    """guest B23"""
    guest.run(
        "import logging\nlog = logging.getLogger('t')\nh = logging.StreamHandler()\nlog.addHandler(h)"
    )
    ended = guest.run("log.warning('look')\nlog.removeHandler(h)")
    assert ended.text("stderr") == "look\n"


def test_a_call_that_is_not_awaited_is_warned_of_and_not_sent(guest: Driven) -> None:
    """guest B24"""
    ended = guest.run("x = 1\ntools.echo('a')\ntools.echo('b')")
    assert ended.value is None
    assert [frame for frame in ended.frames if frame["t"] == "call"] == []
    text = ended.text("stderr")
    for line in (2, 3):
        assert f":{line}: tools.echo(...) was not awaited" in text


def test_input_asks_the_person_after_what_was_printed(guest: Driven) -> None:
    """guest B33"""
    asked: list[Frame] = []

    def reply(frame: Frame) -> Frame:
        asked.append(frame)
        printed = [f["text"] for f in outputs(guest.frames) if f["run"] == frame["run"]]
        assert printed == ["before\n"]
        guest.send({"t": "stdin-reply", "id": frame["id"] + 99, "ok": True, "value": "stale"})
        return {"t": "stdin-reply", "id": frame["id"], "ok": True, "value": "joe"}

    guest.answering["stdin"] = reply
    assert guest.run("print('before')\ninput('n? ')", stdin=True).value == "joe"
    assert (asked[0]["prompt"], asked[0]["password"]) == ("n? ", False)
    ended = guest.run("print('before')\nimport getpass, threading\nr = []\nt = threading.Thread(target=lambda: r.append(getpass.getpass('pw ')))\nt.start()\nt.join()\nr", stdin=True)  # fmt: skip
    assert ended.value == ["joe"]
    assert asked[1]["password"] is True


def test_who_cannot_be_asked_gets_an_end_of_file_with_a_sentence(guest: Driven) -> None:
    """guest B33, B34"""
    for origin in ("person", "agent", "probe"):
        ended = guest.run("input('x')", origin=origin)
        assert ended.error["name"] == "EOFError"
        assert len(ended.error["message"].split()) > 5
    assert guest.run("import sys\n[sys.stdin.read(), sys.stdin.readline()]").value == ["", ""]


def test_a_flood_is_as_quick_with_the_cap_reached(start: Start) -> None:
    """guest B35"""
    guest = start(limits={"notebook_text_bytes": 1000})
    ended = guest.run("for i in range(200000): print('x' * 50)")
    assert ended.status == "ok"
    assert ended.done["wall_s"] < 5.0
    assert sum(frame.get("cut", 0) for frame in outputs(ended.frames)) == 200000 * 51 - 1000
