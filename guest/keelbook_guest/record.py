"""What the guest knows of one run, and which run the code now executing belongs to.

Rules (guest B6, B7, R14)
- A context variable names the run; asyncio tasks and callbacks inherit it from the cell
  that made them.
- A thread belongs to the run that started it. What no run is known for belongs to the
  run now at work, unless a run that has ended started it.
- A run has ended, for the guest, once its `done` is written.
"""

from __future__ import annotations

import threading
from _thread import get_ident
from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

if TYPE_CHECKING:
    import asyncio

current_run: ContextVar[Run | None] = ContextVar("current_run", default=None)


class Run:
    """One execution of a cell. `reason` is set once a cancel has arrived for it."""

    def __init__(self, frame: dict[str, Any]) -> None:
        self.id: str = frame["run"]
        self.key: str = frame["key"]
        self.file: str = frame["file"]
        self.code: str = frame["code"]
        self.origin: str = frame["origin"]
        self.silent: bool = frame["silent"]
        self.stdin: bool = frame["stdin"]
        self.cpu_s: float | None = frame["cpu_s"]
        self.expressions: dict[str, str] = frame["expressions"]
        self.number: int | None = frame.get("number")
        self.ended = False
        self.yields = False
        self.begun = False
        self.reason: str | None = None
        self.cancel_felt = False
        self.stray_due = False
        self.stray_at = 0.0
        self.stop: str | None = None
        self.stop_felt = False
        self.task: asyncio.Task[None] | None = None
        self.tasks: WeakSet[asyncio.Task[Any]] = WeakSet()
        self.tasks_cancelled = False
        self.text_bytes = {"stdout": 0, "stderr": 0}
        self.left_out = {"stdout": 0, "stderr": 0}
        self.wall_began = 0.0
        self.cpu_began = 0.0

    @classmethod
    def aside(cls, name: str) -> Run:
        """Stands for user code that the runtime runs between cells."""
        frame = dict.fromkeys(("key", "file", "code"), "")
        flags: dict[str, Any] = {"silent": True, "stdin": False, "cpu_s": None, "expressions": {}}
        run = cls({"run": name, "origin": "probe", **frame, **flags})
        run.begun = True
        return run


class Work:
    """The run now on the main thread, and the threads' runs.

    `aside` is user code that the runtime runs beside the cells; a run that arrives waits.
    """

    def __init__(self) -> None:
        self.active: Run | None = None
        self.aside: Run | None = None
        self.main = get_ident()

    def on_main(self) -> Run | None:
        """Whose user code may be on the main thread's stack."""
        return self.aside or self.active

    def producer(self) -> Run | None:
        """The run that the calling code belongs to; None when no run is known."""
        run = current_run.get()
        if run is not None:
            return run
        active = self.active
        if get_ident() == self.main:
            return active
        thread = _thread_table.get(get_ident())
        return getattr(thread, "_keelbook_run", active) if thread is not None else active

    def follow_threads(self) -> None:
        """From now on a thread remembers the run that starts it."""
        start = threading.Thread.start

        def start_in_run(thread: threading.Thread) -> None:
            thread.__dict__.setdefault("_keelbook_run", self.producer())
            start(thread)

        _wear(start_in_run, start)
        setattr(threading.Thread, "start", start_in_run)  # noqa: B010 - mypy knows no such write


_thread_table: dict[int, threading.Thread] = threading._active  # type: ignore[attr-defined]


def _wear(function: Callable[..., Any], original: Callable[..., Any]) -> None:
    """Makes `function` show as the one it stands for."""
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(function, name, getattr(original, name))
    function.__wrapped__ = original  # type: ignore[attr-defined]
