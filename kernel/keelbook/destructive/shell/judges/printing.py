"""Commands whose output is known because it is only their words or their input, changed.

Rules: what they cannot work out has no known output. A download stays one through a filter.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import DOWNLOAD, Dynamic, Flow, joined, known
from keelbook.destructive.shell.quoting import from_ansi
from keelbook.destructive.shell.redirects import judge_overwrite
from keelbook.destructive.shell.targets import is_device, is_sink, located
from keelbook.destructive.vocabulary import words

LENGTH = 64 * 1024

_FORMAT = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]))")
_SETS = {"A-Z": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "a-z": "abcdefghijklmnopqrstuvwxyz",
         "0-9": "0123456789", "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
         "[:lower:]": "abcdefghijklmnopqrstuvwxyz"}  # fmt: skip
_RANGE = re.compile(r"([a-zA-Z0-9])-([a-zA-Z0-9])")
_SUBSTITUTION = re.compile(r"s(.)(.*?)\1(.*?)\1([gI]*)")


def _echo(call: Call) -> Flow | None:
    words = list(call.words[1:])
    escapes, newline = False, "\n"
    while words and re.fullmatch(r"-[neE]+", words[0]):
        option = words.pop(0)
        escapes = escapes or "e" in option
        newline = "" if "n" in option else newline
    return _text(words, " ".join(words), escapes=escapes, end=newline)


def _text(words: list[str], text: str, *, escapes: bool, end: str) -> Flow | None:
    dynamic = [word for word in words if isinstance(word, Dynamic)]
    if dynamic:
        flow = dynamic[0].flow
        return flow if flow is not None and len(words) == 1 else known(text + end)
    return known((from_ansi(text) if escapes else text) + end)


def _printf(call: Call) -> Flow | None:
    words = list(call.words[1:])
    if len(words) > 2 and words[0] == "-v":
        made = _formatted(words[2], words[3:])
        call.scope.assign(words[1], [made])
        return known("")
    if words and words[0] == "--":
        words.pop(0)
    if not words:
        return known("")
    if any(isinstance(word, Dynamic) and word.flow is not None for word in words):
        return next(word.flow for word in words if isinstance(word, Dynamic))
    return known(_formatted(words[0], words[1:]))


def _formatted(form: str, words: list[str]) -> str:
    waiting = list(words)
    wanted = len([found for found in _FORMAT.finditer(form) if found[1]])

    def put(found: re.Match[str]) -> str:
        if not found[1]:
            return "%"
        word = waiting.pop(0) if waiting else ""
        return from_ansi(word) if found[1] == "b" else word

    form = from_ansi(form)
    text = _FORMAT.sub(put, form)
    while waiting and wanted and len(text) < LENGTH:
        text += _FORMAT.sub(put, form)
    return text


def _cat(call: Call) -> Flow | None:
    files = [word for word in call.words[1:] if word == "-" or word[:1] != "-"]
    if not files:
        return call.stdin
    return joined([_content(call, file) for file in files])


def _content(call: Call, file: str) -> Flow | None:
    """What is known of a file."""
    if file in ("-", "/dev/stdin"):
        return call.stdin
    if file == "/dev/null":
        return known("")
    if isinstance(file, Dynamic):
        return file.flow
    return call.scope.files.get(located(file, call.folder))


def _pass(call: Call) -> Flow | None:
    """A filter that keeps all, or enough of it."""
    given = call.arguments(words("-n -c -k -t -f -d"))
    files = [word for word in given.operands if not word.isdecimal()]
    if call.stdin is not None:
        return call.stdin
    return joined([_content(call, file) for file in files]) if files else None


def _filter(call: Call) -> Flow | None:
    """A filter that keeps some: of a text nothing is known, a listing stays a listing."""
    flow = call.stdin
    if flow is None or flow.origin == "text":
        return None
    return flow


def _tee(call: Call) -> Flow | None:
    for file in call.given.operands:
        if is_device(file) and not is_sink(file):
            call.destroys("disks", "writes onto a device")
        elif not call.given.has("-a", "--append"):
            empty = call.stdin is not None and call.stdin == known("")
            judge_overwrite(call, file, empty=empty)
        call.scope.files[located(file, call.folder)] = call.stdin
        if isinstance(file, Dynamic) and file.flow == DOWNLOAD:
            call.destroys("remote code", "runs what comes from the network")
    return call.stdin


def _base64(call: Call) -> Flow | None:
    """Also base32 and openssl's."""
    given = call.given
    flow = call.stdin
    decodes = given.has("-d", "-D", "--decode", "-di", "-id") or call.name == "openssl"
    if flow is None and given.operands and call.name != "openssl":
        flow = _content(call, given.operands[0])
    if flow is None or flow.origin != "text":
        return flow
    raw = "".join(flow.text.split()).encode("utf-8", "replace")
    try:
        if not decodes:
            return known(base64.b64encode(flow.text.encode("utf-8", "replace")).decode())
        decode = base64.b32decode if call.name == "base32" else base64.b64decode
        return known(decode(raw + b"=" * (-len(raw) % 4)).decode("utf-8", "replace"))
    except (binascii.Error, ValueError):
        return None


