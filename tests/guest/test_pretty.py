"""The text of values reads as IPython's does, which is the measure here (guest B20, J18)."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import enum
import random
import time
from typing import Any

import pytest

from keelbook_guest.pretty import pretty

theirs = pytest.importorskip("IPython.lib.pretty").pretty


class Plain:
    """Has the default repr."""


class OwnList(list[int]):
    """A list with list's repr."""


class OwnDict(dict[str, int]):
    """A dict with a repr of its own."""

    def __repr__(self) -> str:
        return "mine"


class TwoLines:
    """Its text has two lines."""

    def __repr__(self) -> str:
        return "two\nlines"


@dataclasses.dataclass
class Data:
    """A dataclass."""

    number: int
    items: list[int]


class Colour(enum.Enum):
    """An enum."""

    RED = 1


Pair = collections.namedtuple("Pair", "a b")
CYCLE: list[Any] = [1]
CYCLE.append(CYCLE)

VALUES: list[Any] = [
    *(1, 1.5, None, True, "a'b", "x\ny" * 50, b"abc", [], (), {}, set(), frozenset(), (1,)),
    *([1, 2, 3], list(range(40)), list(range(2000)), {i: str(i) * 3 for i in range(30)}),
    *({3, 1, 2}, frozenset({1, 2}), {"a", "b", 1}, Plain(), Plain, pretty, len, int, OwnList([1])),
    *(OwnDict(), [TwoLines(), TwoLines()], {"a": TwoLines()}, Pair(1, 2), Data(1, [2] * 40)),
    *(Colour.RED, Colour, ValueError("x", 1), CYCLE, collections.deque([1, 2])),
    *(collections.defaultdict(list, {1: [2]}), collections.Counter("aab")),
    *(collections.OrderedDict(a=1), range(3), datetime.date(2020, 1, 1), {"k" * 80: 1}),
    *(["x" * 100, "y" * 3], {"a": [1] * 50, "b": {"c": [2] * 50}}, [[[[1] * 30]] * 3]),
    *([].append, type, object(), NotImplemented, ..., {1: Plain}, [int, str]),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_text_reads_as_in_the_stock_kernel(value: Any) -> None:
    """guest J18"""
    assert pretty(value) == theirs(value)


def made(chance: random.Random, depth: int) -> Any:
    """A random nest of plain data."""
    kind = chance.randrange(7 if depth else 3)
    if kind == 0:
        return chance.randrange(10 ** chance.randrange(1, 12))
    if kind == 1:
        return "w" * chance.randrange(30)
    if kind == 2:
        return chance.random()
    if kind in (3, 4):
        return [made(chance, depth - 1) for _ in range(chance.randrange(8))]
    if kind == 5:
        return tuple(made(chance, depth - 1) for _ in range(chance.randrange(8)))
    return {f"k{i}" * chance.randrange(1, 4): made(chance, depth - 1) for i in range(4)}


def test_random_nests_wrap_as_in_the_stock_kernel() -> None:
    """guest J18"""
    chance = random.Random(7)
    for _ in range(1500):
        value = made(chance, 4)
        assert pretty(value) == theirs(value)


def test_a_text_is_bounded_without_building_it() -> None:
    """guest B20"""
    began = time.perf_counter()
    assert len(pretty([list(range(1000))] * 1000, 10_000)) < 10_100
    assert len(pretty("x" * 10**8, 1000)) < 1100
    assert pretty([10**5000]) == "[<int of 16610 bits>]"
    assert time.perf_counter() - began < 0.5


def test_what_a_repr_raises_is_passed_on() -> None:
    """guest B16"""

    class Broken:
        def __repr__(self) -> str:
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        pretty([Broken()])
