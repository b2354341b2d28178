"""One real kernel over ZMQ, driven as a front end drives it, and what is measured on it.

Rules: both kernels are driven by the same code. Sockets reconnect after 2 ms, so that how long a
launch takes is not rounded up to ZMQ's 100 ms. A kernel that does not answer ends the run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty
from typing import Any, TextIO

import psutil
import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

PATIENCE_S = 60.0
ABORTING_S = 0.5
"""After an error, kernels abort what they take for the rest of the same run of cells."""
Message = dict[str, Any]


class Driven:
    """A started kernel and its client; ``said`` takes what it writes to its terminal."""

    def __init__(self, name: str, said: TextIO) -> None:
        context = zmq.Context()
        context.setsockopt(zmq.RECONNECT_IVL, 2)
        self._context = context
        self.manager = KernelManager(kernel_name=name, context=context)
        self.started = time.perf_counter()
        self.manager.start_kernel(stdout=said, stderr=said)
        self.client: BlockingKernelClient = self.manager.client()
        self.client.start_channels(hb=False)

    def run(self, code: str, heard: Callable[[Message], None] | None = None) -> Message:
        """One cell, to its reply and to idle; returns the reply's content."""
        sent = self.client.execute(code)
        return self.settled(sent, heard)

    def settled(self, sent: str, heard: Callable[[Message], None] | None = None) -> Message:
        """Waits for both ends of the request ``sent``."""
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE_S)
            if message["parent_header"].get("msg_id") != sent:
                continue
            if heard is not None:
                heard(message)
            if message["content"].get("execution_state") == "idle":
                return self.reply(sent)

    def listen(self) -> None:
        """Waits until what the kernel broadcasts arrives here."""
        for _ in range(600):
            sent = self.client.kernel_info()
            with suppress(Empty):
                while self.client.get_iopub_msg(timeout=0.1)["parent_header"].get("msg_id") != sent:
                    continue
                return
        raise RuntimeError("The kernel broadcasts nothing.")

    def reply(self, sent: str) -> Message:
        """The reply's content."""
        while True:
            message = self.client.get_shell_msg(timeout=PATIENCE_S)
            if message["parent_header"].get("msg_id") == sent:
                content: Message = message["content"]
                return content

    def close(self) -> None:
        """Kernel, client and sockets gone."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=False)
        self._context.destroy(linger=0)


@contextmanager
def driven(name: str, said: TextIO) -> Iterator[Driven]:
    """A kernel for a while."""
    kernel = Driven(name, said)
    try:
        yield kernel
    finally:
        kernel.close()


# ---------------------------------------------------------------- what is measured


def launch(kernel: Driven, greet: bool = False) -> float:
    """Seconds from launch to the reply of the first cell; the kernel is ready for the rest.

    The cell is sent at once, so that it waits for the kernel. ``greet``: it is sent once the kernel
    has said who it is, as JupyterLab and nbclient do.
    """
    if greet:
        kernel.reply(kernel.client.kernel_info())
    _ok(kernel.reply(kernel.client.execute("1 + 1")))
    took = time.perf_counter() - kernel.started
    kernel.listen()
    return took


def round_trip(kernel: Driven, cells: int = 300) -> float:
    """Seconds from sending a small cell to reply and idle, on average."""
    begun = time.perf_counter()
    for number in range(cells):
        _ok(kernel.run(f"x = {number}; x + 1"))
    return (time.perf_counter() - begun) / cells


def printed(kernel: Driven, lines: int = 20_000) -> float:
    """Seconds until every one of many printed lines was there."""
    text: list[str] = []
    begun = time.perf_counter()
    _ok(kernel.run(f"for i in range({lines}): print('line', i)", lambda m: text.append(_text(m))))
    took = time.perf_counter() - begun
    if "".join(text) != "".join(f"line {number}\n" for number in range(lines)):
        raise RuntimeError("Lines were lost or changed.")
    return took


def first_line(kernel: Driven) -> float:
    """Seconds until a line printed before a sleep was there."""
    times: list[float] = []
    begun = time.perf_counter()

    def heard(message: Message) -> None:
        if _text(message):
            times.append(time.perf_counter() - begun)

    _ok(kernel.run("import time; print('first'); time.sleep(0.5)", heard))
    return times[0]


def interrupt(kernel: Driven, code: str) -> float:
    """Seconds from the interrupt of a running cell to its reply."""
    sent = kernel.client.execute(f"print('on', flush=True)\n{code}")
    while True:
        message = kernel.client.get_iopub_msg(timeout=PATIENCE_S)
        if message["parent_header"].get("msg_id") == sent and _text(message):
            break
    time.sleep(0.1)
    begun = time.perf_counter()
    kernel.manager.interrupt_kernel()
    reply = kernel.reply(sent)
    took = time.perf_counter() - begun
    time.sleep(ABORTING_S)
    if reply["status"] != "error" or reply["ename"] != "KeyboardInterrupt":
        raise RuntimeError(f"The cell was not interrupted: {reply}")
    return took


def memory(kernel: Driven) -> tuple[float, float]:
    """Megabytes of the kernel's whole tree: resident, and with shared pages counted once."""
    provisioner = kernel.manager.provisioner
    root = psutil.Process(getattr(provisioner, "pid", None))
    full = [each.memory_full_info() for each in (root, *root.children(recursive=True))]
    return sum(each.rss for each in full) / 1e6, sum(each.pss for each in full) / 1e6


def _text(message: Message) -> str:
    return str(message["content"]["text"]) if message["msg_type"] == "stream" else ""


def _ok(reply: Message) -> None:
    if reply["status"] != "ok":
        raise RuntimeError(f"The cell did not succeed: {reply}")
