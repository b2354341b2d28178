"""`input()` and `getpass()`: questions that the host puts to the person.

Rules (guest B33, B34)
- Only the run of a person's cell may ask, from any of its threads, and only if its client
  takes questions; anyone else gets an EOFError with a sentence.
- What was printed goes out before the question; a reply to another question is ignored.
- Waiting can be interrupted (guest C3).
"""

from __future__ import annotations

from _thread import allocate_lock
from itertools import count
from typing import Any

from keelbook_guest.record import Work
from keelbook_guest.streams import Frame, Sink
from keelbook_guest.text import cut_marked
from keelbook_guest.usercode import user_call

NOBODY = (
    "input() has nobody to ask in an agent's cell; "
    "end the turn with your question, and the person will answer it"
)
NO_STDIN = "input() cannot ask: the client that runs this cell takes no questions"
FORKED = "input() has nobody to ask in a forked child"
ENDED = "input() has nobody to ask: the cell that this code belongs to has ended"


class Prompts:
    """The questions that wait for a reply."""

    def __init__(self, sink: Sink, work: Work) -> None:
        self.sink = sink
        self.work = work
        self._next = count(1)
        self._waiting: dict[int, tuple[Any, list[Frame]]] = {}

    def input(self, prompt: object = "", /) -> str:
        """Asks the person for a line of text, and waits for it."""
        return self.ask(str(prompt), False)

    def getpass(self, prompt: str = "Password: ", stream: object = None, **kwargs: Any) -> str:
        """Asks the person for a line that is not shown while it is typed."""
        return self.ask(str(prompt), True)

    def ask(self, prompt: str, password: bool) -> str:
        """Puts the question and waits. EOFError, with a sentence, if nobody answers."""
        run = self.work.producer()
        if self.sink.forked:
            raise EOFError(FORKED)
        if run is None or run.ended:
            raise EOFError(ENDED)
        if not run.stdin:
            raise EOFError(NO_STDIN if run.origin == "person" else NOBODY)
        number = next(self._next)
        answered = allocate_lock()
        answered.acquire()
        replies: list[Frame] = []
        self._waiting[number] = (answered, replies)
        try:
            self.sink.emit(
                {
                    "t": "stdin",
                    "run": run.id,
                    "id": number,
                    "prompt": cut_marked(prompt, self.sink.line_bytes // 16)[0],
                    "password": password,
                }
            )
            user_call(answered.acquire)
        finally:
            self._waiting.pop(number, None)
        reply = replies[0]
        if not reply["ok"]:
            raise EOFError(reply.get("message") or NO_STDIN)
        return str(reply.get("value", ""))

    def take_reply(self, frame: Frame) -> None:
        """A `stdin-reply` frame, on the I/O thread."""
        found = self._waiting.pop(frame["id"], None)
        if found is not None:
            found[1].append(frame)
            found[0].release()
