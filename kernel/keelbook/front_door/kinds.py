"""What a cell turns out to be, and the magics there are.

Rules: a door is a value; what is said to a person is one sentence. ``HOST`` names are handled by
the host and never sent to the guest (guest A37); ``IDLE`` are magics of IPython whose lack changes
nothing a notebook computes, so they are passed over with a sentence (A36).
"""

from __future__ import annotations

from keelbook.value import Value


class Help(Value):
    """``name?``: help on a name, with its source where ``detail`` is 1."""

    name: str
    detail: int


class Python(Value):
    """Code for the guest, line for line where it was.

    ``notices`` are sentences for the person; ``helps`` are asked for once the code has run;
    ``timed``: the times of the run are shown (``%%time``); ``empty``: nothing is left to run.
    """

    code: str
    notices: tuple[str, ...] = ()
    helps: tuple[Help, ...] = ()
    timed: bool = False
    empty: bool = False


class AgentCell(Value):
    """``%%agent``: a request to the agent. ``steer``: words for the turn that runs."""

    words: str
    model: str | None = None
    profile: str | None = None
    steer: bool = False


class Typed(Value):
    """Commands of the host, each a name and what follows it."""

    commands: tuple[tuple[str, str], ...]


class Unusable(Value):
    """A cell that cannot run, and the sentence that says why."""

    sentence: str


Door = Python | AgentCell | Typed | Unusable

HOST = ("todos", "compact", "snapshots", "restore", "limits", "rows", "session")
IDLE = ("load_ext", "reload_ext", "unload_ext", "autoreload", "config")
LINE = ("time", "timeit", "matplotlib", "env", "set_env", "cd", "pwd", "who", "who_ls", "whos",
        "pip", *IDLE)  # fmt: skip
CELL = ("time", "timeit", "bash", "sh", "agent")

NO_EXTENSIONS = (
    "`%{name}` does nothing here: IPython's extensions and settings do not run in this kernel."
)
UNKNOWN = "There is no magic `{name}`; there are {known}."
NOT_FIRST = "The magic `{name}` stands on the first line of its cell."
ALONE = "The magic `%{name}` stands alone in a cell, because the host answers it."
NOT_FOR_AGENTS = "The magic `{name}` is for a person's cells; an agent's code cannot use it."
NO_AWAIT = (
    "`{line}` is a governed call that has to be awaited, so it cannot stand in a plain `def` or in "
    "a class; use `async def` there."
)
NO_TIMEIT_AWAIT = "`%timeit` repeats plain code and cannot await; use `%time` for an `await`."
NO_WORDS = "`%%agent` needs a request below it: what should the agent do?"
NO_COMMAND = "`{name}` needs a command after it."
"""The sentences, each said in one place."""


def times(cpu_s: float, wall_s: float) -> str:
    """What ``%%time`` prints."""
    return f"CPU times: total: {_span(cpu_s)}\nWall time: {_span(wall_s)}\n"


def _span(seconds: float) -> str:
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "μs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"
