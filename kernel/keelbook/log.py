"""A session's log: append, read, fold and subscribe. The log is the session.

Rules: events are numbered from 1 without gaps and never changed. ``append`` is all or nothing and
is over when it returns; one that fails leaves file and memory as they were. There is one writer
(it holds the lease) and any number of readers, which see more after ``refresh``. A reader that
meets a tag it does not know refuses the log, unless the event was written as ignorable; those it
passes over. A listener hears a batch after it is committed, batches in order, and cannot hurt it.
One thread uses a log.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from keelbook.errors import HostBug, Refused
from keelbook.events import Event, Logged, Vocabulary
from keelbook.fold import Fold, Standing
from keelbook.lease import Lease
from keelbook.store import Saved, Store, Stored
from keelbook.text import escaped

__all__ = ["Fold", "Listener", "Log"]

S = TypeVar("S")
Listener = Callable[[tuple[Logged, ...]], None]

FILE = "log.sqlite"
SAVE_EVERY = 1000
"""Events between two savings of the folds' states."""
KEPT_EVENTS, KEPT_CHARACTERS = 4000, 32_000_000
"""What ``at`` keeps in memory of what it read."""

_complaints = logging.getLogger(__name__)


class Log:
    """One session's events. ``write`` for the one writer, ``read_only`` for others."""

    def __init__(
        self, folder: Path, vocabulary: Vocabulary, store: Store, lease: Lease | None
    ) -> None:
        self.session = folder.name
        self.folder = folder
        self._vocabulary = vocabulary
        self._lease = lease
        self._store = store
        self._closed = False
        self._standing: dict[str, Standing[Any]] = {}
        self._unsaved = 0
        self._listeners: list[Listener] = []
        self._unheard: deque[tuple[Logged, ...]] = deque()
        self._recent: OrderedDict[int, tuple[Logged, int]] = OrderedDict()
        self._recent_size = 0
        try:
            self._refuse_unknown()
            self._length = self._store.last()
        except BaseException:
            self._store.close()
            raise

    @classmethod
    def write(cls, folder: Path, vocabulary: Vocabulary) -> Log:
        """Opens a session's log for appending. Raises Refused (lease, damage, unknown events)."""
        lease = Lease(folder)
        try:
            return cls(folder, vocabulary, Store.write(folder / FILE), lease)
        except BaseException:
            lease.release()
            raise

    @classmethod
    def read_only(cls, folder: Path, vocabulary: Vocabulary) -> Log:
        """Opens a session's log beside whoever writes it. Raises Refused (damage, unknown)."""
        return cls(folder, vocabulary, Store.read(folder / FILE), None)

    @property
    def length(self) -> int:
        """How many events there are, which is the newest one's ``seq``."""
        return self._length

    # ---------------------------------------------------------------- append

    def append(self, *events: Event) -> tuple[Logged, ...]:
        """Appends one batch and returns it in its place. Raises Refused; then nothing happened."""
        if self._closed or self._lease is None:
            raise Refused(
                f"The log of session {self.session} is not open for writing.", "log-readonly"
            )
        if self._lease.lost:
            raise Refused(
                f"The folder of session {self.session} was removed while it was open; "
                "nothing was logged.",
                "lease-lost",
            )
        at, seq, more = time.time(), self._length, len(events)
        rows: list[Stored] = []
        batch: list[Logged] = []
        for given in events:
            event, data = self._encoded(given)
            seq, more = seq + 1, more - 1
            rows.append(Stored(seq, at, event.tag, event.ignorable, more, data))
            batch.append(Logged(seq, at, event))
        if batch:
            self._store.append(rows)
            self._length = seq
            self._unsaved += len(batch)
            self._settle(tuple(batch))
        return tuple(batch)

    def _encoded(self, event: Event) -> tuple[Event, str]:
        """The event as it will be read back, and its JSON."""
        if self._vocabulary.types.get(event.tag) is not type(event):
            raise HostBug(f"`{event.tag}` is not in this session's vocabulary of events.")
        try:
            return event, event.to_json()
        except PydanticSerializationError:
            pass
        try:
            event = type(event).model_validate(escaped(event.model_dump()))
            return event, event.to_json()
        except (PydanticSerializationError, ValidationError) as error:
            raise HostBug(f"A `{event.tag}` event cannot be written as JSON: {error}") from None

    def _settle(self, batch: tuple[Logged, ...]) -> None:
        for standing in self._standing.values():
            tags = standing.fold.tags
            for logged in batch:
                if tags is None or logged.event.tag in tags:
                    standing.take(logged)
        if self._unsaved >= SAVE_EVERY:
            self.save()
        self._tell(batch)

    # ---------------------------------------------------------------- folds

    def fold(self, fold: Fold[S]) -> S:
        """The fold's state after the newest event; from now on it is kept up."""
        standing = self._standing.get(fold.name)
        if standing is None:
            self.register(fold)
            standing = self._standing[fold.name]
        elif standing.fold is not fold:
            raise HostBug(f"Two folds are called `{fold.name}`.")
        state: S = standing.state
        return state

    def register(self, *folds: Fold[Any]) -> None:
        """Keeps up these folds from now on; many at once read the log once."""
        fresh = [fold for fold in folds if fold.name not in self._standing]
        standings = [Standing(fold, self._store.saved(fold.name, fold.form)) for fold in fresh]
        self._catch_up(standings)
        self._standing |= {each.fold.name: each for each in standings}
        if any(each.seq + SAVE_EVERY <= self._length for each in standings):
            self.save()

    def _catch_up(self, standings: list[Standing[Any]]) -> None:
        if not standings:
            return
        named = [each.fold.tags for each in standings if each.fold.tags is not None]
        tags = frozenset[str]().union(*named) if len(named) == len(standings) else None
        for logged in self.read(min(each.seq for each in standings), tags=tags):
            for each in standings:
                wanted = each.fold.tags is None or logged.event.tag in each.fold.tags
                if wanted and logged.seq > each.seq:
                    each.take(logged)

    def save(self) -> None:
        """Saves the folds' states, so that the next opening does not replay. Only the writer."""
        if self._lease is None or self._closed:
            return
        sound = [each for each in self._standing.values() if not each.broken]
        changed = [each for each in sound if each.changed]
        same = [each.fold.name for each in sound if not each.changed]
        if self._store.save([each.save(self._length) for each in changed], same, self._length):
            for each in sound:
                each.changed = False
        self._unsaved = 0

    # ---------------------------------------------------------------- read

    def read(
        self,
        after: int = 0,
        until: int | None = None,
        tags: Iterable[str] | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> Iterator[Logged]:
        """Events with ``after < seq <= until``; an event appended meanwhile is not among them.

        Raises Refused at the first event that is damaged.
        """
        end = self._length if until is None else min(until, self._length)
        wanted = None if tags is None else frozenset(tags)
        for stored in self._store.rows(after, end, wanted, limit, newest_first):
            logged = self._decoded(stored)
            if logged is not None:
                yield logged

    def stored(self, until: int, after: int = 0) -> Iterator[Stored]:
        """Events as they lie in the file, unknown ignorable ones too: for copies and exports."""
        return self._store.rows(after, min(until, self._length))

    def saved(self, until: int) -> tuple[Saved, ...]:
        """Saved fold states that hold for a copy of events 1 to ``until``."""
        return tuple(each for each in self._store.all_saved() if each.seq <= until)

    def at(self, seqs: Iterable[int]) -> dict[int, Logged]:
        """The events with these numbers; what was read lately comes from memory."""
        wanted = list(dict.fromkeys(seqs))
        missing = [seq for seq in wanted if seq not in self._recent]
        found: dict[int, Logged] = {}
        for stored in self._store.at(missing) if missing else ():
            logged = self._decoded(stored)
            if logged is not None:
                found[stored.seq] = logged
                self._keep(logged, len(stored.data))
        for seq in wanted:
            if seq in self._recent:
                self._recent.move_to_end(seq)
                found[seq] = self._recent[seq][0]
        return {seq: found[seq] for seq in wanted if seq in found}

    def _keep(self, logged: Logged, size: int) -> None:
        self._recent[logged.seq] = (logged, size)
        self._recent_size += size
        while len(self._recent) > KEPT_EVENTS or self._recent_size > KEPT_CHARACTERS:
            _, (_, dropped) = self._recent.popitem(last=False)
            self._recent_size -= dropped

    def _decoded(self, stored: Stored) -> Logged | None:
        try:
            event = self._vocabulary.decode(stored.tag, stored.data)
        except ValidationError as error:
            what = f"event {stored.seq} is no `{stored.tag}`: {error.errors()[0]['msg']}"
            raise self._store.damaged(what) from None
        if event is None:
            if not stored.ignorable:
                self._refuse_unknown()
            return None
        return Logged(stored.seq, stored.at, event)

    def _refuse_unknown(self) -> None:
        for tag, ignorable in self._store.tags():
            if not ignorable and tag not in self._vocabulary:
                raise Refused(
                    f"The log of session {self.session} holds `{tag}` events, which this Keelbook "
                    "does not know; open it with the version and the rows that wrote it. "
                    "Nothing was changed.",
                    "log-unknown",
                )

    def refresh(self) -> int:
        """Takes in what a writer appended since; returns how many events that was."""
        known, self._length = self._length, max(self._length, self._store.newest())
        batch: list[Logged] = []
        for logged in self.read(known):
            batch.append(logged)
            if len(batch) == SAVE_EVERY:
                self._settle(tuple(batch))
                batch.clear()
        if batch:
            self._settle(tuple(batch))
        return self._length - known

    # ---------------------------------------------------------------- listeners

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Calls ``listener`` with each batch once it is committed; returns the end of it."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def _tell(self, batch: tuple[Logged, ...]) -> None:
        self._unheard.append(batch)
        if len(self._unheard) > 1:
            return
        while self._unheard:
            try:
                for listener in tuple(self._listeners):
                    self._tell_one(listener, self._unheard[0])
            finally:
                self._unheard.popleft()

    def _tell_one(self, listener: Listener, batch: tuple[Logged, ...]) -> None:
        try:
            listener(batch)
        except Exception:
            _complaints.exception("A listener of session %s failed.", self.session)

    # ---------------------------------------------------------------- the end

    def check(self) -> None:
        """Reads the whole log and SQLite's structures. Raises Refused at the first damage."""
        self._store.check()
        for _ in self.read():
            pass

    def close(self) -> None:
        """Saves the folds and gives the lease up. A second call does nothing."""
        if self._closed:
            return
        self.save()
        self._closed = True
        self._store.close()
        if self._lease is not None:
            self._lease.release()

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
