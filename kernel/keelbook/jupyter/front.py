"""The front of a person's cell: its outputs go to the notebook, its questions to the client.

Rules: everything belongs to the request that ran the cell; a silent one shows nothing. A question
goes to the client that sent the cell, and to nobody when it does not take questions.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from keelbook.errors import Refused
from keelbook.interpreter import Front
from keelbook.jupyter.iopub import IOPub, Parent
from keelbook.jupyter.requests import ExecuteRequest
from keelbook.observer import Display, Output

Ask = Callable[[ExecuteRequest, str, bool], Awaitable[str]]
NO_STDIN = (
    "This cell asks for input, but the front end that ran it does not take questions; "
    "set the value in code instead."
)


class PersonFront(Front):
    """Shows one request's cell. ``number`` is its execution count.

    ``hold_result`` keeps the shown value back until ``release``, so that ``%%time`` can say its
    times before it.
    """

    def __init__(
        self,
        iopub: IOPub,
        request: ExecuteRequest,
        number: int,
        ask: Ask,
        *,
        hold_result: bool = False,
    ) -> None:
        self._iopub = iopub
        self._request = request
        self._number = number
        self._ask = ask
        self._held: list[Display] | None = [] if hold_result else None

    def output(self, output: Output) -> None:
        """Stream text."""
        if not self._request.silent:
            self._iopub.stream(output.stream, output.text, self._request.parent)

    def display(self, display: Display) -> None:
        """A display, an update, the value or a clearing."""
        if self._request.silent:
            return
        if self._held is not None and display.op == "result":
            self._held.append(display)
            return
        show(self._iopub, display, self._request.parent, self._number)

    def note(self, text: str) -> None:
        """A line of the runtime's, beside the cell's own output."""
        if not self._request.silent:
            self._iopub.stream("stderr", text.rstrip("\n") + "\n", self._request.parent)

    async def stdin(self, prompt: str, password: bool) -> str:
        """The person's answer. Raises Refused."""
        if not self._request.allow_stdin:
            raise Refused(NO_STDIN, "no-stdin")
        self._iopub.flush()
        return await self._ask(self._request, prompt, password)

    def release(self) -> None:
        """Shows the value that was kept back."""
        held, self._held = self._held or [], None
        for display in held:
            self.display(display)


_KINDS = {"show": "display_data", "update": "update_display_data", "result": "execute_result"}


def show(iopub: IOPub, display: Display, parent: Parent, number: int) -> None:
    """One display as the iopub message it is."""
    if display.op == "clear":
        iopub.clear(display.wait, parent)
        return
    iopub.display(
        _KINDS[display.op],
        display.data,
        display.metadata,
        parent,
        display_id=display.display_id,
        number=number,
    )
