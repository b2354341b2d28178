"""The one way from a wanted tool call to its result, for the model's calls and for code's.

Rules (G3-G7): arguments are read, the rows judge, ``tool/start`` is written, the tool runs, the
rows see the result, ``tool/result`` is written, once, whatever happens; the first refusal ends it
and nothing starts. Judging is one at a time in the whole session, up to the start or to a question
to a person. What a tool raises is the call's failure; only a log that cannot be written goes
further. A probe's calls are judged and leave no record.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from keelbook.errors import KeelbookError, Refused, ToolFailed
from keelbook.events import Event, RowFailed, ToolEnded, ToolStarted
from keelbook.files import Files
from keelbook.front_door import Door, Python, Unusable, open_door, times
from keelbook.interpreter import Cell, CellError, Front, Interpreter, Origin, Outcome
from keelbook.log import Log
from keelbook.loop import arguments, prompt
from keelbook.loop.cells import Cells
from keelbook.loop.governed import GovernedSink
from keelbook.loop.lanes import Judgement, Lanes
from keelbook.loop.seams import Seams
from keelbook.messages import Block, Text
from keelbook.observer import Observer, Output
from keelbook.parts import Budgets
from keelbook.record import Json
from keelbook.row import Denied, Ended, EndTurn, ToolCall, ToolOutcome, View
from keelbook.text import near
from keelbook.tool import Result, Scene, Tool
from keelbook.value import Value

AGENTS_ONLY = "`{tool}` is for the agent; a person's cell cannot call it."
CODE_ONLY = (
    "`{tool}` is called from code only. Run `await tools.{tool}(...)` with `{python}` instead."
)
UNKNOWN = "There is no tool `{tool}`{hint}."
NOT_PYTHON = "This cell is a person's request and no code."
CANCELLED = "This call was cancelled before it gave a result."


class Wanted(Value):
    """A call as it was asked for. ``native``: by the model itself, not by code in a cell."""

    id: str
    tool: str
    given: dict[str, Json] | str
    origin: Origin
    observer: Observer
    native: bool = True
    parent: str = ""
    turn: int = 0
    siblings: tuple[str, ...] = ()


@dataclass(slots=True)
class Underway:
    """One call on its way. ``instead`` is its outcome once a sibling stopped it."""

    wanted: Wanted
    judgement: Judgement
    task: asyncio.Task[object] | None = None
    started: bool = False
    instead: Denied | None = None

    def stop(self, instead: Denied) -> None:
        """Denies a call that has not started, a parked one too; others are left alone."""
        if not self.started:
            self.instead = instead
            if self.task is not None:
                self.task.cancel()


@dataclass(slots=True)
class Pipeline:
    """The pipeline of one session.

    ``parked`` counts calls that wait for a person. ``ending`` is set by a denial that ends the
    turn; whoever runs the turn takes it from there.
    """

    log: Log
    tools: Mapping[str, Tool]
    seams: Seams
    view: View
    files: Files
    interpreter: Interpreter
    cells: Cells
    budgets: Budgets
    code_mode: bool
    images: bool = False
    parked: int = 0
    ending: EndTurn | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    # ---------------------------------------------------------------- one call

    async def call(self, underway: Underway) -> ToolOutcome:
        """Carries a call out and writes its result; returns it. Raises Refused (log), cancelled."""
        wanted = underway.wanted
        outcome: ToolOutcome = Denied("cancelled", CANCELLED)
        try:
            outcome = await self._judged(underway)
        except asyncio.CancelledError:
            if underway.instead is None:
                raise
            outcome = underway.instead
        except KeelbookError as error:
            outcome = Denied(error.code, error.sentence)
            raise
        finally:
            try:
                self._write(wanted, outcome)
            finally:
                underway.judgement.end()
        if isinstance(outcome, Denied) and outcome.ends is not None and wanted.origin == "agent":
            self.ending = self.ending or outcome.ends
        return outcome

    def judgement(self, lanes: Lanes, tool: Tool | None) -> Judgement:
        """The way to its start of a call of that tool."""
        return Judgement(lanes, self._lock, tool is not None and tool.exclusive)

    async def _judged(self, underway: Underway) -> ToolOutcome:
        wanted = underway.wanted
        await underway.judgement.begin()
        if underway.instead is not None:
            return underway.instead
        tool = self.find(wanted)
        if isinstance(tool, Denied):
            return tool
        try:
            read = arguments.read(tool, wanted.given)
        except arguments.BadArguments as error:
            return Denied("bad-arguments", str(error), stops=False)

        async def run(call: ToolCall) -> ToolOutcome:
            return await self._run(call, underway)

        call = ToolCall(
            view=self.view,
            id=wanted.id,
            tool=tool,
            arguments=read,
            raw=wanted.given,
            origin=wanted.origin,
            observer=wanted.observer,
            parent=wanted.parent,
            turn=wanted.turn,
            siblings=wanted.siblings,
            parked=lambda: self._parked(underway),
        )
        return await self.seams.around_tool(call, run)

    def find(self, wanted: Wanted) -> Tool | Denied:
        """The tool that is meant, if this caller may call it."""
        named = {tool.title if wanted.native else tool.name: tool for tool in self.tools.values()}
        tool = named.get(wanted.tool) or (self.tools.get(wanted.tool) if wanted.native else None)
        if tool is None or not (wanted.native or tool.bound):
            meant = near(wanted.tool, named)
            hint = f"; did you mean `{meant}`?" if meant else ""
            sentence = UNKNOWN.format(tool=wanted.tool, hint=hint).replace("?.", "?")
            return Denied("unknown-tool", sentence, stops=False)
        python = prompt.code_tool(self.tools.values())
        if wanted.native and self.code_mode and not tool.native and python is not None:
            return Denied("code-only", CODE_ONLY.format(tool=tool.name, python=python.title))
        if wanted.origin != "agent" and tool.audience == "agents":
            return Denied("agents-only", AGENTS_ONLY.format(tool=tool.name), stops=False)
        return tool

    @asynccontextmanager
    async def _parked(self, underway: Underway) -> AsyncIterator[None]:
        """While a person is asked: others are judged and run."""
        self.parked += 1
        underway.judgement.end()
        try:
            with self.interpreter.waiting(underway.wanted.parent):
                yield
        except Exception:
            await underway.judgement.begin(again=True)
            raise
        finally:
            self.parked -= 1
        await underway.judgement.begin(again=True)

    # ---------------------------------------------------------------- running

    async def _run(self, call: ToolCall, underway: Underway) -> ToolOutcome:
        """The innermost of the rows: the start record and the tool itself."""
        refusal = await self._paths(call)
        if refusal is not None:
            return refusal
        if call.origin != "probe":
            self.log.append(
                ToolStarted(
                    call=call.id,
                    tool=call.tool.name,
                    arguments=call.arguments.model_dump(
                        mode="json", by_alias=False, exclude_unset=True
                    ),
                    origin=call.origin,
                    parent=call.parent,
                )
            )
        underway.started = True
        underway.judgement.judged()
        try:
            return Ended(await call.tool.run(call.arguments, self._scene(call)))
        except ToolFailed as failure:
            return Ended(failure)
        except Refused as refused:
            return Denied(refused.code, refused.sentence)
        except Exception as fault:
            said = f"{type(fault).__name__}: {fault}"
            if call.origin != "probe":
                self.log.append(RowFailed(row=call.tool.name, seam="run", sentence=said))
            return Ended(ToolFailed(f"`{call.tool.title}` failed: {said}"))

    async def _paths(self, call: ToolCall) -> Denied | None:
        """What the path rules say of the paths the tool declares, before anything starts."""
        for declared in call.tool.capabilities.paths:
            given = getattr(call.arguments, declared.name)
            for path in (given,) if isinstance(given, str) else given or ():
                try:
                    await self.files.open(path, declared.operation, call.tool.name)
                except Refused as refused:
                    return Denied(refused.code, refused.sentence)
        return None

    def _scene(self, call: ToolCall) -> Scene:
        async def run_cell(code: str, front: Front) -> Outcome:
            return await self._cell(call, code, front)

        return Scene(
            call=call.id,
            origin=call.origin,
            log=self.log,
            files=self.files,
            interpreter=self.interpreter,
            observer=call.observer,
            parent=call.parent,
            turn=call.turn,
            images=self.images,
            run_cell=run_cell,
        )

    async def _cell(self, call: ToolCall, code: str, front: Front) -> Outcome:
        """A call's own cell, through the front door: its run has the call's id."""
        door = open_door(code, agent=True)
        if not isinstance(door, Python):
            return unusable(door)
        for notice in door.notices:
            front.note(notice)
        cell = Cell(
            run=call.id,
            code=door.code,
            origin=call.origin,
            cpu_s=self.budgets.cpu_s,
            wall_s=self.budgets.wall_s,
        )
        sink = self.sink(cell, front, call.observer, call.turn)
        outcome = await self.cells.run(cell, sink, call.id)
        if door.timed:
            front.output(Output("stdout", times(outcome.cpu_s, outcome.wall_s)))
        return outcome

    def sink(self, cell: Cell, front: Front, observer: Observer, turn: int = 0) -> GovernedSink:
        """Where a run's output goes, and its calls: back through this pipeline."""
        lanes = Lanes(UNBOUNDED)

        async def dispatch(
            id_: str, tool: str, given: dict[str, Json], watched: Observer | None
        ) -> ToolOutcome:
            wanted = Wanted(
                id=id_,
                tool=tool,
                given=given,
                origin=cell.origin,
                observer=watched or observer,
                native=False,
                parent=cell.run,
                turn=turn,
            )
            judgement = self.judgement(lanes, None)
            return await self.call(Underway(wanted, judgement))

        shell = prompt.shell_tool(self.tools.values())
        return GovernedSink(cell.run, front, dispatch, shell.name if shell else None)

    # ---------------------------------------------------------------- the record

    def _write(self, wanted: Wanted, outcome: ToolOutcome) -> None:
        """The call's one ``tool/result``, with the facts that belong to it in the same batch."""
        if wanted.origin == "probe":
            return
        name = next((t.name for t in self.tools.values() if t.title == wanted.tool), wanted.tool)
        ended, beside = record(wanted, name, outcome)
        self.log.append(*beside, ended)


