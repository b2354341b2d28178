"""Boot, warden, frames, forks, descriptors (guest R3-R14, D, G)."""

# ruff: noqa: E501 - the text of a cell stands on one line

from __future__ import annotations

import os
import signal
import socket
import tempfile
import time
from pathlib import Path

import pytest

from tests.guest.conftest import Start
from tests.guest.driver import Driven, Frame


def alive(pid: int) -> bool:
    """Whether a process lives and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_guest_is_alone_with_its_descriptors(guest: Driven) -> None:
    """guest R3, R4, D8"""
    ended = guest.run(
        "import os, sys\n[os.readlink(f'/proc/self/fd/{n}').split(':')[0] for n in range(4)]"
    )
    assert ended.value == ["/dev/null", "pipe", "pipe", "socket"]
    assert guest.run(
        "[sys.argv, os.getsid(0) == os.getpid(), sys.path[0] == os.getcwd()]"
    ).value == [[""], True, True]
    ended = guest.run("try: open('/dev/tty')\nexcept OSError as e: r = e.errno\nr")
    assert ended.value == 6
    fresh = guest.run(
        "sorted(n for n in globals() if n not in ('os', 'sys', 'r', 'e', '_name'))"
    ).value
    kept = {
        "__name__",
        "__doc__",
        "__package__",
        "__loader__",
        "__spec__",
        "__annotations__",
        "__builtins__",
        "tools",
    }
    assert set(fresh) - {"_", "__", "___"} == kept


def test_files_of_the_workspace_shadow_nothing_of_the_runtimes(start: Start) -> None:
    """guest R4"""
    guest = start(boot=False)
    for name in ("json", "asyncio", "traceback", "difflib", "inspect", "ast"):
        (guest.cwd / f"{name}.py").write_text("raise ImportError('shadow')\n")
    guest.boot()
    assert guest.run("1").value == 1
    assert "raed" in guest.run("tools.raed").error["message"]
    assert guest.ask("complete", code="pri", cursor=3)["data"]["matches"] == ["print"]


def test_another_protocol_is_a_fatal_fault(start: Start) -> None:
    """guest R10"""
    guest = start(boot=False)
    guest.boot_frame["protocol"] = 99
    fault = guest.boot()
    assert (fault["t"], fault["fatal"]) == ("fault", True)
    assert "99" in fault["message"]
    assert "1" in fault["message"]
    assert os.waitstatus_to_exitcode(guest.gone()) == 2


def test_more_than_a_pipe_is_written_before_the_boot_is_answered(start: Start) -> None:
    """guest D11"""
    guest = start(boot=False)
    guest.boot_frame["skills"] = [{"name": "loud", "module": "loud", "root": str(guest.folder)}]
    (guest.folder / "loud.py").write_text("import os\nos.write(2, b'x' * 300000)\n")
    guest.boot()
    assert guest.run("1").value == 1
    time.sleep(0.1)
    assert guest.piped["stderr"] == b"x" * 300000


def test_undeclared_and_broken_frames_are_faults_and_nothing_more(guest: Driven) -> None:
    """guest R12"""
    for frame in ({"t": "nonsense"}, {"t": 3}, {"t": "run", "run": "x"}, {"t": "ping"}):
        guest.send(frame)
        assert guest.wait(lambda f: f["t"] == "fault")["fatal"] is False
    guest.channel.sendall(b"[1, 2]\n{broken\n" + b"[" * 10000 + b"\n")
    for _ in range(3):
        assert guest.wait(lambda f: f["t"] == "fault")["fatal"] is False
    assert guest.run("1").value == 1


def test_a_second_run_at_once_is_a_fault(guest: Driven) -> None:
    """guest G7"""
    first = guest.begin("import time\ntime.sleep(0.3)\n4")
    second = guest.begin("5")
    fault = guest.wait(lambda f: f["t"] == "fault")
    assert fault["run"] == second
    assert guest.finish(first).value == 4
    assert not [f for f in guest.frames if f["run"] == second and f["t"] == "done"]


def test_done_is_the_last_frame_and_the_run_is_not_busy(guest: Driven) -> None:
    """guest R13"""
    ended = guest.run("import threading\nprint('a')\n3")
    assert [frame["t"] for frame in ended.frames] == ["started", "output", "display", "done"]
    assert guest.ask("ping")["busy"] is None


def test_a_large_cell_arrives_as_a_descriptor(guest: Driven) -> None:
    """guest section 2"""
    code = b"x = '" + b"a" * (2 << 20) + b"'\nlen(x)"
    run = {
        "t": "run",
        "run": "big",
        "key": "k",
        "file": "<cell-big>",
        "code": None,
        "origin": "person",
    }
    rest: Frame = {
        "silent": False,
        "stdin": False,
        "cpu_s": None,
        "wall_s": None,
        "expressions": {},
    }
    payload = {"at": "/code", "bytes": len(code), "form": "text"}
    guest.send({**run, **rest, "payloads": [payload]}, [code])
    assert guest.finish("big").value == 2 << 20


def test_user_expressions_are_evaluated_each_on_its_own(guest: Driven) -> None:
    """guest J8"""
    found = guest.run("x = 4", expressions={"a": "x + 1", "b": "1/0"}).done["expressions"]
    assert found["a"] == {"status": "ok", "data": {"text/plain": "5"}, "metadata": {}}
    assert (found["b"]["status"], found["b"]["ename"]) == ("error", "ZeroDivisionError")
    assert "expressions" not in guest.run("1/0", expressions={"a": "x"}).done


def test_a_silent_run_shows_and_keeps_nothing(guest: Driven) -> None:
    """guest J6, A34"""
    guest.run("5")
    ended = guest.run("6", silent=True, origin="probe")
    assert [frame["t"] for frame in ended.frames] == ["started", "done"]
    assert guest.run("_").value == 5
    guest.run("7", origin="probe")
    assert guest.run("_").value == 5


FORKS = [
    "import os\npid = os.fork()\nif pid == 0: print('child')\nelse: code = os.waitpid(pid, 0)[1]",
    "import asyncio, os\nawait asyncio.sleep(0)\npid = os.fork()\nif pid == 0:\n  await asyncio.sleep(0.05)\n  print('child')\nelse: code = os.waitpid(pid, 0)[1]",
]


@pytest.mark.parametrize("code", FORKS)
def test_a_forked_child_says_nothing_on_the_channel(guest: Driven, code: str) -> None:
    """guest D2"""
    before = len(guest.piped["stdout"])
    ended = guest.run(code)
    assert ended.status == "ok"
    assert ended.text() == ""
    assert guest.run("code").value == 0
    assert guest.piped["stdout"][before:] == b"child\n"
    assert sum(frame["t"] == "done" for frame in ended.frames) == 1
    assert guest.run("import asyncio\nawait asyncio.sleep(0.01)\n1").value == 1


def test_a_forked_child_that_fails_says_so_on_its_own_stderr(guest: Driven) -> None:
    """guest D2"""
    before = len(guest.piped["stderr"])
    ended = guest.run(
        "import os\npid = os.fork()\nif pid == 0: 1/0\nos.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])"
    )
    assert ended.value == 1
    assert b"ZeroDivisionError" in guest.piped["stderr"][before:]


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("import os\nos._exit(3)", 3 << 8),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", 9),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)", 15),
        ("import ctypes\nctypes.string_at(0)", 11),
    ],
)
def test_the_warden_ends_as_the_guest_did(start: Start, code: str, status: int) -> None:
    """guest R3, D1, C10"""
    guest = start()
    guest.begin(code)
    assert guest.gone() & 0xFF7F == status
    assert guest.records[-1]["status"] & 0xFF7F == status


CHILDREN = [
    "import subprocess\np = subprocess.Popen(['sleep', '60'])\np.pid",
    "import subprocess\np = subprocess.Popen(['setsid', 'sleep', '60'])\np.pid",
    "import os\nr, w = os.pipe()\nif os.fork() == 0:\n  os.setsid()\n  pid = os.fork()\n  if pid == 0: os.execvp('sleep', ['sleep', '60'])\n  os.write(w, str(pid).encode())\n  os._exit(0)\nint(os.read(r, 20))",
]


@pytest.mark.parametrize("code", CHILDREN)
@pytest.mark.parametrize("ending", ["close", "kill", "shutdown"])
def test_nothing_that_a_guest_started_outlives_it(start: Start, code: str, ending: str) -> None:
    """guest D7, D6, R3"""
    guest = start()
    pid = guest.run(code).value
    assert alive(pid)
    if ending == "close":
        guest.lifeline.shutdown(socket.SHUT_WR)
    elif ending == "kill":
        os.kill(guest.records[0]["pid"], signal.SIGKILL)
    else:
        guest.send({"t": "shutdown", "grace_s": 1.0})
    guest.gone(5.0)
    assert not alive(pid)


def test_a_guest_dies_with_its_warden_and_with_its_host(start: Start) -> None:
    """guest R3, D6"""
    guest = start()
    pid = guest.records[0]["pid"]
    guest.begin("import time\ntime.sleep(3600)")
    os.kill(guest.warden, signal.SIGKILL)
    guest.gone()
    ends = time.monotonic() + 2.0
    while alive(pid) and time.monotonic() < ends:
        time.sleep(0.01)
    assert not alive(pid)


def test_a_lost_channel_ends_the_guest_without_a_traceback(start: Start) -> None:
    """guest D4"""
    for code in (
        "import os\nos.close(3)",
        "import os\nos.closerange(3, 50)",
        "import os\nos.dup2(os.open('/dev/null', 2), 3)",
    ):
        guest = start()
        guest.begin(f"{code}\nprint('x')")
        guest.send({"t": "ping", "id": 1})
        guest.gone()
        assert guest.piped["stderr"] == b""


def test_a_module_of_the_hosts_is_lent_and_no_other(start: Start) -> None:
    """guest R4"""
    with tempfile.TemporaryDirectory() as name:
        for module in ("lent_one", "lent_two"):
            (Path(name) / f"{module}.py").write_text("x = 1\n")
        guest = start(start={"lend": {"lent_one": name}})
        assert guest.run("import lent_one\nlent_one.x").value == 1
        assert guest.run("import lent_two").error["name"] == "ModuleNotFoundError"


def test_a_frame_too_long_for_a_line_is_a_fault_and_no_death(start: Start) -> None:
    """guest section 2"""
    guest = start(limits={"line_bytes": 65536, "inline_bytes": 16384})
    guest.answering["stdin"] = lambda frame: {
        "t": "stdin-reply",
        "id": frame["id"],
        "ok": True,
        "value": "y",
    }
    ended = guest.run("input('é' * 200000)", stdin=True, within=3.0)
    assert ended.value == "y"
    ended = guest.run("raise ValueError('é' * 500000)")
    assert ended.error["cut"] is True
    assert guest.run("print('\\U0001f600' * 100000)").text() == "\U0001f600" * 100000 + "\n"
