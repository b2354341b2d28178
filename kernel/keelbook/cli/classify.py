"""``keelbook classify``: what a text on standard input would destroy.

Rules: nothing is run. A text gives a sentence a finding; JSON lines ``{"id", "dialect", "text"}``
give as many lines ``{"id", "verdict", "findings"}``, each as soon as it was read.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from keelbook.destructive.finding import verdict
from keelbook.destructive.judge import judge
from keelbook.errors import BadConfig

LANGUAGES = ("shell", "sql", "python", "auto")


def run(options: Namespace) -> int:
    """Prints the findings; 0 whatever they are."""
    sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]
    if options.json:
        _lines(sys.stdin, options.language)
        return 0
    findings = judge(sys.stdin.read(), options.language)
    print(verdict(findings))
    for finding in findings:
        print(f"  {finding.class_}, {finding.kind}: {finding.words} ({finding.path})")
    return 0


def _lines(lines: Iterable[str], language: str) -> None:
    for number, line in enumerate(lines, 1):
        if line.strip():
            text, given, name = _asked(line, number)
            findings = judge(text, given or language)
            answer = {
                "id": name,
                "verdict": verdict(findings),
                "findings": [finding.model_dump(mode="json") for finding in findings],
            }
            print(json.dumps(answer), flush=True)


def _asked(line: str, number: int) -> tuple[str, str, Any]:
    """The text, its language and the id of one line. Raises BadConfig for one that is wrong."""
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadConfig(f"Line {number} is no JSON: {error}.") from None
    if not isinstance(asked, dict) or not isinstance(asked.get("text"), str):
        raise BadConfig(f'Line {number} needs the field "text".')
    given = asked.get("dialect") or asked.get("language") or ""
    if given and given not in LANGUAGES:
        raise BadConfig(f"Line {number}: `{given}` is none of {', '.join(LANGUAGES)}.")
    return asked["text"], given, asked.get("id")
