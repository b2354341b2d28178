"""Commands that name files and run others on them: ``find``, ``fd``, ``xargs``, ``parallel``.

Rules: what they run is judged with a listing in the place of the names. A listing is scratch when
all roots are temporary and something chooses among them, or when only caches are named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import LISTING, SCRATCH, Dynamic, Flow
from keelbook.destructive.shell.redirects import judge_overwrite
from keelbook.destructive.shell.targets import is_artifact, is_scratch
from keelbook.destructive.vocabulary import words

_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_WRITES = frozenset({"-fprint", "-fprint0", "-fls", "-fprintf"})
_NAMES = words("-name -iname -path -ipath -wholename")
_CHOOSES = words(
    "-name -iname -path -ipath -regex -iregex -mtime -atime -ctime -mmin -amin -cmin -user "
    "-group -size -newer -empty -uid -wholename -lname -perm -nouser -newermt -newerct -age"
)
_CACHE = re.compile(r"\*?\.?(?:pyc|pyo|tmp|temp|swp|cache|o|class|pid|log\.\d|DS_Store)|\*~|#\*#")


def _find(call: Call) -> Flow:
    words = call.words[1:]
    first = 0
    while first < len(words) and words[first] in ("-H", "-L", "-P", "-E", "-x", "-d", "-s", "-f"):
        first += 1
    end = first
    while end < len(words) and words[end][:1] not in ("-", "(", "!") and words[end] != "\\(":
        end += 1
    roots, expression = list(words[first:end]), list(words[end:])
    found = _named(call, roots, expression)
    if "-help" in expression or "--help" in expression:
        return found
    at = 0
    while at < len(expression):
        word = expression[at]
        if word == "-delete":
            if found.scratch:
                call.may_lose("files", "removes temporary files it finds")
            else:
                call.destroys("files", "removes every file it finds")
        elif word in _RUNS:
            at = _run(call, expression, at + 1, found)
        elif word in _WRITES and at + 1 < len(expression):
            judge_overwrite(call, expression[at + 1])
        at += 1
    return found


def _named(call: Call, roots: list[str], expression: list[str]) -> Flow:
    chooses = not _CHOOSES.isdisjoint(expression)
    if roots and chooses and all(is_scratch(root, call.folder) for root in roots):
        return SCRATCH
    if roots and all(is_artifact(root) for root in roots):
        return SCRATCH
    patterns = [
        expression[at + 1]
        for at, word in enumerate(expression[:-1])
        if word in _NAMES and (at == 0 or expression[at - 1] not in ("!", "-not"))
    ]
    caches = all(
        " " not in each and (is_artifact(each.strip("*/")) or _CACHE.fullmatch(each))
        for each in patterns
    )
    return SCRATCH if patterns and caches else LISTING


def _run(call: Call, expression: list[str], at: int, found: Flow) -> int:
    """Judges the command of an ``-exec``; the place of its end."""
    end = at
    while end < len(expression) and expression[end] not in (";", "\\;"):
        if expression[end] == "+" and expression[end - 1] == "{}":
            break
        end += 1
    words = [put(word, "{}", found) for word in expression[at:end]]
    if words:
        call.again(words, f"{call.name} {expression[at - 1]}", found, fed=True)
    return end


def put(word: str, place: str, flow: Flow | None) -> str:
    """A word with the names in the place of ``{}``; inside a text only the mark stays."""
    if place not in word:
        return word
    return Dynamic(word, flow)


def _fd(call: Call) -> Flow:
    words = list(call.words[1:])
    roots = call.given.operands[1:2]
    found = SCRATCH if roots and all(is_scratch(root) for root in roots) else LISTING
    for at, word in enumerate(words):
        if word in ("-x", "-X", "--exec", "--exec-batch"):
            inner = [put(each, "{}", found) for each in words[at + 1 :]]
            if not any("{" in each for each in inner):
                inner.append(Dynamic("{}", found))
            call.again(inner, f"{call.name} {word}", found, fed=True)
            break
    return found


# ---------------------------------------------------------------- xargs, parallel

_XARGS_VALUES = words(
    "-I -n -P -L -d -E -s -a -J -R -S --max-args --max-procs --max-lines --delimiter --arg-file "
    "--replace --max-chars --eof"
)


def _xargs(call: Call) -> Flow | None:
    words, at, mark = call.words, 1, ""
    while at < len(words) and words[at][:1] == "-":
        word = words[at]
        if word in ("-i", "--replace"):
            mark = "{}"
        elif word[:2] == "-i" and word[1] != "-":
            mark = word[2:]
        elif word[:2] in ("-I", "-J"):
            mark = word[2:] or (words[at + 1] if at + 1 < len(words) else "{}")
        elif word.startswith("--replace="):
            mark = word.partition("=")[2]
        at += 2 if word in _XARGS_VALUES and len(word) != 1 else 1
        if word == "--":
            break
    inner = list(words[at:])
    if not inner:
        return call.stdin
    names = _names(call)
    if mark and any(mark in word for word in inner):
        filled = [word for each in inner for word in _filled(each, mark, names, call.stdin)]
    else:
        filled = inner + names
    call.again(filled, stdin=None, fed=False)
    return LISTING


def _names(call: Call) -> list[str]:
    flow = call.stdin
    if flow is not None and flow.origin == "text":
        return flow.text.split()[:64]
    return [Dynamic("{}", flow or LISTING)]


def _filled(word: str, mark: str, names: list[str], flow: Flow | None) -> Sequence[str]:
    if mark not in word:
        return [word]
    if word == mark:
        return names
    if any(isinstance(name, Dynamic) for name in names):
        return [Dynamic(word.replace(mark, "{}"), flow or LISTING)]
    return [word.replace(mark, name) for name in names[:8]]


_PARALLEL_VALUES = words(
    "-j -S -a -n -N -L -I -C -d --jobs --sshlogin --arg-file --colsep --joblog --delay "
    "--timeout --retries --results --tmpdir --workdir --wd --load --memfree --max-args --halt "
    "--tagstring --env --basefile --transferfile --return --sshloginfile --slf -P --nice "
    "--block --recstart"
)


def _parallel(call: Call) -> None:
    words, at = list(call.words[1:]), 0
    while at < len(words) and words[at][:1] == "-":
        at += 2 if words[at] in _PARALLEL_VALUES else 1
    groups: list[list[str]] = []
    command: list[str] = []
    for word in words[at:]:
        if word in (":::", ":::+", "::::", "::::+"):
            groups.append([])
        elif groups:
            groups[-1].append(word)
        else:
            command.append(word)
    names = [name for group in groups for name in group][:64]
    if not command:
        texts = names or _names(call)
        for text in texts:
            if isinstance(text, Dynamic):
                call.may_lose("unknown code", "runs commands that are not known before")
            else:
                call.read_shell(text)
        return
    listing = names or _names(call)
    filled: list[str] = []
    replaced = False
    for word in command:
        if re.search(r"\{[^{}]*\}", word):
            replaced = True
            plain = re.fullmatch(r"\{(?:\d+|[./]*)\}", word)
            filled += listing if plain else [Dynamic(word, LISTING)]
        else:
            filled.append(word)
    if not replaced:
        filled += listing
    if len(command) == 1 and " " in command[0]:
        text = re.sub(r"\{(?:\d+|[./]*)\}", lambda _: " ".join(listing), command[0])
        call.read_shell(text if replaced else " ".join([text, *listing]))
    else:
        call.again(filled)


def _listing(call: Call) -> Flow:
    """A command that prints names of many things."""
    return LISTING


def _ls(call: Call) -> Flow:
    operands = call.given.operands
    scratch = bool(operands) and all(is_scratch(each, call.folder) for each in operands)
    return SCRATCH if scratch else LISTING


JUDGES = {
    "find": _find,
    "gfind": _find,
    "bfs": _find,
    "fd": _fd,
    "fdfind": _fd,
    "xargs": _xargs,
    "gxargs": _xargs,
    "parallel": _parallel,
    "sem": _parallel,
    "ls": _ls,
    "exa": _ls,
    "eza": _ls,
    "locate": _listing,
    "pgrep": _listing,
    "lsof": _listing,
    "mdfind": _listing,
    "fzf": _listing,
    "seq": _listing,
}
