"""The kernel's process: sockets, heartbeat, signals, and the loop around one kernel.

Rules: sockets are bound before the rest is imported, so that a front end can connect meanwhile; the
kernel answers who it is before the session is loaded. The host runs no user code, so one loop on
the main thread serves every channel but the heartbeat. SIGINT is heard and
passed over; SIGTERM ends the kernel as a shutdown does; a parent that dies ends it at once.
"""

from __future__ import annotations

import argparse
import asyncio
import atexit
import gc
import importlib
import logging
import os
import secrets
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from keelbook.errors import BadConfig
from keelbook.jupyter.connection import (
    Sockets,
    bind,
    read_connection,
    start_heartbeat,
    write_connection,
)
from keelbook.jupyter.lean import import_protocol, leave_out_plugins

_PARENT_S = 1.0


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
    import_protocol()
    leave_out_plugins()
    from jupyter_client.session import Session as Wire

    from keelbook.jupyter.iopub import IOPub
    from keelbook.jupyter.kernel import KeelbookKernel
    from keelbook.jupyter.packing import keep_to_utf8

    connection = sockets.connection
    wire = keep_to_utf8(
        Wire(key=connection["key"].encode(), signature_scheme=connection["signature_scheme"])
    )
    stopped = asyncio.Event()
    iopub = IOPub(wire, sockets.iopub, secrets.token_hex(8))
    kernel = KeelbookKernel(wire, sockets, iopub, stopped.set)

    async def load() -> Any:
        service = await asyncio.to_thread(importlib.import_module, "keelbook.jupyter.service")
        gc.enable()
        gc.freeze()
        return service.serve(wire, sockets, iopub, early_guest, lambda: kernel.queue.running)

    kernel.serve(asyncio.create_task(load()))
    kernel.ready()
    _keep_alive(sockets, path, stopped)
    await stopped.wait()
    await kernel.close()
    kernel.leave()
    sockets.close()


def _keep_alive(sockets: Sockets, path: Path | None, stopped: asyncio.Event) -> None:
    """Heartbeat, SIGTERM, the watch on the parent, and the connection file where it is ours."""
    start_heartbeat(sockets)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stopped.set)
    parent = int(os.environ.get("JPY_PARENT_PID") or 0)
    if parent > 1 and os.getppid() == parent:
        _watch_parent(loop, parent)
    if path is None or not path.exists():
        from jupyter_core.paths import jupyter_runtime_dir

        ours = path or Path(jupyter_runtime_dir()) / f"kernel-{os.getpid()}.json"
        write_connection(ours, sockets.connection)
        atexit.register(ours.unlink, missing_ok=True)
        sys.stderr.write(f"To connect another client to this kernel, use: --existing {ours}\n")


def _watch_parent(loop: asyncio.AbstractEventLoop, parent: int) -> None:
    """Ends the process once its parent is gone; the guest's warden ends the guest."""
    if os.getppid() != parent:
        os._exit(1)
    loop.call_later(_PARENT_S, _watch_parent, loop, parent)
