"""One command, as its judge gets it.

Rules: a judge looks at words and at what is known of the standard input, reports what it finds and
gives what is known of the output. It never looks at the text around the command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from typing import Protocol

from keelbook.destructive.finding import Class
from keelbook.destructive.inquiry import Inquiry
from keelbook.destructive.shell.flow import Dynamic, Flow
from keelbook.destructive.shell.options import Arguments
from keelbook.destructive.shell.scope import Scope
from keelbook.destructive.vocabulary import words

LAYERS = 24
"""Wrappers around wrappers, aliases and functions included."""

HELP = words("--help -help --usage --version /? -?")
DRY = words(
    "--dry-run --dryrun --dry_run --what-if -whatif --noop --no-op --no-act --simulate "
    "--just-print --recon --pretend --print-only --generate-cli-skeleton --list-only "
    "--show-only -dryrun -n=dry --explain --check-only --preview"
)
_NOT_DRY = words("none false no 0 off")
_SUFFIX = re.compile(r"\.(?:exe|cmd|bat|com|sh|ps1)$")
_VERSIONED = re.compile(
    r"(python|pip|perl|ruby|lua|php|node|pypy|gem|bash|pg_\w+|psql)[\d.]+[mdt]?"
)


class Shell(Protocol):
    """What a judge may ask of the reader that runs it."""

    scope: Scope
    inquiry: Inquiry

    def run(self, call: Call) -> Flow | None:
        """Judges a command; what is known of its output."""

    def read(self, text: str, via: tuple[str, ...], call: Call, scope: Scope) -> None:
        """Judges a shell text inside this one."""


class Call:
    """``words[0]`` is the program; ``via`` the wrappers it was reached through.

    ``stdin`` is what is known of the input, ``fed`` whether there is one at all.
    """

    __slots__ = ("_given", "fed", "layer", "name", "segment", "shell", "span", "stdin", "via",
                 "words")  # fmt: skip

    def __init__(
        self,
        shell: Shell,
        words: Sequence[str],
        segment: Callable[[], str],
        span: tuple[int, int],
        *,
        stdin: Flow | None = None,
        fed: bool = False,
        via: tuple[str, ...] = (),
        layer: int = 0,
    ) -> None:
        self.shell = shell
        self.words = words
        self.segment = segment
        self.span = span
        self.stdin = stdin
        self.fed = fed
        self.via = via
        self.layer = layer
        self.name = program(words[0])
        self._given: Arguments | None = None

    @property
    def scope(self) -> Scope:
        """What the text knows so far."""
        return self.shell.scope

    @property
    def folder(self) -> str:
        """Where ``cd`` went."""
        return self.shell.scope.folder

    @property
    def given(self) -> Arguments:
        """The words after the program, with no option known to take a value."""
        if self._given is None:
            self._given = Arguments(self.words[1:])
        return self._given

    def arguments(self, valued: Set[str], *, clusters: bool = False) -> Arguments:
        """The words after the program."""
        return Arguments(self.words[1:], valued, clusters=clusters)

    def report(self, class_: Class, kind: str, what: str) -> None:
        """Says what this command does."""
        self.shell.inquiry.report(
            "shell", kind, class_, self.segment(), what, via=(*self.via, self.name), span=self.span
        )

    def destroys(self, kind: str, what: str) -> None:
        """Reports something that cannot be taken back."""
        self.report("destructive", kind, what)

    def may_lose(self, kind: str, what: str) -> None:
        """Reports something a person may want to know of."""
        self.report("debatable", kind, what)

    def again(
        self, words: Sequence[str], via: str = "", stdin: Flow | None = None, fed: bool = False
    ) -> Flow | None:
        """Judges the command this one runs. Without ``fed`` the input is passed on."""
        if not words:
            return None
        path = (*self.via, via or self.name)
        if self.layer >= LAYERS:
            self.report("unreadable", "depth", "is wrapped too deep to be read")
            return None
        inner = Call(
            self.shell, words, self.segment, self.span, stdin=stdin if fed else self.stdin,
            fed=fed or self.fed, via=path, layer=self.layer + 1,
        )  # fmt: skip
        return self.shell.run(inner)

    def read(self, language: str, text: str, via: str = "") -> None:
        """Judges a text this command runs, in its own language."""
        path = (*self.via, via or self.name)
        self.shell.inquiry.inside(path, self.span).read(language, text)

    def read_shell(self, text: str, via: str = "", scope: Scope | None = None) -> None:
        """Judges a shell text this command runs; with what is known here if no scope is given."""
        self.shell.read(text, (*self.via, via or self.name), self, scope or self.scope)

    def idle(self, dry: Set[str] = frozenset(), *, head: bool = False) -> bool:
        """Whether it only prints help or says what it would do."""
        flags = self.given.flags
        if not flags:
            return False
        if not flags.isdisjoint(HELP) or (self.words[-1] == "-h" and not head):
            return True
        if not flags.isdisjoint(dry):
            return True
        for flag in flags:
            if flag.lower() in DRY:
                return self.given.values.get(flag, "").lower() not in _NOT_DRY
        return False


def program(word: str) -> str:
    """The name of a program without its folder, its version and what Windows adds."""
    name = word
    if "/" in name:
        name = name.rsplit("/", 1)[1]
    if "\\" in name:
        name = name.rsplit("\\", 1)[1]
    name = name.lower()
    if "." in name:
        name = _SUFFIX.sub("", name)
    if name[-1:].isdecimal():
        found = _VERSIONED.fullmatch(name)
        if found:
            return found[1]
    return name


def is_unknown(word: str) -> bool:
    """Whether the program's name is not known."""
    return isinstance(word, Dynamic) and "$" in word.rsplit("/", 1)[-1]
