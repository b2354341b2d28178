"""Budgets and limits, the guest's own and those the host counts (guest H1-H8)."""

from __future__ import annotations

import asyncio
import time

import pytest
from pydantic import ValidationError

from keelbook.guest_process.records import guest_info
from keelbook.guest_process.settings import GuestSettings, Limits
from tests.guest_process.bench import Bench, MakeBench

SPINS = {
    "a spin": "while True: pass",
    "a thread": "import asyncio\ndef f():\n    while True: pass\nawait asyncio.to_thread(f)",
}


@pytest.mark.parametrize("code", SPINS.values(), ids=SPINS)
async def test_a_cell_that_uses_up_its_cpu_is_stopped_and_the_next_has_a_whole_budget(
    bench: Bench, code: str
) -> None:
    """guest H1"""
    pid = (await bench.guest.start()).pid
    outcome, _ = await bench.run(code, "agent", cpu_s=0.5)
    assert (outcome.status, outcome.reason) == ("stopped", "cpu")
    assert "CPU" in outcome.sentence
    if "thread" not in code:
        assert (await bench.guest.start()).pid == pid
        spin = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
        assert (await bench.run(spin, "agent", cpu_s=0.5))[0].status == "ok"


STUBBORN = {
    "catching": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "ignoring": "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
    "unlimited": (
        "import resource, signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"
        "try: resource.setrlimit(resource.RLIMIT_CPU, (-1, -1))\nexcept Exception: pass\n"
        "while True: pass"
    ),
    "a child": (
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'while True: pass'])"
    ),
    "an orphan": (
        "import subprocess, sys, time\n"
        "subprocess.run(['sh', '-c', f'{sys.executable} -c \"while True: pass\" &'])\n"
        "time.sleep(60)"
    ),
    "a decoy": (
        "import subprocess, sys, asyncio\n"
        "p = subprocess.Popen([sys.executable, '-c', 'while True: pass'])\n"
        "await asyncio.sleep(60)"
    ),
}


@pytest.mark.parametrize("code", STUBBORN.values(), ids=STUBBORN)
async def test_cpu_is_bounded_from_outside_whatever_the_cell_does(bench: Bench, code: str) -> None:
    """guest H2, H3, H4, H6"""
    await bench.guest.start()
    began = time.monotonic()
    outcome, _ = await bench.run(code, "agent", cpu_s=0.5, wall_s=30)
    assert (outcome.status, outcome.reason) == ("stopped", "cpu")
    assert time.monotonic() - began < 20
    assert await bench.value("1") == 1


async def test_what_an_agents_cell_leaves_burning_is_ended(make: MakeBench) -> None:
    """guest H1"""
    bench = await make(idle_cpu_s=0.5)
    await bench.run(
        "import threading\ndef f():\n    while True: pass\n"
        "threading.Thread(target=f, daemon=True).start()",
        "agent",
    )
    async with asyncio.timeout(20):
        while not bench.room.ends:
            await asyncio.sleep(0.05)
    outcome, _ = await bench.run("1")
    assert "CPU time between cells" in outcome.notice


async def test_what_a_persons_cell_leaves_burning_is_theirs(make: MakeBench) -> None:
    """guest H1"""
    bench = await make(idle_cpu_s=0.3)
    await bench.run(
        "import threading\nstop = False\ndef f():\n    while not stop: pass\n"
        "threading.Thread(target=f, daemon=True).start()"
    )
    before = bench.guest.usage().cpu_s
    while bench.guest.usage().cpu_s < before + 0.6:
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.3)
    assert bench.room.ends == []
    await bench.run("stop = True")


@pytest.mark.parametrize(
    "code", ["x = bytearray(10**12)", "x = []\nwhile True: x.append(bytearray(50_000_000))"]
)
async def test_a_memory_bomb_is_a_memory_error(make: MakeBench, code: str) -> None:
    """guest H7"""
    bench = await make(limits=Limits(address_bytes=1_500_000_000))
    pid = (await bench.guest.start()).pid
    outcome, _ = await bench.run(code)
    assert outcome.error is not None
    assert outcome.error.name == "MemoryError"
    await bench.run("x = None")
    assert (await bench.guest.start()).pid == pid


async def test_limits_cannot_be_raised_by_a_cell(bench: Bench) -> None:
    """guest H3"""
    found = await bench.value(
        "import resource\n"
        "found = []\n"
        "for name in ('RLIMIT_AS', 'RLIMIT_NOFILE'):\n"
        "    soft, hard = resource.getrlimit(getattr(resource, name))\n"
        "    found.append(soft == hard)\n"
        "    try: resource.setrlimit(getattr(resource, name), (hard + 1, hard + 1))\n"
        "    except (ValueError, OSError): found.append('refused')\n"
        "found"
    )
    assert found == [True, "refused"] * 2


async def test_a_limit_on_files_bounds_descriptors(make: MakeBench) -> None:
    """guest H3"""
    bench = await make(limits=Limits(nofile=100))
    outcome, _ = await bench.run("files = [open('/dev/null') for _ in range(200)]")
    assert outcome.error is not None
    assert outcome.error.name == "OSError"


def test_a_file_size_below_a_payload_is_refused() -> None:
    """guest H8"""
    with pytest.raises(ValidationError, match="fsizeBytes must not be smaller"):
        Limits(fsize_bytes=1_000_000)


def test_a_limit_that_is_not_in_force_is_named_and_one_that_was_not_asked_for_is_not() -> None:
    """guest H8"""
    ack = {
        "python": "3.11.7",
        "executable": "/bin/python",
        "applied": {"address_bytes": None, "nofile": 4096, "fsize_bytes": None, "cpu_life_s": None},
        "confined": {"rung": "landlock", "abi": 7, "missing": ["tcp"], "reason": None},
        "modules": {},
    }
    info = guest_info(ack, Limits().frame(None), 1, ["pid namespace"], False)
    assert info.missing == ("pid namespace", "tcp", "limit address_bytes")


def test_a_line_must_hold_two_inline_values() -> None:
    with pytest.raises(ValidationError, match="lineBytes must be at least twice"):
        Limits(line_bytes=300_000)


def test_the_defaults_are_those_of_the_specification() -> None:
    """guest section 14"""
    limits = Limits()
    assert (limits.line_bytes, limits.inline_bytes) == (1 << 20, 256 << 10)
    assert (limits.payload_bytes, limits.fds, limits.depth) == (64 << 20, 8, 200)
    assert (limits.args_bytes, limits.value_bytes) == (32 << 20, 64 << 10)
    assert (limits.grace_s, limits.flush_s, limits.answer_s) == (2, 0.05, 1)
    settings = GuestSettings()
    assert (settings.boot_s, settings.parallel_calls, settings.calls_per_cell) == (30, 10, 256)
