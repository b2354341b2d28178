"""Governed calls as a cell makes them (guest E1-E4, E6, E8-E10, E12, E13, E16-E18, C14)."""

# ruff: noqa: E501 - the text of a cell stands on one line

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tests.guest.conftest import TOOLS, Start, binding
from tests.guest.driver import Driven, Frame

CATCHING = [
    "try:\n  await tools.refuse()\nexcept BaseException: pass\nopen('leak', 'w')",
    "try:\n  await tools.refuse()\nfinally:\n  open('leak', 'w')",
    "import contextlib\nwith contextlib.suppress(BaseException):\n  await tools.refuse()\nopen('leak', 'w')",
    "async def f():\n  try: await tools.refuse()\n  except BaseException: open('leak', 'w')\nawait f()\nopen('leak', 'w')",
    "import asyncio\nasync def f():\n  try: await tools.refuse()\n  finally: open('leak', 'w')\nt = asyncio.create_task(f())\nawait asyncio.sleep(5)\nopen('leak', 'w')",
    "import asyncio\nawait asyncio.gather(tools.refuse(), asyncio.sleep(0.2), return_exceptions=True)\nopen('leak', 'w')",
    "import asyncio\ntry: await asyncio.wait_for(tools.refuse(), 5)\nexcept BaseException: pass\nopen('leak', 'w')",
    "import asyncio\nt = asyncio.ensure_future(tools.refuse())\nwhile True:\n  try: await asyncio.sleep(0.01)\n  except BaseException: open('leak', 'w')",
]  # fmt: skip


@pytest.mark.parametrize("code", CATCHING)
def test_a_refused_call_ends_its_run_and_no_further_line_runs(guest: Driven, code: str) -> None:
    """guest E1, E2"""
    ended = guest.run(code)
    assert ended.status == "stopped"
    assert ended.error["message"] == "Denied."
    assert (
        guest.run("import asyncio, os\nawait asyncio.sleep(0.3)\nos.path.exists('leak')").value
        is False
    )


def test_other_tasks_go_on_when_a_run_is_stopped(guest: Driven) -> None:
    """guest E1"""
    guest.run(
        "import asyncio\nn = 0\nasync def count():\n  global n\n  while True:\n    n += 1\n    await asyncio.sleep(0.01)\nt = asyncio.create_task(count())"
    )
    assert guest.run("await tools.refuse()").status == "stopped"
    first = guest.run("n").value
    time.sleep(0.1)
    assert guest.run("t.cancel()\nn").value > first


def test_synchronous_code_is_stopped_as_well(guest: Driven) -> None:
    """guest E3"""
    code = (
        "import asyncio, threading\nloop = asyncio.get_running_loop()\n"
        "def ask(): asyncio.run_coroutine_threadsafe(tools.refuse(), loop).result()\n"
        "await asyncio.sleep(0)\nf = asyncio.ensure_future(tools.refuse())\nawait asyncio.sleep(0)\n"
        "while True: pass"
    )
    ended = guest.run(code, within=3.0)
    assert (ended.status, ended.error["name"]) == ("stopped", "RunStopped")


def test_a_failed_call_is_an_error_the_cell_may_catch(guest: Driven) -> None:
    """guest E4"""
    ended = guest.run(
        "try:\n  await tools.fail()\nexcept Exception as e:\n  r = [type(e).__name__, str(e), e.kind]\nr"
    )
    assert ended.value == ["ToolFailed", "tools.fail: No.", "not-found"]
    ended = guest.run("try: await tools.fail()\nexcept ToolFailed: r = 1\nr")
    assert ended.value == 1
    ended = guest.run("await tools.fail()")
    assert ended.error["name"] == "ToolFailed"
    assert "keelbook_guest" not in ended.traceback


