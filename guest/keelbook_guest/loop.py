"""The event loop of the main thread: asyncio's own, with a few answers of ours.

Rules
- `asyncio.run` and `run_until_complete` in a cell say to use `await` (guest A27).
- A task belongs to the run whose code made it, and so does work handed to the default
  executor (guest B7, C22).
- The code of a run that policy has stopped is not stepped again, and is kept, so that no
  `finally` of it runs either (guest E1).
- The loop goes on whatever a cell does to it (guest C4, C16).
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from keelbook_guest.record import Run, current_run

USE_AWAIT = "use `await` instead: a cell already runs on the event loop"


class CellLoop(asyncio.SelectorEventLoop):
    """A selector loop that knows about runs."""

    def __init__(self) -> None:
        super().__init__()
        self.frozen: set[Run] = set()
        self.kept: list[Any] = []

    def run_until_complete(self, future: Any) -> Any:
        """Refused while the loop runs, which is always so for a cell."""
        if self.is_running():
            _close(future)
            raise RuntimeError(f"This event loop is already running; {USE_AWAIT}")
        return super().run_until_complete(future)

    def create_task(self, coro: Any, **kwargs: Any) -> Any:
        """A task; the run that makes it keeps it in mind."""
        task = super().create_task(coro, **kwargs)
        run = current_run.get()
        if run is not None:
            run.tasks.add(task)
        return task

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> Any:
        """Work for a thread; in the default executor it keeps its run."""
        if executor is None:
            func = partial(contextvars.copy_context().run, func)
        return super().run_in_executor(executor, func, *args)

    def freeze(self, run: Run) -> None:
        """From now on no coroutine or callback of `run` is stepped."""
        self.frozen.add(run)
        self.kept += [run.task, *run.tasks]
        self._call_soon = self._call_soon_unless_frozen
        ready, scheduled = self._ready, self._scheduled  # type: ignore[attr-defined]
        for handle in (*ready, *scheduled):
            if handle._context is not None and handle._context.get(current_run) is run:
                self.kept.append((handle._callback, handle._args))
                handle.cancel()

    def _call_soon_unless_frozen(self, callback: Any, args: Any, context: Any) -> Any:
        run = (context or contextvars.copy_context()).get(current_run)
        handle = asyncio.Handle(callback, args, self, context)
        if run in self.frozen:
            self.kept.append((callback, args))
            handle.cancel()
        else:
            self._ready.append(handle)  # type: ignore[attr-defined]
        return handle


def run_for_ever(loop: CellLoop, ended: Callable[[], bool]) -> None:
    """Runs the loop until `ended`; what user code does to it only begins a new round."""
    while not ended():
        try:
            _run_rounds(loop, ended)
        except BaseException:
            continue


def _run_rounds(loop: CellLoop, ended: Callable[[], bool]) -> None:
    while not ended():
        try:
            asyncio.set_event_loop(loop)
            loop.run_forever()
        except (KeyboardInterrupt, SystemExit):
            continue
        except BaseException as error:
            told = {"message": "A signal handler raised between cells", "exception": error}
            loop.call_exception_handler(told)


def explain_asyncio_run() -> None:
    """Makes `asyncio.run` in a cell say what to write instead."""
    original = asyncio.run

    def run(main: Coroutine[Any, Any, Any], **kwargs: Any) -> Any:
        if asyncio._get_running_loop() is not None:
            _close(main)
            raise RuntimeError(
                f"asyncio.run() cannot be called from a running event loop; {USE_AWAIT}"
            )
        return original(main, **kwargs)

    run.__doc__ = original.__doc__
    run.__module__ = original.__module__
    run.__wrapped__ = original  # type: ignore[attr-defined]
    asyncio.run = run
    asyncio.runners.run = run


def _close(future: object) -> None:
    """A coroutine that cannot run is closed, so that it is not warned of as well."""
    if asyncio.iscoroutine(future):
        future.close()
