"""The tool ``write``, on real files."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import stat
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from keelbook.errors import ToolFailed
from keelbook.tool import Scene
from keelbook.toolset import disk, edit, read, write
from keelbook.toolset.threads import GivenUp, Stop, aside
from tests.toolset.conftest import Call


async def test_folders_are_made_and_the_text_is_written_as_it_is(
    workspace: Path, call: Call
) -> None:
    result = await call(write, path="a/b/c.txt", content="é\r\nno end")
    assert (workspace / "a/b/c.txt").read_bytes() == "é\r\nno end".encode()
    assert result.value == {"path": "a/b/c.txt", "bytes": 10, "created": True}
    assert result.text == "Created a/b/c.txt (10 bytes)."


async def test_a_new_file_has_the_mode_the_umask_gives(workspace: Path, call: Call) -> None:
    old = os.umask(0o027)
    try:
        await call(write, path="a", content="")
    finally:
        os.umask(old)
    assert stat.S_IMODE((workspace / "a").stat().st_mode) == 0o640


async def test_an_agent_replaces_a_file_only_in_the_state_it_has_seen(
    workspace: Path, call: Call
) -> None:
    file = workspace / "notes.md"
    file.write_text("a person's")
    with pytest.raises(ToolFailed, match="there already and you have not read it; read it first"):
        await call(write, path="notes.md", content="x")
    await call(read, path="notes.md")
    file.write_text("a person's, changed")
    with pytest.raises(ToolFailed, match="it changed since you saw it") as error:
        await call(write, path="notes.md", content="x")
    assert error.value.code == "not-seen"
    assert file.read_text() == "a person's, changed"
    await call(read, path="notes.md")
    result = await call(write, path="notes.md", content="x")
    assert (result.value["created"], result.text) == (False, "Overwrote notes.md (1 byte).")
    await call(write, path="notes.md", content="y")
    await call(edit, path="notes.md", old="y", new="z")
    await call(write, path="notes.md", content="w")
    file.write_text("changed again")
    await call(write, path="notes.md", content="v", overwrite=True)
    assert file.read_text() == "v"


async def test_a_persons_own_code_replaces_what_it_likes(
    workspace: Path, call: Call, scene: Scene
) -> None:
    (workspace / "a").write_text("old")
    await call(write, at=replace(scene, origin="person"), path="a", content="new")
    assert (workspace / "a").read_text() == "new"


async def test_the_mode_is_kept_and_the_file_is_replaced_whole(workspace: Path, call: Call) -> None:
    file = workspace / "run.sh"
    file.write_text("old")
    file.chmod(0o766)
    with file.open() as still_open:
        await call(write, path="run.sh", content="new", overwrite=True)
        assert still_open.read() == "old"
    assert stat.S_IMODE(file.stat().st_mode) == 0o766
    assert os.listdir(workspace) == ["run.sh"]


async def test_a_folder_a_pipe_and_half_a_surrogate_pair_are_refused(
    workspace: Path, call: Call
) -> None:
    (workspace / "dir").mkdir()
    os.mkfifo(workspace / "pipe")
    with pytest.raises(ToolFailed, match=r"^dir is a folder\.$"):
        await call(write, path="dir", content="", overwrite=True)
    with pytest.raises(ToolFailed, match="pipe is a named pipe; it is not written to"):
        await call(write, path="pipe", content="", overwrite=True)
    with pytest.raises(ToolFailed, match="Character 3 is half of a surrogate pair"):
        await call(write, path="a", content="ab\ud800")
    assert not (workspace / "a").exists()


async def test_a_path_through_a_file_is_one_sentence(workspace: Path, call: Call) -> None:
    (workspace / "f").touch()
    with pytest.raises(ToolFailed, match=r"^f/x leads through a file as if it were a folder\.$"):
        await call(write, path="f/x", content="")


@pytest.fixture
def _small_files() -> Iterator[None]:
    """The operating system cuts files at 64 KiB, as a full disk would."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65536, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, old)


@pytest.mark.usefixtures("_small_files")
async def test_a_write_that_breaks_off_leaves_the_old_file_and_nothing_else(
    workspace: Path, call: Call
) -> None:
    (workspace / "a").write_text("old")
    with pytest.raises(ToolFailed, match=r"^a cannot be used: File too large\.$"):
        await call(write, path="a", content="x" * 100_000, overwrite=True)
    assert (workspace / "a").read_text() == "old"
    assert os.listdir(workspace) == ["a"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_one_sentence() -> None:
    with (
        open("/dev/full", "wb", buffering=0) as full,
        pytest.raises(OSError, match="No space") as error,
    ):
        full.write(b"x")
    assert disk.trouble(error.value, "a").sentence == (
        "There is no room left on the disk to write a; the file is as it was before."
    )


def test_a_write_given_up_does_not_land(workspace: Path) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(GivenUp):
        write._put(workspace / "a", "a", b"x", None, False, stop)
    assert os.listdir(workspace) == []


async def test_cancelling_tells_the_thread_and_does_not_wait_for_it() -> None:
    entered, told, go_on = threading.Event(), threading.Event(), threading.Event()

    def work(stop: Stop) -> None:
        entered.set()
        go_on.wait(10)
        try:
            stop.check()
        except GivenUp:
            told.set()

    task = asyncio.create_task(aside(work))
    assert await asyncio.to_thread(entered.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 1)
    go_on.set()
    assert await asyncio.to_thread(told.wait, 10)


async def test_a_thousand_writes_at_once_all_land(workspace: Path, call: Call) -> None:
    await asyncio.gather(*(call(write, path=f"d{i % 7}/{i}", content=str(i)) for i in range(1000)))
    assert {p.name: p.read_text() for p in workspace.rglob("*") if p.is_file()} == {
        str(i): str(i) for i in range(1000)
    }
