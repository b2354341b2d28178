"""Cells as the guest compiles and runs them: bindings, values, errors (guest A, B13-B20)."""

# ruff: noqa: E501 - the text of a cell stands on one line

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.guest.conftest import Start
from tests.guest.driver import Driven

E_MORE = "import asyncio\nasync def agen():\n  yield 1\n  yield 2\nclass cm:\n  async def __aenter__(self): return 5\n  async def __aexit__(self, *a): pass"

BINDINGS: list[tuple[str, list[str], Any]] = [
    ("A1", ["x: int = 4", "x"], 4),
    ("A2", ["x: int", "'x' in globals()"], False),
    ("A3", ["from math import *", "[sin(0), floor(2.5)]"], [0.0, 2]),
    ("A4", ["from __future__ import annotations\ndef f(a: Nope): pass\nf.__annotations__['a']"], "Nope"),
    ("A4", ["from __future__ import annotations", "def f(a: int): pass\nf.__annotations__['a'] is int"], True),
    ("A4", ["from __future__ import annotations\n(lambda: 0) and eval('1')"], 1),
    ("A7", ["if (n := 3): pass\nwhile (m := 0): pass\nprint(k := 4)\n[w := i for i in range(3)]", "[n, m, k, w]"], [3, 0, 4, 2]),
    ("A8", ["import contextlib\nwith (a := contextlib.nullcontext()): pass\nfor _i in (b := [1]): pass\nassert (c := 1)\nd_ = {}\nd_[(d := 'k')] = 1\n@(e := lambda f: f)\ndef g(x=(h := 2)): pass\nclass C((j := object)): pass\nmatch (k := 1):\n  case 1 if (l := 5): pass\ndel d_[(m := 'k')]\ntry:\n  raise (n := ValueError())\nexcept ValueError: pass", "all(name in globals() for name in 'abcdehjklmn')"], True),
    ("A9", ["(lambda: (q := 1))()\ndef f(): (r := 2)\nf()", "'q' in globals() or 'r' in globals()"], False),
    ("A10", [E_MORE, "for i in [1]: pass\nelse: z = 9\na, (b, *c) = 1, (2, 3, 4)\nasync for v in agen(): pass\nasync with cm() as w: pass\nimport os.path\nmatch {'x': 1, 'y': 2}:\n  case {'x': p, **rest}: pass\nmatch 5:\n  case 4 | 5 as q: pass", "[z, a, b, c, v, w, os.__name__, p, rest, q]"], [9, 1, 2, [3, 4], 2, 5, "os", 1, {"y": 2}, 5]),
    ("A11", ["keep = 1\ntry: 1/0\nexcept ZeroDivisionError as e: pass", "('e' in globals(), keep)"], "(False, 1)"),
    ("A12", ["x = 1", "del x", "'x' in globals()"], False),
    ("A13", ["global g\ng = 1", "g"], 1),
    ("A14", ["a = 1\nreturn 7\na = 2", "a"], 1),
    ("A14", ["for i in range(5):\n  if i == 3:\n    try:\n      return i\n    finally:\n      done = True", "[i, done]"], [3, True]),
    ("A16", ["_keep = 8\n8", "5;", "_"], 8),
    ("A16", ["7", "5;  # note", "_"], 7),
    ("A17", ["'text'", "__doc__"], None),
    ("A19", [E_MORE, "[i + await asyncio.sleep(0, i) async for i in agen()]"], [2, 4]),
    ("A26", ["import pickle\nclass P:\n  x = 1\npickle.loads(pickle.dumps(P())).x"], 1),
    ("A26", ["import multiprocessing as mp\ndef sq(x): return x * x\nwith mp.get_context('fork').Pool(2) as pool: r = pool.map(sq, [1, 2])\nr"], [1, 4]),
    ("A26", ["import typing\nclass D:\n  a: 'int'\ntyping.get_type_hints(D)['a'] is int and __name__"], "__main__"),
    ("A28", ["from contextvars import ContextVar\nv = ContextVar('v')\nt = v.set(1)", "import asyncio\nawait asyncio.sleep(0)\nt = v.set(v.get() + 1)", "v.get()"], 2),
    ("A29", ["import os\nos.environ['KB'] = '1'\nos.mkdir('d')\nos.chdir('d')", "r = os.environ['KB'] + os.path.basename(os.getcwd())\nos.chdir('..')\nos.rmdir('d')\nr"], "1d"),
    ("A34", ["1", "2", "3", "None", "[_, __, ___]"], [3, 2, 1]),
    ("A34", ["5", "_ = 'mine'", "6", "_"], "mine"),
    ("A34", ["_ = 1\ndel _", "6", "_"], 6),
    ("B15", ["10 ** 5000"], "<int of 16610 bits>"),
    ("B15", ["import sys\ngetattr(sys, 'set_int_max_str_digits', lambda n: n)(0)", "r = 10 ** 5000\nr"], "<int of 16610 bits>"),
    ("B14", ["float('nan')"], "nan"),
    ("B14", ["-0.0"], -0.0),
    ("B19", ["0"], 0),
    ("B19", ["''"], ""),
    ("B19", ["[]"], []),
    ("B19", ["False"], False),
    ("G8", ["import builtins, json, sys\n_old = builtins.len\nbuiltins.len = lambda x: 0\njson.dumps = None\njson.JSONEncoder.iterencode = None\n_json, sys.modules['json'] = sys.modules['json'], None", "builtins.len = _old\nsys.modules['json'] = _json\nimport asyncio\nawait asyncio.sleep(0.01)\n1"], 1),
]  # fmt: skip


