"""Keeps one guest: starts it, notices its end, replaces it, and remembers what to tell.

Rules: one start at a time, shared by all who wait for it (D12); after an end nobody asked for the
next guest is started at once, but not after the third within a minute (D16); the notice of a reset
is kept until an outcome takes it (D17). What burns between an agent's cells is bounded (H1).
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections import deque
from collections.abc import Callable, Sequence

from keelbook.errors import KeelbookError, Refused
from keelbook.guest_process.clocks import CpuClock
from keelbook.guest_process.death import Ending
from keelbook.guest_process.frames import Frames
from keelbook.guest_process.process import GuestProcess
from keelbook.guest_process.records import namespace_record
from keelbook.guest_process.run import Run
from keelbook.guest_process.settings import GuestSettings
from keelbook.guest_process.starter import Starter
from keelbook.interpreter import GuestInfo, Namespace, Watcher

_DEATHS: int = 3
_WITHIN_S = 60.0
_FAR = 2**50


class Keeper:
    """At most one live guest. ``on_ready``, ``on_failed`` and ``on_ended`` tell the queue."""

    def __init__(
        self,
        settings: GuestSettings,
        starter: Starter,
        on_ready: Callable[[], None],
        on_failed: Callable[[str], None],
        on_ended: Callable[[Run | None, Ending], None],
        on_busy: Callable[[Run], None],
    ) -> None:
        self._settings = settings
        self._idle_cpu_s = settings.idle_cpu_s
        self._starter = starter
        self._on_ready = on_ready
        self._on_failed = on_failed
        self._on_ended = on_ended
        self._on_busy = on_busy
        self._starting: asyncio.Task[GuestInfo] | None = None
        self._namespaces: tuple[Namespace, ...] = ()
        self._version = 0
        self._deaths: deque[float] = deque(maxlen=_DEATHS)
        self._began = False
        self._restarting = False
        self._idle: CpuClock | None = None
        self._ids = itertools.count(1 + secrets.randbelow(_FAR))
        self.watcher: Watcher | None = None
        self.process: GuestProcess | None = None
        self.frames: Frames | None = None
        self.info: GuestInfo | None = None
        self.notice = ""
        self.halted = ""
        self.closed = False

    # ------------------------------------------------------------ start

    async def ensure(self) -> GuestInfo:
        """The live guest, started if there is none. Raises BadConfig or Refused."""
        if self.info is not None:
            return self.info
        return await asyncio.shield(self.begin_start())

    def begin_start(self) -> asyncio.Task[GuestInfo]:
        """The start under way, begun if there is none. Raises Refused."""
        if self.closed:
            raise Refused("The session is closed.", "closed")
        if self.halted:
            raise Refused(self.halted, "halted")
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
            self._starting.add_done_callback(self._start_over)
        return self._starting

    async def _start(self) -> GuestInfo:
        frames = Frames(self._settings, lambda: self.watcher, self._on_busy, self.next_id)
        version = self._version
        process, info = await self._starter.start(
            self._namespaces, self._idle_cpu_s, frames, self._began
        )
        self._began = True
        self.process, self.info, self.frames = process, info, frames
        process.ended.add_done_callback(lambda ended: self._ended(frames, ended.result()))
        if version != self._version:
            self._send_namespaces()
        if self.watcher is not None:
            self.watcher.started(info)
        return info

    def _start_over(self, task: asyncio.Task[GuestInfo]) -> None:
        self._starting = None
        if task.cancelled():
            return
        problem = task.exception()
        if problem is None:
            self._on_ready()
        elif isinstance(problem, KeelbookError):
            self._on_failed(problem.sentence)
        else:
            self._on_failed(f"No guest could be started: {problem!r}.")

    # ------------------------------------------------------------ while it lives

    def next_id(self) -> int:
        """A number no other frame to this guest had."""
        return next(self._ids)

    @property
    def namespaces(self) -> dict[str, Namespace]:
        """The bound names."""
        return {each.name: each for each in self._namespaces}

    def bind(self, namespaces: Sequence[Namespace]) -> None:
        """Replaces the bound names."""
        self._namespaces = tuple(namespaces)
        self._version += 1
        self._send_namespaces()

    def _send_namespaces(self) -> None:
        if self.process is not None:
            self.process.channel.send(
                {
                    "t": "namespaces",
                    "run": None,
                    "version": self._version,
                    "set": [namespace_record(each) for each in self._namespaces],
                }
            )

    def begin(self, run: Run) -> bool:
        """Sends a run to the guest; False when it is too long to be sent."""
        if self._idle is not None:
            self._idle.stop()
            self._idle = None
        assert self.process is not None
        assert self.frames is not None
        self.frames.begin(run)
        return run.begin(self.process, self._settings, self.namespaces, self.next_id)

    def end(self, run: Run) -> None:
        """A run is settled. After an agent's, what goes on burning is counted (H1)."""
        if self.frames is None or self.process is None:
            return
        self.frames.end(run)
        if run.cell.origin == "agent" and self._settings.idle_cpu_s is not None:
            process, seconds = self.process, self._settings.idle_cpu_s
            self._idle = CpuClock(
                seconds,
                process.cpu,
                lambda: process.kill(
                    "host", f"used {seconds:g} s of CPU time between cells and was ended"
                ),
                often=False,
            )

    @property
    def accepts(self) -> bool:
        """Whether a run can be sent now."""
        process = self.process
        return process is not None and not (
            process.lifeline.killed or self.closed or self._restarting
        )

    def take_notice(self) -> str:
        """The notice of the last reset, once."""
        notice, self.notice = self.notice, ""
        return notice

    # ------------------------------------------------------------ end

    def _ended(self, frames: Frames, ending: Ending) -> None:
        run, expected = frames.run, self.closed or self._restarting
        frames.close()
        self.process = self.info = self.frames = None
        if self._idle is not None:
            self._idle.stop()
        if not expected:
            self._count_death(ending)
        self._on_ended(run, ending)
        if not expected:
            self.notice = f"{ending.sentence(None)} A new one was started; its variables are gone."
        if self.watcher is not None:
            started = None if run is None else run.started
            self.watcher.ended(ending.sentence(started), expected)
        if self.halted:
            self._on_failed(self.halted)
        elif not expected:
            self.begin_start()

    def _count_death(self, ending: Ending) -> None:
        if ending.cause == "host":
            return
        now = asyncio.get_running_loop().time()
        self._deaths.append(now)
        if len(self._deaths) == _DEATHS and now - self._deaths[0] <= _WITHIN_S:
            self.halted = (
                f"The guest {ending.how}, for the third time within a minute, and is not started "
                "again by itself; restart the kernel to start it."
            )

    async def restart(self) -> GuestInfo:
        """A new guest in place of the old one, also after too many deaths."""
        self._restarting = True
        try:
            await self._stop(self._settings.shutdown_s)
        finally:
            self._restarting = False
        self.halted, self.notice = "", ""
        self._deaths.clear()
        return await self.ensure()

    async def close(self) -> None:
        """Guest and tree gone."""
        self.closed = True
        await self._stop(self._settings.shutdown_s)
        self._starter.close()

    async def _stop(self, grace_s: float) -> None:
        starting = self._starting
        if starting is not None and not starting.done():
            starting.cancel()
            await asyncio.wait((starting,))
        if self.process is not None:
            await self.process.shut_down(grace_s)
