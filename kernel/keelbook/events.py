"""The events of a session's log: who writes each, when, and what it is not.

Rules: an event is a fact, named in the past tense and tagged ``noun/verb``; it is written once and
never changed. An intent (``tool/start``) is written before its side effect starts. A reader that
meets a tag it does not know refuses the log, unless the event was written as ``ignorable``. Rows
add events of their own; ``Vocabulary`` is the closed set one build understands.
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal

from keelbook.errors import HostBug
from keelbook.messages import AssistantTurn, Block, Message, UserTurn
from keelbook.record import Json, Record
from keelbook.value import Value


class Event(Record):
    """A fact in the log. ``ignorable``: a build that does not know the tag may pass over it."""

    tag: ClassVar[str]
    ignorable: ClassVar[bool] = False


class Logged(Value):
    """An event in its place: ``seq`` counts from 1 without gaps, ``at`` is seconds since 1970."""

    seq: int
    at: float
    event: Event


class SessionCreated(Event):
    """First event of every log, by the session. ``origin``: the notebook's path or ``""``."""

    tag: ClassVar[str] = "session/created"
    session: str
    version: str
    origin: str = ""
    workspace: str = ""


class SessionOpened(Event):
    """By the session, each time a writer takes the log. Not written by readers."""

    tag: ClassVar[str] = "session/opened"
    ignorable: ClassVar[bool] = True
    version: str
    kernel: int


class SessionForked(Event):
    """First event after a copied prefix: the log it came from and the last seq it shares."""

    tag: ClassVar[str] = "session/forked"
    source: str
    at: int
    session: str


class PromptSet(Event):
    """By the loop, when the cached prefix (system prompt and tool schemas) is new or changed."""

    tag: ClassVar[str] = "prompt/set"
    system: str
    tools: tuple[Json, ...]


class TurnStarted(Event):
    """By the loop. A turn runs from a person's request to the model's last word.

    ``turn`` counts from 1 in the session. The request itself is the ``user/message`` after it.
    """

    tag: ClassVar[str] = "turn/start"
    turn: int
    model: str


TurnKind = Literal["done", "aborted", "limited", "failed"]


class TurnEnded(Event):
    """By the loop, exactly once per turn. ``reason``: a code; ``sentence``: for the person."""

    tag: ClassVar[str] = "turn/end"
    turn: int
    kind: TurnKind
    reason: str = ""
    sentence: str = ""
    steps: int = 0


class StepStarted(Event):
    """By the loop, before a model request. ``context`` is sent after the conversation, uncached."""

    tag: ClassVar[str] = "step/start"
    turn: int
    step: int
    context: str = ""


class StepRetried(Event):
    """By the loop, before the same request is sent again. Not a new step."""

    tag: ClassVar[str] = "step/retry"
    turn: int
    step: int
    attempt: int
    code: str


class UserPosted(Event):
    """By the session: a person wrote while a turn ran. The model has not been told yet."""

    tag: ClassVar[str] = "user/posted"
    words: str
    by: str = ""


class UserMessaged(Event):
    """Words to the model: a person's request or steering, or a row's (``message.source``).

    ``by`` says how a person's words came: ``cell``, ``panel``, ``terminal`` or ``script``.
    ``posted`` is the seq of the ``user/posted`` this delivers, 0 when there was none.
    """

    tag: ClassVar[str] = "user/message"
    message: UserTurn
    by: str = ""
    posted: int = 0


class AssistantMessaged(Event):
    """By the loop, when a reply is complete. A reply that was cut off is not written."""

    tag: ClassVar[str] = "assistant/message"
    turn: int
    step: int
    message: AssistantTurn


class ToolStarted(Event):
    """By the tool pipeline, after every judgement and before the side effect.

    ``parent`` names the call (agent) or the run (person's cell) whose code made the call; empty
    when the model asked for it itself.
    """

    tag: ClassVar[str] = "tool/start"
    call: str
    tool: str
    arguments: Json
    origin: Literal["agent", "person", "probe"]
    parent: str = ""