@pytest.mark.parametrize(("case", "cells", "value"), BINDINGS)
def test_a_cell_binds_and_gives_what_it_says(
    guest: Driven, case: str, cells: list[str], value: Any
) -> None:
    """guest A1-A19, A26-A29, A34, B14, B15, B19, G8"""
    for cell in cells[:-1]:
        ended = guest.run(cell)
        assert ended.status == "ok", (case, ended.traceback)
    ended = guest.run(cells[-1])
    assert ended.status == "ok", (case, ended.traceback)
    assert ended.value == value
    assert type(ended.value) is type(value)


RETURNING = [case for case in BINDINGS if case[0] in ("A1", "A3", "A4", "A7", "A8", "A9", "A10", "A11", "A12", "A13", "A19", "A26")]  # fmt: skip


@pytest.mark.parametrize(("case", "cells", "value"), RETURNING)
def test_a_top_level_return_changes_nothing_else(
    guest: Driven, case: str, cells: list[str], value: Any
) -> None:
    """guest A33"""
    for cell in cells[:-1]:
        ended = guest.run(f"{cell}\nif 0: return")
        assert ended.status == "ok", (case, ended.traceback)
    ended = guest.run(f"if 0: return\n{cells[-1]}" if "__future__" not in cells[-1] else cells[-1])
    assert ended.value == value


ERRORS: list[tuple[str, str, str, str]] = [
    ("A13", "x = 1\nnonlocal q", "SyntaxError", "nonlocal"),
    ("A15", "yield 1", "SyntaxError", "'yield' outside function"),
    ("A15", "yield 1\nreturn 2", "SyntaxError", "'yield' outside function"),
    ("A20", "!ls", "SyntaxError", "await tools.bash"),
    ("A20", "# c\n%x", "SyntaxError", "await tools.bash"),
    ("A20", "a = 1\n%%bash\nls 'x", "SyntaxError", "await tools.bash"),
    ("A22", "a\0b", "SyntaxError", "null bytes"),
    ("A27", "import asyncio\nasyncio.run(asyncio.sleep(1))", "RuntimeError", "await"),
    ("A27", "import asyncio\nasyncio.get_running_loop().run_until_complete(asyncio.sleep(1))", "RuntimeError", "await"),
    ("A30", "def f(): return f()\nf()", "RecursionError", "recursion"),
    ("A32", "raise SystemExit(3)", "SystemExit", "3"),
    ("A32", "exit()", "SystemExit", ""),
    ("A32", "raise KeyboardInterrupt", "KeyboardInterrupt", ""),
    ("A32", "raise GeneratorExit", "GeneratorExit", ""),
    ("A32", "import asyncio\nraise asyncio.CancelledError", "CancelledError", ""),
    ("A32", "import asyncio\nawait asyncio.sleep(0)\nraise asyncio.CancelledError", "CancelledError", ""),
    ("A32", "import asyncio\nawait asyncio.sleep(0)\nraise SystemExit", "SystemExit", ""),
    ("A38", "ls", "NameError", "ls"),
    ("B16", "class B:\n  def __repr__(self): raise ValueError('no')\nB()", "ValueError", "no"),
    ("B16", "class B:\n  def __repr__(self): raise SystemExit(4)\nB()", "SystemExit", "4"),
    ("B17", "class B(Exception):\n  def __str__(self): raise KeyError\nraise B", "B", "<exception str() failed>"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "code", "name", "message"), ERRORS)
