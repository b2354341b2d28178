"""The second reader of shell text: for what the grammar finds errors in.

Rules: it refuses nothing. A quote, bracket or heredoc without its end ends with the text; words
that open, join or close compounds only separate commands. It makes the same steps as the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from keelbook.destructive.shell.quoting import braced, from_ansi, from_double
from keelbook.destructive.shell.steps import Output, Redirect, Step, Variable, Word

LEVELS = 12
"""Substitutions inside substitutions; deeper ones are read as text."""

_GAP = re.compile(r"(?:[ \t\r]|\\\n)+")
_COMMENT = re.compile(r"#[^\n]*")
_SEPARATOR = re.compile(r"&&|\|\||;;&?|;&|[;\n]|\|&?|&(?!>)")
_REDIRECT = re.compile(r"(\d{0,3})(<<<|<<-?|<>|>>|>\||>&|<&|&>>|&>|>|<)(?!\()")
_NAME = re.compile(r"[A-Za-z_]\w*|[0-9]|[@*#?$!-]")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*\+?)=")
_PLAIN = re.compile(r"[^\s'\"\\$`;&|<>()]+")
_KEYWORDS = {"if", "then", "else", "elif", "fi", "do", "done", "while", "until", "esac", "{", "}",
             "!", "function", "time", "in"}  # fmt: skip


class Rough:
    """The steps of a text that need not be well formed."""

    def __init__(self, text: str, tick: Callable[[], None]) -> None:
        self.steps: list[Step] = []
        self._text = text
        self._tick = tick
        self._heredocs: list[tuple[Step, str, bool]] = []
        self._ticked = False
        """A backtick closes here."""
        self._commands(0, "", 0)

    def _commands(self, at: int, closer: str, level: int) -> tuple[int, tuple[int, ...]]:
        """Reads up to ``closer``; the place after it, and the steps whose outputs come out."""
        text, opened = self._text, 0
        finals: tuple[int, ...] = ()
        step, feeds = Step(at, at), None
        while at < len(text):
            self._tick()
            letter = text[at]
            if closer and letter == closer and opened == 0:
                at += 1
                break
            gap = _GAP.match(text, at) or (not step.words and _COMMENT.match(text, at))
            if not gap and letter == "#" and text[at - 1].isspace():
                gap = _COMMENT.match(text, at)
            separator = None if gap else _SEPARATOR.match(text, at)
            if gap:
                at = gap.end()
            elif separator or letter in "()":
                opened += (letter == "(") - (letter == ")")
                made = self._end(step, at)
                piped = separator is not None and separator[0] in ("|", "|&")
                feeds = made if piped else None
                finals += () if piped else made
                at = separator.end() if separator else at + 1
                if letter == "\n":
                    at = self._bodies(at)
                step = Step(at, at)
                step.feeds = feeds
            else:
                redirect = _REDIRECT.match(text, at)
                if redirect:
                    at = self._redirect(redirect, step, level)
                else:
                    at = self._operand(at, step, level)
        return at, finals + self._end(step, at)

    def _end(self, step: Step, at: int) -> tuple[int, ...]:
        """Adds a command that is complete."""
        while step.words and isinstance(step.words[0], str) and step.words[0] in _KEYWORDS:
            step.words.pop(0)
        if not (step.words or step.assignments or step.redirects):
            return ()
        raw = self._text[step.start : at]
        step.start += len(raw) - len(raw.lstrip())
        step.end = step.start + len(raw.strip())
        if len(step.words) > 2 and step.words[0] == "for" and isinstance(step.words[1], str):
            step.loop, step.words = step.words[1], step.words[3:]
        self.steps.append(step)
        return (len(self.steps) - 1,)

    def _operand(self, at: int, step: Step, level: int) -> int:
        found = _ASSIGNMENT.match(self._text, at) if not step.words else None
        if found:
            at, word = self._word(found.end(), level)
            step.assignments.append((found[1], [word]))
            return at
        start = at
        at, word = self._word(at, level)
        raw = self._text[start:at]
        if isinstance(word, str) and "{" in raw and "'" not in raw and '"' not in raw:
            step.words += braced(word)
        else:
            step.words.append(word)
        return at

    def _redirect(self, found: re.Match[str], step: Step, level: int) -> int:
        gap = _GAP.match(self._text, found.end())
        at, word = self._word(gap.end() if gap else found.end(), level)
        if found[2] == "<<<":
            step.here = word
        elif found[2].startswith("<<"):
            raw = self._text[found.end() : at]
            name = word if isinstance(word, str) else raw
            self._heredocs.append((step, name.strip(), any(mark in raw for mark in "'\"\\")))
        else:
            step.redirects.append(Redirect(found[2], word, found[1]))
        return max(at, found.end())

    def _bodies(self, at: int) -> int:
        """Takes the heredocs that begin on this line; the place after them."""
        for step, name, raw in self._heredocs:
            lines: list[str] = []
            while at < len(self._text):
                end = self._text.find("\n", at)
                end = len(self._text) if end < 0 else end
                line = self._text[at:end]
                at = min(end + 1, len(self._text))
                if line.strip() == name:
                    break
                lines.append(line)
            body = "\n".join(lines)
            step.here = body if raw else from_double(body)
        self._heredocs.clear()
        return at

    # ------------------------------------------------------------ words

    def _word(self, at: int, level: int) -> tuple[int, Word]:
        text = self._text
        parts: list[str | Variable | Output] = []
        start = at
        while at < len(text):
            plain = _PLAIN.match(text, at)
            if plain:
                parts.append(plain[0])
                at = plain.end()
                continue
            letter = text[at]
            if letter == "`" and self._ticked:
                break
            if letter == "'":
                end = _find(text, "'", at + 1)
                raw = text[at + 1 : end]
                ansi = bool(parts) and parts[-1] == "$"
                parts[-1:] = [from_ansi(raw)] if ansi else [*parts[-1:], raw]
                at = end + 1
            elif letter == '"':
                at = self._double(at + 1, parts, level)
            elif letter == "\\":
                parts.append(text[at + 1 : at + 2].replace("\n", ""))
                at += 2
            elif letter in "$`" or (letter in "<>" and text[at + 1 : at + 2] == "("):
                at = self._dollar(at, parts, level, quoted=False)
            else:
                break
        if at == start:
            return at + 1, text[at : at + 1]
        return min(at, len(text)), _joined(parts)

    def _double(self, at: int, parts: list[str | Variable | Output], level: int) -> int:
        text, start = self._text, at
        while at < len(text) and text[at] != '"':
            if text[at] == "\\":
                at += 2
            elif text[at] == "`" and self._ticked:
                break
            elif text[at] in "$`":
                parts.append(from_double(text[start:at]))
                at = start = self._dollar(at, parts, level, quoted=True)
            else:
                at += 1
        parts.append(from_double(text[start : min(at, len(text))]))
        return at + (text[at : at + 1] == '"')

    def _dollar(
        self, at: int, parts: list[str | Variable | Output], level: int, *, quoted: bool
    ) -> int:
        """What ``$``, a backtick or ``<(`` begins; the place after it."""
        text = self._text
        two = text[at : at + 2]
        if two in ("$(", "<(", ">(") or text[at] == "`":
            begin = at + (1 if text[at] == "`" else 2)
            if level >= LEVELS:
                parts.append(text[at:begin])
                return begin
            closer = "`" if text[at] == "`" else ")"
            outer, self._ticked = self._ticked, closer == "`" or self._ticked
            end, finals = self._commands(begin, closer, level + 1)
            self._ticked = outer
            parts.append(Output(finals, quoted, text[at] in "<>"))
            return end
        if two == "${":
            end = _find(text, "}", at)
            found = _NAME.match(text, at + 2)
            name = found[0] if found else ""
            change = text[found.end() : end] if found else ""
            default = change.lstrip(":")[1:] if change[:2] in (":-", ":=") else None
            parts.append(Variable(name, quoted, change, default))
            return end + 1
        found = _NAME.match(text, at + 1)
        if not found:
            parts.append("$")
            return at + 1
        parts.append(Variable(found[0], quoted))
        return found.end()


def _find(text: str, wanted: str, at: int) -> int:
    found = text.find(wanted, at)
    return len(text) if found < 0 else found


def _joined(parts: list[str | Variable | Output]) -> Word:
    if all(isinstance(part, str) for part in parts):
        return "".join(part for part in parts if isinstance(part, str))
    return tuple(parts)
