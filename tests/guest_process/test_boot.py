"""Starting a guest, and the one sentence when there is none (guest R1-R10, D11, D18)."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from keelbook.errors import BadConfig
from keelbook.guest_process.guest import Guest
from keelbook.guest_process.settings import GuestSettings, SkillSetting
from keelbook.guest_process.spawn import guest_folder
from keelbook.interpreter import Cell
from tests.guest_process.bench import Bench, MakeBench, Notebook


def script(folder: Path, body: str) -> str:
    """A program to be used as an interpreter."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


async def refused(tmp_path: Path, python: str, boot_s: float = 20) -> str:
    """The sentence of a start that fails; nothing of the attempt is left."""
    before = len(os.listdir("/proc/self/fd"))
    guest = Guest(GuestSettings(python=python, boot_s=boot_s), cwd=str(tmp_path))
    with pytest.raises(BadConfig) as told:
        await guest.start()
    outcome = await guest.run(Cell("r", "1", "person"), Notebook())
    assert (outcome.status, outcome.started) == ("died", False)
    assert outcome.sentence == told.value.sentence
    await guest.close()
    assert len(os.listdir("/proc/self/fd")) <= before + 1
    assert "\n" not in told.value.sentence
    return told.value.sentence


BODIES = {
    "exits": ("echo no such module >&2; exit 3", ["exited with code 3", "no such module"]),
    "crashes": ("kill -SEGV $$", ["SIGSEGV"]),
    "says garbage": ("echo hello >&3; sleep 60", ["it said `hello`"]),
    "says too much": (
        'echo \'{"t":"note","run":null,"text":"x"}\' >&3; sleep 60',
        ["`note` before it had booted"],
    ),
    "closes its channel": ("exec 3>&-; sleep 60", ["closed its channel"]),
    "gives up": (
        'echo \'{"t":"fault","run":null,"message":"No luck.","fatal":true}\' >&3; sleep 60',
        ["No luck"],
    ),
}


@pytest.mark.parametrize(("body", "words"), BODIES.values(), ids=BODIES)
async def test_an_interpreter_that_does_not_boot_is_one_sentence(
    tmp_path: Path, body: str, words: list[str]
) -> None:
    """guest D18, R9"""
    path = script(tmp_path, body)
    said = await refused(tmp_path, path)
    assert path in said
    for word in words:
        assert word in said


@pytest.mark.parametrize("who", ["cpython 3.9.18", "pypy 3.11.1"])
async def test_an_interpreter_that_is_too_old_or_of_another_kind_is_named(
    tmp_path: Path, who: str
) -> None:
    """guest R1"""
    path = script(tmp_path, f'case "$3" in *implementation*) echo {who};; *) exit 1;; esac')
    said = await refused(tmp_path, path)
    assert f"it is {who}, and a guest needs CPython 3.10 or newer" in said


async def test_an_interpreter_that_hangs_is_given_its_time_and_no_more(tmp_path: Path) -> None:
    """guest D18"""
    began = time.monotonic()
    said = await refused(tmp_path, script(tmp_path, "sleep 600"), boot_s=0.5)
    assert "no answer within 0.5 s" in said
    assert time.monotonic() - began < 10


async def test_a_program_that_cannot_be_executed_is_one_sentence(tmp_path: Path) -> None:
    """guest D18"""
    path = tmp_path / "python"
    path.write_bytes(b"\x7fELF no program")
    path.chmod(0o755)
    assert "format error" in (await refused(tmp_path, str(path))).lower()


@pytest.mark.parametrize("name", ["python", "", "/no/such/python", "/etc", "/etc/passwd"])
def test_a_setting_that_names_no_interpreter_is_refused_at_once(name: str, tmp_path: Path) -> None:
    """guest D18, R2"""
    with pytest.raises(BadConfig, match="python: "):
        Guest(GuestSettings(python=name), cwd=str(tmp_path))


