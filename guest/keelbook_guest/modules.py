"""Names of modules and of what is in them, without importing any (guest J16)."""

from __future__ import annotations

import ast
import os
import sys
from _frozen_importlib_external import PathFinder
from typing import Any

from keelbook_guest.resolve import names_of

SUFFIXES = (".py", ".so", ".pyd")
SOURCE_BYTES = 1 << 20

_listed: dict[str, tuple[int, list[str]]] = {}


def submodules(package: str) -> list[str]:
    """The modules of a package, or the top-level ones for an empty name."""
    if not package:
        found = set(sys.builtin_module_names) | {name for name in sys.modules if "." not in name}
        for folder in sys.path:
            found.update(_in_folder(folder or "."))
        return sorted(found)
    found = {name for folder in _folders(package) for name in _in_folder(folder)}
    prefix = f"{package}."
    loaded = [name[len(prefix) :] for name in list(sys.modules) if name.startswith(prefix)]
    return sorted(found | {name for name in loaded if "." not in name})


def members(module: str) -> list[str]:
    """What `from module import` could name: its attributes if loaded, else by its source."""
    loaded = sys.modules.get(module)
    names = names_of(loaded) if loaded is not None else _defined(module)
    return sorted({*names, *submodules(module)})


def _folders(package: str) -> list[str]:
    loaded = sys.modules.get(package)
    if loaded is not None:
        path: Any = getattr(loaded, "__path__", ())
        return list(path)
    spec = _spec(package)
    return list((spec and spec.submodule_search_locations) or ())


def _spec(name: str) -> Any:
    parent, _, _ = name.rpartition(".")
    path = _folders(parent) if parent else None
    if parent and not path:
        return None
    try:
        return PathFinder.find_spec(name, path)
    except (ImportError, ValueError, OSError):
        return None


def _in_folder(folder: str) -> list[str]:
    """The modules that lie in a folder; remembered until it changes."""
    try:
        stamp = os.stat(folder).st_mtime_ns
        if folder in _listed and _listed[folder][0] == stamp:
            return _listed[folder][1]
        names = [_module_name(entry) for entry in os.scandir(folder)]
    except OSError:
        return []
    found = [name for name in names if name.isidentifier()]
    _listed[folder] = (stamp, found)
    return found


def _module_name(entry: os.DirEntry[str]) -> str:
    name, dot, _ = entry.name.partition(".")
    if dot:
        return name if entry.name.endswith(SUFFIXES) and name != "__init__" else ""
    return name if name != "__pycache__" and entry.is_dir() else ""


def _defined(module: str) -> list[str]:
    """The top-level names of a module that is not loaded, read from its source."""
    spec = _spec(module)
    origin = getattr(spec, "origin", None)
    if not origin or not origin.endswith(".py"):
        return []
    try:
        if os.path.getsize(origin) > SOURCE_BYTES:
            return []
        with open(origin, "rb") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found += [alias.asname or alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.Assign):
            found += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.append(node.target.id)
    return [name for name in found if name.isidentifier()]
