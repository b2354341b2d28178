"""A test double of the interpreter: runs cells in this process, for tests of the loop's timing.

Rules: it keeps the promises of ``interpreter.Interpreter`` that the loop builds on (one end per
run, output before it, calls through the sink, cancel ends a run) and nothing else; what a guest
does is tested with the real one.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace
from typing import Any

from keelbook.errors import Refused
from keelbook.interpreter import (
    CancelReason,
    Cell,
    CellError,
    CellValue,
    CommMessage,
    Completeness,
    Completion,
    GuestInfo,
    Namespace,
    Outcome,
    ResourceUse,
    RunStopped,
    Shell,
    ShellOutcome,
    Sink,
    Variable,
    Watcher,
)
from keelbook.observer import Display, Output, Stream

FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class InProcess:
    """Runs cells by ``exec``. ``cells`` is what was run, in order."""

    info: GuestInfo | None = None

    def __init__(self) -> None:
        self.namespace: dict[str, Any] = {}
        self.cells: list[Cell] = []
        self.bound: Sequence[Namespace] = ()
        self.watcher: Watcher | None = None
        self.closed = False
        self.waited: list[str] = []
        self._runs: dict[str, tuple[asyncio.Task[Any], list[CancelReason]]] = {}
        self._free = asyncio.Lock()

    def watch(self, watcher: Watcher) -> None:
        self.watcher = watcher

    async def start(self) -> GuestInfo:
        self.info = GuestInfo(0, "3", "python", "none")
        return self.info

    def bind(self, namespaces: Sequence[Namespace]) -> None:
        self.bound = namespaces

    async def run(self, cell: Cell, sink: Sink) -> Outcome:
        async with self._free:
            self.cells.append(cell)
            reasons: list[CancelReason] = []
            task = asyncio.ensure_future(self._value(cell, sink))
            self._runs[cell.run] = (task, reasons)
            try:
                value = await task
            except RunStopped as stop:
                return Outcome("stopped", reason=stop.kind, sentence=stop.sentence)
            except asyncio.CancelledError:
                return Outcome("aborted", reason=reasons[0] if reasons else "turn")
            except Exception as error:
                name, said = type(error).__name__, str(error)
                return Outcome("error", error=CellError(name, said, (f"{name}: {said}",)))
            finally:
                del self._runs[cell.run]
            return Outcome("ok", value=value)

    async def _value(self, cell: Cell, sink: Sink) -> CellValue | None:
        def call(name: str) -> Callable[..., Any]:
            async def called(**arguments: Any) -> Any:
                return await sink.call("tools", name, arguments)

            return called

        def show(*words: object, stream: Stream = "stdout") -> None:
            sink.output(Output(stream, " ".join(map(str, words)) + "\n"))

        self.namespace |= {
            "tools": SimpleNamespace(
                **{b.name: call(b.name) for space in self.bound for b in space.bindings}
            ),
            "print": show,
            "show": lambda data, op="show", **more: sink.display(Display(op, data, **more)),
            "note": sink.note,
            "sink": sink,
        }
        tree = ast.parse(cell.code)
        last = tree.body[-1] if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        if last is not None:
            target = ast.Name("__value__", ast.Store())
            tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
            ast.fix_missing_locations(tree)
        coroutine = eval(compile(tree, "<cell>", "exec", flags=FLAGS), self.namespace)
        if inspect.isawaitable(coroutine):
            await coroutine
        value = self.namespace.pop("__value__", None)
        return (
            None if value is None else CellValue("json", value, repr(value), type(value).__name__)
        )

    def cancel(self, run: str, reason: CancelReason) -> None:
        if run in self._runs:
            task, reasons = self._runs[run]
            reasons.append(reason)
            task.cancel()

    def waiting(self, run: str) -> AbstractContextManager[None]:
        self.waited.append(run)
        return nullcontext()

    async def complete(self, code: str, cursor: int) -> Completion:
        return Completion((), cursor, cursor)

    async def inspect(self, code: str, cursor: int, detail: int) -> Mapping[str, str] | None:
        return None

    async def is_complete(self, code: str) -> Completeness:
        return Completeness("unknown")

    async def variables(
        self, prefix: str = "", offset: int = 0, limit: int = 200
    ) -> tuple[Sequence[Variable], int]:
        return (), 0

    async def peek(self, name: str, view: str, offset: int, limit: int) -> Mapping[str, Any]:
        raise Refused("Nothing can be looked at here.")

    def comm(self, message: CommMessage) -> None:
        raise AssertionError("no widgets here")

    async def shell(self, shell: Shell, on_output: Callable[[Stream, str], None]) -> ShellOutcome:
        on_output("stdout", shell.command)
        return ShellOutcome(0, shell.command, "")

    def usage(self) -> ResourceUse:
        return ResourceUse(None, 0.0, 0)

    async def restart(self) -> None:
        self.namespace.clear()

    async def close(self) -> None:
        self.closed = True