def _openssl(call: Call) -> Flow | None:
    operands = call.given.operands
    if operands[:1] in (["base64"], ["enc"]) and call.given.has("-d"):
        return _base64(call)
    return None


def _xxd(call: Call) -> Flow | None:
    flow = call.stdin
    if flow is None or flow.origin != "text" or not call.given.has("-r"):
        return flow
    digits = "".join(re.findall(r"[0-9a-fA-F]", flow.text))
    return known(bytes.fromhex(digits[: len(digits) // 2 * 2]).decode("utf-8", "replace"))


def _rev(call: Call) -> Flow | None:
    flow = call.stdin
    if flow is None or flow.origin != "text":
        return flow
    return known("\n".join(line[::-1] for line in flow.text.split("\n")))


def _tr(call: Call) -> Flow | None:
    flow, given = call.stdin, call.given
    if flow is None or flow.origin != "text":
        return flow
    sets = [_spread(from_ansi(operand)) for operand in given.operands]
    if given.has("-d", "--delete") and sets:
        return known("".join(letter for letter in flow.text if letter not in sets[0]))
    if len(sets) < 2 or not sets[1] or given.has("-c", "-C", "--complement"):
        return flow if given.has("-s") else None
    second = sets[1] + sets[1][-1] * max(0, len(sets[0]) - len(sets[1]))
    table = dict(zip(map(ord, sets[0]), second, strict=False))
    return known(flow.text.translate(table))


def _spread(letters: str) -> str:
    for name, spread in _SETS.items():
        letters = letters.replace(name, spread)
    return _RANGE.sub(
        lambda found: "".join(map(chr, range(ord(found[1]), ord(found[2]) + 1))), letters
    )


def _rot13(call: Call) -> Flow | None:
    flow = call.stdin
    if flow is None or flow.origin != "text":
        return flow
    return known(codecs.encode(flow.text, "rot13"))


def substituted(text: str, program: str) -> str | None:
    """What sed's ``s/a/b/`` makes of a text, when ``a`` is plain; None when it is not known."""
    found = _SUBSTITUTION.fullmatch(program.strip())
    if not found or re.search(r"[\\\[\]*.^$&]", found[2] + found[3]):
        return None
    return text.replace(found[2], found[3], -1 if "g" in found[4] else 1)


JUDGES = {
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
    "bat": _cat,
    "tac": _cat,
    "head": _pass,
    "tail": _pass,
    "zcat": _cat,
    "gunzip": _pass,
    "gzip": _pass,
    "xz": _pass,
    "pv": _pass,
    "sort": _pass,
    "uniq": _pass,
    "column": _pass,
    "nl": _filter,
    "cut": _filter,
    "jq": _filter,
    "grep": _filter,
    "egrep": _filter,
    "fgrep": _filter,
    "rg": _filter,
    "iconv": _pass,
    "dos2unix": _pass,
    "sponge": _tee,
    "tee": _tee,
    "base64": _base64,
    "gbase64": _base64,
    "base32": _base64,
    "openssl": _openssl,
    "xxd": _xxd,
    "rev": _rev,
    "tr": _tr,
    "gtr": _tr,
    "rot13": _rot13,
}
