"""A model behind a provider: one streamed request through pydantic-ai's direct API.

Rules: the library is imported on a thread by the first request, because it takes a second and the
event loop must go on answering; nothing is asked again here, the loop decides that from the
failure; a cancelled request closes its connection before the cancellation goes on.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from keelbook.messages import AssistantTurn
from keelbook.model import Price, Request
from keelbook.models import endpoint
from keelbook.models.faults import failure
from keelbook.models.settings import ModelSettings

if TYPE_CHECKING:
    from pydantic_ai.models import Model as Library

LIBRARY = ("pydantic_ai.direct", "keelbook.models.conversion", "pydantic_ai.models.openai")


class ProviderModel:
    """``provider:model`` as one ``Model``. ``window`` may become known with the first request."""

    def __init__(self, provider: str, model: str, settings: ModelSettings) -> None:
        endpoint.check(provider, settings)
        self.name = f"{provider}:{model}"
        self.window = settings.window
        self.price: Price | None = settings.price.price() if settings.price else None
        self.images = settings.images
        self._provider = provider
        self._model = model
        self._settings = settings
        self._library: Library | None = None

    async def request(self, request: Request, on_words: Callable[[str], None]) -> AssistantTurn:
        """One reply, streamed. Raises ModelFailed; when cancelled, the connection is closed."""
        library = await self._opened()
        from pydantic_ai.direct import model_request_stream

        from keelbook.models import conversion

        messages = conversion.messages(request, library, self.images)
        settings = conversion.settings(request, self._settings, library)
        parameters = conversion.parameters(request)
        heard: list[str] = []
        try:
            async with model_request_stream(
                library,
                messages,
                model_settings=settings,
                model_request_parameters=parameters,
                instrument=False,
            ) as stream:
                async for event in stream:
                    words = conversion.words(event)
                    if words:
                        heard.append(words)
                        on_words(words)
                response = stream.get()
        except Exception as error:
            raise failure(error, self.name, library.base_url or "", "".join(heard)) from error
        return conversion.reply(response, self.name)

    def cues(self, step: int) -> tuple[str, ...]:
        """None: nobody recorded is typing."""
        return ()

    async def close(self) -> None:
        """Gives up kept connections. A second call does nothing."""
        library, self._library = self._library, None
        if library is not None:
            await library.__aexit__(None, None, None)

    async def _opened(self) -> Library:
        """The library's model, made once."""
        if self._library is None:
            await asyncio.to_thread(lambda: [importlib.import_module(each) for each in LIBRARY])
            self._library = await endpoint.model(self._provider, self._model, self._settings)
            await self._library.__aenter__()
            if self.window is None:
                self.window = self._library.context_window
        return self._library
