"""The script of a scripted session: its YAML form, and every error in it at once.

Rules: extra keys are refused; an error names the file, the line and the reply it is in; a reply
holds what a model would say and nothing of what the tools answer, because they really run.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from keelbook.config import Config, Loc, sentences
from keelbook.errors import BadConfig, ModelFailure
from keelbook.messages import Finish
from keelbook.models.document import opened
from keelbook.models.yaml_lines import Lines, parse
from keelbook.record import Json
from keelbook.text import count

MOST_BYTES = 4_000_000
"""A script is read whole; a larger file is not one."""


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Texts = Annotated[list[str], BeforeValidator(_listed)]


class ScriptedCall(Config):
    """One tool call.

    Written ``- python: |`` with a text (the tool's first required argument) or a table of
    arguments; or in full with ``tool`` and ``arguments``, where a text is sent as it stands, to
    rehearse a model whose arguments are no JSON object.
    """

    tool: str
    arguments: dict[str, Json] | str = Field(default_factory=dict)
    short: bool = False

    @model_validator(mode="before")
    @classmethod
    def _in_full(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError("Expected a tool with its arguments, as in `- python: print(1)`.")
        if "tool" in value:
            full = {"arguments": {}, **value, "short": False}
        elif len(value) == 1:
            ((tool, arguments),) = value.items()
            arguments = {} if arguments is None else arguments
            full = {"tool": tool, "arguments": arguments, "short": isinstance(arguments, str)}
        else:
            raise ValueError(f"Expected one tool, got {len(value)}; begin each call with a dash.")
        if not isinstance(full["arguments"], str | dict):
            raise ValueError(f"The arguments of `{full['tool']}` must be a text or a table.")
        return full


class ScriptedUsage(Config):
    """Tokens to report for a reply; without it they are estimated from the texts."""

    input: int = Field(default=0, ge=0)
    output: int = Field(default=0, ge=0)
    cache_read: int = Field(default=0, ge=0)
    cache_write: int = Field(default=0, ge=0)


class ScriptedError(Config):
    """A failure to rehearse. After ``times`` failures of its kind the reply itself comes, if any.

    ``partial`` is the text that arrives before the failure.
    """

    kind: ModelFailure
    sentence: str = ""
    partial: str = ""
    times: int = Field(default=1, ge=1)


class ScriptedReply(Config):
    """One reply. ``person`` is typed before it, ``expect`` must be in what came back before it."""

    person: Texts = Field(default_factory=list)
    expect: Texts = Field(default_factory=list)
    error: ScriptedError | None = None
    thinking: str = ""
    text: str = ""
    chunks: list[str] = Field(default_factory=list)
    calls: list[ScriptedCall] = Field(default_factory=list)
    usage: ScriptedUsage | None = None
    finish: Finish | None = None

    @model_validator(mode="after")
    def _says_something(self) -> ScriptedReply:
        if self.text and self.chunks:
            raise ValueError("A reply has `text` or `chunks`, not both.")
        if not (self.text or self.chunks or self.calls or self.error or self.thinking):
            raise ValueError("A reply needs `text`, `calls` or `error`.")
        return self

    @property
    def empty(self) -> bool:
        """Whether there is nothing to say after the error."""
        return not (self.text or self.chunks or self.calls or self.thinking)


class ScriptedTurn(Config):
    """One turn. ``request`` is a text the person's request must hold; without it any will do."""

    request: str | None = Field(default=None, min_length=1)
    replies: list[ScriptedReply] = Field(min_length=1)

    @model_validator(mode="after")
    def _begins_with_the_request(self) -> ScriptedTurn:
        if self.replies[0].person:
            raise ValueError("`person` speaks after a first reply; `request` is what begins it.")
        return self


class Script(Config):
    """A whole script. ``pace_s`` is the pause between the words of a reply, in seconds."""

    about: str = ""
    pace_s: float = Field(default=0, ge=0, le=10)
    turns: list[ScriptedTurn] = Field(min_length=1)


def load(path: Path, given: str) -> Script:
    """The script at ``path``; ``given`` is the name a person used for it.

    Raises BadConfig with a sentence for every error in the file.
    """
    try:
        with opened(path) as file:
            data = file.read(MOST_BYTES + 1)
            size = os.fstat(file.fileno()).st_size
    except OSError as fault:
        reason = fault.strerror or type(fault).__name__
        raise BadConfig(f"The script `{given}` cannot be read: {reason} ({path}).") from None
    if len(data) > MOST_BYTES:
        raise BadConfig(f"The script `{given}` is {count(size, 'byte')}, too large for one.")
    return parse_script(data, given)


def parse_script(data: bytes, given: str) -> Script:
    """The script in ``data``. Raises BadConfig with a sentence for every error in it."""
    tree, lines = parse(data, given)
    if not isinstance(tree, dict):
        raise BadConfig(f"The script `{given}` must be a table with `turns`.")
    try:
        return Script.model_validate_json(json.dumps(tree), strict=True)
    except ValidationError as error:
        found = sentences(error, "", Script, lambda loc: _place(loc, lines, given))
        raise BadConfig("\n".join(found), sentences=found) from None


_COUNTED = {"turns": "turn", "replies": "reply", "calls": "call"}


def _place(loc: Loc, lines: Lines, given: str) -> str:
    """``lesson.yaml, line 12, turn 1, reply 3, calls``."""
    words = [given, f"line {lines.at(loc)}"]
    for index, part in enumerate(loc):
        if isinstance(part, int):
            words.append(f"{_COUNTED.get(str(loc[index - 1]), 'item')} {part + 1}")
        elif not (part in _COUNTED and index + 1 < len(loc)):
            words.append(part)
    return ", ".join(words)
