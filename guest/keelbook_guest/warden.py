"""The warden: the process between the host and the guest, which never runs user code.

It reads the start record (see `bootstrap`) from the lifeline, enters the namespaces it
names, forks the guest or the command, and stays. It keeps fd 4 only.

Rules (guest R3, D6, D7, D9, D10)
- When the child ends or the lifeline closes, everything below the warden is killed and
  reaped, then the warden ends with the child's status.
- The child has its own session and no fd 4, and the kernel kills it when the warden dies.
- Orphans come to the warden where the system has a child subreaper, so that the CPU time
  of the whole tree can be counted from outside, living and reaped (guest H4).
- In a pid namespace, pid 1 is a stub that does nothing but reap: signals act on the
  guest as they do elsewhere.
"""

from __future__ import annotations

import os
import select
import signal
from typing import Any, NoReturn

from keelbook_guest.codec import decode, encode
from keelbook_guest.spaces import Entered, enter, mount_proc
from keelbook_guest.system import die_with_parent, subreaper

LIFELINE = 4
FAILED = 126
CLEARING_ROUNDS = 200


def keep() -> NoReturn:
    """Runs the warden to its end."""
    line = _read_line()
    if line is None:
        os._exit(FAILED)
    start: dict[str, Any] = decode(line)
    entered = enter(start.get("namespaces", []), start.get("cover", []))
    subreaper()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, _ignored)
    for name in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    stub = _stub(entered) if "pid" in entered.names else None
    report, reporting = os.pipe()
    warden = os.getpid()
    child = os.fork()
    if child == 0:
        for fd in (woken, wake, report, LIFELINE):
            os.close(fd)
        _child(start, entered, reporting, warden)
    os.close(reporting)
    for fd in (0, 1, 2, 3):
        _close(fd)
    _tell({"pid": child, "entered": entered.names, "missing": entered.missing})
    status = _watch(child, woken, report)
    _tell({"status": status})
    _clear(stub)
    _end_as(status)


def _child(start: dict[str, Any], entered: Entered, reporting: int, warden: int) -> NoReturn:
    signal.set_wakeup_fd(-1)
    for name in (signal.SIGCHLD, signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    os.setsid()
    die_with_parent(warden)
    try:
        if start["mode"] == "command":
            from keelbook_guest.command import run_command

            run_command(start, entered, reporting)
        from keelbook_guest.__main__ import run_guest

        os.close(reporting)
        run_guest(start, entered)
    except BaseException:
        import traceback

        traceback.print_exc()
    os._exit(FAILED)


def _stub(entered: Entered) -> int:
    """Forks pid 1 of the new namespace and waits until it has its own /proc."""
    ready, tell = os.pipe()
    warden = os.getpid()
    pid = os.fork()
    if pid:
        os.close(tell)
        os.read(ready, 1)
        os.close(ready)
        return pid
    os.setsid()
    die_with_parent(warden)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if "mount" in entered.names and not mount_proc():
        entered.missing.append("private /proc")
    for fd in (0, 1, 2, 3, LIFELINE, ready):
        _close(fd)
    os.close(tell)
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            signal.pause()


def _watch(child: int, woken: int, report: int) -> int:
    """Waits for the child's end, or kills it when the lifeline closes; its wait status."""
    sources = [woken, LIFELINE, report]
    while True:
        status = _reap(child)
        if status is not None:
            return status
        ready, _, _ = select.select(sources, [], [])
        if report in ready:
            said = os.read(report, 65536)
            if said:
                _write(said)
            else:
                sources.remove(report)
        if LIFELINE in ready and not _alive():
            sources.remove(LIFELINE)
            os.kill(child, signal.SIGKILL)
        if woken in ready:
            os.read(woken, 4096)


def _reap(child: int) -> int | None:
    """Reaps all that ended; the child's wait status if it is among them."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if pid == 0:
            return found
        if pid == child and not os.WIFSTOPPED(status):
            found = status


def _clear(stub: int | None) -> None:
    """Kills and reaps every descendant; new ones are found again until none is left."""
    if stub is not None:
        os.kill(stub, signal.SIGKILL)
    for _ in range(CLEARING_ROUNDS):
        for pid in descendants(os.getpid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        select.select([], [], [], 0.01)


def descendants(root: int) -> list[int]:
    """The pids below `root`, by /proc; empty where there is no /proc."""
    parents: dict[int, list[int]] = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    for name in names:
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                stat = file.read()
        except OSError:
            continue
        parent = int(stat[stat.rindex(b")") + 2 :].split()[1])
        parents.setdefault(parent, []).append(int(name))
    found: list[int] = []
    ahead = [root]
    while ahead:
        below = parents.get(ahead.pop(), [])
        found += below
        ahead += below
    return found


def _end_as(status: int) -> NoReturn:
    if os.WIFSIGNALED(status):
        import resource

        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _ignored(number: int, frame: object) -> None:
    """SIGCHLD only has to wake the select."""


def _read_line() -> bytes | None:
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(LIFELINE, 65536)
        if not part:
            return None
        line += part
    return line


def _alive() -> bool:
    try:
        return bool(os.read(LIFELINE, 4096))
    except OSError:
        return False


def _tell(record: dict[str, Any]) -> None:
    _write(encode(record).encode() + b"\n")


def _write(data: bytes) -> None:
    try:
        os.write(LIFELINE, data)
    except OSError:
        return


def _close(fd: int) -> None:
    try:
        os.close(fd)
    except OSError:
        return
