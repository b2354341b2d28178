"""One session: log, rows, model and interpreter put together to one agent beside one person.

Rules: everything that happens is in the log before anybody is shown it, but for probes, which leave
no trace. All methods are called on the host's event loop. One turn runs at a time; a person's cells
run between the agent's. A fault of the agent ends its turn, never the session.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any, Literal

from keelbook import __version__
from keelbook.archive import Archive
from keelbook.ask import Nobody, Person
from keelbook.errors import KeelbookError, Refused
from keelbook.events import (
    CommandDone,
    CommandRun,
    Event,
    RowFailed,
    SessionOpened,
    TurnEnded,
    TurnStarted,
    UserMessaged,
    UserPosted,
    Vocabulary,
)
from keelbook.files import Files
from keelbook.fold import Fold
from keelbook.interpreter import CancelReason, Cell, Front, Interpreter, Outcome, Watcher
from keelbook.log import Log
from keelbook.loop import progress, prompt, repair
from keelbook.loop.cells import Cells
from keelbook.loop.pipeline import Pipeline
from keelbook.loop.stage import Stage
from keelbook.loop.turn import Turn, admitted, said_by
from keelbook.model import Model
from keelbook.observer import Observer, Silence
from keelbook.opening import open_by_id, open_log
from keelbook.parts import Parts
from keelbook.row import Command, Row, Said
from keelbook.surface import FOLD as SURFACE
from keelbook.text import near
from keelbook.tool import Tool
from keelbook.watching import GuestRecord

State = Literal["idle", "working", "waiting"]

BUSY = "The agent is working; cancel its turn first, or send this as a message to be read next."
NOTHING = "There is nothing to ask: the request is empty."
NO_COMMAND = "There is no command `{name}`{hint}."
CLOSED = "This session is closed."
LEFT_OPEN = {
    "host-ended": ("the kernel ended.", "The turn ended because the kernel that ran it ended."),
    "not-recorded": ("the log was full.", "The turn ended because its log could not be written."),
}


class Session:
    """An agent and a person over one log and one namespace. Made by ``open``."""

    def __init__(
        self,
        parts: Parts,
        interpreter: Interpreter,
        log: Log,
        vocabulary: Vocabulary,
        workspace: Path,
        person: Person,
    ) -> None:
        rows = parts.rows
        self.id = log.session
        self.log = log
        self.parts = parts
        self.commands: Mapping[str, Command] = {
            command.name: command for command in parts.every_command
        }
        self._vocabulary = vocabulary
        self._interpreter = interpreter
        self._stage = Stage(
            log,
            rows,
            parts.every_tool,
            person,
            code_mode=parts.code_mode,
            workspace=str(workspace),
        )
        judge = self._stage.seams.on_file if any(row.on_file for row in rows) else None
        self._cells = Cells(log, interpreter)
        self._pipeline = Pipeline(
            log=log,
            tools=self._stage.tools,
            seams=self._stage.seams,
            view=self._stage,
            files=Files(root=workspace, writable=parts.writable, judge=judge),
            interpreter=interpreter,
            cells=self._cells,
            budgets=parts.budgets,
            code_mode=self._stage.code_mode,
        )
        self._models: dict[str | None, Model] = {}
        self._notices: list[str] = []
        self._probes = 0
        self._left_open = "host-ended"
        self._turn: Turn | None = None
        self._task: asyncio.Task[TurnEnded] | None = None
        self._lifespans = AsyncExitStack()
        self._closed = False

    @classmethod
    async def open(
        cls,
        parts: Parts,
        interpreter: Interpreter,
        *,
        workspace: Path,
        origin: str = "",
        session: str | None = None,
        folder: Path | None = None,
        person: Person | None = None,
        watcher: Watcher | None = None,
        interrupted: Literal["close", "continue"] = "close",
    ) -> Session:
        """The session of ``origin`` (a notebook's path; ``""`` is always a new one), or that
        very ``session``.

        ``folder`` holds the sessions (the user's own when None). A turn the last host left open is
        closed as ``aborted``, ``host-ended``, or kept open for ``go_on``. What the person should
        know (session in use, log damaged) is in ``take_notices``. Raises Refused when nothing can
        be written anywhere.
        """
        vocabulary = Vocabulary(*(row.events for row in parts.rows))
        if session is None:
            opened = open_log(vocabulary, folder, origin, str(workspace), _folds(parts))
        else:
            opened = open_by_id(vocabulary, folder, session)
        try:
            made = cls(parts, interpreter, opened.log, vocabulary, workspace, person or Nobody())
            made._notices += opened.notices
            await made._begin(interrupted, watcher)
        except BaseException:
            opened.log.close()
            raise
        return made

    async def _begin(self, interrupted: str, watcher: Watcher | None) -> None:
        self.log.register(*_folds(self.parts))
        self.log.append(SessionOpened(version=__version__, kernel=os.getpid()))
        self._repair("" if interrupted == "continue" else "host-ended")
        record = GuestRecord(self.log, watcher)
        self._interpreter.watch(record)
        if self._interpreter.info is not None:
            record.started(self._interpreter.info)
        tools = self._stage.tools.values()
        self._interpreter.bind([prompt.namespace(tools), *prompt.shell_namespace(tools)])
        for row in self.parts.rows:
            await self._enter(row)

    async def _enter(self, row: Row) -> None:
        if row.lifespan is None:
            return
        try:
            await self._lifespans.enter_async_context(row.lifespan(self._stage))
        except Exception as fault:
            self._fault(row.name, "lifespan", fault)

    def _fault(self, row: str, seam: str, fault: Exception) -> None:
        said = f"{type(fault).__name__}: {fault}"
        self.log.append(RowFailed(row=row, seam=seam, sentence=said))

    def _repair(self, reason: str) -> None:
        """Closes what another host, or a log that was full, left open; "" keeps the turn."""
        now = self._stage.progress
        left: list[Event] = list(repair.running_calls(now, self._cells.people))
        if now.open and reason:
            why, sentence = LEFT_OPEN[reason]
            left += repair.unstarted_calls(now, "not-run", why)
            left.append(
                TurnEnded(
                    turn=now.turn,
                    kind="aborted",
                    reason=reason,
                    sentence=sentence,
                    steps=now.step,
                )
            )
        self.log.append(*left)

    # ---------------------------------------------------------------- what it is doing

    @property
    def state(self) -> State:
        """``working`` while a turn runs, ``waiting`` while that turn waits for a person."""
        if self._task is None:
            return "idle"
        return "waiting" if self._pipeline.parked else "working"

    @property
    def turn(self) -> int:
        """The number of the last turn, 0 before the first."""
        return self._stage.progress.turn

    @property
    def step(self) -> int:
        """The number of that turn's last step, 0 before the first."""
        return self._stage.progress.step

    @property
    def queued(self) -> int:
        """Messages posted and not yet read."""
        return len(self._stage.progress.inbox)

    @property
    def model_name(self) -> str:
        """The model of the running or last turn, ``""`` before the first."""
        return self._stage.model_name

    @property
    def tools(self) -> Mapping[str, Tool]:
        """Every tool of the session, by name."""
        return self._stage.tools

    def take_notices(self) -> tuple[str, ...]:
        """Sentences for the person that have not been taken yet; each is given once."""
        taken, self._notices = tuple(self._notices), []
        return taken

    # ---------------------------------------------------------------- a person's cells

    async def run_cell(
        self,
        code: str,
        front: Front,
        *,
        number: int | None = None,
        probe: bool = False,
        silent: bool = False,
        stdin: bool = False,
        expressions: Mapping[str, str] | None = None,
        run: str | None = None,
    ) -> Outcome:
        """A person's cell (or a probe) to its one end. ``run`` is its id, ours when None."""
        cell = Cell(
            run=run or self._run_id(probe),
            code=code,
            origin="probe" if probe else "person",
            number=number,
            silent=silent,
            stdin=stdin,
            expressions=expressions or {},
        )
        return await self._cells.run(cell, self._pipeline.sink(cell, front, Silence()))

    def _run_id(self, probe: bool) -> str:
        if not probe:
            return self._cells.next_run()
        self._probes += 1
        return f"probe{self._probes}"

    def interrupt(self, run: str | None = None) -> bool:
        """Ends that cell, or whichever of a person's runs; False when none does."""
        ended = [each for each in self._cells.people if run in (None, each)]
        for each in ended:
            self._interpreter.cancel(each, "person")
        return bool(ended)

    # ---------------------------------------------------------------- turns

    async def ask(
        self, text: str, observer: Observer, *, model: str | None = None, by: str = "cell"
    ) -> TurnEnded:
        """Runs a turn for a request of the person's.

        Raises Refused (``busy``, ``empty``, a log that cannot be written), BadConfig or ModelFailed
        before anything is written when the turn cannot begin. How a turn that began ended, failures
        of the model included, is the event that comes back.
        """
        self._refuse_unless_idle()
        if not text.strip():
            raise Refused(NOTHING, "empty")
        chosen = self._model(model)
        self._repair(self._left_open)
        number = self._stage.progress.turn + 1
        request: tuple[UserMessaged, ...] = (
            *admitted(self._stage.progress.inbox), said_by(text, by),
        )  # fmt: skip
        self.log.append(TurnStarted(turn=number, model=chosen.name), *request)
        return await self._drive(chosen, observer)

    async def go_on(self, observer: Observer, *, model: str | None = None) -> TurnEnded | None:
        """Continues the turn a dead host left open; None when there is none."""
        self._refuse_unless_idle()
        if not self._stage.progress.open:
            return None
        return await self._drive(self._model(model or self._stage.progress.model), observer)

    def _refuse_unless_idle(self) -> None:
        if self._closed:
            raise Refused(CLOSED, "closed")
        if self._task is not None:
            raise Refused(BUSY, "busy")

    def _model(self, name: str | None) -> Model:
        if name not in self._models:
            self._models[name] = self.parts.models(name)
        return self._models[name]

    async def _drive(self, model: Model, observer: Observer) -> TurnEnded:
        self._left_open = "not-recorded"
        self._stage.model = model
        self._pipeline.images = model.images
        self._turn = Turn(self._stage, self._pipeline, model, observer)
        self._task = asyncio.create_task(self._turn.run())
        try:
            return await asyncio.shield(self._task)
        except asyncio.CancelledError:
            self.cancel()
            await asyncio.wait([self._task])
            raise
        finally:
            self._turn = self._task = None

    def post(self, text: str, by: str) -> bool:
        """A message to be read at the next step; False when no turn runs: the next one reads it.

        Raises Refused when it is empty or cannot be written.
        """
        if not text.strip():
            raise Refused(NOTHING, "empty")
        self.log.append(UserPosted(words=text, by=by))
        return self._task is not None

    def cancel(self, reason: CancelReason = "person") -> bool:
        """Ends the running turn and keeps the namespace; False when none runs."""
        return self._cancel(reason, reason)

    def _cancel(self, reason: CancelReason, why: str) -> bool:
        if self._turn is None or self._task is None or self._task.done():
            return False
        self._cells.why = reason
        self._turn.cancel(why)
        return True

    # ---------------------------------------------------------------- commands and the end

    async def command(self, name: str, arguments: str = "") -> Said:
        """Runs a row's command for the person. Raises Refused for a name that is not one."""
        command = self.commands.get(name)
        if command is None:
            meant = near(name, self.commands)
            hint = f"; did you mean `{meant}`?" if meant else ""
            raise Refused(NO_COMMAND.format(name=name, hint=hint).replace("?.", "?"), "no-command")
        self.log.append(CommandRun(name=name, arguments=arguments))
        try:
            said = await command.run(arguments, self._stage)
        except KeelbookError as error:
            said = Said(error.sentence, code=error.code)
        except Exception as fault:
            said = Said(f"`{name}` failed: {type(fault).__name__}: {fault}", code="row-failed")
        self.log.append(CommandDone(name=name, sentence=said.sentence, code=said.code))
        return said

    def fork(self, at: int | None = None) -> str:
        """A new session that shares this one's log up to event ``at`` (all of it); its id.

        Raises Refused inside a turn or a batch.
        """
        archive = Archive(self._vocabulary, self.log.folder.parent)
        return archive.fork(self.id, self.log.length if at is None else at)

    async def close(self) -> None:
        """Ends a running turn, the rows, the guest and the log. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        if self._task is not None:
            self._cancel("turn", "closed")
            await asyncio.wait([self._task])
        with closing(self.log):
            try:
                await self._lifespans.aclose()
            except Exception as fault:
                self._fault("rows", "lifespan", fault)
            for model in self._models.values():
                await model.close()
            await self._interpreter.close()


def _folds(parts: Parts) -> list[Fold[Any]]:
    """Every fold a session of these parts keeps up, each once."""
    return [progress.FOLD, SURFACE, *dict.fromkeys(f for row in parts.rows for f in row.folds)]
