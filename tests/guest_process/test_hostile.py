"""A cell that does all its process can do (guest G)."""

from __future__ import annotations

import asyncio
import json
import resource
import time

import pytest

from keelbook.guest_process.outcomes import outcome_of
from keelbook.guest_process.settings import Limits
from keelbook.interpreter import Cell
from tests.guest_process.bench import Bench, MakeBench, Notebook, tools

DIG = """
import gc, json, os, time
def found(name):
    return next(o for o in gc.get_objects() if type(o).__name__ == name
                and type(o).__module__.startswith('keelbook_guest'))
def say(**frame):
    os.write(3, json.dumps({'run': me.id, **frame}).encode() + b'\\n')
me = found('Run')
def done(**more):
    say(**{'t': 'done', 'key': me.key, 'status': 'ok', 'cpu_s': 0, 'wall_s': 0, 'left': 0, **more})
"""


def rss() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


async def test_a_done_with_a_wrong_key_or_for_another_run_is_dropped(bench: Bench) -> None:
    """guest G1"""
    outcome, book = await bench.run(
        f"{DIG}\ndone(key='guess')\ndone(run='other')\ntime.sleep(0.2)\nprint('still')\n'real'"
    )
    assert outcome.value is not None
    assert outcome.value.json == "real"
    assert book.text() == "still\n"


async def test_a_done_with_the_right_key_does_not_settle_a_run_at_work(bench: Bench) -> None:
    """guest G1, R13"""
    outcome, book = await bench.run(
        f"{DIG}\nfor n in range(20): done(value={{'form': 'json', 'json': 'forged'}})\n"
        "time.sleep(0.2)\nprint('still')\n'real'"
    )
    assert outcome.value is not None
    assert outcome.value.json == "real"
    assert book.text() == "still\n"


FORGE_BOTH = f"""{DIG}
reader = found('Reader')
channel = found('Channel')
reader.handlers['ping'] = lambda f: channel.send([{{'t': 'pong', 'id': f['id'], 'busy': None}}])
"""


async def test_a_run_settled_by_forged_frames_gains_nothing_for_the_next(bench: Bench) -> None:
    """guest G1, G2"""
    bench.guest.bind([tools("echo")])
    calls: list[object] = []

    async def echo(x: object = None) -> object:
        calls.append(x)
        return x

    code = (
        f"{FORGE_BOTH}\ndone(value={{'form': 'json', 'json': 'x' * 900_000}})\n"
        "time.sleep(0.3)\n"
        "say(t='call', id=77, namespace='tools', name='echo', args={'x': 1})\n"
        "say(t='output', stream='stdout', text='late words', late=False)\n"
        "while True: time.sleep(0.1)"
    )
    run, end, book = bench.begin(code, book=Notebook(tools={"echo": echo}))
    outcome = await end
    assert outcome.status == "ok"
    assert outcome.value is not None
    assert outcome.value.cut
    assert len(outcome.value.text) < 70_000
    await asyncio.sleep(0.5)
    assert calls == []
    assert "late words" not in book.text()
    assert (run, "late words") in [
        (owner, getattr(shown, "text", "")) for owner, shown in bench.room.late
    ]
    outcome, _ = await bench.run("'mine'")
    assert (outcome.status, outcome.started) == ("died", False)
    assert "busy with an earlier cell" in outcome.sentence
    assert await bench.value("'mine'") == "mine"


async def test_a_forged_flood_of_output_is_cut_and_the_hosts_memory_is_bounded(
    make: MakeBench,
) -> None:
    """guest G3"""
    bench, other = await make(), await make()
    await other.guest.start()
    await bench.guest.start()
    before = rss()
    _, end, book = bench.begin(
        f"{DIG}\ntext = 'x' * 500_000\n"
        "for n in range(400): say(t='output', stream='stdout', text=text, late=False)"
    )
    asked = time.monotonic()
    assert await other.value("1") == 1
    assert time.monotonic() - asked < 1
    assert (await end).status == "ok"
    assert len(book.text()) == 8 * 1024 * 1024
    assert book.cut == 400 * 500_000 - 8 * 1024 * 1024
    assert rss() - before < 150_000_000


