"""Texts made by chance, out of what the languages are made of."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from keelbook.destructive.finding import VERDICTS, verdict
from keelbook.destructive.judge import judge

SECONDS = 1.0
PIECES = {
    "shell": [
        "rm", "-rf", "src", "|", "||", "&&", ";", "\n", "(", ")", "{", "}", "$(", "`", "'",
        '"', "<<EOF", "EOF", "<<<", ">", ">>", "2>&1", "<(", "if", "then", "fi", "for", "in",
        "do", "done", "case", "esac", "while", "function f", "f()", "!", "\\", "#", "x=", "$x",
        "${x", "${x:-a}", "eval", "bash -c", "sudo", "xargs", "find . -exec", ";;", "&", "[[",
        "]]", "((", "))", "{a,b}", "*", "~", "curl x", "| sh", "git reset --hard", "\t",
        "\xe9", "\x00", "\ud800", "alias a=", "$'\\x72'", "base64 -d", "echo", "python -c",
        "psql -c",
    ],
    "sql": [
        "select", "delete from t", "drop table", "update t set a=1", "where", "1=1", "or",
        "and", "not", "(", ")", "'", '"', "`", "[", "]", ";", "--", "/*", "*/", "$$", "begin",
        "end", "case", "when", "then", "if", "exec", "'drop table x'", "union", "with a as (",
        "\n", ",", ".", "*", "=", "in", "like '%'", "explain analyze", "truncate", "\\", "1",
        "null", "@x", "create procedure p() begin", "go", "\xe9", "\ud800", "declare @s = '",
        "copy", "program",
    ],
    "python": [
        "import os", "os.remove", "(", ")", "[", "]", "{", "}", "'", '"', '"""', "f'{", ":",
        ";", "\n", "\n    ", "\t", "=", ".", ",", "+", "-", "not", "if", "else", "for", "in",
        "lambda", "def f", "class A", "exec", "eval", "getattr", "shutil.rmtree", "!rm -rf x",
        "%%bash", "%sx", "\\", "#", "1", "await", "async", "with open", "'w'", "yield", "@a",
        "**", "print", "subprocess.run", "os.system", "rm -rf x", "\xe9", "\x00", "\ud800",
    ],
}  # fmt: skip


def check(text: str, language: str) -> None:
    """The promises of every call."""
    started = time.process_time()
    found = judge(text, language)
    assert time.process_time() - started < SECONDS
    assert verdict(found) in VERDICTS
    for finding in found:
        start, end = finding.span
        assert 0 <= start <= end <= len(text)
        assert finding.words.startswith("`")
        assert finding.kind != "failure", finding.words
        finding.to_json()


def texts(language: str) -> st.SearchStrategy[str]:
    """Pieces of a language, with or without gaps, and any characters between them."""
    piece = st.sampled_from(PIECES[language]) | st.text(max_size=4)
    gap = st.sampled_from(["", " "])
    pair = st.tuples(piece, gap).map("".join)
    return st.lists(pair, max_size=40).map("".join)


@pytest.mark.parametrize("language", sorted(PIECES))
@given(data=st.data())
@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_text_breaks_a_promise(language: str, data: st.DataObject) -> None:
    """classifier: bounds"""
    check(data.draw(texts(language)), language)


@pytest.mark.fuzz
@pytest.mark.slow
@pytest.mark.parametrize("language", [*sorted(PIECES), "auto"])
@given(data=st.data())
@settings(max_examples=4000, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_text_breaks_a_promise_at_length(language: str, data: st.DataObject) -> None:
    """classifier: bounds"""
    made = texts(language) if language in PIECES else st.one_of(*map(texts, PIECES))
    check(data.draw(made), language)