async def test_another_version_of_the_protocol_is_told_with_both_numbers(tmp_path: Path) -> None:
    """guest R10"""
    other = tmp_path / "keelbook_guest"
    shutil.copytree(guest_folder(), other, ignore=shutil.ignore_patterns("__pycache__"))
    protocol = other / "protocol.py"
    protocol.write_text(protocol.read_text().replace("PROTOCOL = 1\n", "PROTOCOL = 99\n"))
    path = script(tmp_path, f'exec {sys.executable} -I -c "$3" {other}')
    said = await refused(tmp_path, path)
    assert "protocol 1" in said
    assert "99" in said


async def test_a_flood_on_both_pipes_before_the_boot_does_no_harm(
    tmp_path: Path, python: str
) -> None:
    """guest D11"""
    flood = "head -c 300000 /dev/zero | tr '\\0' x"
    path = script(tmp_path, f'{flood} >&2; {flood}; exec {python} "$@"')
    guest = Guest(GuestSettings(python=path), cwd=str(tmp_path))
    outcome = await guest.run(Cell("r", "1 + 1", "person"), Notebook())
    assert outcome.value is not None
    assert outcome.value.json == 2
    await guest.close()


async def test_a_start_after_a_failed_one_is_a_new_try(tmp_path: Path, python: str) -> None:
    """guest D18"""
    path = script(tmp_path, "exit 1")
    guest = Guest(GuestSettings(python=path), cwd=str(tmp_path))
    with pytest.raises(BadConfig):
        await guest.start()
    script(tmp_path, f'exec {python} "$@"')
    assert (await guest.run(Cell("r", "1", "person"), Notebook())).status == "ok"
    await guest.close()


async def test_a_guest_that_is_closed_while_it_boots_is_gone(make: MakeBench) -> None:
    """guest D9, J14"""
    before = len(os.listdir("/proc/self/fd"))
    bench = await make()
    _, end, _ = bench.begin("1")
    await asyncio.sleep(0.01)
    began = time.monotonic()
    await bench.guest.close()
    assert (await end).status == "aborted"
    assert time.monotonic() - began < 5
    assert len(os.listdir("/proc/self/fd")) == before


async def test_names_of_the_workspace_shadow_nothing_of_ours(make: MakeBench) -> None:
    """guest R4"""
    bench = await make()
    for name in ("json", "asyncio", "socket", "keelbook_guest", "struct", "select"):
        (bench.folder / f"{name}.py").write_text("raise ImportError('shadowed')")
    (bench.folder / "mine.py").write_text("x = 5")
    assert await bench.value("import mine\nmine.x") == 5
    _, end, book = bench.begin("print('a'); import asyncio; await asyncio.sleep(0); print('b')")
    assert (await end).status == "ok"
    assert book.text() == "a\nb\n"


async def test_a_skill_that_cannot_be_loaded_is_told_with_the_first_cell(
    make: MakeBench, tmp_path: Path
) -> None:
    """guest I9"""
    root = tmp_path / "skills"
    root.mkdir()
    (root / "good.py").write_text("x = 5\n")
    (root / "bad.py").write_text("raise ImportError('no luck')\n")
    bench = await make(
        skills=(
            SkillSetting(name="acme-good", module="good", root=str(root)),
            SkillSetting(name="acme-bad", module="bad", root=str(root)),
        )
    )
    outcome, book = await bench.run("acme_good.x")
    assert outcome.value is not None
    assert outcome.value.json == 5
    (note,) = book.notes
    assert "acme-bad" in note or "acme_bad" in note
    assert "no luck" in note


async def test_a_fresh_main_holds_only_what_belongs_there(bench: Bench) -> None:
    """guest R4, R6"""
    names = await bench.value("sorted(name for name in globals() if not name.startswith('_'))")
    assert set(names) <= {"display", "input", "ToolFailed", "In", "Out", "exit", "quit"}
    assert await bench.value("import sys\nsys.argv") == [""]
    assert await bench.value("__name__") == "__main__"


def test_launching_loads_next_to_nothing() -> None:
    heavy = {
        "asyncio",
        "pydantic",
        "dataclasses",
        "inspect",
        "subprocess",
        "tempfile",
        "keelbook.errors",
    }
    code = (
        "import sys; import keelbook.guest_process.spawn; "
        f"print(sorted({heavy!r} & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
