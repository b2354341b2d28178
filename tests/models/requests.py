"""Requests as the loop makes them, for tests of models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keelbook.messages import AssistantTurn, Call, Message, Text, ToolAnswer, UserTurn
from keelbook.model import Request, ToolSchema

PYTHON = ToolSchema(
    name="python",
    description="Runs Python.",
    parameters={
        "type": "object",
        "properties": {"code": {"type": "string"}},
        "required": ["code"],
    },
)


def says(words: str, source: str = "person") -> UserTurn:
    """A user message."""
    return UserTurn(blocks=(Text(text=words),), source=source)


def called(tool: str, arguments: dict[str, Any], call: str = "t1s1c0") -> AssistantTurn:
    """A reply that is one call."""
    return AssistantTurn(parts=(Call(id=call, tool=tool, arguments=arguments),), model="m")


def answered(text: str, call: str = "t1s1c0", tool: str = "python", **more: Any) -> ToolAnswer:
    """The answer to a call."""
    return ToolAnswer(call=call, tool=tool, blocks=(Text(text=text),), **more)


def request(*messages: Message, turn: int = 1, step: int = 0, **more: Any) -> Request:
    """A request with the python tool."""
    tools: Sequence[ToolSchema] = more.pop("tools", (PYTHON,))
    return Request(
        system=more.pop("system", "You help in a notebook."),
        messages=messages,
        tools=tuple(tools),
        turn=turn,
        step=step,
        **more,
    )
