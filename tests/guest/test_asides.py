"""Completion, inspection, completeness, variables, views, skills (guest A39, I9, J13-J17)."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.guest.conftest import Start
from tests.guest.driver import Driven

SETUP = """
class Thing:
    attr = 1
    def method(self, alpha, beta=2):
        'What method does.'
    @property
    def prop(self) -> str:
        print('PROPERTY'); return ''
    def __repr__(self):
        print('REPR'); return 'a thing'
    def __len__(self):
        print('LEN'); return 3
    def __getattr__(self, name):
        if name[:2] != '__': print('GETATTR', name)
        raise AttributeError(name)
thing = Thing(); thing.inst = 5
table = {'key one': 1, 'k2': {'deep': 2}, 7: 8}
def func(apple, *, banana=1):
    'What func does.'
    return 1
"""


@pytest.fixture
def set_up(guest: Driven) -> Driven:
    """A guest with a few names."""
    assert guest.run(SETUP).status == "ok"
    return guest


COMPLETIONS: list[tuple[str, str, str]] = [
    ("thi", "thing", "instance"),
    ("pri", "print", "function"),
    ("whi", "while", "keyword"),
    ("thing.", "method", "function"),
    ("thing.in", "inst", "instance"),
    ("thing.prop.upp", "upper", "function"),
    ("Thing().att", "attr", "instance"),
    ("'abc'.upp", "upper", "function"),
    ("import js", "json", "module"),
    ("import xml.d", "dom", "module"),
    ("from xml.dom import minid", "minidom", "instance"),
    ("from json import dum", "dumps", "instance"),
    ("table['", "key one", "key"),
    ("table['k2']['", "deep", "key"),
    ("table[", "7", "key"),
    ("func(app", "apple=", "param"),
    ("func(1, ban", "banana=", "param"),
    ("Thing.method(al", "alpha=", "param"),
    ("tools.re", "read", "function"),
    ("tools.read(li", "limit=", "param"),
    ("open('/etc/pass", "passwd", "path"),
    ("x = [func(b", "banana=", "param"),
]


@pytest.mark.parametrize(("code", "match", "kind"), COMPLETIONS)
def test_what_is_before_the_cursor_is_completed(
    set_up: Driven, code: str, match: str, kind: str
) -> None:
    """guest J16"""
    answer = set_up.ask("complete", code=code + " # rest", cursor=len(code))["data"]
    assert match in answer["matches"]
    assert answer["types"][answer["matches"].index(match)] == kind
    assert answer["end"] == len(code)
    prefix = code[answer["start"] : answer["end"]]
    assert match.startswith(prefix)
    assert not [frame for frame in set_up.frames if "PROPERTY" in str(frame.get("text"))]


def test_completion_runs_nothing_of_the_users(set_up: Driven) -> None:
    """guest J16"""
    before = len(set_up.frames)
    for code in ("thing.", "thing.prop.", "thing.nope.", "thing[", "thing.method("):
        set_up.ask("complete", code=code, cursor=len(code))
        set_up.ask("inspect", code=code.rstrip(".[("), cursor=3)
    assert [frame for frame in set_up.frames[before:] if frame["t"] == "output"] == []


HELP: list[tuple[str, int, int, list[str]]] = [
    ("thing.method", 9, 0, ["method(alpha, beta=2)", "What method does."]),
    ("func(1, ", 8, 0, ["func(apple, *, banana=1)", "What func does."]),
    ("func", 4, 1, ["def func(apple, *, banana=1):", "return 1"]),
    ("tools.read", 8, 0, ["read(path: str, limit: str = ...)", "Does read."]),
    ("len", 1, 0, ["len(obj, /)"]),
    ("table", 5, 0, ["dict", "'key one': 1"]),
]


@pytest.mark.parametrize(("code", "cursor", "detail", "parts"), HELP)
def test_help_is_given_for_the_name_at_the_cursor(
    set_up: Driven, code: str, cursor: int, detail: int, parts: list[str]
) -> None:
    """guest A39, J2"""
    answer = set_up.ask("inspect", code=code, cursor=cursor, detail=detail)["data"]
    assert answer["found"] is True
    for part in parts:
        assert part in answer["data"]["text/plain"]


def test_there_is_no_help_for_nothing(set_up: Driven) -> None:
    """guest A39"""
    for code, cursor in (("nope", 2), ("'thing'", 3), ("", 0)):
        assert set_up.ask("inspect", code=code, cursor=cursor)["data"]["found"] is False


COMPLETE = [
    ("1", "complete"),
    ("print('hello')", "complete"),
    ("def f(x):\n  return x*2\n\n\n", "complete"),
    ("return 1", "complete"),
    ("await x", "complete"),
    ("!ls", "complete"),
    ("x = 1\n%time y", "complete"),
    ("%%bash\nls\n", "complete"),
    ("", "complete"),
    ("print('''hello", "incomplete"),
    ("def f(x):\n  x*2", "incomplete"),
    ("for i in x:", "incomplete"),
    ("(1,", "incomplete"),
    ("%%bash\nls", "incomplete"),
    ("import = 7q", "invalid"),
    (")", "invalid"),
]


@pytest.mark.parametrize(("code", "status"), COMPLETE)
def test_completeness_is_by_the_guests_grammar(guest: Driven, code: str, status: str) -> None:
    """guest J13"""
    answer = guest.ask("is-complete", code=code, cursor=len(code))
    assert answer["data"]["status"] == status


def test_the_next_lines_indentation_follows_the_block(guest: Driven) -> None:
    """guest J13"""
    for code, indent in (
        ("for i in x:", "    "),
        ("if 1:\n    for i in x:", "        "),
        ("if 1:\n    x", "    "),
    ):
        assert guest.ask("is-complete", code=code, cursor=0)["data"]["indent"] == indent


def test_rows_of_variables_are_read_and_not_run(set_up: Driven) -> None:
    """guest J17, A12"""
    set_up.run("_hidden = 1\nimport os\nlong = 'x' * 1000\nempty: list = []")
    before = len(set_up.frames)
    answer = set_up.ask("variables", offset=0, limit=50)["data"]
    rows = {row["name"]: row for row in answer["rows"]}
    assert answer["total"] == len(rows)
    assert list(rows) == ["Thing", "empty", "func", "long", "table", "thing"]
    assert rows["long"]["size"] == "1000"
    assert len(rows["long"]["preview"]) <= 120
    assert rows["table"]["preview"] == "{'key one': 1, 'k2': {'deep': 2}, 7: 8}"
    assert rows["thing"]["type"] == "Thing"
    assert [frame for frame in set_up.frames[before:] if frame["t"] == "output"] == []
    page = set_up.ask("variables", offset=1, limit=2)["data"]
    assert [row["name"] for row in page["rows"]] == ["empty", "func"]
    assert set_up.ask("variables", offset=0, limit=9, prefix="t")["data"]["total"] == 2
    set_up.run("del long")
    assert "long" not in str(set_up.ask("variables", offset=0, limit=50))


def test_a_view_is_made_between_cells_only(set_up: Driven) -> None:
    """guest J17"""
    peek: dict[str, Any] = {"name": "thing", "view": "repr", "offset": 0, "limit": 5}
    assert set_up.ask("peek", **peek)["data"]["data"] == {"text/plain": "a thing"}
    run = set_up.begin("import time\ntime.sleep(5)")
    answer = set_up.ask("peek", **peek)
    assert answer["ok"] is False
    assert "running" in answer["message"]
    set_up.cancel(run)
    assert set_up.finish(run).status == "aborted"
    assert set_up.ask("peek", **{**peek, "name": "nope"})["ok"] is False
    assert (
        set_up.ask("peek", **{**peek, "view": "image"})["message"] == "A Thing has no image view."
    )


def test_the_grid_of_plain_data_comes_in_pages(guest: Driven) -> None:
    """guest J17"""
    guest.run("rows = [{'a': i, 'b': (1, 2)} for i in range(10)]")
    answer = guest.ask("peek", name="rows", view="grid", offset=4, limit=2)
    grid = answer["data"]["data"]["application/vnd.keelbook.grid.v1+json"]
    assert grid == {
        "columns": ["a", "b"],
        "index": ["4", "5"],
        "rows": [[4, "(1, 2)"], [5, "(1, 2)"]],
        "total": 10,
        "offset": 4,
    }


def test_a_view_that_hangs_is_given_up_and_a_cell_goes_before_it(start: Start) -> None:
    """guest J17, R5"""
    guest = start(limits={"answer_s": 0.3})
    guest.run("class Slow:\n  def __repr__(self):\n    while True: pass\nslow = Slow()")
    peek: dict[str, Any] = {"name": "slow", "view": "repr", "offset": 0, "limit": 1}
    answer = guest.ask("peek", within=3.0, **peek)
    assert "took too long" in answer["message"]
    guest.send({"t": "peek", "id": 9999, **peek})
    time.sleep(0.05)
    began = time.monotonic()
    assert guest.run("1").value == 1
    assert time.monotonic() - began < 0.25


def test_an_answer_that_is_late_is_given_up_and_the_helper_replaced(start: Start) -> None:
    """guest R5"""
    guest = start(limits={"answer_s": 0.3})
    guest.run(
        "import time\nclass D:\n  def __dir__(self): time.sleep(2); return []\nd = D()\nword = 1"
    )
    began = time.monotonic()
    assert guest.ask("complete", code="d.", cursor=2)["data"]["matches"] == []
    assert time.monotonic() - began < 0.6
    assert guest.ask("complete", code="wor", cursor=3)["data"]["matches"] == ["word"]


def test_skills_are_bound_and_a_failing_one_says_why_when_used(start: Start) -> None:
    """guest I9"""
    guest = start(boot=False, limits={"skill_s": 0.5})
    root = guest.folder / "skills"
    root.mkdir()
    (root / "good.py").write_text("def hi(): return 'hi'\n")
    (root / "bad.py").write_text("1/0\n")
    (root / "slow.py").write_text("import time\ntime.sleep(20)\n")
    guest.boot_frame["skills"] = [
        {"name": name, "module": module, "root": str(root)}
        for name, module in (("acme-good", "good"), ("bad", "bad"), ("slow", "slow"))
    ]
    guest.boot()
    frame = guest.wait(lambda frame: frame["t"] == "skills", 5.0)
    assert frame["loaded"] == ["acme_good"]
    assert "ZeroDivisionError" in frame["failed"]["bad"]
    assert "longer than 0.5 s" in frame["failed"]["slow"]
    assert guest.run("acme_good.hi()").value == "hi"
    ended = guest.run("bad.anything()")
    assert ended.error["name"] == "RuntimeError"
    assert "ZeroDivisionError" in ended.error["message"]
    ended = guest.run("bad = 1")
    assert "bad" in next(f for f in ended.frames if f["t"] == "note")["text"]
