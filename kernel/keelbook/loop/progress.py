"""Where a session stands, folded from its log: turn, step, open calls, open cells, unread messages.

Rules: the loop decides what to do next from this alone, so a resumed turn goes on as if nothing had
happened; nothing is counted anywhere else. Calls that code made (dispatches) are tracked while
they run only.
"""

import json
from collections.abc import Callable
from typing import Any

from keelbook.events import (
    AssistantMessaged,
    CellEnded,
    CellStarted,
    Logged,
    PromptSet,
    StepStarted,
    ToolEnded,
    ToolStarted,
    TurnEnded,
    TurnStarted,
    UserMessaged,
    UserPosted,
)
from keelbook.fold import Fold
from keelbook.messages import Call, Finish
from keelbook.record import Record
from keelbook.text import digest


class Posted(Record):
    """A message a person wrote that the model has not been told; ``seq`` is its event's."""

    seq: int
    words: str
    by: str


class Running(Record):
    """A call that was started and has no result yet."""

    call: str
    tool: str
    parent: str


class Progress(Record):
    """The fold's state.

    ``turn`` and ``step`` are the last ones, ``open`` says whether that turn still runs. ``replies``
    and ``cued`` (a recorded person's words were admitted since the last reply) are the turn's.
    ``calls`` are all of the last reply, ``unanswered`` the ids among them without a result.
    ``finish`` is how the last reply ended, None once anything was said after it. ``cells`` are runs
    not settled, ``people`` counts a person's cells. ``prompt`` is a digest of the last one set.
    """

    turn: int = 0
    open: bool = False
    model: str = ""
    step: int = 0
    replies: int = 0
    cued: bool = False
    calls: tuple[Call, ...] = ()
    unanswered: tuple[str, ...] = ()
    running: tuple[Running, ...] = ()
    finish: Finish | None = None
    cells: tuple[str, ...] = ()
    people: int = 0
    inbox: tuple[Posted, ...] = ()
    prompt: str = ""


def prompt_digest(prompt: PromptSet) -> str:
    """What two equal prompts share."""
    return digest(prompt.system + json.dumps(prompt.tools))


def _turn_start(now: Progress, logged: Logged, event: TurnStarted) -> dict[str, Any]:
    return {
        "turn": event.turn, "open": True, "model": event.model, "step": 0, "replies": 0,
        "cued": False, "calls": (), "unanswered": (), "finish": None,
    }  # fmt: skip


def _turn_end(now: Progress, logged: Logged, event: TurnEnded) -> dict[str, Any]:
    return {"open": False, "finish": None}


def _step_start(now: Progress, logged: Logged, event: StepStarted) -> dict[str, Any]:
    return {"step": event.step}


def _posted(now: Progress, logged: Logged, event: UserPosted) -> dict[str, Any]:
    return {"inbox": (*now.inbox, Posted(seq=logged.seq, words=event.words, by=event.by))}


def _user(now: Progress, logged: Logged, event: UserMessaged) -> dict[str, Any]:
    return {
        "inbox": tuple(each for each in now.inbox if each.seq != event.posted),
        "cued": now.cued or event.by == "script",
        "finish": None,
    }


def _assistant(now: Progress, logged: Logged, event: AssistantMessaged) -> dict[str, Any]:
    calls = event.message.calls
    return {
        "replies": now.replies + 1,
        "cued": False,
        "calls": calls,
        "unanswered": tuple(call.id for call in calls),
        "finish": event.message.finish,
    }


def _tool_start(now: Progress, logged: Logged, event: ToolStarted) -> dict[str, Any]:
    started = Running(call=event.call, tool=event.tool, parent=event.parent)
    return {"running": (*now.running, started)}


def _tool_end(now: Progress, logged: Logged, event: ToolEnded) -> dict[str, Any]:
    return {
        "running": tuple(each for each in now.running if each.call != event.call),
        "unanswered": tuple(each for each in now.unanswered if each != event.call),
    }


def _cell_start(now: Progress, logged: Logged, event: CellStarted) -> dict[str, Any]:
    return {
        "cells": (*now.cells, event.run),
        "people": now.people + (event.origin == "person"),
    }


def _cell_end(now: Progress, logged: Logged, event: CellEnded) -> dict[str, Any]:
    return {"cells": tuple(each for each in now.cells if each != event.run)}


def _prompt(now: Progress, logged: Logged, event: PromptSet) -> dict[str, Any]:
    return {"prompt": prompt_digest(event)}


_STEPS: dict[str, Callable[[Progress, Logged, Any], dict[str, Any]]] = {
    TurnStarted.tag: _turn_start,
    TurnEnded.tag: _turn_end,
    StepStarted.tag: _step_start,
    UserPosted.tag: _posted,
    UserMessaged.tag: _user,
    AssistantMessaged.tag: _assistant,
    ToolStarted.tag: _tool_start,
    ToolEnded.tag: _tool_end,
    CellStarted.tag: _cell_start,
    CellEnded.tag: _cell_end,
    PromptSet.tag: _prompt,
}


def _step(now: Progress, logged: Logged) -> Progress:
    return now.model_copy(update=_STEPS[logged.event.tag](now, logged, logged.event))


FOLD: Fold[Progress] = Fold(
    name="progress", initial=Progress, step=_step, state=Progress, tags=frozenset(_STEPS)
)
