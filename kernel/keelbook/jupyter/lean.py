"""Imports a submodule without what its package's ``__init__`` would load besides.

Rules: a kernel needs ``ipykernel.kernelbase`` and ``jupyter_client.session``, and neither the
clients, managers and provisioners nor the shell that the packages around them load (60 ms, a sixth
of the time to a first cell). The packages stand in half-made only while the import runs; whoever
imports one of them later gets it whole.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType


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
