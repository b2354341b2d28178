"""The surface: what the model sees, as an ordered view over the log.

Rules: the view holds node ids only (``<seq>.<i>``: the i-th message of event seq), so it stays as
small as what is on it; the messages are read from the log, replaced ones too, so every replacement
can be undone. A call's result stands behind its assistant message in call order, whatever the order
of arrival. A replacement may only cite what stands on the surface (``check`` before the append).

Pairing: a model is sent every call with its answer and no answer without its call. A session that
resumes answers calls that a crash left open (``unanswered``) with logged ``tool/result`` events;
for those that nobody answered, and only for those, ``messages`` puts ``INTERRUPTED`` in place.
"""

from collections import defaultdict
from collections.abc import Sequence

from keelbook.errors import Refused
from keelbook.events import (
    AssistantMessaged,
    Logged,
    NodeRef,
    SurfaceReplaced,
    ToolEnded,
    UserMessaged,
)
from keelbook.fold import Fold
from keelbook.log import Log
from keelbook.messages import AssistantTurn, Call, Message, Text, ToolAnswer
from keelbook.record import Record
from keelbook.value import Value

INTERRUPTED = "This call was interrupted before it gave a result."


class Node(Value):
    """One message on the surface and the event it stands in."""

    id: str
    seq: int
    message: Message


class Waiting(Record):
    """An assistant message some of whose calls are unanswered; ``answers``: (call, node)."""

    node: str
    calls: tuple[str, ...]
    answers: tuple[tuple[str, str], ...] = ()

    @property
    def open(self) -> tuple[str, ...]:
        """The calls without a result, in message order."""
        answered = {call for call, _ in self.answers}
        return tuple(call for call in self.calls if call not in answered)


class Surface(Record):
    """The fold's state: the nodes in order, and the messages that wait for results."""

    order: tuple[str, ...] = ()
    waiting: tuple[Waiting, ...] = ()


# ---------------------------------------------------------------- the fold


def _step(surface: Surface, logged: Logged) -> Surface:
    event = logged.event
    if isinstance(event, UserMessaged):
        return _appended(surface, f"{logged.seq}.0")
    if isinstance(event, AssistantMessaged):
        return _awaiting(_appended(surface, f"{logged.seq}.0"), f"{logged.seq}.0", event.message)
    if isinstance(event, ToolEnded) and not event.parent:
        return _answered(surface, f"{logged.seq}.0", event.call)
    if isinstance(event, SurfaceReplaced):
        return _replaced(surface, logged.seq, event)
    return surface


FOLD: Fold[Surface] = Fold(
    name="surface",
    initial=Surface,
    step=_step,
    state=Surface,
    tags=frozenset({"user/message", "assistant/message", "tool/result", "surface/replace"}),
)


def _appended(surface: Surface, node: str) -> Surface:
    return Surface(order=(*surface.order, node), waiting=surface.waiting)


def _awaiting(surface: Surface, node: str, message: AssistantTurn) -> Surface:
    calls = tuple(call.id for call in message.calls)
    if not calls:
        return surface
    return Surface(order=surface.order, waiting=(*surface.waiting, Waiting(node=node, calls=calls)))


def _answered(surface: Surface, node: str, call: str) -> Surface:
    """The result behind its assistant message and its elder siblings; without one, at the end."""
    waiting = next((each for each in reversed(surface.waiting) if call in each.open), None)
    if waiting is None:
        return _appended(surface, node)
    elder = waiting.calls[: waiting.calls.index(call)]
    before = {waiting.node, *(answer for each, answer in waiting.answers if each in elder)}
    after = Waiting(
        node=waiting.node, calls=waiting.calls, answers=(*waiting.answers, (call, node))
    )
    left = (after if each is waiting else each for each in surface.waiting)
    order = surface.order
    place = next((i + 1 for i in range(len(order) - 1, -1, -1) if order[i] in before), len(order))
    return Surface(
        order=(*order[:place], node, *order[place:]),
        waiting=tuple(each for each in left if each.open),
    )


def _replaced(surface: Surface, seq: int, event: SurfaceReplaced) -> Surface:
    cited = frozenset(event.cites)
    kept = [node for node in surface.order if node not in cited]
    first = next((i for i, node in enumerate(surface.order) if node in cited), len(kept))
    new: list[str] = []
    heirs: dict[str, str] = {}
    for i, each in enumerate(event.nodes):
        node = each.node if isinstance(each, NodeRef) else f"{seq}.{i}"
        past = not isinstance(each, NodeRef) or 0 < _place(node)[0] < seq
        if past and node not in kept and node not in new:
            new.append(node)
        if isinstance(each, AssistantTurn):
            heirs |= {call.id: node for call in each.calls}
    return Surface(
        order=(*kept[:first], *new, *kept[first:]),
        waiting=tuple(_moved(each, cited, new, heirs) for each in surface.waiting),
    )


