"""What the host leaves out while it starts, and that all of it is there for whoever wants it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

SEEN = "\nimport sys\nprint(*sorted(set({names!r}) & set(sys.modules)))"


def loaded(code: str, names: Sequence[str]) -> list[str]:
    """Which of ``names`` a fresh interpreter has imported after ``code``."""
    asked = [sys.executable, "-P", "-c", code + SEEN.format(names=list(names))]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split()


SERVICE = """
from keelbook.jupyter.lean import import_protocol, leave_out_plugins
import_protocol()
leave_out_plugins()
from keelbook.jupyter.service import serve
from keelbook.profile import load
from pathlib import Path
load(Path.cwd()).parts()
"""


def test_a_kernel_starts_without_what_its_first_cell_does_not_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    heavy = ["IPython", "email", "importlib.metadata", "jupyter_client", "pydantic_ai", "yaml"]
    assert loaded(SERVICE, [*heavy, "pydantic"]) == ["pydantic"]


@pytest.mark.parametrize("package", ["jupyter_client", "ipykernel", "IPython"])
def test_a_package_left_out_can_be_imported_whole(package: str) -> None:
    code = f"{SERVICE}import {package}\nassert {package}.__version__"
    assert loaded(code, [package]) == [package]


def test_pydantics_search_for_plugins_is_there_for_whoever_asks_for_more() -> None:
    code = (
        "from keelbook.jupyter.lean import leave_out_plugins\nleave_out_plugins()\n"
        "from pydantic.plugin import _loader\nassert _loader.get_plugins() == ()\n"
        "from pydantic.plugin._loader import PYDANTIC_ENTRY_POINT_GROUP as group\n"
        "assert group == 'pydantic'"
    )
    assert loaded(code, ["importlib.metadata"]) == ["importlib.metadata"]
