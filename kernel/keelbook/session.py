"""One session: log, rows, model and interpreter put together to one agent beside one person.

Rules: everything that happens is in the log before anybody is shown it, but for probes, which leave
no trace. All methods are called on the host's event loop. One turn runs at a time; a person's cells
run between the agent's. A fault of the agent ends its turn, never the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Protocol

from keelbook.ask import Person
from keelbook.events import TurnEnded
from keelbook.interpreter import CancelReason, Front, Interpreter, Outcome, Watcher
from keelbook.log import Log
from keelbook.observer import Observer
from keelbook.parts import Parts
from keelbook.row import Command, Said

State = Literal["idle", "working", "waiting"]


class Session(Protocol):
    """An agent and a person over one log and one namespace."""

    id: str
    log: Log
    parts: Parts
    commands: Mapping[str, Command]

    @classmethod
    async def open(
        cls,
        parts: Parts,
        interpreter: Interpreter,
        *,
        workspace: Path,
        origin: str = "",
        folder: Path | None = None,
        person: Person | None = None,
        watcher: Watcher | None = None,
        interrupted: Literal["close", "continue"] = "close",
    ) -> Session:
        """The session of ``origin`` (a notebook's path; ``""`` is always a new one).

        ``folder`` holds the sessions (the user's data folder when None). A turn the last host left
        open is closed as ``aborted``, ``host-ended``, or kept open for ``go_on``. What the person
        should know (session in use, log damaged) is in ``take_notices``.
        """

    @property
    def state(self) -> State:
        """``working`` while a turn runs, ``waiting`` while that turn waits for a person."""

    @property
    def turn(self) -> int:
        """The number of the last turn, 0 before the first."""

    @property
    def step(self) -> int:
        """The number of that turn's last step, 0 before the first."""

    @property
    def queued(self) -> int:
        """Messages posted and not yet read."""

    def take_notices(self) -> tuple[str, ...]:
        """Sentences for the person that have not been taken yet; each is given once."""

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

    def interrupt(self, run: str | None = None) -> bool:
        """Ends that person's cell, or whichever runs; False when none does."""

    async def ask(
        self, text: str, observer: Observer, *, model: str | None = None, by: str = "cell"
    ) -> TurnEnded:
        """Runs a turn for a request of the person's.

        Raises Refused (``busy``) while a turn runs and Refused or ModelFailed before anything is
        written when the turn cannot begin (``no-model``). How a turn that began ended, failures of
        the model included, is the event that comes back.
        """

    async def go_on(self, observer: Observer) -> TurnEnded | None:
        """Continues the turn a dead host left open; None when there is none."""

    def post(self, text: str, by: str) -> bool:
        """A message to be read at the next step; False when no turn runs: the next one reads it."""

    def cancel(self, reason: CancelReason = "person") -> bool:
        """Ends the running turn and keeps the namespace; False when none runs."""

    async def command(self, name: str, arguments: str = "") -> Said:
        """Runs a row's command for the person. Raises Refused for a name that is not one."""

    async def close(self) -> None:
        """Ends a running turn, the rows, the guest and the log. A second call does nothing."""
