"""Runs the command ``keelbook`` as a person would, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Finished = subprocess.CompletedProcess[str]
Keelbook = Callable[..., Finished]

COMMAND = (sys.executable, "-c", "import sys; from keelbook.cli import main; sys.exit(main())")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A home with nothing in it."""
    (tmp_path / "home").mkdir()
    kept = {k: v for k, v in os.environ.items() if not k.startswith("KEELBOOK_")}
    return kept | {
        "HOME": str(tmp_path / "home"),
        "KEELBOOK_DATA": str(tmp_path / "data"),
        "KEELBOOK_CONFIG": str(tmp_path / "config"),
    }


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """The folder the command runs in."""
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The user's own profile file; not there yet."""
    (tmp_path / "config").mkdir()
    return tmp_path / "config" / "profile.yaml"


@pytest.fixture
def keelbook(environment: dict[str, str], workspace: Path) -> Keelbook:
    """``keelbook("config", "--json")``: the finished process."""

    def run(*arguments: str, typed: str = "", **variables: str) -> Finished:
        return subprocess.run(
            [*COMMAND, *arguments],
            cwd=workspace,
            env=environment | variables,
            input=typed,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    return run


def complaint(finished: Finished) -> list[str]:
    """What a command refused with; asserts the manners of a refusal."""
    assert finished.returncode == 2, finished
    assert finished.stdout == ""
    assert "Traceback" not in finished.stderr
    lines = finished.stderr.splitlines()
    assert all(line.startswith("keelbook: ") for line in lines), lines
    return [line.removeprefix("keelbook: ") for line in lines]