def test_a_namespace_says_what_there_is(guest: Driven) -> None:
    """guest E6"""
    ended = guest.run("tools.raed")
    assert ended.error["name"] == "AttributeError"
    assert "there is: read," in ended.error["message"]
    assert guest.run("hasattr(tools, 'nope')").value is False
    names = guest.run("dir(tools)").value
    assert names == sorted(names)
    assert "read" in names
    text = guest.run("help(tools.read)").text()
    assert "read(path: str, limit: str = ...)" in text
    assert "Does read." in text


def test_any_name_works_for_tools_and_keywords(guest: Driven) -> None:
    """guest E8"""
    for name in ("__proto__", "constructor", "self", "name", "args"):
        ended = guest.run(f"await tools.{name}(**{{{name!r}: 1}})")
        assert ended.value == {name: 1}, ended.traceback


REFUSED = [
    ("{'items': [1, 2, 3, {'when': object()}]}", "args.value.items[3].when"),
    ("[l := [1], l.append(l), l][2]", "args.value[1]: the value contains itself"),
    ("{(1, 2): 3}", "keys must be text"),
    ("b'x'", "decode it"),
    ("(i for i in ())", "list(...)"),
    ("float('nan')", "nan"),
    ("10 ** 4001", "too long"),
    ("range(3)", "list(...)"),
]


@pytest.mark.parametrize(("value", "message"), REFUSED)
def test_what_is_no_json_is_refused_with_its_path(guest: Driven, value: str, message: str) -> None:
    """guest E9, E17"""
    ended = guest.run(f"await tools.echo({value})")
    assert ended.error["name"] == "TypeError"
    assert message in ended.error["message"]
    assert not [frame for frame in ended.frames if frame["t"] == "call"]


CONVERTED: list[tuple[str, Any]] = [
    ("(1, 'a', 2.5, None, True)", [1, "a", 2.5, None, True]),
    ("{3, 1, 2}", [1, 2, 3]),
    ("frozenset('b')", ["b"]),
    ("__import__('pathlib').Path('a/../b')", "a/../b"),
    ("__import__('datetime').date(2024, 2, 29)", "2024-02-29"),
    ("__import__('datetime').datetime(2024, 2, 29, 1, 2, 3)", "2024-02-29T01:02:03"),
    ("__import__('datetime').time(1, 2)", "01:02:00"),
    ("__import__('decimal').Decimal('1.50')", "1.50"),
    ("__import__('uuid').UUID(int=1)", "00000000-0000-0000-0000-000000000001"),
    ("type('S', (str,), {})('s')", "s"),
    ("type('I', (int,), {})(5)", 5),
    ("type('D', (dict,), {})(a=1)", {"a": 1}),
    ("__import__('enum').Enum('E', {'A': 7}).A", 7),
    ("__import__('enum').IntEnum('E', {'A': 8}).A", 8),
    ("10 ** 3999", 10**3999),
    ("'\\udc80'", "\udc80"),
]


@pytest.mark.parametrize(("value", "crossed"), CONVERTED)
def test_arguments_become_json_by_the_rules(guest: Driven, value: str, crossed: Any) -> None:
    """guest E17"""
    ended = guest.run(f"x = await tools.echo({value})")
    assert ended.status == "ok", ended.traceback
    sent = next(frame for frame in ended.frames if frame["t"] == "call")
    assert sent["args"] == {"value": crossed}


def test_too_large_arguments_fail_and_nothing_is_sent(start: Start) -> None:
    """guest E10"""
    guest = start(limits={"args_bytes": 1 << 20})
    ended = guest.run("x = 'a' * (2 << 20)\nawait tools.echo(x)")
    assert ended.error["name"] == "ToolFailed"
    assert str(1 << 20) in ended.error["message"]
    assert str((2 << 20) + len(json.dumps({"value": ""})) - 1) in ended.error["message"]
    assert not [frame for frame in ended.frames if frame["t"] == "call"]
    assert guest.run("len(x)").value == 2 << 20


