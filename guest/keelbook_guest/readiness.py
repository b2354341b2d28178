"""Imports what the runtime will need later, before the workspace can shadow it (guest R4).

Rule: whatever a module of the runtime imports inside a function stands here as well, but
for the modules of a cell's own choice (matplotlib and the like).
"""

from __future__ import annotations

import importlib
import os

LATER = (
    "atexit",
    "difflib",
    "fcntl",
    "inspect",
    "tokenize",
    "keelbook_guest.complete",
    "keelbook_guest.completeness",
    "keelbook_guest.inspecting",
    "keelbook_guest.peek",
    "keelbook_guest.variables",
)


def complete() -> None:
    """Imports them all."""
    for name in LATER:
        importlib.import_module(name)
    if not hasattr(os, "memfd_create"):
        importlib.import_module("tempfile")
