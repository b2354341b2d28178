"""What the tests of the loop share: tools and rows made for one test, a session, what it logged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keelbook.config import NoConfig
from keelbook.events import Event, ToolEnded, TurnEnded
from keelbook.interpreter import Interpreter
from keelbook.messages import text_of
from keelbook.model import Model
from keelbook.models.script import parse_script
from keelbook.models.scripted import ScriptedModel
from keelbook.models.settings import ModelSettings
from keelbook.observer import Display, Output
from keelbook.parts import Budgets, Models, Parts
from keelbook.row import Row
from keelbook.session import Session
from keelbook.tool import Arguments, Result, Scene, Tool
from keelbook.toolset import run_code
from tests.loop.inprocess import InProcess

QUICK = Budgets(retries=(0.001, 0.001))


class Word(Arguments):
    """One word."""

    word: str = ""
    number: int = 0


async def echo(arguments: Word, scene: Scene) -> Result:
    """Gives the word back."""
    return Result(arguments.word)


def tool(name: str, run: Callable[[Any, Scene], Awaitable[Result]] = echo, **more: Any) -> Tool:
    """A native tool that takes a word."""
    return Tool(name, f"The tool {name}.", Word, run, **{"native": True, **more})


def row(name: str = "made", **seams: Any) -> Row:
    """A row made for one test."""
    return Row(name=name, config=NoConfig(), **seams)


def scripted(script: str) -> Model:
    """A model that plays YAML."""
    return ScriptedModel("scripted:test", parse_script(script.encode(), "test"), ModelSettings())


def replies(*given: str) -> str:
    """A script of one turn with these replies, each in YAML's flow form."""
    return "turns:\n- replies:\n" + "".join(f"  - {each}\n" for each in given)


def calling(*calls: str) -> str:
    """A script of one message with these calls and a last word."""
    return replies(f"calls: [{', '.join(calls)}]", "text: Done.")


@dataclass
class Watching:
    """An observer that remembers."""

    seen: list[tuple[str, ...]] = field(default_factory=list)

    def words(self, delta: str) -> None:
        self.seen.append(("words", delta))

    def output(self, call: str, output: Output) -> None:
        self.seen.append(("output", call, output.stream, output.text))

    def display(self, call: str, display: Display) -> None:
        self.seen.append(("display", call, display.op))

    def retracted(self) -> None:
        self.seen.append(("retracted",))

    @property
    def text(self) -> str:
        """All words that were streamed."""
        return "".join(each[1] for each in self.seen if each[0] == "words")


@dataclass
class Front:
    """A person's cell's front that remembers."""

    seen: list[tuple[str, ...]] = field(default_factory=list)
    answer: str = "an answer"

    def output(self, output: Output) -> None:
        self.seen.append((output.stream, output.text))

    def display(self, display: Display) -> None:
        self.seen.append(("display", display.op))

    def note(self, text: str) -> None:
        self.seen.append(("note", text))

    async def stdin(self, prompt: str, password: bool) -> str:
        return self.answer


@asynccontextmanager
async def session(
    folder: Path,
    script: str | Model = "turns:\n- replies:\n  - text: Done.\n",
    *,
    rows: Sequence[Row] = (),
    tools: Sequence[Tool] = (),
    interpreter: Interpreter | None = None,
    code_mode: bool = True,
    models: Models | None = None,
    **more: Any,
) -> AsyncIterator[Session]:
    """A session over ``folder`` whose model plays ``script``; it has ``python`` and ``tools``."""
    model = scripted(script) if isinstance(script, str) else script
    parts = Parts(
        rows=tuple(rows),
        tools=(run_code.tool(), *tools),
        models=models or (lambda name: model),
        code_mode=code_mode,
        budgets=QUICK,
    )
    workspace = folder / "workspace"
    workspace.mkdir(exist_ok=True)
    opened = await Session.open(
        parts,
        interpreter or InProcess(),
        workspace=workspace,
        folder=folder / "sessions",
        **more,
    )
    try:
        yield opened
    finally:
        await opened.close()


async def asked(opened: Session, text: str = "Please.") -> TurnEnded:
    """A turn that nobody watches, to its end."""
    return await opened.ask(text, Watching())


def logged(opened: Session, *kinds: type[Event]) -> list[Any]:
    """The events of these kinds, in log order; all of them without a kind."""
    return [each.event for each in opened.log.read() if not kinds or isinstance(each.event, kinds)]


def tags(events: Iterable[Event]) -> list[str]:
    """Their tags."""
    return [event.tag for event in events]


def results(opened: Session) -> dict[str, tuple[str, str]]:
    """Each call's code and text, by its id; asserts that each has one result only."""
    ended = logged(opened, ToolEnded)
    assert len({each.call for each in ended}) == len(ended)
    return {each.call: (each.code, text_of(each.blocks)) for each in ended}


async def until(condition: Callable[[], object], seconds: float = 5.0) -> None:
    """Waits until something is so."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.002)
