"""The errors of the host, split by who must act.

::

    KeelbookError(sentence, code)
     +- BadConfig     the deployer: a profile, a setting, an interpreter, a model name
     +- ToolFailed    the model: a tool's own failure, arguments it refuses
     +- Refused       the person: policy, a busy session, a log that cannot be opened or written
     +- ModelFailed   the person: the model's server said no, went away or cut the stream
     +- HostBug       us: a state the host promised never to reach

Rules: every error carries one sentence a person can act on and a short code from a closed set;
the sentence never holds a traceback. Decisions are returned values, not exceptions; these are
for what cannot go on.
"""

from __future__ import annotations

from typing import Literal

ModelFailure = Literal[
    "no-model",
    "auth",
    "length",
    "rate",
    "unreachable",
    "cut",
    "rejected",
    "script",
    "empty",
    "unknown",
]


class KeelbookError(Exception):
    """One sentence for a reader, and a code for a program."""

    def __init__(self, sentence: str, code: str = "error") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code


class BadConfig(KeelbookError):
    """A setting cannot be used. ``sentences`` holds every problem found, one sentence each."""

    def __init__(
        self, sentence: str, code: str = "config", sentences: tuple[str, ...] = ()
    ) -> None:
        super().__init__(sentence, code)
        self.sentences = sentences or (sentence,)


class ToolFailed(KeelbookError):
    """A tool did not do its work; the model reads the sentence and may try another way."""

    def __init__(self, sentence: str, code: str = "tool-failed") -> None:
        super().__init__(sentence, code)


class Refused(KeelbookError):
    """Something a person or their policy does not allow, or that is not possible right now."""

    def __init__(self, sentence: str, code: str = "refused") -> None:
        super().__init__(sentence, code)


class ModelFailed(KeelbookError):
    """The model gave no usable reply.

    ``kind`` says why; ``retry`` whether the same request may succeed if sent again;
    ``partial`` the text that had arrived when the stream was cut.
    """

    def __init__(
        self, sentence: str, kind: ModelFailure, *, retry: bool = False, partial: str = ""
    ) -> None:
        super().__init__(sentence, f"model-{kind}")
        self.kind = kind
        self.retry = retry
        self.partial = partial


class HostBug(KeelbookError):
    """A broken promise of the host itself."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, "host-bug")
