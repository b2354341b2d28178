"""Plays one turn and kills itself at a given event; run as a process by ``test_crash``.

``python -m tests.session.crashing FOLDER END...`` forks once for each END: that child plays the
turn in ``FOLDER/END``, and once the batch that ends with event END is committed it writes down its
folds and is gone. END 0 plays the turn to its end and prints where its batches end.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from keelbook.config import NoConfig
from keelbook.events import Logged
from keelbook.fold import Fold
from keelbook.log import Log
from keelbook.loop import progress
from keelbook.rows import todo
from keelbook.session import Session
from keelbook.surface import FOLD as SURFACE
from keelbook.tool import Result, Scene
from tests.loop.staging import Word, asked, session, tool
from tests.rows.planning import echo, item, python, write

ORIGIN = "/notes/lesson.ipynb"
SCRIPT = json.dumps(
    {
        "turns": [
            {
                "replies": [
                    {"calls": [write(item("a", "in_progress"), item("b", "pending", "a"))]},
                    {"calls": [echo("one"), {"tool": "post", "arguments": {}}]},
                    {"calls": [python("x = await tools.echo(word='two')\nprint(x)\nx * 2")]},
                    {"error": {"kind": "rate"}, "calls": [{"tool": "missing", "arguments": {}}]},
                    {"calls": [write(item("a", "completed"), item("b", "completed", "a"))]},
                    {"text": "Done."},
                ]
            },
            {"replies": [{"text": "And again."}]},
        ]
    }
)


@asynccontextmanager
async def playing(folder: Path, **more: Any) -> AsyncIterator[Session]:
    """The session of this turn, over ``folder``."""

    async def post(arguments: Word, scene: Scene) -> Result:
        opened.post("Mind the units.", by="panel")
        return Result("posted")

    tools = [tool("echo"), tool("post", post)]
    rows = [todo.row(NoConfig())]
    async with session(folder, SCRIPT, rows=rows, tools=tools, origin=ORIGIN, **more) as opened:
        yield opened


def folds(log: Log) -> dict[str, Any]:
    """What the session is, as its folds have it."""
    kept: tuple[Fold[Any], ...] = (progress.FOLD, SURFACE, todo.PLAN)
    return {fold.name: log.fold(fold).model_dump(mode="json") for fold in kept}


async def play(folder: Path, end: int) -> list[int]:
    """Plays the turn, up to event ``end``; returns where batches ended."""
    ends: list[int] = []

    def hear(batch: tuple[Logged, ...]) -> None:
        ends.append(batch[-1].seq)
        if end and batch[-1].seq >= end:
            (folder / "folds.json").write_text(json.dumps(folds(opened.log)))
            os.kill(os.getpid(), signal.SIGKILL)

    folder.mkdir(parents=True)
    async with playing(folder) as opened:
        opened.log.subscribe(hear)
        await asked(opened)
    return ends


def main() -> None:
    """One child for each END."""
    folder = Path(sys.argv[1])
    for end in map(int, sys.argv[2:]):
        if end == 0:
            print(json.dumps(asyncio.run(play(folder / "0", 0))))
            continue
        child = os.fork()
        if child == 0:
            asyncio.run(play(folder / str(end), end))
            os._exit(1)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            sys.exit(f"event {end}: the child was not killed")


if __name__ == "__main__":
    main()
