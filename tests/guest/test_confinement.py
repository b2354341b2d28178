"""Limits, budgets, confinement, commands (guest H, D18)."""

# ruff: noqa: E501 - the text of a cell stands on one line

from __future__ import annotations

import json
import os
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guest.conftest import Start
from tests.guest.driver import CONFINE, LIMITS, READABLE, Frame, spawn


def alive(pid: int) -> bool:
    """Whether a process lives and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


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


def test_code_left_burning_between_cells_is_stopped(start: Start) -> None:
    """guest H1"""
    guest = start(limits={"idle_cpu_s": 0.3})
    code = "import asyncio\ndef burn():\n  while True: pass\nh = asyncio.get_running_loop().call_soon(burn)"
    assert guest.run(code, origin="agent").status == "ok"
    assert guest.run("7", within=3.0).value == 7


def test_a_memory_that_grows_step_by_step_is_an_error_of_the_cell(start: Start) -> None:
    """guest H7"""
    guest = start(limits={"address_bytes": 1 << 30})
    ended = guest.run("x = []\nwhile True: x.append(bytearray(1 << 20))")
    assert ended.error["name"] == "MemoryError"
    assert guest.run("del x\n1").value == 1
