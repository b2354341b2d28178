"""Model names: ``provider:model``, and what a reader meant by one that is not known.

Rules: a name is judged without importing the library that speaks to providers (that takes a
second); ``tests/models`` compares the list with the library's own.
"""

from __future__ import annotations

from keelbook.errors import BadConfig
from keelbook.text import near

OWN = ("scripted", "replay")
COMPATIBLE = "openai-compatible"
PROVIDERS = frozenset(
    {
        "alibaba", "anthropic", "azure", "azure-responses", "bedrock", "bedrock-mantle",
        "cerebras", "cohere", "crusoe", "deepseek", "fireworks", "github", "github-copilot",
        "google", "google-cloud", "groq", "heroku", "huggingface", "litellm", "meta", "mistral",
        "moonshotai", "nebius", "ollama", "openai", "openai-chat", "openai-chatgpt",
        "openai-codex", "openai-responses", "openrouter", "ovhcloud", "sambanova", "snowflake",
        "system-one", "together", "typesafe", "vercel", "vllm", "xai", "zai",
    }
)  # fmt: skip

_FAMILIES = {
    "claude": "anthropic",
    "gemini": "google",
    "gpt": "openai",
    "o1": "openai",
    "o3": "openai",
    "o4": "openai",
}


def split(name: str) -> tuple[str, str]:
    """``name`` as its provider and the rest, both non-empty. Raises BadConfig with one sentence."""
    provider, colon, rest = name.strip().partition(":")
    if not colon:
        raise BadConfig(_without_provider(provider), "unknown-model")
    if not rest:
        raise BadConfig(f"The model name `{name}` ends after its colon.", "unknown-model")
    if provider in OWN or provider == COMPATIBLE or provider.removeprefix("gateway/") in PROVIDERS:
        return provider, rest
    meant = near(provider, (*OWN, COMPATIBLE, *PROVIDERS))
    hint = f"did you mean `{meant}:{rest}`?" if meant else _FORMS
    raise BadConfig(f"No model provider is called `{provider}`; {hint}", "unknown-model")


_FORMS = "a name looks like `openai:gpt-5`, `ollama:qwen3` or `scripted:lesson.yaml`."


def _without_provider(name: str) -> str:
    """The sentence for a name with no colon: a file, a known family, a provider alone."""
    if name.endswith((".yaml", ".yml")):
        return f"The model name `{name}` lacks its kind; did you mean `scripted:{name}`?"
    if name.endswith(".jsonl"):
        return f"The model name `{name}` lacks its kind; did you mean `replay:{name}`?"
    family = next((known for known in _FAMILIES if name.lower().startswith(known)), None)
    hint = f"did you mean `{_FAMILIES[family]}:{name}`?" if family else _FORMS
    return f"The model name `{name}` lacks its provider; {hint}"