def test_a_cell_fails_under_its_own_name(
    guest: Driven, case: str, code: str, name: str, message: str
) -> None:
    """guest A13-A38, B16, B17"""
    ended = guest.run(code)
    assert (ended.status, ended.error["name"]) == ("error", name), case
    assert message in ended.error["message"]
    assert "keelbook_guest" not in ended.traceback
    assert guest.run("1").value == 1


def test_a_nesting_too_deep_fails_alone(guest: Driven) -> None:
    """guest A23"""
    ended = guest.run("a" + ".b" * 100_000)
    assert ended.error["name"] in ("RecursionError", "MemoryError")
    assert guest.run("1").value == 1


@pytest.mark.parametrize(("code", "value"), [("(5\n% 3)", 2), ("'''\n%x\n!y'''", "\n%x\n!y"), ("7 \\\n% 4", 3)])  # fmt: skip
def test_percent_and_exclamation_mark_inside_code_are_python(
    guest: Driven, code: str, value: Any
) -> None:
    """guest A21"""
    assert guest.run(code).value == value


@pytest.mark.parametrize("code", ["", "  \n\n", "# only a comment"])
def test_an_empty_cell_is_fine(guest: Driven, code: str) -> None:
    """guest A18"""
    ended = guest.run(code)
    assert (ended.status, ended.value) == ("ok", None)


def test_newlines_and_byte_order_marks_of_other_systems_work(guest: Driven) -> None:
    """guest A22"""
    assert guest.run("\ufeffif 1:\r\n    x = 3\r\nx").value == 3


def test_a_syntax_error_shows_line_and_caret_only(guest: Driven) -> None:
    """guest A24"""
    ended = guest.run("x = 1\ny = = 2")
    assert ended.error["line"] == 2
    lines = ended.error["traceback"]
    assert lines[0].startswith('  File "<cell-')
    assert lines[0].endswith("line 2")
    assert lines[1].strip() == "y = = 2"
    assert set(lines[2].strip()) == {"^"}
    assert lines[3].startswith("SyntaxError")


def test_a_traceback_has_the_lines_of_every_cell_and_no_frame_of_ours(guest: Driven) -> None:
    """guest A25"""
    guest.run("def first(x):\n    return second(x)")
    guest.run("def second(x):\n    return 1 / x  # here")
    ended = guest.run("try:\n    first(0)\nexcept Exception as e:\n    raise KeyError('k') from e")
    text = ended.traceback
    for line in ("return second(x)", "return 1 / x  # here", "first(0)", "raise KeyError('k')"):
        assert line in text
    assert "direct cause" in text
    assert "keelbook_guest" not in text
    assert ended.error["line"] == 4


def test_notes_and_groups_are_kept(guest: Driven) -> None:
    """guest A25"""
    if guest.ack["python"].startswith("3.10"):
        assert guest.run("ExceptionGroup").error["name"] == "NameError"
        return
    ended = guest.run(
        "e = ValueError(1)\ne.add_note('a note')\nraise ExceptionGroup('many', [e, TypeError(2)])"
    )
    for part in ("a note", "ValueError: 1", "TypeError: 2", "many (2 sub-exceptions)"):
        assert part in ended.traceback


def test_the_source_of_a_cell_is_found(guest: Driven) -> None:
    """guest A25"""
    guest.run("class C:\n    def m(self):\n        return 1\ndef f():\n    return 2")
    ended = guest.run("import inspect\n[inspect.getsource(f), inspect.getsource(C.m)]")
    assert ended.value == ["def f():\n    return 2\n", "    def m(self):\n        return 1\n"]
    warned = guest.run("import warnings\nwarnings.warn('careful')")
    assert "warnings.warn('careful')" in warned.text("stderr")


def test_a_deep_stack_is_collapsed_and_capped(guest: Driven) -> None:
    """guest A30"""
    ended = guest.run(
        "import sys\nsys.setrecursionlimit(20000)\n"
        "def a(n): return b(n + 1)\ndef b(n): return a(n + 1) if n < 9000 else 1 / 0\n"
        "try: a(0)\nfinally: sys.setrecursionlimit(1000)"
    )
    assert ended.error["name"] == "ZeroDivisionError"
    assert "frames left out" in ended.traceback
    assert len(ended.traceback) < 256 << 10


