"""What a shell text is turned into: a flat list of steps, inner ones before what needs them.

Rules: a step names the steps whose output it reads by their place in the list, so that nobody has
to walk a tree again. A word is plain text, or a template of text, variables and outputs.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Variable:
    """``$name``, ``${name:-default}``, ``${name[@]}``; ``change`` is the rest, as written."""

    name: str
    quoted: bool
    change: str = ""
    default: Word | None = None
    index: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    """``$(...)``, or a file that is a command's output when ``process``."""

    steps: tuple[int, ...]
    quoted: bool = True
    process: bool = False


Template = tuple["str | Variable | Output", ...]
Word = str | Template


@dataclass(frozen=True, slots=True)
class Redirect:
    """``operator`` without the number; ``number`` is "" when it was left out."""

    operator: str
    target: Word
    number: str = ""


@dataclass(slots=True)
class Step:
    """A simple command, an assignment, a loop's binding, a function, a compound's redirections.

    ``start`` and ``end`` are characters of the text.
    """

    start: int
    end: int
    words: list[Word] = field(default_factory=list)
    assignments: list[tuple[str, list[Word]]] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    feeds: tuple[int, ...] | None = None
    """The steps whose output is this one's standard input; None: it is not connected."""
    here: Word | None = None
    """A heredoc's or here string's text."""
    function: str = ""
    body: int = 0
    """With ``function``: the place after its last step; it begins at the next one."""
    loop: str = ""
    """The variable that takes each of ``words`` in turn."""
    mark: str = ""
    """``(`` or ``)``: a subshell begins or ends here."""
    block: bool = False
    """Only the redirections of a compound, whose outputs are ``feeds``."""
