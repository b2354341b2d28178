"""Ending processes and sessions.

Rules: one process is debatable; all of them, the first one, or all of a user's are not.
"""

from __future__ import annotations

import re

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.judges.removal import is_listing
from keelbook.destructive.vocabulary import words

_SIGNAL = re.compile(r"-(?:\d{1,2}|(?:SIG)?[A-Z]{2,9}[0-9+]*|s|n)")


def _kill(call: Call) -> None:
    words = list(call.words[1:])
    if not words or words[0] in ("-l", "-L", "--list", "--help", "-0"):
        return
    targets: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word in ("-s", "-n", "--signal"):
            at += 1
        elif word == "--":
            targets += words[at + 1 :]
            break
        elif (word == "-1" and at > 0) or (
            not (_SIGNAL.fullmatch(word) and not targets) and not word.startswith("--")
        ):
            targets.append(word)
        at += 1
    if "0" in words[:1] or (words[0] == "-s" and words[1:2] == ["0"]):
        return
    if any(target in ("1", "-1", "0") for target in targets):
        call.destroys("processes", "ends every process, or the first one")
    elif any(is_listing(target) for target in targets):
        call.destroys("processes", "ends many processes")
    elif targets:
        call.may_lose("processes", "ends a process")


def _pkill(call: Call) -> None:
    given = call.arguments(
        words(
            "-u -U -g -G -P -s -t --signal --euid --uid -F --user --parent --terminal --session "
            "-o -y -Z"
        )
    )
    if call.idle() or given.has("-0", "-l", "--list", "-L") or given.value("--signal") == "0":
        return
    users = given.value("-u", "-U", "--euid", "--uid", "--user")
    names = given.operands
    if (users is not None and not names) or any(name in (".", ".*", "", "*") for name in names):
        call.destroys("processes", "ends every process of a user")
    elif call.name == "killall5" or any(name in ("init", "systemd", "sshd") for name in names):
        call.destroys("processes", "ends the processes the host lives by")
    elif names or users is not None:
        call.may_lose("processes", "ends processes by name")


def _killall5(call: Call) -> None:
    if not call.idle():
        call.destroys("processes", "ends every process")


def _fuser(call: Call) -> None:
    if call.given.has("-k", "--kill"):
        call.may_lose("processes", "ends the processes that use a file or port")


JUDGES = {
    "kill": _kill,
    "pkill": _pkill,
    "killall": _pkill,
    "skill": _pkill,
    "killall5": _killall5,
    "fuser": _fuser,
}
