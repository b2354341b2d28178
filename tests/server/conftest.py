"""Real llama.cpp servers for the tests marked ``server`` (``.ci/test -m server``)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("serve.py")

Serve = Callable[[int], str]


@pytest.fixture(scope="session")
def serve() -> Iterator[Serve]:
    """Starts a server with room for so many tokens; returns its address, that of OpenAI's wire."""
    processes: dict[int, tuple[subprocess.Popen[str], str]] = {}

    def start(context: int) -> str:
        if context not in processes:
            process = subprocess.Popen(
                [sys.executable, str(SCRIPT), str(context)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address, "the llama.cpp server did not start; run .ci/setup --server"
            processes[context] = (process, address)
        return processes[context][1] + "/v1"

    yield start
    for process, _ in processes.values():
        process.communicate(timeout=20)
