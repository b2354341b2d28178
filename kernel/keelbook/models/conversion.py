"""Between the surface and the library's messages, both ways.

Rules: the same surface gives the same bytes up to its last message, so a provider's cache of the
prefix holds; the per-step context is the end of the last user message and nothing caches it;
neighbouring user texts are one message, because some models' templates allow no two in a row.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pydantic_ai.messages import (
    BinaryContent,
    CachePoint,
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings as LibrarySettings
from pydantic_ai.tools import ToolDefinition

from keelbook.errors import ModelFailed
from keelbook.messages import (
    AssistantTurn,
    Block,
    Call,
    Finish,
    Part,
    Text,
    Thinking,
    ToolAnswer,
    Usage,
    UserTurn,
)
from keelbook.model import Request
from keelbook.models.faults import SENTENCES
from keelbook.models.settings import ModelSettings
from keelbook.record import Json

if TYPE_CHECKING:
    from pydantic_ai.models import Model as Library

NO_PICTURE = "[a picture was left out: this model is set to take none]"
FINISHES: dict[str | None, Finish] = {
    "stop": "stop",
    "tool_call": "calls",
    "length": "length",
    "content_filter": "filtered",
}


def messages(request: Request, library: Library, images: bool) -> list[ModelMessage]:
    """The conversation and the context, as the library takes them."""
    caches = bool(library.profile.get("supports_cache"))
    made: list[ModelMessage] = []
    came: list[UserTurn | ToolAnswer] = []
    names: dict[str, str] = {}
    for message in request.messages:
        if isinstance(message, AssistantTurn):
            made.extend(_said(came, names, images))
            made.append(_replied(message))
            came, names = [], {call.id: call.tool for call in message.calls}
        else:
            came.append(message)
    made.extend(_said(came, names, images, request.context, caches))
    return made


def parameters(request: Request) -> ModelRequestParameters:
    """System prompt and tools: the prefix that stays."""
    tools = [
        ToolDefinition(
            name=tool.name, description=tool.description, parameters_json_schema=tool.parameters
        )
        for tool in request.tools
    ]
    system = [InstructionPart(content=request.system)] if request.system else []
    return ModelRequestParameters(function_tools=tools, instruction_parts=system)


def settings(request: Request, chosen: ModelSettings, library: Library) -> LibrarySettings:
    """What goes with the request; the loop asks again, so nothing below it does."""
    made: dict[str, Any] = {"timeout": chosen.timeout_s, "max_retries": 0}
    limit = min(filter(None, (request.max_tokens, chosen.max_tokens)), default=None)
    optional = {
        "max_tokens": limit,
        "temperature": chosen.temperature,
        "thinking": chosen.thinking,
    }
    made |= {key: value for key, value in optional.items() if value is not None}
    if library.profile.get("supports_cache"):
        made["cache"] = {"messages": not request.context}
    if any(kind.__name__ == "OpenAIResponsesModel" for kind in type(library).__mro__):
        made["openai_store"] = False
    return cast(LibrarySettings, made)


def words(event: object) -> str:
    """The text an event of the stream adds to the reply."""
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def reply(response: ModelResponse, name: str) -> AssistantTurn:
    """The whole reply. Raises ModelFailed for one that is empty or was cut off."""
    parts = tuple(_parts(response.parts))
    finish = FINISHES.get(response.finish_reason, "unknown")
    text = "".join(part.text for part in parts if isinstance(part, Text))
    raw = any(isinstance(part, Call) and isinstance(part.arguments, str) for part in parts)
    told = response.finish_reason is not None and _told_its_end(response)
    if response.state != "complete" or (raw and not told):
        raise ModelFailed(SENTENCES["cut"], "cut", retry=True, partial=text)
    if not parts and finish == "filtered":
        raise ModelFailed(
            f"The content filter of {name} held back the reply; put the request another way.",
            "rejected",
        )
    if not parts:
        raise ModelFailed(SENTENCES["empty"], "empty", retry=True)
    if finish == "stop" and any(isinstance(part, Call) for part in parts):
        finish = "calls"
    return AssistantTurn(
        parts=parts,
        model=name,
        usage=_usage(response),
        finish=finish if told else "unknown",
    )


def _told_its_end(response: ModelResponse) -> bool:
    """Whether the server said how the reply ended; over OpenAI's wire the library may guess it."""
    details = response.provider_details
    return response.provider_name != "openai-compatible" or "finish_reason" in (details or {})


