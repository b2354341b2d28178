"""A whole turn with a real model: a notebook's ``%%agent`` cell, the real kernel, llama.cpp."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook

from tests.server.conftest import Serve

pytestmark = pytest.mark.server


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs one agent cell against a server; returns the outputs. Raises CellExecutionError."""
    profile = tmp_path / "config" / "profile.yaml"
    profile.parent.mkdir(mode=0o700)
    monkeypatch.setenv("KEELBOOK_CONFIG", str(profile.parent))
    monkeypatch.setenv("KEELBOOK_DATA", str(tmp_path / "data"))
    for name in ("KEELBOOK_MODEL", "KEELBOOK_PROFILE", "JPY_SESSION_NAME"):
        monkeypatch.delenv(name, raising=False)

    def run(url: str, words: str) -> list[Any]:
        profile.write_text(
            "profile: base\nmodel: openai-compatible:smollm2\n"
            f"modelSettings: {{baseUrl: {url}, temperature: 0, maxTokens: 16}}\n"
        )
        cells = [new_code_cell(f"%%agent\n{words}")]  # type: ignore[no-untyped-call]
        notebook: Any = new_notebook(cells=cells)  # type: ignore[no-untyped-call]
        NotebookClient(
            notebook,
            timeout=90,
            kernel_name="keelbook",
            resources={"metadata": {"path": str(tmp_path)}},
        ).execute()
        return list(notebook.cells[0].outputs)

    return run


def test_an_agent_cell_runs_a_streamed_turn_on_a_real_model(serve: Serve, ask: Any) -> None:
    outputs = ask(serve(4096), "Say hello in one short sentence.")
    words = [each["data"]["text/markdown"] for each in outputs if "text/markdown" in each["data"]]
    assert words
    assert words[0].strip()
    ended = outputs[-1]["data"]["application/vnd.keelbook.turn.v1+json"]
    assert ended["ended"] == "done"


def test_a_conversation_too_long_for_the_model_ends_the_turn_with_a_sentence(
    serve: Serve, ask: Any
) -> None:
    with pytest.raises(CellExecutionError) as caught:
        ask(serve(512), "word " * 1000)
    assert "The conversation is longer than openai-compatible:smollm2 takes" in str(caught.value)
