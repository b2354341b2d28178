"""The kernel's process: sockets, heartbeat, signals, and the loop around one kernel.

Rules: sockets are bound before the rest is imported, so that a front end can connect meanwhile. The
host runs no user code, so one loop on the main thread serves every channel. SIGINT is heard and
passed over; SIGTERM ends the kernel as a shutdown does; a parent that dies ends it at once.
"""

from __future__ import annotations

import argparse
import asyncio
import atexit
import gc
import logging
import os
import secrets
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from keelbook.errors import BadConfig
from keelbook.jupyter.connection import Sockets, bind, read_connection, write_connection

_complaints = logging.getLogger("keelbook")


def run(argv: list[str], early_guest: Any) -> int:
    """Runs a kernel until it is shut down; the process's exit status."""
    options = _options(argv)
    logging.basicConfig(level=logging.DEBUG if options.debug else logging.WARNING)
    signal.signal(signal.SIGINT, _pass_over)
    path = Path(options.f) if options.f else None
    try:
        connection = read_connection(path)
        sockets = bind(connection)
    except BadConfig as error:
        sys.stderr.write(f"{error.sentence}\n")
        return 2
    asyncio.run(_serve(sockets, path, early_guest))
    return 0


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("keelbook.jupyter.launcher", description="Runs the kernel.")
    parser.add_argument("-f", metavar="FILE", help="the connection file")
    parser.add_argument("--debug", action="store_true", help="log everything to stderr")
    options, _ = parser.parse_known_args(argv)
    return options


def _pass_over(_: int, __: FrameType | None) -> None:
    """An interrupt comes as a message; a signal to the process group means somebody else."""


async def _serve(sockets: Sockets, path: Path | None, early_guest: Any) -> None:
    from jupyter_client.session import Session as Wire

    from keelbook.jupyter.assembly import Opener
    from keelbook.jupyter.execution import Execution
    from keelbook.jupyter.host import Host
    from keelbook.jupyter.iopub import IOPub
    from keelbook.jupyter.kernel import KeelbookKernel
    from keelbook.jupyter.ops import Ops
    from keelbook.jupyter.pushes import Pushes
    from keelbook.jupyter.stdin import Stdin

    connection = sockets.connection
    wire = Wire(key=connection["key"].encode(), signature_scheme=connection["signature_scheme"])
    stopped = asyncio.Event()
    boot_id = secrets.token_hex(8)
    iopub = IOPub(wire, sockets.iopub, boot_id)
    stdin = Stdin(wire, sockets.stdin)
    host = Host(iopub, Opener(early_guest, stdin))
    pushes = Pushes(iopub, boot_id)
    host.listeners.append(pushes.heard)
    ops = Ops(host, boot_id, lambda: pushes.seq)
    execution = Execution(iopub, stdin, host)
    kernel = KeelbookKernel(wire, sockets, iopub, execution, ops, host, stopped.set)
    host.running = lambda: kernel.queue.running
    host.begin()
    _keep_alive(sockets, path, stopped)
    kernel.ready()
    gc.enable()
    gc.freeze()
    await stopped.wait()
    await kernel.close()
    kernel.leave()
    stdin.close()
    sockets.close()


def _keep_alive(sockets: Sockets, path: Path | None, stopped: asyncio.Event) -> None:
    """Heartbeat, the watch on the parent, SIGTERM, and the connection file where it is ours."""
    import zmq
    from ipykernel.heartbeat import Heartbeat
    from ipykernel.parentpoller import ParentPollerUnix

    connection = sockets.connection
    address = (connection["transport"], connection["ip"], connection["hb_port"])
    heartbeat = Heartbeat(zmq.Context(), address)
    heartbeat.start()
    connection["hb_port"] = heartbeat.port
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    parent = int(os.environ.get("JPY_PARENT_PID") or 0)
    if parent > 1:
        ParentPollerUnix(parent_pid=parent).start()
    if path is None or not path.exists():
        from jupyter_core.paths import jupyter_runtime_dir

        ours = path or Path(jupyter_runtime_dir()) / f"kernel-{os.getpid()}.json"
        write_connection(ours, connection)
        atexit.register(ours.unlink, missing_ok=True)
        sys.stderr.write(f"To connect another client to this kernel, use: --existing {ours}\n")
