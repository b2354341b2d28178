"""Who may run beside whom: calls enter in order, a few at a time, an exclusive one alone.

Rules (E13): first come, first in; an exclusive call waits for those before it and holds those
after. Whoever enters leaves, once.
"""

from __future__ import annotations

import asyncio
from collections import deque


class Lanes:
    """``width`` calls side by side."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._running = 0
        self._alone = False
        self._waiting: deque[tuple[asyncio.Future[None], bool]] = deque()

    async def enter(self, exclusive: bool, *, first: bool = False) -> None:
        """Waits for a lane; ``first``: before all who wait."""
        place = asyncio.get_running_loop().create_future()
        (self._waiting.appendleft if first else self._waiting.append)((place, exclusive))
        self._admit()
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self._admit()
            else:
                self.leave()
            raise

    def leave(self) -> None:
        """Gives a lane back."""
        self._running -= 1
        self._alone = False
        self._admit()

    def _admit(self) -> None:
        while self._waiting:
            place, exclusive = self._waiting[0]
            if not place.done():
                full = self._running > 0 if exclusive else self._running >= self._width
                if self._alone or full:
                    return
                self._running += 1
                self._alone = exclusive
                place.set_result(None)
            self._waiting.popleft()


class Judgement:
    """One call's way to its start: a lane, then the right to be judged alone (G5).

    ``lock`` is the session's: no two calls are judged at once, wherever they come from. The lane
    comes first, so that a call that waits for a lane keeps nobody from being judged.
    """

    def __init__(self, lanes: Lanes, lock: asyncio.Lock, exclusive: bool) -> None:
        self._lanes = lanes
        self._lock = lock
        self._exclusive = exclusive
        self._in_lane = False
        self._judging = False

    async def begin(self, *, again: bool = False) -> None:
        """Waits for both; ``again``: it was parked and goes before those who wait."""
        await self._lanes.enter(self._exclusive, first=again)
        self._in_lane = True
        try:
            await self._lock.acquire()
        except asyncio.CancelledError:
            self.end()
            raise
        self._judging = True

    def judged(self) -> None:
        """The call is started; others may be judged."""
        if self._judging:
            self._judging = False
            self._lock.release()

    def end(self) -> None:
        """The call is over, or parked. A second call does nothing."""
        self.judged()
        if self._in_lane:
            self._in_lane = False
            self._lanes.leave()
