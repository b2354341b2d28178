"""Cells in a real guest: values, streams, names, questions (guest A, B, R13, D15)."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.guest_process.bench import Bench, Notebook


async def test_a_cell_has_a_value_and_its_names_stay(bench: Bench) -> None:
    """guest A1"""
    assert await bench.value("x: int = 4\nx + 1") == 5
    assert await bench.value("x") == 4


@pytest.mark.parametrize("value", ["0", "False", "''", "[]", "1.5", "{'a': [1, None]}"])
async def test_a_false_value_is_a_value(bench: Bench, value: str) -> None:
    """guest B19"""
    assert await bench.value(value) == eval(value)


async def test_none_is_no_value(bench: Bench) -> None:
    """guest B19, A16, A18"""
    for code in ("None", "5;", "", "# only words"):
        outcome, _ = await bench.run(code)
        assert (outcome.status, outcome.value) == ("ok", None)


async def test_a_cell_awaits_and_returns_at_the_top(bench: Bench) -> None:
    """guest A14"""
    assert await bench.value("import asyncio\nawait asyncio.sleep(0)\nreturn 7\n1/0") == 7


async def test_an_error_is_an_outcome_with_its_traceback(bench: Bench) -> None:
    """guest A25, B22"""
    outcome, book = await bench.run("print('first')\nraise ValueError('no')")
    assert outcome.status == "error"
    assert outcome.error is not None
    assert (outcome.error.name, outcome.error.message) == ("ValueError", "no")
    assert any("raise ValueError('no')" in line for line in outcome.error.traceback)
    assert book.text() == "first\n"
    assert await bench.value("1") == 1


async def test_a_line_is_seen_before_the_long_sleep_after_it(bench: Bench) -> None:
    """guest B1"""
    await bench.guest.start()
    await bench.run("import time")
    run, end, book = bench.begin("print('a'); time.sleep(60)")
    began = time.monotonic()
    await book.wait_for("a")
    assert time.monotonic() - began < 0.1
    bench.guest.cancel(run, "person")
    assert (await end).status == "aborted"


async def test_ten_thousand_prints_on_two_streams_arrive_in_order_and_fast(bench: Bench) -> None:
    """guest B2"""
    await bench.guest.start()
    began = time.monotonic()
    _, book = await bench.run(
        "import sys\nfor i in range(5000):\n    print(i)\n    print(i, file=sys.stderr)"
    )
    assert time.monotonic() - began < 1
    assert book.text() == "".join(f"{n}\n" for n in range(5000))
    assert book.text("stderr") == book.text()
    assert len(book.shown) < 1000


async def test_what_a_child_writes_stands_between_the_cells_own_lines(bench: Bench) -> None:
    """guest B5"""
    _, book = await bench.run(
        "import os, subprocess\n"
        "print('A'); os.system('echo B'); print('C')\n"
        "subprocess.run(['echo', 'D']); print('E')"
    )
    assert book.text() == "A\nB\nC\nD\nE\n"


async def test_what_a_pipe_holds_when_a_cell_ends_is_that_cells(bench: Bench) -> None:
    """guest R13"""
    await bench.run("import os")
    for number in range(100):
        _, book = await bench.run(f"os.write(1, b'{number}'); os.write(2, b'{number}'); None")
        assert (book.text(), book.text("stderr")) == (str(number), str(number))
    assert bench.room.late == []


async def test_a_child_that_floods_its_stdout_is_not_blocked_and_is_cut(bench: Bench) -> None:
    """guest B4, B35"""
    began = time.monotonic()
    outcome, book = await bench.run(
        "import subprocess, sys\n"
        "code = 'import sys; [sys.stdout.write(chr(233) * 10000) for _ in range(1000)]'\n"
        "subprocess.run([sys.executable, '-c', code], env={'PYTHONIOENCODING': 'utf-8'}).returncode"
    )
    assert outcome.value is not None
    assert outcome.value.json == 0
    text = book.text()
    assert set(text) == {"é"}
    assert len(text.encode()) == 8 * 1024 * 1024
    assert book.cut == 20_000_000 - 8 * 1024 * 1024
    assert time.monotonic() - began < 10


async def test_invalid_bytes_and_lone_surrogates_arrive_as_text(bench: Bench) -> None:
    """guest B11"""
    _, book = await bench.run(r"import os; os.write(1, b'a\xffb\n'); print('c\udc80')")
    assert book.text() == "a\ufffdb\nc\\udc80\n"


async def test_what_a_thread_writes_after_its_cell_is_late(bench: Bench) -> None:
    """guest B6, R14"""
    await bench.run(
        "import threading, time\n"
        "def later():\n    time.sleep(0.2); print('late words')\n"
        "threading.Thread(target=later).start()"
    )
    await asyncio.sleep(0.5)
    assert bench.room.late_text() == "late words\n"
    assert all(shown.late for _, shown in bench.room.late)


async def test_what_a_task_writes_after_its_cell_names_that_cell(bench: Bench) -> None:
    """guest B7"""
    run, end, book = bench.begin(
        "import asyncio\n"
        "async def later():\n    await asyncio.sleep(0.2); print('late words')\n"
        "task = asyncio.ensure_future(later())"
    )
    assert (await end).left == 1
    await asyncio.sleep(0.5)
    assert book.text() == ""
    assert [(owner, shown.late) for owner, shown in bench.room.late] == [(run, True)]


async def test_bytes_written_to_stderr_between_cells_are_drained_late(bench: Bench) -> None:
    """guest B8"""
    await bench.run(
        "import threading, time, os\n"
        "def later():\n    time.sleep(0.1); os.write(2, b'x' * 200_000)\n"
        "thread = threading.Thread(target=later); thread.start()"
    )
    await asyncio.sleep(0.5)
    assert bench.room.late_text() == "x" * 200_000
    assert await bench.value("thread.is_alive()") is False


async def test_a_value_that_json_would_change_comes_as_bounded_text(bench: Bench) -> None:
    """guest B13, B14, B20"""
    for code in ("{1: 'a', None: 2}", "float('nan')", "(1, 2)", "list(range(10**6))"):
        outcome, _ = await bench.run(code)
        assert outcome.value is not None
        assert outcome.value.form == "repr"
        assert len(outcome.value.text) <= 64 * 1024


async def test_displays_arrive_as_bundles(bench: Bench) -> None:
    """guest B26, B27"""
    _, book = await bench.run(
        "class Rich:\n"
        "    def _repr_html_(self): return '<b>x</b>'\n"
        "handle = display(Rich(), display_id='p')\n"
        "handle.update('y')"
    )
    first, second = book.displays
    assert first.data["text/html"] == "<b>x</b>"
    assert (first.op, second.op, second.display_id) == ("show", "update", "p")


async def test_a_large_bundle_crosses_whole(bench: Bench) -> None:
    """guest B31"""
    code = "display({'text/plain': 'x' * 2_000_000}, raw=True)"
    _, book = await bench.run(code)
    assert len(book.displays[0].data["text/plain"]) == 2_000_000


async def test_a_large_cell_crosses_whole(bench: Bench) -> None:
    outcome, _ = await bench.run("x = '" + "é" * 500_000 + "'\nlen(x)")
    assert outcome.value is not None
    assert outcome.value.json == 500_000


async def test_a_cell_that_is_too_long_is_not_run_and_costs_nothing(bench: Bench) -> None:
    await bench.guest.start()
    outcome, _ = await bench.run("x = '" + "y" * 70_000_000 + "'")
    assert (outcome.status, outcome.started) == ("error", False)
    assert outcome.sentence == "The cell is too long to be sent to the guest."
    outcome, _ = await bench.run("1", expressions={"a": "'" + "y" * 2_000_000 + "'"})
    assert (outcome.status, outcome.started) == ("error", False)
    outcome, _ = await bench.run("x = '" + "y" * 50_000_000 + "'\nlen(x)")
    assert outcome.value is not None
    assert outcome.value.json == 50_000_000


async def test_input_asks_the_person_of_the_cell(bench: Bench) -> None:
    """guest B33"""
    book = Notebook(lines=["Ada"])
    outcome, book = await bench.run("print('hm'); input('name? ')", book=book, stdin=True)
    assert outcome.value is not None
    assert outcome.value.json == "Ada"
    assert book.prompts == ["name? "]
    assert book.text().startswith("hm\n")


async def test_nobody_asks_a_person_on_behalf_of_an_agent(bench: Bench) -> None:
    """guest B34, G13"""
    outcome, book = await bench.run("input('name? ')", "agent", stdin=True)
    assert outcome.error is not None
    assert outcome.error.name == "EOFError"
    assert book.prompts == []


async def test_expressions_are_evaluated_after_success(bench: Bench) -> None:
    """guest J8"""
    outcome, _ = await bench.run("x = 2", expressions={"a": "x + 1", "b": "1/0"})
    assert outcome.expressions["a"]["status"] == "ok"
    assert outcome.expressions["a"]["data"]["text/plain"] == "3"
    assert outcome.expressions["b"]["status"] == "error"


async def test_an_end_that_is_too_long_to_be_said_is_an_end(bench: Bench) -> None:
    """guest R13"""
    expressions = {f"e{n}": f"'{n}' * 900_000" for n in range(3)}
    run = bench.run("1", expressions=expressions)
    outcome, _ = await asyncio.wait_for(run, 10)
    assert outcome.status in ("ok", "error")
    if outcome.status == "error":
        assert outcome.error is not None
        assert outcome.error.name == "ChannelDamaged"
    assert await bench.value("2") == 2


async def test_cells_run_one_after_another_in_the_order_they_came(bench: Bench) -> None:
    """guest J5"""
    ends = [bench.begin(f"seen = [*globals().get('seen', []), {n}]")[1] for n in range(20)]
    await asyncio.gather(*ends)
    assert await bench.value("seen") == list(range(20))


async def test_two_first_runs_at_once_share_one_guest(bench: Bench) -> None:
    """guest D12"""
    first, second = await asyncio.gather(bench.run("1"), bench.run("2"))
    assert (first[0].status, second[0].status) == ("ok", "ok")
    assert len(bench.room.guests) == 1


async def test_a_round_trip_is_short(bench: Bench) -> None:
    await bench.guest.start()
    await bench.run("x = 0")
    times = []
    for number in range(200):
        began = time.perf_counter()
        await bench.run(f"x = {number}; x + 1")
        times.append(time.perf_counter() - began)
    assert sorted(times)[100] < 0.002
