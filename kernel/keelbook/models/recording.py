"""A recorded session as turns to play again: the requests, the replies, what came back between.

Rules: a recording is a session's JSONL export or a stored session; only events every session has
are read, so a recording made with rows this build lacks still plays. What tools answered is kept
to be compared, never to be handed out again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError

from keelbook.errors import BadConfig, KeelbookError
from keelbook.events import AssistantMessaged, Event, ToolEnded, TurnStarted, UserMessaged
from keelbook.messages import AssistantTurn, text_of
from keelbook.models.document import opened
from keelbook.value import Value

Recorded = Callable[[str], Iterable[Event]]

READ: dict[str, type[Event]] = {
    each.tag: each for each in (TurnStarted, UserMessaged, AssistantMessaged, ToolEnded)
}


class Answered(Value):
    """What a tool answered when the session was recorded; ``tool`` is its name to the model."""

    tool: str
    text: str
    is_error: bool


class RecordedReply(Value):
    """A reply, what a person typed before it, and the answers it was given, in message order."""

    message: AssistantTurn
    cues: tuple[str, ...]
    answers: tuple[Answered, ...]


@dataclass(slots=True)
class RecordedTurn:
    """A turn: the person's request and the replies to it."""

    request: str = ""
    replies: list[RecordedReply] = field(default_factory=list)


def read(given: str, folder: Path, recorded: Recorded | None) -> tuple[RecordedTurn, ...]:
    """The turns of the file or the session ``given``.

    Raises BadConfig for a missing file, an unknown session, a damaged line, a session without a
    turn.
    """
    path = folder / Path(given).expanduser()
    if given.endswith(".jsonl") or path.is_file():
        events = _lines(path, given)
    elif recorded is not None:
        try:
            events = iter(list(recorded(given)))
        except KeelbookError as fault:
            raise BadConfig(f"The recording `{given}` cannot be read: {fault}") from None
    else:
        raise BadConfig(f"There is no recording `{given}`: neither a file nor a stored session.")
    turns = tuple(turn for turn in _turns(events) if turn.replies)
    if not turns:
        raise BadConfig(f"The recording `{given}` holds no turn of an agent.")
    return turns


def _lines(path: Path, given: str) -> Iterator[Event]:
    """The events of an export; lines with other events are passed over."""
    try:
        with opened(path) as lines:
            for number, line in enumerate(lines, 1):
                try:
                    entry = json.loads(line)
                    kind = READ.get(entry["tag"])
                    if kind is not None:
                        yield kind.model_validate(entry["event"])
                except (ValueError, KeyError, TypeError, ValidationError):
                    if line.endswith(b"\n"):
                        raise BadConfig(
                            f"Line {number} of the recording `{given}` is damaged."
                        ) from None
    except OSError as fault:
        reason = fault.strerror or type(fault).__name__
        raise BadConfig(
            f"The recording `{given}` cannot be read: {reason} ({path}).",
        ) from None


def _turns(events: Iterable[Event]) -> Iterator[RecordedTurn]:
    """The turns, in order; what happens outside any is passed over."""
    turn: RecordedTurn | None = None
    cues: list[str] = []
    ended: dict[str, Answered] = {}
    for event in events:
        if isinstance(event, TurnStarted):
            if turn is not None:
                yield turn
            turn, cues, ended = RecordedTurn(), [], {}
        elif turn is None:
            continue
        elif isinstance(event, UserMessaged) and event.message.source == "person":
            words = text_of(event.message.blocks)
            if turn.request or turn.replies:
                cues.append(words)
            else:
                turn.request = words
        elif isinstance(event, ToolEnded):
            ended[event.call] = Answered(event.tool, text_of(event.blocks), event.is_error)
        elif isinstance(event, AssistantMessaged):
            asked = turn.replies[-1].message.calls if turn.replies else ()
            answers = tuple(
                replace(ended[call.id], tool=call.tool) for call in asked if call.id in ended
            )
            turn.replies.append(RecordedReply(event.message, tuple(cues), answers))
            cues, ended = [], {}
    if turn is not None:
        yield turn
