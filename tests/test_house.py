"""The rules of the house, measured: every source of host, guest and tests, and the floors.

Each rule is also shown a file that breaks it, so that it is known to see.
"""

from __future__ import annotations

import statistics
import tomllib
from collections.abc import Callable, Iterator

import pytest

from tests.house import floors, rules
from tests.house.source import ROOT, Source, everything, guest, host, suite

Rule = Callable[[Source], Iterator[str]]


def named(rule: Rule) -> str:
    """A rule's name, for the report."""
    return rule.__name__


@pytest.mark.parametrize("rule", rules.RULES, ids=named)
def test_no_file_breaks_the_rule(rule: Rule) -> None:
    offences = [each for source in everything() for each in rule(source)]
    assert not offences, "\n" + "\n".join(offences)


@pytest.mark.parametrize("sources", [host, guest, suite], ids=["host", "guest", "tests"])
def test_most_functions_and_files_are_short(sources: Callable[[], tuple[Source, ...]]) -> None:
    lengths = [rules.length(each) for source in sources() for each in source.functions()]
    assert statistics.quantiles(lengths, n=20)[-1] <= 40
    assert statistics.median(source.lines for source in sources()) <= 150


def test_imports_point_down_and_siblings_do_not_know_each_other() -> None:
    offences = [*floors.misplaced(host(), floors.table()), *floors.intimate_rows(host())]
    assert not offences, "\n" + "\n".join(offences)


def test_every_module_has_its_floor() -> None:
    offences = list(floors.unlisted(host(), floors.table()))
    assert not offences, "\n" + "\n".join(offences)


def test_values_reach_for_nothing_outside() -> None:
    offences = list(floors.worldly_values(host(), floors.table()))
    assert not offences, "\n" + "\n".join(offences)


def test_the_guest_needs_only_the_standard_library() -> None:
    """guest R4"""
    offences = list(floors.foreign(guest()))
    assert not offences, "\n" + "\n".join(offences)


def test_no_modules_import_each_other_in_a_circle() -> None:
    offences = [*floors.circles(host(), "keelbook"), *floors.circles(guest(), "keelbook_guest")]
    assert not offences, "\n" + "\n".join(offences)


def test_warnings_are_errors_and_types_are_strict() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert settings["pytest"]["ini_options"]["filterwarnings"][0] == "error"
    assert settings["mypy"]["strict"] is True
    assert {"ANN", "B", "E", "F"} <= set(settings["ruff"]["lint"]["select"])


# ---------------------------------------------------------------- the rules see

LONG = "def f() -> int:\n" + "    x = 1\n" * 60
BROKEN: list[tuple[Rule, str, str]] = [
    (rules.long_functions, "keelbook.a", LONG),
    (rules.long_functions, "keelbook.a", "class A:\n    async " + LONG.replace("\n", "\n    ")),
    (rules.long_files, "tests.a", "x = 1\n" * 401),
    (rules.long_files, "keelbook.rows.todo", "x = 1\n" * 251),
    (rules.unannotated, "keelbook.a", "def f(a) -> int:\n    return a\n"),
    (rules.unannotated, "keelbook.a", "def f(*a, b: int) -> int:\n    return b\n"),
    (rules.unannotated, "keelbook.a", "class A:\n    def f(self):\n        return 1\n"),
    (rules.undocumented, "keelbook.a", "x = 1\n"),
    (rules.undocumented, "keelbook.a", '"""Stuff"""\n'),
    (rules.banned_names, "keelbook.string_utils", ""),
    (rules.banned_names, "keelbook.base.a", ""),
    (rules.banned_names, "keelbook.a", "class SessionManager:\n    x = 1\n"),
    (rules.mocks, "tests.a", "from unittest import mock\n"),
    (rules.mocks, "tests.a", "from unittest.mock import patch\n"),
    (rules.mocks, "tests.a", "def test_a(mocker: object) -> None:\n    assert mocker\n"),
    (rules.mocks, "tests.a", "from keelbook import log\nm.setattr(log, 'Log', 1)\n"),
    (rules.mocks, "tests.a", "from keelbook.log import Log\nm.setattr(Log, 'append', 1)\n"),
    (rules.mocks, "tests.a", "import keelbook.log\nm.setattr(keelbook.log, 'Log', 1)\n"),
    (rules.mocks, "tests.a", "m.setattr('keelbook.log.Log', 1)\n"),
    (rules.unfinished, "keelbook.a", "x = 1  # TODO more\n"),
    (rules.unfinished, "keelbook.a", "def f() -> None:\n    raise NotImplementedError\n"),
    (rules.unfinished, "keelbook.a", "def f() -> None:\n    pass\n"),
    (rules.unfinished, "keelbook.a", "def f() -> None: ...\n"),
    (rules.blind_tests, "tests.a", "def test_a() -> None:\n    x = 1\n"),
]


