"""Commands that write over files: copies, ``dd``, ``truncate``, editors in place, mirrors.

Rules: a copy onto an ordinary file is ordinary; a device, a file of the system or emptiness is not.
"""

from __future__ import annotations

import re

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import DOWNLOAD, Dynamic, Flow, known
from keelbook.destructive.shell.judges.printing import substituted
from keelbook.destructive.shell.judges.removal import is_listing
from keelbook.destructive.shell.redirects import is_critical, judge_overwrite
from keelbook.destructive.shell.tabled import by_table
from keelbook.destructive.shell.targets import is_device, is_scratch, is_sink, located
from keelbook.destructive.vocabulary import words

_COPY_VALUES = words("-t --target-directory -S --suffix -m -o -g --mode --owner --group")
_SHRINKS = re.compile(r"[-<%]|0+[kKMGTB]*$")
_SED_FILE = re.compile(r"(?:^|;|\})\s*\S*?w\s+(\S+)|/w\s+(\S+)")
_SED_CLUSTER = re.compile(r"-[nErsz]*i[nErsz]*")
_SED_RUNS = re.compile(r"(?:^|[;{\n]|\d|\$|/)\s*e\s+([^;}\n]+)")


def _cp(call: Call) -> None:
    given = call.arguments(_COPY_VALUES)
    targets = given.operands
    target = given.value("-t", "--target-directory") or (targets[-1] if len(targets) > 1 else "")
    if not target or call.idle():
        return
    if is_device(target):
        call.destroys("disks", "writes onto a device")
    elif targets[0] == "/dev/null":
        judge_overwrite(call, target, empty=True)
    elif is_critical(target, call.folder) and not target.endswith("/"):
        call.may_lose("files", "may overwrite a file of the system")
    source = call.scope.files.get(located(targets[0], call.folder))
    if source is not None:
        call.scope.files[located(target, call.folder)] = source


def _ln(call: Call) -> None:
    given = call.arguments(_COPY_VALUES)
    targets = given.operands
    if len(targets) < 2 or call.idle() or not given.has("-f", "--force"):
        return
    if targets[0] == "/dev/null":
        call.destroys("files", "puts nothing in a file's place")
    elif is_critical(targets[-1], call.folder):
        call.may_lose("files", "replaces a file of the system by a link")


def _dd(call: Call) -> None:
    values = dict(word.split("=", 1) for word in call.words[1:] if "=" in word)
    target = values.get("of", "")
    if not target or is_sink(target):
        return
    if is_device(target):
        call.destroys("disks", "writes onto a device")
    elif is_scratch(target, call.folder):
        call.may_lose("files", "overwrites a temporary file")
    elif is_critical(target, call.folder):
        call.destroys("files", "overwrites a file of the system")
    elif values.get("if") in ("/dev/null", "/dev/zero", "/dev/urandom") and "notrunc" in values.get(
        "conv", ""
    ):
        call.destroys("files", "overwrites a part of a file")
    else:
        call.may_lose("files", "may overwrite a file")


def _truncate(call: Call) -> None:
    given = call.arguments(frozenset({"-s", "--size", "-r", "--reference"}))
    size = given.value("-s", "--size")
    if not given.operands or call.idle() or size is None:
        return
    if all(is_scratch(target, call.folder) for target in given.operands):
        if any(is_listing(target) for target in given.operands) or _SHRINKS.match(size):
            call.may_lose("files", "cuts temporary files")
    elif _SHRINKS.match(size):
        call.destroys("files", "empties or cuts a file")
    elif size[:1] not in "+>/" and not size.startswith("+"):
        call.may_lose("files", "may cut a file")


def _install(call: Call) -> None:
    given = call.arguments(_COPY_VALUES)
    if given.operands[:1] == ["/dev/null"] and len(given.operands) > 1:
        judge_overwrite(call, given.operands[-1], empty=True)


def _fallocate(call: Call) -> None:
    given = call.arguments(frozenset({"-o", "-l", "--offset", "--length"}))
    if given.operands and given.has("-p", "-c", "-z", "--punch-hole", "--collapse-range",
                                    "--zero-range"):  # fmt: skip
        call.destroys("files", "cuts or empties a part of a file")


