"""Judges code of other languages by the calls in it.

Rules: there is no parser here; a call is a name followed by parentheses or, where the language lets
it, by its first string. What a call is given that runs elsewhere is judged in that language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from keelbook.destructive.foreign.calls import TABLE
from keelbook.destructive.foreign.lexer import Token, tokens
from keelbook.destructive.inquiry import Inquiry
from keelbook.destructive.vocabulary import words

_BARE = words("perl ruby php groovy tcl elixir julia")
"""Languages whose calls need no parentheses."""

_PIPE = re.compile(
    r'(?:print|printf)[^|;{}]*\|\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|\s*getline'
)
_TO_FILE = re.compile(r'(?:print|printf)[^|;{}>]*>\s*"(/dev/[^"]+|/etc/[^"]+)"')
_FILTERLESS = re.compile(r"\s*\(\s*(?:\{\s*\}\s*)?[,)]")
_DELETES_CYPHER = re.compile(r"(?i)\b(?:detach\s+)?delete\b")


class _Lines:
    """The table, by language."""

    def __init__(self, text: str) -> None:
        self.calls: dict[str, dict[str, tuple[str, str]]] = {}
        for line in text.strip().splitlines():
            head, _, words = line.partition(" : ")
            mark, languages, *names = head.split()
            for language in languages.split(","):
                found = self.calls.setdefault(language, {})
                for name in names:
                    found[name] = (mark, words)


@cache
def _table() -> _Lines:
    return _Lines(TABLE)


def read(inquiry: Inquiry, text: str, language: str) -> None:
    """Judges one text."""
    if language == "cypher":
        _cypher(inquiry, text)
        return
    if language == "awk":
        _awk(inquiry, text)
    if language == "applescript":
        _applescript(inquiry, text)
        return
    if language == "tcl":
        _tcl(inquiry, text)
        return
    calls = _table().calls.get(language, {})
    found = tokens(text, language)
    for at, token in enumerate(found):
        inquiry.tick()
        if token.kind == "command":
            inquiry.inside((f"{language} `",), (token.start, token.end)).read("shell", token.text)
        elif token.kind == "name":
            entry = _entry(calls, token.text)
            if entry is not None and _is_called(found, at, language):
                _call(inquiry, text, language, found, at, entry)


def _entry(calls: dict[str, tuple[str, str]], name: str) -> tuple[str, str] | None:
    parts = name.split(".")
    for count in range(min(len(parts), 4), 0, -1):
        entry = calls.get(".".join(parts[-count:]))
        if entry is not None:
            return entry
    return None


def _is_called(found: Sequence[Token], at: int, language: str) -> bool:
    if at and found[at - 1].kind == "name" and found[at - 1].text in ("def", "function", "sub"):
        return False
    if at + 1 >= len(found):
        return language == "ruby" and "." in found[at].text
    follows = found[at + 1]
    if follows.text == "(" and follows.kind == "mark":
        return True
    if language not in _BARE:
        return follows.kind == "string" and language == "javascript" and found[at].text == "$"
    if follows.kind in ("string", "command"):
        return True
    plain = follows.kind == "name" and follows.text not in ("if", "unless", "and", "or", "do")
    return plain or (
        follows.text in ("$", "<", "@", "*", ";", "}") and language in ("perl", "ruby")
    )


def _call(
    inquiry: Inquiry,
    text: str,
    language: str,
    found: Sequence[Token],
    at: int,
    entry: tuple[str, str],
) -> None:
    mark, words = entry
    token = found[at]
    strings = _strings(found, at)
    span = (token.start, strings[-1].end if strings else token.end)
    name = token.text
    if mark in "DS":
        last = name.rpartition(".")[2]
        if last in ("deleteMany", "remove") and not _FILTERLESS.match(text, token.end):
            words = "deletes the records its filter names"
        alone = last in ("drop", "truncate", "delete", "unlink", "destroy") and "." not in name
        if alone and language not in ("perl", "php", "ruby", "r"):
            return
        inquiry.report(
            language, "databases" if "record" in words or "data" in words else "files",
            "destructive" if mark == "D" else "debatable", text[span[0] : span[1]], words,
            via=(language, name), span=span,
        )  # fmt: skip
        return
    inner = inquiry.inside((f"{language} {name}",), span)
    if mark == "R":
        joined = " ".join(each.text for each in strings)
        if joined:
            inner.read("shell", joined)
    elif mark == "Q":
        for each in strings[:1]:
            inner.read("sql", each.text)
    else:
        for each in strings[:1]:
            inner.read(language, each.text)


def _strings(found: Sequence[Token], at: int) -> list[Token]:
    """The strings among a call's arguments."""
    made: list[Token] = []
    depth = 0
    for token in found[at + 1 : at + 60]:
        if token.kind == "mark":
            if token.text in "([{":
                depth += 1
            elif token.text in ")]}":
                depth -= 1
                if depth <= 0:
                    break
            elif token.text == ";" and depth <= 0:
                break
        elif token.kind in ("string", "command"):
            made.append(token)
    return made


