"""The tables of tools: one line says which call of a tool does what.

A line is ``MARK PROGRAM[,PROGRAM] PATTERN : WORDS``. Marks:

- ``D`` destructive; ``S`` debatable; ``C`` clear, so that nothing more general is asked;
- ``M`` debatable, and destructive where the operands are a listing of many things;
- ``=`` tells of the tool: ``= PROGRAMS values OPTION...`` are those that take the next word,
  ``dry`` those with which it only says what it would do, ``head`` says that ``-h`` is no help.

A pattern's words match the operands from the first on (``a|b`` either, ``*`` as in a file name,
``?`` any, ``...`` any number of words, ``+`` at least one more, ``$`` no more, ``@glob`` one
anywhere), or the options in any place (``-f|--force`` one of them, ``!-n|--dry-run`` none,
``--opt=glob`` a value).
The first line that matches counts. ``[kind]`` begins a kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from importlib import import_module
from typing import Literal

from keelbook.destructive.shell.options import Arguments

Mark = Literal["D", "S", "C", "M"]

TABLES = ("files", "disks", "system", "git", "databases", "containers", "kubernetes",
          "infrastructure", "aws", "google", "azure", "clouds", "saas", "packages", "secrets",
          "queues", "backups", "windows", "macos", "develop", "ordinary")  # fmt: skip

_GLOB = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Rule:
    """A compiled line."""

    mark: Mark
    kind: str
    words: str
    operands: tuple[re.Pattern[str] | frozenset[str] | str, ...]
    needs: tuple[tuple[str, ...], ...]
    bans: tuple[str, ...]
    values: tuple[tuple[str, re.Pattern[str]], ...]
    anywhere: tuple[re.Pattern[str], ...]

    def fits(self, given: Arguments) -> bool:
        """Whether it speaks of this call."""
        flags = given.flags
        for names in self.needs:
            if flags.isdisjoint(names):
                return False
        if not flags.isdisjoint(self.bans):
            return False
        for option, pattern in self.values:
            value = given.values.get(option)
            if value is None or not pattern.match(value.lower()):
                return False
        for pattern in self.anywhere:
            if not any(pattern.match(operand) for operand in given.operands):
                return False
        if not self.operands or _matches(self.operands, given.operands):
            return True
        return given.strict != given.operands and _matches(self.operands, given.strict)


def _matches(
    wanted: tuple[re.Pattern[str] | frozenset[str] | str, ...], operands: list[str]
) -> bool:
    at, gap = 0, False
    for each in wanted:
        if each == "...":
            gap = True
            continue
        if each == "+":
            return at < len(operands)
        if each == "$":
            return at == len(operands)
        while at < len(operands) and not _is(each, operands[at]):
            if not gap:
                return False
            at += 1
        if at >= len(operands):
            return False
        at, gap = at + 1, False
    return True


def _is(wanted: re.Pattern[str] | frozenset[str] | str, operand: str) -> bool:
    lowered = operand.lower()
    if isinstance(wanted, frozenset):
        return lowered in wanted
    return isinstance(wanted, re.Pattern) and bool(wanted.match(lowered))


_MARKS: dict[str, Mark] = {"D": "D", "S": "S", "C": "C", "M": "M"}


class Tool:
    """What the tables say of one program. Its lines are compiled when it is first met."""

    __slots__ = ("_lines", "_rules", "dry", "head", "values")

    def __init__(self) -> None:
        self._lines: list[tuple[Mark, str, str]] = []
        self._rules: list[Rule] | None = None
        self.values: set[str] = set()
        self.dry: set[str] = set()
        self.head = False

    def add(self, mark: str, kind: str, rest: str) -> None:
        """Takes one line."""
        if mark == "=":
            about, *options = rest.split()
            if about == "head":
                self.head = True
            else:
                (self.values if about == "values" else self.dry).update(options)
        elif mark in _MARKS:
            self._lines.append((_MARKS[mark], kind, rest))
        else:
            raise ValueError(f"no such mark: {mark} {rest}")

    @property
    def rules(self) -> list[Rule]:
        """In the order of the table."""
        if self._rules is None:
            self._rules = [_compiled(*line) for line in self._lines]
        return self._rules

    def first(self, given: Arguments) -> Rule | None:
        """The line that speaks of this call."""
        for rule in self.rules:
            if rule.fits(given):
                return rule
        return None


def _compiled(mark: Mark, kind: str, rest: str) -> Rule:
    pattern, _, words = rest.partition(" : ") if not rest.startswith(": ") else ("", "", rest[2:])
    operands: list[re.Pattern[str] | frozenset[str] | str] = []
    needs: list[tuple[str, ...]] = []
    bans: list[str] = []
    values: list[tuple[str, re.Pattern[str]]] = []
    anywhere: list[re.Pattern[str]] = []
    for word in pattern.split():
        if word.startswith("!-"):
            bans += word[1:].split("|")
        elif word[0] == "-" and "=" in word:
            option, _, glob = word.partition("=")
            values.append((option, _globs(glob)))
        elif word[0] == "-":
            needs.append(tuple(word.split("|")))
        elif word[0] == "@":
            anywhere.append(_globs(word[1:]))
        elif word == "?":
            operands.append(_globs("*"))
        elif word in ("...", "+", "$"):
            operands.append(word)
        elif _GLOB.search(word):
            operands.append(_globs(word))
        else:
            operands.append(frozenset(word.split("|")))
    return Rule(
        mark, kind, words.strip(), tuple(operands), tuple(needs), tuple(bans), tuple(values),
        tuple(anywhere),
    )  # fmt: skip


def _globs(text: str) -> re.Pattern[str]:
    return re.compile("|".join(translate(glob) for glob in text.split("|")))


class Tools:
    """All tables, by program."""

    __slots__ = ("_exact", "_globs")

    def __init__(self, texts: Iterable[str]) -> None:
        self._exact: dict[str, Tool] = {}
        self._globs: list[tuple[re.Pattern[str], Tool]] = []
        named: dict[str, Tool] = {}
        kind = ""
        for text in texts:
            for raw in text.splitlines():
                line = raw.strip()
                if line.startswith("["):
                    kind = line.strip("[]")
                elif line:
                    mark, programs, *rest = line.split(None, 2)
                    for program in programs.split(","):
                        tool = named.setdefault(program, Tool())
                        tool.add(mark, kind, rest[0] if rest else "")
        for program, tool in named.items():
            if _GLOB.search(program):
                self._globs.append((_globs(program), tool))
            else:
                self._exact[program] = tool

    def find(self, program: str) -> Tool | None:
        """The tool of this name."""
        tool = self._exact.get(program)
        if tool is None:
            for pattern, each in self._globs:
                if pattern.match(program):
                    return each
        return tool

    def __contains__(self, program: str) -> bool:
        return self.find(program) is not None


@cache
def tools() -> Tools:
    """Read when the first command is judged."""
    package = "keelbook.destructive.shell.tables"
    return Tools(import_module(f"{package}.{name}").TABLE for name in TABLES)