def _moved(
    waiting: Waiting, cited: frozenset[str], new: list[str], heirs: dict[str, str]
) -> Waiting:
    """The same calls, still open, after the nodes they hang on were replaced."""
    node = waiting.node
    if node in cited:
        node = next((heirs[call] for call in waiting.calls if call in heirs), node)
    answers = tuple(
        (call, new[0] if answer in cited and new else answer) for call, answer in waiting.answers
    )
    return Waiting(node=node, calls=waiting.calls, answers=answers)


# ---------------------------------------------------------------- what is read off it


def nodes(log: Log) -> tuple[Node, ...]:
    """The surface now, in order."""
    return _read(log, log.fold(FOLD).order)


def messages(log: Log) -> tuple[Message, ...]:
    """The surface as a model is sent it: calls and answers paired."""
    return paired([node.message for node in nodes(log)])


def unanswered(log: Log) -> tuple[tuple[Call, str], ...]:
    """Calls on the surface without a result yet, oldest first, each with its message's node."""
    open_calls: list[tuple[Call, str]] = []
    for waiting in log.fold(FOLD).waiting:
        for node in _read(log, (waiting.node,)):
            if isinstance(node.message, AssistantTurn):
                open_calls += [(c, node.id) for c in node.message.calls if c.id in waiting.open]
    return tuple(open_calls)


def check(log: Log, event: SurfaceReplaced) -> None:
    """Raises Refused (``changed``) unless every cited node is on the surface and every node that
    comes back was once on it and is not now. To be called right before the append.
    """
    standing = set(log.fold(FOLD).order)
    gone = [node for node in event.cites if node not in standing]
    if gone or not event.cites:
        what = f"`{gone[0]}` is not on it" if gone else "nothing is cited"
        raise Refused(
            f"The conversation changed meanwhile ({what}); it was left as it is.", "changed"
        )
    back = [each.node for each in event.nodes if isinstance(each, NodeRef)]
    there = standing.difference(event.cites)
    found = {node.id for node in _read(log, tuple(back))}
    for node in back:
        if node in there or node not in found or back.count(node) > 1:
            raise Refused(
                f"`{node}` cannot be put back into the conversation; it was left as it is.",
                "changed",
            )


def _read(log: Log, ids: Sequence[str]) -> tuple[Node, ...]:
    places = [(node, *_place(node)) for node in ids]
    events = log.at(seq for _, seq, _ in places)
    found = ((node, seq, _message(events.get(seq), index)) for node, seq, index in places)
    return tuple(Node(node, seq, message) for node, seq, message in found if message is not None)


def _place(node: str) -> tuple[int, int]:
    seq, dot, index = node.partition(".")
    return (int(seq), int(index)) if dot and seq.isdecimal() and index.isdecimal() else (0, 0)


def _message(logged: Logged | None, index: int) -> Message | None:
    event = None if logged is None else logged.event
    if isinstance(event, SurfaceReplaced) and index < len(event.nodes):
        node = event.nodes[index]
        return None if isinstance(node, NodeRef) else node
    if index:
        return None
    if isinstance(event, UserMessaged | AssistantMessaged):
        return event.message
    if isinstance(event, ToolEnded) and not event.parent:
        return ToolAnswer(
            call=event.call, tool=event.tool, blocks=event.blocks, is_error=event.is_error
        )
    return None


def paired(given: Sequence[Message]) -> tuple[Message, ...]:
    """Every call followed by its answers in call order; orphan answers left out.

    A result answers the nearest earlier unanswered call with its id.
    """
    answers: dict[tuple[int, int], ToolAnswer] = {}
    unanswered_at: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, message in enumerate(given):
        if isinstance(message, AssistantTurn):
            for index, call in enumerate(message.calls):
                unanswered_at[call.id].append((place, index))
        elif isinstance(message, ToolAnswer) and unanswered_at[message.call]:
            answers[unanswered_at[message.call].pop()] = message
    sent: list[Message] = []
    for place, message in enumerate(given):
        if isinstance(message, ToolAnswer):
            continue
        sent.append(message)
        if isinstance(message, AssistantTurn):
            for index, call in enumerate(message.calls):
                sent.append(answers.get((place, index)) or _interrupted(call))
    return tuple(sent)


def _interrupted(call: Call) -> ToolAnswer:
    return ToolAnswer(call=call.id, tool=call.tool, blocks=(Text(text=INTERRUPTED),), is_error=True)
