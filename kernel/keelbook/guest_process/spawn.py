"""Starts a guest's warden: the one place that makes the process and the pipes to it.

Rules (R3): ``os.posix_spawn``, never ``preexec_fn`` (the host has threads); fd 0 is ``/dev/null``,
1 and 2 pipes, 3 the channel, 4 the lifeline, nothing else; all of the host's ends are
close-on-exec. Importing this module loads next to nothing, so that a kernel can start its guest
before the rest of itself: no asyncio, no pydantic, no dataclasses.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from keelbook.guest_process.environment import guest_environment

_HIGH = 16
_DEFAULTS = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGPIPE,
    signal.SIGCHLD,
    signal.SIGTSTP,
    signal.SIGTTIN,
    signal.SIGTTOU,
)


class Plan:
    """What is to be started: the interpreter, its environment, the warden's start record.

    Two plans are equal when one process would do for both; a kernel may launch by a plan made
    from the defaults and find, once its settings are read, that another one is needed.
    """

    __slots__ = ("env", "python", "start")

    def __init__(self, python: str, env: Mapping[str, str], start: Mapping[str, Any]) -> None:
        self.python = python
        self.env = dict(env)
        self.start = dict(start)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and (self.python, self.env, self.start) == (
            other.python,
            other.env,
            other.start,
        )

    __hash__ = None  # type: ignore[assignment]


class Launched:
    """A warden that has been started: its pid (a child of this process) and the host's ends.

    ``channel`` and ``lifeline`` are sockets in blocking mode, ``stdout`` and ``stderr`` the read
    ends of pipes, ``tmp`` the guest's own scratch folder, ``born`` the monotonic time of the start.
    """

    __slots__ = ("born", "channel", "lifeline", "pid", "plan", "stderr", "stdout", "tmp")

    def __init__(
        self,
        pid: int,
        plan: Plan,
        channel: socket.socket,
        lifeline: socket.socket,
        pipes: tuple[int, int],
        tmp: str,
    ) -> None:
        self.pid = pid
        self.plan = plan
        self.channel = channel
        self.lifeline = lifeline
        self.stdout, self.stderr = pipes
        self.tmp = tmp
        self.born = time.monotonic()

    def discard(self) -> None:
        """Ends a guest nobody wants; its warden kills it as soon as the lifeline closes."""
        for end in (self.channel, self.lifeline):
            end.close()
        for fd in (self.stdout, self.stderr):
            os.close(fd)
        os.waitpid(self.pid, 0)
        os.rmdir(self.tmp)


def guest_folder() -> str:
    """Where the guest package lies: beside this one, wherever the import system finds it."""
    from importlib.util import find_spec

    found = find_spec("keelbook_guest")
    if found is None or not found.submodule_search_locations:
        raise FileNotFoundError("the package keelbook_guest is not installed")
    return next(iter(found.submodule_search_locations))


def new_scratch() -> str:
    """A new private folder for one guest's temporary files."""
    parent = os.environ.get("TMPDIR") or "/tmp"
    path = os.path.join(os.path.realpath(parent), f"keelbook-{os.urandom(8).hex()}")
    os.mkdir(path, 0o700)
    return path


def plan(
    python: str | None = None,
    *,
    pass_env: Collection[str] = (),
    never: Collection[str] = (),
    namespaces: Sequence[str] = (),
    cover: Sequence[str] = (),
    own_caches: bool = True,
) -> Plan:
    """The plan for a guest in ``python`` (this interpreter unless told).

    ``own_caches``: libraries keep their caches where a confined guest may write, because the
    user's own (a list of fonts, say) it may not even read. Matplotlib asks for a folder of
    settings that it can write, or complains in every session.
    """
    env = guest_environment(os.environ, pass_env, never)
    if own_caches:
        env["XDG_CACHE_HOME"] = cache_folder()
        env.setdefault("MPLCONFIGDIR", os.path.join(cache_folder(), "matplotlib"))
    start = {
        "mode": "guest",
        "namespaces": list(namespaces),
        "cover": list(cover),
        "lend": lent(),
    }
    return Plan(python or sys.executable, env, start)


def cache_folder() -> str:
    """The folder for caches that guests of all sessions share; made when it is not there."""
    root = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(root, "keelbook", "guest")
    with contextlib.suppress(OSError):
        os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def lent() -> dict[str, str]:
    """The host's modules a guest may import, and the folder each lies in."""
    from importlib.util import find_spec

    found = find_spec("dill")
    if found is None or not found.submodule_search_locations:
        return {}
    return {"dill": os.path.dirname(next(iter(found.submodule_search_locations)))}


def launch(
    what: Plan | None = None, confine: Callable[[str], Mapping[str, Any]] | None = None
) -> Launched:
    """Starts the warden of a new guest (or command) and tells it its start record.

    ``confine`` makes the ``confine`` field of a command's record from its scratch folder. Raises
    OSError when the interpreter cannot be started or descriptors run out.
    """
    what = what or plan()
    folder = guest_folder()
    with open(os.path.join(folder, "bootstrap.py"), encoding="utf-8") as file:
        bootstrap = file.read()
    tmp = new_scratch()
    try:
        launched = _spawn(what, [what.python, "-I", "-c", bootstrap, folder], tmp)
    except BaseException:
        os.rmdir(tmp)
        raise
    start = what.start if confine is None else {**what.start, "confine": confine(tmp)}
    try:
        launched.lifeline.sendall(json.dumps(start).encode() + b"\n")
    except BrokenPipeError:
        return launched  # it has ended already, and whoever reads the lifeline will see that
    return launched


def _spawn(what: Plan, argv: list[str], tmp: str) -> Launched:
    """Starts ``argv`` with the five descriptors of a warden. Raises OSError."""
    channel, guest_channel = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    lifeline, guest_lifeline = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    out, guest_out = os.pipe()
    err, guest_err = os.pipe()
    theirs: list[int] = []
    try:
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        theirs = [null, guest_out, guest_err, guest_channel.detach(), guest_lifeline.detach()]
        theirs = [_high(fd) for fd in theirs]
        pid = os.posix_spawn(
            what.python,
            argv,
            {**what.env, "TMPDIR": tmp},
            file_actions=[
                *((os.POSIX_SPAWN_DUP2, fd, to) for to, fd in enumerate(theirs)),
                *((os.POSIX_SPAWN_CLOSE, fd) for fd in _inheritable() if fd >= len(theirs)),
            ],
            setpgroup=0,
            setsigmask=(),
            setsigdef=_DEFAULTS,
        )
    except BaseException:
        for fd in (channel.detach(), lifeline.detach(), out, err):
            os.close(fd)
        raise
    finally:
        for fd in theirs:
            os.close(fd)
    os.set_blocking(out, False)
    os.set_blocking(err, False)
    return Launched(pid, what, channel, lifeline, (out, err), tmp)


def _inheritable() -> list[int]:
    """Descriptors a child would get: what this process was itself started with, for the most."""
    found = []
    for name in os.listdir("/dev/fd"):
        try:
            if os.get_inheritable(int(name)):
                found.append(int(name))
        except OSError:
            continue
    return found


def _high(fd: int) -> int:
    """``fd`` moved above the numbers the guest's descriptors are copied to."""
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    os.close(fd)
    return moved
