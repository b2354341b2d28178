"""The calls that code in a cell makes: each goes through the pipeline and comes back as data.

Rules (G7): a refusal by policy stops the program (``RunStopped``); arguments that are not the
tool's, a tool that fails and a tool that is not there are ordinary errors it may catch
(``ToolFailed``). Calls are numbered in the order they came: ``<run>.<n>``. What a ``!`` line runs
goes through the shell's own name, and its output is the cell's own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from keelbook.errors import ToolFailed
from keelbook.interpreter import Front, RunStopped
from keelbook.loop.prompt import NAMESPACE, SHELL
from keelbook.messages import text_of
from keelbook.observer import Display, Observer, Output, Silence
from keelbook.record import Json
from keelbook.row import Denied, ToolOutcome
from keelbook.text import cut

SENTENCE_BYTES = 4096

Dispatch = Callable[[str, str, dict[str, Json], Observer | None], Awaitable[ToolOutcome]]
"""Carries out a call: its id, the tool's name, its arguments, who watches it (None: whoever watches
the cell)."""


class Aloud(Silence):
    """Shows a call's stream text as text of the cell that called."""

    def __init__(self, front: Front) -> None:
        self._front = front

    def output(self, call: str, output: Output) -> None:
        """To the front."""
        self._front.output(output)


class GovernedSink:
    """One run's sink: a front, and calls that are judged. ``shell`` names the tool of ``!``."""

    def __init__(
        self, run: str, front: Front, dispatch: Dispatch, shell: str | None = None
    ) -> None:
        self._run = run
        self._shell = shell
        self._front = front
        self._dispatch = dispatch
        self._calls = 0

    def output(self, output: Output) -> None:
        """To the front."""
        self._front.output(output)

    def display(self, display: Display) -> None:
        """To the front."""
        self._front.display(display)

    def note(self, text: str) -> None:
        """To the front."""
        self._front.note(text)

    async def stdin(self, prompt: str, password: bool) -> str:
        """The front's answer. Raises Refused."""
        return await self._front.stdin(prompt, password)

    async def call(self, namespace: str, name: str, arguments: dict[str, Json]) -> Json:
        """The tool's value. Raises ToolFailed or RunStopped."""
        watched: Observer | None = None
        if namespace == SHELL and self._shell is not None:
            name, watched = self._shell, Aloud(self._front)
        elif namespace != NAMESPACE:
            raise ToolFailed(f"There is no `{namespace}` to call.", "unknown-tool")
        self._calls += 1
        outcome = await self._dispatch(f"{self._run}.{self._calls}", name, arguments, watched)
        if isinstance(outcome, Denied):
            if outcome.stops:
                raise RunStopped(outcome.code, outcome.sentence)
            raise ToolFailed(outcome.sentence, outcome.code)
        result = outcome.result
        if isinstance(result, ToolFailed):
            raise result
        if result.is_error:
            raise ToolFailed(cut(text_of(result.blocks()), SENTENCE_BYTES)[0], result.code)
        return result.value
