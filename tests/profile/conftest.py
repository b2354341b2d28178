"""Folders for a person's own files and a workspace, and a way to load the profile in force."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from keelbook.errors import BadConfig
from keelbook.profile import Profile, load

Load = Callable[..., Profile]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The user's settings folder."""
    (tmp_path / "own" / "profiles").mkdir(parents=True)
    return tmp_path / "own"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a folder for its settings."""
    (tmp_path / "work" / ".keelbook").mkdir(parents=True)
    return tmp_path / "work"


@pytest.fixture
def loaded(own: Path, workspace: Path) -> Load:
    """``loaded(user="...", workspace="...", mine="...")``: writes the files, then loads."""

    def run(
        user: str = "",
        local: str = "",
        environ: dict[str, str] | None = None,
        profile: str | None = None,
        model: str | None = None,
        **named: str,
    ) -> Profile:
        (own / "profile.yaml").write_text(user)
        (workspace / ".keelbook" / "profile.yaml").write_text(local)
        for name, text in named.items():
            (own / "profiles" / f"{name}.yaml").write_text(text)
        return load(workspace, profile=profile, model=model, environ=environ or {}, folder=own)

    return run


def faults_of(loaded: Load, **files: str) -> list[str]:
    """What is said about files that cannot be used, without the folders' names."""
    with pytest.raises(BadConfig) as error:
        loaded(**files)
    assert error.value.code == "config"
    return [_short(each) for each in error.value.sentences]


def _short(sentence: str) -> str:
    words = [w.rpartition("/own/")[2] if "/own/" in w else w for w in sentence.split(" ")]
    words = [w.rpartition("/work/")[2] if "/work/" in w else w for w in words]
    return " ".join(
        "(" + w if s.startswith("(") and not w.startswith("(") else w
        for w, s in zip(words, sentence.split(" "), strict=True)
    )
