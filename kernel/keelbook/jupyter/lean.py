"""Imports a part of a package without what the package would load besides.

Rules: a kernel needs ``ipykernel.kernelbase`` and ``jupyter_client.session``, and neither the
clients, managers and provisioners nor the shell that the packages around them load (60 ms, a sixth
of the time to a first cell). The packages stand in half-made only while the import runs; whoever
imports one of them later gets it whole. Pydantic finds no plugins, so it need not import what it
would look for them with (9 ms).
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any


def import_protocol() -> None:
    """``ipykernel.kernelbase`` and ``jupyter_client.session``."""
    import_lean("ipykernel.kernelbase", "jupyter_client", "IPython", "IPython.core", "ipykernel")


def import_lean(name: str, *packages: str) -> ModuleType:
    """The module ``name``, with the ``__init__`` of each of ``packages`` left out for now."""
    standing = [package for package in packages if package not in sys.modules]
    for package in standing:
        spec = importlib.util.find_spec(package)
        if spec is None:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)
        sys.modules[package] = importlib.util.module_from_spec(spec)
    try:
        return importlib.import_module(name)
    finally:
        for package in standing:
            del sys.modules[package]


def leave_out_plugins() -> None:
    """Tells pydantic that there are no plugins, as PYDANTIC_DISABLE_PLUGINS does, but for free."""
    sys.modules.setdefault(_NoPlugins.PLACE, _NoPlugins(_NoPlugins.PLACE))


class _NoPlugins(ModuleType):
    """Stands in for pydantic's search for plugins; asked for anything else, it makes room."""

    PLACE = "pydantic.plugin._loader"

    @staticmethod
    def get_plugins() -> tuple[()]:
        """None."""
        return ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(self.PLACE) is self:
            del sys.modules[self.PLACE]
        return getattr(importlib.import_module(self.PLACE), name)
