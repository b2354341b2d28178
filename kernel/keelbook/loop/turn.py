"""One turn: from a person's request to the model's last word.

Rules: what to do next is read off the log (``progress``), so a turn that another host began goes on
in the same way. Each step admits what people wrote, lets the rows judge, logs the step with its
context, asks the model and runs its calls. A turn ends exactly once, with every call answered; a
reply that was cut off is not logged. Cancelling the task ends the turn; a fault of ours ends it too
and never the session.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from keelbook.errors import KeelbookError, ModelFailed, Refused
from keelbook.events import (
    AssistantMessaged,
    StepRetried,
    StepStarted,
    TurnEnded,
    UserMessaged,
)
from keelbook.loop import repair
from keelbook.loop.batch import Batch
from keelbook.loop.pipeline import Pipeline
from keelbook.loop.progress import Posted
from keelbook.loop.stage import Stage
from keelbook.messages import AssistantTurn, Call, Text, UserTurn
from keelbook.model import Model, Request
from keelbook.observer import Observer
from keelbook.row import EndTurn, GoOn, Reply, Step, Stop

EMPTY = "The model answered with nothing; ask again, or choose another model."
CUT_OFF = "The reply was cut off at the model's output limit; ask the agent to go on."
FILTERED = "The provider withheld the model's reply; put the request in other words."
FAULT = "The turn ended because of a fault in Keelbook ({fault}); the session goes on."
ABORTED, ENDED = "the turn was cancelled.", "the turn had ended."
ENDINGS = {
    "person": "The turn was cancelled.",
    "turn": "The turn was cancelled.",
    "closed": "The turn ended because the session was closed.",
}

_faults = logging.getLogger(__name__)


class Turn:
    """Runs a turn that the log says is open."""

    def __init__(self, stage: Stage, pipeline: Pipeline, model: Model, observer: Observer) -> None:
        self._stage = stage
        self._pipeline = pipeline
        self._model = model
        self._observer = observer
        self._log = stage.log
        self._number = stage.progress.turn
        self._failure: ModelFailed | None = None
        self._sent = 0
        self._waited = 0
        self._spoke = False
        self._why = ""
        self._task: asyncio.Task[Any] | None = None

    def cancel(self, why: str) -> None:
        """Ends the turn, put down to ``why``; a second call does nothing."""
        if not self._why:
            self._why = why
            if self._task is not None:
                self._task.cancel()

    async def run(self) -> TurnEnded:
        """The turn to its end. Raises Refused when the log cannot be written."""
        self._pipeline.ending = None
        self._task = asyncio.current_task()
        try:
            end = await self._steps()
        except asyncio.CancelledError:
            why = self._why or "person"
            end = EndTurn("aborted", why, ENDINGS.get(why, ENDINGS["person"]))
        except Refused as refused:
            end = EndTurn("failed", refused.code, refused.sentence)
        except KeelbookError as error:
            end = EndTurn("failed", error.code, error.sentence)
        except Exception as fault:
            _faults.exception("Turn %s met a fault.", self._number)
            said = f"{type(fault).__name__}: {fault}"
            end = EndTurn("failed", "host-bug", FAULT.format(fault=said))
        return self._end(end)

    # ---------------------------------------------------------------- what comes next

    async def _steps(self) -> EndTurn:
        while not self._why:
            now = self._stage.progress
            end: EndTurn | None
            if now.unanswered:
                await Batch(self._pipeline, self._number, self._observer).run(
                    now.calls, now.unanswered
                )
                end = self._pipeline.ending
            elif now.finish is not None and not now.calls and not self._heard_more():
                end = await self._stop(now.finish)
            else:
                end = await self._step(now.step + 1)
            if end is not None:
                return end
            await asyncio.sleep(0)
        raise asyncio.CancelledError

    def _heard_more(self) -> bool:
        """Whether somebody wrote since the last reply."""
        return bool(self._stage.progress.inbox or self._cues())

    def _cues(self) -> tuple[str, ...]:
        now = self._stage.progress
        return () if now.cued or not now.replies else self._model.cues(now.replies)

    async def _step(self, number: int) -> EndTurn | None:
        self._admit()
        decision = await self._stage.seams.before_step(Step(self._stage, self._number, number))
        if isinstance(decision, EndTurn):
            return decision
        self._stage.prefix()
        context = "\n\n".join(self._stage.seams.contexts())
        self._log.append(StepStarted(turn=self._number, step=number, context=context))
        reply = await self._reply(context)
        if isinstance(reply, EndTurn):
            return reply
        message = _with_our_ids(reply, f"t{self._number}s{number}c")
        self._log.append(AssistantMessaged(turn=self._number, step=number, message=message))
        return None

    def _admit(self) -> None:
        """What people wrote since the last step becomes part of the conversation."""
        cues = [said_by(each, "script") for each in self._cues()]
        self._log.append(*admitted(self._stage.progress.inbox), *cues)

    async def _stop(self, finish: str) -> EndTurn | None:
        """The model stopped by itself: the turn ends, or a row has it go on."""
        if finish == "length":
            return EndTurn("done", "length", CUT_OFF)
        if finish == "filtered":
            return EndTurn("failed", "filtered", FILTERED)
        now = self._stage.progress
        stop = Stop(self._stage, self._number, now.step, self._last_reply())
        decision = await self._stage.seams.before_stop(stop)
        if isinstance(decision, GoOn):
            message = UserTurn(blocks=(Text(text=decision.words),), source=decision.by)
            self._log.append(UserMessaged(message=message))
            return None
        return None if self._heard_more() else EndTurn("done", "", decision.sentence)

    def _last_reply(self) -> AssistantTurn:
        tags = {AssistantMessaged.tag}
        for logged in self._log.read(tags=tags, limit=1, newest_first=True):
            if isinstance(logged.event, AssistantMessaged):
                return logged.event.message
        return AssistantTurn(parts=(), model=self._model.name)

    # ---------------------------------------------------------------- the request

    async def _reply(self, context: str) -> Reply:
        """The model's reply, asked for again where that may help."""
        self._failure, self._sent, self._waited = None, 0, 0
        retries = self._pipeline.budgets.retries
        for attempt in range(len(retries) + 1):
            request = replace(self._stage.render(), context=context, attempt=attempt)
            try:
                reply = await self._stage.seams.around_request(request, self._send)
                if isinstance(reply, EndTurn):
                    return _failed(self._failure) if self._failure else reply
                if reply.text.strip() or reply.calls:
                    return reply
                self._failure = ModelFailed(EMPTY, "empty", retry=attempt == 0)
            except ModelFailed as failure:
                self._failure = failure
            if self._spoke:
                self._observer.retracted()
            if not self._failure.retry:
                break
        return _failed(self._failure or ModelFailed(EMPTY, "empty"))

    async def _send(self, request: Request) -> Reply:
        """The innermost of the rows: the model itself, after the wait a failure before costs."""
        if request.attempt > self._waited:
            self._waited = request.attempt
            await asyncio.sleep(self._pipeline.budgets.retries[request.attempt - 1])
        if self._sent:
            code = self._failure.code if self._failure is not None else ""
            now = self._stage.progress
            self._log.append(
                StepRetried(turn=self._number, step=now.step, attempt=self._sent, code=code)
            )
        self._sent += 1
        self._spoke = False
        try:
            return await self._model.request(request, self._words)
        except ModelFailed as failure:
            self._failure = failure
            raise

    def _words(self, delta: str) -> None:
        self._spoke = self._spoke or bool(delta)
        self._observer.words(delta)

    # ---------------------------------------------------------------- the end

    def _end(self, end: EndTurn) -> TurnEnded:
        """Closes what is open and the turn, in one batch."""
        now = self._stage.progress
        ended = TurnEnded(
            turn=self._number,
            kind=end.kind,
            reason=end.reason,
            sentence=end.sentence,
            steps=now.step,
        )
        code, why = ("cancelled", ABORTED) if end.kind == "aborted" else ("not-run", ENDED)
        self._log.append(*repair.unstarted_calls(now, code, why), ended)
        return ended


def said_by(words: str, by: str, posted: int = 0) -> UserMessaged:
    """A person's words to the model."""
    return UserMessaged(message=UserTurn(blocks=(Text(text=words),)), by=by, posted=posted)


def admitted(inbox: Iterable[Posted]) -> tuple[UserMessaged, ...]:
    """What people posted, as the model will read it."""
    return tuple(said_by(each.words, each.by, each.seq) for each in inbox)


def _with_our_ids(reply: AssistantTurn, prefix: str) -> AssistantTurn:
    """The reply with its calls named by their place, ``t1s2c1`` and on."""
    parts = []
    number = 0
    for part in reply.parts:
        if isinstance(part, Call):
            number += 1
            part = part.model_copy(update={"id": f"{prefix}{number}"})
        parts.append(part)
    return reply.model_copy(update={"parts": tuple(parts)})


def _failed(failure: ModelFailed) -> EndTurn:
    return EndTurn("failed", failure.code, failure.sentence)
