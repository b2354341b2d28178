"""Row ``turn-budget``: asks a long turn to wrap up, then closes it with a last report.

Rules (B1-B9): steps are the loop's and are counted from the newest human message. The row has no
counter of its own: what was said and where it stands is folded from the log. Stopping is judged
before asking; a stop is written once a turn, and a report that is missing is asked for on resume.
"""

from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field, StringConstraints

from keelbook.config import Config
from keelbook.errors import ModelFailed
from keelbook.events import (
    AssistantMessaged,
    Event,
    Logged,
    StepStarted,
    TurnStarted,
    UserMessaged,
)
from keelbook.fold import Fold
from keelbook.messages import Text, UserTurn
from keelbook.record import Record
from keelbook.row import EndTurn, NextStep, Row, Step, StepDecision

NAME = "turn-budget"

NOTICE = (
    "Please answer now with what you have: what is finished, what is open, and what comes next. "
    "Use a tool only if the answer would be wrong without it."
)
REPORT = (
    "The turn is closed after this message; tools are off. Say what is finished, what is open, and "
    "what comes next."
)
CLOSED = (
    "The turn was closed after {steps} steps (turn budget). Messages you sent meanwhile are kept."
)
NO_REPORT = "The agent gave no final report."

Positive = Annotated[int, Field(ge=1)]


class TurnBudget(Config):
    """When a turn is asked to wrap up, how often, and when it is closed; in steps."""

    max_steps: Positive = 20
    graceful_steps: Annotated[int, Field(ge=0)] = 8
    max_fires: Positive = 2
    cancel_cause: Annotated[str, StringConstraints(min_length=1)] = NAME
    final_report: bool = True


class TurnBudgetStopped(Event):
    """By the row ``turn-budget``, once for a turn, before the step it does not allow."""

    tag: ClassVar[str] = "turn-budget/stopped"
    step: int
    used: int
    fires: int


class Spent(Record):
    """The fold's state: the turn's last step, the step before the newest human message, notices.

    ``reported``: a reply was logged after the stop.
    """

    step: int = 0
    baseline: int = 0
    fires: int = 0
    stopped: bool = False
    reported: bool = False


def _step(spent: Spent, logged: Logged) -> Spent:
    event = logged.event
    if isinstance(event, TurnStarted):
        return Spent()
    if isinstance(event, StepStarted):
        return spent.model_copy(update={"step": event.step})
    if isinstance(event, TurnBudgetStopped):
        return spent.model_copy(update={"stopped": True})
    if isinstance(event, AssistantMessaged) and spent.stopped:
        return spent.model_copy(update={"reported": True})
    if isinstance(event, UserMessaged) and not spent.stopped:
        if event.message.source == "person":
            return spent.model_copy(update={"baseline": spent.step, "fires": 0})
        if event.message.source == NAME:
            return spent.model_copy(update={"fires": spent.fires + 1})
    return spent


SPENT: Fold[Spent] = Fold(
    name=NAME,
    initial=Spent,
    step=_step,
    state=Spent,
    tags=frozenset(
        each.tag
        for each in (TurnStarted, StepStarted, TurnBudgetStopped, AssistantMessaged, UserMessaged)
    ),
)


def _said(words: str) -> UserMessaged:
    return UserMessaged(message=UserTurn(blocks=(Text(text=words),), source=NAME))


async def _judge(config: TurnBudget, step: Step, further: NextStep) -> StepDecision:
    log = step.view.log
    spent = log.fold(SPENT)
    if spent.stopped:
        return await _close(config, step)
    used = step.step - spent.baseline
    gap = max(1, config.graceful_steps // config.max_fires)
    due = used > config.max_steps + spent.fires * gap
    over = used > config.max_steps + max(1, config.graceful_steps)
    if over or (due and spent.fires >= config.max_fires):
        stopped = TurnBudgetStopped(step=step.step, used=used, fires=spent.fires)
        log.append(stopped, *([_said(REPORT)] if config.final_report else []))
        return await _close(config, step)
    if due:
        log.append(_said(NOTICE))
    return await further(step)


async def _close(config: TurnBudget, step: Step) -> EndTurn:
    """The end of the turn, after its report where one is wanted and missing."""
    sentence = CLOSED.format(steps=step.step - 1)
    missing = config.final_report and not step.view.log.fold(SPENT).reported
    if missing and not await _report(step):
        sentence = f"{sentence} {NO_REPORT}"
    return EndTurn("aborted", config.cancel_cause, sentence)


async def _report(step: Step) -> bool:
    """Asks once, without tools; whether there is a report now."""
    try:
        reply = await step.view.request(replace(step.view.render(), tools=()))
    except ModelFailed:
        return False
    if reply.calls or not reply.text.strip():
        return False
    step.view.log.append(AssistantMessaged(turn=step.turn, step=step.step - 1, message=reply))
    return True


def row(config: TurnBudget) -> Row:
    """The row."""

    async def before_step(step: Step, further: NextStep) -> StepDecision:
        return await _judge(config, step, further)

    return Row(
        name=NAME,
        config=config,
        events=(TurnBudgetStopped,),
        folds=(SPENT,),
        before_step=before_step,
        on_fault="end",
    )
