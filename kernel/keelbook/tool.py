"""The seam between the tool pipeline and a tool: one contract for all.

Rules: a tool declares what it is (``Capabilities``) and takes a validated, frozen ``arguments``
record; it is called only after every judgement. It returns a ``Result``, raises ``ToolFailed``
when it could not do its work, ``Refused`` when policy below it said no. What it returns as
``value`` reaches a program in a cell whole; ``text`` is what a model reads.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from keelbook.events import Event
from keelbook.files import Files, Operation
from keelbook.interpreter import Front, Interpreter, Origin, Outcome
from keelbook.messages import Block, Image, Text
from keelbook.observer import Observer
from keelbook.record import Json, Record
from keelbook.value import Value

if TYPE_CHECKING:
    from keelbook.log import Log


class Arguments(Record):
    """Base of every tool's arguments; field descriptions become the JSON schema."""


class PathArgument(Value):
    """An argument that is a path, and what the tool does to it."""

    name: str
    operation: Operation


class Capabilities(Value):
    """What a tool says of itself; rows decide by these, never by a tool's name."""

    read_only: bool = False
    self_limiting: bool = False
    disposable_args: bool = False
    command_line: bool = False
    irreversible: bool = False
    reads_paths: bool = False
    searches_paths: bool = False
    paths: tuple[PathArgument, ...] = ()


class Result(Value):
    """What a tool gives back. ``text`` None: the model reads ``value`` as JSON.

    ``events`` are facts this call established; they are written in one batch with its
    ``tool/result``, so that neither is in the log without the other.
    """

    value: Json
    text: str | None = None
    images: tuple[Image, ...] = ()
    is_error: bool = False
    code: str = ""
    events: tuple[Event, ...] = ()

    def blocks(self) -> tuple[Block, ...]:
        """The model's view."""
        if self.text is not None:
            words = self.text
        elif isinstance(self.value, str):
            words = self.value
        else:
            import json

            words = json.dumps(self.value, ensure_ascii=False)
        return (Text(text=words), *self.images)


class Scene(Value):
    """Where a call happens: what a tool may use. ``call`` is the call's id.

    ``run_cell`` runs code in the guest as a cell of this call, with its records and its governed
    calls; ``images`` says whether the model takes pictures.
    """

    call: str
    origin: Origin
    log: Log
    files: Files
    interpreter: Interpreter
    observer: Observer
    parent: str = ""
    turn: int = 0
    images: bool = False
    run_cell: Callable[[str, Front], Awaitable[Outcome]] | None = None


class Tool(Value):
    """One tool. ``exclusive``: nothing runs beside it. ``shown_as``: its name to the model.

    ``audience`` ``agents``: refused (``agents-only``) when a person's cell calls it. ``bound``:
    whether code in cells reaches it as ``tools.<name>``. ``native``: the model gets it as a tool of
    its own in code mode too, where the others are for code only. ``refusal``: how a refusal of its
    arguments begins, where "`name` was not run" is not what to say.
    """

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Any, Scene], Awaitable[Result]]
    capabilities: Capabilities = field(default_factory=Capabilities)
    exclusive: bool = False
    audience: Literal["everyone", "agents"] = "everyone"
    bound: bool = True
    native: bool = False
    refusal: str = ""
    shown_as: str | None = None

    @property
    def title(self) -> str:
        """The name the model knows it by."""
        return self.shown_as or self.name
