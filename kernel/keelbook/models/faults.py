"""What a person is told when a model gives no usable reply, and whether to ask again.

Rules: one sentence that says what happened and what to do; the provider's own words are quoted
short and never a key; only what may pass by itself is asked again.
"""

from __future__ import annotations

from keelbook.errors import ModelFailure

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
    "unknown": "The model gave no usable reply.",
}
