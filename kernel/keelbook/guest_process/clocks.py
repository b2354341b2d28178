"""The clocks of a run: wall time that people are not charged for, CPU counted from outside.

Rules (H1-H6): the wall clock stands still while a person is asked; CPU is the whole tree's, the
budget is what the cell may use and one second more is what the host waits for the guest to notice;
between cells a separate count bounds what is left burning. A clock that is not set costs nothing.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Final

from keelbook.guest_process.tree import CpuCount

_COUNT_S: Final = 0.25
_NOTICE_S: Final = 1.0
_CORES: Final = os.cpu_count() or 1


class WallClock:
    """Calls ``on_end`` once ``seconds`` have gone by that were not paused."""

    def __init__(self, seconds: float | None, on_end: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._left = seconds
        self._on_end = on_end
        self._pauses = 0
        self._timer: asyncio.TimerHandle | None = None
        self._go()

    def _go(self) -> None:
        if self._left is not None:
            self._timer = self._loop.call_later(self._left, self._on_end)

    def pause(self) -> None:
        """A person is being asked. Pauses nest."""
        self._pauses += 1
        if self._timer is not None:
            self._left = max(0.0, self._timer.when() - self._loop.time())
            self._timer.cancel()
            self._timer = None

    def resume(self) -> None:
        """They are not any more."""
        self._pauses -= 1
        if self._pauses == 0:
            self._go()

    def stop(self) -> None:
        """The run is over."""
        self._left = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class CpuClock:
    """Calls ``on_end`` once the tree has used ``seconds`` since now."""

    def __init__(
        self,
        seconds: float | None,
        count: CpuCount,
        on_end: Callable[[], None],
        *,
        often: bool = True,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._count = count
        self._on_end = on_end
        self._often = often
        self._timer: asyncio.TimerHandle | None = None
        if seconds is not None:
            self._most = count.total() + seconds + (_NOTICE_S if often else 0.0)
            self._wait(seconds)

    def _wait(self, left: float) -> None:
        pause = _COUNT_S if self._often else max(_COUNT_S, left / _CORES)
        self._timer = self._loop.call_later(pause, self._look)

    def _look(self) -> None:
        left = self._most - self._count.total()
        if left > 0:
            self._wait(left)
        else:
            self._timer = None
            self._on_end()

    def stop(self) -> None:
        """Nobody counts any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
