"""The classifier's door: a text or a call goes in, findings come out.

Rules: nothing raises, whatever goes in; what passes a cap, takes too long or makes a reader fail is
a finding of class unreadable. A reader, and the parser it needs, is imported when its language is
first met.
"""

from __future__ import annotations

from collections.abc import Mapping

from keelbook.destructive.arguments import texts_of
from keelbook.destructive.finding import Finding, sentence
from keelbook.destructive.guess import language_of
from keelbook.destructive.inquiry import SECONDS, Clock, Enough, Inquiry, OutOfTime, printable
from keelbook.record import Json


def judge(text: str, language: str = "auto") -> list[Finding]:
    """What a text would destroy, in the order of the text; empty when nothing was found.

    ``language`` is ``shell``, ``sql``, ``python`` or ``auto``.
    """
    return _judged([(language, text)], Clock(SECONDS))


def judge_call(tool: str, arguments: Mapping[str, Json]) -> list[Finding]:
    """The same for a tool's call: each argument that holds a text is read in its own language."""
    return _judged(texts_of(tool, arguments), Clock(SECONDS))


def _judged(texts: list[tuple[str, str]], clock: Clock) -> list[Finding]:
    found: list[Finding] = []
    for language, text in texts:
        inquiry = Inquiry(_read, clock)
        name = language
        try:
            name = language_of(text) if language == "auto" else language
            inquiry.read(name, text)
        except OutOfTime:
            inquiry.soft = False
            inquiry.report(name, "time", "unreadable", text, "took too long to be read")
        except Enough:
            found += inquiry.findings
            break
        except Exception:
            found.append(_failure(name, text))
        found += inquiry.findings
    return found


def _failure(language: str, text: str) -> Finding:
    """Ours, not the text's; whoever asked is told and asks a person."""
    segment = printable(text)
    return Finding(
        language=language,
        kind="failure",
        class_="unreadable",
        segment=segment,
        span=(0, len(text)),
        words=sentence(segment, "the checker failed on this text"),
        path="",
    )


def _read(inquiry: Inquiry, text: str, language: str, context: object) -> None:
    """Finds the reader of a language. What nobody reads is unreadable."""
    if language == "shell":
        from keelbook.destructive.shell.walk import read as read_shell

        read_shell(inquiry, text, context)
    elif language == "sql":
        from keelbook.destructive.sql.reader import read as read_sql

        read_sql(inquiry, text)
    elif language == "python":
        from keelbook.destructive.python.reader import read as read_python

        read_python(inquiry, text)
    else:
        from keelbook.destructive.foreign.reader import read as read_foreign

        read_foreign(inquiry, text, language)
