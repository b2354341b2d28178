"""The log on its own: how fast it takes events and how fast a long one opens."""

from __future__ import annotations

import time
from pathlib import Path

from keelbook.archive import Archive
from keelbook.events import (
    AssistantMessaged,
    CellEnded,
    CellStarted,
    Event,
    StepStarted,
    SurfaceReplaced,
    ToolEnded,
    ToolStarted,
    Vocabulary,
)
from keelbook.messages import AssistantTurn, Call, Text, UserTurn
from keelbook.surface import FOLD, messages

MILLION = 1_000_000
KEPT = 40
"""Nodes on the surface between two replacements: what a model's window holds."""


def step(number: int) -> tuple[Event, ...]:
    """The events of one step of an agent that runs a cell."""
    call = f"t1s{number}c0"
    asked = Call(id=call, tool="run_code", arguments={"code": f"x = {number}; x + 1"})
    reply = AssistantTurn(parts=(Text(text="I add one."), asked), model="scripted")
    return (
        StepStarted(turn=1, step=number),
        AssistantMessaged(turn=1, step=number, message=reply),
        ToolStarted(call=call, tool="run_code", arguments=asked.arguments, origin="agent"),
        CellStarted(run=f"r{number}", origin="agent", code=f"x = {number}; x + 1", call=call),
        CellEnded(run=f"r{number}", status="ok", value=str(number + 1), wall_s=0.001),
        ToolEnded(call=call, tool="run_code", blocks=(Text(text=str(number + 1)),)),
    )


def append_rate(archive: Archive, batch: int, events: int = 30_000) -> float:
    """Events a second, ``batch`` to a transaction, the surface kept up."""
    log = archive.create()
    log.register(FOLD)
    event = CellEnded(run="r1", status="ok", value="42", wall_s=0.001)
    group = (event,) * batch
    begun = time.perf_counter()
    for _ in range(events // batch):
        log.append(*group)
    took = time.perf_counter() - begun
    log.close()
    return events / took


def long_session(archive: Archive) -> str:
    """A session of a million events as an agent with compaction leaves it. Returns its id."""
    log = archive.create()
    log.register(FOLD)
    number = 0
    while log.length < MILLION:
        number += 1
        log.append(*step(number))
        order = log.fold(FOLD).order
        if len(order) > KEPT:
            summary = UserTurn(blocks=(Text(text=f"Summary {number}."),), source="bench")
            log.append(SurfaceReplaced(by="bench", cites=order[:-4], nodes=(summary,)))
    log.close()
    return log.session


def opened(archive: Archive, session: str) -> float:
    """Seconds to open a session for writing and to have its surface as messages."""
    begun = time.perf_counter()
    with archive.write(session) as log:
        sent = messages(log)
        took = time.perf_counter() - begun
        if log.length < MILLION or not sent:
            raise RuntimeError("The long session is not whole.")
    return took


def archive_in(folder: Path) -> Archive:
    """An archive of the core's events."""
    return Archive(Vocabulary(), folder / "sessions")
