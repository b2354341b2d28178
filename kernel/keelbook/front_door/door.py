"""Judges one cell: code for the guest, a request to the agent, commands, or a sentence.

Rules (guest A35-A39): line numbers are kept; what cannot be done is said in one sentence and
nothing runs; there is no automagic. The guest's side of the magics is ``keelbook_guest.magics``.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection

from keelbook.front_door import kinds
from keelbook.front_door.kinds import AgentCell, Door, Help, Python, Typed, Unusable
from keelbook.front_door.lines import Line, change_lines
from keelbook.front_door.rewrite import Unfit, bang, bash, line_magic, timeit
from keelbook.text import listed, near


def judged(code: str, commands: Collection[str], agent: bool) -> Door:
    """What a cell is that holds a mark somewhere."""
    text = code.removeprefix("\ufeff")
    host = {*kinds.HOST, *commands}
    start = text.lstrip()
    if start.startswith("%%") and not start.partition("\n")[0].rstrip().endswith("?"):
        return _cell_magic(text, start, host, agent)
    judge = _Judge(host, agent)
    try:
        changed = change_lines(text, judge.change)
        return judge.verdict(changed)
    except Unfit as unfit:
        return Unusable(str(unfit))


class _Judge:
    """Collects what the lines of one cell are."""

    def __init__(self, host: Collection[str], agent: bool) -> None:
        self._host = host
        self._agent = agent
        self._notices: list[str] = []
        self._helps: list[Help] = []
        self._typed: list[tuple[str, str]] = []

    def change(self, line: Line) -> str | None:
        """The Python for one line. Raises Unfit."""
        name, _, rest = line.text.partition(" ")
        if line.kind == "help" and self._agent:
            return f"help({line.text})"
        if line.kind == "help":
            self._helps.append(Help(line.text, line.detail))
            return "pass"
        if line.kind == "cell":
            raise Unfit(kinds.NOT_FIRST.format(name=f"%%{name}"))
        if line.kind == "shell":
            return bang(line)
        if name == "agent" or name in self._host:
            if self._agent:
                raise Unfit(kinds.NOT_FOR_AGENTS.format(name=f"%{name}"))
            if line.target:
                raise Unfit(kinds.ALONE.format(name=name))
            self._typed.append((name, rest.strip()))
            return "pass"
        if name in kinds.IDLE:
            self._notices.append(kinds.NO_EXTENSIONS.format(name=name))
            return "pass"
        if name not in kinds.LINE:
            raise Unfit(_unknown(f"%{name}", self._host))
        return line_magic(line, name, rest.strip())

    def verdict(self, changed: str) -> Door:
        """The door, once every line was seen. Raises Unfit."""
        left = {line.strip() for line in changed.split("\n")}
        left = {line for line in left if line and not line.startswith("#")}
        if self._typed:
            if left != {"pass"} or self._helps or self._notices:
                raise Unfit(kinds.ALONE.format(name=self._typed[0][0]))
            if self._typed[0][0] == "agent":
                return _agent_cell(" ".join(self._typed[0][1:]), "")
            return Typed(tuple(self._typed))
        special = bool(self._helps or self._notices)
        empty = special and left <= {"pass"}
        return Python(changed, tuple(self._notices), tuple(self._helps), empty=empty)


def _cell_magic(text: str, start: str, host: Collection[str], agent: bool) -> Door:
    head, _, body = start.partition("\n")
    name, _, rest = head[2:].strip().partition(" ")
    above = "\n" * text[: len(text) - len(start)].count("\n")
    if agent and (name == "agent" or name in host):
        return Unusable(kinds.NOT_FOR_AGENTS.format(name=f"%%{name}"))
    if name == "agent":
        return _agent_cell(rest, body)
    if name == "time":
        inner = judged(above + rest + "\n" + body, host, agent)
        if isinstance(inner, Python):
            return Python(inner.code, inner.notices, inner.helps, timed=True)
        return inner
    try:
        if name == "timeit":
            return Python(above + timeit(rest, body) + "\n" * body.count("\n"))
        if name in ("bash", "sh"):
            if not body.strip():
                raise Unfit(kinds.NO_COMMAND.format(name=f"%%{name}"))
            if rest.strip():
                raise Unfit(f"`%%{name}` takes no options here; the command goes below it.")
            return Python(above + bash(body) + "\n" * body.count("\n"))
    except Unfit as unfit:
        return Unusable(str(unfit))
    return Unusable(_unknown(f"%%{name}", host))


def _agent_cell(options: str, body: str) -> Door:
    """``%%agent`` with its options; words after them are part of the request."""
    given: dict[str, str | bool] = {}
    rest = options.strip()
    while rest.startswith("--"):
        word, _, rest = rest.partition(" ")
        name, equals, value = word[2:].partition("=")
        rest = rest.lstrip()
        if name == "steer":
            given["steer"] = True
        elif name in ("model", "profile"):
            if not equals:
                value, _, rest = rest.partition(" ")
            if not value:
                return Unusable(f"`%%agent --{name}` needs a name after it.")
            given[name] = _unquoted(value)
        else:
            meant = near(name, ("model", "profile", "steer"))
            known = "it has --model, --profile and --steer."
            hint = f"did you mean `--{meant}`?" if meant else known
            return Unusable(f"`%%agent` has no option `--{name}`; {hint}")
    words = "\n".join(part for part in (rest.strip(), body.strip()) if part)
    if not words:
        return Unusable(kinds.NO_WORDS)
    model, profile = given.get("model"), given.get("profile")
    return AgentCell(
        words,
        model if isinstance(model, str) else None,
        profile if isinstance(profile, str) else None,
        bool(given.get("steer")),
    )


def _unquoted(value: str) -> str:
    try:
        return "".join(shlex.split(value))
    except ValueError:
        return value


def _unknown(name: str, host: Collection[str]) -> str:
    known = [f"%{each}" for each in (*kinds.LINE, *sorted(host))]
    known += [f"%%{each}" for each in kinds.CELL]
    return kinds.UNKNOWN.format(name=name, known=listed(known))
