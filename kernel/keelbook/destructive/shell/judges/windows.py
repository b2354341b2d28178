"""Commands of Windows and PowerShell whose options do not look like those of Unix.

Rules: case does not count; ``-WhatIf`` is a dry run. Plain calls are read, not PowerShell's own
language.
"""

from __future__ import annotations

import base64
import binascii
import re

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import DOWNLOAD, Dynamic
from keelbook.destructive.shell.judges.removal import SCRATCH, TREE, judge_files
from keelbook.destructive.shell.targets import is_artifact, is_scratch
from keelbook.destructive.vocabulary import words

_SAFE_NOUNS = words(
    "variable alias module job pssession event eventsubscriber typedata psdrive breakpoint "
    "psbreakpoint formatdata cimsession function psreadlinekeyhandler"
)
_TEMP = re.compile(r"(?i)(?:\$env:te?mp|%te?mp%|.*[\\/](?:temp|tmp)(?:[\\/]|$))")


def _lowered(call: Call) -> list[str]:
    return [word.lower() for word in call.words[1:]]


def _what_if(words: list[str]) -> bool:
    return "-whatif" in words or "-wi" in words


def _targets(call: Call) -> list[str]:
    return [word for word in call.words[1:] if word[:1] not in ("-", "/") or (len(word) > 3
            and word[0] == "/")]  # fmt: skip


def _is_temporary(path: str) -> bool:
    return bool(_TEMP.match(path)) or is_scratch(path) or is_artifact(path.replace("\\", "/"))


def _remove_item(call: Call) -> None:
    words = _lowered(call)
    if _what_if(words):
        return
    targets = [word for word in _targets(call) if word[:1] != "-"]
    piped = call.fed and not targets
    recursive = any(word.startswith("-r") and "-recurse".startswith(word) for word in words)
    if targets and all(_is_temporary(target) for target in targets):
        call.may_lose("files", SCRATCH)
    elif recursive or piped or any("*" in target for target in targets):
        call.destroys("files", TREE)
    elif targets:
        judge_files(call, targets)


def _del(call: Call) -> None:
    words = _lowered(call)
    if "/?" in words:
        return
    if any(word.startswith("-r") and "-recurse".startswith(word) for word in words):
        _remove_item(call)
        return
    targets = _targets(call)
    if targets and all(_is_temporary(target) for target in targets):
        call.may_lose("files", SCRATCH)
    elif "/s" in words or any("*" in target for target in targets):
        call.destroys("files", "removes many files")
    elif targets:
        judge_files(call, targets)


def _cmd(call: Call) -> None:
    words = list(call.words[1:])
    for at, word in enumerate(words):
        if word.lower() in ("/c", "/k", "//c", "/r"):
            call.read_shell(" ".join(words[at + 1 :]), "cmd /c")
            return
    if call.fed and call.stdin is not None and call.stdin.origin == "text":
        call.read_shell(call.stdin.text)


def _powershell(call: Call) -> None:
    words = list(call.words[1:])
    for at, word in enumerate(words):
        option = word.lower()
        rest = words[at + 1 :]
        if option[:1] != "-" and option[:1] != "/":
            call.read_shell(" ".join(words[at:]), call.name)
            return
        name = option[1:]
        if name and (("encodedcommand".startswith(name) and name[0] == "e" and name != "ex")
                     or name in ("ec", "enc")):  # fmt: skip
            _encoded(call, rest[0] if rest else "")
            return
        if name and "command".startswith(name):
            first = rest[0] if rest else ""
            if isinstance(first, Dynamic) and first.flow == DOWNLOAD:
                call.destroys("remote code", "runs what comes from the network")
            elif first == "-" and call.stdin is not None:
                call.read_shell(call.stdin.text)
            else:
                call.read_shell(_plain(" ".join(rest)), f"{call.name} -Command")
            return
        if name in ("executionpolicy", "ep", "ex", "version", "outputformat", "windowstyle", "w",
                    "file", "f", "configurationname", "workingdirectory"):  # fmt: skip
            words[at + 1 : at + 2] = ["-"]


def _plain(text: str) -> str:
    """``& { … }`` and parentheses, as the shell reader can take them."""
    text = re.sub(r"^\s*&\s*\{(.*)\}\s*$", r"\1", text, flags=re.DOTALL)
    return text.replace("\\", "/").replace("`", "")


def _encoded(call: Call, text: str) -> None:
    try:
        decoded = base64.b64decode(text + "=" * (-len(text) % 4)).decode("utf-16-le")
    except (binascii.Error, ValueError):
        call.report("unreadable", "unknown code", "runs a text that cannot be decoded")
        return
    call.read_shell(_plain(decoded), f"{call.name} -EncodedCommand")


def _robocopy(call: Call) -> None:
    words = _lowered(call)
    if "/l" in words:
        return
    if "/mir" in words or "/purge" in words:
        call.destroys("files", "deletes what the source does not have")
    elif "/mov" in words or "/move" in words:
        call.destroys("files", "deletes the source files")


def _format(call: Call) -> None:
    if any(re.fullmatch(r"[a-z]:\\?", word) for word in _lowered(call)):
        call.destroys("disks", "formats a disk")


def _diskpart(call: Call) -> None:
    flow = call.stdin
    text = flow.text if flow is not None and flow.origin == "text" else ""
    if re.search(r"(?im)^\s*(?:clean|delete|format|convert)\b", text):
        call.destroys("disks", "changes the partitions of a disk")
    elif call.given.has("/s") or "/s" in _lowered(call):
        call.may_lose("disks", "runs a script on the partitions of a disk")


def judge_cmdlet(call: Call) -> bool:
    """Any ``Verb-Noun`` of PowerShell; False when the name is none."""
    verb, dash, noun = call.name.partition("-")
    if not dash or not call.words[0][:1].isupper():
        return False
    if verb in ("remove", "clear", "uninstall", "unregister", "revoke", "reset") and noun:
        if noun not in _SAFE_NOUNS and not _what_if(_lowered(call)):
            if verb in ("remove", "clear"):
                call.destroys("windows", f"is told to {verb} with `{call.words[0]}`")
            else:
                call.may_lose("windows", f"is told to {verb} with `{call.words[0]}`")
        return True
    return False


JUDGES = {
    "remove-item": _remove_item,
    "ri": _remove_item,
    "del": _del,
    "erase": _del,
    "cmd": _cmd,
    "powershell": _powershell,
    "pwsh": _powershell,
    "robocopy": _robocopy,
    "format": _format,
    "diskpart": _diskpart,
}
