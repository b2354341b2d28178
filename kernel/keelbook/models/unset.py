"""The model of a session nobody chose one for: it answers every request with how to choose.

Rules: everything else of the session works without a model, so this is no error at start.
"""

from __future__ import annotations

from collections.abc import Callable

from keelbook.errors import ModelFailed
from keelbook.messages import AssistantTurn
from keelbook.model import Price, Request

HOW_TO_CHOOSE = """\
No model is set, so there is nobody to ask.
Set one with KEELBOOK_MODEL=openai:gpt-5 in the environment, `model:` in a profile, \
or `%%agent --model ollama:qwen3`.
To see an agent at work without a key or a network, run `keelbook demo`."""


class NoModel:
    """Fails every request with three lines that say what to do."""

    name = ""
    window: int | None = None
    price: Price | None = None
    images = False

    async def request(self, request: Request, on_words: Callable[[str], None]) -> AssistantTurn:
        """Raises ModelFailed, kind ``no-model``."""
        raise ModelFailed(HOW_TO_CHOOSE, "no-model")

    def cues(self, step: int) -> tuple[str, ...]:
        """None."""
        return ()

    async def close(self) -> None:
        """Nothing to give up."""
