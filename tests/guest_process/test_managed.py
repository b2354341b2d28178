"""The managed environment (guest R2, I10)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from keelbook.errors import BadConfig
from keelbook.guest_process import managed
from keelbook.guest_process.guest import Guest
from keelbook.guest_process.settings import GuestSettings, SkillSetting
from keelbook.interpreter import Cell, Shell
from tests.guest_process.bench import Notebook

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder of this module's own, with an environment in it."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        managed.prepare(())
        yield folder


def inode() -> int:
    return os.stat(managed.interpreter(), follow_symlinks=False).st_ino


def test_it_is_built_once_and_rebuilt_for_another_skill_set(cache: Path) -> None:
    """guest R2, I10"""
    assert managed.folder().startswith(str(cache))
    before = inode()
    assert managed.prepare(()) == managed.interpreter()
    assert inode() == before
    (Path(managed.folder()) / "trace").touch()
    managed.prepare((SkillSetting(name="web", module="web"),))
    assert not (Path(managed.folder()) / "trace").exists()
    managed.prepare(())


def test_half_an_environment_and_one_of_another_version_are_rebuilt(cache: Path) -> None:
    """guest I10"""
    marker = Path(managed.folder()) / "keelbook.json"
    for harm in ("", json.dumps({**json.loads(marker.read_text()), "protocol": 0})):
        (Path(managed.folder()) / "trace").touch()
        marker.write_text(harm)
        managed.prepare(())
        assert not (Path(managed.folder()) / "trace").exists()


def test_two_processes_build_one_environment(cache: Path) -> None:
    """guest I10"""
    (Path(managed.folder()) / "keelbook.json").unlink()
    code = (
        "from keelbook.guest_process import managed; import os; managed.prepare(()); "
        "print(os.stat(managed.interpreter(), follow_symlinks=False).st_ino)"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = {process.communicate()[0].strip() for process in both}
    assert said == {str(inode())}


async def test_cells_run_in_it_and_find_none_of_the_hosts_packages(
    cache: Path, tmp_path: Path
) -> None:
    """guest R2, R4"""
    guest = Guest(GuestSettings(python="managed"), cwd=str(tmp_path))
    info = await guest.start()
    assert info.executable == managed.interpreter()
    assert not info.modules["IPython"]
    code = (
        "import sys, importlib.util, dill\n"
        "[sys.prefix, importlib.util.find_spec('numpy') is None,"
        " importlib.util.find_spec('keelbook') is None]"
    )
    outcome = await guest.run(Cell("r", code, "person"), Notebook())
    assert outcome.value is not None
    assert outcome.value.json == [managed.folder(), True, True]
    began = time.monotonic()
    made = await guest.shell(
        Shell(f"touch {managed.folder()}/lib/here && ls {managed.folder()}/bin"),
        lambda _s, _t: None,
    )
    assert made.exit == 0
    assert "pip" in made.stdout
    assert time.monotonic() - began < 10
    await guest.close()


def test_a_cache_that_cannot_be_written_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """guest R2, D18"""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(BadConfig, match="managed environment") as told:
        managed.prepare(())
    assert "\n" not in told.value.sentence
