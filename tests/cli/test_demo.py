"""``keelbook demo``: the tour, run here and opened in JupyterLab."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from keelbook.cli import demo
from tests.cli.conftest import COMMAND, Keelbook, complaint


def test_the_tour_runs_headless_and_fits_one_screen(keelbook: Keelbook, workspace: Path) -> None:
    done = keelbook("demo", "--headless", KEELBOOK_PROFILE="base", KEELBOOK_MODEL="openai:x")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 40
    assert re.fullmatch(r"01-tour\.ipynb: the kernel is up after [\d,]+ ms", lines[0])
    assert re.fullmatch(r"\d+ cells in [\d,]+ ms: all succeeded\.", lines[-1])
    assert "      Plan: 3 done, 0 under way, 0 open" in lines
    assert any(re.match(r"      Turn 1: done after \d+ steps, \d+ calls", line) for line in lines)
    assert os.listdir(workspace) == []


def test_a_copy_that_is_there_is_somebodys_work(keelbook: Keelbook, workspace: Path) -> None:
    copy = demo.copied(workspace / "copy", fresh=False)
    tour = copy / demo.TOUR
    notebook = json.loads(tour.read_text())
    notebook["cells"] = [
        {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None,
         "source": "1 / 0"},
        {"cell_type": "code", "id": "b", "metadata": {}, "outputs": [], "execution_count": None,
         "source": "'still here'"},
    ]  # fmt: skip
    tour.write_text(json.dumps(notebook))
    done = keelbook("demo", "--headless", "--folder", "copy")
    assert done.returncode == 1
    assert re.search(r"FAILED  1 / 0\n      ZeroDivisionError: division by zero\n", done.stdout)
    assert "'still here'" in done.stdout
    assert done.stdout.endswith(": 1 failed.\n")
    demo.copied(copy, fresh=True)
    assert len(json.loads(tour.read_text())["cells"]) > 2


def test_a_turn_that_was_not_done_is_a_cell_that_failed(
    keelbook: Keelbook, workspace: Path
) -> None:
    copy = demo.copied(workspace / "copy", fresh=False)
    (copy / "01-tour.yaml").write_text(
        "turns:\n- request: something else\n  replies: [{text: a}]\n"
    )
    done = keelbook("demo", "--headless", "--folder", "copy")
    assert done.returncode == 1
    assert "Turn 1: failed" in done.stdout


def test_a_folder_that_cannot_be_written_is_one_sentence(
    keelbook: Keelbook, workspace: Path
) -> None:
    (workspace / "file").touch()
    (said,) = complaint(keelbook("demo", "--headless", "--folder", "file"))
    assert re.fullmatch(r"The tour cannot be copied to .*/file: File exists; give another.*", said)


def test_a_jupyter_that_does_not_find_the_kernel_is_one_sentence(
    environment: dict[str, str],
) -> None:
    code = "import sys; sys.prefix = '/nowhere'\n" + COMMAND[2]
    done = subprocess.run(
        [sys.executable, "-c", code, "demo", "--headless"],
        env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert complaint(done) == [
        "Jupyter does not find the kernel `keelbook`; run `keelbook install`."
    ]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _fetched(address: str) -> Any:
    """The JSON at an address of a server that says where it is before it listens."""
    for _ in range(100):
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.URLError:
            time.sleep(0.1)
    return pytest.fail(f"nobody answers at {address}")


@pytest.mark.slow
def test_jupyterlab_opens_on_the_copy(environment: dict[str, str], workspace: Path) -> None:
    port = _free_port()
    process = subprocess.Popen(
        [*COMMAND, "demo", "--no-browser", "--port", str(port)],
        cwd=workspace, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        for line in process.stdout:
            found = re.search(rf"http://127\.0\.0\.1:{port}(/lab\S*)\?token=(\w+)", line)
            if found:
                break
        else:
            pytest.fail("JupyterLab named no address")
        assert found[1] == "/lab/tree/01-tour.ipynb"
        base = f"http://127.0.0.1:{port}"
        contents = _fetched(f"{base}/api/contents?token={found[2]}")["content"]
        names = {each["name"] for each in contents}
        assert {"01-tour.ipynb", "01-tour.yaml", "penguins.csv"} <= names
        assert "keelbook" in _fetched(f"{base}/api/kernelspecs?token={found[2]}")["kernelspecs"]
        assert (Path(environment["HOME"]) / "keelbook-demo" / "01-tour.ipynb").is_file()
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
