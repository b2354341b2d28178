"""Which session a kernel serves, and how it ends (guest J10, J11, J14; issue: sessions)."""

from __future__ import annotations

import os
import time
from pathlib import Path

import psutil

from tests.jupyter.driving import Driven, driven


def session_of(kernel: Driven) -> str:
    """The id of the kernel's session."""
    return str(kernel.panel("state.get")["result"]["agent"]["session"])


def test_the_same_notebook_continues_its_session_and_others_get_their_own(tmp_path: Path) -> None:
    """issue: JPY_SESSION_NAME."""
    book, other = str(tmp_path / "a.ipynb"), str(tmp_path / "b.ipynb")
    seen = []
    for name in (book, book, other, "", ""):
        with driven(tmp_path, notebook=name) as kernel:
            kernel.ready()
            seen.append(session_of(kernel))
    assert seen[0] == seen[1]
    assert len(set(seen)) == 4


def test_a_second_kernel_on_a_notebook_says_so_in_its_first_cell(tmp_path: Path) -> None:
    """Bad input: one sentence on stderr of the first cell, once."""
    name = str(tmp_path / "a.ipynb")
    with driven(tmp_path, notebook=name) as first:
        first.ready()
        first.ok("1")
        with driven(tmp_path, notebook=name) as second:
            second.ready()
            told = second.ok("1")
            assert "in use by another kernel" in told.text("stderr")
            assert second.ok("2").text("stderr") == ""
            assert session_of(second) != session_of(first)


def test_a_guests_death_costs_only_the_guest(own: Driven) -> None:
    """guest J10"""
    session, pid = session_of(own), own.guest_pid()
    died = own.run(
        "print('last words')\nimport os, signal, time\ntime.sleep(0.3)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert died.text() == "last words\n"
    assert died.reply["ename"] == "GuestDied"
    assert "killed" in died.reply["evalue"]
    assert own.ok("1 + 1").result == "2"
    assert own.guest_pid() != pid
    assert session_of(own) == session


def test_kernel_info_is_there_before_the_guest(tmp_path: Path) -> None:
    """guest J11: within 300 ms of the process's own start (room for a busy machine)."""
    with driven(tmp_path) as kernel:
        kernel.ready()
        process = psutil.Process(kernel.manager.provisioner.pid)  # type: ignore[union-attr]
        info = kernel.reply(kernel.ask("kernel_info_request", {}))
        begun = time.monotonic()
        kernel.reply(kernel.ask("kernel_info_request", {}))
        assert time.monotonic() - begun < 0.3
        assert info["language_info"]["version"].startswith("3.")
        assert process.is_running()


def test_shutdown_ends_guest_and_descendants_then_answers_and_exits(tmp_path: Path) -> None:
    """guest J14: also when a cell spins."""
    with driven(tmp_path) as kernel:
        kernel.ready()
        pid = kernel.guest_pid()
        kernel.ok("import subprocess; child = subprocess.Popen(['sleep', '600'])")
        child = int(kernel.ok("child.pid").result or 0)
        host = psutil.Process(kernel.manager.provisioner.pid)  # type: ignore[union-attr]
        kernel.send("while True: pass")
        kernel.until(lambda m: m["msg_type"] == "execute_input")
        begun = time.monotonic()
        assert kernel.control("shutdown_request", {"restart": False}) == {
            "status": "ok",
            "restart": False,
        }
        assert not psutil.pid_exists(pid)
        assert not psutil.pid_exists(child)
        host.wait(timeout=5)
        assert time.monotonic() - begun < 5


def test_a_restart_keeps_the_session_and_begins_with_a_fresh_namespace(tmp_path: Path) -> None:
    """guest J14"""
    name = str(tmp_path / "a.ipynb")
    with driven(tmp_path, notebook=name) as kernel:
        kernel.ready()
        session = session_of(kernel)
        kernel.ok("kept = 1")
        kernel.manager.restart_kernel()
        kernel.ready()
        assert session_of(kernel) == session
        assert kernel.run("kept").reply["ename"] == "NameError"


def test_sigterm_ends_the_kernel_and_its_guest(tmp_path: Path) -> None:
    """guest J14, D6"""
    with driven(tmp_path) as kernel:
        kernel.ready()
        pid = kernel.guest_pid()
        host = psutil.Process(kernel.manager.provisioner.pid)  # type: ignore[union-attr]
        os.kill(host.pid, 15)
        host.wait(timeout=5)
        assert not psutil.pid_exists(pid)


def test_no_workspace_file_is_written_by_a_kernel_that_only_computes(tmp_path: Path) -> None:
    """DESIGN decision 1: the session lies outside the workspace."""
    with driven(tmp_path) as kernel:
        kernel.ready()
        kernel.ok("1")
    assert list((tmp_path / "workspace").iterdir()) == []
