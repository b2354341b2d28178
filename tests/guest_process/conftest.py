"""A real guest for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from keelbook.guest_process.guest import Guest
from keelbook.guest_process.settings import GuestSettings
from tests.guest_process.bench import Bench, MakeBench, Room, pythons


@pytest.fixture(params=pythons(), ids=lambda path: path.split("/versions/")[-1].split("/")[0])
def python(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def make(python: str, tmp_path: Path) -> AsyncIterator[MakeBench]:
    """Makes guests with settings of one's own; all are closed at the end."""
    made: list[Guest] = []

    async def make_bench(**settings: Any) -> Bench:
        folder = tmp_path / "work"
        folder.mkdir(exist_ok=True)
        guest = Guest(GuestSettings(python=python, **settings), cwd=str(folder), session="test")
        made.append(guest)
        room = Room()
        guest.watch(room)
        return Bench(guest, room, folder)

    yield make_bench
    for guest in made:
        await guest.close()


@pytest.fixture
async def bench(make: MakeBench) -> Bench:
    """A guest with the default settings."""
    return await make()