async def test_garbage_in_front_of_a_frame_costs_that_frame_only(bench: Bench) -> None:
    """guest G5"""
    outcome, book = await bench.run(
        f"{DIG}\nos.write(3, b'garbage')\nprint('eaten', flush=True)\nprint('seen', flush=True)\n7"
    )
    assert outcome.value is not None
    assert outcome.value.json == 7
    assert book.text() == "seen\n"


async def test_a_run_whose_end_was_damaged_still_ends(bench: Bench) -> None:
    """guest G5"""
    outcome, _ = await asyncio.wait_for(bench.run("import os; os.write(3, b'garbage'); None"), 5)
    assert outcome.status == "error"
    assert outcome.error is not None
    assert outcome.error.name == "ChannelDamaged"
    assert await bench.value("1") == 1


async def test_nonsense_on_the_channel_leaves_the_reader_alive(bench: Bench) -> None:
    """guest G6"""
    outcome, _ = await bench.run(
        "import os, random\n"
        "os.write(3, b'[' * 100_000 + b'\\n')\n"
        'os.write(3, b\'[1]\\n{"t": {}}\\n{"t": "pong", "run": null, "id": true}\\n\')\n'
        "chance = random.Random(1)\n"
        "for n in range(4000):\n"
        "    os.write(3, chance.randbytes(40).replace(b'\\n', b'') + b'\\n')\n"
        "8"
    )
    assert outcome.value is not None
    assert outcome.value.json == 8
    assert bench.guest._keeper.process is not None
    assert bench.guest._keeper.process.facts()["dropped"] > 4000


PATCHES = [
    "import builtins; builtins.len = builtins.print = builtins.isinstance = None",
    "import json; json.dumps = json.loads = json.JSONEncoder.iterencode = None",
    "import asyncio; asyncio.sleep = asyncio.Future = None",
    "import sys; sys.modules['json'] = sys.modules['os'] = sys.modules['asyncio'] = None",
]


@pytest.mark.parametrize("code", PATCHES)
async def test_a_cell_that_patches_its_world_changes_only_its_own(bench: Bench, code: str) -> None:
    """guest G8"""
    outcome, _ = await bench.run(f"{code}\n1")
    assert outcome.status == "ok"
    outcome, _ = await bench.run("2")
    assert outcome.value is not None
    assert outcome.value.json == 2


def test_a_done_with_a_value_and_an_error_is_an_error() -> None:
    """guest G9"""
    frame = {
        "status": "ok",
        "cpu_s": 0,
        "wall_s": 0,
        "left": 0,
        "value": {"form": "json", "json": 1},
        "error": {"name": "E", "message": "m", "traceback": ["E: m"], "cut": False},
    }
    outcome = outcome_of(frame, Cell("r", "", "person"), Limits(), None, "")
    assert (outcome.status, outcome.value) == ("error", None)


@pytest.mark.parametrize("status", ["aborted", "stopped"])
def test_an_ending_the_host_did_not_ask_for_is_an_error_of_the_cell(status: str) -> None:
    """guest A32, R7"""
    frame = {"status": status, "cpu_s": 0, "wall_s": 0, "left": 0}
    outcome = outcome_of(frame, Cell("r", "", "person"), Limits(), None, "")
    assert outcome.status == "error"


def test_a_run_that_was_refused_cannot_end_well() -> None:
    """guest E1, R15"""
    frame = {"status": "ok", "cpu_s": 0, "wall_s": 0, "left": 0, "value": {"form": "json"}}
    outcome = outcome_of(frame, Cell("r", "", "agent"), Limits(), "refused", "No.")
    assert (outcome.status, outcome.value, outcome.sentence) == ("stopped", None, "No.")


def test_a_forged_error_is_cut() -> None:
    """guest B18, G2"""
    error = {"name": "E" * 5000, "message": "m" * 10**6, "traceback": ["t" * 10**6], "cut": False}
    frame = {"status": "error", "cpu_s": 0, "wall_s": 0, "left": 0, "error": error}
    outcome = outcome_of(frame, Cell("r", "", "agent"), Limits(), None, "")
    assert outcome.error is not None
    assert outcome.error.cut
    assert len("".join(outcome.error.traceback)) < 300_000
    assert len(outcome.error.message) < 300_000


