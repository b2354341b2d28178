"""Runs blocking file work beside the event loop, and lets it notice that nobody waits any more.

Rules: the event loop never touches a disk. A cancelled call returns at once; its thread is told
and stops at the next point that asks, a change to a file only before it is made.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class GivenUp(Exception):
    """The work was given up by whoever asked for it."""


class Stop:
    """Tells a thread that its call was cancelled."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """The call was cancelled."""
        self._event.set()

    def check(self) -> None:
        """Raises GivenUp once the call was cancelled."""
        if self._event.is_set():
            raise GivenUp


async def aside(work: Callable[[Stop], T]) -> T:
    """The result of ``work``, run in a thread; when cancelled, the thread is told to stop."""
    stop = Stop()
    try:
        return await asyncio.to_thread(work, stop)
    except asyncio.CancelledError:
        stop.set()
        raise
