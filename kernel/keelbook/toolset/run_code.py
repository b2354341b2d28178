"""The tool ``run_code`` (``python`` to the model): code as a cell in the shared namespace.

Rules: the person sees everything the cell shows, live; the model reads a text made from the same
output within its own caps (``transcript``). A cell that raises is no failure of the tool: it ran.
"""

from pydantic import Field

from keelbook.errors import Refused, ToolFailed
from keelbook.interpreter import Outcome
from keelbook.observer import Display, Observer, Output
from keelbook.tool import Arguments, Capabilities, Result, Scene, Tool
from keelbook.toolset.transcript import Transcript

DESCRIPTION = (
    "Run Python code as a cell in the notebook's namespace. Names stay defined; top-level await "
    "and return work; the value of the last expression, printed text and displays come back."
)
NOBODY_ASKED = (
    "An agent's cell cannot ask for input; end your turn with a question to the person instead."
)
CODES = {"ok": "", "error": "cell-error", "aborted": "cell-aborted", "stopped": "cell-stopped",
         "died": "guest-died"}  # fmt: skip


class RunCodeArguments(Arguments):
    """What to run."""

    code: str = Field(description="Python source of one cell.")


class _Watched:
    """The cell's front: the observer sees all of it, the transcript keeps what the model reads."""

    def __init__(self, call: str, observer: Observer, transcript: Transcript) -> None:
        self._call = call
        self._observer = observer
        self._transcript = transcript

    def output(self, output: Output) -> None:
        self._observer.output(self._call, output)
        self._transcript.output(output)

    def display(self, display: Display) -> None:
        self._observer.display(self._call, display)
        self._transcript.display(display)

    def note(self, text: str) -> None:
        self._observer.output(self._call, Output("stderr", text.rstrip("\n") + "\n"))
        self._transcript.note(text)

    async def stdin(self, prompt: str, password: bool) -> str:
        raise Refused(NOBODY_ASKED, "no-stdin")


async def _run_code(arguments: RunCodeArguments, scene: Scene) -> Result:
    if scene.run_cell is None:
        raise ToolFailed("No cell can be run here.")
    transcript = Transcript(images=scene.images)
    outcome = await scene.run_cell(arguments.code, _Watched(scene.call, scene.observer, transcript))
    text, cut = transcript.text(outcome)
    return Result(
        value={"status": outcome.status, "reason": outcome.reason, "cut": cut},
        text=text,
        images=transcript.images,
        is_error=outcome.status != "ok",
        code=_code(outcome),
    )


def _code(outcome: Outcome) -> str:
    return "guest" if outcome.status == "died" and not outcome.started else CODES[outcome.status]


def tool(shown_as: str | None = "python") -> Tool:
    """``run_code(code)``; for agents and never from code itself."""
    return Tool(
        name="run_code",
        description=DESCRIPTION,
        arguments=RunCodeArguments,
        run=_run_code,
        capabilities=Capabilities(irreversible=True),
        exclusive=True,
        audience="agents",
        bound=False,
        native=True,
        shown_as=shown_as,
    )
