"""``run_code``: what the model reads of a cell, and that the person still sees all of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from keelbook.events import ToolEnded
from keelbook.guest_process.guest import Guest
from keelbook.interpreter import CellError, CellValue, Outcome
from keelbook.messages import Image
from keelbook.observer import Display, Output
from keelbook.session import Session
from keelbook.text import MARKER, size
from keelbook.toolset.transcript import (
    DISPLAY_BYTES,
    DISPLAYS_BYTES,
    ERROR_BYTES,
    IMAGES,
    STREAM_BYTES,
    VALUE_BYTES,
    Screen,
    Transcript,
)
from tests.loop.staging import Watching, logged, results, session

OK = Outcome("ok")


def shown(*texts: str, most: int = 1000) -> tuple[str, bool]:
    """What stands on a screen after these writes."""
    screen = Screen(most)
    for text in texts:
        screen.write(text)
    return screen.text()


# ---------------------------------------------------------------- streams


@pytest.mark.parametrize(
    ("texts", "stands"),
    [
        (["a\nb\n"], "a\nb\n"),
        (["a", "b", "\nc"], "ab\nc"),
        (["10%\r20%\r100%\n"], "100%\n"),
        (["10%", "\r", "20%", "\r100%", "\ndone"], "100%\ndone"),
        (["10%\r", "\n"], "10%\n"),
        (["a\r\nb\r\n"], "a\nb\n"),
        (["100%\r", "\r", "\r\n"], "100%\n"),
        (["\rfirst"], "first"),
        (["one\r\rtwo\r"], "two"),
        ([""], ""),
    ],
)
def test_of_a_rewritten_line_only_the_last_state_is_kept(texts: list[str], stands: str) -> None:
    """guest B36"""
    assert shown(*texts) == (stands, False)


@pytest.mark.parametrize("pieces", [1, 7, 1000])
def test_what_is_too_long_is_a_prefix_and_the_marker(pieces: int) -> None:
    """guest B3: prefix, marker byte for byte, flag; however the text came."""
    whole = "äb\n" * 1000
    step = len(whole) // pieces
    text, cut = shown(*(whole[at : at + step] for at in range(0, len(whole), step)), most=1001)
    assert cut
    assert text == "äb\n" * 250 + MARKER.format(3000)
    text, _ = shown("ä" * 1000, most=1001)
    assert text == "ä" * 500 + MARKER.format(1000)


def test_a_text_of_just_the_cap_is_whole_and_a_line_without_end_stays_bounded() -> None:
    assert shown("x" * 1000) == ("x" * 1000, False)
    text, cut = shown(*["x" * 1000] * 50)
    assert (text, cut) == ("x" * 1000 + MARKER.format(49_000), True)
    assert shown(*["\r" + "x" * 5000] * 50)[1] is True


def test_bytes_left_out_at_the_source_are_counted() -> None:
    """guest R8"""
    transcript = Transcript(images=False)
    transcript.output(Output("stdout", "kept"))
    transcript.output(Output("stdout", "", cut=77))
    assert transcript.text(OK) == ("kept" + MARKER.format(77).rstrip(), True)


def test_a_cell_that_prints_the_marker_sets_no_flag() -> None:
    """guest B21"""
    transcript = Transcript(images=False)
    transcript.output(Output("stdout", MARKER.format(5)))
    assert transcript.text(OK)[1] is False


# ---------------------------------------------------------------- displays, values, endings


def test_a_display_is_its_kinds_and_its_plain_text() -> None:
    """guest B32"""
    transcript = Transcript(images=False)
    data = {"text/html": "<table>", "text/plain": "   a\n0  1", "image/png": "aGk="}
    transcript.display(Display("show", data))
    transcript.display(Display("clear"))
    assert transcript.text(OK) == (
        "[display: image/png, text/html, text/plain]    a\n0  1", False,
    )  # fmt: skip
    assert transcript.images == ()


def test_a_picture_is_a_picture_where_the_model_takes_them() -> None:
    """guest B32"""
    transcript = Transcript(images=True)
    transcript.display(Display("show", {"image/png": "aGk=\n", "text/plain": "<Figure>"}))
    transcript.display(Display("result", {"image/jpeg": "aG8=", "text/plain": "<Photo>"}))
    transcript.display(Display("result", {"text/plain": "5"}))
    assert transcript.images == (
        Image(media_type="image/png", data="aGk="), Image(media_type="image/jpeg", data="aG8="),
    )  # fmt: skip
    for _ in range(20):
        transcript.display(Display("show", {"image/png": "aGk="}))
    assert len(transcript.images) == IMAGES


def test_of_an_updated_display_only_the_last_state_is_kept() -> None:
    transcript = Transcript(images=True)
    for percent in range(0, 101, 10):
        data = {"text/plain": f"{percent}%", "image/png": f"{percent:04}"}
        transcript.display(Display("update", data, display_id="bar"))
    assert transcript.text(OK)[0] == "[display: image/png, text/plain] 100%"
    assert [each.data for each in transcript.images] == ["0100"]


def test_displays_are_bounded_one_by_one_and_together() -> None:
    transcript = Transcript(images=False)
    for _ in range(100):
        transcript.display(Display("show", {"text/plain": "x" * 10_000}))
    text, cut = transcript.text(OK)
    assert cut
    assert size(text) < DISPLAYS_BYTES + 100
    assert text.count("[display: text/plain]") == DISPLAYS_BYTES // (DISPLAY_BYTES + 100)
    assert text.endswith("more displays]")


@pytest.mark.parametrize(
    ("outcome", "text", "cut"),
    [
        (OK, "[no output]", False),
        (Outcome("ok", CellValue("json", {"a": [1, None]})), '[value]\n{"a": [1, null]}', False),
        (Outcome("ok", CellValue("repr", text="<Thing>", cut=True)), "[value]\n<Thing>", True),
        (
            Outcome("error", error=CellError("E", "m", ("Traceback", "E: m"))),
            "Traceback\nE: m",
            False,
        ),
        (Outcome("error", error=CellError("E", "m", (), cut=True)), "E: m", True),
        (Outcome("aborted", reason="wall", sentence="It took 600 s."), "[It took 600 s.]", False),
        (Outcome("ok", notice="`a` was lost.", left=1),
         "[`a` was lost.]\n[still running: 1 task of this cell]", False),
    ],
)  # fmt: skip
def test_the_end_of_a_cell_is_told(outcome: Outcome, text: str, cut: bool) -> None:
    assert Transcript(images=False).text(outcome) == (text, cut)


def test_values_and_errors_have_caps_of_their_own() -> None:
    """guest section 14: model cap of value and error"""
    value = Outcome("ok", CellValue("json", "v" * 100_000))
    text, cut = Transcript(images=False).text(value)
    assert cut
    assert VALUE_BYTES < size(text) < VALUE_BYTES + 60
    error = Outcome("error", error=CellError("E", "m", ("t" * 100_000,)))
    text, cut = Transcript(images=False).text(error)
    assert cut
    assert ERROR_BYTES < size(text) < ERROR_BYTES + 60


# ---------------------------------------------------------------- with the real guest


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Session]:
    """A session whose model runs the code of its request, once each turn."""
    (tmp_path / "workspace").mkdir()
    guest = Guest(cwd=str(tmp_path / "workspace"))
    turns = [{"replies": [{"calls": [{"python": code}]}, {"text": "Done."}]} for code in CODES]
    async with session(tmp_path, json.dumps({"turns": turns}), interpreter=guest) as made:
        yield made


CODES = [
    "import sys\nprint('out')\nprint('err', file=sys.stderr)\n1 + 1",
    "print('before')\n1 / 0",
    "print('x' * 200_000)",
    "class Shown:\n"
    "    def _repr_html_(self): return '<b>bold</b>'\n"
    "    def __repr__(self): return 'plain'\n"
    "display(Shown())\nShown()",
    "for n in range(0, 101, 20):\n    print(f'\\r{n}%', end='')",
    "",
]


async def test_what_the_model_reads_and_the_person_sees_of_real_cells(opened: Session) -> None:
    """guest R8, B3, B22, B36: neither cut changes the other."""
    seen: list[Any] = []
    for _ in CODES:
        watching = Watching()
        await opened.ask("Run it.", watching)
        seen.append("".join(each[3] for each in watching.seen if each[0] == "output"))
    texts = {call: text for call, (_, text) in results(opened).items()}
    assert texts["t1s1c1"] == "out\n[stderr]\nerr\n[value]\n2"
    assert texts["t2s1c1"].startswith("before\nTraceback (most recent call last):")
    assert texts["t2s1c1"].endswith("ZeroDivisionError: division by zero")
    assert texts["t3s1c1"] == "x" * STREAM_BYTES + MARKER.format(200_001 - STREAM_BYTES).rstrip()
    assert seen[2] == "x" * 200_000 + "\n"
    assert texts["t4s1c1"] == "[display: text/html, text/plain] plain\n[value]\nplain"
    assert texts["t5s1c1"] == "100%"
    assert seen[4] == "".join(f"\r{n}%" for n in range(0, 101, 20))
    assert texts["t6s1c1"] == "[no output]"
    codes = [each.code for each in logged(opened, ToolEnded)]
    assert codes == ["", "cell-error", "", "", "", ""]
