"""Programs that run a text: shells, Python, and the other languages.

Rules: the text is an option's value, the standard input, or a file this very text wrote. A script
nobody here knows is reported as unknown code for shells only.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from keelbook.destructive.shell.call import Call, program
from keelbook.destructive.shell.flow import DOWNLOAD, Dynamic, Flow, known
from keelbook.destructive.shell.rules import tools
from keelbook.destructive.shell.tabled import by_table
from keelbook.destructive.shell.targets import located
from keelbook.destructive.vocabulary import words

REMOTE = "runs what comes from the network"

_SHELL_VALUES = words("-o +o -O +O --rcfile --init-file")
_IN_PLACE = re.compile(r"-[a-hj-z0-9]*i[a-z0]*")
_EMPTIES = re.compile(r"s(\W)\^?\.[*+]\$?\1\1")
_PRINTED = re.compile(r"\s*print\((['\"])((?:(?!\1)[^\\])*)\1\)\s*")


def _shell(call: Call) -> None:
    words = call.words
    at, text = 1, False
    while at < len(words):
        word = words[at]
        if word in ("--", "-"):
            at += 1
            break
        if word[:1] not in "-+" or len(word) < 2:
            break
        if word in ("--help", "--version"):
            return
        at += 2 if word in _SHELL_VALUES else 1
        if word == "--command" or (word[1] != "-" and "c" in word[1:] and word[0] == "-"):
            text = True
        elif word.startswith("--command="):
            _run(call, word.partition("=")[2], [])
            return
        elif word == "-s":
            break
    if text and at < len(words):
        _run(call, words[at], list(words[at + 2 :]))
    elif not text and at < len(words) and "-s" not in words[:at]:
        _file(call, words[at], list(words[at + 1 :]))
    elif not text and call.fed:
        _stream(call, call.stdin, list(words[at:]))


def _run(call: Call, text: str, words: list[str]) -> None:
    flow = text.flow if isinstance(text, Dynamic) else None
    if flow == DOWNLOAD:
        call.destroys("remote code", REMOTE)
    elif flow is not None and flow.origin == "text":
        call.read_shell(flow.text, _by_option(call), call.scope.child(words))
    elif isinstance(text, Dynamic) and re.fullmatch(r"\$(?:\w+|\(…\)|[@*])", text):
        call.may_lose("unknown code", "runs a text that is not known before it runs")
    else:
        call.read_shell(text, _by_option(call), call.scope.child(words))


def _by_option(call: Call) -> str:
    return f"{call.name} -c"


def _file(call: Call, file: str, words: list[str]) -> None:
    if file in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
        _stream(call, call.stdin, words)
        return
    if isinstance(file, Dynamic) and file.flow is not None:
        _stream(call, file.flow, words)
        return
    _stream(call, call.scope.files.get(located(file.removeprefix("./"), call.folder)), words)


def _stream(call: Call, flow: Flow | None, words: list[str]) -> None:
    if flow == DOWNLOAD:
        call.destroys("remote code", REMOTE)
    elif flow is not None and flow.origin == "text":
        call.read_shell(flow.text, call.name, call.scope.child(words))
    else:
        call.may_lose("unknown code", "runs a script whose content is not known")


# ---------------------------------------------------------------- other languages


@dataclass(frozen=True, slots=True)
class Language:
    """How an interpreter is told what to run."""

    name: str
    codes: tuple[str, ...]
    values: frozenset[str] = frozenset()
    subcommands: tuple[str, ...] = ()


def _language(call: Call) -> Flow | None:
    language = LANGUAGES[call.name]
    words = call.words
    at, ran = 1, False
    if language.subcommands and at < len(words) and words[at] in language.subcommands:
        if words[at] == "eval" and at + 1 < len(words):
            _code(call, language, words[-1])
            return None
        at += 1
    output: Flow | None = None
    while at < len(words) and words[at][:1] == "-" and words[at] != "-":
        word = words[at]
        if word == "--":
            at += 1
            break
        name, equals, value = word.partition("=")
        if equals and name in language.codes:
            ran, output = True, _code(call, language, value)
        elif _gives_code(word, language):
            at += 1
            if at < len(words):
                ran, output = True, _code(call, language, words[at])
        elif word[:2] in language.codes and len(word) > 2 and language.name != "perl":
            ran, output = True, _code(call, language, word[2:])
        elif word in language.values:
            at += 1
        at += 1
    if not ran:
        _program(call, language, at)
    return output


def _gives_code(word: str, language: Language) -> bool:
    if word in language.codes:
        return True
    cluster = word[1] != "-" and len(word) < 7 and word[1:].isalnum()
    return cluster and language.name in ("perl", "ruby") and word[-1] in "eE"


def _code(call: Call, language: Language, text: str) -> Flow | None:
    if isinstance(text, Dynamic) and text.flow == DOWNLOAD:
        call.destroys("remote code", REMOTE)
        return None
    call.read(language.name, text, f"{call.name} {language.codes[0]}")
    if language.name in ("perl", "ruby") and any(_IN_PLACE.fullmatch(w) for w in call.words[1:3]):
        if _EMPTIES.search(text):
            call.destroys("files", "empties files in place")
        else:
            call.may_lose("files", "rewrites files in place")
    printed = _PRINTED.fullmatch(text)
    return known(printed[2] + "\n") if printed and language.name == "python" else None


def _program(call: Call, language: Language, at: int) -> None:
    words = call.words
    file = words[at] if at < len(words) else "-"
    flow = call.stdin
    if isinstance(file, Dynamic) and file.flow is not None:
        flow = file.flow
    elif file not in ("-", "/dev/stdin"):
        place = located(file.removeprefix("./"), call.folder)
        if place not in call.scope.files:
            if program(file) in tools():
                call.again(list(words[at:]))
            else:
                by_table(call)
            return
        flow = call.scope.files[place]
    elif not call.fed:
        return
    if flow == DOWNLOAD:
        call.destroys("remote code", REMOTE)
    elif flow is not None and flow.origin == "text":
        call.read(language.name, flow.text)
    elif not call.given.has("--version", "-V", "--help"):
        call.may_lose("unknown code", "runs a program whose text is not known")


def _python(call: Call) -> Flow | None:
    """``python -m pip`` is pip."""
    words = call.words
    for at, word in enumerate(words[1:], 1):
        if word == "-m" and at + 1 < len(words):
            return _module(call, list(words[at + 1 :]))
        if word in ("-c", "-") or word[:1] != "-":
            break
        if word[:2] == "-m":
            return _module(call, [word[2:], *words[at + 1 :]])
    return _language(call)


def _module(call: Call, words: list[str]) -> Flow | None:
    if words[0] in ("pip", "pipx", "conda", "uv", "awscli", "poetry", "twine", "alembic", "celery",
                    "django", "flask", "dbt", "invoke", "keyring", "nox", "tox"):  # fmt: skip
        return call.again(words, f"{call.name} -m")
    return None


LANGUAGES = {
    "python": Language("python", ("-c",), frozenset({"-W", "-X", "-Q", "--check-hash-based-pycs"})),
    "perl": Language("perl", ("-e", "-E"), frozenset({"-I", "-M"})),
    "ruby": Language("ruby", ("-e",), frozenset({"-I", "-r", "-C"})),
    "node": Language("javascript", ("-e", "--eval", "-p", "--print", "-pe"), frozenset({"-r"})),
    "deno": Language("javascript", ("--eval",), subcommands=("eval", "run")),
    "bun": Language("javascript", ("-e", "--eval", "-p"), frozenset({"-r"})),
    "php": Language("php", ("-r", "-B", "-R", "-E"), frozenset({"-d", "-c"})),
    "lua": Language("lua", ("-e",), frozenset({"-l"})),
    "rscript": Language("r", ("-e",)),
    "r": Language("r", ("-e",), frozenset({"-f"})),
    "julia": Language("julia", ("-e", "-E", "--eval", "--print")),
    "elixir": Language("elixir", ("-e", "--eval")),
    "groovy": Language("groovy", ("-e",)),
    "scala": Language("scala", ("-e",)),
    "osascript": Language("applescript", ("-e",), frozenset({"-l"})),
    "tclsh": Language("tcl", ("-c",)),
    "expect": Language("tcl", ("-c",)),
}
LANGUAGES |= {
    "ipython": Language("python", ("-c",)),
    "pypy": LANGUAGES["python"],
    "py": LANGUAGES["python"],
    "nodejs": LANGUAGES["node"],
    "luajit": LANGUAGES["lua"],
    "tsx": LANGUAGES["node"],
    "ts-node": LANGUAGES["node"],
    "littler": LANGUAGES["r"],
    "jruby": LANGUAGES["ruby"],
}

_SHELLS = words(
    "sh bash dash zsh ksh mksh ash fish rbash yash csh tcsh xonsh nu elvish oksh lksh posh"
)
JUDGES: dict[str, Callable[[Call], Flow | None]] = {
    name: _python if each.name == "python" else _language for name, each in LANGUAGES.items()
}
JUDGES.update(dict.fromkeys(_SHELLS, _shell))
