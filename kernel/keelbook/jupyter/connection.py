"""The five sockets of a kernel, made from a connection file.

Rules: the file says where to listen; a port of 0, or no file at all, is filled in and written
back, readable by its owner only. One thread serves all sockets but the heartbeat's, because
nothing here ever waits for a cell. CurveZMQ keys in the file are used.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
from pathlib import Path
from typing import Any

import zmq

from keelbook.errors import BadConfig
from keelbook.value import Value

PORTS = ("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port")
_LINGER_MS = 1000


class Sockets(Value):
    """Bound sockets and the connection they were bound to (every port filled in)."""

    context: zmq.Context[zmq.Socket[bytes]]
    shell: zmq.Socket[bytes]
    control: zmq.Socket[bytes]
    stdin: zmq.Socket[bytes]
    iopub: zmq.Socket[bytes]
    connection: dict[str, Any]

    def close(self) -> None:
        """Closes all, after what was sent has had a second to leave."""
        for socket in (self.shell, self.control, self.stdin, self.iopub):
            socket.close()
        self.context.term()


def read_connection(path: Path | None) -> dict[str, Any]:
    """The connection a file describes, or a new one. Raises BadConfig."""
    fresh: dict[str, Any] = {"ip": "127.0.0.1", "transport": "tcp", "key": secrets.token_hex(16)}
    fresh |= {"signature_scheme": "hmac-sha256", **dict.fromkeys(PORTS, 0)}
    if path is None or not path.exists():
        return fresh
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadConfig(f"The connection file {path} cannot be read: {error}.") from error
    if not isinstance(found, dict):
        raise BadConfig(f"The connection file {path} does not hold a connection.")
    return fresh | found


def bind(connection: dict[str, Any]) -> Sockets:
    """Binds shell, control, stdin and iopub. Raises BadConfig when a port is taken."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    made: dict[str, zmq.Socket[bytes]] = {}
    ports = dict(connection)
    for name, kind in (
        ("shell", zmq.ROUTER),
        ("control", zmq.ROUTER),
        ("stdin", zmq.ROUTER),
        ("iopub", zmq.XPUB),
    ):
        socket = made[name] = context.socket(kind)
        socket.linger = _LINGER_MS
        if kind == zmq.ROUTER:
            socket.router_handover = 1
        _encrypt(socket, connection)
        ports[f"{name}_port"] = _bind(socket, connection, connection[f"{name}_port"])
    return Sockets(context, **made, connection=ports)


def start_heartbeat(sockets: Sockets) -> None:
    """Sends every beat back, from a thread and a context that nothing else can hold up."""
    connection = sockets.connection
    socket: zmq.Socket[bytes] = zmq.Context().socket(zmq.ROUTER)
    socket.linger = _LINGER_MS
    _encrypt(socket, connection)
    connection["hb_port"] = _bind(socket, connection, connection["hb_port"])
    threading.Thread(target=zmq.proxy, args=(socket, socket), name="heartbeat", daemon=True).start()


def write_connection(path: Path, connection: dict[str, Any]) -> None:
    """Writes the filled-in connection, readable by its owner only."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
        json.dump(connection, file, indent=2)


def _encrypt(socket: zmq.Socket[bytes], connection: dict[str, Any]) -> None:
    secret, public = connection.get("curve_secretkey"), connection.get("curve_publickey")
    if secret and public:
        socket.curve_secretkey = secret.encode() if isinstance(secret, str) else secret
        socket.curve_publickey = public.encode() if isinstance(public, str) else public
        socket.curve_server = True


def _bind(socket: zmq.Socket[bytes], connection: dict[str, Any], port: int) -> int:
    transport, ip = connection["transport"], connection["ip"]
    try:
        if transport == "ipc":
            while not port:
                port = next(n for n in range(1, 10_000) if not os.path.exists(f"{ip}-{n}"))
            socket.bind(f"ipc://{ip}-{port}")
            return port
        if port:
            socket.bind(f"{transport}://{ip}:{port}")
            return port
        return int(socket.bind_to_random_port(f"{transport}://{ip}"))
    except zmq.ZMQError as error:
        raise BadConfig(f"The kernel cannot listen on {transport}://{ip}: {error}.") from error
