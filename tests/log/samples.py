"""Small events and the archive they are put in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from keelbook.archive import Archive
from keelbook.events import (
    AssistantMessaged,
    Event,
    Logged,
    SurfaceReplaced,
    ToolEnded,
    TurnEnded,
    TurnStarted,
    UserMessaged,
    Vocabulary,
)
from keelbook.fold import Fold
from keelbook.messages import AssistantTurn, Call, Message, Part, Text, UserTurn


class Counted(Event):
    """A row's event that carries a number."""

    tag: ClassVar[str] = "sample/counted"
    number: int
    note: str = ""


class Hinted(Event):
    """A row's event that other builds may pass over."""

    tag: ClassVar[str] = "sample/hinted"
    ignorable: ClassVar[bool] = True
    hint: str = ""


VOCABULARY = Vocabulary((Counted, Hinted))


def archive_in(folder: Path, vocabulary: Vocabulary = VOCABULARY) -> Archive:
    """An archive of its own under ``folder``."""
    return Archive(vocabulary, folder / "sessions")


def total_of(state: int, logged: Logged) -> int:
    """Adds up what was counted."""
    return state + logged.event.number if isinstance(logged.event, Counted) else state


TOTAL: Fold[int] = Fold(
    name="total", initial=int, step=total_of, state=int, tags=frozenset({Counted.tag})
)


def counting(steps: list[int]) -> Fold[int]:
    """``TOTAL``, noting each event it is given."""

    def step(state: int, logged: Logged) -> int:
        steps.append(logged.seq)
        return total_of(state, logged)

    return replace(TOTAL, step=step)


def asked(text: str) -> UserMessaged:
    """A person's words."""
    return UserMessaged(message=UserTurn(blocks=(Text(text=text),)), by="cell")


def words(text: str, source: str = "person") -> UserTurn:
    """The message alone."""
    return UserTurn(blocks=(Text(text=text),), source=source)


def reply(text: str = "", calls: tuple[str, ...] = (), step: int = 1) -> AssistantMessaged:
    """A model's reply that makes these calls."""
    parts: tuple[Part, ...] = (
        Text(text=text),
        *(Call(id=c, tool="read", arguments={"path": c}) for c in calls),
    )
    return AssistantMessaged(
        turn=1, step=step, message=AssistantTurn(parts=parts, model="scripted")
    )


def answer(call: str, text: str = "", parent: str = "") -> ToolEnded:
    """A tool's result."""
    blocks = (Text(text=text or f"result of {call}"),)
    return ToolEnded(call=call, tool="read", blocks=blocks, parent=parent)


def replaced(cites: tuple[str, ...], *nodes: Message) -> SurfaceReplaced:
    """A row's replacement."""
    return SurfaceReplaced(by="sample", cites=cites, nodes=nodes)


def turn_start(turn: int = 1) -> TurnStarted:
    """A turn begins."""
    return TurnStarted(turn=turn, model="scripted")


def turn_end(turn: int = 1) -> TurnEnded:
    """That turn ends."""
    return TurnEnded(turn=turn, kind="done")
