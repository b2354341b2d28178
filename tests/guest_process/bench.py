"""What tests of the guest drive it with: a notebook that writes down, a watcher, a bench.

``KEELBOOK_PYTHONS`` chooses the guest's interpreters: a list of paths, or ``all`` for every CPython
of 3.10 and newer that is installed; unset, the interpreter that runs the tests.
"""

from __future__ import annotations

import asyncio
import glob
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from keelbook.guest_process.guest import Guest
from keelbook.interpreter import (
    Binding,
    Cell,
    CommMessage,
    GuestInfo,
    Namespace,
    Origin,
    Outcome,
    Parameter,
)
from keelbook.observer import Display, Output

_RUNS = count(1)


def pythons() -> list[str]:
    """The interpreters guests are tested with."""
    wanted = os.environ.get("KEELBOOK_PYTHONS", "")
    if wanted != "all":
        return wanted.split(os.pathsep) if wanted else [sys.executable]
    found = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable}
    homes = glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin/python"))
    on_path = [shutil.which(f"python3.{minor}") for minor in range(10, 16)]
    for path in (*homes, *filter(None, on_path)):
        asked = "import sys; print('%d.%d' % sys.version_info[:2])"
        said = subprocess.run([path, "-c", asked], capture_output=True, text=True, check=False)
        version = said.stdout.strip()
        if said.returncode == 0 and tuple(map(int, version.split("."))) >= (3, 10):
            found.setdefault(version, path)
    return list(found.values())


@dataclass
class Notebook:
    """A sink: what one run showed, in order, and how it answers calls and questions."""

    shown: list[Output | Display] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    tools: dict[str, Callable[..., Awaitable[Any]]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def output(self, output: Output) -> None:
        self.shown.append(output)
        self.arrived.set()

    def display(self, display: Display) -> None:
        self.shown.append(display)
        self.arrived.set()

    def note(self, text: str) -> None:
        self.notes.append(text)

    async def call(self, namespace: str, name: str, arguments: dict[str, Any]) -> Any:
        self.calls.append((name, arguments))
        return await self.tools[name](**arguments)

    async def stdin(self, prompt: str, password: bool) -> str:
        self.prompts.append(prompt)
        if not self.lines:
            await asyncio.sleep(3600)
        return self.lines.pop(0)

    def text(self, stream: str = "stdout") -> str:
        return "".join(
            each.text for each in self.shown if isinstance(each, Output) and each.stream == stream
        )

    @property
    def displays(self) -> list[Display]:
        return [each for each in self.shown if isinstance(each, Display)]

    @property
    def cut(self) -> int:
        return sum(each.cut for each in self.shown if isinstance(each, Output))

    async def wait_for(self, text: str, stream: str = "stdout", seconds: float = 10) -> None:
        """Until ``text`` has been shown."""
        async with asyncio.timeout(seconds):
            while text not in self.text(stream):
                self.arrived.clear()
                await self.arrived.wait()


@dataclass
class Room:
    """A watcher: what happened outside of runs."""

    late: list[tuple[str | None, Output | Display]] = field(default_factory=list)
    comms: list[CommMessage] = field(default_factory=list)
    guests: list[GuestInfo] = field(default_factory=list)
    ends: list[tuple[str, bool]] = field(default_factory=list)

    def late_output(self, run: str | None, output: Output) -> None:
        self.late.append((run, output))

    def late_display(self, run: str | None, display: Display) -> None:
        self.late.append((run, display))

    def comm(self, message: CommMessage) -> None:
        self.comms.append(message)

    def started(self, info: GuestInfo) -> None:
        self.guests.append(info)

    def ended(self, sentence: str, expected: bool) -> None:
        self.ends.append((sentence, expected))

    def late_text(self) -> str:
        return "".join(each.text for _, each in self.late if isinstance(each, Output))


@dataclass
class Bench:
    """A guest with a notebook for each cell."""

    guest: Guest
    room: Room
    folder: Path
    cells: int = 0

    def cell(self, code: str, origin: Origin = "person", **fields: Any) -> Cell:
        self.cells += 1
        fields.setdefault("number", self.cells)
        return Cell(f"run-{next(_RUNS)}", code, origin, **fields)

    async def run(
        self, code: str, origin: Origin = "person", *, book: Notebook | None = None, **fields: Any
    ) -> tuple[Outcome, Notebook]:
        book = book or Notebook()
        return await self.guest.run(self.cell(code, origin, **fields), book), book

    def begin(
        self, code: str, origin: Origin = "person", *, book: Notebook | None = None, **fields: Any
    ) -> tuple[str, asyncio.Task[Outcome], Notebook]:
        """A run under way: its id, its end, its notebook."""
        book = book or Notebook()
        cell = self.cell(code, origin, **fields)
        return cell.run, asyncio.create_task(self.guest.run(cell, book)), book

    async def value(self, code: str) -> Any:
        outcome, book = await self.run(code)
        assert outcome.status == "ok", (outcome, book.text("stderr"))
        assert outcome.value is not None
        return outcome.value.json if outcome.value.form == "json" else outcome.value.text


MakeBench = Callable[..., Awaitable[Bench]]


def tools(*names: str, exclusive: tuple[str, ...] = (), parameters: str = "x") -> Namespace:
    """A ``tools`` namespace whose calls take ``parameters``, all optional."""
    given = tuple(Parameter(each, "any", False) for each in parameters.split())
    return Namespace(
        "tools",
        "Tools of this test.",
        tuple(Binding(name, f"Calls {name}.", given, name in exclusive) for name in names),
    )
