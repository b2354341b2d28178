"""Plays ``turn.yaml`` under the stable profile and writes down what it logs, for review in a diff.

``python -m tests.golden.record`` writes the three golden files anew. What differs from run to run
(times, process numbers, paths, when exactly the guest answered) is left out.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from keelbook.events import GuestStarted, PromptSet
from keelbook.guest_process.guest import Guest
from keelbook.loop.table import seam_table
from keelbook.observer import Silence
from keelbook.parts import Budgets
from keelbook.profile import load
from keelbook.session import Session

HERE = Path(__file__).parent
RODS = "length\n1.5\n2.0\n3.0\n"


async def record() -> dict[str, str]:
    """The text of each golden file, by its name."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        workspace = folder / "workspace"
        workspace.mkdir()
        (workspace / "rods.csv").write_text(RODS)
        script = f"scripted:{HERE / 'turn.yaml'}"
        profile = load(
            workspace, profile="stable", model=script, environ={}, folder=folder / "settings"
        )
        parts = replace(profile.parts(), budgets=Budgets(retries=(0.001,)))
        guest = Guest(profile.guest, cwd=str(workspace))
        session = await Session.open(
            parts, guest, workspace=workspace, folder=folder / "sessions", origin="rods.ipynb"
        )
        try:
            await session.ask("How long are the rods together?", Silence())
            events = [each.event for each in session.log.read()]
        finally:
            await session.close()
    places = {str(workspace): "WORKSPACE", script: "scripted:turn.yaml", session.id: "SESSION"}
    (prompt,) = [each for each in events if isinstance(each, PromptSet)]
    lines = [
        _line(each.tag, each.model_dump(mode="json"))
        for each in events
        if not isinstance(each, GuestStarted)
    ]
    return {
        "turn.jsonl": _steady("".join(f"{line}\n" for line in lines), places),
        "prompt.txt": _steady(prompt.system, places),
        "rows.txt": "".join(f"{line}\n" for line in seam_table(profile.rows)),
    }


def _line(tag: str, data: dict[str, Any]) -> str:
    """One event as one line, without what no two runs share and without what is everywhere."""
    for key in ("version", "kernel", "cpuS", "wallS"):
        data.pop(key, None)
    if tag == PromptSet.tag:
        data = {"system": "prompt.txt", "tools": [each["name"] for each in data["tools"]]}
    kept = {key: each for key, each in data.items() if each not in ("", None, 0, False, [])}
    message = kept.get("message")
    if isinstance(message, dict):
        message.pop("usage", None)
    return json.dumps({"event": tag, **kept}, ensure_ascii=False)


def _steady(text: str, places: dict[str, str]) -> str:
    for place, name in places.items():
        text = text.replace(place, name)
    return text


def main() -> None:
    """Writes the files."""
    for name, text in asyncio.run(record()).items():
        (HERE / name).write_text(text, encoding="utf-8")
        print(f"wrote {HERE / name}")


if __name__ == "__main__":
    main()
