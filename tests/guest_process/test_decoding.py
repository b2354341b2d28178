"""Lines to frames: what is believed, what is dropped and counted (guest R12, G6, G11)."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest

from keelbook.guest_process.decoding import Decoder, Wrong, encode, nesting, parse

DONE: dict[str, Any] = {
    "t": "done",
    "run": "r",
    "key": "k",
    "status": "ok",
    "cpu_s": 0.1,
    "wall_s": 2,
    "left": 0,
}


@pytest.fixture
def decoder() -> Decoder:
    return Decoder(depth=216)


def line(**changes: Any) -> bytes:
    return json.dumps({**DONE, **changes}).encode()


def test_a_good_frame_comes_out_as_it_went_in(decoder: Decoder) -> None:
    value = {"form": "json", "json": {"a": [1, 2.5, None, True, "é\udc80"]}}
    assert decoder.frame(line(value=value)) == {**DONE, "value": value}
    assert decoder.dropped == 0


def test_an_unknown_field_is_left_out_and_counted(decoder: Decoder) -> None:
    """guest R12"""
    assert decoder.frame(line(more=1)) == DONE
    assert (decoder.dropped, decoder.unknown_fields) == (0, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"t": "dome"},
        {"t": ["done"]},
        {"t": {}},
        {"run": 3},
        {"run": False},
        {"key": None},
        {"status": "died"},
        {"status": 0},
        {"cpu_s": True},
        {"cpu_s": "1"},
        {"left": 1.0},
        {"left": True},
        {"left": 2**53 + 1},
        {"left": 2**60},
        {"value": []},
        {"value": {"form": "pickle"}},
        {"error": {"name": "E", "message": "m", "traceback": "no list", "cut": False}},
        {"error": {"name": "E", "message": "m", "traceback": [1], "cut": False}},
        {"expressions": []},
    ],
)
def test_a_wrong_type_costs_the_frame(decoder: Decoder, change: dict[str, Any]) -> None:
    """guest R12, G6, G11"""
    assert decoder.frame(line(**change)) is None
    assert decoder.dropped == 1
    assert decoder.reason


def test_a_missing_field_costs_the_frame(decoder: Decoder) -> None:
    """guest R12"""
    short = {name: value for name, value in DONE.items() if name != "key"}
    assert decoder.frame(json.dumps(short).encode()) is None
    assert decoder.frame(json.dumps({"t": "done"}).encode()) is None


def test_a_frame_only_the_host_sends_is_unknown(decoder: Decoder) -> None:
    """guest R12"""
    assert decoder.frame(b'{"t":"ping","run":null,"id":1}') is None


def test_large_numbers_cross_in_values(decoder: Decoder) -> None:
    """guest G11"""
    frame = decoder.frame(line(value={"form": "json", "json": 2**60}))
    assert frame is not None
    assert frame["value"]["json"] == 2**60


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"[]",
        b'"done"',
        b"\xff\xfe",
        b"{",
        b"null",
        b'{"t":"pong","run":null,"id":NaN,"busy":null}',
        b'{"t":"pong","run":null,"id":1e999,"busy":null}',
        b'{"t":"pong","run":null,"id":' + b"9" * 5000 + b',"busy":null}',
        b'{"t":"output","run":null,"stream":"stdout","text":"a","late":false,"cut":-Infinity}',
    ],
)
def test_nonsense_is_counted_and_never_raises(decoder: Decoder, bad: bytes) -> None:
    """guest G6"""
    assert decoder.frame(bad) is None
    assert decoder.dropped == 1


def test_four_thousand_random_lines_do_no_harm(decoder: Decoder) -> None:
    """guest G6"""
    chance = random.Random(7)
    good = line(value={"form": "json", "json": [1, {"a": "b"}]})
    for _ in range(4000):
        mangled = bytearray(good)
        for _ in range(chance.randrange(1, 8)):
            mangled[chance.randrange(len(mangled))] = chance.randrange(256)
        decoder.frame(bytes(mangled))
        decoder.frame(chance.randbytes(chance.randrange(200)))
    assert decoder.frame(good) is not None


def test_nesting_is_counted_outside_of_texts() -> None:
    """guest R12"""
    assert nesting(b'{"a": [[1], "[[[[\\"[[", {}]}') == 3
    assert nesting(b"no brackets") == 0
    assert parse(b'"' + b"[" * 500 + b'"', 200) == "[" * 500
    with pytest.raises(Wrong):
        parse(b"[" * 201 + b"]" * 201, 200)
    assert parse(b"[" * 200 + b"]" * 200, 200)


def test_a_megabyte_of_brackets_is_judged_quickly(decoder: Decoder) -> None:
    """guest R12"""
    began = time.perf_counter()
    decoder.frame(b"[]," * 350_000)
    assert time.perf_counter() - began < 0.5


def test_what_the_host_writes_is_one_ascii_line() -> None:
    written = encode({"t": "run", "run": "r", "code": "é\n\udc80"})
    assert written.isascii()
    assert written.count(b"\n") == 1
    with pytest.raises(ValueError, match="JSON"):
        encode({"value": float("nan")})
