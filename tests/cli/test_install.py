"""``keelbook install``: kernels whose cells run in another interpreter."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Keelbook, complaint


@pytest.fixture
def kernels(tmp_path: Path, environment: dict[str, str]) -> Path:
    """Where the kernels of this user go."""
    environment["JUPYTER_DATA_DIR"] = str(tmp_path / "jupyter")
    return tmp_path / "jupyter" / "kernels"


def test_a_kernel_is_made_for_an_interpreter(keelbook: Keelbook, kernels: Path) -> None:
    arguments = ("install", "--python", sys.executable, "--name", "analysis", "--user")
    made = keelbook(*arguments, "--profile", "base")
    version = ".".join(map(str, sys.version_info[:3]))
    assert made.stdout == (
        f"Made the kernel `analysis` in {kernels / 'analysis'}; its cells run in Python {version} "
        f"at {sys.executable}.\n"
    )
    spec = json.loads((kernels / "analysis" / "kernel.json").read_text())
    assert spec["env"] == {"KEELBOOK_PYTHON": sys.executable, "KEELBOOK_PROFILE": "base"}
    assert spec["argv"][0] == sys.executable
    assert spec["interrupt_mode"] == "message"
    assert (kernels / "analysis" / "logo-64x64.png").is_file()
    assert keelbook(*arguments).returncode == 0


@pytest.mark.usefixtures("kernels")
def test_what_cannot_work_is_one_sentence_and_makes_nothing(
    keelbook: Keelbook, tmp_path: Path, kernels: Path
) -> None:
    script = tmp_path / "no-python"
    script.write_text("#!/bin/sh\nexit 3\n")
    script.chmod(0o755)
    old = tmp_path / "old-python"
    old.write_text('#!/bin/sh\necho \'["cpython", [3, 8, 1], "x"]\'\n')
    old.chmod(0o755)
    base = ("install", "--user", "--name", "x")
    for arguments, sentence in (
        (("--python", "/nowhere/python"), "There is no interpreter at /nowhere/python."),
        (("--python", str(script)), f"{script} is no Python that can be started."),
        (
            ("--python", str(old)),
            f"{old} is cpython 3.8.1; cells need CPython 3.10 or newer.",
        ),
        (
            ("--profile", "stabel"),
            "profile: There is no profile `stabel`; did you mean `stable`? (--profile)",
        ),
        (
            ("--name", "a b"),
            "`a b` is no kernel name: letters, digits, `.`, `_` and `-` work.",
        ),
        (
            ("--name", "python3"),
            "There is a kernel `python3` that is not Keelbook's; give another --name.",
        ),
    ):
        assert complaint(keelbook(*base, *arguments)) == [sentence]
    assert not kernels.exists()


def test_the_interpreter_of_a_kernel_is_in_force(keelbook: Keelbook, config: Path) -> None:
    config.write_text("python: /usr/bin/x\n")
    shown = json.loads(keelbook("config", "--json", KEELBOOK_PYTHON="/opt/y").stdout)
    assert shown["python"]["value"] == "/opt/y"
    assert shown["python"]["place"] == "KEELBOOK_PYTHON"
