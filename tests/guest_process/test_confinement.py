"""What the operating system holds a guest to (guest H9-H20)."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from keelbook.errors import BadConfig
from keelbook.guest_process.grants import Canary, confine_record
from keelbook.guest_process.guest import Guest
from keelbook.guest_process.settings import Confinement, GuestSettings
from keelbook.guest_process.spawn import Plan, launch, plan
from keelbook.interpreter import Cell, Shell
from tests.guest_process.bench import Bench, MakeBench, Notebook

TRY = """
import os
def attempt(do):
    try: do()
    except OSError as e: return type(e).__name__
    return 'done'
"""


@pytest.fixture
async def confined(bench: Bench) -> Bench:
    info = await bench.guest.start()
    if "Landlock" not in info.confinement:
        pytest.skip(f"no confinement here: {info.confinement}")
    await bench.run(TRY)
    return bench


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home folder with what is usually in one."""
    folder = tmp_path / "home"
    for name in (".ssh/id", ".aws/credentials", ".config/gh/hosts.yml", "notes.txt"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("secret")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return folder


async def test_the_session_says_that_it_is_confined_and_that_nothing_is_missing(
    confined: Bench,
) -> None:
    """guest H12"""
    assert confined.guest.info is not None
    assert confined.guest.info.confinement.startswith("Landlock (ABI ")


async def test_writes_land_in_the_workspace_and_nowhere_else(
    confined: Bench, tmp_path: Path
) -> None:
    """guest H9, H15"""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "old").write_text("old")
    attempts = {
        "open('made', 'w').close()": "done",
        "open('/dev/null', 'w').close()": "done",
        "__import__('tempfile').NamedTemporaryFile().close()": "done",
        f"open('{outside}/new', 'w').close()": "PermissionError",
        f"open('{outside}/old', 'a').close()": "PermissionError",
        f"os.truncate('{outside}/old', 0)": "PermissionError",
        f"os.mkdir('{outside}/folder')": "PermissionError",
        f"os.unlink('{outside}/old')": "PermissionError",
        f"os.symlink('made', '{outside}/link')": "PermissionError",
    }
    for code, expected in attempts.items():
        assert await confined.value(f"attempt(lambda: {code})") == expected, code
    for code in (
        f"os.rename('made', '{outside}/made')",
        f"os.rename('{outside}/old', 'old')",
        f"os.link('{outside}/old', 'hard')",
    ):
        assert await confined.value(f"attempt(lambda: {code})") in ("PermissionError", "OSError")
    assert sorted(os.listdir(outside)) == ["old"]
    assert (outside / "old").read_text() == "old"
    assert (confined.folder / "made").exists()


async def test_the_person_is_told_which_setting_would_allow_a_refused_write(
    confined: Bench, tmp_path: Path
) -> None:
    """guest H9"""
    outcome, book = await confined.run(f"open('{tmp_path}/x', 'w')")
    assert outcome.error is not None
    assert outcome.error.name == "PermissionError"
    assert "write" in "\n".join([*outcome.error.traceback, *book.notes]).lower()


async def test_home_and_what_is_kept_there_cannot_be_read(home: Path, make: MakeBench) -> None:
    """guest H14"""
    bench = await make()
    await bench.run(TRY)
    for name in (".ssh/id", ".aws/credentials", ".config/gh/hosts.yml", "notes.txt"):
        assert await bench.value(f"attempt(lambda: open('{home}/{name}').read())") == (
            "PermissionError"
        )
    assert await bench.value(f"attempt(lambda: os.listdir('{home}'))") == "PermissionError"


async def test_a_setting_grants_a_folder_to_be_read(home: Path, make: MakeBench) -> None:
    """guest H14, H11"""
    bench = await make(confine=Confinement(read=("~/notes.txt",)))
    await bench.run(TRY)
    assert await bench.value("open(os.path.expanduser('~/notes.txt')).read()") == "secret"
    code = "attempt(lambda: open(os.path.expanduser('~/notes.txt'), 'w'))"
    assert await bench.value(code) == "PermissionError"


