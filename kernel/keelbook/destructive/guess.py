"""Which language a text is in, when nobody says.

Rules: a guess decides only which reader looks first. English is read as shell, where it is no
command; a text that begins like SQL is SQL only when its next word fits SQL's grammar.
"""

from __future__ import annotations

import re

_SQL = re.compile(
    r"""(?ix)\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(?:
    select\s+[\s\S]+?\bfrom\b|select\s+[\w(*'"]+|insert\s+(?:into|overwrite)\b|update\s+\S+\s+set\b
    |delete\s+from\b|drop\s+(?:table|database|schema|view|index|user|role|materialized|function|
      procedure|trigger|sequence|type|keyspace|column|extension|temporary|owned)\b
    |alter\s+(?:table|database|user|role|system|schema|view|index)\b
    |create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)?(?:table|view|
      index|database|schema|user|role|function|procedure|trigger|extension|rule|type)\b
    |truncate\s+(?:table\s+)?(?!-)[\w."`\[]+\s*(?:;|,|cascade|restart|$)|merge\s+into\b
    |with\s+\w+\s+as\s*\(|explain\s+(?:analyze\s+)?(?:select|delete|update|insert|with|\()
    |begin\s*(?:;|transaction|work)|do\s+\$|exec(?:ute)?\s+(?:sp_|xp_|immediate|\()
    |grant\s+\w+.*?\bon\b|revoke\s+\w+.*?\bon\b|vacuum\b\s*(?:full|analyze|;|$)|call\s+\w+\s*\()"""
)
_PYTHON = re.compile(
    r"(?m)^\s*(?:import\s+\w|from\s+[\w.]+\s+import\b|def\s+\w+\s*\(|class\s+\w+\s*[:(]|"
    r"with\s+[\w.]+\(|for\s+\w+\s+in\s+.*:\s*$|if\s+.*:\s*$|async\s+def|await\s+\w|@\w+|%%\w+|"
    r"(?:\w+\s*=\s*)?[\w.]+\([^;|&]*\)\s*$|\w+\s*=\s*[\w\[\({'\"][^;|&]*$|try:|print\()"
)
_SHELL = re.compile(
    r"(?m)^\s*(?:sudo|cd|export|echo|if \[|for \w+ in .*; do|\w+=\S*\s+\w+|[\w./-]+\s+-{1,2}\w)"
)


def language_of(text: str) -> str:
    """``shell``, ``sql`` or ``python``."""
    if _SQL.match(text):
        return "sql"
    if text.lstrip().startswith(("%%", "!", "%")) or (
        _PYTHON.search(text) and not _SHELL.search(text)
    ):
        return "python"
    return "shell"
