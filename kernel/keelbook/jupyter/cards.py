"""What a turn leaves in the notebook: the payload of each card, and the bundle made of it.

Rules (lab N1, N2; DESIGN decision 8): a card is one bundle of three mimes, the payload for the
extension, static escaped HTML and plain text, and every update resends all three. Nothing in it
differs between two runs of the same session: no times, no random ids, no token counts. Every state
is said in words.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from keelbook.events import TurnKind
from keelbook.jupyter.markup import Tone, block, card, details, items, line
from keelbook.jupyter.wire import PlanItem
from keelbook.plan import Status, Todo, summary_for_person, waits_for
from keelbook.record import Json, Record
from keelbook.text import count

CallStatus = Literal["running", "done", "failed", "refused"]

EXCERPT = 4_000
"""Characters of a result that a card shows."""


class Card(Record):
    """Base of the payloads; ``kind`` names the mime type ``application/vnd.keelbook.<kind>``."""

    kind: ClassVar[str]

    @abstractmethod
    def html(self) -> str:
        """Static, escaped, without script."""

    @abstractmethod
    def plain(self) -> str:
        """The same in plain text."""

    def bundle(self) -> dict[str, Json]:
        """The three mimes."""
        return {
            mime(self.kind): self.model_dump(mode="json"),
            "text/html": self.html(),
            "text/plain": self.plain(),
        }


class Dispatch(Record):
    """A tool called by the code of a call: the tool, what it was given in short, how it ended."""

    call: str
    tool: str
    brief: str
    status: CallStatus


class CallCard(Card):
    """One call of the model's.

    ``code`` is what it runs, in ``language``; a tool that runs nothing has ``arguments`` instead.
    ``text`` is the beginning of the result where it is not shown as outputs below the card;
    ``sentence`` says why a call failed or was refused.
    """

    kind: ClassVar[str] = "call"
    call: str
    turn: int
    tool: str
    status: CallStatus
    code: str | None = None
    language: Literal["python", "bash"] | None = None
    arguments: Json = None
    text: str = ""
    cut: bool = False
    sentence: str = ""
    dispatches: tuple[Dispatch, ...] = ()

    def html(self) -> str:
        """The card with its code, what it called, and its result folded in."""
        body = []
        if self.code is not None:
            body.append(block(self.code))
        elif self.arguments:
            body.append(block(brief(self.arguments, 2_000)))
        if self.dispatches:
            body.append(items([_dispatch_line(each) for each in self.dispatches]))
        if self.sentence:
            body.append(line(self.sentence))
        if self.text:
            body.append(details("Result", block(self.text + ("\n…" if self.cut else ""))))
        return card(f"Call of {self.tool}", self.tool, WORDS[self.status], "".join(body), self.tone)

    def plain(self) -> str:
        """Tool, state and code."""
        parts = [f"[{self.tool}] {WORDS[self.status]}"]
        if self.code is not None or self.arguments:
            parts.append(self.code if self.code is not None else brief(self.arguments, 2_000))
        parts += [f"- {_dispatch_line(each)}" for each in self.dispatches]
        parts += [text for text in (self.sentence, self.text) if text]
        return "\n".join(parts)

    @property
    def tone(self) -> Tone:
        """The colour that goes with the words."""
        tones: dict[CallStatus, Tone] = {
            "running": "busy", "done": "good", "failed": "bad", "refused": "bad",
        }  # fmt: skip
        return tones[self.status]


class PlanCard(Card):
    """The agent's plan as it stands in this turn; ``summary`` counts it."""

    kind: ClassVar[str] = "plan"
    turn: int
    items: tuple[PlanItem, ...]
    summary: str

    def html(self) -> str:
        """A list with a mark and a word for each state."""
        return card("Plan", "Plan", self.summary, items(self._lines()), "plain")

    def plain(self) -> str:
        """One line an item."""
        return "\n".join([f"Plan: {self.summary}", *self._lines()])

    def _lines(self) -> list[str]:
        return [f"{MARKS[each.status]} {each.content}{_state_of(each)}" for each in self.items]


class MessageCard(Card):
    """Words that reached the agent while it worked. ``source`` is ``person`` or a row's name."""

    kind: ClassVar[str] = "message"
    turn: int
    source: str
    words: str

    def html(self) -> str:
        """Who said it and what."""
        return card(self.title, self.title, "", line(self.words), "plain")

    def plain(self) -> str:
        """Who said it and what."""
        return f"[{self.title}] {self.words}"

    @property
    def title(self) -> str:
        """Who said it, for a reader."""
        return "You, while it worked" if self.source == "person" else f"Note by {self.source}"


class TurnCard(Card):
    """The foot of a turn: how it ended and why."""

    kind: ClassVar[str] = "turn"
    turn: int
    ended: TurnKind
    reason: str = ""
    sentence: str = ""
    steps: int = 0

    def html(self) -> str:
        """One line, and the sentence."""
        body = line(self.sentence) if self.sentence else ""
        tone: Tone = "good" if self.ended == "done" else "bad"
        return card(f"Turn {self.turn}", f"Turn {self.turn}", self.summary, body, tone)

    def plain(self) -> str:
        """One line, and the sentence."""
        return f"Turn {self.turn}: {self.summary}" + (f"\n{self.sentence}" if self.sentence else "")

    @property
    def summary(self) -> str:
        """How it ended, after how many steps."""
        ended = {
            "done": "done",
            "aborted": "stopped",
            "limited": "limit reached",
            "failed": "failed",
        }
        return f"{ended[self.ended]} after {count(self.steps, 'step')}"


CARDS: tuple[type[Card], ...] = (CallCard, PlanCard, MessageCard, TurnCard)
"""Every payload the extension must be able to draw."""

WORDS: dict[CallStatus, str] = {
    "running": "running", "done": "done", "failed": "failed", "refused": "refused",
}  # fmt: skip
MARKS: dict[Status, str] = {"pending": "[ ]", "in_progress": "[~]", "completed": "[x]"}


def mime(kind: str) -> str:
    """The mime type of a card's payload."""
    return f"application/vnd.keelbook.{kind}.v1+json"


def brief(arguments: Any, most: int = 80) -> str:
    """Arguments in a line or a few: ``path: data.csv, offset: 10``."""
    if isinstance(arguments, dict):
        parts = [f"{name}: {_value(value)}" for name, value in arguments.items()]
        text = (", " if sum(map(len, parts)) < 100 else "\n").join(parts)
    else:
        text = _value(arguments)
    return text if len(text) <= most else text[: most - 1] + "…"


def plan_items(todos: Sequence[Todo]) -> tuple[PlanItem, ...]:
    """The items of a plan as front ends get them."""
    return tuple(
        PlanItem(
            content=each.content,
            status=each.status,
            waits_for=waits_for(each, todos),
            worked=each.worked or (),
            unevidenced=each.unevidenced,
            source=each.source or "",
        )
        for each in todos
    )


def plan_card(turn: int, todos: Sequence[Todo]) -> PlanCard:
    """The card of a plan."""
    return PlanCard(turn=turn, items=plan_items(todos), summary=summary_for_person(todos))


def _state_of(item: PlanItem) -> str:
    if item.status == "completed":
        return " (done, unevidenced)" if item.unevidenced else " (done)"
    waits = f" (waits for: {', '.join(item.waits_for)})" if item.waits_for else ""
    return " (in progress)" if item.status == "in_progress" else waits


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _dispatch_line(each: Dispatch) -> str:
    ended = "" if each.status == "done" else f" ({WORDS[each.status]})"
    return f"{each.tool}({each.brief}){ended}"
