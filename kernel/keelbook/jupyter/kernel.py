"""The kernel as front ends see it: every request on the shell and control channels.

Rules (guest group J): execute requests queue; everything else is answered at once, with a busy and
an idle of its own, after which a running cell is busy again. ``keelbook_request`` has no status at
all. No handler waits for user code but through the guest, and none touches signals: ipykernel's
hooks and its way to interrupt are for kernels that run cells themselves.
"""

from __future__ import annotations

import asyncio
import logging
import os
import platform
from collections.abc import Awaitable, Callable
from typing import Any

from ipykernel.kernelbase import Kernel
from jupyter_client.session import Session as Wire

from keelbook import __version__
from keelbook.errors import Refused
from keelbook.jupyter import requests
from keelbook.jupyter.channel import Channel, Frames
from keelbook.jupyter.execution import Execution
from keelbook.jupyter.host import Host
from keelbook.jupyter.iopub import IOPub, Parent
from keelbook.jupyter.ops import Ops
from keelbook.jupyter.requests import ExecuteQueue, ExecuteRequest
from keelbook.jupyter.wire import REPLY, REQUEST

_complaints = logging.getLogger(__name__)

_COMMS = ("comm_open", "comm_msg", "comm_close")
_UNSUPPORTED = ("debug_request", "create_subshell_request", "delete_subshell_request",
                "list_subshell_request")  # fmt: skip
Handler = Callable[[Any, list[bytes], Parent], Awaitable[None]]


class KeelbookKernel(Kernel):
    """One kernel over bound sockets. ``stop`` ends the process's loop."""

    implementation = "keelbook"
    implementation_version = __version__
    banner = f"Keelbook {__version__}: a person and an agent over one namespace"

    def __init__(
        self,
        wire: Wire,
        sockets: Any,
        iopub: IOPub,
        execution: Execution,
        ops: Ops,
        host: Host,
        stop: Callable[[], None],
    ) -> None:
        super().__init__(session=wire, iopub_socket=sockets.iopub, log=_complaints)
        self.iopub = iopub
        self.execution = execution
        self.host = host
        self.ops = ops
        self._stop = stop
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.queue = ExecuteQueue(self._execute, self._abort)
        for name in _UNSUPPORTED:
            self.control_handlers[name] = self._unsupported
        self.record_ports({name: sockets.connection[name] for name in sockets.connection
                           if name.endswith("_port")})  # fmt: skip
        self._shell = Channel(sockets.shell, self._on_shell)
        self._control = Channel(sockets.control, self._on_control)

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
        assert self.session is not None
        try:
            idents, rest = self.session.feed_identities(frames, copy=False)
            message = self.session.deserialize(rest, content=True, copy=False)
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
        if self.execution.out_of_turn(request):
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
        content = await self.execution.run(request)
        if content["status"] == "error" and request.stop_on_error and not request.silent:
            self._shell.drain()
            self.queue.condemn()
        self._reply_to(request, content)

    async def _steer(self, request: ExecuteRequest) -> None:
        self.iopub.status("busy", request.parent)
        self._reply_to(request, await self.execution.steer(request))
        self._busy_again()

    def _abort(self, request: ExecuteRequest) -> None:
        self.iopub.status("busy", request.parent)
        self._reply_to(request, {"status": "aborted"})

    def _reply_to(self, request: ExecuteRequest, content: dict[str, Any]) -> None:
        assert self.session is not None
        self.iopub.flush()
        self.session.send(
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
                self.host.comms.from_client(kind, message)
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
        assert self.session is not None
        reply = await self.ops.answer(message["content"])
        self.session.send(self._control, REPLY, reply, message, ident=idents)

    def _refuse(self, sentence: str) -> Handler:
        async def refuse(channel: Any, idents: list[bytes], message: Parent) -> None:
            assert self.session is not None
            kind = message["header"]["msg_type"]
            if not kind.endswith("_request"):
                return
            content = {"status": "error", "ename": "Refused", "evalue": sentence, "traceback": []}
            reply = kind.removesuffix("_request") + "_reply"
            self.session.send(channel, reply, content, message, ident=idents)

        return refuse

    async def _unsupported(self, channel: Any, idents: list[bytes], message: Parent) -> None:
        kind = message["header"]["msg_type"]
        await self._refuse(f"This kernel does not answer {kind}.")(channel, idents, message)

    # ------------------------------------------------------------ ipykernel's questions

    @property
    def kernel_info(self) -> dict[str, Any]:
        """Content of ``kernel_info_reply``; no debugger, no subshells."""
        info = self.host.guest_info
        version = info.python if info else platform.python_version()
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
        assert self.session is not None
        comms = self.host.comms.info(parent["content"].get("target_name"))
        content = {"status": "ok", "comms": comms}
        self.session.send(stream, "comm_info_reply", content, parent, ident)

    async def do_complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        """Names at the cursor; empty while there is no guest."""
        return await self.host.complete(code, cursor_pos)

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Any = ()
    ) -> dict[str, Any]:
        """Help on the name at the cursor."""
        data = await self.host.inspect(code, cursor_pos, detail_level)
        return {"status": "ok", "found": bool(data), "data": dict(data or {}), "metadata": {}}

    async def do_is_complete(self, code: str) -> dict[str, Any]:
        """Whether Return runs the cell."""
        return await self.host.is_complete(code)

    async def do_history(self, hist_access_type: str, output: bool, raw: bool,
                         **more: Any) -> dict[str, Any]:  # fmt: skip
        """From the session's log."""
        content = {"hist_access_type": hist_access_type, "output": output, **more}
        return {"status": "ok", "history": await self.host.history(content)}

    async def usage_request(self, stream: Any, ident: list[bytes], parent: Parent) -> None:
        """Of the host and the guest's tree."""
        assert self.session is not None
        self.session.send(stream, "usage_reply", self.host.usage(), parent, ident)

    async def interrupt_request(self, stream: Any, ident: list[bytes], parent: Parent) -> None:
        """Ends the running cell, or the agent's turn (J4)."""
        assert self.session is not None
        self.execution.interrupt(self.queue.running)
        self.session.send(stream, "interrupt_reply", {"status": "ok"}, parent, ident=ident)

    async def shutdown_request(self, stream: Any, ident: list[bytes], parent: Parent) -> None:
        """Guest and tree first, then the reply, then the process (J14)."""
        assert self.session is not None
        await self.close()
        content = {"status": "ok", "restart": bool(parent["content"].get("restart", False))}
        self.session.send(stream, "shutdown_reply", content, parent, ident=ident)
        self.iopub.send("shutdown_reply", content, parent)
        self.iopub.status("idle", parent)
        self._stop()

    async def close(self) -> None:
        """Ends what runs, the guest and the log. A second call does nothing."""
        if self._closing:
            return
        self._closing = True
        self.execution.interrupt(self.queue.running)
        await self.queue.close()
        await self.host.close()

    def leave(self) -> None:
        """Lets go of the sockets."""
        self._shell.close()
        self._control.close()
        self.iopub.close()

    def ready(self) -> None:
        """Tells whoever listens that the kernel has started."""
        self.iopub.status("starting", {})
        _complaints.debug("Kernel %s started.", os.getpid())
