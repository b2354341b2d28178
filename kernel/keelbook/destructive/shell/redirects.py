"""What a command's redirections overwrite, and what they leave in files.

Rules: appending loses nothing. Writing the output of a command to an ordinary file is ordinary; a
file is emptied when nothing is written to it. Devices and parts of the system are never ordinary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import Flow
from keelbook.destructive.shell.targets import (
    is_device,
    is_precious,
    is_scratch,
    is_sink,
    located,
)


@dataclass(frozen=True, slots=True)
class Redirected:
    """One redirection with its target known as far as it can be."""

    operator: str
    number: str
    target: str


def judge_redirects(
    call: Call, redirects: Sequence[Redirected], output: Flow | None, *, bare: bool
) -> None:
    """``bare``: there is no command, so a file is only emptied."""
    for each in redirects:
        if each.operator in (">", ">|", "&>", ">&") and not is_sink(each.target):
            own = each.number in ("", "1")
            empty = bare or (own and output is not None and _is_empty(output))
            judge_overwrite(call, each.target, empty=empty)
            if own:
                call.scope.files[located(each.target, call.folder)] = output
        elif each.operator in (">>", "&>>") and is_device(each.target):
            call.destroys("disks", "writes onto a device")
        elif each.operator in (">>", "&>>") and not is_sink(each.target):
            path = located(each.target, call.folder)
            if path not in call.scope.files or output is None:
                call.scope.files[path] = output


def judge_overwrite(call: Call, path: str, *, empty: bool = False) -> None:
    """A file is written anew."""
    if is_device(path):
        call.destroys("disks", "writes onto a device")
    elif is_scratch(path, call.folder) or is_sink(path):
        if empty:
            call.may_lose("files", "empties a temporary file")
    elif empty:
        call.destroys("files", "empties a file")
    elif is_critical(path, call.folder):
        call.destroys("files", "overwrites a file of the system")


_CRITICAL_PREFIXES = ("/etc/", "/boot/", "/bin/", "/sbin/", "/lib/", "/usr/bin/", "/usr/lib/",
                      "/usr/sbin/", "/lib64/", "/System/", "/root/.ssh/")  # fmt: skip
_CRITICAL_PARTS = ("/.ssh/", "/.gnupg/", "/.git/")


def is_critical(path: str, folder: str) -> bool:
    """A file others depend on: configuration of the system, programs, keys, a repository's own."""
    there = located(path, folder)
    if not is_precious(there):
        return there.startswith(("~/.ssh/", ".git/"))
    if ".d/" in there:
        return False
    return there.startswith(_CRITICAL_PREFIXES) or any(each in there for each in _CRITICAL_PARTS)


def _is_empty(output: Flow) -> bool:
    return output.origin == "text" and not output.text.strip()
