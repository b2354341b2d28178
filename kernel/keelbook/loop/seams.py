"""The seams: the ordered list of rows folded into one function for each matter.

Rules: the first row of the list is the outermost. A row that raises is recorded (``row/failed``)
and the matter goes on as G6 says: a call being judged is refused, a result passes unchanged, a step
is passed over or, where the row asks for it, ended. ``ModelFailed`` of a request and ``Refused`` of
a path are answers and no faults. Cancellation is never caught. What a call runs, runs once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from keelbook.errors import HostBug, ModelFailed, Refused
from keelbook.events import RowFailed
from keelbook.files import Access
from keelbook.messages import AssistantTurn
from keelbook.model import Request
from keelbook.row import (
    Denied,
    Ended,
    EndTurn,
    GoOn,
    LetStop,
    NextRequest,
    NextTool,
    Proceed,
    Reply,
    Row,
    Seam,
    Step,
    StepDecision,
    Stop,
    StopDecision,
    ToolCall,
    ToolOutcome,
    View,
)
from keelbook.text import head

A = TypeVar("A")
R = TypeVar("R")

ROW_FAILED = "The call was not run: `{row}`, which judges calls, failed."
ROW_FAILED_FILE = "{path} was not touched: `{row}`, which judges paths, failed."
ROW_FAILED_STEP = "The turn ended because `{row}`, which bounds it, failed ({fault})."


class Further(Generic[A, R]):
    """``next`` as a row gets it; what came of it is remembered. ``once``: no second use."""

    def __init__(self, function: Callable[[A], Awaitable[R]], once: bool) -> None:
        self._function = function
        self._once = once
        self._called = False
        self.answers: list[R] = []
        self.failure: Exception | None = None

    async def __call__(self, matter: A) -> R:
        if self._called and self._once:
            raise HostBug("`next` was called twice.")
        self._called = True
        try:
            answer = await self._function(matter)
        except Exception as failure:
            self.failure = failure
            raise
        self.failure = None
        self.answers.append(answer)
        return answer


Fallback = Callable[[Row, A, str, bool], R | None]
"""The answer in place of a row that failed, given the matter, the fault and whether ``next`` has
answered; None: what ``next`` answers."""


class Seams:
    """The rows of one session, as functions."""

    def __init__(self, rows: Sequence[Row], view: View) -> None:
        self._rows = tuple(rows)
        self._view = view
        self._on_file = self._chain("on_file", _passed, _deny_file, answers=(Refused,))

    def sections(self) -> tuple[str, ...]:
        """The rows' parts of the system prompt, in list order."""
        return self._texts("section")

    def contexts(self) -> tuple[str, ...]:
        """The rows' parts of the per-step context, in list order."""
        return self._texts("context")

    async def before_step(self, step: Step) -> StepDecision:
        """Whether the step is made."""
        return await self._chain("before_step", _proceed, _end_turn, (Proceed, EndTurn))(step)

    async def around_request(self, request: Request, send: NextRequest) -> Reply:
        """The request through every row to the model and back. Raises ModelFailed."""
        kinds, answers = (AssistantTurn, EndTurn), (ModelFailed,)
        return await self._chain("around_request", send, None, kinds, answers, once=False)(request)

    async def around_tool(self, call: ToolCall, run: NextTool) -> ToolOutcome:
        """The call through every row to its run and back."""
        return await self._chain("around_tool", run, _deny_call, (Ended, Denied))(call)

    async def before_stop(self, stop: Stop) -> StopDecision:
        """Whether a turn whose model stopped by itself ends."""
        return await self._chain("before_stop", _let_stop, None, (LetStop, GoOn))(stop)

    async def on_file(self, access: Access) -> None:
        """Judges one access to a path. Raises Refused."""
        await self._on_file(access)

    # ---------------------------------------------------------------- how they are folded

    def _chain(
        self,
        seam: Seam,
        innermost: Callable[[A], Awaitable[R]],
        fallback: Fallback[A, R] | None,
        kinds: tuple[type, ...] = (),
        answers: tuple[type[Exception], ...] = (),
        *,
        once: bool = True,
    ) -> Callable[[A], Awaitable[R]]:
        chain = innermost
        for row in reversed(self._rows):
            if getattr(row, seam) is not None:
                chain = self._guarded(row, seam, chain, fallback, kinds, answers, once)
        return chain

    def _guarded(
        self,
        row: Row,
        seam: Seam,
        inner: Callable[[A], Awaitable[R]],
        fallback: Fallback[A, R] | None,
        kinds: tuple[type, ...],
        answers: tuple[type[Exception], ...],
        once: bool,
    ) -> Callable[[A], Awaitable[R]]:
        async def guarded(matter: A) -> R:
            further = Further(inner, once)
            try:
                return self._named(row, await self._call(row, seam, matter, further), kinds)
            except Exception as fault:
                if fault is further.failure or isinstance(fault, answers):
                    raise
                said = self._record(row, seam, fault)
            if further.failure is not None:
                raise further.failure
            answered = bool(further.answers)
            instead = fallback(row, matter, said, answered) if fallback else None
            if instead is not None:
                return instead
            return further.answers[-1] if answered else await inner(matter)

        return guarded

    def _call(self, row: Row, seam: Seam, matter: A, further: Further[A, R]) -> Awaitable[R]:
        function: Any = getattr(row, seam)
        if seam in ("around_request", "on_file"):
            answer: Awaitable[R] = function(matter, self._view, further)
        else:
            answer = function(matter, further)
        return answer

    def _named(self, row: Row, answer: R, kinds: tuple[type, ...]) -> R:
        """The answer, seen to be one of its kinds, a nudge with its row's name."""
        if kinds and not isinstance(answer, kinds):
            raise TypeError(f"it answered {type(answer).__name__}")
        if isinstance(answer, GoOn) and not answer.by:
            return replace(answer, by=row.name)
        return answer

    def _texts(self, seam: str) -> tuple[str, ...]:
        texts: list[str] = []
        for row in self._rows:
            function: Callable[[View], str | None] | None = getattr(row, seam)
            try:
                text = None if function is None else function(self._view)
            except Exception as fault:
                self._record(row, seam, fault)
                continue
            if text:
                texts.append(text)
        return tuple(texts)

    def _record(self, row: Row, seam: str, fault: Exception) -> str:
        """Logs a fault; returns what it said, as one line."""
        said = head(" ".join(f"{type(fault).__name__}: {fault}".split()), 500)
        self._view.log.append(RowFailed(row=row.name, seam=seam, sentence=said))
        return said


async def _passed(_: Access) -> None:
    return None


async def _proceed(_: Step) -> StepDecision:
    return Proceed()


async def _let_stop(_: Stop) -> StopDecision:
    return LetStop()


def _end_turn(row: Row, _: Step, said: str, __: bool) -> StepDecision | None:
    if row.on_fault == "pass":
        return None
    return EndTurn("failed", "row-failed", ROW_FAILED_STEP.format(row=row.name, fault=said))


def _deny_call(row: Row, _: ToolCall, __: str, answered: bool) -> ToolOutcome | None:
    return None if answered else Denied("row-failed", ROW_FAILED.format(row=row.name))


def _deny_file(row: Row, access: Access, _: str, __: bool) -> None:
    raise Refused(ROW_FAILED_FILE.format(path=access.given, row=row.name), "row-failed")
