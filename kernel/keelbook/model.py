"""The seam between the loop and a model: one request, one reply.

Rules: a model is asked with everything it is to know (no session on its side); text arrives by
``on_words`` as it is written and the reply is returned whole; a failure is ``ModelFailed`` with one
sentence that says what to do. Nothing of a provider's wire format is seen here.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Protocol

from keelbook.messages import AssistantTurn, Message
from keelbook.record import Json
from keelbook.value import Value


class ToolSchema(Value):
    """A tool as a model is told of it; ``parameters`` is a JSON schema of type object."""

    name: str
    description: str
    parameters: dict[str, Json]


class Request(Value):
    """All of one model request.

    ``system`` and ``tools`` are the cached prefix; ``context`` comes after ``messages`` and is not
    cached. ``turn`` is the turn's number in the session; ``step`` counts the replies this turn
    already has, so it is 0 for the turn's first request: a recorded model finds its place by both.
    ``attempt`` counts the failures of this very step so far. ``max_tokens`` bounds the reply, None
    leaves it to the provider.
    """

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    context: str = ""
    turn: int = 0
    step: int = 0
    attempt: int = 0
    max_tokens: int | None = None


class Price(Value):
    """Money for a million tokens, in one currency."""

    currency: str
    input: Decimal
    output: Decimal
    cache_read: Decimal | None = None
    cache_write: Decimal | None = None


class Model(Protocol):
    """Something that answers. ``window``: input room in tokens, None when not known."""

    name: str
    window: int | None
    price: Price | None
    images: bool

    async def request(self, request: Request, on_words: Callable[[str], None]) -> AssistantTurn:
        """One reply. Raises ModelFailed; when cancelled, the connection is closed."""

    def cues(self, step: int) -> tuple[str, ...]:
        """What a recorded person typed before reply ``step`` of the turn being played (its first
        reply is 0 and has none); empty for a real model."""

    async def close(self) -> None:
        """Gives up connections. A second call does nothing."""
