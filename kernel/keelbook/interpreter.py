"""The seam between a session and whatever runs its cells.

Rules: the host never runs user code, so everything here is a message to another process and may
meet its death; no method raises because of what a cell did (that is an ``Outcome``). A run ends in
exactly one way (``guest.md`` R7), and ``sentence`` tells a person how when it was not the cell's
own doing. ``probe`` runs leave no trace. All methods are called on the host's event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from typing import Literal, Protocol

from keelbook.observer import Display, Output, Stream
from keelbook.record import Json
from keelbook.value import Value

Origin = Literal["person", "agent", "probe"]
Status = Literal["ok", "error", "aborted", "stopped", "died"]
CancelReason = Literal["person", "wall", "turn", "refused", "cpu"]


class Cell(Value):
    """One request to run code. ``number`` names it ``<cell-N>``; seconds are budgets or None."""

    run: str
    code: str
    origin: Origin
    number: int | None = None
    silent: bool = False
    stdin: bool = False
    expressions: Mapping[str, str] = field(default_factory=dict)
    cpu_s: float | None = None
    wall_s: float | None = None


class CellValue(Value):
    """The value of a cell. ``json`` form crosses exactly; ``repr`` form is a bounded text."""

    form: Literal["json", "repr"]
    json: Json = None
    text: str = ""
    type: str = ""
    cut: bool = False


class CellError(Value):
    """The cell's own exception; ``traceback`` is lines, capped."""

    name: str
    message: str
    traceback: tuple[str, ...]
    cut: bool = False
    line: int | None = None


class Outcome(Value):
    """How a run ended.

    ``reason`` is a code (``person`` ``wall`` ``turn`` ``refused`` ``cpu`` ``died`` or ``""``);
    ``sentence`` explains it to a person; ``notice`` is the one-time note of a reset before this
    run (which names came back and which are lost); ``left`` counts tasks still alive.
    ``expressions`` maps each user expression to ``{"status": "ok", "data", "metadata"}`` or
    ``{"status": "error", "ename", "evalue", "traceback"}``.
    """

    status: Status
    value: CellValue | None = None
    error: CellError | None = None
    reason: str = ""
    sentence: str = ""
    notice: str = ""
    started: bool = True
    cpu_s: float = 0.0
    wall_s: float = 0.0
    left: int = 0
    expressions: Mapping[str, Json] = field(default_factory=dict)


class RunStopped(Exception):
    """Raised by ``Sink.call``: policy refuses this call and with it the whole run (G7)."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.sentence = sentence


class Front(Protocol):
    """Where a run shows what it does and asks the person."""

    def output(self, output: Output) -> None:
        """Stream text, within milliseconds of its writing."""

    def display(self, display: Display) -> None:
        """A rich display; op ``result`` is the cell's shown value."""

    def note(self, text: str) -> None:
        """One line from the runtime to the person (a restored name, say)."""

    async def stdin(self, prompt: str, password: bool) -> str:
        """The cell asks the person. Raises Refused when nobody can be asked."""


class Sink(Front, Protocol):
    """Where one run's output, calls and questions go."""

    async def call(self, namespace: str, name: str, arguments: dict[str, Json]) -> Json:
        """Code in the cell called ``namespace.name``. Raises ToolFailed or RunStopped."""


class Watcher(Protocol):
    """What happens to the guest outside any run that still has a sink."""

    def late_output(self, run: str | None, output: Output) -> None:
        """Stream text whose run was settled, or of no run."""

    def late_display(self, run: str | None, display: Display) -> None:
        """A display whose run was settled, or of no run."""

    def comm(self, message: CommMessage) -> None:
        """A comm frame from the guest."""

    def started(self, info: GuestInfo) -> None:
        """A guest answered its boot."""

    def ended(self, sentence: str, expected: bool) -> None:
        """The guest is gone."""


class CommMessage(Value):
    """One comm frame, either way. ``buffers`` are raw bytes."""

    op: Literal["open", "msg", "close"]
    comm: str
    data: Json
    metadata: Json = None
    target: str | None = None
    buffers: tuple[bytes, ...] = ()