def _said(
    came: Sequence[UserTurn | ToolAnswer],
    names: Mapping[str, str],
    images: bool,
    context: str = "",
    caches: bool = False,
) -> Iterable[ModelRequest]:
    """Results first, then what was said, as one message; none when there is nothing.

    ``names`` are the tools as the model called them, by the call's id.
    """
    parts: list[ModelRequestPart] = [
        ToolReturnPart(
            tool_name=names.get(each.call, each.tool),
            content=_content(each.blocks, images),
            tool_call_id=each.call,
            outcome="failed" if each.is_error else "success",
        )
        for each in came
        if isinstance(each, ToolAnswer)
    ]
    said: list[UserContent] = []
    for each in came:
        if isinstance(each, UserTurn):
            said.extend(_blocks(each.blocks, images))
    if context:
        if caches and (said or parts):
            said.append(CachePoint())
        said.append(context)
    if said:
        texts = [each for each in said if isinstance(each, str)]
        parts.append(UserPromptPart("\n\n".join(texts) if len(texts) == len(said) else said))
    if parts:
        yield ModelRequest(parts=parts)


def _blocks(blocks: Sequence[Block], images: bool) -> list[UserContent]:
    return [
        block.text
        if isinstance(block, Text)
        else BinaryContent(data=base64.b64decode(block.data), media_type=block.media_type)
        if images
        else NO_PICTURE
        for block in blocks
    ]


def _content(blocks: Sequence[Block], images: bool) -> Any:
    """A tool's answer: one text where it can be."""
    made = _blocks(blocks, images)
    texts = [each for each in made if isinstance(each, str)]
    return "\n".join(texts) if len(texts) == len(made) else made


def _replied(message: AssistantTurn) -> ModelResponse:
    """A reply as it was given; a provider's own reasoning goes back to that provider unchanged."""
    parts: list[ModelResponsePart] = []
    for part in message.parts:
        if isinstance(part, Text):
            parts.append(TextPart(content=part.text))
        elif isinstance(part, Call):
            parts.append(
                ToolCallPart(tool_name=part.tool, args=part.arguments, tool_call_id=part.id)
            )
        else:
            parts.append(
                ThinkingPart(
                    content=part.text,
                    id=part.id,
                    signature=part.signature,
                    provider_name=part.provider,
                )
            )
    return ModelResponse(parts=parts, model_name=message.model.partition(":")[2])


def _parts(parts: Iterable[ModelResponsePart]) -> Iterable[Part]:
    for index, part in enumerate(parts):
        if isinstance(part, TextPart) and part.content:
            yield Text(text=part.content)
        elif isinstance(part, ThinkingPart):
            yield Thinking(
                text=part.content,
                id=part.id,
                signature=part.signature,
                provider=part.provider_name,
            )
        elif isinstance(part, ToolCallPart):
            yield Call(
                id=part.tool_call_id or f"c{index}",
                tool=part.tool_name,
                arguments=_arguments(part.args),
            )


def _arguments(given: object) -> dict[str, Json] | str:
    """The object the model wrote, or its text where that is none."""
    if not given:
        return {}
    if not isinstance(given, str):
        return dict(cast(dict[str, Json], given))
    try:
        parsed = json.loads(given)
    except ValueError:
        return given
    return parsed if isinstance(parsed, dict) else given


def _usage(response: ModelResponse) -> Usage | None:
    """Tokens, with cached ones counted apart; None when the provider reported none."""
    used = response.usage
    if not used.input_tokens and not used.output_tokens:
        return None
    cached = used.cache_read_tokens + used.cache_write_tokens
    return Usage(
        input=max(used.input_tokens - cached, 0),
        output=used.output_tokens,
        cache_read=used.cache_read_tokens,
        cache_write=used.cache_write_tokens,
    )
