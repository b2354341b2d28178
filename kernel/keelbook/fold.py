"""State as a fold over the log: what one is, and how one is kept up.

Rules: a fold's ``step`` is a pure function that returns a new state and never changes the old one;
it sees only the tags it names, in log order. A saved state belongs to a name, a version and a set
of tags; with any other it is passed over and the fold starts from the first event. A fold whose
step raises is broken from there on: whoever asks for its state is told, the log goes on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from keelbook.errors import HostBug
from keelbook.events import Logged
from keelbook.store import Saved
from keelbook.value import Value

S = TypeVar("S")


class Fold(Value, Generic[S]):
    """One fold. ``state`` is the type of its state, which pydantic writes as JSON and reads back.

    ``version`` goes up when ``step`` or ``state`` changes. ``tags`` None: it reads every event.
    """

    name: str
    initial: Callable[[], S]
    step: Callable[[S, Logged], S]
    state: Any
    version: int = 1
    tags: frozenset[str] | None = None

    @property
    def form(self) -> str:
        """What a saved state must match to be used."""
        tags = "*" if self.tags is None else " ".join(sorted(self.tags))
        return f"{self.version} {tags}"


class Standing(Generic[S]):
    """A fold and its state after event ``seq``."""

    def __init__(self, fold: Fold[S], saved: Saved | None) -> None:
        self.fold = fold
        self.seq = 0
        self.changed = True
        self._broken = ""
        restored = None if saved is None else _restored(fold, saved.state)
        if saved is not None and restored is not None:
            self._state: S = restored[0]
            self.seq = saved.seq
            self.changed = False
        else:
            self._state = fold.initial()

    def take(self, logged: Logged) -> None:
        """One event of the fold's tags. Never raises."""
        if self._broken:
            return
        try:
            after = self.fold.step(self._state, logged)
        except Exception as error:
            self._broken = (
                f"The fold `{self.fold.name}` failed on event {logged.seq} "
                f"(`{logged.event.tag}`): {type(error).__name__}: {error}"
            )
            return
        if after is not self._state:
            self._state = after
            self.changed = True

    @property
    def state(self) -> S:
        """The state now. Raises HostBug when a step failed."""
        if self._broken:
            raise HostBug(self._broken)
        return self._state

    @property
    def broken(self) -> bool:
        """Whether a step failed."""
        return bool(self._broken)

    def save(self, seq: int) -> Saved:
        """The state as it can be kept, as of ``seq``."""
        text = _adapter(self.fold.state).dump_json(self._state, by_alias=True).decode()
        return Saved(self.fold.name, self.fold.form, seq, text)


def _restored(fold: Fold[S], text: str) -> tuple[S] | None:
    try:
        return (_adapter(fold.state).validate_json(text),)
    except ValidationError:
        return None


@functools.cache
def _adapter(state: Any) -> TypeAdapter[Any]:
    return TypeAdapter(state)