async def test_calls_to_what_is_not_bound_are_refused_without_running(bench: Bench) -> None:
    """guest G13"""
    bench.guest.bind([tools("echo")])
    book = Notebook()
    await bench.run(
        f"{DIG}\n"
        "say(t='call', id=1, namespace='tools', name='rm', args={})\n"
        "say(t='call', id=2, namespace='os', name='system', args={'x': 1})\n"
        "say(t='call', id=3, namespace='tools', name='__call__', args={})\n"
        "say(t='call', id=4, namespace='tools', name='echo', args=[1])\n"
        "time.sleep(0.2)",
        book=book,
    )
    assert book.calls == []


async def test_a_question_forged_by_an_agents_cell_reaches_nobody(bench: Bench) -> None:
    """guest G13"""
    book = Notebook(lines=["secret"])
    code = f"{DIG}\nsay(t='stdin', id=1, prompt='password?', password=True)\ntime.sleep(0.2)"
    await bench.run(code, "agent", book=book, stdin=True)
    assert book.prompts == []


async def test_no_cell_draws_a_card_and_an_agents_page_is_framed(bench: Bench) -> None:
    """guest G14, G15"""
    code = (
        "display({'application/vnd.keelbook.approval.v1+json': {}, 'text/html': '<b>x</b>',"
        " 'application/javascript': 'act()', 'text/plain': 'x'}, raw=True)"
    )
    _, book = await bench.run(code)
    assert sorted(book.displays[0].data) == [
        "application/javascript",
        "text/html",
        "text/plain",
    ]
    _, book = await bench.run(code, "agent")
    assert sorted(book.displays[0].data) == ["text/html", "text/plain"]
    assert book.displays[0].data["text/html"].startswith('<iframe sandbox="allow-scripts"')


async def test_late_output_of_an_agents_cell_is_framed_too(bench: Bench) -> None:
    """guest G15"""
    await bench.run(
        "import asyncio\n"
        "async def later():\n"
        "    await asyncio.sleep(0.2)\n"
        "    display({'text/html': '<b>x</b>', 'text/plain': 'x'}, raw=True)\n"
        "task = asyncio.ensure_future(later())",
        "agent",
    )
    await bench.run("await asyncio.sleep(0.5)")
    ((_, shown),) = bench.room.late
    assert "iframe" in json.dumps(getattr(shown, "data", {}))


async def test_a_cancel_is_served_in_a_flood_of_displays(bench: Bench) -> None:
    """guest G16"""
    await bench.guest.start()
    run, end, book = bench.begin("while True: display({'text/plain': 'x' * 1000}, raw=True)")
    await asyncio.sleep(1)
    shown = len(book.shown)
    assert shown < 40 + 200 * 1.5
    began = time.monotonic()
    bench.guest.cancel(run, "person")
    assert (await end).status == "aborted"
    assert time.monotonic() - began < 1


async def test_a_second_run_with_an_id_in_flight_is_a_fault_of_the_guest(bench: Bench) -> None:
    """guest G7"""
    run, end, book = bench.begin("print('go', flush=True)\nimport asyncio\nawait asyncio.sleep(30)")
    await book.wait_for("go")
    assert bench.guest._current is not None
    bench.guest._current._process.channel.send(bench.guest._current._frame())
    await asyncio.sleep(0.2)
    bench.guest.cancel(run, "person")
    assert (await end).status == "aborted"
    assert book.text() == "go\n"


async def test_a_forged_fault_ends_nothing_but_the_guest_that_gives_up(bench: Bench) -> None:
    """guest G1, R12"""
    outcome, _ = await bench.run(
        f"{DIG}\nsay(t='fault', message='nothing', fatal=False)\ntime.sleep(0.2)\n'real'"
    )
    assert outcome.value is not None
    assert outcome.value.json == "real"
    outcome, _ = await bench.run("say(t='fault', message='no more', fatal=True)\ntime.sleep(60)")
    assert outcome.status == "died"
    assert "gave up (no more)" in outcome.sentence
    assert await bench.value("1") == 1
