"""Where a cursor stands in Python text (guest J16)."""

from __future__ import annotations

import pytest

from keelbook_guest import landlock
from keelbook_guest.lexical import chain, expression, place, word


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a.b", "a.b"),
        ("x = a.b", "a.b"),
        ("f(a).b", "f(a).b"),
        ("d['k'][0]", "d['k'][0]"),
        ("f(x, 'a(b')", "f(x, 'a(b')"),
        ("1 + 'abc'", "'abc'"),
        ("g([1, 2])", "g([1, 2])"),
        ("(a", "a"),
        ("x = [1, 2]", "[1, 2]"),
        ("", ""),
        ("a +", ""),
    ],
)
def test_the_expression_before_a_cursor(text: str, found: str) -> None:
    """guest J16"""
    assert expression(text) == found


def test_strings_comments_and_brackets_are_told_apart() -> None:
    """guest J16"""
    assert place("f('a").string == 3
    assert place("f('a')").string is None
    assert place("'''a\nb").quote == "'''"
    assert place("x = 1 # 'no").string is None
    assert place("f(g([").brackets == [1, 3, 4]
    assert place("f(')'").brackets == [1]
    assert place("a = 1\nb = f(\n  1, ").line == 6
    assert place("rb'x").string == 3


def test_words_and_chains() -> None:
    """guest J16"""
    assert word("a.bc") == "bc"
    assert word("a.") == ""
    assert chain("x = a . b") == "a.b"
    assert chain("f()") == ""


def test_rights_that_an_older_kernel_lacks_are_named() -> None:
    """guest H20"""
    assert landlock.absent_rights(7, "none") == []
    assert landlock.absent_rights(5, "none") == ["signals", "abstract sockets"]
    assert "tcp" in landlock.absent_rights(3, [80])
    assert "tcp" not in landlock.absent_rights(3, "all")
    assert "truncate" in landlock.absent_rights(2, "all")