def test_large_arguments_and_results_cross_as_descriptors(guest: Driven) -> None:
    """guest E10, section 2"""
    ended = guest.run("x = await tools.echo('b' * (3 << 20))\nlen(x['value'])")
    assert ended.value == 3 << 20


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("tools.read()", "misses 'path'; it is tools.read(path: str, limit: str = ...)"),
        ("tools.read(1, 2, 3)", "takes at most 2 arguments, got 3"),
        ("tools.read('x', path=1)", "got 'path' twice"),
        ("tools.read('x', pth=1)", "has no parameter 'pth'"),
    ],
)
def test_arguments_that_do_not_fit_are_a_type_error(guest: Driven, call: str, message: str) -> None:
    """guest E12"""
    ended = guest.run(call)
    assert ended.error["name"] == "TypeError"
    assert message in ended.error["message"]


def test_positionals_bind_in_declared_order(guest: Driven) -> None:
    """guest E12"""
    assert guest.run("await tools.read('p', 3)").value == {"path": "p", "limit": 3}


def test_two_thousand_calls_keep_their_order(guest: Driven) -> None:
    """guest E13"""
    ended = guest.run(
        "import asyncio\nr = await asyncio.gather(*[tools.echo(i) if i % 7 else tools.fail() "
        "for i in range(2000)], return_exceptions=True)\n"
        "[sum(isinstance(x, ToolFailed) for x in r), [x['value'] for x in r if isinstance(x, dict)]]"
    )
    assert ended.value == [286, [i for i in range(2000) if i % 7]]


def test_a_call_whose_wait_is_given_up_is_taken_back(guest: Driven) -> None:
    """guest E16"""
    ended = guest.run(
        "import asyncio\ntry: await asyncio.wait_for(tools.never(), 0.05)\nexcept (TimeoutError, asyncio.TimeoutError): pass"
    )
    call = next(frame for frame in ended.frames if frame["t"] == "call")
    cancel = next(frame for frame in ended.frames if frame["t"] == "call-cancel")
    assert cancel["id"] == call["id"]
    guest.send({"t": "reply", "run": call["run"], "id": call["id"], "ok": True, "value": 1})
    assert guest.run("2").value == 2


def test_the_next_cell_sees_what_is_bound_now(start: Start) -> None:
    """guest E18"""
    guest = start()
    guest.run("kept = tools.read\nspace = tools")
    changed = {**TOOLS, "bindings": [binding("read", "file"), binding("fresh")]}
    other = {**TOOLS, "name": "rlm", "bindings": [binding("run")]}
    guest.send({"t": "namespaces", "version": 2, "set": [changed, other]})
    time.sleep(0.05)
    assert guest.run("dir(space)").value == ["fresh", "read"]
    assert "it is tools.read(file: str)" in guest.run("kept(path=1)").error["message"]
    assert guest.run("dir(rlm)").value == ["run"]
    guest.send({"t": "namespaces", "version": 3, "set": [other]})
    time.sleep(0.05)
    assert guest.run("tools").error["name"] == "NameError"
    assert guest.run("kept(1)").error["name"] == "AttributeError"


def test_a_namespace_may_itself_be_called(start: Start) -> None:
    """guest section 2"""
    entry: Frame = {
        "name": "agent_message",
        "description": "Sends a message.",
        "callable": True,
        "bindings": [binding("__call__", "to", "text")],
    }
    guest = start(namespaces=[entry])
    ended = guest.run("await agent_message('a', text='b')")
    assert ended.value == {"to": "a", "text": "b"}
    assert next(f for f in ended.frames if f["t"] == "call")["name"] == "__call__"


def test_a_forked_child_calls_nothing(guest: Driven) -> None:
    """guest D2"""
    ended = guest.run(
        "import os\npid = os.fork()\nif pid == 0:\n  try: await tools.echo(1)\n"
        "  except ToolFailed: os._exit(7)\n  os._exit(1)\nos.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])"
    )
    assert ended.value == 7
    assert not [frame for frame in ended.frames if frame["t"] == "call"]