@pytest.mark.parametrize(("rule", "name", "text"), BROKEN)
def test_a_file_that_breaks_the_rule_is_seen(rule: Rule, name: str, text: str) -> None:
    assert list(rule(Source(name, text)))


SOUND: list[tuple[Rule, str, str]] = [
    (rules.long_functions, "keelbook.a", LONG.removesuffix("    x = 1\n")),
    (rules.long_files, "tests.a", "x = 1\n" * 400),
    (rules.unannotated, "a", "class A:\n    def f(self, *a: int) -> int:\n        return 1\n"),
    (rules.undocumented, "a", '"""Does one thing.\n\nRules: none.\n"""\n'),
    (rules.banned_names, "keelbook.messages", "class Baseline:\n    x = 1\n"),
    (rules.mocks, "tests.a", "from keelbook import read\nm.setattr(read, 'WHOLE', 10)\n"),
    (rules.mocks, "tests.a", "import sys\nm.setattr(sys, 'stdin', None)\n"),
    (rules.unfinished, "a", 'class P(Protocol):\n    def f(self) -> None:\n        """F."""\n'),
    (rules.blind_tests, "tests.a", "def test_a() -> None:\n    assert f()\n"),
]


@pytest.mark.parametrize(("rule", "name", "text"), SOUND)
def test_a_file_that_keeps_the_rule_is_left_alone(rule: Rule, name: str, text: str) -> None:
    assert list(rule(Source(name, text))) == []


TABLE = floors.floors(
    "- F0 values: ``record``\n- F2 seams: ``row``\n- F3 workers: ``loop`` ``rows``"
)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "keelbook.record",
            "from keelbook.row import Row",
            "imports row, which is above it",
        ),
        ("keelbook.record", "def f():\n    import keelbook.loop.turn", "record imports loop"),
        ("keelbook.rows.todo", "from keelbook.loop import turn", "rows imports loop, its sibling"),
        ("keelbook.rows.todo", "from keelbook.rows.hitl import x", "row todo imports row hitl"),
        ("keelbook.record", "import sqlite3", "a value imports sqlite3"),
        ("keelbook.stray", "", "keelbook.stray stands on no floor"),
        ("keelbook_guest.a", "import keelbook.record", "the guest imports keelbook.record"),
        ("keelbook_guest.a", "from numpy import array", "the guest imports numpy.array"),
    ],
)
def test_a_wrong_import_is_seen(name: str, text: str, said: str) -> None:
    sources = [Source(name, text)]
    found = [*floors.misplaced(sources, TABLE), *floors.intimate_rows(sources)]
    found += [*floors.worldly_values(sources, TABLE), *floors.unlisted(sources, TABLE)]
    if name.startswith("keelbook_guest"):
        found = list(floors.foreign(sources))
    assert any(said in each for each in found)


def test_a_right_import_is_left_alone() -> None:
    sources = [
        Source("keelbook.row", "from keelbook.record import Record"),
        Source("keelbook.loop.turn", "from keelbook.loop.seams import x\nimport keelbook.row"),
        Source("keelbook.rows.todo", "from keelbook import __version__"),
    ]
    assert not list(floors.misplaced(sources, TABLE))
    assert not list(floors.intimate_rows(sources))


def test_a_circle_is_seen() -> None:
    sources = [
        Source("keelbook.a", "from keelbook.b import x"),
        Source("keelbook.b", "from keelbook import c"),
        Source("keelbook.c", "import keelbook.a"),
    ]
    assert list(floors.circles(sources, "keelbook")) == ["a -> b -> c -> a"]
    assert list(floors.circles(sources[:2], "keelbook")) == []
