"""``keelbook doctor``: what a session needs, and what the operating system really enforces."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Keelbook


def test_all_is_well_where_keelbook_is_installed(keelbook: Keelbook) -> None:
    """rows 1: the table of rows and seams is pinned."""
    done = keelbook("doctor")
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("\nAll is well.\n")
    assert "Profile: stable\n- No model is set;" in done.stdout
    assert (
        "row          section  context  tools        commands  before_step  around_request"
        "  around_tool  on_file  before_stop  lifespan\n"
        "turn-budget  -        -        -            -         x            -             "
        "  -            -        -            -\n"
        "todo         x        x        write_todos  todos     -            -             "
        "  x            -        -            -\n"
    ) in done.stdout
    assert "\nCells: Python 3." in done.stdout
    assert "\nConfinement: " in done.stdout


def test_a_broken_profile_is_all_it_needs_to_say(keelbook: Keelbook, config: Path) -> None:
    config.write_text("modle: x\npython: 3\n")
    done = keelbook("doctor")
    assert (done.returncode, done.stderr) == (1, "")
    assert f"! modle: There is no setting `modle`; did you mean `model`? ({config}" in done.stdout
    assert "! python: Expected text, got the number 3." in done.stdout
    assert "Cells:" not in done.stdout
    assert done.stdout.endswith("\nSomething is wrong (!).\n")


def test_what_is_wrong_is_marked_and_the_rest_is_still_looked_at(
    keelbook: Keelbook, config: Path, tmp_path: Path
) -> None:
    config.write_text("model: scripted:nowhere.yaml\n")
    (tmp_path / "data").write_text("a file")
    done = keelbook("doctor", KEELBOOK_PYTHON="/nowhere/python")
    assert done.returncode == 1
    wrong = [line for line in done.stdout.splitlines() if line.startswith("!")]
    assert len(wrong) == 3, done.stdout
    assert wrong[0].startswith("! Sessions cannot be kept: ")
    assert "nowhere.yaml" in wrong[1]
    assert "There is no interpreter at /nowhere/python." in wrong[2]


def test_a_guest_that_is_not_confined_is_said_to_be(keelbook: Keelbook, config: Path) -> None:
    config.write_text("confine: {mode: off}\n")
    done = keelbook("doctor")
    assert "\n- Confinement: unconfined: confinement is off\n" in done.stdout
    assert done.returncode == 0
