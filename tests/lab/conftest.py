"""A real JupyterLab on a free port and a real Chromium, for the browser tests.

Rules: the server sees nothing of the machine's own Jupyter settings and sessions; every test has
its own browser page, which must stay free of errors of ours; pictures go to ``test-output/lab``.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "test-output" / "lab"
CHROMIUM = shutil.which("chromium")
SWITCHES = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_S = 60.0


@dataclass(frozen=True)
class Lab:
    """A running server: where it answers and which folder it serves."""

    url: str
    token: str
    folder: Path

    def address(self, path: str = "") -> str:
        """The page of `path` (a notebook in the folder) in a workspace of its own, reset."""
        tree = f"/tree/{path}" if path else ""
        return f"{self.url}/lab/workspaces/test{tree}?reset&token={self.token}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _answers(url: str, token: str) -> bool:
    request = urllib.request.Request(
        f"{url}/api/status", headers={"Authorization": f"token {token}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=2) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False


def _environment(home: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("JUPYTER")}
    return {
        **kept,
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "KEELBOOK_DATA": str(home / "keelbook"),
        "KEELBOOK_MODEL": "scripted:script.yaml",  # beside the notebook
        "KEELBOOK_PROFILE": "stable",
        "XDG_DATA_HOME": str(home / "xdg"),
        "XDG_CONFIG_HOME": str(home / "xdg-config"),
    }


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab with this environment's kernels and extensions, until the session ends."""
    home = tmp_path_factory.mktemp("home")
    folder = tmp_path_factory.mktemp("folder")
    settings = home / "config" / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    port, token = _free_port(), "keelbook-test"
    url = f"http://127.0.0.1:{port}"
    log = (home / "server.log").open("wb")
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
            *("--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"),
            *(f"--IdentityProvider.token={token}", f"--notebook-dir={folder}"),
            "--LabApp.expose_app_in_browser=True",
            "--JupyterNotebookApp.expose_app_in_browser=True",
            "--LabApp.extension_manager=readonly",
        ],
        cwd=folder,
        env=_environment(home),
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        deadline = time.monotonic() + START_S
        while not _answers(url, token):
            if server.poll() is not None or time.monotonic() > deadline:
                pytest.fail("JupyterLab did not start:\n" + (home / "server.log").read_text())
            time.sleep(0.1)
        yield Lab(url, token, folder)
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        log.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, headless.

    It ends with its module: while it is there, its event loop stands in the way of async tests.
    """
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("There is no chromium; .ci/setup installs it.")
        pytest.skip("there is no chromium; .ci/setup installs it as root")
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield running
        running.close()


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of 1400 x 900 that must stay free of errors of ours; pictured when the test ends."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(20_000)
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and "keelbook" in f"{message.text} {message.location}".lower():
            errors.append(message.text)

    opened.on("console", note)

    def note_error(error: Error) -> None:
        if "extensions/keelbook/" in (error.stack or ""):
            errors.append(error.stack or error.message)

    opened.on("pageerror", note_error)
    yield opened
    picture(opened, request.node.name)
    context.close()
    assert errors == []


def use_theme(page: Page, theme: str) -> None:
    """Switch JupyterLab to a theme, `JupyterLab Dark` for one, and wait for it."""
    page.evaluate(
        "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme
    )
    page.wait_for_selector(f'body[data-jp-theme-name="{theme}"]', state="attached")
    page.wait_for_selector("#jupyterlab-splash", state="detached")


def picture(page: Page, name: str) -> Path:
    """A picture of what the page shows, in test-output/lab."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path)
    return path


def write_notebook(
    path: Path,
    cells: list[str],
    kernel: str = "keelbook",
    outputs: list[dict[str, Any]] | None = None,
) -> None:
    """A notebook of code cells for a kernel; `outputs` are bundles the first cell displays."""
    shown = [
        {"output_type": "display_data", "data": bundle, "metadata": {}} for bundle in outputs or ()
    ]
    notebook = {
        "cells": [
            {
                "cell_type": "code",
                "execution_count": None,
                "id": f"cell-{number}",
                "metadata": {},
                "outputs": [] if number else shown,
                "source": source,
            }
            for number, source in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": kernel, "display_name": kernel, "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(notebook))
