"""A session is recorded, exported and played again: the notebook comes out the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"

pytestmark = pytest.mark.slow


def executed(folder: Path, model: str) -> list[Any]:
    """What the agent's cell shows when ``model`` answers it."""
    notebook = nbformat.read(folder / "01-tour.ipynb", 4)  # type: ignore[no-untyped-call]
    (agent,) = [cell for cell in notebook.cells if cell["source"].startswith("%%agent")]
    request = agent["source"].split("\n", 1)[1]
    agent["source"] = f"%%agent --model {model}\n{request}"
    NotebookClient(
        notebook,
        timeout=100,
        kernel_name="keelbook",
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    return [dict(output) for output in agent["outputs"]]


def keelbook(*arguments: str) -> str:
    command = [sys.executable, "-c", "import sys; from keelbook.cli import main; sys.exit(main())"]
    run = subprocess.run([*command, *arguments], check=True, capture_output=True, text=True)
    return run.stdout


def test_a_recorded_tour_plays_again_until_its_data_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEELBOOK_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("KEELBOOK_CONFIG", str(tmp_path / "config"))
    for name in ("KEELBOOK_MODEL", "KEELBOOK_PROFILE", "JPY_SESSION_NAME"):
        monkeypatch.delenv(name, raising=False)
    folder = Path(shutil.copytree(NOTEBOOKS, tmp_path / "notebooks"))
    first = executed(folder, "scripted:01-tour.yaml")

    session = keelbook("sessions").split()[0]
    exported = keelbook("sessions", "export", session)
    (folder / "tour.jsonl").write_text(exported)
    assert executed(folder, "replay:tour.jsonl") == first
    assert executed(folder, f"replay:{session}") == first

    data = folder / "penguins.csv"
    rows = data.read_text().splitlines(keepends=True)
    data.write_text("".join(rows[: len(rows) // 2]))
    with pytest.raises(CellExecutionError) as caught:
        executed(folder, "replay:tour.jsonl")
    assert "The recording `tour.jsonl`, turn 1, reply 3: `python` answered" in str(caught.value)
    assert os.fspath(tmp_path) not in str(caught.value)
