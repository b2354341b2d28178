"""One writer a session, whoever else is about (guest I11: second opener)."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from keelbook.archive import Archive
from keelbook.errors import Refused
from keelbook.lease import Lease, holder
from keelbook.log import Log
from tests.log.samples import Counted

HOLD = """
import sys
from pathlib import Path
from keelbook.lease import Lease
lease = Lease(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def another_process(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A real process that holds the lease."""
    command = [sys.executable, "-c", HOLD, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"held\n"
            yield process
        finally:
            process.kill()


def test_a_second_writer_is_refused_with_the_first_ones_process(log: Log, archive: Archive) -> None:
    """guest I11"""
    log.close()
    with another_process(log.folder) as process:
        with pytest.raises(Refused) as found:
            archive.write("one")
        assert found.value.code == "lease-held"
        assert found.value.sentence == (
            f"Session one is already open for writing in process {process.pid}; "
            "close it there, or start a new session."
        )
        assert archive.writer("one") == process.pid
        with archive.read("one") as reader:
            assert reader.length == 1
    assert archive.writer("one") is None
    archive.write("one").close()


def test_the_same_process_cannot_write_twice_either(log: Log, archive: Archive) -> None:
    with pytest.raises(Refused, match=f"process {os.getpid()}"):
        archive.write("one")
    log.append(Counted(number=1))


def test_a_killed_writer_leaves_no_lease_behind(log: Log, archive: Archive) -> None:
    log.close()
    with another_process(log.folder) as process:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        with archive.write("one") as again:
            assert again.length == 1


def test_a_child_that_outlives_the_writer_does_not_keep_the_lease(
    log: Log, archive: Archive
) -> None:
    """A cell's stray background process must not lock the session for ever."""
    sleeper = [sys.executable, "-c", "import time; print(1, flush=True); time.sleep(60)"]
    with subprocess.Popen(sleeper, close_fds=False, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        pid = os.posix_spawn("/bin/sleep", ["sleep", "60"], os.environ)
        try:
            log.close()
            archive.write("one").close()
        finally:
            child.kill()
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def test_only_one_of_many_contenders_gets_the_lease(log: Log) -> None:
    """Eight processes want it at the same moment."""
    log.close()
    contend = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from keelbook.errors import Refused\n"
        "from keelbook.lease import Lease\n"
        "sys.stdin.readline()\n"
        "try:\n"
        "    lease = Lease(Path(sys.argv[1]))\n"
        "except Refused as refused:\n"
        "    print(refused.code)\n"
        "else:\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.readline()\n"
    )
    command = [sys.executable, "-c", contend, str(log.folder)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    try:
        for each in processes:
            assert each.stdin is not None
            each.stdin.write("go\n")
            each.stdin.flush()
        said = [each.stdout.readline().strip() for each in processes if each.stdout]
    finally:
        for each in processes:
            each.communicate("done\n")
    assert sorted(said) == ["held", *["lease-held"] * 7]


def test_looking_who_writes_does_not_get_in_a_writers_way(log: Log) -> None:
    """A look holds a shared lock for an instant; a writer that meets it tries once more."""
    log.close()
    glance = os.open(log.folder / "writer", os.O_RDWR)
    fcntl.flock(glance, fcntl.LOCK_SH)
    ended = threading.Timer(0.005, os.close, [glance])
    ended.start()
    Lease(log.folder).release()
    ended.join()
    assert holder(log.folder) is None


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"Session none cannot be opened for writing: No such file"):
        Lease(tmp_path / "none")
