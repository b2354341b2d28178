"""guest R11: the protocol is written twice, and both copies say the same."""

from __future__ import annotations

from types import ModuleType

import pytest

import keelbook_guest.protocol as theirs
from keelbook import text
from keelbook.guest_process import protocol as ours
from keelbook.guest_process.settings import Limits


def _tables(module: ModuleType) -> set[str]:
    return {name for name in vars(module) if name.isupper() and not name.startswith("_")}


@pytest.mark.parametrize("name", sorted(_tables(theirs)))
def test_a_table_of_the_guest_is_the_same_in_the_host(name: str) -> None:
    """guest R11"""
    assert getattr(ours, name) == getattr(theirs, name)


def test_the_host_has_no_table_of_its_own() -> None:
    """guest R11"""
    assert _tables(ours) == _tables(theirs)


def test_the_limits_a_guest_is_told_are_those_of_the_protocol() -> None:
    """guest R11"""
    assert list(Limits().frame(30.0)) == list(ours.LIMITS)


def test_the_marker_of_a_cut_is_the_same_for_the_model_text() -> None:
    """guest R11"""
    assert ours.MARKER == text.MARKER
