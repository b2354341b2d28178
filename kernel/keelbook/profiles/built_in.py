"""The profiles that come with Keelbook.

Rules: they have the form of a profile file. They are written here and not as YAML, so that a kernel
whose person has no profile of their own starts without reading any (15 ms).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BUILT_IN: Mapping[str, Mapping[str, Any]] = {
    # An agent with its tools, and no row that steers it. All other settings are the defaults.
    "base": {"rows": {"turn-budget": "off", "todo": "off"}},
    # For work that should hold over many steps. The agent keeps a plan.
    "stable": {"profile": "base", "rows": {"turn-budget": "on", "todo": "on"}},
}
