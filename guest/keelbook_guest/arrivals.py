"""Meets libraries when a cell imports them: says what to do just after their own code ran.

Rules (guest B28, B29, B30): nothing is imported by us; a library that is not installed is
an ordinary ImportError; what a meeting raises is noted and does not spoil the import.
"""

from __future__ import annotations

import sys
from _frozen_importlib import ModuleSpec
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from importlib.abc import Loader

Meeting = Callable[[ModuleType], None]


class Arrivals:
    """A finder that finds nothing itself: it adds a meeting to what the others find."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self.note = note
        self.meetings: dict[str, Meeting] = {}

    def install(self) -> None:
        """Looks at every import from now on; meets what is there already."""
        sys.meta_path.insert(0, self)
        for name in list(self.meetings):
            module = sys.modules.get(name)
            if module is not None:
                self.meet(module)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        """The spec that the other finders give, with a loader that meets the module."""
        if name not in self.meetings:
            return None
        for finder in sys.meta_path:
            if finder is self:
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = cast("Loader", _Meeting(spec.loader, self))
                return spec
        return None

    def meet(self, module: ModuleType) -> None:
        """Calls the meeting of a module, once; its failure is noted."""
        meeting = self.meetings.pop(module.__name__, None)
        if meeting is None:
            return
        try:
            meeting(module)
        except Exception as error:
            self.note(f"{module.__name__} could not be set up: {type(error).__name__}: {error}\n")


class _Meeting:
    """A loader that hands all to the library's own, and then meets the module."""

    def __init__(self, loader: Any, arrivals: Arrivals) -> None:
        self.loader = loader
        self.arrivals = arrivals

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self.loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        self.arrivals.meet(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)
