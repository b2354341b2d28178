"""What a turn or a cell shows while it happens, beyond what the log holds.

Rules: methods are called on the event loop, in the order things happen, and must not block or
raise; nothing shown here changes what the session does. The kernel draws from these and from the
log's events; a session with nobody watching uses ``Silence``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, Protocol

from keelbook.record import Json
from keelbook.value import Value

Stream = Literal["stdout", "stderr"]
DisplayOp = Literal["show", "update", "result", "clear"]


class Output(Value):
    """Stream text. ``late``: its run was settled already; ``cut``: bytes left out at the source."""

    stream: Stream
    text: str
    late: bool = False
    cut: int = 0


class Display(Value):
    """A rich display: ``data`` maps mime types to their JSON or text; ``clear`` has none."""

    op: DisplayOp
    data: Mapping[str, Json] = field(default_factory=dict)
    metadata: Mapping[str, Json] = field(default_factory=dict)
    display_id: str | None = None
    wait: bool = False
    late: bool = False


class Observer(Protocol):
    """Watches one turn of an agent. ``call`` is the id of the model's call it belongs to."""

    def words(self, delta: str) -> None:
        """More text of the reply being streamed; the whole follows as ``assistant/message``."""

    def output(self, call: str, output: Output) -> None:
        """Stream text of the cell or command that ``call`` runs."""

    def display(self, call: str, display: Display) -> None:
        """A rich display of the cell that ``call`` runs."""

    def retracted(self) -> None:
        """The words streamed so far came to nothing (the request failed and is sent again)."""


class Silence:
    """An observer nobody looks through."""

    def words(self, delta: str) -> None:
        """Unseen."""

    def output(self, call: str, output: Output) -> None:
        """Unseen."""

    def display(self, call: str, display: Display) -> None:
        """Unseen."""

    def retracted(self) -> None:
        """Unseen."""
