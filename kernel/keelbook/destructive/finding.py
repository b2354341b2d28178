"""What the classifier says of one piece of a text: a record, and the closed sets of its fields.

Rules: ``segment`` is the exact text that was judged, as its own reader saw it; ``span`` gives the
characters of the outermost text it came from; ``words`` is one plain sentence for a person.
"""

from typing import Literal, get_args

from pydantic import Field

from keelbook.record import Record

Language = Literal["shell", "sql", "python"]
"""What a text may be written in."""

Class = Literal["destructive", "debatable", "unreadable"]
"""``unreadable``: it passed a cap or no parser could read it, so nobody can say."""

Verdict = Literal["destructive", "unreadable", "debatable", "clear"]
"""A whole text's, worst first."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

QUOTED = 160
"""So much of a segment is repeated in the sentence, in characters."""


class Finding(Record):
    """One thing found. ``path`` says how it was reached: ``bash -c > ssh > rm``.

    ``kind`` is a word of the field (files, disks, git, databases, ...); ``span`` is half open.
    """

    language: str
    kind: str
    class_: Class = Field(validation_alias="class", serialization_alias="class")
    segment: str
    span: tuple[int, int]
    words: str
    path: str


def sentence(segment: str, what: str) -> str:
    """``"`rm -rf build`: removes a directory tree"``."""
    shown = " ".join(segment.split())
    if len(shown) > QUOTED:
        shown = shown[: QUOTED - 1] + "…"
    return f"`{shown}`: {what}"


def verdict(findings: list[Finding]) -> Verdict:
    """The worst class among the findings; ``clear`` when there are none."""
    found = {finding.class_ for finding in findings}
    return next((each for each in VERDICTS if each in found), "clear")
