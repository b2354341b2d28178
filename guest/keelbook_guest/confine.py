"""Confinement of the guest by the operating system (being filled in)."""

from __future__ import annotations

from typing import Any

from keelbook_guest.spaces import Entered


def confine(confine: dict[str, Any], tmp: str, entered: Entered) -> dict[str, Any]:
    """The `Confined` record."""
    return {"rung": "unconfined", "abi": None, "missing": [], "canary": "untried", "reason": "off"}
