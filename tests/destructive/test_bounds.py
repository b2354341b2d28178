"""Whatever goes in: nothing raises, nothing runs away, and what cannot be read is said so."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from keelbook.destructive.finding import verdict
from keelbook.destructive.inquiry import DEPTH, SIZE
from keelbook.destructive.judge import judge, judge_call

LANGUAGES = ("shell", "sql", "python", "auto")
UNITS = {
    "shell": ["rm -rf x; ", "echo $(", "(", "`", "{ ", "'", '"', "a|", "a && ", "<(", "$((",
              "cat <<EOF\n", "if x; then ", "x=1 ", "{a,b}", "$x", '"$(ls)" ', "bash -c '",
              "eval ", "<<<", "f() { ", "case x in a) ", "\x00", "\ud800", "sudo ", "é"],
    "sql": ["select 1; ", "(", "'", '"', "/*", "1+", "begin ", "case when ", "$$", "[",
            "delete from t where a=1 or ", "if then ", "exec '", "\ud800",
            "insert into t values (1),"],
    "python": ["x=1\n", "(", "[", "f(", "'", "a.", "1+", "-", "not ", "if x:\n ", "!ls\n",
               "%%bash\n", "f'{", "{", "f(x)\n", "a(b)(c)", "\x00", "rm -rf x\n", '"""', "@a\n",
               "\ud800", "lambda: "],
}  # fmt: skip
MEASURE = """
import json, resource, sys, time
from keelbook.destructive.judge import judge
for language in ("shell", "sql", "python"):
    judge("rm -rf a; delete from t where 1=1 or a=2", language)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
text = json.loads(sys.stdin.read())
started = time.process_time()
found = judge(text, sys.argv[1])
took = time.process_time() - started
grew = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
print(json.dumps([took, grew, [each.class_ for each in found]]))
"""


def filled(unit: str, size: int) -> str:
    """The unit over and over, of at most so many bytes."""
    width = len(unit.encode("utf-8", "surrogatepass"))
    return unit * (size // width)


@pytest.mark.parametrize("language", ["shell", "sql", "python"])
def test_a_full_size_text_ends_in_time_and_memory(language: str) -> None:
    """classifier: bounds (1 s and 256 MB)"""
    for unit in UNITS[language]:
        text = json.dumps(filled(unit, SIZE - 16))
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, language],
            input=text, capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
        took, grew, _ = json.loads(done.stdout)
        assert took < 1, (unit, took)
        assert grew < 256, (unit, grew)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_is_too_long_is_unreadable(language: str) -> None:
    (finding,) = judge("x" * (SIZE + 1), language)
    assert finding.class_ == "unreadable"
    assert finding.kind == "size"
    assert verdict([finding]) == "unreadable"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["", " \n\t", "\x00", "\ud800", "\ud800 rm -rf x", "\r\n", "﻿"])
def test_odd_texts_raise_nothing(language: str, text: str) -> None:
    assert verdict(judge(text, language)) in ("clear", "unreadable", "destructive")


def test_a_text_with_half_a_character_can_still_be_sent_on() -> None:
    (finding,) = judge("rm -rf '\ud800'", "shell")
    assert finding.class_ == "destructive"
    assert json.loads(finding.to_json())["segment"] == "rm -rf '?'"


def nested(depth: int) -> str:
    """``bash -c`` so many times around a harmless command."""
    text = "echo harmless"
    for _ in range(depth):
        text = f"bash -c {json.dumps(text)}"
    return text


def test_languages_are_read_inside_each_other_to_the_cap() -> None:
    """classifier: bounds (depth 8)"""
    assert judge(nested(DEPTH), "shell") == []
    (finding,) = judge(nested(DEPTH + 1), "shell")
    assert (finding.class_, finding.kind) == ("unreadable", "depth")
    assert finding.path == " > ".join(["bash -c"] * (DEPTH + 1))


def test_brackets_in_brackets_are_no_depth() -> None:
    assert judge("echo $(" * 300 + "echo x" + ")" * 300, "shell") == []
    deep = "( " * 300 + "rm -rf src" + " )" * 300
    assert verdict(judge(deep, "shell")) == "destructive"


def test_wrappers_around_wrappers_end() -> None:
    (finding,) = judge("sudo " * 100 + "ls", "shell")
    assert (finding.class_, finding.kind) == ("unreadable", "depth")


@pytest.mark.parametrize(
    "text",
    ["f() { f; }; f", "alias a=a; a", "alias a=b; alias b=a; a", "f() { g; }; g() { f; }; f",
     "a='$a$a'; eval $a", "x=x; x+=$x$x$x; x+=$x$x$x; x+=$x$x$x", "trap 'trap -- x EXIT' EXIT"],
)  # fmt: skip
def test_what_calls_itself_ends(text: str) -> None:
    assert verdict(judge(text, "shell")) in ("clear", "debatable", "unreadable")


@pytest.mark.parametrize(
    "text",
    ["exec('exec(\\'x\\')')", "x = eval('x')", "f = lambda: f()\nf()", "eval('eval(\"1\")')",
     "def f():\n    return f()\nf()", "x = [x for x in x]", "a = b = a\nb = a"],
)  # fmt: skip
def test_python_that_calls_itself_ends(text: str) -> None:
    assert verdict(judge(text, "python")) in ("clear", "debatable", "unreadable")


def test_arguments_of_any_shape_raise_nothing() -> None:
    odd = {"command": None, "code": 3, "sql": {"a": [1, "DROP TABLE x", None]}, "": "rm -rf x"}
    assert [finding.class_ for finding in judge_call("anything", odd)] == ["destructive"]
    assert judge_call("bash", {}) == []
    assert judge_call("bash", {"command": ["ls", 3]}) == []