def _awk(inquiry: Inquiry, text: str) -> None:
    for found in _PIPE.finditer(text):
        command = found[1] or found[2] or ""
        inquiry.inside(("awk |",), found.span()).read("shell", command.replace('\\"', '"'))
    for found in _TO_FILE.finditer(text):
        inquiry.report(
            "awk", "files", "destructive", found[0], "overwrites a device or a file of the system",
            via=("awk",), span=found.span(),
        )  # fmt: skip


def _applescript(inquiry: Inquiry, text: str) -> None:
    found = tokens(text, "applescript")
    names = [token.text.lower() for token in found]
    for at, token in enumerate(found):
        if token.kind == "string" and names[max(0, at - 3) : at] == ["do", "shell", "script"]:
            inner = inquiry.inside(("do shell script",), (token.start, token.end))
            inner.read("shell", token.text)
    plain = " ".join(name for name in names if name)
    if re.search(
        r"\b(?:empty (?:the )?trash|delete (?:every|all|file|folder|items|disk))\b", plain
    ):
        inquiry.report("applescript", "files", "destructive", text, "deletes files")
    elif re.search(r"\b(?:shut down|restart|log out)\b", plain):
        inquiry.report("applescript", "power", "destructive", text, "stops the host")


def _tcl(inquiry: Inquiry, text: str) -> None:
    for found in re.finditer(r"(?m)(?:^|[;\[{])\s*(file\s+delete\b[^\n;\]]*)", text):
        inquiry.report("tcl", "files", "destructive", found[1], "deletes files", via=("tcl",),
                       span=found.span(1))  # fmt: skip
    for found in re.finditer(
        r"(?m)(?:^|[;\[{])\s*(?:exec|spawn|send)\s+(?:--\s+)?([^\n;\]]+)", text
    ):
        command = found[1].strip().strip('"').replace("\\r", "")
        inquiry.inside(("tcl exec",), found.span(1)).read("shell", command)


def _cypher(inquiry: Inquiry, text: str) -> None:
    plain = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|//[^\n]*|`[^`]*`", "''", text)
    if re.search(r"(?i)\bdrop\s+(?:database|composite|user|role|alias)\b", plain):
        inquiry.report("cypher", "databases", "destructive", text, "drops a database or user")
    elif _DELETES_CYPHER.search(plain):
        if re.search(r"(?i)\bwhere\b|\{[^}]*:", plain):
            inquiry.report("cypher", "databases", "debatable", text, "deletes the nodes it matches")
        else:
            inquiry.report(
                "cypher", "databases", "destructive", text, "deletes every node it matches"
            )
    elif re.search(r"(?i)\bdrop\s+(?:index|constraint)\b|\bremove\s+\w+\.", plain):
        inquiry.report("cypher", "databases", "debatable", text, "drops an index or property")
