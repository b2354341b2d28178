"""A session with the toolset over a real guest, and its cells' outputs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from keelbook.errors import Refused
from keelbook.guest_process.guest import Guest
from keelbook.interpreter import Outcome
from keelbook.observer import Display, Output
from keelbook.profile import Profile, load
from keelbook.session import Session


@dataclass
class Seen:
    """What a cell showed."""

    text: str = ""
    displays: list[Display] = field(default_factory=list)

    def output(self, output: Output) -> None:
        """Stream text."""
        self.text += output.text

    def display(self, display: Display) -> None:
        """A display."""
        self.displays.append(display)

    def note(self, text: str) -> None:
        """A note."""
        self.text += f"[{text}]"

    async def stdin(self, prompt: str, password: bool) -> str:
        """Nobody is asked."""
        raise Refused("Nobody is here.")


@dataclass(frozen=True)
class Bench:
    """A session and the person in it."""

    session: Session
    profile: Profile
    guest: Guest

    async def value(self, code: str) -> object:
        """The value of a person's cell that ends well."""
        seen = Seen()
        outcome = await self.session.run_cell(code, seen)
        assert outcome.status == "ok", (outcome.error, outcome.sentence, seen.text)
        assert outcome.value is not None
        return outcome.value.json

    async def run(self, code: str) -> tuple[Outcome, Seen]:
        """A person's cell to its end."""
        seen = Seen()
        return await self.session.run_cell(code, seen), seen


@asynccontextmanager
async def bench(workspace: Path, tmp_path: Path, profile: str = "base") -> AsyncIterator[Bench]:
    """A session in ``workspace`` under a built-in profile."""
    loaded = load(workspace, profile=profile, environ={}, folder=tmp_path / "config")
    guest = Guest(loaded.guest, cwd=str(workspace), protected=loaded.private)
    session = await Session.open(
        loaded.parts(), guest, workspace=workspace, folder=tmp_path / "sessions"
    )
    try:
        yield Bench(session, loaded, guest)
    finally:
        await session.close()
