"""What the READMEs tell people to type exists, and what they show is true."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from keelbook.models.script import parse_script
from keelbook.profile import load

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
NOTEBOOKS = (ROOT / "notebooks" / "README.md").read_text()


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_every_command_told_of_is_there() -> None:
    told = sorted(set(re.findall(r"keelbook ([a-z]+)", README + NOTEBOOKS)) - {"guest"})
    assert "demo" in told
    run = [sys.executable, "-c", "import sys; from keelbook.cli import main; sys.exit(main())"]
    for command in told:
        helped = subprocess.run([*run, command, "--help"], capture_output=True, text=True)
        assert helped.returncode == 0, command
        assert f"usage: keelbook {command}" in helped.stdout


def test_every_script_and_file_told_of_is_there() -> None:
    for name in set(re.findall(r"\.ci/[a-z]+", README)):
        assert os.access(ROOT / name, os.X_OK), name
    for path in re.findall(r"\]\(([^)#:]+)\)|(?:src|srcset)=\"([^\"]+)\"", README):
        assert (ROOT / (path[0] or path[1])).is_file(), path


def test_the_profile_shown_is_a_profile(tmp_path: Path) -> None:
    (shown,) = fenced(README, "yaml")
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "profile.yaml").write_text(shown)
    profile = load(tmp_path, environ={}, folder=folder)
    assert profile.settings.model == "openai-compatible:qwen3-coder"
    assert profile.settings.model_settings.api_key_variable == "LAB_KEY"
    assert profile.settings.limits.wall_s == 600


@pytest.mark.parametrize("name", ["model", "python", "codeMode", "confine", "passEnv", "limits"])
def test_every_setting_of_the_table_is_one(name: str, tmp_path: Path) -> None:
    assert f"| `{name}" in README
    settings = load(tmp_path, environ={}, folder=tmp_path).settings
    assert name in settings.model_dump(by_alias=True)


def test_every_script_shown_is_a_script() -> None:
    shown = fenced(NOTEBOOKS, "yaml")
    assert len(shown) >= 4
    for block in shown:
        parse_script(block.encode(), "README.md")
