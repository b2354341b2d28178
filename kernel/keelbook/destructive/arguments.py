"""Which arguments of a tool's call hold a text that runs, and in which language.

Rules: the tool's name says more than the argument's. What is only stored, looked for or shown is no
text that runs; a text of a tool nobody here knows is read when its argument is named like code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from keelbook.record import Json

DEPTH = 6
"""Lists and objects inside arguments."""

_BY_ARGUMENT = {
    "command": "shell", "cmd": "shell", "commands": "shell", "shell": "shell", "bash": "shell",
    "script": "auto", "args": "shell", "argv": "shell", "command_line": "shell",
    "commandline": "shell", "run": "shell", "code": "auto", "cell": "python", "source": "auto",
    "python": "python", "source_code": "auto", "snippet": "auto", "program": "auto",
    "expression": "python", "sql": "sql", "query": "auto-sql", "statement": "sql",
    "statements": "sql", "queries": "sql", "sql_query": "sql", "input": "auto", "body": "none",
}  # fmt: skip
_BY_TOOL = (
    (re.compile(r"(?i)(?:^|_|\b)(?:bash|shell|sh|terminal|exec|zsh|powershell|cmd|run_command|"
                r"execute_command|command)(?:$|_|\b)"), "shell"),
    (re.compile(r"(?i)run_code|python|ipython|jupyter|notebook|cell|interpreter|repl"), "python"),
    (re.compile(r"(?i)(?:^|_|\b)(?:sql|psql|mysql|sqlite|postgres|query|database|db)"
                r"(?:$|_|\b)"), "sql"),
)  # fmt: skip
_DATA = re.compile(
    r"(?i)^(?:write|edit|read|grep|glob|ls|search|find|list|create_file|append|todo|view|fetch|"
    r"replace|str_replace|save|note|say|message|answer|comment)"
)


def texts_of(tool: str, arguments: Mapping[str, Json]) -> list[tuple[str, str]]:
    """``(language, text)`` of each text that runs; ``auto`` is to be guessed."""
    by_tool = next((language for pattern, language in _BY_TOOL if pattern.search(tool)), None)
    if by_tool is None and _DATA.match(tool):
        return []
    found: list[tuple[str, str]] = []
    for name, value in arguments.items():
        language = _BY_ARGUMENT.get(str(name).lower())
        if by_tool is not None and language in ("auto", "auto-sql", None):
            language = by_tool if language is not None or len(arguments) == 1 else None
        if language is None or language == "none":
            continue
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            found.append((language, _joined(value, language)))
            continue
        found += [
            ("auto" if language == "auto-sql" else language, text) for text in _texts(value, 0)
        ]
    return found


def _joined(words: list[str], language: str) -> str:
    """A list of words is one command, a list of texts one after the other."""
    if language == "shell" and not any(" " in word for word in words[:1]):
        import shlex

        return shlex.join(words)
    return "\n".join(words)


def _texts(value: Json, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < DEPTH and isinstance(value, list):
        for each in value:
            yield from _texts(each, depth + 1)
    elif depth < DEPTH and isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each, depth + 1)