def test_a_long_message_is_cut_in_the_middle(guest: Driven) -> None:
    """guest B18"""
    ended = guest.run("raise ValueError('x' * 10**7 + 'END')")
    assert ended.error["cut"] is True
    assert "bytes left out" in ended.traceback
    assert ended.traceback.endswith("END")
    assert len(ended.traceback) <= (256 << 10) + 100
    assert len(ended.error["message"]) < 20_000


REBOUND = [
    ("tools = 1", ["tools"]),
    ("del tools", ["tools"]),
    ("del __builtins__", ["__builtins__"]),
    ("import builtins\ndel builtins.len", ["builtins.len"]),
    ("import builtins\nbuiltins.print = 3", ["builtins.print"]),
    ("print = 3\ninput = None", ["print", "input"]),
    ("import builtins\ndel builtins.display", ["builtins.display"]),
]


@pytest.mark.parametrize(("code", "names"), REBOUND)
def test_what_a_cell_breaks_is_put_back_with_a_note(
    guest: Driven, code: str, names: list[str]
) -> None:
    """guest A31"""
    ended = guest.run(code)
    notes = [frame["text"] for frame in ended.frames if frame["t"] == "note"]
    assert len(notes) == 1
    for name in names:
        assert name in notes[0]
    after = guest.run("print(len([1]), callable(input), callable(display), tools.echo)")
    assert after.status == "ok"
    assert not [frame for frame in after.frames if frame["t"] == "note"]


def test_names_of_the_persons_own_stay(guest: Driven) -> None:
    """guest A31"""
    ended = guest.run("list = [1]\ndef print(*a): return 'mine'")
    assert not [frame for frame in ended.frames if frame["t"] == "note"]
    assert guest.run("[list, print(1)]").value == [[1], "mine"]


@pytest.mark.parametrize(
    ("code", "form"),
    [
        ("{1: 'a', None: 2}", "repr"),
        ("{(1, 2): 3}", "repr"),
        ("a = []\na.append(a)\na", "repr"),
        ("d = 0\nfor _ in range(5000): d = [d]\nd", "repr"),
        ("d = 0\nfor _ in range(200): d = [d]\nd", "json"),
        ("{'a': [1, 2.5, None, True, {'b': '\\u00e9\\udc80'}]}", "json"),
        ("class L(list): pass\nL([1])", "repr"),
        ("(1, 2)", "repr"),
        ("list(range(100000))", "repr"),
    ],
)
def test_a_value_crosses_as_json_only_if_json_keeps_it(guest: Driven, code: str, form: str) -> None:
    """guest B13, B11"""
    ended = guest.run(code)
    assert ended.status == "ok", ended.traceback
    assert ended.done["value"]["form"] == form


def test_the_text_of_a_huge_list_is_bounded_and_quick(guest: Driven) -> None:
    """guest B20"""
    guest.run("big = list(range(10**6))")
    ended = guest.run("big")
    assert ended.done["wall_s"] < 0.2
    text = ended.shown("result")[0]["data"]["text/plain"]
    assert text.startswith("[0,\n 1,")
    assert text.endswith(" ...]")
    assert len(text) < 10_000


def test_names_in_a_cell_that_returns_tell_nothing_of_how(guest: Driven) -> None:
    """guest A33"""
    code = "f = lambda: (lambda: 0)\nclass C:\n  def m(self): pass\nreturn [f.__qualname__, f().__qualname__, C.m.__qualname__, locals() is globals()]"
    assert guest.run(code).value == ["<lambda>", "<lambda>.<locals>.<lambda>", "C.m", True]


def test_hundreds_of_thousands_of_frames_are_an_error_or_a_death_and_never_silence(
    start: Start,
) -> None:
    """guest A30"""
    guest = start()
    run = guest.begin(
        "import sys\nsys.setrecursionlimit(10**7)\ndef f(n): return f(n + 1) if n < 400_000 else 1 / 0\nf(0)"
    )
    try:
        ended = guest.finish(run, 40.0)
    except AssertionError:
        assert os.WIFSIGNALED(guest.gone())
        return
    assert ended.status == "error"
    assert len(ended.traceback) < 256 << 10
    assert guest.run("1").value == 1
