"""Questions put to a guest beside its runs: completion, help, variables, views.

Rules (R5, J2, J16): each has an id and one answer; an answer that does not come in time, is
refused by the guest or cannot come any more is None, and the asker says what that means. Nothing
waits for a cell.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from keelbook.guest_process.decoding import Frame
from keelbook.value import Value

_SLACK_S: Final = 0.5


class Answer(Value):
    """What came back: ``data`` as the guest made it, or why there is none."""

    ok: bool
    data: Any = None
    message: str = ""


class Asides:
    """The open questions to one guest."""

    def __init__(self, send: Callable[[Frame], bool], next_id: Callable[[], int]) -> None:
        self._loop = asyncio.get_running_loop()
        self._send = send
        self._next_id = next_id
        self._open: dict[int, tuple[asyncio.Future[Answer | None], asyncio.TimerHandle]] = {}

    async def ask(self, t: str, seconds: float, **fields: Any) -> Answer | None:
        """The answer to one question, or None."""
        id_ = self._next_id()
        future: asyncio.Future[Answer | None] = self._loop.create_future()
        if not self._send({"t": t, "run": None, "id": id_, **fields}):
            return None
        timer = self._loop.call_later(seconds + _SLACK_S, self._settle, id_, None)
        self._open[id_] = (future, timer)
        try:
            return await future
        finally:
            self._settle(id_, None)

    def answer(self, frame: Frame) -> None:
        """An ``answer`` frame; one nobody waits for is dropped."""
        self._settle(frame["id"], Answer(frame["ok"], frame.get("data"), frame.get("message", "")))

    def close(self) -> None:
        """The guest is gone: nobody will answer."""
        for id_ in list(self._open):
            self._settle(id_, None)

    def _settle(self, id_: int, answer: Answer | None) -> None:
        future, timer = self._open.pop(id_, (None, None))
        if timer is not None:
            timer.cancel()
        if future is not None and not future.done():
            future.set_result(answer)
