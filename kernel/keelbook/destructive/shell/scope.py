"""What is literally known while a shell text is read: variables, functions, aliases, files, cwd.

Rules: only what the text itself says is known, besides a few variables every shell sets. A value
is a list of words, so that arrays, loops and ``$@`` need nothing of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from keelbook.destructive.shell.flow import Dynamic, Flow, joined
from keelbook.destructive.shell.steps import Output, Template, Variable, Word

VALUE = 64 * 1024
"""A longer value is not kept, in characters."""

_SET = {
    "HOME": ["~"], "PWD": ["."], "SHELL": ["/bin/bash"], "BASH": ["/bin/bash"],
    "TMPDIR": ["/tmp"], "IFS": [" "], "0": ["bash"], "UID": ["0"], "EUID": ["0"],
    "TEMP": ["/tmp"], "TMP": ["/tmp"],
}  # fmt: skip
_SLICE = re.compile(r":\s*(-?\d+)(?::(-?\d+))?")
_REPLACE = re.compile(r"(//?)([^/]*)(?:/(.*))?", re.DOTALL)
_CASES = {"^^": str.upper, ",,": str.lower, "^": str.capitalize}


class Scope:
    """The names of one shell."""

    __slots__ = ("aliases", "called", "calling", "files", "folder", "functions", "positional",
                 "variables")  # fmt: skip

    def __init__(self) -> None:
        self.variables: dict[str, list[str]] = {}
        self.positional: list[str] | None = None
        self.functions: dict[str, Callable[[], Flow | None]] = {}
        """Each judges its body; what is known of its output."""
        self.called: set[str] = set()
        self.calling: list[str] = []
        self.aliases: dict[str, str] = {}
        self.files: dict[str, Flow | None] = {}
        self.folder: str = ""
        """Where ``cd`` went; "" is not known."""

    def child(self, words: list[str]) -> Scope:
        """A new shell's, with these positional words."""
        made = Scope()
        made.variables = dict(self.variables)
        made.functions, made.called, made.calling = self.functions, self.called, self.calling
        made.files = self.files
        made.folder = self.folder
        made.positional = words
        return made

    def assign(self, name: str, words: list[str]) -> None:
        """``name+`` appends."""
        if name.endswith("+"):
            name = name[:-1]
            before = self.variables.get(name, [""])
            plain = len(before) == len(words) == 1
            words = [_concatenated(before[0], words[0])] if plain else before + words
        if sum(map(len, words)) <= VALUE:
            self.variables[name] = words

    def value(self, name: str) -> list[str] | None:
        """The words of a variable; None when nothing is known."""
        found = self.variables.get(name)
        if found is not None:
            return found
        if self.positional is not None:
            if name in ("@", "*"):
                return self.positional
            if name.isdecimal() and name != "0":
                place = int(name[:4]) - 1
                return self.positional[place : place + 1]
        return _SET.get(name)


def _concatenated(first: str, second: str) -> str:
    if isinstance(first, Dynamic) or isinstance(second, Dynamic):
        return Dynamic(first + second)
    return first + second


class Expansion:
    """Words to the words a command gets."""

    __slots__ = ("_outputs", "_scope")

    def __init__(self, scope: Scope, outputs: dict[int, Flow | None]) -> None:
        self._scope = scope
        self._outputs = outputs

    def words(self, words: Sequence[Word]) -> list[str]:
        """All words of a command, split where the shell would."""
        found: list[str] = []
        for word in words:
            if isinstance(word, str):
                found.append(word)
            else:
                found += self._template(word)
        return found

    def text(self, word: Word) -> str:
        """One word, not split."""
        if isinstance(word, str):
            return word
        found = self._template(word)
        if len(found) == 1:
            return found[0]
        text = " ".join(found)
        dynamic = next((each for each in found if isinstance(each, Dynamic)), None)
        return Dynamic(text, dynamic.flow) if dynamic is not None else text

    def _template(self, template: Template) -> list[str]:
        done: list[str] = []
        now = _Builder()
        for part in template:
            if isinstance(part, str):
                now.add(part)
            elif isinstance(part, Output):
                self._output(part, now, done)
            else:
                self._variable(part, now, done)
        now.end(done)
        return done

    def _output(self, part: Output, now: _Builder, done: list[str]) -> None:
        flow = joined([self._outputs.get(step) for step in part.steps])
        if part.process:
            now.add_unknown("/dev/fd/63", flow)
        elif flow is not None and flow.origin == "text":
            now.add_value(flow.text.rstrip("\n"), done, split=not part.quoted)
        else:
            now.add_unknown("$(…)", flow)

    def _variable(self, part: Variable, now: _Builder, done: list[str]) -> None:
        values = self._scope.value(part.name)
        if part.change.startswith("!") and values and len(values) == 1:
            values = self._scope.value(values[0])
        elif part.change and values is not None:
            values = _changed(values, part.change)
        elif (
            values is None and part.default is not None and not part.change.startswith((":+", "+"))
        ):
            values = [self.text(part.default)]
        if values is not None and part.index.isdecimal():
            place = int(part.index[:4])
            values = values[place : place + 1]
        if values is None:
            now.add_unknown(f"${part.name}", None)
            return
        for place, value in enumerate(values):
            if place:
                now.end(done)
            if isinstance(value, Dynamic):
                now.add_unknown(value, value.flow)
            else:
                now.add_value(value, done, split=not part.quoted)


class _Builder:
    """A word being put together."""

    __slots__ = ("_dynamic", "_flow", "_started", "_text")

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._text = ""
        self._started = False
        self._dynamic = False
        self._flow: Flow | None = None

    def add(self, text: str) -> None:
        self._text += text
        self._started = True

    def add_unknown(self, text: str, flow: Flow | None) -> None:
        self.add(text)
        self._dynamic = True
        self._flow = self._flow or flow

    def add_value(self, text: str, done: list[str], *, split: bool) -> None:
        pieces = text.split() if split else [text]
        if split and (not pieces or text[0].isspace()):
            self.end(done)
        for place, piece in enumerate(pieces):
            if place:
                self.end(done)
            self.add(piece)
        if split and pieces and text[-1].isspace():
            self.end(done)

    def end(self, done: list[str]) -> None:
        """Closes the word, if one was begun."""
        if self._started and (self._text or not self._dynamic):
            done.append(Dynamic(self._text, self._flow) if self._dynamic else self._text)
        self._clear()


def _changed(values: list[str], change: str) -> list[str] | None:
    """``${x:1:2}``, ``${x/a/b}``, ``${x^^}``; None: what comes out is not known."""
    if change.startswith((":-", "-", ":=", "=", ":?", "?")):
        return values
    sliced = _SLICE.fullmatch(change)
    if sliced:
        start, count = int(sliced[1][:9]), sliced[2]
        if len(values) > 1:
            start = max(start - 1, 0)
            return values[start:] if count is None else values[start : start + int(count[:9])]
        end = (
            None
            if count is None
            else (int(count[:9]) if count[0] == "-" else start + int(count[:9]))
        )
        return [value[start:end] for value in values]
    replaced = _REPLACE.fullmatch(change)
    if replaced and "*" not in replaced[2] and "?" not in replaced[2]:
        count = -1 if replaced[1] == "//" else 1
        return [value.replace(replaced[2], replaced[3] or "", count) for value in values]
    case = _CASES.get(change)
    if case is not None:
        return [case(value) for value in values]
    if change.startswith(("#", "%")) and not set("*?[") & set(change):
        cut = change.lstrip("#%")
        return [v.removeprefix(cut) if change[0] == "#" else v.removesuffix(cut) for v in values]
    return None