async def test_what_a_notebook_needs_can_be_read(confined: Bench) -> None:
    """guest H14"""
    for code in (
        "import sqlite3, ssl, zoneinfo, decimal",
        "import socket; socket.getaddrinfo('localhost', 80)",
        "import pwd; pwd.getpwuid(os.getuid())",
        "open('/proc/self/stat').read(); open('/proc/meminfo').read()",
        "import subprocess; subprocess.run(['ls', '/usr/bin'], check=True, capture_output=True)",
        "import os; os.urandom(4); open('/dev/urandom', 'rb').read(1)",
        "import multiprocessing as m\n"
        "with m.get_context('fork').Pool(2) as pool: pool.map(abs, [1, -2])",
        "m.get_context('fork').Lock(); m.get_context('fork').Queue().put(1)",
        "import time; time.localtime()",
    ):
        outcome, book = await confined.run(code)
        assert outcome.status == "ok", (code, outcome.error, book.text("stderr"))


async def test_the_host_cannot_be_looked_into_or_signalled(confined: Bench) -> None:
    """guest H10, H17, D10"""
    host = os.getpid()
    assert await confined.value(f"attempt(lambda: open('/proc/{host}/environ').read())") == (
        "PermissionError"
    )
    assert await confined.value(f"attempt(lambda: open('/proc/{host}/mem').read())") != "done"
    assert await confined.value(f"attempt(lambda: os.kill({host}, 0))") == "PermissionError"
    assert await confined.value("attempt(lambda: os.kill(os.getppid(), 9))") == "PermissionError"
    assert confined.guest.info is not None


async def test_a_guest_of_root_has_no_capability(confined: Bench) -> None:
    """guest H17"""
    status = await confined.value("open('/proc/self/status').read()")
    found = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert int(found["CapEff"], 16) == int(found["CapPrm"], 16) == 0
    assert found["NoNewPrivs"] == "1"


async def test_secrets_of_the_environment_stay_behind(
    monkeypatch: pytest.MonkeyPatch, make: MakeBench
) -> None:
    """guest H10"""
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("SOME_SETTING", "plain")
    monkeypatch.setenv("MPLBACKEND", "agg")
    bench = await make(pass_env=("SOME_SETTING",))
    seen = await bench.value("import os; dict(os.environ)")
    assert "GITHUB_TOKEN" not in seen
    assert "MPLBACKEND" not in seen
    assert seen["SOME_SETTING"] == "plain"


@pytest.mark.parametrize(
    ("tcp", "expected"), [("all", "done"), ("none", "PermissionError"), ((1,), "PermissionError")]
)
async def test_connections_are_granted_by_port(make: MakeBench, tcp: Any, expected: str) -> None:
    """guest H19"""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        bench = await make(confine=Confinement(tcp=tcp))
        await bench.run(TRY)
        code = f"import socket\nattempt(lambda: socket.create_connection(('127.0.0.1', {port}), 2))"
        assert await bench.value(code) == expected


async def test_a_port_on_the_list_is_open(make: MakeBench) -> None:
    """guest H19"""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        bench = await make(confine=Confinement(tcp=(port,)))
        await bench.run(TRY)
        code = f"import socket\nattempt(lambda: socket.create_connection(('127.0.0.1', {port}), 2))"
        assert await bench.value(code) == "done"


async def test_off_confines_nothing_and_says_so(make: MakeBench, tmp_path: Path) -> None:
    """guest H20"""
    bench = await make(confine=Confinement(mode="off"))
    await bench.run(TRY)
    assert await bench.value(f"attempt(lambda: open('{tmp_path}/x', 'w').close())") == "done"
    assert bench.guest.info is not None
    assert "unconfined" in bench.guest.info.confinement


async def test_required_confinement_that_is_not_proven_means_no_guest(
    make: MakeBench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """guest H20, H12"""
    open_folder = tmp_path / "open"
    open_folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(open_folder))
    grants = (str(open_folder), "/tmp", "/var/tmp", os.environ.get("TMPDIR", "/tmp"))
    bench = await make(confine=Confinement(mode="required", write=grants))
    with pytest.raises(BadConfig, match=r"confined|Confinement is required") as told:
        await bench.guest.start()
    assert "\n" not in told.value.sentence
    outcome, _ = await bench.run("1")
    assert (outcome.status, outcome.started) == ("died", False)


