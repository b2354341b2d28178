"""Rows of other packages, found by their entry points."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.profile.conftest import Load, faults_of

MODULE = """
from keelbook.config import Config
from keelbook.row import Row

class Settings(Config):
    loud: bool = False

def row(config: Settings) -> Row:
    return Row("acme", config)

def untyped(config):
    return Row("untyped", config)
"""
POINTS = """\
[keelbook.rows]
acme = acme_rows:row
gone = acme_rows:gone
untyped = acme_rows:untyped
"""


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    info = site / "acme_rows-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme_rows\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    (site / "acme_rows.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.delitem(sys.modules, "acme_rows", raising=False)


def test_it_follows_ours_when_a_profile_names_it(loaded: Load) -> None:
    profile = loaded("rows: {acme: {loud: true}}")
    assert [row.name for row in profile.rows] == ["turn-budget", "todo", "acme"]
    assert profile.rows[-1].config.model_dump() == {"loud": True}
    assert [row.name for row in loaded("rows: {acme: off}").rows] == ["turn-budget", "todo"]
    assert [row.name for row in loaded().rows] == ["turn-budget", "todo"]


def test_its_settings_are_checked_as_ours_are(loaded: Load) -> None:
    assert faults_of(loaded, user="rows:\n  acme:\n    loud: 1\n    lod: true\n") == [
        "acme.loud: Expected true or false, got the number 1. (profile.yaml, line 3)",
        "acme.lod: There is no setting `lod`; did you mean `loud`? (profile.yaml, line 4)",
    ]


def test_one_that_cannot_be_used_is_named_with_its_package(loaded: Load) -> None:
    first, second, third = faults_of(loaded, user="rows: {gone: on, untyped: on, acm: on}")
    assert first.startswith("rows.gone: The row of acme_rows:gone cannot be used: AttributeError")
    assert second.startswith("rows.untyped: The row of acme_rows:untyped cannot be used: KeyError")
    assert third == "rows.acm: There is no row `acm`; did you mean `acme`? (profile.yaml, line 1)"


def test_a_workspace_may_not_switch_it(loaded: Load) -> None:
    (found,) = faults_of(loaded, local="rows: {acme: on}")
    assert found.startswith("rows.acme: A workspace's file may not set this;")
    assert "acme_rows" not in sys.modules
