"""Draws one turn of the agent into the cell that asked for it, in the order things happen.

Rules (lab N1): streamed words, a card for each call above the call's own outputs, one plan card
that is updated in place, a foot with the reason it ended. It draws from the log's events, so that
what is shown was logged; only words and outputs come as they are made. Words are updated at most
``WORDS_A_SECOND`` times and end exactly as the log has them. Display ids are made of turn, step and
call, so that a recorded session draws the same notebook every time.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from keelbook.events import (
    AssistantMessaged,
    Event,
    Logged,
    StepStarted,
    ToolEnded,
    ToolStarted,
    TurnEnded,
    TurnStarted,
    UserMessaged,
)
from keelbook.jupyter.cards import (
    EXCERPT,
    CallCard,
    Card,
    Dispatch,
    MessageCard,
    TurnCard,
    brief,
    plan_card,
)
from keelbook.jupyter.iopub import IOPub, Parent
from keelbook.messages import text_of
from keelbook.observer import Display, Output
from keelbook.plan import TodosWritten

WORDS_A_SECOND = 20
PLAN_TOOL = "write_todos"


class TurnDrawing:
    """The observer of one turn, and the log's listener while it runs."""

    def __init__(self, iopub: IOPub, parent: Parent) -> None:
        self._iopub = iopub
        self._parent = parent
        self._words = Words(iopub, parent)
        self._turn = 0
        self._planned = False
        self._cards: dict[str, CallCard] = {}
        self._shown: set[str] = set()
        self._streamed: set[str] = set()

    # ------------------------------------------------------------ the observer

    def words(self, delta: str) -> None:
        """More of the reply."""
        self._words.add(delta)

    def retracted(self) -> None:
        """The words so far came to nothing."""
        self._words.retract()

    def output(self, call: str, output: Output) -> None:
        """Stream text below the call's card."""
        self._streamed.add(call)
        self._iopub.stream(output.stream, output.text, self._parent)

    def display(self, call: str, display: Display) -> None:
        """A rich display below the call's card."""
        if display.op == "clear":
            return
        self._streamed.add(call)
        update = display.op == "update"
        self._iopub.display(
            "update_display_data" if update else "display_data",
            display.data,
            display.metadata,
            self._parent,
            display_id=display.display_id,
        )

    # ------------------------------------------------------------ the log

    def heard(self, batch: tuple[Logged, ...]) -> None:
        """Draws what was just logged."""
        for logged in batch:
            self._draw(logged.event)

    def close(self) -> None:
        """Nothing more is drawn; words on their way are shown."""
        self._words.settle(None)

    def _draw(self, event: Event) -> None:
        match event:
            case TurnStarted():
                self._turn = event.turn
            case StepStarted():
                self._words.begin(f"t{event.turn}s{event.step}")
            case UserMessaged():
                self._message(event)
            case AssistantMessaged():
                self._words.settle(event.message.text)
                for call in event.message.calls:
                    self._cards[call.id] = self._card(call.id, call.tool, call.arguments)
            case ToolStarted():
                self._started(event)
            case ToolEnded():
                self._ended(event)
            case TurnEnded():
                self._words.settle(None)
                self._show(TurnCard(
                    turn=event.turn, ended=event.kind, reason=event.reason,
                    sentence=event.sentence, steps=event.steps,
                ), f"t{event.turn}-end")  # fmt: skip
            case TodosWritten():
                plan = plan_card(self._turn, event.todos)
                self._show(plan, f"t{self._turn}-plan", again=self._planned)
                self._planned = True

    def _message(self, event: UserMessaged) -> None:
        request = event.message.source == "person" and not event.posted and event.by != "script"
        if request:
            return
        said = MessageCard(
            turn=self._turn, source=event.message.source, words=text_of(event.message.blocks)
        )
        self._show(said, None)

    def _card(self, call: str, tool: str, arguments: Any) -> CallCard:
        given = arguments if isinstance(arguments, dict) else {}
        code, command = given.get("code"), given.get("command")
        words = code if isinstance(code, str) else command if isinstance(command, str) else None
        return CallCard(
            call=call,
            turn=self._turn,
            tool=tool,
            status="running",
            code=words,
            language=None if words is None else "python" if words is code else "bash",
            arguments=None if words is not None else arguments,
        )

    def _started(self, event: ToolStarted) -> None:
        above = self._cards.get(event.parent)
        if above is not None:
            each = Dispatch(
                call=event.call, tool=event.tool, brief=brief(event.arguments), status="running"
            )
            self._change(above, dispatches=(*above.dispatches, each), draw=False)
        elif not event.parent and event.tool != PLAN_TOOL:
            card = self._cards.get(event.call)
            if card is None:
                card = self._card(event.call, event.tool, event.arguments)
            self._change(card)

    def _ended(self, event: ToolEnded) -> None:
        text = text_of(event.blocks)
        above = self._cards.get(event.parent)
        if above is not None:
            self._dispatch_ended(above, event)
            return
        card = self._cards.get(event.call)
        if event.parent or card is None or (event.tool == PLAN_TOOL and not event.is_error):
            return
        if not event.is_error:
            shown = card.language == "python" or event.call in self._streamed
            said: dict[str, Any] = {"status": "done", "text": "" if shown else text[:EXCERPT]}
        elif event.call in self._shown:
            said = {"status": "failed", "sentence": last_line(text), "text": text[:EXCERPT]}
        else:
            said = {"status": "refused", "sentence": text[:EXCERPT], "text": ""}
        self._change(card, cut=bool(said["text"]) and len(text) > EXCERPT, **said)

    def _dispatch_ended(self, above: CallCard, event: ToolEnded) -> None:
        known = {each.call for each in above.dispatches}
        found = above.dispatches
        if event.call not in known:
            found += (Dispatch(call=event.call, tool=event.tool, brief="", status="refused"),)
        ended = "failed" if event.is_error else "done"
        self._change(above, draw=False, dispatches=tuple(
            each.model_copy(update={"status": ended})
            if each.call == event.call and each.status == "running" else each
            for each in found
        ))  # fmt: skip

    def _change(self, card: CallCard, draw: bool = True, **fields: Any) -> None:
        changed = card.model_copy(update=fields)
        self._cards[card.call] = changed
        if draw:
            self._show(changed, changed.call, again=card.call in self._shown)
            self._shown.add(card.call)

    def _show(self, card: Card, display_id: str | None, again: bool = False) -> None:
        self._words.rest()
        kind = "update_display_data" if again else "display_data"
        bundle = card.bundle()
        self._iopub.display(kind, bundle, {}, self._parent, display_id=display_id, kept=True)


