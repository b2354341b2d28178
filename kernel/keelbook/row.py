"""The seam between a session and its rows: a row is a frozen record of functions.

Rules: a row module exports ``row(config) -> Row``; a row keeps nothing in a field, its state is a
fold over the log. Seams are wrap-style: a function gets the matter and ``next`` (the rest of the
list) and returns a decision; the first row in the profile's list is the outermost. A row that
raises is recorded (``row/failed``) and handled as ``rows.md`` G6 says; cancellation is never caught.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from keelbook.config import Config
from keelbook.errors import ToolFailed
from keelbook.events import Event, TurnKind
from keelbook.files import Access
from keelbook.interpreter import Origin
from keelbook.messages import AssistantTurn
from keelbook.model import Request
from keelbook.observer import Observer
from keelbook.record import Json
from keelbook.tool import Result, Tool

if TYPE_CHECKING:
    from keelbook.log import Fold, Log


class View(Protocol):
    """What a row may look at: the log and what the session is made of. It changes nothing."""

    log: Log
    tools: dict[str, Tool]
    model_name: str
    window: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """A model request about to be made; its messages are in the log."""

    view: View
    turn: int
    step: int


@dataclass(frozen=True, slots=True)
class Proceed:
    """Go on with the step."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the turn before the step."""

    kind: TurnKind
    reason: str
    sentence: str


StepDecision = Proceed | EndTurn
NextStep = Callable[[Step], Awaitable[StepDecision]]

NextRequest = Callable[[Request], Awaitable[AssistantTurn]]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call about to be judged. ``arguments`` is the validated record, ``raw`` what was given.

    ``siblings`` are the tool names of all calls of the same assistant message, this one included
    (empty for a dispatch).
    """

    view: View
    id: str
    tool: Tool
    arguments: Any
    raw: Json
    origin: Origin
    observer: Observer
    parent: str = ""
    turn: int = 0
    siblings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """The tool ran: its result, or its own failure."""

    result: Result | ToolFailed


@dataclass(frozen=True, slots=True)
class Denied:
    """The call was not run. ``stops``: a program in a cell ends with it (G7)."""

    code: str
    sentence: str
    stops: bool = True


ToolOutcome = Ended | Denied
NextTool = Callable[[ToolCall], Awaitable[ToolOutcome]]


@dataclass(frozen=True, slots=True)
class Stop:
    """The model stopped by itself; the turn would end."""

    view: View
    turn: int
    step: int
    reply: AssistantTurn


@dataclass(frozen=True, slots=True)
class LetStop:
    """The turn ends. ``sentence`` for the person, if there is something to say."""

    sentence: str = ""


@dataclass(frozen=True, slots=True)
class GoOn:
    """The turn goes on with a message of this row's."""

    words: str


StopDecision = LetStop | GoOn
NextStop = Callable[[Stop], Awaitable[StopDecision]]
NextFile = Callable[[Access], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Said:
    """What a command answers: one sentence, and a bundle for a notebook where there is more."""

    sentence: str
    bundle: dict[str, Json] | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """Something a person types: ``/todos`` in the panel, ``%todos`` in a cell."""

    name: str
    summary: str
    run: Callable[[str, View], Awaitable[Said]]


Seam = Literal["before_step", "around_request", "around_tool", "before_stop", "on_file"]


@dataclass(frozen=True, slots=True)
class Row:
    """What one row adds to a session; every seam it does not use is None or empty."""

    name: str
    config: Config
    events: tuple[type[Event], ...] = ()
    folds: tuple[Fold[Any], ...] = ()
    section: Callable[[View], str | None] | None = None
    context: Callable[[View], str | None] | None = None
    tools: tuple[Tool, ...] = ()
    commands: tuple[Command, ...] = ()
    before_step: Callable[[Step, NextStep], Awaitable[StepDecision]] | None = None
    around_request: Callable[[Request, View, NextRequest], Awaitable[AssistantTurn]] | None = None
    around_tool: Callable[[ToolCall, NextTool], Awaitable[ToolOutcome]] | None = None
    before_stop: Callable[[Stop, NextStop], Awaitable[StopDecision]] | None = None
    on_file: Callable[[Access, View, NextFile], Awaitable[None]] | None = None
    lifespan: Callable[[View], AbstractAsyncContextManager[None]] | None = None
