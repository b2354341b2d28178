"""Events of a session as lines for a terminal.

Rules: text of models and cells is shown without the control characters a terminal would obey; a
long one is cut, and says so. What no line is made for is named by its tag.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from keelbook.events import (
    AssistantMessaged,
    CellEnded,
    CellStarted,
    Event,
    GuestEnded,
    GuestStarted,
    Logged,
    PromptSet,
    SessionCreated,
    SessionOpened,
    StepRetried,
    StepStarted,
    ToolEnded,
    ToolStarted,
    TurnEnded,
    TurnStarted,
    UserMessaged,
    UserPosted,
)
from keelbook.messages import text_of
from keelbook.text import count

LONGEST = 2000
LINES = 12

_CONTROL = {code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def safe(text: str) -> str:
    """``text`` without characters that move a cursor, change a title or ring a bell."""
    return text.translate(_CONTROL)


def told(logged: Logged) -> Iterator[str]:
    """The lines of one event; none for what a reader of a session does not miss."""
    yield from _lines(logged.event)


@singledispatch
def _lines(event: Event) -> Iterator[str]:
    yield f"  ({event.tag} {_brief(event.model_dump(mode='json', by_alias=True))})"


@_lines.register(SessionCreated)
@_lines.register(SessionOpened)
@_lines.register(PromptSet)
@_lines.register(StepStarted)
@_lines.register(UserPosted)
def _unsaid(event: Event) -> Iterator[str]:
    yield from ()


@_lines.register
def _turn_started(event: TurnStarted) -> Iterator[str]:
    yield f"--- Turn {event.turn}, {safe(event.model)}"


@_lines.register
def _turn_ended(event: TurnEnded) -> Iterator[str]:
    yield f"--- {ended(event)}"


@_lines.register
def _user(event: UserMessaged) -> Iterator[str]:
    who = "You" if event.message.source == "person" else event.message.source
    yield from _said(who, text_of(event.message.blocks))


@_lines.register
def _assistant(event: AssistantMessaged) -> Iterator[str]:
    if event.message.text.strip():
        yield from _said("Agent", event.message.text)


@_lines.register
def _tool_started(event: ToolStarted) -> Iterator[str]:
    yield called(event)


@_lines.register
def _tool_ended(event: ToolEnded) -> Iterator[str]:
    yield from answered(event)


@_lines.register
def _cell_started(event: CellStarted) -> Iterator[str]:
    if event.origin == "person":
        yield from _said(f"In [{event.number or ' '}]", event.code)


@_lines.register
def _cell_ended(event: CellEnded) -> Iterator[str]:
    if event.status != "ok":
        yield f"  {event.status} {safe(event.error or event.reason).strip()}"
    elif event.value:
        yield from _indented(event.value, "  ")


@_lines.register
def _retried(event: StepRetried) -> Iterator[str]:
    yield f"  The request is sent again ({event.code})."


@_lines.register
def _guest_started(event: GuestStarted) -> Iterator[str]:
    again = " again" if event.revived else ""
    yield f"  The guest started{again}: Python {safe(event.python)}."


@_lines.register
def _guest_ended(event: GuestEnded) -> Iterator[str]:
    yield f"  {safe(event.sentence)}"


def called(event: ToolStarted) -> str:
    """One line for a call that begins."""
    inner = "  " if event.parent else ""
    return f"  {inner}> {event.tool} {_brief(event.arguments)}"


def answered(event: ToolEnded) -> Iterator[str]:
    """The lines of a call's answer."""
    inner = "      " if event.parent else "    "
    text = text_of(event.blocks)
    if event.is_error:
        yield f"{inner}{event.code or 'failed'}: {safe(text).strip().partition(chr(10))[0]}"
    elif not event.parent:
        yield from _indented(text, inner)


def ended(event: TurnEnded) -> str:
    """How a turn ended."""
    sentence = f": {safe(event.sentence)}" if event.sentence else "."
    return f"Turn {event.turn} {event.kind} after {count(event.steps, 'step')}{sentence}"


def _said(who: str, text: str) -> Iterator[str]:
    first, *rest = safe(text).strip().split("\n")
    yield f"{safe(who)}: {first}"
    yield from rest


def _indented(text: str, inner: str) -> Iterator[str]:
    lines = safe(text[:LONGEST]).strip("\n").split("\n")
    yield from (f"{inner}{line}" for line in lines[:LINES] if line or len(lines) > 1)
    left = len(text) - LONGEST
    if len(lines) > LINES or left > 0:
        yield f"{inner}[...]"


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return safe(text if len(text) <= 100 else text[:97] + "...")
