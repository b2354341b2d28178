"""A real kernel over ZMQ, driven as a front end drives it.

Rules: every message of a request is kept in the order it came; a kernel that does not answer ends
the test with what it wrote to its terminal.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty
from typing import Any

import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

PATIENCE_S = 30.0
Message = dict[str, Any]


@dataclass
class Answer:
    """A request's reply and what iopub said about it, in order."""

    reply: Message = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)

    @property
    def status(self) -> str:
        """``ok``, ``error`` or ``aborted``."""
        return str(self.reply["status"])

    @property
    def outputs(self) -> list[Message]:
        """Everything but statuses and the input."""
        return [m for m in self.messages if m["msg_type"] not in ("status", "execute_input")]

    @property
    def kinds(self) -> list[str]:
        """The types of all messages, a status as its state."""
        return [m["content"].get("execution_state") or m["msg_type"] for m in self.messages]

    def text(self, name: str = "stdout") -> str:
        """All text of one stream."""
        return "".join(
            m["content"]["text"]
            for m in self.messages
            if m["msg_type"] == "stream" and m["content"]["name"] == name
        )

    @property
    def result(self) -> str | None:
        """The plain text of the value."""
        found = [m for m in self.messages if m["msg_type"] == "execute_result"]
        return found[-1]["content"]["data"]["text/plain"] if found else None

    @property
    def bundles(self) -> list[dict[str, Any]]:
        """The data of every display, updates included."""
        return [m["content"]["data"] for m in self.messages if "data" in m["content"]]


class Driven:
    """A started kernel and one client of it."""

    def __init__(self, manager: KernelManager, said: Path) -> None:
        self.manager = manager
        self.said = said
        self.client: BlockingKernelClient = manager.client()
        self.client.start_channels(hb=False)
        self._inbox: list[Message] = []

    def ready(self) -> None:
        """Waits until what the kernel broadcasts arrives here."""
        for _ in range(300):
            sent = self.client.kernel_info()
            self.reply(sent)
            try:
                while self.client.get_iopub_msg(timeout=0.1)["parent_header"].get("msg_id") != sent:
                    pass
                self.drained()
                return
            except Empty:
                continue
        raise AssertionError(f"The kernel broadcasts nothing: {self.said.read_text()}")

    def drained(self, quiet_s: float = 0.05) -> list[Message]:
        """Every broadcast that is still on its way."""
        found = []
        try:
            while True:
                found.append(self.client.get_iopub_msg(timeout=quiet_s))
        except Empty:
            return found

    def send(self, code: str, **options: Any) -> str:
        """Sends an execute request; its id."""
        options = {"allow_stdin": False, **options}
        sent: str = self.client.execute(code, **options)
        return sent

    def run(self, code: str, **options: Any) -> Answer:
        """Runs a cell to its reply and its idle."""
        return self.settled(self.send(code, **options))

    def ok(self, code: str, **options: Any) -> Answer:
        """Runs a cell that has to work."""
        answer = self.run(code, **options)
        assert answer.status == "ok", answer.reply
        return answer

    def settled(
        self, sent: str, heard: Callable[[Message], None] | None = None, reply: bool = True
    ) -> Answer:
        """Waits for the idle of the request ``sent``, and for its reply."""
        answer = Answer()
        for message in self.broadcasts():
            if message["parent_header"].get("msg_id") != sent:
                continue
            answer.messages.append(message)
            if heard is not None:
                heard(message)
            if message["content"].get("execution_state") == "idle":
                break
        if reply:
            answer.reply = self.reply(sent)
        return answer

    def broadcasts(self) -> Iterator[Message]:
        """Broadcasts as they come."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                yield self.client.get_iopub_msg(timeout=max(end - time.monotonic(), 0.01))
            except Empty:
                raise AssertionError(f"The kernel said nothing: {self.said.read_text()}") from None

    def until(self, wanted: Callable[[Message], bool]) -> Message:
        """The next broadcast that is wanted."""
        return next(message for message in self.broadcasts() if wanted(message))

    def reply(self, sent: str) -> Message:
        """Content of the reply to ``sent``; other replies are kept for later."""
        return self.reply_message(sent)["content"]  # type: ignore[no-any-return]

    def reply_message(self, sent: str, channel: str = "shell") -> Message:
        """The whole reply to ``sent``."""
        for message in self._inbox:
            if message["parent_header"].get("msg_id") == sent:
                self._inbox.remove(message)
                return message
        get = getattr(self.client, f"get_{channel}_msg")
        while True:
            try:
                message = get(timeout=PATIENCE_S)
            except Empty:
                raise AssertionError(f"No reply came: {self.said.read_text()}") from None
            if message["parent_header"].get("msg_id") == sent:
                return message  # type: ignore[no-any-return]
            self._inbox.append(message)

    def control(self, kind: str, content: Mapping[str, Any] | None = None) -> Message:
        """Sends a request on the control channel; content of its reply."""
        message = self.client.session.msg(kind, dict(content or {}))
        self.client.control_channel.send(message)
        return self.reply_message(message["header"]["msg_id"], "control")["content"]  # type: ignore[no-any-return]

    def ask(self, kind: str, content: Mapping[str, Any]) -> str:
        """Sends any request on the shell channel; its id."""
        message = self.client.session.msg(kind, dict(content))
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def panel(self, op: str, **args: Any) -> Message:
        """A request of the panel's; content of its reply."""
        return self.control("keelbook_request", {"id": "1", "op": op, "args": args})

    def guest_pid(self) -> int:
        """The pid of the guest."""
        result = self.ok("import os; os.getpid()", store_history=False).result
        return int(result or 0)

    def close(self) -> None:
        """Kernel and client gone."""
        self.client.stop_channels()
        if self.manager.has_kernel:
            self.manager.shutdown_kernel(now=False)


@contextmanager
def driven(
    folder: Path,
    *,
    settings: str = "",
    notebook: str = "",
    model: str = "",
    before: str = "",
) -> Iterator[Driven]:
    """A kernel whose data, settings and workspace lie in ``folder``; ``settings`` is YAML.

    ``before`` is Python that runs in the kernel's process before the launcher does.
    """
    workspace = folder / "workspace"
    workspace.mkdir(parents=True, exist_ok=True)
    config = folder / "config"
    config.mkdir(parents=True, exist_ok=True)
    if settings:
        (config / "profile.yaml").write_text(settings)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KEELBOOK")}
    kept.pop("JPY_SESSION_NAME", None)
    env = {
        **kept,
        "KEELBOOK_DATA": str(folder / "data"),
        "KEELBOOK_CONFIG": str(config),
    }
    if notebook:
        env["JPY_SESSION_NAME"] = notebook
    if model:
        env["KEELBOOK_MODEL"] = model
    said = folder / "said.txt"
    context = zmq.Context()
    context.setsockopt(zmq.RECONNECT_IVL, 2)
    with said.open("w") as file:
        manager = KernelManager(kernel_name="keelbook", context=context)
        if before:
            code = f"import sys\n{before}\nfrom keelbook.jupyter.launcher import main\nmain()"
            spec = manager.kernel_spec
            assert spec is not None
            spec.argv = [spec.argv[0], "-P", "-c", code, "-f", "{connection_file}"]
        manager.start_kernel(cwd=str(workspace), env=env, stdout=file, stderr=file)
        kernel = Driven(manager, said)
        try:
            yield kernel
        finally:
            kernel.close()
            context.destroy(linger=0)
