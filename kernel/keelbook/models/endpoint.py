"""Where a provider's model is reached: address, key, and the library's object for it.

Rules: a key is sent to an address given in a setting only when a setting names its variable, so a
key for one service never reaches another by accident; a local server without a key needs none.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from keelbook.errors import BadConfig, ModelFailed
from keelbook.models.names import COMPATIBLE
from keelbook.models.settings import ModelSettings
from keelbook.text import listed

if TYPE_CHECKING:
    from pydantic_ai.models import Model as Library
    from pydantic_ai.providers import Provider

NO_KEY = "none"
OLLAMA = "http://127.0.0.1:11434/v1"
ADDRESSED = (COMPATIBLE, "openai", "openai-chat", "openai-responses", "anthropic", "ollama")
"""Providers whose wire other servers speak too."""

_VARIABLE = re.compile(r"`([A-Z][A-Z0-9_]{3,})`")


def check(provider: str, settings: ModelSettings) -> None:
    """Raises BadConfig where the settings cannot be meant for this provider."""
    if settings.base_url and provider not in ADDRESSED:
        fitting = listed([f"`{each}`" for each in ADDRESSED], "or")
        raise BadConfig(f"`baseUrl` goes with {fitting}, not with `{provider}`.")
    if provider == COMPATIBLE and not (settings.base_url or os.environ.get("OPENAI_BASE_URL")):
        raise BadConfig(
            f"`{COMPATIBLE}` needs an address like http://127.0.0.1:8080/v1: set `baseUrl` in "
            "`modelSettings`, or OPENAI_BASE_URL in the environment."
        )


async def model(provider: str, name: str, settings: ModelSettings) -> Library:
    """The library's model. Raises ModelFailed when its key or its package is missing."""
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model
    from pydantic_ai.providers import infer_provider, infer_provider_class

    key = _key(settings, f"{provider}:{name}")
    url = settings.base_url or _usual_address(provider)

    def made(kind: str) -> Provider[Any]:
        return infer_provider_class(kind)(api_key=key) if key else infer_provider(kind)  # type: ignore[call-arg]

    try:
        if url is not None:
            return _addressed(provider, name, url, key or NO_KEY)
        return infer_model(f"{provider}:{name}", provider_factory=made)
    except (UserError, TypeError, ValueError) as error:
        raise _not_made(str(error), f"{provider}:{name}") from error
    except ImportError as error:
        raise ModelFailed(
            f"`{provider}:{name}` needs a package that is not installed; "
            f"`pip install 'pydantic-ai-slim[{provider.split('-')[0]}]'` brings it.",
            "no-model",
        ) from error


def _usual_address(provider: str) -> str | None:
    """The address of a server people run themselves, where the environment names none."""
    if provider == COMPATIBLE:
        return os.environ.get("OPENAI_BASE_URL")
    return OLLAMA if provider == "ollama" and not os.environ.get("OLLAMA_BASE_URL") else None


def _key(settings: ModelSettings, name: str) -> str | None:
    variable = settings.api_key_variable
    if variable is None:
        return None
    key = os.environ.get(variable)
    if not key:
        raise ModelFailed(
            f"The key for {name} is to be in {variable}, which is not set; set it in the "
            "environment Keelbook is started from.",
            "auth",
        )
    return key


def _addressed(provider: str, name: str, url: str, key: str) -> Library:
    """A model at an address of its own."""
    if provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(name, provider=AnthropicProvider(api_key=key, base_url=url))
    if provider == "ollama":
        from pydantic_ai.models.ollama import OllamaModel
        from pydantic_ai.providers.ollama import OllamaProvider

        return OllamaModel(name, provider=OllamaProvider(base_url=url, api_key=key))
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    server = OpenAICompatibleProvider(COMPATIBLE, base_url=url, api_key=key)
    kind = OpenAIResponsesModel if provider == "openai-responses" else OpenAIChatModel
    return kind(name, provider=server)


def _not_made(words: str, name: str) -> ModelFailed:
    """The library says why it could not make the model; a variable it names is the key's."""
    found = _VARIABLE.search(words)
    if found and "environment variable" in words:
        return ModelFailed(
            f"{name} needs {found[1]}, which is not set; set it in the environment Keelbook is "
            "started from, or name another variable as `apiKeyVariable` in `modelSettings`.",
            "auth",
        )
    first = words.split(". ")[0].rstrip(".")
    return ModelFailed(f"{name} cannot be used: {first}.", "no-model")
