"""What crosses exactly, what is converted, where a cut falls (guest B12-B15, E17)."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest

from keelbook_guest.codec import Encoded, argument, decode, encode, exact
from keelbook_guest.protocol import CONVERSIONS, MARKER
from keelbook_guest.text import cut_marked, cut_middle, cut_utf8, utf8_length

PLAIN: list[Any] = [
    0,
    -1,
    2**60,
    -0.0,
    1.5,
    True,
    None,
    "",
    "é\udc80\U0001f600",
    [],
    {},
    [[{"a": [1]}]],
]


@pytest.mark.parametrize("value", PLAIN)
def test_json_crosses_exactly_as_ascii(value: Any) -> None:
    """guest B11, B13"""
    line = encode(value)
    assert line.isascii()
    assert decode(line) == value
    assert exact(value, 10_000, 200) == (True, value)
    assert Encoded(value).text == line


def test_minus_zero_keeps_its_sign() -> None:
    """guest B14"""
    assert math.copysign(1, decode(encode(-0.0))) == -1


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, (1,), {1: 2}, {None: 1}, b"x", 10**4001, {"a": [object()]}]
)
def test_what_json_would_change_is_not_exact(value: Any) -> None:
    """guest B13, B14, B15"""
    assert exact(value, 10**6, 200) == (False, None)


def test_exact_is_bounded_in_size_and_depth() -> None:
    """guest B13"""
    assert exact(list(range(10**7)), 65536, 200) == (False, None)
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    assert exact(deep, 10**6, 200) == (False, None)
    loop: list[Any] = []
    loop.append(loop)
    assert exact(loop, 10**6, 200) == (False, None)


@pytest.mark.parametrize("line", ["", "{", "[1] 2", "nul", "\xff"])
def test_what_is_no_json_is_a_value_error(line: str) -> None:
    """guest R12"""
    with pytest.raises(ValueError, match=r"JSON|Expect"):
        decode(line)


def test_numpy_scalars_cross_as_pythons() -> None:
    """guest E17"""
    numpy = pytest.importorskip("numpy")
    given = {"a": numpy.float64(1.5), "b": numpy.int32(3), "c": numpy.bool_(True)}
    assert encode(argument(given)) == '{"a":1.5,"b":3,"c":true}'
    with pytest.raises(TypeError, match=r"args\.a: .*ndarray.*\.tolist\(\)"):
        argument({"a": numpy.zeros(2)})


def test_the_table_of_conversions_names_what_is_done() -> None:
    """guest R11, E17"""
    assert CONVERSIONS["tuple"] == "list"
    assert argument((1,)) == [1]
    assert CONVERSIONS["set"] == "list sorted by JSON text"
    assert argument({"10", "9"}) == ["10", "9"]


def test_a_container_met_twice_is_no_cycle() -> None:
    """guest E9"""
    shared = [1]
    assert argument([shared, shared]) == [[1], [1]]


def test_cuts_fall_between_code_points_and_count_bytes() -> None:
    """guest B12"""
    chance = random.Random(1)
    for _ in range(2000):
        text = "".join(chance.choice("aé€\U0001f600\udc80") for _ in range(chance.randrange(20)))
        limit = chance.randrange(40)
        kept = cut_utf8(text, limit)
        assert text.startswith(kept)
        assert utf8_length(kept) <= limit
        if kept != text:
            assert utf8_length(text[: len(kept) + 1]) > limit


def test_a_cut_is_marked_with_what_it_left_out() -> None:
    """guest B3, B18"""
    assert cut_marked("abc", 3) == ("abc", False)
    assert cut_marked("é" * 10, 5) == ("éé" + MARKER.format(16), True)
    text, cut = cut_middle("a" * 100 + "END", 20, 3)
    assert (text, cut) == ("a" * 17 + MARKER.format(83) + "END", True)
    assert json.dumps(MARKER).isascii()