class GuestInfo(Value):
    """A booted guest. ``confinement`` is one line; ``missing`` names what is not enforced."""

    pid: int
    python: str
    executable: str
    confinement: str
    missing: tuple[str, ...] = ()
    modules: Mapping[str, bool] = field(default_factory=dict)
    revived: bool = False


class Parameter(Value):
    """One keyword of a bound call; ``type`` is a text for the signature."""

    name: str
    type: str
    required: bool


class Binding(Value):
    """One callable the guest may call in the host. ``exclusive``: nothing runs beside it."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    exclusive: bool = False


class Namespace(Value):
    """A name bound in ``__main__`` (``tools``) and what hangs on it."""

    name: str
    description: str
    bindings: tuple[Binding, ...]
    callable: bool = False


class Completion(Value):
    """Completions for ``code[start:end]``, offsets in code points."""

    matches: tuple[str, ...]
    start: int
    end: int
    types: tuple[str, ...] = ()


class Completeness(Value):
    """``is_complete`` as Jupyter has it."""

    status: Literal["complete", "incomplete", "invalid", "unknown"]
    indent: str = ""


class Variable(Value):
    """One row of the variable list; nothing of the user's ran to make it."""

    name: str
    type: str
    size: str
    preview: str


class Shell(Value):
    """A command line for the confined shell. ``timeout_s`` None means no limit."""

    command: str
    cwd: str | None = None
    timeout_s: float | None = None


class ShellOutcome(Value):
    """How a command ended. ``exit`` is None when it was killed; ``cut`` counts bytes left out."""

    exit: int | None
    stdout: str
    stderr: str
    timed_out: bool = False
    cut: int = 0
    sentence: str = ""


class ResourceUse(Value):
    """Of the guest's whole tree: seconds of CPU, bytes resident."""

    pid: int | None
    cpu_s: float
    memory: int


class Interpreter(Protocol):
    """A place where cells run. One run at a time; callers queue."""

    @property
    def info(self) -> GuestInfo | None:
        """The live guest, or None."""

    def watch(self, watcher: Watcher) -> None:
        """Sets the one watcher."""

    async def start(self) -> GuestInfo:
        """Waits for the guest's boot. Raises BadConfig or Refused with one sentence (D18)."""

    def bind(self, namespaces: Sequence[Namespace]) -> None:
        """Replaces the bound names; the next cell sees them."""

    async def run(self, cell: Cell, sink: Sink) -> Outcome:
        """Runs a cell to its one end; boots or revives a guest first where there is none."""

    def cancel(self, run: str, reason: CancelReason) -> None:
        """Ends a run by the ladder; unknown or settled runs are passed over."""

    def waiting(self, run: str) -> AbstractContextManager[None]:
        """While a person is asked on behalf of ``run``: its wall clock stands still (H5)."""

    async def complete(self, code: str, cursor: int) -> Completion:
        """Completions at ``cursor``; empty when the guest does not answer in time."""

    async def inspect(self, code: str, cursor: int, detail: int) -> Mapping[str, str] | None:
        """A mime bundle of help for the name at ``cursor``, or None when there is none."""

    async def is_complete(self, code: str) -> Completeness:
        """By the guest's grammar, or the host's when there is no guest."""

    async def variables(
        self, prefix: str = "", offset: int = 0, limit: int = 200
    ) -> tuple[Sequence[Variable], int]:
        """A page of variables and how many there are in all."""

    async def peek(self, name: str, view: str, offset: int, limit: int) -> Mapping[str, Json]:
        """A mime bundle of one variable's view. Raises Refused while a cell runs."""

    def comm(self, message: CommMessage) -> None:
        """A comm frame to the guest."""

    async def shell(self, shell: Shell, on_output: Callable[[Stream, str], None]) -> ShellOutcome:
        """Runs a command under the guest's confinement, in the guest's folder by default."""

    def usage(self) -> ResourceUse:
        """CPU and memory of the guest's tree, now."""

    async def restart(self) -> None:
        """A fresh namespace in a new guest."""

    async def close(self) -> None:
        """Guest and tree gone. A second call does nothing."""