def _sed(call: Call) -> Flow | None:
    given = call.arguments(words("-e -f --expression --file -l"))
    program = given.value("-e", "--expression")
    operands = given.operands
    if program is None and operands:
        program, operands = operands[0], operands[1:]
    if program is None or call.idle():
        return None
    run = _SED_RUNS.search(program)
    if run and not program.lstrip().startswith("s"):
        call.read_shell(run[1])
    in_place = any(flag[:2] == "-i" or flag.startswith("--in-place") for flag in given.flags)
    in_place = in_place or any(_SED_CLUSTER.fullmatch(word) for word in call.words[1:3])
    if in_place and operands:
        _in_place(call, program, operands)
    written = _SED_FILE.search(program)
    if written:
        judge_overwrite(call, written[1] or written[2])
    flow = call.stdin
    if flow is not None and flow.origin == "text":
        changed = substituted(flow.text, program)
        return known(changed) if changed is not None else None
    return flow


def _in_place(call: Call, program: str, files: list[str]) -> None:
    if re.fullmatch(r"\s*(?:\d+,\$)?(?:1,\$)?d\s*", program):
        call.destroys("files", "empties files in place")
    elif any(is_critical(file, call.folder) for file in files) and re.fullmatch(
        r"\s*\S*d\s*", program
    ):
        call.may_lose("files", "deletes lines of a file of the system")
    else:
        call.may_lose("files", "rewrites files in place")


def _rsync(call: Call) -> None:
    given = call.arguments(
        words(
            "-e --rsh --exclude --include --exclude-from --filter -f --files-from --bwlimit "
            "--rsync-path --port --password-file --log-file --chmod --chown --backup-dir "
            "--suffix -T -B"
        )
    )
    if given.has("-n", "--dry-run", "--list-only", "--help") or not given.operands:
        return
    if any(flag.startswith(("--del", "--delete")) and not flag.startswith("--delay")
           for flag in given.flags):  # fmt: skip
        if is_scratch(given.operands[-1], call.folder):
            call.may_lose("files", "deletes temporary files that the source lacks")
        else:
            call.destroys("files", "deletes what the source does not have")
    elif given.has("--remove-source-files", "--remove-sent-files"):
        call.destroys("files", "deletes the source files")


def _tar(call: Call) -> Flow | None:
    given = call.given
    for word in call.words[1:]:
        name, _, value = word.partition("=")
        if name == "--checkpoint-action" and value.startswith("exec="):
            call.read_shell(value[5:])
        elif name in ("--to-command", "--use-compress-program", "--info-script", "-I") and value:
            call.read_shell(value)
    if given.has("--remove-files") and not call.idle():
        call.destroys("files", "deletes the files after they were packed")
    elif given.has("--delete") and not call.idle():
        call.destroys("files", "deletes members of an archive")
    elif given.has("--overwrite", "--recursive-unlink", "--unlink-first") and not call.idle():
        call.may_lose("files", "overwrites files that are there")
    return call.stdin if call.stdin == DOWNLOAD else None


def _zip(call: Call) -> None:
    given = call.given
    if call.idle() or given.has("-h", "-L"):
        return
    if given.has("-m", "--move"):
        call.destroys("files", "deletes the files after they were packed")
    elif given.has("-d", "--delete"):
        call.destroys("files", "deletes members of an archive")
    text = given.value("-TT", "--unzip-command")
    if text:
        call.read_shell(text)


def _ex(call: Call) -> None:
    """Editors told by options to run a command."""
    words = list(call.words[1:])
    for at, word in enumerate(words):
        text = words[at + 1] if word in ("-c", "--cmd") and at + 1 < len(words) else ""
        text = word[1:] if word[:1] == "+" else text
        if text.lstrip(": ").startswith(("!", "%!")):
            call.read_shell(text.lstrip(": ").lstrip("%").lstrip("!"))
        elif re.match(r":?\s*(?:%d|1,\$d)", text):
            call.destroys("files", "empties a file")


def _split_output(call: Call) -> None:
    """``-o``, ``--output``: only devices and the system matter."""
    given = call.arguments(frozenset({"-o", "--output"}))
    target = given.value("-o", "--output")
    if target and not isinstance(target, Dynamic):
        judge_overwrite(call, target)
    by_table(call)


JUDGES = {
    "cp": _cp,
    "gcp": _cp,
    "scp": _cp,
    "install": _install,
    "ln": _ln,
    "dd": _dd,
    "gdd": _dd,
    "dcfldd": _dd,
    "dc3dd": _dd,
    "truncate": _truncate,
    "gtruncate": _truncate,
    "fallocate": _fallocate,
    "sed": _sed,
    "gsed": _sed,
    "rsync": _rsync,
    "tar": _tar,
    "gtar": _tar,
    "bsdtar": _tar,
    "zip": _zip,
    "vim": _ex,
    "vi": _ex,
    "nvim": _ex,
    "ex": _ex,
    "gcc": _split_output,
    "shuf": _split_output,
}
