"""The real `__main__` of the guest: what is in it at the start, and what is put back.

Rules (guest R4, A31, A34, E18)
- A fresh `__main__` holds a module's attributes and the bound names. `display` and
  `ToolFailed` are builtins, so that a person's own names stay theirs.
- Bound names, `__builtins__` and the builtins' attributes are put back before the next
  cell if they are gone or, for the builtins, no longer callable. What a person rebinds
  to something that works, stays.
- `_`, `__` and `___` are the last three shown values until a cell sets one itself.
"""

from __future__ import annotations

import builtins
import sys
from types import ModuleType
from typing import Any

SHOWN = ("_", "__", "___")
SHADOWED = ("print", "input", "display")
_ABSENT = object()


class Names:
    """The namespace that cells run in."""

    def __init__(self) -> None:
        self.module = ModuleType("__main__")
        self.space: dict[str, Any] = self.module.__dict__
        self.space.update({"__annotations__": {}, "__builtins__": builtins})
        self.bound: dict[str, Any] = {}
        self.shown: list[Any] = [_ABSENT, _ABSENT, _ABSENT]
        self._builtins: list[tuple[str, Any]] = []

    def open(self, added: dict[str, Any]) -> None:
        """Makes this the process's `__main__`, with `added` among the builtins."""
        vars(builtins).update(added)
        sys.modules["__main__"] = self.module
        self._builtins = list(vars(builtins).items())

    def bind(self, proxies: dict[str, Any]) -> None:
        """Replaces the bound names; one that a cell has rebound meanwhile is put back."""
        for name, proxy in self.bound.items():
            if name not in proxies and self.space.get(name) is proxy:
                del self.space[name]
        for name, proxy in proxies.items():
            proxies[name] = self.bound.get(name, proxy)
        self.bound = proxies
        self.space.update(proxies)

    def restore(self) -> list[str]:
        """Puts back what must be there; the names that were not."""
        space = self.space
        restored = []
        if space.get("__builtins__") is not builtins:
            space["__builtins__"] = builtins
            restored.append("__builtins__")
        for name, proxy in self.bound.items():
            if space.get(name) is not proxy:
                space[name] = proxy
                restored.append(name)
        for name in SHADOWED:
            if name in space and not callable(space[name]):
                del space[name]
                restored.append(name)
        now = vars(builtins)
        for name, value in self._builtins:
            if now.get(name, _ABSENT) is not value and _is_broken(now.get(name, _ABSENT), value):
                now[name] = value
                restored.append(f"builtins.{name}")
        return restored

    def show(self, value: object) -> None:
        """Makes `value` the last shown one."""
        last = self.shown
        self.shown = [value, last[0], last[1]]
        for name, old, new in zip(SHOWN, last, self.shown, strict=True):
            if self.space.get(name, old) is old and new is not _ABSENT:
                self.space[name] = new


def _is_broken(now: object, original: object) -> bool:
    if now is _ABSENT:
        return True
    return callable(original) and not callable(now)