class ToolEnded(Event):
    """By the tool pipeline, exactly once per call, started or refused.

    On the surface only when ``parent`` is empty. ``code`` says why it is an error.
    """

    tag: ClassVar[str] = "tool/result"
    call: str
    tool: str
    blocks: tuple[Block, ...]
    is_error: bool = False
    code: str = ""
    parent: str = ""


class CellStarted(Event):
    """By the session, before a cell's code is sent to the guest. Not written for probes."""

    tag: ClassVar[str] = "cell/start"
    run: str
    origin: Literal["person", "agent"]
    code: str
    number: int | None = None
    call: str = ""


class CellEnded(Event):
    """By the session, once a run is settled. ``value`` and ``error`` are bounded texts."""

    tag: ClassVar[str] = "cell/end"
    run: str
    status: Literal["ok", "error", "aborted", "stopped", "died"]
    reason: str = ""
    value: str = ""
    error: str = ""
    cpu_s: float = 0.0
    wall_s: float = 0.0


class InputTyped(Event):
    """By the kernel: what a person typed, where that is not the code of the cell it became.

    Written before the ``cell/start`` of the same ``number``; an ``%%agent`` cell or a command has
    none. It is what the input history shows.
    """

    tag: ClassVar[str] = "input/typed"
    ignorable: ClassVar[bool] = True
    number: int
    source: str


class GuestStarted(Event):
    """By the session, when a guest answered its boot. ``revived``: it replaces a dead one."""

    tag: ClassVar[str] = "guest/started"
    ignorable: ClassVar[bool] = True
    python: str
    executable: str
    confinement: str = ""
    revived: bool = False


class GuestEnded(Event):
    """By the session, when a guest is gone. ``sentence`` says how, for the person."""

    tag: ClassVar[str] = "guest/ended"
    ignorable: ClassVar[bool] = True
    sentence: str
    expected: bool = False


class CommandRun(Event):
    """By the session: a person typed a command (``/todos`` or its magic)."""

    tag: ClassVar[str] = "command/run"
    name: str
    arguments: str = ""


class CommandDone(Event):
    """By the session, after ``command/run``: what the person was told."""

    tag: ClassVar[str] = "command/done"
    name: str
    sentence: str = ""
    code: str = ""


class NodeRef(Record):
    """A node that once stood on the surface, put back by an undo. ``node`` is its id."""

    node: str


class SurfaceReplaced(Event):
    """By a row: the nodes ``cites`` leave the surface, ``nodes`` stand in the first one's place.

    The originals stay in the log. ``by`` is the row's name.
    """

    tag: ClassVar[str] = "surface/replace"
    by: str
    cites: tuple[str, ...]
    nodes: tuple[Message | NodeRef, ...]


class RowFailed(Event):
    """By a seam: a row raised. ``seam`` says where; ``sentence`` what; policy decides what next."""

    tag: ClassVar[str] = "row/failed"
    ignorable: ClassVar[bool] = True
    row: str
    seam: str
    sentence: str


CORE_EVENTS: tuple[type[Event], ...] = (
    SessionCreated, SessionOpened, SessionForked, PromptSet, TurnStarted, TurnEnded, StepStarted,
    StepRetried, UserPosted, UserMessaged, AssistantMessaged, ToolStarted, ToolEnded, CellStarted,
    CellEnded, InputTyped, GuestStarted, GuestEnded, CommandRun, CommandDone, SurfaceReplaced,
    RowFailed,
)  # fmt: skip


class Vocabulary:
    """The event types one build understands, by tag."""

    def __init__(self, *added: Iterable[type[Event]]) -> None:
        types: dict[str, type[Event]] = {}
        for event in (*CORE_EVENTS, *(each for group in added for each in group)):
            if types.setdefault(event.tag, event) is not event:
                raise HostBug(f"Two event types are tagged `{event.tag}`.")
        self.types: Mapping[str, type[Event]] = types

    def decode(self, tag: str, data: str | bytes) -> Event | None:
        """The event, or None when the tag is not known. Raises pydantic's ValidationError."""
        found = self.types.get(tag)
        return None if found is None else found.model_validate_json(data)

    def __contains__(self, tag: Any) -> bool:
        return tag in self.types
