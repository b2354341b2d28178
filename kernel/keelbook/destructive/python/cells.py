"""A notebook cell, told apart: Python, and what its magics hand to a shell or a database.

Rules: a line is a magic only where Python cannot parse it, as IPython has it. The Python that is
left keeps its lines, so that places stay.
"""

from __future__ import annotations

import ast
import gc
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

from keelbook.destructive.vocabulary import words

MAGICS = 60
"""So many lines are taken for magics one by one."""

LONG = 32 * 1024
"""Of a longer text the collector would look at half-made trees again and again."""

_CELL = re.compile(r"\s*%%(\w+)([^\n]*)\n?(.*)", re.DOTALL)
_LINE = re.compile(r"(\s*)(?:([\w.,\[\]'\" ()*]+?)\s*=\s*)?(!{1,2}|%)(?!=)\s*(.*)")
_TIMING = re.compile(r"(?:-\w+\s+\S*\s*)*(.*)", re.DOTALL)
_ALIASES = {"rm", "rmdir", "mv", "cp", "ls", "cat", "mkdir", "ln", "ll", "lf", "lk", "ldir", "lx",
            "cd", "pip", "conda", "mamba", "uv", "more", "less", "man", "ddir", "echo"}  # fmt: skip
_SHELLS = {"bash", "sh", "zsh", "system", "sx", "script", "shell", "cmd", "powershell"}
_OTHERS = {"perl": "perl", "ruby": "ruby", "js": "javascript", "javascript": "javascript",
           "node": "javascript", "R": "r"}  # fmt: skip
_KEEPS = words(
    "time timeit capture prun memit mprun python python3 pypy debug lprun snakeviz notify skip "
    "cache pyspark spark py"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A text in its language; ``span`` is where the cell holds it."""

    language: str
    text: str
    span: tuple[int, int]
    magic: str


@dataclass(slots=True)
class Cell:
    """``tree`` is None when what is left of ``python`` does not parse."""

    python: str
    tree: ast.Module | None
    parts: list[Part] = field(default_factory=list)


class Unparsable(Exception):
    """Python's parser refused; ``line`` is where, 0 when nobody knows."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line


def parsed(text: str) -> ast.Module:
    """The tree of a text. Raises Unparsable for whatever the parser may raise."""
    collects = len(text) > LONG and gc.isenabled()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if collects:
                gc.disable()
            return ast.parse(text)
    except SyntaxError as error:
        raise Unparsable(error.lineno or 0) from None
    except (MemoryError, RecursionError, ValueError):
        raise Unparsable(0) from None
    finally:
        if collects:
            gc.enable()


def told_apart(text: str, tick: Callable[[], None]) -> Cell:
    """The cell's parts."""
    if text.lstrip()[:2] == "%%":
        found = _CELL.match(text)
        if found:
            return _cell_magic(text, found, tick)
    parts: list[Part] = []
    lines = text.split("\n")
    for _ in range(MAGICS):
        tick()
        source = "\n".join(lines)
        try:
            return Cell(source, parsed(source), parts)
        except Unparsable as error:
            if not _take(lines, error.line - 1, parts):
                return Cell(source, None, parts)
    return Cell("\n".join(lines), None, parts)


def _cell_magic(text: str, found: re.Match[str], tick: Callable[[], None]) -> Cell:
    name, rest, body = found[1], found[2].strip(), found[3]
    start = found.start(3)
    span = (start, len(text))
    if name in _KEEPS:
        inner = told_apart(body, tick)
        moved = [Part(p.language, p.text, span, p.magic) for p in inner.parts]
        if name in ("time", "timeit") and rest:
            line = _TIMING.fullmatch(rest)
            moved.append(Part("python", line[1] if line else rest, (0, start), f"%%{name}"))
        return Cell(inner.python, inner.tree, moved)
    language = "none"
    if name in _SHELLS:
        language = "shell"
        first = rest.split()[:1]
        if name == "script" and first:
            language = _interpreted(first[0])
    elif "sql" in name.lower() or name in ("bigquery", "duckdb", "athena", "snowflake"):
        language = "sql"
        body = (
            f"{rest}\n{body}" if re.match(r"(?i)(?:drop|delete|truncate|update)\b", rest) else body
        )
    elif name in _OTHERS:
        language = _OTHERS[name]
    if language == "none":
        return Cell("", parsed(""))
    return Cell("", parsed(""), [Part(language, body, span, f"%%{name}")])


def _interpreted(program: str) -> str:
    base = program.rsplit("/", 1)[-1]
    if base.startswith("python"):
        return "python"
    return _OTHERS.get(base, "shell")


def _take(lines: list[str], at: int, parts: list[Part]) -> bool:
    """Takes the magic out of a line that does not parse; False when it has none."""
    for place in (at, at - 1, *range(len(lines))):
        if not 0 <= place < len(lines):
            continue
        found = _LINE.fullmatch(lines[place])
        if found and found[4]:
            _magic(lines, place, found, parts)
            return True
    if 0 <= at < len(lines):
        words = lines[at].split()
        if words and words[0] in _ALIASES and not re.match(r"\s*\w+\s*[=(.\[]", lines[at]):
            start = sum(len(line) + 1 for line in lines[:at])
            parts.append(
                Part("shell", lines[at].strip(), (start, start + len(lines[at])), words[0])
            )
            lines[at] = _indent(lines[at]) + "pass"
            return True
    return False


def _magic(lines: list[str], at: int, found: re.Match[str], parts: list[Part]) -> None:
    start = sum(len(line) + 1 for line in lines[:at])
    end = at
    text = found[4]
    while text.endswith("\\") and end + 1 < len(lines):
        end += 1
        text = text[:-1] + lines[end]
    span = (start, start + sum(len(line) + 1 for line in lines[at : end + 1]) - 1)
    language, inner, name = "shell", text, found[3]
    if found[3] == "%":
        language, inner, name = _line_magic(text)
    if language != "none":
        parts.append(Part(language, inner, span, name))
    target = found[2]
    lines[at] = found[1] + (f"{target} = None" if target else "pass")
    for place in range(at + 1, end + 1):
        lines[place] = ""


def _line_magic(text: str) -> tuple[str, str, str]:
    name, _, rest = text.partition(" ")
    rest = rest.strip()
    if name in ("sx", "sc", "system", "bash", "sh", "shell"):
        return "shell", rest, f"%{name}"
    if "sql" in name.lower():
        return "sql", rest, f"%{name}"
    if name in ("time", "timeit", "prun", "memit"):
        line = _TIMING.fullmatch(rest)
        return "python", line[1] if line else rest, f"%{name}"
    if name in _ALIASES:
        return "shell", text, f"%{name}"
    if name == "reset":
        return "reset", rest, "%reset"
    return "none", "", f"%{name}"


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
