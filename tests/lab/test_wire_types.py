"""The extension's wire types are the host's (lab W3)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_wire_ts_is_what_the_hosts_types_generate() -> None:
    """lab W3: the generated file in the tree is not stale."""
    checked = subprocess.run(
        [sys.executable, "labextension/generate_wire.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stderr
