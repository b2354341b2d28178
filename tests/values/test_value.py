"""Frozen records of the host: made, compared, shown and copied as dataclasses are."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Generic, TypeVar

import pytest

from keelbook.value import Value

T = TypeVar("T")


class Point(Value):
    """Two required fields, and two that need not be given."""

    x: int
    y: int
    label: str = ""
    tags: dict[str, int] = field(default_factory=dict)


class Place(Value):
    """The same first fields under another name."""

    x: int
    y: int


class Box(Value, Generic[T]):
    """A value of one type."""

    held: T


def test_a_value_may_be_generic() -> None:
    assert Box[int](held=1) == Box(1)
    assert repr(Box("a")) == "Box(held='a')"


def test_fields_are_given_by_place_and_by_name() -> None:
    point = Point(1, y=2, label="a")
    assert (point.x, point.y, point.label, point.tags) == (1, 2, "a", {})


def test_a_default_that_can_change_is_made_anew_for_each() -> None:
    one, other = Point(1, 2), Point(1, 2)
    one.tags["a"] = 1
    assert other.tags == {}


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Point(1),  # type: ignore[call-arg]
        lambda: Point(1, 2, z=3),  # type: ignore[call-arg]
        lambda: Point(1, 2, x=1),  # type: ignore[misc]
        lambda: Place(1, 2, 3),  # type: ignore[call-arg]
    ],
)
def test_a_field_missing_unknown_or_given_twice_is_an_error(wrong: Callable[[], Value]) -> None:
    with pytest.raises(TypeError, match=r"takes x, y.*; given were"):
        wrong()


def test_values_are_equal_when_class_and_fields_are() -> None:
    assert Place(1, 2) == Place(x=1, y=2)
    assert Place(1, 2) != Place(1, 3)
    assert len({Place(1, 2), Place(1, 2), Place(2, 1)}) == 2
    assert Point(1, 2) != Place(1, 2)
    assert Place(1, 2) != (1, 2)


def test_a_value_cannot_be_changed() -> None:
    place = Place(1, 2)
    with pytest.raises(FrozenInstanceError):
        place.x = 3  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del place.x
    assert place == Place(1, 2)


def test_dataclass_tools_and_patterns_work_on_values() -> None:
    assert replace(Point(1, 2, "a"), y=5) == Point(1, 5, "a")
    assert [each.name for each in fields(Point)] == ["x", "y", "label", "tags"]
    assert copy(Place(1, 2)) == Place(1, 2)
    match Place(1, 2):
        case Place(x, 2):
            assert x == 1
        case _:
            raise AssertionError("the pattern did not match")


def test_a_value_shows_its_fields() -> None:
    assert repr(Point(1, 2)) == "Point(x=1, y=2, label='', tags={})"
