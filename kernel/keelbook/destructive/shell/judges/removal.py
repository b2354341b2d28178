"""``rm`` and what else removes files by name.

Rules: a tree is destroyed, a single file may be missed, scratch and build output are debatable. A
file of the system, and what a listing or a bare glob names, count as a tree.
"""

from __future__ import annotations

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import Dynamic
from keelbook.destructive.shell.targets import (
    is_device,
    is_everything,
    is_precious,
    is_scratch,
    is_system,
)
from keelbook.destructive.vocabulary import words

TREE = "removes a directory tree"
SCRATCH = "removes temporary files or build output"
MANY = "removes many files"


def _rm(call: Call) -> None:
    given = call.given
    if given.begins("--help", "--version"):
        return
    recursive = given.has("-r", "-R") or given.begins("--recursive")
    targets = given.operands
    if not targets:
        return
    if recursive:
        if all(is_scratch(target, call.folder) for target in targets):
            call.may_lose("files", SCRATCH)
        else:
            call.destroys("files", TREE)
    else:
        judge_files(call, targets)


def judge_files(call: Call, targets: list[str]) -> None:
    """Files, not trees, are removed."""
    folder = call.folder
    left = [target for target in targets if not is_scratch(target, folder)]
    if not targets:
        return
    if not left:
        call.may_lose("files", SCRATCH)
    elif any(is_listing(target) for target in left):
        call.destroys("files", MANY)
    elif any(is_device(target) or is_precious(target, folder) for target in left):
        call.destroys("files", "removes a file of the system")
    elif any(is_everything(target) for target in left):
        call.destroys("files", "removes everything in a folder")
    else:
        call.may_lose("files", "removes a file")


def is_listing(word: str) -> bool:
    """Whether a word stands for many names."""
    if "{}" in word:
        return True
    return isinstance(word, Dynamic) and word.flow is not None and word.flow.origin != "text"


def _unlink(call: Call) -> None:
    if not call.idle():
        judge_files(call, call.given.operands)


def _rmdir(call: Call) -> None:
    """It removes empty folders only, but for Windows' ``/s``."""
    if any(word.lower() == "/s" for word in call.words[1:]):
        call.destroys("files", TREE)
    elif call.given.operands and not call.idle():
        call.may_lose("files", "removes an empty folder")


def _shred(call: Call) -> None:
    given = call.arguments(words("-n -s --iterations --size --random-source"))
    if given.operands and not call.idle():
        if all(is_scratch(target, call.folder) for target in given.operands):
            call.may_lose("files", "overwrites temporary files")
        else:
            call.destroys("files", "overwrites files so that nothing is left of them")


def _rimraf(call: Call) -> None:
    targets = call.given.operands
    if not targets or call.idle():
        return
    if all(is_scratch(target, call.folder) for target in targets):
        call.may_lose("files", SCRATCH)
    else:
        call.destroys("files", TREE)


def _trash(call: Call) -> None:
    if call.given.operands and not call.idle():
        call.may_lose("files", "moves files to the trash")


def _trash_empty(call: Call) -> None:
    if not call.idle():
        call.destroys("files", "empties the trash")


def _gio(call: Call) -> None:
    given = call.given
    if call.idle():
        return
    action = given.operands[0] if given.operands else ""
    if action == "trash" and given.has("--empty"):
        call.destroys("files", "empties the trash")
    elif action == "trash":
        _trash(call)
    elif action in ("remove", "rm"):
        judge_files(call, given.operands[1:])


def _mv(call: Call) -> None:
    given = call.arguments(frozenset({"-t", "--target-directory", "-S", "--suffix"}))
    targets = given.operands
    target = given.value("-t", "--target-directory") or (targets[-1] if len(targets) > 1 else "")
    sources = targets if given.value("-t", "--target-directory") else targets[:-1]
    if not target or call.idle():
        return
    if target == "/dev/null" or is_device(target):
        call.destroys("files", "moves a file onto a device")
    elif any(is_system(source, call.folder) and source.count("/") < 2 for source in sources):
        call.destroys("files", "moves a part of the system away")
    elif any(is_system(source, call.folder) for source in sources):
        call.may_lose("files", "moves a file of the system")
    elif given.has("-f", "--force"):
        call.may_lose("files", "may overwrite a file")


JUDGES = {
    "rm": _rm,
    "grm": _rm,
    "unlink": _unlink,
    "gunlink": _unlink,
    "rmdir": _rmdir,
    "rd": _rmdir,
    "shred": _shred,
    "gshred": _shred,
    "srm": _shred,
    "wipe": _shred,
    "scrub": _shred,
    "sfill": _shred,
    "sswap": _shred,
    "rimraf": _rimraf,
    "del-cli": _rimraf,
    "trash": _trash,
    "trash-put": _trash,
    "trash-cli": _trash,
    "rmtrash": _trash,
    "trash-empty": _trash_empty,
    "trash-rm": _trash_empty,
    "gio": _gio,
    "mv": _mv,
    "gmv": _mv,
}
