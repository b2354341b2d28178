"""Commands of the host typed in a cell: those of the rows, and ``%rows`` and ``%session``.

Rules: a command is answered by the session (which logs it); nothing of it reaches the guest. One
that this profile does not have says so in a sentence.
"""

from __future__ import annotations

from keelbook.errors import Refused
from keelbook.front_door import Typed
from keelbook.jupyter.iopub import IOPub
from keelbook.jupyter.replies import Answer, from_error, plain
from keelbook.jupyter.requests import ExecuteRequest
from keelbook.loop.table import seam_table
from keelbook.session import Session
from keelbook.text import count


async def run_commands(
    session: Session, typed: Typed, iopub: IOPub, request: ExecuteRequest
) -> Answer:
    """Runs them in order; the first that is refused ends the cell."""
    for name, arguments in typed.commands:
        if name not in session.commands and name in _OWN:
            iopub.stream("stdout", _OWN[name](session) + "\n", request.parent)
            continue
        if name not in session.commands:
            profile = f" `{session.parts.profile}`" if session.parts.profile else ""
            return Answer(plain("UsageError", f"The profile{profile} has no command `%{name}`."))
        try:
            said = await session.command(name, arguments)
        except Refused as error:
            return Answer(from_error(error))
        if said.code:
            return Answer(plain("Refused", said.sentence))
        if said.bundle:
            bundle = {"text/plain": said.sentence, **said.bundle}
            iopub.display("display_data", bundle, {}, request.parent)
        elif said.sentence:
            iopub.stream("stdout", said.sentence + "\n", request.parent)
    return Answer()


def _rows(session: Session) -> str:
    """The row and seam table."""
    return "\n".join(seam_table(session.parts.rows))


def _session(session: Session) -> str:
    """Which session this is and where it is kept."""
    return "\n".join(
        (
            f"Session {session.id}: {count(session.log.length, 'event')}, "
            f"{count(session.turn, 'turn')}.",
            f"Profile: {session.parts.profile or 'none'}",
            f"Kept in: {session.log.folder}",
        )
    )


_OWN = {"rows": _rows, "session": _session}
