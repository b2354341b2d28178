"""The session and the guest behind one kernel, from before they are there until they are gone.

Rules: a profile that cannot be used and a guest that cannot boot leave a kernel that answers: every
cell gets the sentences. Nothing here waits for a guest but what needs one. Output that comes after
its cell has ended goes where it belongs: to the cell whose task made it, else nowhere in particular
(guest B6, B7).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from keelbook.errors import BadConfig, HostBug, KeelbookError, Refused
from keelbook.events import CellStarted, Logged, TurnEnded
from keelbook.front_door import AgentCell, Python, Typed, Unusable, open_door
from keelbook.interpreter import CommMessage, GuestInfo, Interpreter
from keelbook.jupyter.comms import Comms
from keelbook.jupyter.front import show
from keelbook.jupyter.iopub import IOPub, Parent
from keelbook.jupyter.requests import ExecuteRequest
from keelbook.jupyter.usage import Usage
from keelbook.log import Listener
from keelbook.observer import Display, Output
from keelbook.session import Session

_complaints = logging.getLogger(__name__)
_REMEMBERED = 1000

Opening = Callable[["Host"], Awaitable[tuple[Session, Interpreter]]]


class Host:
    """What a kernel serves. It is the session's watcher too."""

    def __init__(
        self, iopub: IOPub, opening: Opening, running: Callable[[], ExecuteRequest | None]
    ) -> None:
        self._iopub = iopub
        self._opening = opening
        self._interpreter: Interpreter | None = None
        self._opened: asyncio.Task[Session] | None = None
        self._usage = Usage()
        self._runs: OrderedDict[str, Parent] = OrderedDict()
        self.opened: Session | None = None
        self.guest_info: GuestInfo | None = None
        self.last_turn: TurnEnded | None = None
        self.comms = Comms(iopub, self._comm)
        self.listeners: list[Listener] = []
        self.running = running

    # ------------------------------------------------------------ opening and closing

    def begin(self) -> None:
        """Starts to open the session."""
        self._opened = asyncio.get_running_loop().create_task(self._open())

    async def _open(self) -> Session:
        try:
            session, self._interpreter = await self._opening(self)
        except KeelbookError:
            raise
        except Exception as error:
            _complaints.exception("Opening the session failed.")
            kind = type(error).__name__
            raise HostBug(f"The session could not be opened: {kind}: {error}.") from error
        last = session.log.read(tags=(TurnEnded.tag,), limit=1, newest_first=True)
        self._heard(tuple(last))
        for listener in (self._heard, *self.listeners):
            session.log.subscribe(listener)
        self.opened = session
        return session

    async def session(self) -> Session:
        """The session once it is open. Raises the error that kept it from opening."""
        if self._opened is None:
            raise HostBug("The session was asked for before it was opened.")
        try:
            return await asyncio.shield(self._opened)
        except BadConfig as error:
            raise BadConfig("\n".join(error.sentences), error.code, error.sentences) from None

    async def close(self) -> None:
        """Ends the session and with it the guest."""
        if self._opened is not None and not self._opened.done():
            await asyncio.wait([self._opened], timeout=2)
        if self.opened is not None:
            await self.opened.close()

    # ------------------------------------------------------------ what needs the guest

    async def complete(self, code: str, cursor: int) -> dict[str, Any]:
        """Content of ``complete_reply``."""
        content: dict[str, Any] = {
            "status": "ok", "matches": [], "cursor_start": cursor, "cursor_end": cursor,
            "metadata": {},
        }  # fmt: skip
        if self._interpreter is None:
            return content
        found = await self._interpreter.complete(code, cursor)
        content |= {
            "matches": list(found.matches), "cursor_start": found.start, "cursor_end": found.end,
        }  # fmt: skip
        if found.types:
            content["metadata"]["_jupyter_types_experimental"] = [
                {"text": text, "type": kind, "start": found.start, "end": found.end}
                for text, kind in zip(found.matches, found.types, strict=True)
            ]
        return content

    async def inspect(self, code: str, cursor: int, detail: int) -> Mapping[str, str] | None:
        """A bundle of help, None where there is none."""
        if self._interpreter is None:
            return None
        return await self._interpreter.inspect(code, cursor, detail)

    async def is_complete(self, code: str) -> dict[str, Any]:
        """Content of ``is_complete_reply``: front-door lines are complete, open cells not."""
        if code.lstrip().startswith("%%"):
            ended = "\n" in code.strip("\n") and code.endswith("\n")
            return {"status": "complete"} if ended else {"status": "incomplete", "indent": ""}
        door = open_door(code)
        if isinstance(door, AgentCell | Typed | Unusable):
            return {"status": "invalid" if isinstance(door, Unusable) else "complete"}
        return await self._python_complete(door)

    async def _python_complete(self, door: Python) -> dict[str, Any]:
        if self._interpreter is None:
            return {"status": "unknown"}
        found = await self._interpreter.is_complete(door.code)
        if found.status == "incomplete":
            return {"status": "incomplete", "indent": found.indent}
        return {"status": found.status}

    async def history(self, content: dict[str, Any]) -> list[list[Any]]:
        """The entries asked for; none while there is no session."""
        from keelbook.jupyter.history import history

        try:
            return history((await self.session()).log, content)
        except KeelbookError:
            return []

    def usage(self) -> dict[str, Any]:
        """Content of ``usage_reply``."""
        guest = None if self._interpreter is None else self._interpreter.usage()
        return {"hostname": os.uname().nodename, "pid": os.getpid(), **self._usage.now(guest)}

    async def variables(self, prefix: str, offset: int, limit: int) -> Any:
        """A page of the guest's variables and their number. Raises Refused without a guest."""
        if self._interpreter is None:
            raise Refused("There is no guest yet, so there are no variables.", "no-guest")
        return await self._interpreter.variables(prefix, offset, limit)

    def _comm(self, message: CommMessage) -> None:
        if self._interpreter is not None:
            self._interpreter.comm(message)

    # ------------------------------------------------------------ the watcher

    def late_output(self, run: str | None, output: Output) -> None:
        """Text of a run that has ended, or of none."""
        self._iopub.stream(output.stream, output.text, self._place(run))

    def late_display(self, run: str | None, display: Display) -> None:
        """A display of a run that has ended, or of none; a late value is a display."""
        op = "show" if display.op == "result" else display.op
        show(self._iopub, replace(display, op=op), self._place(run), 0)

    def comm(self, message: CommMessage) -> None:
        """A comm message of the guest's."""
        self.comms.from_guest(message, self._now())

    def started(self, info: GuestInfo) -> None:
        """A guest is there."""
        self.guest_info = info

    def ended(self, sentence: str, expected: bool) -> None:
        """The guest is gone, and with it its comms."""
        self.comms.close_all()

    def _heard(self, batch: tuple[Logged, ...]) -> None:
        for logged in batch:
            event = logged.event
            if isinstance(event, TurnEnded):
                self.last_turn = event
            elif isinstance(event, CellStarted):
                self._runs[event.run] = self._now()
                while len(self._runs) > _REMEMBERED:
                    self._runs.popitem(last=False)

    def _now(self) -> Parent:
        """The request that runs, as a parent."""
        running = self.running()
        return {} if running is None else running.parent

    def _place(self, run: str | None) -> Parent:
        """The request a run belongs to."""
        return {} if run is None else self._runs.get(run, {})
