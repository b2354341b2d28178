"""Finds the layers of a profile: which one is chosen, what it builds on, which files there are.

Rules: what was asked for beats ``KEELBOOK_PROFILE``, that beats ``profile:`` in the user's
``profile.yaml``, that beats the default; a workspace's file does not choose. A named profile is
``profiles/<name>.yaml`` in the user's folder and builds on the one it names, ``base`` if none.
Every file that cannot be read is named, not only the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from keelbook.errors import BadConfig
from keelbook.profiles.built_in import BUILT_IN
from keelbook.profiles.layers import Layer, built_in, read
from keelbook.text import listed, near
from keelbook.value import Value

DEFAULT = "stable"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class Wishes(Value):
    """What was asked for just now, and the surroundings that ask too."""

    environ: Mapping[str, str]
    profile: str | None = None
    model: str | None = None


class Stack(Value):
    """Layers, lowest first: ``below`` the workspace's file, that file, and ``above`` it."""

    below: tuple[Layer, ...]
    workspace: Layer | None
    above: tuple[Layer, ...]

    @property
    def layers(self) -> tuple[Layer, ...]:
        """All of them, lowest first."""
        own = () if self.workspace is None else (self.workspace,)
        return (*self.below, *own, *self.above)


def user_file(folder: Path) -> Path:
    """The file with a person's own settings."""
    return folder / "profile.yaml"


def workspace_file(workspace: Path) -> Path:
    """The file that a workspace brings along."""
    return workspace / ".keelbook" / "profile.yaml"


def stack(workspace: Path, folder: Path, wishes: Wishes) -> Stack:
    """The layers in force. Raises BadConfig with a sentence for each file that is not usable."""
    faults: list[str] = []
    user = _tried(user_file(folder), "user", faults)
    local = _tried(workspace_file(workspace), "workspace", faults)
    name, asked = _chosen(user, wishes)
    chain: list[Layer] = []
    try:
        chain = _chain(name, asked, folder)
    except BadConfig as error:
        faults.extend(error.sentences)
    if faults:
        raise BadConfig(faults[0], sentences=tuple(faults))
    root, named = chain[: _roots(chain)], chain[_roots(chain) :]
    below = (*root, *((user,) if user else ()), *named, Layer("choice", asked, {"profile": name}))
    return Stack(below, local, _above(wishes))


def _tried(file: Path, name: str, faults: list[str]) -> Layer | None:
    try:
        return read(file, name)
    except BadConfig as error:
        faults.extend(error.sentences)
        return None


def _chosen(user: Layer | None, wishes: Wishes) -> tuple[str, str]:
    """The profile's name and who chose it."""
    if wishes.profile:
        return wishes.profile, "--profile"
    if wishes.environ.get("KEELBOOK_PROFILE"):
        return wishes.environ["KEELBOOK_PROFILE"], "KEELBOOK_PROFILE"
    if user is not None and user.data.get("profile") is not None:
        return str(user.data["profile"]), user.at(("profile",))
    return DEFAULT, "default"


def _chain(name: str, asked: str, folder: Path) -> list[Layer]:
    """The profile called ``name`` with all it builds on, lowest first."""
    chain: list[Layer] = []
    passed: list[str] = []
    while name:
        if name in passed:
            path = " -> ".join((*passed, name))
            raise BadConfig(f"profile: Profiles build on each other in a circle: {path}. ({asked})")
        passed.append(name)
        layer = built_in(name) if name in BUILT_IN else _named(name, asked, folder)
        chain.insert(0, layer)
        asked = layer.at(("profile",))
        builds_on = layer.data.get("profile")
        name = "" if name == "base" else "base" if builds_on is None else str(builds_on)
    return chain


def _named(name: str, asked: str, folder: Path) -> Layer:
    file = folder / "profiles" / f"{name}.yaml"
    layer = read(file, "profile") if _NAME.fullmatch(name) else None
    if layer is not None:
        return layer
    known = [*BUILT_IN, *sorted(each.stem for each in (folder / "profiles").glob("*.yaml"))]
    meant = near(name, known)
    hint = f"did you mean `{meant}`?" if meant else f"there are {listed(known)}."
    raise BadConfig(f"profile: There is no profile `{name}`; {hint} ({asked})")


def _roots(chain: list[Layer]) -> int:
    return sum(layer.name == "built-in" for layer in chain)


def _above(wishes: Wishes) -> tuple[Layer, ...]:
    asked = (
        ("environment", "KEELBOOK_PYTHON", "python", wishes.environ.get("KEELBOOK_PYTHON")),
        ("environment", "KEELBOOK_MODEL", "model", wishes.environ.get("KEELBOOK_MODEL")),
        ("asked", "--model", "model", wishes.model),
    )
    return tuple(Layer(name, place, {key: value}) for name, place, key, value in asked if value)
