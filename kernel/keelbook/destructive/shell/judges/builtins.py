"""What the shell itself does: it remembers names, moves about, and runs texts.

Rules: these change the scope and destroy nothing themselves, but for ``history``.
"""

from __future__ import annotations

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import DOWNLOAD, Dynamic, Flow, known
from keelbook.destructive.shell.targets import located
from keelbook.destructive.vocabulary import words

EMPTY = known("")


def _nothing(call: Call) -> Flow:
    """``true``, ``:``: no output."""
    return EMPTY


def _cd(call: Call) -> Flow:
    scope = call.scope
    target = next((word for word in call.words[1:] if word[:1] != "-"), "~")
    if isinstance(target, Dynamic) or target == "-":
        scope.folder = ""
    else:
        scope.folder = located(target, scope.folder)
    return EMPTY


def _popd(call: Call) -> Flow:
    call.scope.folder = ""
    return EMPTY


def _export(call: Call) -> Flow:
    """``export a=b`` whose words were not told apart before, as in ``env``'s."""
    for word in call.words[1:]:
        name, equals, value = word.partition("=")
        if equals and name.isidentifier():
            call.scope.assign(name, [value])
    return EMPTY


def _set(call: Call) -> Flow:
    words = list(call.words[1:])
    if "--" in words:
        call.scope.positional = words[words.index("--") + 1 :]
    elif words and words[0][:1] not in "-+":
        call.scope.positional = words
    return EMPTY


def _shift(call: Call) -> Flow:
    scope = call.scope
    if scope.positional:
        count = call.words[1] if len(call.words) > 1 else "1"
        scope.positional = scope.positional[int(count[:4]) if count.isdecimal() else 1 :]
    return EMPTY


def _read(call: Call) -> Flow:
    """``read a b``: the first line's words; of a listing, one of its names."""
    given = call.arguments(_READ_VALUES)
    names = given.operands or ["REPLY"]
    array = given.value("-a")
    flow = call.stdin
    if array is not None:
        words = flow.text.split() if flow is not None and flow.origin == "text" else None
        call.scope.assign(array, words if words is not None else [Dynamic(f"${array}", flow)])
        return EMPTY
    if flow is not None and flow.origin == "text":
        rest = flow.text
        for place, name in enumerate(names):
            if place == len(names) - 1:
                call.scope.assign(name, [rest.strip()])
            else:
                first, _, rest = rest.strip().partition(" ")
                call.scope.assign(name, [first])
    else:
        for name in names:
            call.scope.assign(name, [Dynamic(f"${name}", flow)])
    return EMPTY


_READ_VALUES = words("-p -t -n -N -d -u -i -a")


def _mapfile(call: Call) -> Flow:
    names = call.arguments(words("-d -n -O -s -u -C -c")).operands
    flow = call.stdin
    lines = flow.text.splitlines() if flow is not None and flow.origin == "text" else None
    name = names[0] if names else "MAPFILE"
    call.scope.assign(name, lines if lines is not None else [Dynamic(f"${name}", flow)])
    return EMPTY


def _eval(call: Call) -> None:
    words = call.words[1:]
    text = " ".join(words)
    for word in words:
        if isinstance(word, Dynamic) and word.flow == DOWNLOAD:
            call.destroys("remote code", "runs what comes from the network")
            return
    if words and isinstance(words[0], Dynamic) and words[0].startswith("$(…)"):
        return
    if text:
        call.read_shell(text)


def _source(call: Call) -> None:
    if len(call.words) < 2:
        return
    file = call.words[1]
    flow = call.scope.files.get(located(file, call.folder))
    if isinstance(file, Dynamic):
        flow = file.flow
    elif file in ("/dev/stdin", "-"):
        flow = call.stdin
    if flow == DOWNLOAD:
        call.destroys("remote code", "runs what comes from the network")
    elif flow is not None and flow.origin == "text":
        call.read_shell(flow.text)


def _alias(call: Call) -> Flow:
    for word in call.words[1:]:
        name, equals, value = word.partition("=")
        if equals:
            call.scope.aliases[name] = value
    return EMPTY


def _unalias(call: Call) -> Flow:
    for word in call.words[1:]:
        call.scope.aliases.pop(word, None)
    return EMPTY


def _trap(call: Call) -> Flow:
    given = call.given
    if len(given.operands) > 1 and given.operands[0] and not given.has("-p", "-l"):
        call.read_shell(given.operands[0])
    return EMPTY


def _history(call: Call) -> None:
    if call.given.has("-c") or (call.given.has("-w") and call.given.has("-c")):
        call.destroys("history", "clears the shell's history")
    elif call.given.has("-d", "--delete"):
        call.may_lose("history", "deletes an entry of the shell's history")
    elif "clear" in call.given.operands[:1]:
        call.destroys("history", "clears the shell's history")


def _unset(call: Call) -> Flow:
    for word in call.words[1:]:
        call.scope.variables.pop(word, None)
        call.scope.functions.pop(word, None)
    return EMPTY


JUDGES = {
    ":": _nothing,
    "true": _nothing,
    "false": _nothing,
    "cd": _cd,
    "chdir": _cd,
    "pushd": _cd,
    "popd": _popd,
    "export": _export,
    "declare": _export,
    "typeset": _export,
    "local": _export,
    "readonly": _export,
    "set": _set,
    "shift": _shift,
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "alias": _alias,
    "unalias": _unalias,
    "trap": _trap,
    "history": _history,
    "unset": _unset,
}
