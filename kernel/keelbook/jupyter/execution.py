"""Runs one execute request: a cell in the guest, a request to the agent, or commands of the host.

Rules: what a person typed is judged by the front door first; the count goes up by one for each
request that is recorded, and only then (guest J6, J7, J9). Whatever goes wrong becomes an error of
that cell; the next one runs.
"""

from __future__ import annotations

import logging
from typing import Any

from keelbook.errors import KeelbookError, Refused
from keelbook.events import InputTyped
from keelbook.front_door import AgentCell, Door, Help, Python, Typed, Unusable, open_door, times
from keelbook.jupyter import replies
from keelbook.jupyter.front import PersonFront
from keelbook.jupyter.host import Host
from keelbook.jupyter.iopub import IOPub
from keelbook.jupyter.replies import Answer, Failure
from keelbook.jupyter.requests import ExecuteRequest
from keelbook.jupyter.stdin import Stdin
from keelbook.session import Session

_complaints = logging.getLogger(__name__)
NOT_FOUND = "Object `{}` not found.\n"


class Execution:
    """Execute requests of one kernel, one at a time but for steering."""

    def __init__(self, iopub: IOPub, stdin: Stdin, host: Host) -> None:
        self._iopub = iopub
        self._stdin = stdin
        self._host = host
        self._agent_runs: ExecuteRequest | None = None
        self.count = 0

    async def run(self, request: ExecuteRequest) -> dict[str, Any]:
        """Runs a request; the content of its reply."""
        number = self._number(request)
        if not request.silent:
            content = {"code": request.code, "execution_count": number}
            self._iopub.send("execute_input", content, request.parent)
        answer = await self._answered(request, number)
        if answer.failure is not None and not request.silent:
            self._iopub.send("error", answer.failure.content(), request.parent)
        return answer.content(number)

    def interrupt(self, running: ExecuteRequest | None) -> None:
        """Ends what the running request does; with none running, the agent's turn if one runs."""
        session = self._host.opened
        if session is None:
            return
        if running is not None and running is not self._agent_runs:
            session.interrupt()
        else:
            session.cancel("person")

    # ------------------------------------------------------------ steering

    def out_of_turn(self, request: ExecuteRequest) -> bool:
        """Whether this is ``%%agent --steer`` while a turn runs."""
        session = self._host.opened
        if session is None or session.state == "idle" or "--steer" not in request.code:
            return False
        door = open_door(request.code, commands=session.commands)
        return isinstance(door, AgentCell) and door.steer

    async def steer(self, request: ExecuteRequest) -> dict[str, Any]:
        """Posts a request's words to the running turn; the content of its reply."""
        number = self._number(request)
        session = await self._host.session()
        content = {"code": request.code, "execution_count": number}
        self._iopub.send("execute_input", content, request.parent)
        door = open_door(request.code, commands=session.commands)
        self._record(session, request, door, number)
        if isinstance(door, AgentCell):
            from keelbook.jupyter.agent_cell import steer

            steer(session, door, self._iopub, request)
        return Answer().content(number)

    # ------------------------------------------------------------ one request

    def _number(self, request: ExecuteRequest) -> int:
        if request.store_history:
            self.count += 1
        return self.count

    async def _answered(self, request: ExecuteRequest, number: int) -> Answer:
        try:
            session = await self._host.session()
            if not request.silent:
                self._tell(request, session.take_notices())
            door = open_door(request.code, commands=session.commands)
            self._record(session, request, door, number)
            return await self._through(door, session, request, number)
        except KeelbookError as error:
            return Answer(replies.from_error(error))
        except Exception as error:
            _complaints.exception("Running a cell failed.")
            name = type(error).__name__
            return Answer(replies.plain("HostBug", f"Keelbook itself failed: {name}: {error}."))

    async def _through(
        self, door: Door, session: Session, request: ExecuteRequest, number: int
    ) -> Answer:
        match door:
            case Unusable():
                return Answer(replies.plain("UsageError", door.sentence))
            case Python():
                return await self._python(door, session, request, number)
            case Typed():
                from keelbook.jupyter.commands import run_commands

                return await run_commands(session, door, self._iopub, request)
            case AgentCell():
                from keelbook.jupyter.agent_cell import run_agent

                self._agent_runs = request
                try:
                    return await run_agent(session, door, self._iopub, request)
                finally:
                    self._agent_runs = None

    async def _python(
        self, door: Python, session: Session, request: ExecuteRequest, number: int
    ) -> Answer:
        self._tell(request, door.notices)
        if door.empty:
            return Answer(pages=await self._pages(door.helps, request))
        front = PersonFront(self._iopub, request, number, self._stdin.ask, hold_result=door.timed)
        outcome = await session.run_cell(
            door.code,
            front,
            number=number if request.store_history else None,
            probe=request.probe,
            silent=request.silent,
            stdin=request.allow_stdin,
            expressions=request.expressions,
        )
        if outcome.notice:
            self._tell(request, (outcome.notice,))
        if door.timed and outcome.status in ("ok", "error"):
            self._iopub.stream("stdout", times(outcome.cpu_s, outcome.wall_s), request.parent)
        front.release()
        failure: Failure | None = replies.from_outcome(outcome)
        if failure is not None:
            return Answer(failure)
        pages = await self._pages(door.helps, request)
        return Answer(pages=pages, expressions=outcome.expressions)

    async def _pages(
        self, helps: tuple[Help, ...], request: ExecuteRequest
    ) -> tuple[dict[str, Any], ...]:
        """Help for each name; a name that is not there is said on stdout."""
        found = []
        for each in helps:
            data = await self._host.inspect(each.name, len(each.name), each.detail)
            if data:
                found.append(dict(data))
            elif not request.silent:
                self._iopub.stream("stdout", NOT_FOUND.format(each.name), request.parent)
        return tuple(found)

    def _record(self, session: Session, request: ExecuteRequest, door: Door, number: int) -> None:
        """Keeps what was typed for the history, where the cell's own record does not say it."""
        if not request.store_history or (isinstance(door, Python) and door.code == request.code):
            return
        try:
            session.log.append(InputTyped(number=number, source=request.code))
        except Refused as error:
            self._tell(request, (error.sentence,))

    def _tell(self, request: ExecuteRequest, sentences: tuple[str, ...]) -> None:
        if not request.silent:
            for sentence in sentences:
                self._iopub.stream("stderr", sentence + "\n", request.parent)
