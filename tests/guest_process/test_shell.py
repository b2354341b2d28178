"""Shell commands under the guest's confinement (guest D7, H4, A35)."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from keelbook.interpreter import Shell, ShellOutcome
from keelbook.observer import Stream
from tests.guest_process.bench import Bench, MakeBench
from tests.guest_process.test_death import alive, gone


async def run(bench: Bench, command: str, **fields: object) -> ShellOutcome:
    return await bench.guest.shell(Shell(command, **fields), lambda _s, _t: None)  # type: ignore[arg-type]


async def test_a_command_runs_in_the_workspace(bench: Bench) -> None:
    """guest A35"""
    outcome = await run(bench, "pwd; echo oh no >&2; exit 3")
    assert outcome == ShellOutcome(3, f"{bench.folder}\n", "oh no\n")


async def test_a_command_runs_where_the_guest_is(bench: Bench) -> None:
    """guest A29, A35"""
    await bench.run("import os; os.mkdir('sub'); os.chdir('sub')")
    assert (await run(bench, "pwd")).stdout == f"{bench.folder}/sub\n"
    assert (await run(bench, "pwd", cwd=str(bench.folder))).stdout == f"{bench.folder}\n"


async def test_output_comes_as_it_is_written(bench: Bench) -> None:
    seen: list[tuple[Stream, str, float]] = []
    began = time.monotonic()
    await bench.guest.shell(
        Shell("echo a; sleep 0.5; echo b >&2"),
        lambda stream, text: seen.append((stream, text, time.monotonic() - began)),
    )
    assert [(stream, text) for stream, text, _ in seen] == [("stdout", "a\n"), ("stderr", "b\n")]
    assert seen[1][2] - seen[0][2] > 0.3


async def test_a_command_that_takes_too_long_is_ended_with_all_it_started(bench: Bench) -> None:
    """guest D7"""
    began = time.monotonic()
    outcome = await run(bench, "sleep 600 & echo $!; setsid sleep 601; wait", timeout_s=0.5)
    assert (outcome.exit, outcome.timed_out) == (None, True)
    assert outcome.sentence == "The command was ended after 0.5 s."
    assert time.monotonic() - began < 3
    assert await gone(int(outcome.stdout))


async def test_what_a_command_leaves_behind_is_ended(bench: Bench) -> None:
    """guest D7, D14"""
    outcome = await run(bench, "sleep 600 & echo $!")
    assert outcome.exit == 0
    assert await gone(int(outcome.stdout))


async def test_a_command_nobody_waits_for_is_ended(bench: Bench) -> None:
    seen: list[str] = []
    task = asyncio.create_task(
        bench.guest.shell(Shell("echo $$; exec sleep 600"), lambda _s, text: seen.append(text))
    )
    while not seen:
        await asyncio.sleep(0.02)
    assert alive(int(seen[0]))
    task.cancel()
    await asyncio.wait((task,))
    assert await gone(int(seen[0]))


async def test_a_signal_is_named(bench: Bench) -> None:
    outcome = await run(bench, "kill -TERM $$")
    assert outcome.exit is None
    assert "SIGTERM" in outcome.sentence


async def test_output_over_the_cap_is_left_out_and_counted(make: MakeBench) -> None:
    bench = await make(shell_output_bytes=1000)
    outcome = await run(bench, "head -c 5000 /dev/zero | tr '\\0' x; echo e >&2")
    assert len(outcome.stdout) + len(outcome.stderr) <= 1000
    assert outcome.cut == 5002 - len(outcome.stdout) - len(outcome.stderr)
    assert "left out" in outcome.sentence


async def test_a_command_is_confined_as_a_cell_is(bench: Bench, tmp_path: Path) -> None:
    """guest H9, H14, H17"""
    info = await bench.guest.start()
    if "Landlock" not in info.confinement:
        pytest.skip("no confinement here")
    outcome = await run(bench, f"echo x > {tmp_path}/made; echo y > here; cat here")
    assert outcome.stdout == "y\n"
    assert "ermission denied" in outcome.stderr
    assert not (tmp_path / "made").exists()
    outcome = await run(bench, f"cat /proc/{os.getpid()}/environ")
    assert outcome.exit != 0


async def test_a_command_has_an_empty_stdin_and_no_other_descriptor(bench: Bench) -> None:
    """guest R3"""
    outcome = await run(bench, "cat; ls /proc/self/fd | wc -l")
    assert int(outcome.stdout) <= 4


async def test_a_command_runs_while_a_cell_spins_and_before_any_guest(bench: Bench) -> None:
    """guest J2"""
    assert (await run(bench, "echo a")).stdout == "a\n"
    run_id, end, book = bench.begin("print('go', flush=True)\nwhile True: pass")
    await book.wait_for("go")
    assert (await run(bench, "echo b")).stdout == "b\n"
    bench.guest.cancel(run_id, "person")
    await end


async def test_a_folder_that_is_not_there_is_one_sentence(bench: Bench) -> None:
    outcome = await run(bench, "ls", cwd="/no/such")
    assert (outcome.exit, outcome.sentence) == (None, "There is no folder /no/such.")


async def test_commands_leave_no_descriptor_and_no_zombie(bench: Bench) -> None:
    """guest D9"""
    await run(bench, "true")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        await run(bench, "true")
    assert len(os.listdir("/proc/self/fd")) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


async def test_a_command_is_short(bench: Bench) -> None:
    await bench.guest.start()
    times = []
    for _ in range(5):
        began = time.monotonic()
        await run(bench, "true")
        times.append(time.monotonic() - began)
    assert min(times) < 0.5