UNBOUNDED = 1 << 30
"""Lanes of a cell's calls: whoever runs the cell lets a few in at a time already."""


def unusable(door: Door) -> Outcome:
    """The end of a cell that the front door does not let in."""
    sentence = door.sentence if isinstance(door, Unusable) else NOT_PYTHON
    error = CellError("UsageError", sentence, (f"UsageError: {sentence}",))
    return Outcome("error", error=error, started=False)


def record(wanted: Wanted, name: str, outcome: ToolOutcome) -> tuple[ToolEnded, Iterable[Event]]:
    """An outcome as ``tool/result`` and the events beside it."""
    blocks: tuple[Block, ...]
    beside: tuple[Event, ...] = ()
    if isinstance(outcome, Denied):
        blocks, is_error, code = (Text(text=outcome.sentence),), True, outcome.code
    elif isinstance(outcome.result, Result):
        result = outcome.result
        blocks, is_error, code = result.blocks(), result.is_error, result.code
        beside = (*result.events, *outcome.beside)
    else:
        failure = outcome.result
        blocks, is_error, code = (Text(text=failure.sentence),), True, failure.code
        beside = outcome.beside
    ended = ToolEnded(
        call=wanted.id,
        tool=name,
        blocks=blocks,
        is_error=is_error,
        code=code,
        parent=wanted.parent,
    )
    return ended, beside
