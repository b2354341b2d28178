"""The end of a guest: told, cleaned up after, replaced (guest D)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.guest_process.bench import Bench, MakeBench


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] != "Z"


async def gone(*pids: int, seconds: float = 5) -> bool:
    end = time.monotonic() + seconds
    while any(map(alive, pids)):
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True


DEATHS = {
    "exit": ("import os; os._exit(3)", "exited with code 3"),
    "segmentation": ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    "abort": ("import os; os.abort()", "SIGABRT"),
    "kill": ("import os; os.kill(os.getpid(), 9)", "probably out of memory (SIGKILL)"),
    "term": ("import os; os.kill(os.getpid(), 15)", "SIGTERM"),
}


@pytest.mark.parametrize(("code", "words"), DEATHS.values(), ids=DEATHS)
async def test_a_death_in_a_cell_is_told_and_the_next_cell_runs(
    bench: Bench, code: str, words: str
) -> None:
    """guest D1, C10, D15, J10"""
    await bench.run("kept = 1")
    outcome, _ = await bench.run(f"import sys; sys.stderr.flush()\n{code}")
    assert (outcome.status, outcome.started) == ("died", True)
    assert words in outcome.sentence
    assert "may have run in part" in outcome.sentence
    assert "\n" not in outcome.sentence
    assert [expected for _, expected in bench.room.ends] == [False]
    outcome, _ = await bench.run("'kept' in globals()")
    assert outcome.value is not None
    assert outcome.value.json is False
    assert words in outcome.notice
    assert (await bench.run("1"))[0].notice == ""


async def test_the_last_words_of_a_guest_are_quoted(bench: Bench) -> None:
    """guest D1"""
    outcome, book = await bench.run("import os; os.write(2, b'oh no\\n'); os._exit(1)")
    assert "Its last words: oh no" in outcome.sentence
    assert book.text("stderr") == "oh no\n"


async def test_what_was_printed_before_a_death_is_kept(bench: Bench) -> None:
    """guest D1"""
    _, book = await bench.run("print('a', flush=True)\nimport os; os._exit(1)")
    assert book.text() == "a\n"


async def test_a_guest_that_dies_between_cells_is_replaced_before_the_next(bench: Bench) -> None:
    """guest D1, D17"""
    pid = (await bench.guest.start()).pid
    os.kill(pid, signal.SIGKILL)
    assert await gone(pid)
    await asyncio.sleep(0.1)
    outcome, _ = await bench.run("1")
    assert outcome.status == "ok"
    assert "killed by the system" in outcome.notice


async def test_the_third_death_within_a_minute_is_the_last_until_a_restart(bench: Bench) -> None:
    """guest D16"""
    for _ in range(3):
        outcome, _ = await bench.run("import os; os._exit(1)")
        assert outcome.status == "died"
    outcome, _ = await bench.run("1")
    assert (outcome.status, outcome.started) == ("died", False)
    assert "third time within a minute" in outcome.sentence
    await bench.guest.restart()
    assert await bench.value("1") == 1


async def test_cells_that_wait_when_the_guest_is_given_up_are_told(bench: Bench) -> None:
    """guest D15, D16"""
    ends = [bench.begin("import os; os._exit(1)")[1] for _ in range(3)]
    waiting = bench.begin("1")[1]
    outcomes = await asyncio.gather(*ends, waiting)
    assert [each.status for each in outcomes] == ["died"] * 4
    assert [each.started for each in outcomes] == [True] * 3 + [False]


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.close(3)\nprint('x')\nimport time; time.sleep(60)",
        "import os; os.closerange(0, 100)\nprint('x')\nimport time; time.sleep(60)",
        "import os; os.dup2(os.open('/dev/null', 2), 3)\nprint('x')\nimport time; time.sleep(60)",
    ],
)
async def test_a_guest_that_loses_its_channel_ends_with_one_sentence(
    bench: Bench, code: str
) -> None:
    """guest D4"""
    run, end, _ = bench.begin(code)
    await asyncio.sleep(0.5)
    bench.guest.cancel(run, "person")
    outcome = await end
    assert outcome.status in ("died", "aborted")
    assert outcome.sentence
    assert "Traceback" not in outcome.sentence
    assert await bench.value("1") == 1


async def test_a_flood_on_the_channel_ends_the_guest_not_the_host(bench: Bench) -> None:
    """guest D5"""
    await bench.guest.start()
    outcome, _ = await bench.run("import os\nfor _ in range(64): os.write(3, b'x' * 1024 * 1024)")
    assert outcome.status == "died"
    assert "no line" in outcome.sentence
    assert await bench.value("1") == 1


CHILDREN = {
    "a child": "p = subprocess.Popen(['sleep', '600']); pids = [p.pid]",
    "a session": "p = subprocess.Popen(['sleep', '600'], start_new_session=True); pids = [p.pid]",
    "a double fork": (
        "out = subprocess.run(['sh', '-c', 'sleep 600 >/dev/null 2>&1 & echo $!'],"
        " capture_output=True, text=True).stdout; pids = [int(out)]"
    ),
}


@pytest.mark.parametrize("end", ["close", "kill", "crash"])
@pytest.mark.parametrize("code", CHILDREN.values(), ids=CHILDREN)
async def test_no_descendant_outlives_its_guest(bench: Bench, code: str, end: str) -> None:
    """guest D7"""
    pids = await bench.value(f"import os, subprocess\n{code}\npids")
    info = await bench.guest.start()
    assert all(map(alive, pids))
    if end == "close":
        await bench.guest.close()
    elif end == "kill":
        os.kill(info.pid, signal.SIGKILL)
    else:
        await bench.run("os.abort()")
    assert await gone(info.pid, *pids)


async def test_nothing_is_left_when_the_host_is_killed(python: str, tmp_path: Path) -> None:
    """guest D6"""
    script = (
        "import asyncio, sys\n"
        "from keelbook.guest_process.guest import Guest\n"
        "from keelbook.guest_process.settings import GuestSettings\n"
        "from keelbook.interpreter import Cell\n"
        "from tests.guest_process.bench import Notebook\n"
        "async def main():\n"
        f"    guest = Guest(GuestSettings(python={python!r}), cwd={str(tmp_path)!r})\n"
        "    book = Notebook()\n"
        "    code = 'import os, subprocess, time\\n'\\\n"
        '        \'p = subprocess.Popen(["sleep", "600"])\\n\'\\\n'
        "        'print(os.getpid(), os.getppid(), p.pid, flush=True)\\n'\\\n"
        "        'time.sleep(3600)'\n"
        "    task = asyncio.create_task(guest.run(Cell('r', code, 'person'), book))\n"
        "    await book.wait_for('\\n')\n"
        "    print(book.text(), flush=True)\n"
        "    await task\n"
        "asyncio.run(main())\n"
    )
    host = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    pids = [int(each) for each in (await asyncio.to_thread(host.stdout.readline)).split()]
    assert len(pids) == 3
    host.kill()
    host.wait()
    host.stdout.close()
    assert await gone(*pids)


async def test_a_guest_has_no_terminal_and_a_session_of_its_own(bench: Bench) -> None:
    """guest D8, D10"""
    assert await bench.value(
        "import os\n"
        "try: os.open('/dev/tty', os.O_RDWR); tty = True\n"
        "except OSError: tty = False\n"
        "[os.getsid(0) == os.getpid(), tty]"
    ) == [True, False]


async def test_a_guest_holds_its_own_descriptors_only(bench: Bench) -> None:
    """guest R3"""
    theirs = await bench.value(
        "import os\n"
        "found = {}\n"
        "for name in os.listdir('/proc/self/fd'):\n"
        "    try: found[name] = os.readlink(f'/proc/self/fd/{name}')\n"
        "    except OSError: pass\n"
        "found"
    )
    assert theirs["0"] == "/dev/null"
    assert theirs["3"].startswith("socket:")
    ours = {_link(name) for name in os.listdir("/proc/self/fd")}
    shared = {link for link in theirs.values() if link in ours and ":[" in link}
    assert shared == {theirs["1"], theirs["2"]} | (shared & {"anon_inode:[eventpoll]"})


def _link(name: str) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{name}")
    except OSError:
        return ""


async def test_closing_twice_leaves_no_zombie_and_no_descriptor(make: MakeBench) -> None:
    """guest D9"""
    before = len(os.listdir("/proc/self/fd"))
    bench = await make()
    await bench.run("1")
    assert bench.guest._keeper.process is not None
    warden = bench.guest._keeper.process.lifeline.warden
    await bench.guest.close()
    await bench.guest.close()
    assert not Path(f"/proc/{warden}").exists()
    assert len(os.listdir("/proc/self/fd")) == before
    outcome, _ = await bench.run("1")
    assert (outcome.status, outcome.started) == ("died", False)


async def test_grandchildren_that_hold_the_pipes_do_not_hold_the_host(make: MakeBench) -> None:
    """guest D14"""
    bench = await make()
    await bench.run("import subprocess; subprocess.Popen(['sleep', '600'])")
    began = time.monotonic()
    outcome, _ = await bench.run("import os; os._exit(0)")
    assert outcome.status == "died"
    assert time.monotonic() - began < 1.5


async def test_a_restart_gives_a_fresh_namespace_even_when_a_cell_spins(bench: Bench) -> None:
    """guest J14"""
    await bench.run("x = 1")
    _, end, book = bench.begin("print('go', flush=True)\nwhile True: pass")
    await book.wait_for("go")
    began = time.monotonic()
    await bench.guest.restart()
    assert time.monotonic() - began < 5
    assert (await end).status == "aborted"
    outcome, _ = await bench.run("'x' in globals()")
    assert outcome.value is not None
    assert (outcome.value.json, outcome.notice) == (False, "")


async def test_usage_counts_the_whole_tree(bench: Bench) -> None:
    """guest J12, H4"""
    await bench.run("big = bytearray(50_000_000)")
    before = bench.guest.usage()
    assert before.memory > 50_000_000
    assert before.pid == (await bench.guest.start()).pid
    await bench.run(
        "import subprocess, sys\n"
        "code = 'import time\\nwhile time.process_time() < 0.5: pass'\n"
        "subprocess.run([sys.executable, '-c', code])"
    )
    assert bench.guest.usage().cpu_s - before.cpu_s > 0.4
