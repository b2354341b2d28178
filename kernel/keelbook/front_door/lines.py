"""Where statements of a cell start, and the lines there that are no Python.

Rules: the tokenizer decides, not the look of a line: a ``%`` or ``!`` inside a string, a bracket or
after a backslash is Python (guest A21). A line that is no Python is hidden from the tokenizer, so
that it cannot confuse what follows. The number of lines never changes.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Callable

from keelbook.value import Value

Change = Callable[["Line"], str | None]

_HELP = re.compile(r"(\?{1,2})\s*(%{0,2}[\w.]+)|(%{0,2}[\w.]+)\s*(\?{1,2});?")
_ASSIGNED = re.compile(r"([^=!?#]+?)\s*=\s*([!%])(?![=\s])(.*)", re.DOTALL)
_SCOPE = re.compile(r"(async\s+def|def|class)\b")


class Line(Value):
    """A line that is no Python, without its indentation.

    ``kind``: ``shell`` (``!``), ``magic`` (``%``), ``cell`` (``%%``) or ``help``; ``text`` follows
    the mark; ``target`` is what it is assigned to, ``""`` for nothing; ``detail`` 1 for ``??`` and
    for ``!!``. ``awaits``: an ``await`` may stand here.
    """

    number: int
    kind: str
    text: str
    target: str = ""
    detail: int = 0
    awaits: bool = True


def change_lines(code: str, change: Change) -> str:
    """``code`` with what ``change`` makes of each such line; None leaves a line as it is."""
    if not any(mark in code for mark in "!?%"):
        return code
    feed = _Feed(code.split("\n"), change)
    try:
        for token in tokenize.generate_tokens(feed.read):
            feed.saw(token)
    except (tokenize.TokenError, SyntaxError):
        pass
    return "\n".join(feed.lines)


class _Feed:
    """Gives the tokenizer one line at a time, and knows from its tokens where a statement starts.

    The tokenizer asks for a line only when it needs one, so at that moment its last token says
    whether a statement is open. A line inside a string yields no token at all.
    """

    def __init__(self, lines: list[str], change: Change) -> None:
        self.lines = lines
        self._change = change
        self._next = 0
        self._depth = 0
        self._fresh = True
        self._seen = True
        self._scopes: list[tuple[int, str]] = []

    def saw(self, token: tokenize.TokenInfo) -> None:
        """Takes note of a token."""
        self._seen = True
        if token.type == tokenize.OP and token.string in "()[]{}":
            self._depth += 1 if token.string in "([{" else -1
        self._fresh = token.type in (
            tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT,
        )  # fmt: skip

    def read(self) -> str:
        """The next line as the tokenizer is to see it; ``""`` at the end."""
        if self._next >= len(self.lines):
            return ""
        at, starts = self._next, self._fresh and self._seen and self._depth <= 0
        self._next += 1
        self._seen = False
        line = self.lines[at]
        if not starts or not line.strip():
            return line + "\n"
        body = line.lstrip()
        indent = line[: len(line) - len(body)]
        self._enter(len(indent.expandtabs()), body)
        found = self._special(at, body.rstrip())
        if found is None:
            return line + "\n"
        changed = self._change(found)
        if changed is None:
            return line + "\n"
        last = self._next
        self.lines[at:last] = [indent + changed, *[""] * (last - at - 1)]
        return indent + "pass\n"

    def _enter(self, indent: int, body: str) -> None:
        while self._scopes and self._scopes[-1][0] >= indent:
            self._scopes.pop()
        scope = _SCOPE.match(body)
        if scope:
            self._scopes.append((indent, scope[1].split()[0]))

    def _special(self, at: int, body: str) -> Line | None:
        number, awaits = at + 1, not self._scopes or self._scopes[-1][1] == "async"
        asked = _HELP.fullmatch(body)
        if asked:
            marks = asked[1] or asked[4]
            return Line(number, "help", asked[2] or asked[3], detail=len(marks) - 1)
        if body.startswith("%%"):
            return Line(number, "cell", body[2:])
        if body.startswith("!"):
            doubled = body.startswith("!!")
            text = self._joined(body[2 if doubled else 1 :])
            return Line(number, "shell", text, detail=int(doubled), awaits=awaits)
        if body.startswith("%"):
            return Line(number, "magic", self._joined(body[1:]), awaits=awaits)
        found = _ASSIGNED.fullmatch(body)
        if found and _is_target(found[1]):
            kind = "shell" if found[2] == "!" else "magic"
            return Line(number, kind, self._joined(found[3]), target=found[1], awaits=awaits)
        return None

    def _joined(self, text: str) -> str:
        """``text`` with the lines it is continued on by a backslash at its end."""
        while text.endswith("\\") and self._next < len(self.lines):
            text = text[:-1] + self.lines[self._next].strip()
            self._next += 1
        return text.strip()


def _is_target(text: str) -> bool:
    try:
        compile(f"{text} = 0", "<target>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True
