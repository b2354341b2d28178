"""The extension's own unit tests, on node's test runner (lab B2)."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_models_of_the_extension_pass_their_tests() -> None:
    """lab B2: `npm test` with this environment's node; at least one test ran."""
    if not (ROOT / "labextension" / "node_modules" / "typescript").is_dir():
        if os.environ.get("CI"):
            pytest.fail("labextension/node_modules is missing; .ci/setup makes it")
        pytest.skip("labextension/node_modules is missing; .ci/setup makes it")
    done = subprocess.run(
        [ROOT / ".ci" / "node", "npm", "test"], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"^\S+ pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed is not None, done.stdout
    assert int(passed.group(1)) > 0
