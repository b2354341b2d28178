"""What the tests of the plan share: a session with the row, a real guest and a scripted model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from keelbook.config import NoConfig
from keelbook.guest_process.guest import Guest
from keelbook.plan import Todo
from keelbook.rows import todo
from keelbook.session import Session
from keelbook.tool import Tool
from tests.loop.staging import session, tool


def item(content: str, status: str = "pending", *requires: str) -> dict[str, Any]:
    """An item as the model writes it."""
    return {"content": content, "status": status, "requires": list(requires)}


def write(*items: dict[str, Any]) -> dict[str, Any]:
    """A call that writes these items."""
    return {"tool": "write_todos", "arguments": {"todos": list(items)}}


def python(code: str) -> dict[str, Any]:
    """A call that runs a cell."""
    return {"tool": "python", "arguments": {"code": code}}


def echo(word: str = "x") -> dict[str, Any]:
    """A call that does something."""
    return {"tool": "echo", "arguments": {"word": word}}


def script(*turns: Sequence[Sequence[dict[str, Any]]]) -> str:
    """A script: each turn is a list of messages, each message a list of calls; then a last word."""
    written = [
        {"replies": [*({"calls": list(calls)} for calls in messages), {"text": "Done."}]}
        for messages in turns
    ]
    return json.dumps({"turns": written})


@asynccontextmanager
async def planning(
    folder: Path,
    *turns: Sequence[Sequence[dict[str, Any]]],
    tools: Sequence[Tool] = (),
    **more: Any,
) -> AsyncIterator[Session]:
    """A session with the row ``todo`` and the tool ``echo`` whose model plays ``turns``."""
    (folder / "workspace").mkdir(exist_ok=True)
    guest = Guest(cwd=str(folder / "workspace"))
    made = session(
        folder,
        script(*turns) if turns else script([]),
        rows=[todo.row(NoConfig())],
        tools=[tool("echo"), *tools],
        interpreter=guest,
        **more,
    )
    async with made as opened:
        yield opened


def plan(opened: Session) -> tuple[Todo, ...]:
    """The plan as it stands."""
    return opened.log.fold(todo.PLAN).todos


def brief(todos: Sequence[Todo]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Content, status and prerequisites."""
    return [(each.content, each.status, each.requires) for each in todos]
