"""Bad input and faults: one sentence each, and the kernel still answers (issue)."""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from tests.jupyter.driving import driven


def test_a_broken_profile_is_said_in_every_cell_with_all_its_errors(tmp_path: Path) -> None:
    """Bad input: the kernel starts; each cell answers with the sentences."""
    with driven(tmp_path, settings="modle: x\nlimits: {cpuS: fast}\n") as kernel:
        kernel.ready()
        for _ in range(2):
            answer = kernel.run("1")
            assert (answer.status, answer.reply["ename"]) == ("error", "BadConfig")
            assert "There is no setting `modle`" in answer.reply["evalue"]
            assert "limits.cpuS" in answer.reply["evalue"]
        assert kernel.reply(kernel.ask("kernel_info_request", {}))["status"] == "ok"
        assert (
            kernel.reply(kernel.ask("complete_request", {"code": "zi", "cursor_pos": 2}))["status"]
            == "ok"
        )
        panel = kernel.panel("state.get")
        assert not panel["ok"]
        assert "modle" in panel["error"]["sentence"]


def test_an_interpreter_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    """Bad input."""
    with driven(tmp_path, settings="python: /nowhere/python\n") as kernel:
        kernel.ready()
        answer = kernel.run("1")
        assert answer.status == "error"
        assert "/nowhere/python" in answer.reply["evalue"]
        assert len(answer.reply["evalue"].splitlines()) <= 2


def test_a_guest_that_does_not_boot_is_one_sentence_in_each_cell(tmp_path: Path) -> None:
    """guest D18"""
    fake = tmp_path / "python"
    fake.write_text(f'#!/bin/sh\nif [ "$1" = -I ]; then exit 7; fi\nexec {sys.executable} "$@"\n')
    fake.chmod(0o755)
    with driven(tmp_path, settings=f"python: {fake}\n") as kernel:
        kernel.ready()
        for _ in range(2):
            begun = time.monotonic()
            answer = kernel.run("1")
            assert answer.status == "error"
            assert str(fake) in answer.reply["evalue"] or "boot" in answer.reply["evalue"]
            assert "Traceback" not in answer.reply["evalue"]
            assert time.monotonic() - begun < 20
        assert kernel.control("interrupt_request")["status"] == "ok"


def test_a_cell_of_fifty_megabytes_runs_or_says_why(tmp_path: Path) -> None:
    """Bad input"""
    with driven(tmp_path) as kernel:
        kernel.ready()
        code = f"big = {'x' * 50_000_000!r}\nlen(big)"
        answer = kernel.run(code)
        if answer.status == "ok":
            assert answer.result == "50000000"
        else:
            assert len(answer.reply["evalue"]) < 500
        assert kernel.ok("1 + 1").result == "2"


def test_a_log_on_a_full_disk_is_one_sentence_and_cells_still_run(tmp_path: Path) -> None:
    """Bad input: the person is told that the cell is not recorded."""
    with driven(tmp_path) as kernel:
        kernel.ready()
        kernel.ok("kept = 1")
        pid = kernel.manager.provisioner.pid  # type: ignore[union-attr]
        log = next((tmp_path / "data" / "sessions").iterdir())
        written = max(each.stat().st_size for each in log.iterdir())
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (written, resource.RLIM_INFINITY))
        try:
            answer = kernel.run("print('y' * 10)\n" + "# padding\n" * 20_000 + "kept + 1")
            assert answer.status == "ok", answer.reply
            assert answer.result == "2"
            assert "not in the session's record" in answer.text("stderr")
        finally:
            resource.prlimit(
                pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            )
        assert kernel.ok("kept").text("stderr") == ""


def test_a_message_that_is_no_message_is_passed_over(tmp_path: Path) -> None:
    """Bad input on the wire: wrong signature, garbage."""
    with driven(tmp_path) as kernel:
        kernel.ready()
        socket = kernel.client.shell_channel.socket
        socket.send_multipart([b"<IDS|MSG>", b"bad", b"{", b"{}", b"{}", b"{}"])
        socket.send_multipart([b"garbage"])
        assert kernel.ok("1").result == "1"


def test_a_host_that_cannot_be_loaded_says_so_in_every_cell(tmp_path: Path) -> None:
    """Bad input: a broken installation; the kernel still says who it is."""
    with driven(tmp_path, before="sys.modules['keelbook.jupyter.assembly'] = None") as kernel:
        kernel.ready()
        for _ in range(2):
            answer = kernel.run("1")
            assert (answer.status, answer.reply["ename"]) == ("error", "HostBug")
            assert answer.reply["evalue"].startswith("Keelbook could not be loaded")
            assert [m["msg_type"] for m in answer.outputs] == ["error"]
        reply = kernel.reply(kernel.ask("complete_request", {"code": "zi", "cursor_pos": 2}))
        assert reply["status"] == "error"
        assert kernel.control("interrupt_request")["status"] == "ok"
