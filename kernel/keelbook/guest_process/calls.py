"""The governed calls of one run: ``await tools.x()`` in a cell, judged and run in the host.

Rules (E1-E3, E5, E13-E16, C14, G10, G13): calls start in the order they came, at most
``parallel_calls`` at once; an exclusive one waits for those before it and holds those after. A
refusal ends the program: what has not started is withdrawn, what runs is cancelled, and no later
call is honoured. A call ends once; an answer nobody waits for is dropped. What is no JSON or too
large never crosses.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from keelbook.errors import KeelbookError
from keelbook.guest_process.channel import Send
from keelbook.guest_process.decoding import Frame
from keelbook.guest_process.payloads import TooLong
from keelbook.guest_process.protocol import CALLED_NAMESPACE
from keelbook.guest_process.settings import GuestSettings
from keelbook.interpreter import Namespace, RunStopped, Sink
from keelbook.text import count


@dataclass(slots=True)
class _Call:
    id: int
    namespace: str
    name: str
    arguments: dict[str, Any]
    exclusive: bool
    task: asyncio.Task[None] | None = None


class Calls:
    """The calls of one run. ``on_stop`` hears of the refusal that ends it."""

    def __init__(
        self,
        run: str,
        sink: Sink,
        namespaces: Mapping[str, Namespace],
        settings: GuestSettings,
        most: int | None,
        send: Send,
        on_stop: Callable[[RunStopped], None],
    ) -> None:
        self._run = run
        self._sink = sink
        self._namespaces = namespaces
        self._settings = settings
        self._most = most
        self._send = send
        self._on_stop = on_stop
        self._waiting: deque[_Call] = deque()
        self._running: dict[int, _Call] = {}
        self._admitted = 0
        self._closed: RunStopped | None = None

    def take(self, frame: Frame) -> None:
        """A ``call`` frame of this run."""
        id_, namespace, name = frame["id"], frame["namespace"], frame["name"]
        if self._closed is not None:
            self.refuse(id_, self._closed)
            return
        exclusive = self._exclusive(namespace, name)
        if exclusive is None or type(frame["args"]) is not dict:
            self._fail(id_, f"There is no call {namespace}.{name} with such arguments.")
            return
        if any(call.id == id_ for call in (*self._running.values(), *self._waiting)):
            return
        if self._most is not None and self._admitted >= self._most:
            self.stop(
                id_,
                RunStopped("budget", f"A cell may make at most {count(self._most, 'call')}."),
            )
            return
        self._admitted += 1
        self._waiting.append(_Call(id_, namespace, name, frame["args"], exclusive))
        self._start_next()

    def cancel(self, id_: int) -> None:
        """A ``call-cancel`` frame: nobody waits for the answer any more."""
        call = self._running.get(id_)
        if call is not None and call.task is not None:
            call.task.cancel()
        for waiting in self._waiting:
            if waiting.id == id_:
                self._waiting.remove(waiting)
                break
        self._start_next()

    def stop(self, id_: int, why: RunStopped) -> None:
        """Refuses one call and with it the run."""
        self._closed = why
        self.refuse(id_, why)
        self.withdraw()
        self._on_stop(why)

    def close(self, why: RunStopped) -> None:
        """No call is honoured from here on; what waits or runs is given up."""
        if self._closed is None:
            self._closed = why
        self.withdraw()

    def withdraw(self) -> None:
        """Gives up what has not started and cancels what runs."""
        self._waiting.clear()
        for call in self._running.values():
            if call.task is not None and call.task is not asyncio.current_task():
                call.task.cancel()

    def refuse(self, id_: int, why: RunStopped) -> None:
        """Tells the guest that this call ends its run."""
        self._send(
            {
                "t": "reply",
                "run": self._run,
                "id": id_,
                "ok": False,
                "kind": "stopped",
                "name": why.kind,
                "message": why.sentence,
            }
        )

    def _exclusive(self, namespace: str, name: str) -> bool | None:
        """Whether a bound call runs alone; None when nothing of that name is bound."""
        bound = self._namespaces.get(namespace)
        if bound is None or (name == CALLED_NAMESPACE and not bound.callable):
            return None
        for binding in bound.bindings:
            if binding.name == name:
                return binding.exclusive
        return None

    def _start_next(self) -> None:
        while self._waiting and len(self._running) < self._settings.parallel_calls:
            if self._running and (
                self._waiting[0].exclusive or any(call.exclusive for call in self._running.values())
            ):
                return
            call = self._waiting.popleft()
            self._running[call.id] = call
            call.task = asyncio.create_task(self._carry_out(call))

    async def _carry_out(self, call: _Call) -> None:
        try:
            value = await self._sink.call(call.namespace, call.name, call.arguments)
            self._answer(call.id, value)
        except RunStopped as why:
            if self._closed is None:
                self._running.pop(call.id, None)
                self.stop(call.id, why)
            else:
                self.refuse(call.id, self._closed)
        except KeelbookError as problem:
            self._fail(call.id, problem.sentence, problem.code)
        except asyncio.CancelledError:
            raise
        except Exception as problem:
            self._fail(call.id, f"The call broke in the host: {problem!r}.", "host-bug")
            asyncio.get_running_loop().call_exception_handler(
                {"message": "a governed call raised", "exception": problem}
            )
        finally:
            self._running.pop(call.id, None)
            self._start_next()

    def _answer(self, id_: int, value: Any) -> None:
        reply = {"t": "reply", "run": self._run, "id": id_, "ok": True, "value": value}
        most = self._settings.result_bytes
        try:
            self._send(reply, most)
        except TooLong as found:
            self._fail(
                id_,
                f"The result is {count(found.size, 'byte')} long, "
                f"more than the {count(most, 'byte')} that may cross.",
            )
        except (TypeError, ValueError, RecursionError):
            self._fail(id_, "The call gave a result that is no JSON.")

    def _fail(self, id_: int, message: str, code: str = "failed") -> None:
        self._send(
            {
                "t": "reply",
                "run": self._run,
                "id": id_,
                "ok": False,
                "kind": "failed",
                "name": code,
                "message": message,
            }
        )
