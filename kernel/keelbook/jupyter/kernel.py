"""The kernel as front ends see it: every request on the shell and control channels.

Rules (guest group J): execute requests queue; everything else is answered at once, with a busy and
an idle of its own, after which a running cell is busy again. ``keelbook_request`` has no status at
all. Who the kernel is can be told before the rest of the host is loaded. No handler waits for user
code but through the guest, and none touches signals: ipykernel's hooks and its way to interrupt are
for kernels that run cells themselves.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ipykernel.kernelbase import Kernel
from jupyter_client.session import Session as Wire

from keelbook import __version__
from keelbook.errors import Refused
from keelbook.jupyter import requests
from keelbook.jupyter.channel import Channel, Frames
from keelbook.jupyter.connection import PORTS, Sockets
from keelbook.jupyter.iopub import IOPub, Parent
from keelbook.jupyter.requests import ExecuteQueue, ExecuteRequest

if TYPE_CHECKING:
    from keelbook.jupyter.service import Service

_complaints = logging.getLogger(__name__)

NOT_LOADED = "Keelbook could not be loaded, so nothing can run here: {}: {}."
REQUEST, REPLY = "keelbook_request", "keelbook_reply"
_COMMS = ("comm_open", "comm_msg", "comm_close")
_UNSUPPORTED = ("debug_request", "create_subshell_request", "delete_subshell_request",
                "list_subshell_request")  # fmt: skip
Handler = Callable[[Any, list[bytes], Parent], Awaitable[None]]


class KeelbookKernel(Kernel):
    """One kernel over bound sockets. ``stop`` ends the process's loop."""

    implementation = "keelbook"
    implementation_version = __version__
    banner = f"Keelbook {__version__}: a person and an agent over one namespace"
    profile_dir = None
    """Not read; as the base class declares it, all of IPython would be imported (40 ms)."""

    def __init__(
        self, wire: Wire, sockets: Sockets, iopub: IOPub, stop: Callable[[], None]
    ) -> None:
        base: Any = super()
        base.__init__(session=wire, iopub_socket=sockets.iopub, log=_complaints)
        self.iopub = iopub
        self._wire: Any = wire
        self._stop = stop
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self._loading: asyncio.Future[Service] = asyncio.get_running_loop().create_future()
        self.queue = ExecuteQueue(self._execute, self._abort)
        for name in _UNSUPPORTED:
            self.control_handlers[name] = self._unsupported
        connection = sockets.connection
        base.record_ports({name: connection[name] for name in PORTS})
        self._shell: Any = Channel(sockets.shell, self._on_shell)
        self._control: Any = Channel(sockets.control, self._on_control)

    def serve(self, loading: asyncio.Future[Service]) -> None:
        """What the requests are handed to, once it is loaded."""
        self._loading = loading

    @property
    def service(self) -> Service | None:
        """What is behind the kernel, None until it is loaded."""
        loaded = self._loading.done() and not self._loading.cancelled()
        if not loaded or self._loading.exception() is not None:
            return None
        return self._loading.result()

    async def _served(self) -> Service:
        return await asyncio.shield(self._loading)

    # ------------------------------------------------------------ messages in

    def _on_shell(self, frames: Frames) -> None:
        idents, message = self._read(frames)
        if message is None:
            return
        kind = message["header"]["msg_type"]
        if kind == "execute_request":
            self._take_execute(idents, message)
        else:
            self._begin(self._answer(self._shell, idents, message, self.shell_handlers.get(kind)))

    def _on_control(self, frames: Frames) -> None:
        idents, message = self._read(frames)
        if message is None:
            return
        kind = message["header"]["msg_type"]
        if kind == REQUEST:
            self._begin(self._answer_panel(idents, message))
        elif kind == "execute_request":
            self._take_execute(idents, message)
        else:
            handler = self.control_handlers.get(kind)
            self._begin(self._answer(self._control, idents, message, handler))

    def _read(self, frames: Frames) -> tuple[list[bytes], Parent | None]:
        try:
            idents, rest = self._wire.feed_identities(frames, copy=False)
            message = self._wire.deserialize(rest, content=True, copy=False)
            if not isinstance(message["header"].get("msg_type"), str):
                raise TypeError("its type is no text")
            if not isinstance(message["content"], dict):
                raise TypeError("its content is no table")
        except Exception as error:
            _complaints.warning("A message could not be read: %s", error)
            return [], None
        return idents, message

    def _take_execute(self, idents: list[bytes], message: Parent) -> None:
        try:
            request = requests.parse(idents, message)
        except Refused as error:
            self._begin(self._answer(self._shell, idents, message, self._refuse(error.sentence)))
            return
        if self.service is not None and self.service.execution.out_of_turn(request):
            self._begin(self._steer(request))
        else:
            self.queue.add(request)

    def _begin(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------ execute requests

    async def _execute(self, request: ExecuteRequest) -> None:
        self.iopub.status("busy", request.parent)
        content = await self._executed(request)
        if content["status"] == "error" and request.stop_on_error and not request.silent:
            self._shell.drain()
            self.queue.condemn()
        self._reply_to(request, content)

    async def _executed(self, request: ExecuteRequest) -> dict[str, Any]:
        """Content of the reply; of an error where the host itself could not be loaded."""
        try:
            service = await self._served()
        except Exception as error:
            _complaints.error("The host could not be loaded.", exc_info=error)
            sentence = NOT_LOADED.format(type(error).__name__, error)
            shown = {"ename": "HostBug", "evalue": sentence, "traceback": [f"HostBug: {sentence}"]}
            if not request.silent:
                self.iopub.send("error", dict(shown), request.parent)
            return {"status": "error", "execution_count": 0, **shown}
        return await service.execution.run(request)

    async def _steer(self, request: ExecuteRequest) -> None:
        self.iopub.status("busy", request.parent)
        self._reply_to(request, await (await self._served()).execution.steer(request))
        self._busy_again()

    def _abort(self, request: ExecuteRequest) -> None:
        self.iopub.status("busy", request.parent)
        self._reply_to(request, {"status": "aborted"})

    def _reply_to(self, request: ExecuteRequest, content: dict[str, Any]) -> None:
        self.iopub.flush()
        self._wire.send(
            self._shell,
            "execute_reply",
            content,
            request.parent,
            ident=request.idents,
            metadata={"status": content["status"]},
        )
        self.iopub.status("idle", request.parent)

    # ------------------------------------------------------------ everything else

    async def _answer(
        self, channel: Channel, idents: list[bytes], message: Parent, handler: Handler | None
    ) -> None:
        self.iopub.status("busy", message)
        kind = message["header"]["msg_type"]
        try:
            if kind in _COMMS:
                (await self._served()).host.comms.from_client(kind, message)
            else:
                await (handler or self._unsupported)(channel, idents, message)
        except Exception as error:
            _complaints.exception("Answering a %s failed.", kind)
            sentence = f"Keelbook could not answer this {kind}: {error}."
            await self._refuse(sentence)(channel, idents, message)
        if not self._closing:
            self.iopub.status("idle", message)
            self._busy_again()

    def _busy_again(self) -> None:
        running = self.queue.running
        if running is not None:
            self.iopub.status("busy", running.parent)

    async def _answer_panel(self, idents: list[bytes], message: Parent) -> None:
        reply = await (await self._served()).panel.answer(message["content"])
        self._wire.send(self._control, REPLY, reply, message, ident=idents)

    def _refuse(self, sentence: str) -> Handler:
        async def refuse(channel: Any, idents: list[bytes], message: Parent) -> None:
            kind = message["header"]["msg_type"]
            if not kind.endswith("_request"):
                return
            content = {"status": "error", "ename": "Refused", "evalue": sentence, "traceback": []}
            reply = kind.removesuffix("_request") + "_reply"
            self._wire.send(channel, reply, content, message, ident=idents)

        return refuse

    async def _unsupported(self, channel: Any, idents: list[bytes], message: Parent) -> None:
        kind = message["header"]["msg_type"]
        await self._refuse(f"This kernel does not answer {kind}.")(channel, idents, message)

    # ------------------------------------------------------------ ipykernel's questions

    @property
    def kernel_info(self) -> dict[str, Any]:
        """Content of ``kernel_info_reply``; no debugger, no subshells."""
        info = self.service.host.guest_info if self.service else None
        version = info.python if info else sys.version.split()[0]
        return {
            "protocol_version": "5.4",
            "implementation": self.implementation,
            "implementation_version": self.implementation_version,
            "language_info": {
                "name": "python",
                "version": version,
                "mimetype": "text/x-python",
                "codemirror_mode": {"name": "ipython", "version": 3},
                "pygments_lexer": "ipython3",
                "nbconvert_exporter": "python",
                "file_extension": ".py",
            },
            "banner": self.banner,
            "help_links": [],
            "supported_features": [],
        }

    async def comm_info_request(self, stream: Any, ident: list[bytes], parent: Parent) -> None:
        """From the mirror; needs no guest."""
        target = parent["content"].get("target_name")
        comms = self.service.host.comms.info(target) if self.service else {}
        content = {"status": "ok", "comms": comms}
        self._wire.send(stream, "comm_info_reply", content, parent, ident)

    async def do_complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        """Names at the cursor; empty while there is no guest."""
        return await (await self._served()).host.complete(code, cursor_pos)

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Any = ()
    ) -> dict[str, Any]:
        """Help on the name at the cursor."""
        host = (await self._served()).host
        data = await host.inspect(code, cursor_pos, detail_level)
        return {"status": "ok", "found": bool(data), "data": dict(data or {}), "metadata": {}}

    async def do_is_complete(self, code: str) -> dict[str, Any]:
        """Whether Return runs the cell."""
        return await (await self._served()).host.is_complete(code)

    async def history_request(self, stream: Any, ident: list[bytes], parent: Parent) -> None:
        """From the session's log."""
        found = await (await self._served()).host.history(parent["content"])
        content = {"status": "ok", "history": found}
        self._wire.send(stream, "history_reply", content, parent, ident)

    async def usage_request(self, stream: Any, ident: list[bytes], parent: Parent) -> None:
        """Of the host and the guest's tree."""
        self._wire.send(stream, "usage_reply", (await self._served()).host.usage(), parent, ident)

    async def interrupt_request(self, stream: Any, ident: list[bytes], parent: Parent) -> None:
        """Ends the running cell, or the agent's turn (J4)."""
        if self.service is not None:
            self.service.execution.interrupt(self.queue.running)
        self._wire.send(stream, "interrupt_reply", {"status": "ok"}, parent, ident=ident)

    async def shutdown_request(self, stream: Any, ident: list[bytes], parent: Parent) -> None:
        """Guest and tree first, then the reply, then the process (J14)."""
        await self.close()
        content = {"status": "ok", "restart": bool(parent["content"].get("restart", False))}
        self._wire.send(stream, "shutdown_reply", content, parent, ident=ident)
        self.iopub.send("shutdown_reply", content, parent)
        self.iopub.status("idle", parent)
        self._stop()

    async def close(self) -> None:
        """Ends what runs, the guest and the log. A second call does nothing."""
        if self._closing:
            return
        self._closing = True
        if self.service is not None:
            self.service.execution.interrupt(self.queue.running)
        await self.queue.close()
        if self.service is not None:
            await self.service.host.close()
            self.service.stdin.close()

    def leave(self) -> None:
        """Lets go of the sockets."""
        self._shell.close()
        self._control.close()
        self.iopub.close()

    def ready(self) -> None:
        """Tells whoever listens that the kernel has started."""
        self.iopub.status("starting", {})
