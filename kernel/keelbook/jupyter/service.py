"""All that stands behind one kernel: session, guest, execution, panel.

Rules: this module loads the rest of the host, so the kernel imports it on a thread of its own and
can say who it is meanwhile; nothing here is needed for that.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from jupyter_client.session import Session as Wire

from keelbook.guest_process.spawn import Launched
from keelbook.jupyter.assembly import Opener
from keelbook.jupyter.connection import Sockets
from keelbook.jupyter.execution import Execution
from keelbook.jupyter.host import Host
from keelbook.jupyter.iopub import IOPub
from keelbook.jupyter.panel import Panel
from keelbook.jupyter.requests import ExecuteRequest
from keelbook.jupyter.stdin import Stdin
from keelbook.value import Value


class Service(Value):
    """What a kernel hands its requests to."""

    host: Host
    execution: Execution
    panel: Panel
    stdin: Stdin


def serve(
    wire: Wire,
    sockets: Sockets,
    iopub: IOPub,
    early_guest: Launched | None,
    running: Callable[[], ExecuteRequest | None],
) -> Service:
    """Begins to open the session. ``running`` tells which execute request has its turn."""
    stdin = Stdin(wire, sockets.stdin)
    host = Host(iopub, Opener(early_guest, stdin), running)
    panel = Panel(iopub, host, secrets.token_hex(8))
    host.listeners.append(panel.heard)
    host.begin()
    return Service(host, Execution(iopub, stdin, host), panel, stdin)
