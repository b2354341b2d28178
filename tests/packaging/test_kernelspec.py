"""The installed kernelspec starts a kernel wherever a notebook is (DESIGN, known traps)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

pytestmark = pytest.mark.slow

# A person's own files, named like modules that the kernel imports on its way up.
HOSTILE = ("comm", "json", "logging", "zmq", "pydantic", "keelbook_guest", "traitlets")


def values(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str, **environment: str) -> str:
    """What `code` prints in a kernel started in `folder`."""
    for name, value in {"KEELBOOK_DATA": str(folder / "data"), **environment}.items():
        monkeypatch.setenv(name, value)
    manager, client = start_new_kernel(kernel_name="keelbook", cwd=str(folder), startup_timeout=30)
    printed: list[str] = []

    def note(message: dict[str, Any]) -> None:
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])

    try:
        reply = client.execute_interactive(code, timeout=30, output_hook=note)
        assert reply["content"]["status"] == "ok", reply["content"]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return "".join(printed)


def sabotage(folder: Path) -> Path:
    """A folder with modules that end every process that imports them."""
    folder.mkdir(exist_ok=True)
    for name in HOSTILE:
        (folder / f"{name}.py").write_text("raise SystemExit('shadowed')\n")
    return folder


def test_a_persons_modules_beside_the_notebook_do_not_keep_the_kernel_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert values(sabotage(tmp_path), monkeypatch, "print(1 + 1)") == "2\n"


def test_nor_do_those_on_pythonpath_which_the_persons_cells_still_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty entry of PYTHONPATH is the current folder."""
    library = sabotage(tmp_path / "library")
    (library / "mine.py").write_text("answer = 42\n")
    given = os.pathsep.join(["", str(library)])
    code = "import mine; print(mine.answer)"
    assert values(tmp_path, monkeypatch, code, PYTHONPATH=given) == "42\n"
