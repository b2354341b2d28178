"""What a front end and the kernel say to each other: requests, replies and pushes.

Rules: a request is one ``keelbook_request`` message on the control channel and has one
``keelbook_reply``, without busy or idle status; a push is one ``keelbook_event`` message on iopub
with an empty parent. Nothing a client holds is needed to answer it. The types here are the whole
of it: ``labextension/src/wire.ts`` is generated from them, and a test fails when it is stale.
``WIRE_VERSION`` goes up when an old client would misread something.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from keelbook.events import TurnKind
from keelbook.record import Json, Record

WIRE_VERSION = 1
REQUEST = "keelbook_request"
REPLY = "keelbook_reply"
EVENT = "keelbook_event"

Topic = Literal["agent", "todos"]
ErrorCode = Literal["unknown-op", "bad-arguments", "refused", "busy", "failed"]


class WireRequest(Record):
    """Content of ``keelbook_request``. ``id`` comes back in the reply; ``op`` is a key of OPS."""

    id: str
    op: str
    args: dict[str, Json] = Field(default_factory=dict)
    boot_id: str | None = None


class WireError(Record):
    """Why nothing happened: a code of a closed set and a sentence for the person."""

    code: ErrorCode
    sentence: str


class WireReply(Record):
    """Content of ``keelbook_reply``: a result or an error, and where the pushes stand."""

    id: str
    ok: bool
    boot_id: str
    seq: int
    wire: int = WIRE_VERSION
    result: Json = None
    error: WireError | None = None


class WireEvent(Record):
    """Content of ``keelbook_event``: these topics changed. ``seq`` counts pushes without gaps.

    A new ``boot_id`` means another kernel process: everything is to be fetched again.
    """

    boot_id: str
    seq: int
    topics: tuple[Topic, ...]
    wire: int = WIRE_VERSION


class AgentState(Record):
    """Topic ``agent``: what the agent is doing.

    ``idle``: no turn yet. ``working``: step ``step`` of turn ``turn``. ``waiting``: for the person.
    ``ended``: the last turn ended as ``kind`` says, for ``reason``; ``sentence`` is for the person.
    ``queued`` counts messages to be read at the next step.
    """

    state: Literal["idle", "working", "waiting", "ended"]
    model: str = ""
    profile: str = ""
    session: str = ""
    turn: int = 0
    step: int = 0
    kind: TurnKind | None = None
    reason: str = ""
    sentence: str = ""
    queued: int = 0


class PlanItem(Record):
    """One item of the plan.

    ``waits_for``: the prerequisites not completed yet. ``worked``: ids of the calls that did the
    work. ``unevidenced``: completed with none.
    """

    content: str
    status: Literal["pending", "in_progress", "completed"]
    waits_for: tuple[str, ...] = ()
    worked: tuple[str, ...] = ()
    unevidenced: bool = False
    source: str = ""


class Plan(Record):
    """Topic ``todos``. ``available`` is false where the profile has the row off."""

    available: bool
    items: tuple[PlanItem, ...] = ()
    summary: str = ""


class StateGet(Record):
    """Args of ``state.get``: which topics; none means all."""

    topics: tuple[Topic, ...] = ()


class State(Record):
    """Result of ``state.get``: the topics asked for, the others are null."""

    agent: AgentState | None = None
    todos: Plan | None = None


class TurnAsk(Record):
    """Args of ``turn.ask``."""

    text: Annotated[str, Field(min_length=1, max_length=100_000)]


class TurnAsked(Record):
    """Result of ``turn.ask``. ``steered``: a turn was running, it reads this at its next step."""

    turn: int
    steered: bool


class TurnCancel(Record):
    """Args of ``turn.cancel``."""


class TurnCancelled(Record):
    """Result of ``turn.cancel``. ``cancelled`` is false when no turn was running."""

    cancelled: bool


class TodosGet(Record):
    """Args of ``todos.get``."""


class RowsGet(Record):
    """Args of ``rows.get``."""


class RowInfo(Record):
    """One row of the profile: where it sits, what it brings, whether it does nothing here."""

    name: str
    seams: tuple[str, ...]
    tools: tuple[str, ...]
    commands: tuple[str, ...]
    inert: bool


class RowTable(Record):
    """Result of ``rows.get``: outermost first."""

    profile: str
    rows: tuple[RowInfo, ...]


class SessionList(Record):
    """Args of ``session.list``."""

    cursor: Annotated[int, Field(ge=0)] = 0
    size: Annotated[int, Field(ge=1, le=200)] = 50


class SessionInfo(Record):
    """A session on this machine; times are seconds since 1970. ``current``: this kernel's."""

    session: str
    origin: str
    created: float
    active: float
    current: bool


class SessionPage(Record):
    """Result of ``session.list``, the most recently active first. ``next`` is null at the end."""

    sessions: tuple[SessionInfo, ...]
    total: int
    next: int | None


class SessionEvents(Record):
    """Args of ``session.events``: the newest ``size`` with a ``seq`` below ``before`` (0: all).

    ``tags`` names the event types wanted; none means all.
    """

    before: Annotated[int, Field(ge=0)] = 0
    size: Annotated[int, Field(ge=1, le=500)] = 100
    tags: tuple[str, ...] = ()


class EventInfo(Record):
    """An event of the log; ``at`` is seconds since 1970, ``data`` its fields, long texts cut."""

    seq: int
    at: float
    tag: str
    data: dict[str, Json]


class EventPage(Record):
    """Result of ``session.events``, newest first. ``next`` is null at the end."""

    events: tuple[EventInfo, ...]
    total: int
    next: int | None


class VariablesList(Record):
    """Args of ``variables.list``: those whose names start with ``prefix``."""

    prefix: str = ""
    cursor: Annotated[int, Field(ge=0)] = 0
    size: Annotated[int, Field(ge=1, le=500)] = 100


class VariableInfo(Record):
    """A variable: nothing of the user's ran to describe it."""

    name: str
    type: str
    size: str
    preview: str


class VariablePage(Record):
    """Result of ``variables.list``. ``next`` is null at the end."""

    variables: tuple[VariableInfo, ...]
    total: int
    next: int | None


OPS: dict[str, tuple[type[Record], type[Record]]] = {
    "state.get": (StateGet, State),
    "turn.ask": (TurnAsk, TurnAsked),
    "turn.cancel": (TurnCancel, TurnCancelled),
    "todos.get": (TodosGet, Plan),
    "rows.get": (RowsGet, RowTable),
    "session.list": (SessionList, SessionPage),
    "session.events": (SessionEvents, EventPage),
    "variables.list": (VariablesList, VariablePage),
}
"""Every op with its args and its result."""

ENVELOPES: tuple[type[Record], ...] = (WireRequest, WireReply, WireEvent)
