"""Governed calls from a cell, as the host answers them (guest E, C14)."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from keelbook.errors import Refused, ToolFailed
from keelbook.interpreter import Binding, Namespace, Parameter, RunStopped
from tests.guest_process.bench import Bench, MakeBench, Notebook, tools


async def echo(x: Any = None) -> Any:
    return x


async def deny(x: Any = None) -> Any:
    raise RunStopped("denied", "That is not allowed here.")


async def fail(x: Any = None) -> Any:
    raise ToolFailed("There is no file x.", "no-file")


async def slow(x: Any = 0.2) -> Any:
    await asyncio.sleep(x)
    return x


@pytest.fixture
async def called(bench: Bench) -> Bench:
    """A guest with the tools of this file bound."""
    bench.guest.bind([tools("echo", "deny", "fail", "slow", "alone", exclusive=("alone",))])
    await bench.guest.start()
    return bench


def book(**more: Any) -> Notebook:
    return Notebook(tools={"echo": echo, "deny": deny, "fail": fail, "slow": slow, **more})


async def test_a_call_returns_what_the_host_answers(called: Bench) -> None:
    """guest E17"""
    notebook = book()
    outcome, _ = await called.run("await tools.echo(x={'a': [1, None, 'é']})", book=notebook)
    assert outcome.value is not None
    assert outcome.value.json == {"a": [1, None, "é"]}
    assert notebook.calls == [("echo", {"x": {"a": [1, None, "é"]}})]


async def test_large_arguments_and_results_cross_whole(called: Bench) -> None:
    outcome, _ = await called.run("len(await tools.echo(x='é' * 2_000_000))", book=book())
    assert outcome.value is not None
    assert outcome.value.json == 2_000_000


async def test_a_failed_call_is_an_exception_with_its_code(called: Bench) -> None:
    """guest E4"""
    outcome, _ = await called.run(
        "try: await tools.fail()\n"
        "except Exception as e: found = [type(e).__name__, str(e), e.kind]\n"
        "found",
        book=book(),
    )
    assert outcome.value is not None
    kind, words, code = outcome.value.json
    assert (kind, code) == ("ToolFailed", "no-file")
    assert words.count("fail") == 1
    assert "There is no file x." in words


ESCAPES = {
    "except": "try: await tools.deny()\nexcept BaseException: pass",
    "finally": "try:\n    await tools.deny()\nfinally:\n    open('made', 'w').close()",
    "suppress": "import contextlib\nwith contextlib.suppress(BaseException): await tools.deny()",
    "nested": "async def f():\n"
    "    try: await tools.deny()\n    except BaseException: pass\nawait f()",
    "task": "import asyncio\nawait asyncio.wait([asyncio.ensure_future(tools.deny())])",
    "gather": "import asyncio\nawait asyncio.gather(tools.deny(), return_exceptions=True)",
    "wait_for": "import asyncio\n"
    "try: await asyncio.wait_for(tools.deny(), 5)\nexcept BaseException: pass",
}


@pytest.mark.parametrize("code", ESCAPES.values(), ids=ESCAPES)
async def test_no_further_line_runs_after_a_refusal(called: Bench, code: str) -> None:
    """guest E1, E2"""
    outcome, _ = await called.run(f"kept = 1\n{code}\nopen('made', 'w').close()", book=book())
    assert (outcome.status, outcome.reason) == ("stopped", "refused")
    assert outcome.sentence == "That is not allowed here."
    assert not (called.folder / "made").exists()
    assert await called.value("kept") == 1


async def test_siblings_of_a_refused_call_are_withdrawn_or_cancelled(called: Bench) -> None:
    """guest E2"""
    ended: list[int] = []

    async def watched(x: Any = None) -> None:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            ended.append(x)
            raise

    notebook = book(slow=watched)
    code = (
        "import asyncio\n"
        "await asyncio.gather(*[tools.slow(x=n) for n in range(9)], tools.deny(), "
        "*[tools.slow(x=n) for n in range(9, 20)])"
    )
    outcome, _ = await called.run(code, book=notebook)
    assert outcome.status == "stopped"
    assert sorted(ended) == list(range(9))
    assert len(notebook.calls) == 10


async def test_synchronous_code_is_ended_when_a_refusal_comes(called: Bench) -> None:
    """guest E3, C12"""
    pid = (await called.guest.start()).pid
    code = (
        "import asyncio\n"
        "task = asyncio.ensure_future(tools.deny())\n"
        "await asyncio.sleep(0)\n"
        "while True: pass"
    )
    began = time.monotonic()
    outcome, _ = await called.run(code, book=book())
    assert outcome.status == "stopped"
    assert time.monotonic() - began < 1
    assert (await called.guest.start()).pid == pid


async def test_a_refused_cell_that_cannot_be_stopped_is_killed(called: Bench) -> None:
    """guest C12"""
    code = (
        "import asyncio, signal, time\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "task = asyncio.ensure_future(tools.deny())\n"
        "await asyncio.sleep(0)\n"
        "while True: pass"
    )
    began = time.monotonic()
    outcome, _ = await called.run(code, book=book())
    assert (outcome.status, outcome.reason) == ("stopped", "refused")
    assert "That is not allowed here." in outcome.sentence
    assert 1.9 < time.monotonic() - began < 4
    assert await called.value("1") == 1


async def test_a_budget_of_calls_is_exact_and_ends_the_program(make: MakeBench) -> None:
    """guest E5"""
    bench = await make(calls_per_cell=3)
    bench.guest.bind([tools("echo")])
    notebook = book()
    outcome, _ = await bench.run(
        "for n in range(10): await tools.echo(x=n)", "agent", book=notebook
    )
    assert (outcome.status, outcome.reason) == ("stopped", "refused")
    assert [arguments["x"] for _, arguments in notebook.calls] == [0, 1, 2]
    outcome, _ = await bench.run("for n in range(10): await tools.echo(x=n)\nn", book=notebook)
    assert outcome.status == "ok"


async def test_two_thousand_calls_run_ten_at_once_and_in_order(called: Bench) -> None:
    """guest E13"""
    running = most = 0
    started: list[int] = []

    async def counted(x: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        started.append(x)
        await asyncio.sleep(0)
        running -= 1
        if x % 7 == 0:
            raise ToolFailed("Sevens fail.")
        return x

    outcome, _ = await called.run(
        "import asyncio\n"
        "found = await asyncio.gather(*[tools.echo(x=n) for n in range(2000)],"
        " return_exceptions=True)\n"
        "[n for n, each in enumerate(found) if each != n] == list(range(0, 2000, 7))",
        book=book(echo=counted),
    )
    assert outcome.value is not None
    assert outcome.value.json is True
    assert started == list(range(2000))
    assert most == 10


async def test_an_exclusive_call_runs_alone(called: Bench) -> None:
    """guest E13"""
    trail: list[str] = []

    def tracked(name: str) -> Any:
        async def call(x: Any = None) -> None:
            trail.append(f"+{name}")
            await asyncio.sleep(0.05)
            trail.append(f"-{name}")

        return call

    await called.run(
        "import asyncio\n"
        "await asyncio.gather(tools.slow(), tools.slow(), tools.alone(), tools.slow())",
        book=book(slow=tracked("slow"), alone=tracked("alone")),
    )
    assert trail == ["+slow"] * 2 + ["-slow"] * 2 + ["+alone", "-alone", "+slow", "-slow"]


async def test_a_cancelled_call_is_freed_and_its_late_reply_dropped(called: Bench) -> None:
    """guest E16"""
    ended: list[bool] = []

    async def stubborn(x: Any = None) -> str:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            ended.append(True)
        return "late"

    outcome, _ = await called.run(
        "import asyncio\n"
        "try: await asyncio.wait_for(tools.slow(), 0.1)\n"
        "except (asyncio.TimeoutError, TimeoutError): found = 'timed out'\n"
        "await asyncio.sleep(0.1)\nfound, await tools.echo(x=1)\nreturn found",
        book=book(slow=stubborn),
    )
    assert outcome.value is not None
    assert outcome.value.json == "timed out"
    assert ended == [True]


@pytest.mark.parametrize("result", [object(), {1, 2}, float("nan"), {"a": b"x"}])
async def test_a_result_that_is_no_json_is_a_failure(called: Bench, result: Any) -> None:
    """guest E11"""

    async def odd(x: Any = None) -> Any:
        return result

    outcome, _ = await called.run("await tools.echo()", book=book(echo=odd))
    assert outcome.error is not None
    assert outcome.error.name == "ToolFailed"
    assert "no JSON" in outcome.error.message


async def test_a_result_over_the_cap_is_a_failure_that_says_so(make: MakeBench) -> None:
    """guest E15"""
    bench = await make(result_bytes=10_000)
    bench.guest.bind([tools("echo")])
    outcome, _ = await bench.run("await tools.echo(x='y' * 20_000)", book=book())
    assert outcome.error is not None
    assert "20,000 bytes" in outcome.error.message


async def test_arguments_over_the_cap_are_not_sent_and_names_are_kept(called: Bench) -> None:
    """guest E10"""
    notebook = book()
    outcome, _ = await called.run("big = 'x' * 80_000_000\nawait tools.echo(x=big)", book=notebook)
    assert outcome.error is not None
    assert outcome.error.name == "ToolFailed"
    assert notebook.calls == []
    assert await called.value("len(big)") == 80_000_000


async def test_a_bug_in_the_host_is_told_to_the_cell_and_kills_nothing(called: Bench) -> None:
    problems: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, what: problems.append(what))

    async def broken(x: Any = None) -> Any:
        raise ZeroDivisionError("oops")

    outcome, _ = await called.run("await tools.echo()", book=book(echo=broken))
    assert outcome.error is not None
    assert "oops" in outcome.error.message
    assert len(problems) == 1


async def test_policy_below_a_tool_is_a_failure_of_the_call(called: Bench) -> None:
    async def refused(x: Any = None) -> Any:
        raise Refused("Writing /etc is not allowed here.", "path-denied")

    outcome, _ = await called.run("await tools.echo()", book=book(echo=refused))
    assert outcome.error is not None
    assert "Writing /etc" in outcome.error.message


async def test_a_call_that_is_not_bound_is_not_made(called: Bench) -> None:
    """guest G13"""
    notebook = book()
    for code in (
        "await tools.delete()",
        "import asyncio\nawait tools.echo.__class__(*tools.echo._known[:2], 'delete')()",
    ):
        outcome, _ = await called.run(code, book=notebook)
        assert outcome.status == "error"
    assert notebook.calls == []


async def test_the_next_cell_sees_what_is_bound_now(called: Bench) -> None:
    """guest E18"""
    notebook = book()
    await called.run("held = tools.echo", book=notebook)
    called.guest.bind([tools("other")])
    outcome, _ = await called.run("hasattr(tools, 'echo'), hasattr(tools, 'other')", book=notebook)
    assert outcome.value is not None
    assert outcome.value.text == "(False, True)"
    called.guest.bind([tools("echo", "other")])
    outcome, _ = await called.run("await held(x=3)", book=notebook)
    assert outcome.value is not None
    assert outcome.value.json == 3


async def test_a_namespace_that_is_itself_called_works(bench: Bench) -> None:
    greet = Binding("__call__", "Sends.", (Parameter("text", "str", True),))
    bench.guest.bind([Namespace("agent_message", "Says something.", (greet,), callable=True)])

    async def said(text: str) -> str:
        return text.upper()

    notebook = Notebook(tools={"__call__": said})
    outcome, _ = await bench.run("await agent_message('hi')", book=notebook)
    assert outcome.value is not None
    assert outcome.value.json == "HI"


async def test_a_task_left_by_an_ended_cell_cannot_call(called: Bench) -> None:
    """guest C14"""
    first, second = book(), book()
    await called.run(
        "import asyncio\n"
        "seen = []\n"
        "async def go_on():\n"
        "    while True:\n"
        "        try:\n"
        "            await asyncio.sleep(0.02); await tools.echo(x='left')\n"
        "        except BaseException as e: seen.append(str(e))\n"
        "task = asyncio.ensure_future(go_on())",
        book=first,
    )
    await called.run("await asyncio.sleep(0.3); await tools.echo(x='own')", book=second)
    assert [arguments["x"] for _, arguments in first.calls + second.calls] == ["own"]
    outcome, _ = await called.run("'its cell has ended' in seen[0]")
    assert outcome.value is not None
    assert outcome.value.json is True


async def test_calls_still_running_end_with_their_cell(called: Bench) -> None:
    """guest G10, E16"""
    ended: list[bool] = []

    async def long(x: Any = None) -> None:
        try:
            await asyncio.sleep(30)
        finally:
            ended.append(True)

    await called.run(
        "import asyncio\ntask = asyncio.ensure_future(tools.slow())\nawait asyncio.sleep(0.1)",
        book=book(slow=long),
    )
    await asyncio.sleep(0.05)
    assert ended == [True]


async def test_waiting_for_a_tool_costs_no_cpu_budget(called: Bench) -> None:
    """guest H6"""
    outcome, _ = await called.run(
        "await tools.slow(x=1.5)", "agent", book=book(), cpu_s=0.5, wall_s=30.0
    )
    assert outcome.status == "ok"
