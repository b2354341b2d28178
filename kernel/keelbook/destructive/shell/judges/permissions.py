"""``chmod``, ``chown`` and their kin: access that is not put back by the same command.

Rules: recursive on a part of the system or a whole home is destroyed, recursive elsewhere is
debatable, one file is ordinary unless the system needs it.
"""

from __future__ import annotations

import re

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.judges.removal import is_listing
from keelbook.destructive.shell.targets import is_device, is_precious, is_scratch, is_system
from keelbook.destructive.vocabulary import words

_MODE = re.compile(r"[0-7]{3,4}|[ugoa,]*[-+=][rwxXst,ugo=+-]*")
_LOCKS = re.compile(r"0{1,4}|[ugoa]*-[wx]*r[wx]*|[ugoa]*=$")


def _changed(call: Call) -> None:
    given = call.arguments(frozenset({"--reference", "--from"}))
    if call.idle():
        return
    reference = given.value("--reference") is not None
    first, targets = _parts(given.operands, reference or call.name == "chattr")
    recursive = given.has("-R") or given.begins("--recursive")
    if not targets:
        return
    system = any(is_system(target, call.folder) for target in targets)
    if recursive:
        if system or any(target in (".git", "~/.ssh") for target in targets):
            call.destroys("permissions", "changes access to a part of the system, all of it")
        elif any(not is_scratch(target, call.folder) for target in targets):
            call.may_lose("permissions", "changes access to a whole tree")
    elif any(is_listing(target) for target in targets):
        call.may_lose("permissions", "changes access to many files")
    elif system and any(is_precious(target, call.folder) for target in targets):
        locks = call.name == "chmod" and bool(_LOCKS.fullmatch(first))
        whole = any(target.rstrip("/").count("/") <= 1 or "/*" in target for target in targets)
        if locks or whole or first in ("777", "0777", "666", "a+rwx", "o+w", "a+w"):
            call.destroys("permissions", "changes access to a part of the system")
    elif any(is_device(target) for target in targets):
        call.may_lose("permissions", "changes access to a device")


def _parts(operands: list[str], no_first: bool) -> tuple[str, list[str]]:
    if no_first or not operands:
        return "", operands
    return operands[0], operands[1:]


def _chmod(call: Call) -> None:
    """A mode may look like an option: ``chmod -x file``."""
    words = [word for word in call.words[1:] if word[:1] == "-" and _MODE.fullmatch(word)]
    if words and not {"-R"} & set(words) and len(call.given.operands) >= 1:
        plain = [call.words[0], words[0][1:] and "a" + words[0]]
        rest = [word for word in call.words[1:] if word not in words]
        inner = Call(call.shell, [*plain, *rest], call.segment, call.span, via=call.via)
        _changed(inner)
        return
    _changed(call)


def _setfacl(call: Call) -> None:
    given = call.arguments(words("-m -x -M -X --modify --remove"))
    if call.idle() or given.has("--test"):
        return
    wipes = given.has("-b", "--remove-all", "-k", "--remove-default")
    if wipes and given.has("-R", "--recursive"):
        call.destroys("permissions", "removes the access lists of a whole tree")
    elif wipes or given.has("-x"):
        call.may_lose("permissions", "removes access lists")
    elif given.has("-R", "--recursive") and any(is_system(each) for each in given.operands):
        call.destroys("permissions", "changes access to a part of the system, all of it")


JUDGES = {
    "chmod": _chmod,
    "gchmod": _chmod,
    "chown": _changed,
    "gchown": _changed,
    "chgrp": _changed,
    "chattr": _changed,
    "chcon": _changed,
    "setfacl": _setfacl,
}
