"""Boot, warden, frames, forks, descriptors, limits, confinement (guest R3-R14, D, G, H)."""

# ruff: noqa: E501 - the text of a cell stands on one line

from __future__ import annotations

import json
import os
import signal
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guest.conftest import Start
from tests.guest.driver import CONFINE, LIMITS, READABLE, Driven, Frame, spawn


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


def test_limits_hold_for_good(start: Start) -> None:
    """guest H3, H7"""
    guest = start(limits={"address_bytes": 2 << 30, "nofile": 100, "fsize_bytes": 64 << 20})
    assert guest.ack["applied"] == {
        "address_bytes": 2 << 30,
        "nofile": 100,
        "fsize_bytes": 64 << 20,
        "cpu_life_s": None,
    }
    assert guest.run("x = bytearray(4 << 30)").error["name"] == "MemoryError"
    ended = guest.run(
        "import resource\nfor name in ('AS', 'NOFILE', 'FSIZE'):\n  try: resource.setrlimit(getattr(resource, 'RLIMIT_' + name), (-1, -1))\n  except (ValueError, OSError): pass\n[resource.getrlimit(resource.RLIMIT_NOFILE), resource.getrlimit(resource.RLIMIT_AS)[1]]"
    )
    assert ended.status == "ok"
    if os.geteuid() != 0:
        assert ended.value == [[100, 100], 2 << 30]
    assert guest.run("1").value == 1


SPINS = [
    "while True: pass",
    "import asyncio\nawait asyncio.to_thread(lambda: [None for _ in iter(int, 1)])",
    "import asyncio\nawait asyncio.sleep(0)\nwhile True: pass",
]


@pytest.mark.parametrize("code", SPINS)
def test_a_spent_cpu_budget_ends_the_cell_and_not_the_guest(start: Start, code: str) -> None:
    """guest H1"""
    guest = start()
    began = time.monotonic()
    ended = guest.run(code, cpu_s=0.3)
    assert (ended.status, ended.error["name"]) == ("stopped", "RunStopped")
    assert 0.25 < ended.done["cpu_s"] < 0.8
    assert time.monotonic() - began < 3.0
    assert guest.run("sum(range(10**6)) and 1", cpu_s=1.0).value == 1


def test_waiting_costs_no_cpu_budget(start: Start) -> None:
    """guest H6"""
    guest = start()
    assert guest.run("import time\ntime.sleep(0.6)\n2", cpu_s=0.3).value == 2


CONFINED = """
import ctypes, os, socket, subprocess
def tried(f):
    try: f()
    except OSError as e: return type(e).__name__
    return 'done'
parent = os.getppid()
[
    tried(lambda: open(os.path.expanduser('~/.profile'))),
    tried(lambda: os.listdir(SECRET)),
    tried(lambda: open(SECRET + '/x', 'w')),
    tried(lambda: os.rename('mine', SECRET + '/mine')),
    tried(lambda: os.link('mine', SECRET + '/mine')),
    tried(lambda: os.symlink('mine', SECRET + '/mine')),
    tried(lambda: os.truncate(SECRET + '/kept', 0)),
    tried(lambda: open(f'/proc/{parent}/environ').read()),
    tried(lambda: os.kill(parent, 0)),
    tried(lambda: open('mine', 'a').close()),
    subprocess.run(['ls', SECRET], capture_output=True).returncode != 0,
]
"""


