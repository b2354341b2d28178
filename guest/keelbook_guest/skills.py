"""Skills: modules of the person's that are imported at the start and bound by name.

Rules (guest I9): they load after `boot-ack`, each within `skill_s`; one that fails is bound
as a stub that says why when it is used; `acme-websearch` is bound as `acme_websearch`.
"""

from __future__ import annotations

import re
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import PathFinder
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from keelbook_guest.asides import Asides
from keelbook_guest.failure import message_of

_NOT_IN_NAMES = re.compile(r"\W")


class Unavailable:
    """Stands for a skill that could not be imported."""

    def __init__(self, name: str, why: str) -> None:
        self.__dict__.update(_name=name, _why=why)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"The skill {self._name} is not available: {self._why}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise RuntimeError(f"The skill {self._name} is not available: {self._why}")

    def __repr__(self) -> str:
        return f"<skill {self._name}, not available: {self._why}>"


def load_skills(
    asides: Asides, skills: list[dict[str, Any]], seconds: float
) -> tuple[dict[str, Any], dict[str, str]]:
    """What to bind, by name, and why the failed ones failed."""
    bound: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for skill in skills:
        name = _NOT_IN_NAMES.sub("_", skill["name"])
        root = skill["root"]
        if root is not None and root not in sys.path:
            sys.path.append(root)
        try:
            bound[name] = asides.run(f"skill {name}", seconds, False, _importing(skill["module"]))
        except KeyboardInterrupt:
            failed[name] = f"its import took longer than {seconds:g} s"
        except BaseException as error:
            failed[name] = f"{type(error).__name__}: {message_of(error)[:2000]}"
        if name in failed:
            bound[name] = Unavailable(name, failed[name])
    return bound, failed


def _importing(module: str) -> Any:
    return lambda: import_module(module)


class Lent:
    """A finder for the host's modules that the guest may import, and for no others."""

    def __init__(self, folders: dict[str, str]) -> None:
        self.folders = folders

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        """The spec of a lent module."""
        folder = self.folders.get(name)
        return None if folder is None else PathFinder.find_spec(name, [folder])
