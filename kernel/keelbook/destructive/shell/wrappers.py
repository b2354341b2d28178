"""Finds the command inside a command that runs another.

Rules: which options a wrapper takes is data (``tables.wrapping``). What is inside is a command's
words or a shell text; a wrapper whose words cannot be told apart is judged by its table instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.tables.wrapping import TABLE

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")


@dataclass(slots=True)
class Wrapper:
    """How to get past one wrapper."""

    subcommand: tuple[frozenset[str], ...]
    values: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    stops: frozenset[str] = frozenset()
    skip: int = 0
    assigns: bool = False
    joined: bool = False
    single: bool = False
    mark: str = ""
    maybe: bool = False
    only: bool = False
    rename: str = ""


@dataclass(slots=True)
class Inside:
    """What a wrapper runs: ``words``, or a shell ``text``.

    Neither: a shell, or nothing if ``stopped``.
    """

    words: list[str] = field(default_factory=list)
    text: str | None = None
    stopped: bool = False


@cache
def wrappers() -> dict[str, list[Wrapper]]:
    """By program, the longest subcommand first."""
    found: dict[str, list[Wrapper]] = {}
    for line in TABLE.strip().splitlines():
        names, _, rest = line.partition(" : ")
        for program, wrapper in _named(names, rest):
            found.setdefault(program, []).append(wrapper)
    for each in found.values():
        each.sort(key=lambda wrapper: -len(wrapper.subcommand))
    return found


def _named(names: str, rest: str) -> list[tuple[str, Wrapper]]:
    """``sudo,doas`` are two programs; ``tmux new|neww`` one with two subcommands."""
    options = {part.split()[0]: part.split()[1:] for part in rest.split(";") if part.split()}
    programs, *subcommand = names.split()
    after = options.get("after", [])
    wrapper = Wrapper(
        tuple(frozenset(word.split("|")) for word in subcommand),
        values=frozenset(options.get("values", [])),
        texts=frozenset(options.get("text", [])),
        stops=frozenset(options.get("stop", [])),
        skip=int((options.get("skip") or ["0"])[0]),
        assigns="assigns" in options,
        joined="joined" in options,
        single="single" in options,
        mark=after[0] if after else "",
        maybe=len(after) > 1,
        only="only" in options,
        rename=(options.get("rename") or [""])[0],
    )
    return [(program, wrapper) for program in programs.split(",")]


def inside(call: Call, globals_: frozenset[str]) -> Inside | None:
    """What the call's wrapper runs; None when it is no wrapper, or not in this call.

    ``globals_`` are the tool's options that take the next word, before a subcommand.
    """
    for wrapper in wrappers().get(call.name, ()):
        start = _subcommand(call.words, wrapper, globals_)
        if start:
            found = _inside(call.words, start, wrapper)
            if found is not None:
                return found
    return None


def _subcommand(words: Sequence[str], wrapper: Wrapper, values: frozenset[str]) -> int:
    """The place after the subcommand; 0 when it is another one."""
    at = 1
    for names in wrapper.subcommand:
        while at < len(words) and words[at][:1] == "-":
            at += 2 if words[at] in values else 1
        if at >= len(words) or words[at] not in names:
            return 0
        at += 1
    return at


def _inside(words: Sequence[str], at: int, wrapper: Wrapper) -> Inside | None:
    if wrapper.rename:
        return Inside([wrapper.rename, *words[at:]])
    if wrapper.mark in words[at:]:
        return _made(list(words[words.index(wrapper.mark, at) + 1 :]), wrapper)
    if wrapper.mark and not wrapper.maybe:
        return None
    if wrapper.only:
        texts = (_text(words, place, wrapper) for place in range(at, len(words)))
        found = next((text for text in texts if text is not None), None)
        return None if found is None else Inside(text=found)
    skip = wrapper.skip
    while at < len(words):
        word = words[at]
        text = _text(words, at, wrapper)
        if text is not None or word in wrapper.stops:
            return Inside(text=text, stopped=text is None)
        if word == "--":
            at += 1
            if not skip:
                break
        elif word[:1] == "-":
            at += 2 if _takes_next(word, wrapper) else 1
        elif wrapper.assigns and _ASSIGNMENT.match(word):
            at += 1
        elif skip:
            skip -= 1
            at += 1
        else:
            break
    return _made(list(words[at:]), wrapper)


def _text(words: Sequence[str], at: int, wrapper: Wrapper) -> str | None:
    if not wrapper.texts:
        return None
    word = words[at]
    name, equals, value = word.partition("=")
    if equals and name in wrapper.texts:
        return value
    if word in wrapper.texts:
        return words[at + 1] if at + 1 < len(words) else ""
    short = word[:2]
    if short in wrapper.texts and len(word) > 2 and word[1] != "-":
        return word[2:]
    if 2 < len(word) < 5 and word[1] != "-" and f"-{word[-1]}" in wrapper.texts:
        return words[at + 1] if at + 1 < len(words) else ""
    return None


def _takes_next(word: str, wrapper: Wrapper) -> bool:
    if word in wrapper.values:
        return True
    cluster = word[1:2] != "-" and 2 < len(word) < 5 and word[1:].isalpha()
    return cluster and f"-{word[-1]}" in wrapper.values and word[:2] not in wrapper.values


def _made(words: list[str], wrapper: Wrapper) -> Inside:
    if words and (wrapper.joined or (wrapper.single and len(words) == 1)):
        return Inside(text=words[0] if len(words) == 1 else " ".join(words))
    return Inside(words)