@pytest.fixture
def secret() -> Iterator[Path]:
    """A folder outside of what is granted, with a file in it."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        (Path(name) / "kept").write_text("kept")
        yield Path(name)


def test_confinement_refuses_what_is_not_granted_and_proves_it(start: Start, secret: Path) -> None:
    """guest H9, H10, H12-H15"""
    guest = start(confine={"mode": "on", "canary": str(secret)})
    confined = guest.ack["confined"]
    assert (confined["rung"], confined["canary"], confined["reason"]) == (
        "landlock",
        "refused",
        None,
    )
    guest.run("open('mine', 'w').close()")
    ended = guest.run(CONFINED.replace("SECRET", repr(str(secret))))
    assert ended.status == "ok", ended.traceback
    assert ended.value[1:] == [
        *["PermissionError"] * 2,
        *ended.value[3:6],
        *["PermissionError"] * 3,
        "done",
        True,
    ]
    assert set(ended.value[3:6]) <= {"PermissionError", "OSError"}
    assert "done" not in ended.value[3:6]
    assert (secret / "kept").read_text() == "kept"
    assert os.listdir(secret) == ["kept"]
    assert guest.run(
        "import multiprocessing as mp\nwith mp.get_context('fork').Pool(2) as p: r = p.map(abs, [-1])\nlock = mp.Lock()\nr"
    ).value == [1]


def test_a_refusal_names_its_setting_once(start: Start, secret: Path) -> None:
    """guest H9"""
    guest = start(confine={"mode": "on", "canary": str(secret)})
    for count in (1, 0):
        ended = guest.run(f"open({str(secret / 'kept')!r})")
        notes = [frame["text"] for frame in ended.frames if frame["t"] == "note"]
        assert len(notes) == count
        if not guest.ack["python"].startswith("3.10"):
            assert "confine.read" in ended.traceback
    ended = guest.run("raise PermissionError(13, 'Permission denied', 'granted')")
    assert not [frame for frame in ended.frames if frame["t"] == "note"]


def test_connections_are_refused_or_granted_by_port(start: Start) -> None:
    """guest H19"""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        code = f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 2).close()"
        for tcp, status in (
            ("none", "error"),
            ([port], "ok"),
            ([port + 1], "error"),
            ("all", "ok"),
        ):
            guest = start(confine={"mode": "on", "tcp": tcp})
            assert guest.run(code).status == status, tcp


def test_a_guest_has_no_capability_and_gains_none(start: Start) -> None:
    """guest H17"""
    guest = start(confine={"mode": "on"})
    ended = guest.run(
        "import subprocess\n[line.split()[1] for line in subprocess.run(['cat', '/proc/self/status'], capture_output=True, text=True).stdout.splitlines() if line[:3] in ('Cap', 'NoN')]"
    )
    assert set(ended.value) <= {"0000000000000000", "1"}
    assert "1" in ended.value


def test_namespaces_hide_the_host_and_take_all_with_them(start: Start, secret: Path) -> None:
    """guest H21, H16, C10"""
    names = ["user", "pid", "net", "mount"]
    guest = start(
        start={"namespaces": names, "cover": [str(secret)]},
        confine={"mode": "off", "namespaces": names},
    )
    assert guest.records[0]["entered"] == names
    assert guest.records[0]["missing"] == []
    ended = guest.run(
        f"import os\n[os.getpid(), sorted(int(p) for p in os.listdir('/proc') if p.isdigit()), os.listdir({str(secret)!r})]"
    )
    assert ended.value == [2, [1, 2], []]
    assert (
        guest.run("import subprocess\np = subprocess.Popen(['setsid', 'sleep', '60'])").status
        == "ok"
    )
    pid = guest.records[0]["pid"]
    assert alive(pid)
    run = guest.begin("os.kill(os.getpid(), 15)")
    assert run
    assert guest.gone() == 15
    assert not alive(pid)


def command(
    python: str, folder: Path, argv: list[str], **fields: object
) -> tuple[int, bytes, bytes, list[Frame]]:
    """Runs a confined command; its status, outputs and the lifeline's records."""
    pid, (channel, lifeline, out, err) = spawn(
        python, {"PATH": os.environ["PATH"], "TMPDIR": str(folder)}
    )
    start = {
        "mode": "command",
        "namespaces": [],
        "cover": [],
        "lend": {},
        "argv": argv,
        "cwd": str(folder),
    }
    confine = {**CONFINE, "mode": "on", "read": READABLE, "write": [str(folder), "/dev/null"]}
    record = {**start, "confine": confine, "limits": LIMITS, **fields}
    lifeline.sendall(json.dumps(record).encode() + b"\n")
    texts = []
    for fd in (out, err):
        with os.fdopen(fd, "rb") as file:
            texts.append(file.read())
    status = os.waitpid(pid, 0)[1]
    said = b""
    while part := lifeline.recv(65536):
        said += part
    channel.close()
    lifeline.close()
    return status, texts[0], texts[1], [json.loads(line) for line in said.splitlines()]


def test_a_command_runs_under_the_same_confinement(
    python: str, tmp_path: Path, secret: Path
) -> None:
    """guest H11, E1"""
    shell = f"echo out; pwd; cat {secret}/kept; trap - PIPE; yes | head -1; exit 7"
    status, out, err, records = command(python, tmp_path, ["bash", "-c", shell])
    assert os.waitstatus_to_exitcode(status) == 7
    assert out == f"out\n{tmp_path}\ny\n".encode()
    assert b"Permission denied" in err
    assert [sorted(record) for record in records] == [
        ["entered", "missing", "pid"],
        ["applied", "confined"],
        ["status"],
    ]
    assert records[1]["confined"]["rung"] == "landlock"


def test_a_command_that_cannot_start_says_so(python: str, tmp_path: Path) -> None:
    """guest D18"""
    status, out, err, _ = command(python, tmp_path, ["no-such-program"])
    assert (os.waitstatus_to_exitcode(status), out) == (127, b"")
    assert err == b"no-such-program cannot be executed: No such file or directory.\n"
    status, _, err, _ = command(python, tmp_path, ["true"], cwd="/nowhere")
    assert os.waitstatus_to_exitcode(status) == 126
    assert b"/nowhere" in err


def test_a_module_of_the_hosts_is_lent_and_no_other(start: Start) -> None:
    """guest R4"""
    with tempfile.TemporaryDirectory() as name:
        for module in ("lent_one", "lent_two"):
            (Path(name) / f"{module}.py").write_text("x = 1\n")
        guest = start(start={"lend": {"lent_one": name}})
        assert guest.run("import lent_one\nlent_one.x").value == 1
        assert guest.run("import lent_two").error["name"] == "ModuleNotFoundError"
