"""The seam between a session and its rows: a row is a frozen record of functions.

Rules: a row module exports ``row(config) -> Row``; a row keeps nothing in a field, its state is a
fold over the log. Seams are wrap-style: a function gets the matter and ``next`` (the rest of the
list) and returns a decision; the first row in the profile's list is the outermost. A row that
raises is recorded (``row/failed``) and handled as ``rows.md`` G6 says; cancellation is never
caught.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, Protocol

from keelbook.ask import Person
from keelbook.config import Config
from keelbook.errors import ToolFailed
from keelbook.events import Event, TurnKind
from keelbook.files import Access
from keelbook.interpreter import Origin
from keelbook.messages import AssistantTurn
from keelbook.model import Price, Request
from keelbook.observer import Observer
from keelbook.record import Json
from keelbook.tool import Result, Tool
from keelbook.value import Value

if TYPE_CHECKING:
    from keelbook.log import Fold, Log


class View(Protocol):
    """What a row may use: the log, what the session is made of, and the model itself.

    A row writes events of its own through ``log`` and nothing else. ``working``: a turn runs.
    ``window``, ``price`` and ``images`` are the model's; ``model_name`` is ``""`` before the first
    turn of a session that has no model.
    """

    @property
    def log(self) -> Log:
        """The session's log."""

    @property
    def tools(self) -> Mapping[str, Tool]:
        """Every tool of the session, by name."""

    @property
    def person(self) -> Person:
        """Whoever may be asked."""

    @property
    def working(self) -> bool:
        """Whether a turn runs."""

    @property
    def model_name(self) -> str:
        """The model of the running or last turn."""

    @property
    def window(self) -> int | None:
        """That model's input room in tokens, None when not known."""

    @property
    def price(self) -> Price | None:
        """What that model costs, None when not known."""

    def render(self) -> Request:
        """The request as the loop would send it now: prefix, surface, no per-step context."""

    async def request(self, request: Request) -> AssistantTurn:
        """Asks the model outside every seam: no row judges or counts it, nothing is written.

        Raises ModelFailed.
        """


class Step(Value):
    """A model request about to be made; its messages are in the log."""

    view: View
    turn: int
    step: int


class Proceed(Value):
    """Go on with the step."""


class EndTurn(Value):
    """End the turn: before a step, instead of a request, or once a call was denied."""

    kind: TurnKind
    reason: str
    sentence: str


StepDecision = Proceed | EndTurn
NextStep = Callable[[Step], Awaitable[StepDecision]]

Reply = AssistantTurn | EndTurn
"""Of a request: the model's words, or that it was not sent and the turn ends. An attempt after the
first that is not sent ends the turn with the failure before it."""
NextRequest = Callable[[Request], Awaitable[Reply]]


class ToolCall(Value):
    """A call about to be judged. ``arguments`` is the validated record, ``raw`` what was given.

    ``siblings`` are the tool names of all calls of the same assistant message, this one included
    (empty for a dispatch). Judging one call is one step with no other judgement in between;
    ``async with call.parked():`` is the one exception, for as long as a person is asked: others are
    judged and run meanwhile. A sibling that ends the turn cancels what is parked.
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
    parked: Callable[[], AbstractAsyncContextManager[None]] = nullcontext


class Ended(Value):
    """The tool ran: its result, or its own failure.

    ``beside`` are a row's events, written in one batch with the ``tool/result``.
    """

    result: Result | ToolFailed
    beside: tuple[Event, ...] = ()


class Denied(Value):
    """The call was not run. ``stops``: a program in a cell ends with it (G7).

    ``ends``: its siblings not yet started are denied too, those running finish, and the turn ends.
    """

    code: str
    sentence: str
    stops: bool = True
    ends: EndTurn | None = None


ToolOutcome = Ended | Denied
NextTool = Callable[[ToolCall], Awaitable[ToolOutcome]]


class Stop(Value):
    """The model stopped by itself; the turn would end."""

    view: View
    turn: int
    step: int
    reply: AssistantTurn


class LetStop(Value):
    """The turn ends. ``sentence`` for the person, if there is something to say."""

    sentence: str = ""


class GoOn(Value):
    """The turn goes on with a message of this row's; the seam fills in whose (``by``)."""

    words: str
    by: str = ""


StopDecision = LetStop | GoOn
NextStop = Callable[[Stop], Awaitable[StopDecision]]
NextFile = Callable[[Access], Awaitable[None]]


class Said(Value):
    """What a command answers: one sentence, and a bundle for a notebook where there is more."""

    sentence: str
    bundle: dict[str, Json] | None = None
    code: str = ""


class Command(Value):
    """Something a person types: ``/todos`` in the panel, ``%todos`` in a cell."""

    name: str
    summary: str
    run: Callable[[str, View], Awaitable[Said]]


Seam = Literal["before_step", "around_request", "around_tool", "before_stop", "on_file"]


class Row(Value):
    """What one row adds to a session; every seam it does not use is None or empty.

    ``on_fault``: what a fault of this row before a step does, ``pass`` it over or ``end`` the turn.
    """

    name: str
    config: Config
    events: tuple[type[Event], ...] = ()
    folds: tuple[Fold[Any], ...] = ()
    section: Callable[[View], str | None] | None = None
    context: Callable[[View], str | None] | None = None
    tools: tuple[Tool, ...] = ()
    commands: tuple[Command, ...] = ()
    before_step: Callable[[Step, NextStep], Awaitable[StepDecision]] | None = None
    around_request: Callable[[Request, View, NextRequest], Awaitable[Reply]] | None = None
    around_tool: Callable[[ToolCall, NextTool], Awaitable[ToolOutcome]] | None = None
    before_stop: Callable[[Stop, NextStop], Awaitable[StopDecision]] | None = None
    on_file: Callable[[Access, View, NextFile], Awaitable[None]] | None = None
    lifespan: Callable[[View], AbstractAsyncContextManager[None]] | None = None
    on_fault: Literal["pass", "end"] = "pass"
