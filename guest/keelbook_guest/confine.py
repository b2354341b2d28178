"""Confines this process by the operating system and proves it.

Rules (guest H9-H20)
- Called while there is one thread; what is started later is confined as well.
- The host's lists are the whole of what is granted, but for the interpreter's own
  folders, which only the interpreter knows.
- Capabilities are dropped and no privileges can be gained, also for root (guest H17).
- A backend counts only if a write into the canary folder was refused and one into `tmp`
  landed; what could not be had is named.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

from keelbook_guest import landlock
from keelbook_guest.spaces import Entered
from keelbook_guest.system import LINUX, PR_SET_NO_NEW_PRIVS, libc, prctl

PR_CAPBSET_DROP, PR_CAP_AMBIENT, AMBIENT_CLEAR_ALL = 24, 47, 4
CAPABILITY_VERSION_3 = 0x20080522


class Grants:
    """What this process may reach, for those who explain a refusal."""

    def __init__(
        self, read: list[str], write: list[str], tcp: str | list[int], active: bool
    ) -> None:
        self.tcp = tcp
        self.read = [os.path.realpath(path) for path in read]
        self.write = [os.path.realpath(path) for path in write]
        self.active = active

    def allows(self, path: str, writing: bool) -> bool:
        """Whether `path` lies in what is granted."""
        real = os.path.realpath(path)
        tops = self.write if writing else (*self.read, *self.write)
        return not self.active or any(
            real == top or real.startswith(top.rstrip("/") + "/") for top in tops
        )


def confine(record: dict[str, Any], tmp: str, entered: Entered) -> tuple[dict[str, Any], Grants]:
    """Applies a `Confine` record; the `Confined` record and what is granted."""
    read = [*record["read"], *own_folders()]
    confined: dict[str, Any] = {
        "rung": "namespaces" if entered.names else "unconfined",
        "abi": None,
        "missing": list(entered.missing),
        "canary": "untried",
        "reason": None,
    }
    if record["mode"] == "off":
        confined["reason"] = "confinement is off"
        return confined, Grants(read, record["write"], record["tcp"], False)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    if not drop_capabilities():
        confined["missing"].append("capabilities")
    abi = landlock.version()
    failure = "this system has no Landlock"
    if abi > 0:
        failure = landlock.restrict(read, record["write"], record["tcp"], abi) or ""
    if failure:
        confined["reason"] = failure
        confined["missing"] += ["files", *landlock.absent_rights(0, record["tcp"])]
        return confined, Grants(read, record["write"], record["tcp"], False)
    confined["abi"] = abi
    confined["rung"] = "landlock and namespaces" if entered.names else "landlock"
    confined["missing"] += landlock.absent_rights(abi, record["tcp"])
    _prove(confined, record["canary"], tmp)
    return confined, Grants(read, record["write"], record["tcp"], True)


def own_folders() -> list[str]:
    """Where this interpreter's own code lies: prefixes, import path, editable packages."""
    found = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    found.add(os.path.dirname(os.path.realpath(sys.executable)))
    found.add(os.path.dirname(os.path.abspath(__file__)))
    found.update(path for path in sys.path if path)
    found.update(persons_folders())
    for finder in sys.meta_path:
        module = sys.modules.get(getattr(finder, "__module__", ""))
        mapping = getattr(module, "MAPPING", None)
        if isinstance(mapping, dict):
            found.update(path for path in mapping.values() if isinstance(path, str))
    return sorted(path for path in found if path != "/" and os.path.exists(path))


def persons_folders() -> list[str]:
    """The folders of PYTHONPATH, which `-I` keeps off until the boot is over."""
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [os.path.abspath(path) for path in given if path]


def drop_capabilities() -> bool:
    """Leaves this process and what it executes without any capability."""
    if not LINUX:
        return True
    for number in range(64):
        prctl(PR_CAPBSET_DROP, number)
    prctl(PR_CAP_AMBIENT, AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    return bool(libc.capset(ctypes.byref(header), ctypes.byref(nothing)) == 0)


def _prove(confined: dict[str, Any], canary: str, tmp: str) -> None:
    """Writes where it must be refused and where it must land."""
    if not canary:
        return
    written = _can_write(os.path.join(canary, "guest"), False)
    confined["canary"] = "written" if written else "refused"
    if not _can_write(os.path.join(tmp, "canary"), True):
        confined["reason"] = "a write that is granted was refused"
    if confined["canary"] == "written":
        confined["rung"] = "unconfined"
        confined["reason"] = "a write that must be refused was not"


def _can_write(path: str, remove: bool) -> bool:
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except OSError:
        return False
    os.close(fd)
    if remove:
        os.unlink(path)
    return True
