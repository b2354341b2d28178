"""What a person is told when a model gives no usable reply, and whether to ask again.

Rules: one sentence that says what happened and what to do; the provider's own words are quoted
short and never a key; only what may pass by itself is asked again.
"""

from __future__ import annotations

import re
from typing import Any

from keelbook.errors import ModelFailed, ModelFailure
from keelbook.text import head

RETRIED: frozenset[ModelFailure] = frozenset({"rate", "unreachable", "cut"})
"""Kinds that may pass by themselves."""

SENTENCES: dict[ModelFailure, str] = {
    "no-model": "No model is set; set one with KEELBOOK_MODEL or `model:` in a profile.",
    "auth": "The provider did not accept the key; set its variable and restart the kernel.",
    "length": "The conversation is longer than the model takes; compact it or begin a new one.",
    "rate": "The provider asks to wait: too many requests for now.",
    "unreachable": "The model's server cannot be reached; see that it runs and where.",
    "cut": "The connection was cut in the middle of the reply; ask again.",
    "rejected": "The provider rejected the request.",
    "script": "The session and its script part ways here.",
    "empty": "The model answered with nothing; ask again, or choose another model.",
    "unknown": "The model gave no usable reply.",
}

QUOTED = 240
"""Bytes of a provider's words in a sentence."""

_SECRET = re.compile(r"\b(?:sk|pk|key|api)[-_][\w*.-]{6,}|\bBearer\s+\S+|\bAIza[\w-]{10,}", re.I)
_TOO_LONG = re.compile(
    r"exceed_context_size|exceeds the available context size|maximum context length|"
    r"context[_ ]length[_ ]exceeded|context window|prompt is too long|input is too long|"
    r"reduce the length of|greater than the context length|too many tokens|"
    r"inputs. tokens .{0,40}must be <=|number of tokens allowed|request_too_large",
    re.I,
)


def failure(error: Exception, name: str, address: str, partial: str) -> ModelFailed:
    """What ``error`` from the library means. ``partial`` is the text that had arrived."""
    if isinstance(error, ModelFailed):
        return error
    from pydantic_ai import exceptions as library

    words = _words(error)
    kind, sentence = _transport(error, name, address, partial)
    if kind is None and isinstance(error, library.ModelAPIError):
        kind, sentence = _answered(error, name, words)
    if kind is None:
        kind, sentence = "unknown", f"{name} gave no usable reply{_quote(words)}."
    lasting = isinstance(error, library.ModelQuotaExceededError)
    return ModelFailed(sentence, kind, retry=kind in RETRIED and not lasting, partial=partial)


Told = tuple[ModelFailure | None, str]


def _transport(error: Exception, name: str, address: str, partial: str) -> Told:
    """Failures of the way to the server, and of what it speaks."""
    from pydantic_ai import exceptions as library

    place = f"{name} at {address}" if address else name
    if isinstance(error, library.ModelRequestTimeout | library.ModelTimeoutError):
        phase = getattr(error, "phase", "read")
        if phase in ("connect", "pool"):
            return "unreachable", f"Nothing answers for {place}; see that it runs and where."
        return "cut", f"{place} was silent for too long; ask again or raise `timeoutS`."
    dropped = isinstance(error, library.ModelConnectionError) or "TransportError" in {
        kind.__name__ for kind in type(error).__mro__
    }
    if dropped and (partial or getattr(error, "phase", None) in ("read", "write")):
        return "cut", f"The connection to {place} was cut in the middle of the reply; ask again."
    if dropped:
        return "unreachable", f"Nothing answers for {place}; see that it runs and where."
    undecoded = type(error) is library.ModelAPIError and "JSON" in str(error)
    if undecoded or isinstance(error, library.UnexpectedModelBehavior):
        quote = _quote(_words(error))
        return "unknown", f"What answers for {place} does not speak its wire{quote}."
    return None, ""


def _answered(error: Any, name: str, words: str) -> Told:
    """Failures the server told of; the first entry of the table that fits says what to do."""
    from pydantic_ai import exceptions as library

    quote, status = _quote(words), getattr(error, "status_code", None)
    meant, wait = getattr(error, "suggested_model_id", None), getattr(error, "retry_after", None)
    hint = f"did you mean `{meant}`?" if meant else "check its name."
    pause = f" of {wait:.0f} s" if wait else ""
    if _TOO_LONG.search(words) and status in (None, 400, 413, 422, 500):
        error = library.ModelContextWindowExceededError(name, words)
    for kind, category, sentence in _TOLD:
        if isinstance(error, getattr(library, category)):
            return kind, sentence.format(name=name, quote=quote, hint=hint, pause=pause)
    if "content" in words and "filter" in words:
        return "rejected", f"A content filter refused the request{quote}; put it another way."
    return ("rejected", f"{name} rejected the request{quote}.") if status else (None, "")


_TOLD: tuple[tuple[ModelFailure, str, str], ...] = (
    (
        "length",
        "ModelContextWindowExceededError",
        "The conversation is longer than {name} takes{quote}; compact it or begin a new one.",
    ),
    (
        "auth",
        "ModelAuthenticationError",
        "The provider of {name} did not accept the key{quote}; check the variable it is in and "
        "restart the kernel.",
    ),
    ("rejected", "ModelNotFoundError", "The provider has no model for {name}{quote}; {hint}"),
    (
        "rate",
        "ModelQuotaExceededError",
        "The account behind the key for {name} has no credit or quota left{quote}.",
    ),
    (
        "rate",
        "ModelRateLimitError",
        "The provider of {name} asks for a pause{pause}{quote}; ask again after it.",
    ),
    (
        "unreachable",
        "ModelUnavailableError",
        "The server of {name} cannot answer for now{quote}; ask again in a while.",
    ),
    (
        "unreachable",
        "ModelServerError",
        "The server of {name} has a fault of its own{quote}; ask again in a while.",
    ),
)


def _words(error: BaseException) -> str:
    """The provider's own words, without anything that looks like a key."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else body
    told = inner.get("message") if isinstance(inner, dict) else inner
    text = told if isinstance(told, str) and told.strip() else str(error)
    return _SECRET.sub("…", " ".join(text.split()))


def _quote(words: str) -> str:
    short = head(words, QUOTED).rstrip(". ")
    return f" (“{short}”)" if short else ""
