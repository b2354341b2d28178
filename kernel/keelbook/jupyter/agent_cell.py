"""``%%agent``: a person's request runs a turn, drawn into the cell that asked.

Rules: a turn that was done answers ok; one that was stopped, met a limit or failed answers error,
so that a headless run stops there. Words for a turn that runs are read at its next step. What
cannot begin says in a few lines what to do. A cell that asks an agent is a person's whatever its
history (nbval keeps none); only a silent request, which could show nothing, is refused.
"""

from __future__ import annotations

from keelbook.errors import KeelbookError
from keelbook.events import TurnEnded
from keelbook.front_door import AgentCell
from keelbook.jupyter.drawing import TurnDrawing
from keelbook.jupyter.iopub import IOPub
from keelbook.jupyter.replies import Answer, Failure, plain
from keelbook.jupyter.requests import ExecuteRequest
from keelbook.session import Session

POSTED = "The agent reads this at its next step.\n"
PROFILE = (
    "This session runs with the profile `{}`; another one is chosen when a kernel starts, by "
    "KEELBOOK_PROFILE or in the workspace's settings."
)
SILENT = "An `%%agent` cell shows and records what it does; it cannot run silently."


async def run_agent(
    session: Session, door: AgentCell, iopub: IOPub, request: ExecuteRequest
) -> Answer:
    """Asks the agent and shows the turn."""
    if request.silent:
        return Answer(plain("UsageError", SILENT))
    if door.profile and door.profile != session.parts.profile:
        return Answer(plain("UsageError", PROFILE.format(session.parts.profile)))
    drawing = TurnDrawing(iopub, request.parent)
    unsubscribe = session.log.subscribe(drawing.heard)
    try:
        ended = await session.ask(door.words, drawing, model=door.model, by="cell")
    except KeelbookError as error:
        return Answer(_cannot_begin(error))
    finally:
        unsubscribe()
        drawing.close()
    return Answer(_how(ended))


def steer(session: Session, door: AgentCell, iopub: IOPub, request: ExecuteRequest) -> None:
    """Posts words to the running turn."""
    session.post(door.words, "cell")
    iopub.stream("stdout", POSTED, request.parent)


def _how(ended: TurnEnded) -> Failure | None:
    if ended.kind == "done":
        return None
    if ended.kind == "aborted":
        return Failure("KeyboardInterrupt", "", ("KeyboardInterrupt",))
    name = "TurnLimited" if ended.kind == "limited" else "TurnFailed"
    return plain(name, ended.sentence.partition("\n")[0])


def _cannot_begin(error: KeelbookError) -> Failure:
    """The sentence as lines of its own, so that each can be read and copied."""
    name = "NoModel" if error.code == "model-no-model" else type(error).__name__
    lines = tuple(error.sentence.splitlines())
    return Failure(name, error.sentence, (f"{name}: {lines[0]}", *lines[1:]))
