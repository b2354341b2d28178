"""The guest as an ``Interpreter``: cells run in a process of their own, one process at a time.

Rules: one run at a time, the others queue in order; a guest is started by the first who needs one
and by nobody twice (D12); one that died is replaced at once, but for a third death within a minute
(D16), and never runs a cell again by itself (D15). What a person must know of a reset is in the
next outcome, once (D17).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from keelbook.errors import KeelbookError, Refused
from keelbook.guest_process.asides import Answer
from keelbook.guest_process.completeness import by_host
from keelbook.guest_process.death import Ending
from keelbook.guest_process.keeper import Keeper
from keelbook.guest_process.outcomes import ENDED_AS, sentence_of
from keelbook.guest_process.records import answer_of, comm_frame, completion, variables
from keelbook.guest_process.run import Run
from keelbook.guest_process.settings import GuestSettings
from keelbook.guest_process.shell import run_command
from keelbook.guest_process.spawn import Launched
from keelbook.guest_process.starter import Starter, interpreter_of
from keelbook.interpreter import (
    CancelReason,
    Cell,
    CommMessage,
    Completeness,
    Completion,
    GuestInfo,
    Namespace,
    Outcome,
    ResourceUse,
    Shell,
    ShellOutcome,
    Sink,
    Variable,
    Watcher,
)
from keelbook.observer import Stream
from keelbook.record import Json

_log = logging.getLogger("keelbook.guest")
_NOT_SENT = "The cell is too long to be sent to the guest."
_BUSY = "The guest was still busy with an earlier cell, so it was ended; this cell was not run."


class Guest:
    """An ``Interpreter`` whose cells run in a confined process of their own.

    ``early``: a process launched before the host was loaded. ``protected``: folders that are never
    granted. ``never_env``: names of variables that hold the host's own keys.
    """

    def __init__(
        self,
        settings: GuestSettings | None = None,
        *,
        cwd: str,
        session: str = "",
        early: Launched | None = None,
        protected: Sequence[str] = (),
        never_env: Sequence[str] = (),
    ) -> None:
        self._settings = settings or GuestSettings()
        python = interpreter_of(self._settings.python)
        self._starter = Starter(
            self._settings, session, os.path.realpath(cwd), python, protected, never_env, early
        )
        self._queue: deque[Run] = deque()
        self._current: Run | None = None
        self._keeper = Keeper(
            self._settings,
            self._starter,
            self._pump,
            self._give_up_all,
            self._guest_ended,
            self._guest_busy,
        )

    @property
    def info(self) -> GuestInfo | None:
        """The live guest, or None."""
        return self._keeper.info

    def watch(self, watcher: Watcher) -> None:
        """Sets the one watcher."""
        self._keeper.watcher = watcher

    async def start(self) -> GuestInfo:
        """Waits for the guest's boot. Raises BadConfig or Refused with one sentence (D18)."""
        return await self._keeper.ensure()

    def bind(self, namespaces: Sequence[Namespace]) -> None:
        """Replaces the bound names; the next cell sees them."""
        self._keeper.bind(namespaces)

    # ------------------------------------------------------------ runs

    async def run(self, cell: Cell, sink: Sink) -> Outcome:
        """Runs a cell to its one end; boots or revives a guest first where there is none."""
        run = Run(cell, sink, self._settled)
        self._queue.append(run)
        if self._keeper.accepts:
            self._pump()
        elif self._keeper.process is None:
            try:
                self._keeper.begin_start()
            except KeelbookError as problem:
                self._give_up(run, problem.sentence)
        try:
            return await asyncio.shield(run.outcome)
        except asyncio.CancelledError:
            self.cancel(cell.run, "turn")
            raise

    def _pump(self) -> None:
        """Sends the next cell when there is a guest and nothing runs in it."""
        while self._current is None and self._queue and self._keeper.accepts:
            run = self._current = self._queue.popleft()
            if not self._keeper.begin(run):
                run.settle(Outcome("error", sentence=_NOT_SENT, started=False))

    def _settled(self, run: Run, outcome: Outcome) -> Outcome:
        """A run is over: the next one may go. Its outcome carries the notice of a reset."""
        if run is self._current:
            self._current = None
            self._keeper.end(run)
            if self._queue:
                asyncio.get_running_loop().call_soon(self._pump)
        elif run in self._queue:
            self._queue.remove(run)
        notice = self._keeper.take_notice() if run.sent and outcome.status != "died" else ""
        return replace(outcome, notice=notice) if notice else outcome

    def _give_up(self, run: Run, sentence: str) -> None:
        run.settle(Outcome("died", reason="died", sentence=sentence, started=False))

    def _give_up_all(self, sentence: str) -> None:
        for run in tuple(self._queue):
            self._give_up(run, sentence)

    def cancel(self, run: str, reason: CancelReason) -> None:
        """Ends a run by the ladder; unknown or settled runs are passed over."""
        if self._current is not None and self._current.cell.run == run:
            self._current.cancel(reason)
            return
        for waiting in self._queue:
            if waiting.cell.run == run:
                sentence = sentence_of(reason, waiting.cell, "")
                waiting.settle(
                    Outcome(ENDED_AS[reason], reason=reason, sentence=sentence, started=False)
                )
                return

    @contextmanager
    def waiting(self, run: str) -> Iterator[None]:
        """While a person is asked on behalf of ``run``, its wall clock stands still (H5)."""
        current = self._current
        if current is None or current.cell.run != run:
            yield
            return
        with current.waiting():
            yield

    def _guest_ended(self, run: Run | None, ending: Ending) -> None:
        if run is None:
            return
        reason = run.ladder.reason
        if reason is None or not run.ladder.killed:
            outcome = Outcome(
                "died", reason="died", sentence=ending.sentence(run.started), started=run.started
            )
        else:
            words = f"{sentence_of(reason, run.cell, run.refusal)} {ending.sentence(None)}".strip()
            outcome = Outcome(ENDED_AS[reason], reason=reason, sentence=words, started=run.started)
        run.settle(outcome)

    def _guest_busy(self, run: Run) -> None:
        run.settle(Outcome("died", reason="died", sentence=_BUSY, started=False))
        if self._keeper.process is not None:
            self._keeper.process.kill("host", "was still busy with an earlier cell and was ended")

    # ------------------------------------------------------------ beside runs

    async def _ask(self, t: str, **fields: Json) -> Answer | None:
        frames = self._keeper.frames
        if frames is None:
            return None
        return await frames.asides.ask(t, self._settings.limits.answer_s, **fields)

    async def complete(self, code: str, cursor: int) -> Completion:
        """Completions at ``cursor``; empty when the guest does not answer in time."""
        answer = await self._ask("complete", code=code, cursor=cursor)
        return completion(answer_of("complete", answer), cursor)

    async def inspect(self, code: str, cursor: int, detail: int) -> Mapping[str, str] | None:
        """A mime bundle of help for the name at ``cursor``, or None when there is none."""
        answer = await self._ask("inspect", code=code, cursor=cursor, detail=detail)
        found = answer_of("inspect", answer)
        return found["data"] if found is not None and found["found"] else None

    async def is_complete(self, code: str) -> Completeness:
        """By the guest's grammar, or the host's when there is no guest."""
        answer = await self._ask("is-complete", code=code, cursor=len(code))
        found = answer_of("is-complete", answer)
        return Completeness(**found) if found is not None else by_host(code)

    async def variables(
        self, prefix: str = "", offset: int = 0, limit: int = 200
    ) -> tuple[Sequence[Variable], int]:
        """A page of variables and how many there are in all."""
        answer = await self._ask("variables", prefix=prefix, offset=offset, limit=limit)
        return variables(answer_of("variables", answer))

    async def peek(self, name: str, view: str, offset: int, limit: int) -> Mapping[str, Json]:
        """A mime bundle of one variable's view. Raises Refused while a cell runs."""
        if self._current is not None:
            raise Refused(
                "A cell is running; the variable can be looked at when it is over.", "busy"
            )
        answer = await self._ask("peek", name=name, view=view, offset=offset, limit=limit)
        if answer is None:
            raise Refused("The guest did not answer in time.", "no-answer")
        found = answer_of("peek", answer)
        if found is None:
            raise Refused(answer.message or "There is nothing to show.", "no-view")
        bundle: Mapping[str, Json] = found["data"]
        return bundle

    def comm(self, message: CommMessage) -> None:
        """A comm frame to the guest."""
        process = self._keeper.process
        if process is not None and not process.channel.send(comm_frame(message)):
            _log.warning("a message of the comm %s is too long to reach the guest", message.comm)

    async def shell(self, shell: Shell, on_output: Callable[[Stream, str], None]) -> ShellOutcome:
        """Runs a command under the guest's confinement, in the guest's folder by default."""
        cwd = shell.cwd or self.folder()
        return await run_command(self._starter, replace(shell, cwd=cwd), on_output)

    def folder(self) -> str:
        """The guest's current folder; the workspace while there is no guest."""
        process = self._keeper.process
        if process is not None and process.lifeline.child is not None:
            try:
                return os.readlink(f"/proc/{process.lifeline.child}/cwd")
            except OSError:
                return self._starter.cwd
        return self._starter.cwd

    def usage(self) -> ResourceUse:
        """CPU and memory of the guest's tree, now."""
        process = self._keeper.process
        if process is None:
            return ResourceUse(None, 0.0, 0)
        found = process.lifeline.processes()
        return ResourceUse(
            process.lifeline.child,
            sum(each.cpu_s for each in found),
            sum(each.memory for each in found),
        )

    # ------------------------------------------------------------ end

    async def restart(self) -> None:
        """A fresh namespace in a new guest."""
        self._abandon("The kernel was restarted.")
        await self._keeper.restart()

    async def close(self) -> None:
        """Guest and tree gone. A second call does nothing."""
        if not self._keeper.closed:
            self._abandon("The session was closed.")
        await self._keeper.close()

    def _abandon(self, sentence: str) -> None:
        for run in (*self._queue, *((self._current,) if self._current is not None else ())):
            outcome = Outcome("aborted", reason="turn", sentence=sentence, started=run.started)
            run.settle(outcome)