def last_line(text: str) -> str:
    """The last line that says something: of a traceback, the error."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")[:EXCERPT]


class Words:
    """The text of one reply while it is streamed: one display, updated in place."""

    def __init__(self, iopub: IOPub, parent: Parent) -> None:
        self._iopub = iopub
        self._parent = parent
        self._id = ""
        self._text = ""
        self._drawn: str | None = None
        self._last = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, display_id: str) -> None:
        """A new reply comes; its words go into a display of their own."""
        self.rest()
        self._id, self._text, self._drawn = display_id, "", None

    def add(self, delta: str) -> None:
        """More words; drawn now or within a twentieth of a second."""
        self._text += delta
        if not self._text.strip() or self._timer is not None:
            return
        wait = self._last + 1 / WORDS_A_SECOND - time.monotonic()
        if wait <= 0:
            self._draw()
        else:
            self._timer = asyncio.get_running_loop().call_later(wait, self._draw)

    def retract(self) -> None:
        """Takes back what was drawn; the same display is filled anew."""
        self._text = ""
        self.rest()

    def settle(self, text: str | None) -> None:
        """The reply is whole (``text``), or over without one (None: what came stays)."""
        if text is not None:
            self._text = text
        self.rest()

    def rest(self) -> None:
        """Draws what is not drawn yet, now."""
        if self._timer is not None:
            self._timer.cancel()
        self._draw()

    def _draw(self) -> None:
        self._timer = None
        if self._text == (self._drawn or "") or not (self._drawn or self._text.strip()):
            return
        kind = "display_data" if self._drawn is None else "update_display_data"
        data = {"text/markdown": self._text, "text/plain": self._text}
        self._iopub.display(kind, data, {}, self._parent, display_id=self._id, kept=True)
        self._drawn = self._text
        self._last = time.monotonic()
