"""Execute requests, one after another in the order they came.

Rules (guest J3, J5): a request is busy, then its input, its outputs, then its reply and idle. When
one fails and asked for it (``stop_on_error``), all that arrived before its reply are answered
``aborted``; later ones run. A request that is answered out of turn never waits here.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import field
from typing import Any

from keelbook.errors import Refused
from keelbook.jupyter.iopub import Parent
from keelbook.value import Value


class ExecuteRequest(Value):
    """One ``execute_request`` as it arrived. ``idents`` leads back to the client."""

    idents: list[bytes]
    parent: Parent
    code: str
    silent: bool = False
    store_history: bool = True
    allow_stdin: bool = False
    stop_on_error: bool = True
    expressions: dict[str, str] = field(default_factory=dict)

    @property
    def probe(self) -> bool:
        """Silent and unrecorded requests leave no trace (DESIGN decision 12)."""
        return self.silent or not self.store_history


def parse(idents: list[bytes], message: Parent) -> ExecuteRequest:
    """The request in ``message``. Raises Refused when it is not one."""
    content: dict[str, Any] = message["content"]
    code = content.get("code")
    expressions = content.get("user_expressions") or {}
    if not isinstance(code, str) or not isinstance(expressions, dict):
        raise Refused("An execute_request needs `code`, a text.", "bad-request")
    silent = bool(content.get("silent", False))
    return ExecuteRequest(
        idents,
        message,
        code,
        silent=silent,
        store_history=bool(content.get("store_history", True)) and not silent,
        allow_stdin=bool(content.get("allow_stdin", False)),
        stop_on_error=bool(content.get("stop_on_error", True)),
        expressions={str(name): str(text) for name, text in expressions.items()},
    )


Run = Callable[[ExecuteRequest], Awaitable[None]]
"""Runs and answers one request. One that fails calls ``condemn`` right before it replies."""
Abort = Callable[[ExecuteRequest], None]


class ExecuteQueue:
    """Requests that wait for their turn, and the one that has it."""

    def __init__(self, run: Run, abort: Abort) -> None:
        self._run = run
        self._abort = abort
        self._waiting: deque[ExecuteRequest] = deque()
        self._condemned = 0
        self._worker: asyncio.Task[None] | None = None
        self.running: ExecuteRequest | None = None

    def add(self, request: ExecuteRequest) -> None:
        """Runs ``request`` once those before it are done."""
        self._waiting.append(request)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work(), name="execute")

    def condemn(self) -> None:
        """Everything that waits now is to be aborted once the running request is answered."""
        self._condemned = len(self._waiting)

    async def close(self) -> None:
        """Ends what runs and forgets what waits."""
        self._waiting.clear()
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.cancel()
            await asyncio.wait([worker], timeout=1)

    async def _work(self) -> None:
        try:
            while self._waiting:
                self.running = self._waiting.popleft()
                await self._run(self.running)
                self.running = None
                while self._condemned:
                    self._condemned -= 1
                    self._abort(self._waiting.popleft())
        finally:
            self.running = None
            self._worker = None
            if self._waiting:
                self._worker = asyncio.create_task(self._work(), name="execute")
