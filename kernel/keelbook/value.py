"""The one base of frozen records that stay inside the host.

Rules: a subclass is a dataclass in all but how it is made: fields, defaults, ``replace`` and
patterns work, and two values of one class are equal when their fields are. Its methods are the ones
below, shared by all; those ``dataclass(frozen=True)`` would write and compile for each class cost
half a millisecond a class, and a kernel has sixty of them to load before its first cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, ClassVar, NoReturn, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value:
    """A frozen value with named fields, given by place or by name."""

    _names: ClassVar[tuple[str, ...]] = ()
    _known: ClassVar[frozenset[str]] = frozenset()
    _needed: ClassVar[frozenset[str]] = frozenset()
    _fresh: ClassVar[tuple[tuple[str, Callable[[], Any]], ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        kind: Any = dataclass(init=False, repr=False, eq=False)(cls)
        made = fields(kind)
        cls._names = tuple(each.name for each in made)
        cls._known = frozenset(cls._names)
        makers = ((each.name, each.default_factory) for each in made)
        cls._fresh = tuple((name, make) for name, make in makers if make is not MISSING)
        plain = {each.name for each in made if each.default is not MISSING}
        cls._needed = cls._known - plain - {name for name, _ in cls._fresh}

    def __init__(self, *placed: Any, **named: Any) -> None:
        """Raises TypeError for a field that is missing, unknown, or given twice."""
        own = self.__dict__
        if placed:
            own.update(zip(self._names, placed, strict=False))
        if named:
            own.update(named)
        if len(own) < len(placed) + len(named) or not self._needed <= own.keys() <= self._known:
            raise TypeError(
                f"{type(self).__name__} takes {', '.join(self._names)}; "
                f"given were {len(placed)} by place and {list(named)}"
            )
        for name, make in self._fresh:
            if name not in own:
                own[name] = make()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def _contents(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value) or type(other) is not type(self):
            return NotImplemented
        return self._contents() == other._contents()

    def __hash__(self) -> int:
        return hash(self._contents())

    def __repr__(self) -> str:
        shown = zip(self._names, self._contents(), strict=True)
        said = ", ".join(f"{name}={value!r}" for name, value in shown)
        return f"{type(self).__qualname__}({said})"
