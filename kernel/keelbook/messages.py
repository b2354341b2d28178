"""What a model is told and what it answers: the values on the surface.

Rules: no provider's wire format appears here (``models/`` converts); a tool call's id is given by
the harness (``t<turn>s<step>c<index>``), so that it is unique in a session and the same on every
run of a scripted session.
"""

from typing import Annotated, Literal

from pydantic import Field

from keelbook.record import Json, Record


class Text(Record):
    """Plain text, markdown where a person reads it."""

    kind: Literal["text"] = "text"
    text: str


class Image(Record):
    """A picture for a model that takes them; ``data`` is base64."""

    kind: Literal["image"] = "image"
    media_type: str
    data: str


class Thinking(Record):
    """A provider's reasoning, kept because some must get it back unchanged; never a result."""

    kind: Literal["thinking"] = "thinking"
    text: str
    id: str | None = None
    signature: str | None = None
    provider: str | None = None


class Call(Record):
    """A tool call the model asked for. ``arguments`` is the object, or the text if it was none."""

    kind: Literal["call"] = "call"
    id: str
    tool: str
    arguments: dict[str, Json] | str


Block = Annotated[Text | Image, Field(discriminator="kind")]
Part = Annotated[Text | Thinking | Call, Field(discriminator="kind")]


class Usage(Record):
    """Tokens of one model request. ``estimated``: counted by us, four characters a token."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    estimated: bool = False

    @property
    def total(self) -> int:
        """All tokens, cached ones included."""
        return self.input + self.output + self.cache_read + self.cache_write


Finish = Literal["stop", "calls", "length", "filtered", "unknown"]


class UserTurn(Record):
    """Words to the model. ``source``: ``person``, or the name of the row that wrote them."""

    role: Literal["user"] = "user"
    blocks: tuple[Block, ...]
    source: str = "person"


class AssistantTurn(Record):
    """One reply of the model, whole."""

    role: Literal["assistant"] = "assistant"
    parts: tuple[Part, ...]
    model: str
    usage: Usage | None = None
    finish: Finish = "unknown"

    @property
    def text(self) -> str:
        """The reply's words, without thinking and calls."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[Call, ...]:
        """The tool calls, in message order."""
        return tuple(part for part in self.parts if isinstance(part, Call))


class ToolAnswer(Record):
    """The answer to one call."""

    role: Literal["tool"] = "tool"
    call: str
    tool: str
    blocks: tuple[Block, ...]
    is_error: bool = False


Message = Annotated[UserTurn | AssistantTurn | ToolAnswer, Field(discriminator="role")]


def text_of(blocks: tuple[Text | Image, ...]) -> str:
    """The text blocks joined by line breaks; pictures are left out."""
    return "\n".join(block.text for block in blocks if isinstance(block, Text))
