"""The tour: it runs to the end, the same way every time, and is stored as it runs."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from keelbook.models.script import load
from keelbook.models.turns import plain

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
TOUR = NOTEBOOKS / "01-tour.ipynb"


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions of these tests are kept apart from the user's."""
    monkeypatch.setenv("KEELBOOK_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.delenv("KEELBOOK_MODEL", raising=False)


def stored() -> Any:
    """The tour as it is committed."""
    return nbformat.read(TOUR, 4)  # type: ignore[no-untyped-call]


def executed() -> Any:
    """The tour, run in its folder."""
    notebook = stored()
    NotebookClient(
        notebook,
        timeout=100,
        kernel_name="keelbook",
        record_timing=False,
        resources={"metadata": {"path": str(NOTEBOOKS)}},
    ).execute()
    return notebook


def shown(notebook: Any) -> list[Any]:
    """What each cell shows, pictures by their presence: their bytes follow matplotlib's version."""
    cells = []
    for cell in notebook.cells:
        outputs = []
        for output in cell.get("outputs", []):
            made = dict(output)
            if "image/png" in output.get("data", {}):
                made["data"] = {**output["data"], "image/png": "a picture"}
            outputs.append(made)
        cells.append((cell["id"], outputs))
    return cells


@pytest.mark.slow
def test_the_tour_runs_as_it_is_stored() -> None:
    for before, after in zip(shown(stored()), shown(executed()), strict=True):
        assert after == before


@pytest.mark.slow
def test_nbval_is_green_twice_in_a_row() -> None:
    command = [sys.executable, "-m", "pytest", "--nbval", str(TOUR), "-q", "-p", "no:cacheprovider"]
    for _ in range(2):
        run = subprocess.run(command, capture_output=True, text=True, env=os.environ)
        assert run.returncode == 0, run.stdout[-4000:]


def test_the_tour_shows_a_plan_of_three_a_tool_a_figure_a_steer_and_an_end() -> None:
    (agent,) = [cell for cell in stored().cells if cell["source"].startswith("%%agent")]
    bundles = [output["data"] for output in agent["outputs"] if "data" in output]
    cards = {
        kind.split(".")[2]: data
        for data in bundles
        for kind in data
        if kind.startswith("application/vnd.keelbook.")
    }
    plan = cards["plan"]["application/vnd.keelbook.plan.v1+json"]
    assert [item["status"] for item in plan["items"]] == ["completed"] * 3
    assert all(item["worked"] for item in plan["items"]), "each step shows what did it"
    calls = [
        data["application/vnd.keelbook.call.v1+json"]
        for data in bundles
        if "application/vnd.keelbook.call.v1+json" in data
    ]
    assert [each["tool"] for call in calls for each in call["dispatches"]] == ["read"]
    assert any("image/png" in data for data in bundles)
    assert all(output.get("name") != "stderr" for output in agent["outputs"])
    assert cards["message"]["application/vnd.keelbook.message.v1+json"]["source"] == "person"
    assert cards["turn"]["application/vnd.keelbook.turn.v1+json"]["ended"] == "done"


def test_the_notebook_and_its_script_belong_together() -> None:
    script = load(NOTEBOOKS / "01-tour.yaml", "01-tour.yaml")
    asked = [cell["source"] for cell in stored().cells if cell["source"].startswith("%%agent")]
    assert len(script.turns) == len(asked) == 1
    assert "--model scripted:01-tour.yaml" in asked[0].splitlines()[0]
    assert plain(script.turns[0].request or "?") in plain(asked[0])


def test_the_data_are_the_published_ones() -> None:
    data = (NOTEBOOKS / "penguins.csv").read_bytes()
    assert (
        hashlib.md5(data, usedforsecurity=False).hexdigest() == "a06a0210251465a86fb970018292304d"
    )
    assert data.count(b"\n") - 1 == 344
    assert "CC0" in (NOTEBOOKS / "penguins.md").read_text()