async def test_required_confinement_that_is_proven_works(make: MakeBench) -> None:
    """guest H12"""
    bench = await make(confine=Confinement(mode="required"))
    assert await bench.value("1") == 1


async def test_namespaces_hide_the_host(make: MakeBench) -> None:
    """guest H21"""
    bench = await make(confine=Confinement(namespaces=("user", "pid", "net", "mount")))
    info = await bench.guest.start()
    if "namespaces" not in info.confinement or any("namespace" in each for each in info.missing):
        pytest.skip(f"no namespaces here: {info.missing}")
    assert await bench.value(f"import os\nos.path.exists('/proc/{os.getpid()}/stat')") is False
    assert Path(f"/proc/{info.pid}").exists()
    outcome, _ = await bench.run("import os, signal; os.kill(os.getpid(), signal.SIGTERM)")
    assert outcome.status == "died"
    assert "SIGTERM" in outcome.sentence


async def test_a_protected_folder_below_the_workspace_is_named(tmp_path: Path, python: str) -> None:
    """guest H16"""
    keys = tmp_path / "work" / ".ssh"
    keys.mkdir(parents=True)
    (keys / "id").write_text("secret")
    shared = tmp_path / "shared"
    (shared / "private").mkdir(parents=True)
    guest = Guest(
        GuestSettings(python=python, confine=Confinement(read=(str(shared),))),
        cwd=str(tmp_path / "work"),
        protected=[str(keys), str(shared / "private"), str(tmp_path / "elsewhere")],
    )
    info = await guest.start()
    assert info.missing == (
        f"reads of {keys} cannot be refused: the workspace contains it",
        f"reads of {shared / 'private'} cannot be refused: a granted folder contains it",
    )
    await guest.close()


async def test_a_mount_namespace_hides_a_protected_folder(tmp_path: Path, python: str) -> None:
    """guest H16, H21"""
    keys = tmp_path / "work" / ".ssh"
    keys.mkdir(parents=True)
    (keys / "id").write_text("secret")
    guest = Guest(
        GuestSettings(python=python, confine=Confinement(namespaces=("user", "mount"))),
        cwd=str(tmp_path / "work"),
        protected=[str(keys)],
    )
    info = await guest.start()
    if any("namespace" in each for each in info.missing):
        await guest.close()
        pytest.skip(f"no namespaces here: {info.missing}")
    assert info.missing == ()
    book = Notebook()
    await guest.run(Cell("r", "import os; print(os.listdir('.ssh'))", "person"), book)
    outcome = await guest.shell(Shell("cat .ssh/id"), lambda _s, _t: None)
    await guest.close()
    assert "id" not in book.text()
    assert outcome.stdout == ""


def test_the_canary_stands_outside_of_every_grant(tmp_path: Path) -> None:
    """guest H12"""
    with Canary() as canary:
        assert Path(canary.folder).is_dir()
        assert canary.untouched()
        record = confine_record(GuestSettings(), str(tmp_path), "/tmp/x", canary.folder)
        assert not any(canary.folder.startswith(f"{top}/") for top in record["write"])
        Path(canary.folder, "guest").touch()
        assert not canary.untouched()
    assert not Path(canary.folder).exists()


async def test_an_early_guest_is_used_when_it_is_the_one_that_is_wanted(
    tmp_path: Path, python: str
) -> None:
    for wanted, same in (((), True), (("X*",), False)):
        early = launch(plan(python))
        guest = Guest(GuestSettings(python=python, pass_env=wanted), cwd=str(tmp_path), early=early)
        os.environ["X_SETTING"] = "1"
        await guest.start()
        assert guest._keeper.process is not None
        assert (guest._keeper.process.lifeline.warden == early.pid) is same
        await guest.close()
        del os.environ["X_SETTING"]
    assert Plan("a", {}, {}) == Plan("a", {}, {})
    assert Plan("a", {}, {}) != Plan("b", {}, {})
