"""Answers the panel: one function for each op of the wire.

Rules (lab W1-W4): a request is answered whole or refused with a code of the closed set and nothing
happens; what is changed is done through the session, which logs it. Long texts are cut here, never
in the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import ValidationError

from keelbook.archive import Archive
from keelbook.config import sentences
from keelbook.errors import KeelbookError, Refused
from keelbook.events import Logged, TurnEnded, TurnStarted, Vocabulary
from keelbook.jupyter import wire
from keelbook.jupyter.cards import plan_items
from keelbook.jupyter.host import Host
from keelbook.jupyter.wire import OPS, ErrorCode, WireError, WireReply, WireRequest
from keelbook.loop.table import SEAMS, inert
from keelbook.observer import Silence
from keelbook.plan import summary_for_person
from keelbook.record import Json, Record
from keelbook.session import Session
from keelbook.text import head, near

_complaints = logging.getLogger(__name__)
_TEXT_BYTES = 2_000
_SEAM_NAMES = tuple(name for name in SEAMS if name not in ("tools", "commands"))
Answer = Callable[["Ops", Session, Any], Awaitable[Record]]


class Ops:
    """The panel's requests to one kernel. ``boot_id`` names this process to clients."""

    def __init__(self, host: Host, boot_id: str, seq: Callable[[], int]) -> None:
        self._host = host
        self._boot_id = boot_id
        self._seq = seq
        self._turns: set[asyncio.Task[TurnEnded]] = set()

    async def answer(self, content: Json) -> dict[str, Json]:
        """Content of ``keelbook_reply``."""
        id_ = content.get("id") if isinstance(content, dict) else None
        try:
            result = await self._result(content)
        except KeelbookError as error:
            code: ErrorCode = "busy" if error.code == "busy" else "refused"
            if error.code in ("unknown-op", "bad-arguments"):
                code = "unknown-op" if error.code == "unknown-op" else "bad-arguments"
            return self._reply(id_, error=WireError(code=code, sentence=error.sentence))
        except Exception as error:
            _complaints.exception("A request of the panel's failed.")
            sentence = f"Keelbook itself failed: {type(error).__name__}: {error}."
            return self._reply(id_, error=WireError(code="failed", sentence=sentence))
        return self._reply(id_, result=result.model_dump(mode="json"))

    def _reply(
        self, id_: Json, result: Json = None, error: WireError | None = None
    ) -> dict[str, Json]:
        reply = WireReply(
            id=str(id_ or ""),
            ok=error is None,
            boot_id=self._boot_id,
            seq=self._seq(),
            result=result,
            error=error,
        )
        return reply.model_dump(mode="json")

    async def _result(self, content: Json) -> Record:
        try:
            request = WireRequest.model_validate(content)
        except ValidationError as error:
            found = sentences(error, "", WireRequest)
            raise Refused(found[0], "bad-arguments") from None
        if request.op not in OPS:
            meant = near(request.op, OPS)
            hint = f"; did you mean `{meant}`?" if meant else "."
            raise Refused(f"There is no op `{request.op}`{hint}", "unknown-op")
        try:
            arguments = OPS[request.op][0].model_validate(request.args)
        except ValidationError as error:
            found = sentences(error, request.op, OPS[request.op][0])
            raise Refused(found[0], "bad-arguments") from None
        return await _ANSWERS[request.op](self, await self._host.session(), arguments)

    # ------------------------------------------------------------ the agent

    async def state(self, session: Session, asked: wire.StateGet) -> Record:
        """``state.get``."""
        topics = asked.topics or ("agent", "todos")
        return wire.State(
            agent=self._agent(session) if "agent" in topics else None,
            todos=_plan(session) if "todos" in topics else None,
        )

    def _agent(self, session: Session) -> wire.AgentState:
        ended = self._host.last_turn
        state = session.state if session.state != "idle" else "ended" if ended else "idle"
        over = ended if state == "ended" else None
        return wire.AgentState(
            state=state,
            model=session.model_name,
            profile=session.parts.profile,
            session=session.id,
            turn=session.turn,
            step=session.step,
            kind=over.kind if over else None,
            reason=over.reason if over else "",
            sentence=over.sentence if over else "",
            queued=session.queued,
        )

    async def ask(self, session: Session, asked: wire.TurnAsk) -> Record:
        """``turn.ask``: a message where a turn runs, else a turn of its own."""
        if session.state != "idle":
            session.post(asked.text, "panel")
            return wire.TurnAsked(turn=session.turn, steered=True)
        begun = asyncio.get_running_loop().create_future()

        def heard(batch: tuple[Logged, ...]) -> None:
            if not begun.done() and any(isinstance(each.event, TurnStarted) for each in batch):
                begun.set_result(None)

        unsubscribe = session.log.subscribe(heard)
        task = asyncio.create_task(session.ask(asked.text, Silence(), by="panel"))
        self._turns.add(task)
        task.add_done_callback(self._over)
        try:
            await asyncio.wait((task, begun), return_when=asyncio.FIRST_COMPLETED)
        finally:
            unsubscribe()
        if not begun.done():
            task.result()
        return wire.TurnAsked(turn=session.turn, steered=False)

    def _over(self, task: asyncio.Task[TurnEnded]) -> None:
        """A turn of the panel's ended; what it could not begin with was answered already."""
        self._turns.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _complaints.debug("A turn of the panel's did not end by itself: %s", error)

    async def cancel(self, session: Session, _: wire.TurnCancel) -> Record:
        """``turn.cancel``."""
        return wire.TurnCancelled(cancelled=session.cancel("person"))

    async def todos(self, session: Session, _: wire.TodosGet) -> Record:
        """``todos.get``."""
        return _plan(session)

    # ------------------------------------------------------------ the session

    async def rows(self, session: Session, _: wire.RowsGet) -> Record:
        """``rows.get``."""
        return wire.RowTable(
            profile=session.parts.profile,
            rows=tuple(
                wire.RowInfo(
                    name=row.name,
                    seams=tuple(name for name in _SEAM_NAMES if getattr(row, name)),
                    tools=tuple(tool.name for tool in row.tools),
                    commands=tuple(command.name for command in row.commands),
                    inert=inert(row),
                )
                for row in session.parts.rows
            ),
        )

    async def sessions(self, session: Session, asked: wire.SessionList) -> Record:
        """``session.list``."""
        vocabulary = Vocabulary(*(row.events for row in session.parts.rows))
        archive = Archive(vocabulary, session.log.folder.parent)
        found = await asyncio.to_thread(archive.sessions)
        page = found[asked.cursor : asked.cursor + asked.size]
        end = asked.cursor + len(page)
        return wire.SessionPage(
            sessions=tuple(
                wire.SessionInfo(
                    session=each.card.session,
                    origin=each.card.origin,
                    created=each.card.created,
                    active=each.active,
                    current=each.card.session == session.id,
                )
                for each in page
            ),
            total=len(found),
            next=end if end < len(found) else None,
        )

    async def events(self, session: Session, asked: wire.SessionEvents) -> Record:
        """``session.events``."""
        until = asked.before - 1 if asked.before else None
        tags = asked.tags or None
        found = list(
            session.log.read(until=until, tags=tags, limit=asked.size + 1, newest_first=True)
        )
        page = found[: asked.size]
        return wire.EventPage(
            events=tuple(
                wire.EventInfo(
                    seq=each.seq,
                    at=each.at,
                    tag=each.event.tag,
                    data=_shortened(each.event.model_dump(mode="json")),
                )
                for each in page
            ),
            total=session.log.length,
            next=page[-1].seq if len(found) > asked.size else None,
        )

    async def variables(self, session: Session, asked: wire.VariablesList) -> Record:
        """``variables.list``."""
        found, total = await self._host.variables(asked.prefix, asked.cursor, asked.size)
        end = asked.cursor + len(found)
        return wire.VariablePage(
            variables=tuple(
                wire.VariableInfo(
                    name=each.name, type=each.type, size=each.size, preview=each.preview
                )
                for each in found
            ),
            total=total,
            next=end if found and end < total else None,
        )


def _plan(session: Session) -> wire.Plan:
    if not any(row.name == "todo" for row in session.parts.rows):
        return wire.Plan(available=False)
    from keelbook.rows.todo import PLAN

    todos = session.log.fold(PLAN).todos
    summary = summary_for_person(todos) if todos else ""
    return wire.Plan(available=True, items=plan_items(todos), summary=summary)


def _shortened(value: Json) -> Any:
    if isinstance(value, str):
        short = head(value, _TEXT_BYTES)
        return value if short == value else short + "…"
    if isinstance(value, dict):
        return {key: _shortened(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_shortened(each) for each in value]
    return value


_ANSWERS: dict[str, Answer] = {
    "state.get": Ops.state,
    "turn.ask": Ops.ask,
    "turn.cancel": Ops.cancel,
    "todos.get": Ops.todos,
    "rows.get": Ops.rows,
    "session.list": Ops.sessions,
    "session.events": Ops.events,
    "variables.list": Ops.variables,
}
