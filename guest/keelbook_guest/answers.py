"""Answers to what people's front ends ask beside the cells (guest R5, J2, J16, J17).

Rules
- Completion, inspection, completeness and variable rows are made by a helper thread, so
  that they come while a cell spins. One that is later than `answer_s` is given up and
  answered empty, and the helper is replaced.
- `peek` runs user code: on the main thread, only when no cell is at work, and a cell that
  arrives meanwhile ends it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from time import monotonic
from typing import Any

from keelbook_guest.asides import Asides
from keelbook_guest.channel import Frame
from keelbook_guest.display import Formatter
from keelbook_guest.failure import message_of
from keelbook_guest.namespace import Names
from keelbook_guest.record import Work

BUSY = "A cell is running; the view can be made when it has ended."
EMPTY: dict[str, dict[str, Any]] = {
    "inspect": {"found": False, "data": {}},
    "is-complete": {"status": "unknown", "indent": ""},
    "variables": {"total": 0, "rows": []},
}


class Answers:
    """The questions that have no answer yet."""

    def __init__(
        self,
        send: Callable[[list[Frame]], None],
        work: Work,
        asides: Asides,
        names: Names,
        formatter: Formatter,
        limits: dict[str, Any],
    ) -> None:
        self.send = send
        self.work = work
        self.asides = asides
        self.names = names
        self.formatter = formatter
        self.answer_s: float = limits["answer_s"] or 1.0
        self.display_bytes: int | None = limits["display_bytes"]
        self.post: Callable[[Callable[[Frame], None], Frame], object] | None = None
        self._open: dict[int, tuple[float, Frame]] = {}
        self._queue: SimpleQueue[Frame] | None = None

    def take(self, frame: Frame) -> None:
        """A question for the helper, on the I/O thread."""
        self._open[frame["id"]] = (monotonic() + self.answer_s, frame)
        if self._queue is None:
            self._queue = SimpleQueue()
            threading.Thread(
                target=self._help, args=(self._queue,), name="keelbook-helper", daemon=True
            ).start()
        self._queue.put(frame)

    def take_peek(self, frame: Frame) -> None:
        """A `peek` frame, on the I/O thread."""
        if self.work.active is not None or self.post is None:
            self._refuse(frame, BUSY)
        else:
            self.post(self._peek, frame)

    def deadline(self) -> float | None:
        """When the first open question is late."""
        ends = [end for end, _ in list(self._open.values())]
        aside = self.asides.deadline()
        return min((*ends, *(() if aside is None else (aside,))), default=None)

    def late(self) -> None:
        """Gives up what is late, on the I/O thread."""
        now = monotonic()
        stuck = False
        for number, (end, frame) in list(self._open.items()):
            if end <= now and self._open.pop(number, None) is not None:
                stuck = True
                self._send(frame, _empty(frame))
        if stuck:
            self._queue = None
            for _, frame in list(self._open.values()):
                self.take(frame)
        self.asides.late()

    def _help(self, queue: SimpleQueue[Frame]) -> None:
        """The helper thread: ends once it was replaced."""
        while queue is self._queue:
            frame = queue.get()
            try:
                data = self._answer(frame)
            except Exception:
                data = _empty(frame)
            if queue is self._queue and self._open.pop(frame["id"], None) is not None:
                self._send(frame, data)

    def _answer(self, frame: Frame) -> dict[str, Any]:
        kind = frame["t"]
        space = self.names.space
        if kind == "complete":
            from keelbook_guest.complete import complete

            return complete(frame["code"], frame["cursor"], space)
        if kind == "inspect":
            from keelbook_guest.inspecting import help_at

            return help_at(frame["code"], frame["cursor"], frame.get("detail", 0), space)
        if kind == "is-complete":
            from keelbook_guest.completeness import completeness

            return completeness(frame["code"])
        from keelbook_guest.variables import rows

        prefix = frame.get("prefix", "")
        return rows(space, self.names.bound, prefix, frame["offset"], frame["limit"])

    def _peek(self, frame: Frame) -> None:
        if self.work.active is not None:
            self._refuse(frame, BUSY)
            return
        if frame["name"] not in self.names.space:
            self._refuse(frame, f"There is no variable {frame['name']}.")
            return
        from keelbook_guest.peek import NoView, peek

        value = self.names.space[frame["name"]]
        view, offset, limit = frame["view"], frame["offset"], frame["limit"]
        most = self.display_bytes
        try:
            data = self.asides.run(
                f"peek {frame['id']}",
                self.answer_s,
                True,
                lambda: peek(self.formatter, value, view, offset, limit, most),
            )
            self._send(frame, {"data": data})
        except NoView as reason:
            self._refuse(frame, str(reason))
        except (KeyboardInterrupt, Exception) as error:
            took = isinstance(error, KeyboardInterrupt)
            said = "it took too long" if took else message_of(error)
            self._refuse(frame, f"The view could not be made: {type(error).__name__}: {said}.")

    def _send(self, frame: Frame, data: dict[str, Any]) -> None:
        self.send([{"t": "answer", "id": frame["id"], "ok": True, "data": data}])

    def _refuse(self, frame: Frame, message: str) -> None:
        self.send([{"t": "answer", "id": frame["id"], "ok": False, "message": message}])


def _empty(frame: Frame) -> dict[str, Any]:
    if frame["t"] == "complete":
        cursor = frame["cursor"]
        return {"matches": [], "start": cursor, "end": cursor, "types": []}
    return EMPTY[frame["t"]]
