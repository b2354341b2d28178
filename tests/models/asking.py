"""Asking a model once, against a peer on loopback."""

from __future__ import annotations

from typing import Any

from keelbook.messages import AssistantTurn
from keelbook.model import Request
from keelbook.models import ModelSettings, make
from tests.models.peer import Answer, Exchange, Peer


async def ask(
    answer: Answer, asked: Request, name: str = "openai-compatible:m", **settings: Any
) -> tuple[AssistantTurn, list[str], Exchange]:
    """The reply, the words as they came, and what the server was sent."""
    path = "" if name.startswith("anthropic") else "/v1"
    async with Peer(answer) as peer:
        model = make(name, ModelSettings(base_url=peer.url + path, **settings))
        heard: list[str] = []
        try:
            reply = await model.request(asked, heard.append)
        finally:
            await model.close()
        return reply, heard, peer.asked[0]
