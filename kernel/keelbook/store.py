"""The SQLite file of one session's log: rows in, rows out, and one sentence when it cannot.

Rules: a batch is one transaction, so it is there whole or not at all. WAL with
``synchronous=NORMAL``: a killed process loses nothing that was committed; a power cut or a crash
of the operating system may lose the last batches, never break the file. A row carries the CRC of
its data, so a changed byte is met when the row is read. The file is opened by SQLite only: closing
another descriptor of it in this process would drop SQLite's locks. A damaged file is never written.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from keelbook.errors import HostBug, Refused

APPLICATION = 0x4B45454C
FORMAT = 1
CHUNK = 1000

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE tag(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, ignorable INTEGER NOT NULL, UNIQUE(name, ignorable)
);
CREATE TABLE event(
    seq INTEGER PRIMARY KEY, at REAL NOT NULL, tag INTEGER NOT NULL, more INTEGER NOT NULL,
    crc INTEGER NOT NULL, data TEXT NOT NULL
);
CREATE TABLE fold(
    name TEXT PRIMARY KEY, form TEXT NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL
) WITHOUT ROWID;
PRAGMA application_id={APPLICATION};
PRAGMA user_version={FORMAT};
COMMIT;
"""
_INSERT = "INSERT INTO event(seq, at, tag, more, crc, data) VALUES(?, ?, ?, ?, ?, ?)"
_SAVE = "REPLACE INTO fold(name, form, seq, state) VALUES(?, ?, ?, ?)"
_AGE = "UPDATE fold SET seq = ? WHERE name = ?"
_SELECT = "SELECT seq, at, tag, more, crc, data FROM event WHERE "


class Stored(NamedTuple):
    """One event as it lies in the file; ``more`` counts the events of its batch that follow it."""

    seq: int
    at: float
    tag: str
    ignorable: bool
    more: int
    data: str


class Saved(NamedTuple):
    """A fold's state after event ``seq``; ``form``: the version and tags it is the state of."""

    name: str
    form: str
    seq: int
    state: str


class Store:
    """One open file. Made by ``create``, ``write`` or ``read``; one thread uses it."""

    def __init__(self, path: Path, query: str) -> None:
        self.path = path
        self._tags: dict[int, tuple[str, bool]] = {}
        self._ids: dict[tuple[str, bool], int] = {}
        if not path.exists():
            raise Refused(f"There is no session log at {path}.", "no-session")
        try:
            self._db = sqlite3.connect(
                f"{path.absolute().as_uri()}?{query}", uri=True, isolation_level=None, timeout=5.0
            )
        except sqlite3.Error as error:
            raise self._refusal(error) from None

    @classmethod
    def create(cls, path: Path) -> Store:
        """A new, empty file that only its owner may open. Raises Refused."""
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        except FileExistsError:
            raise Refused(f"There is a session log at {path} already.", "session-exists") from None
        except OSError as error:
            raise Refused(
                f"No session log could be made at {path}: {error.strerror}.", "log-io"
            ) from None
        store = cls(path, "mode=rw")
        return store._opened(
            # Turning WAL on writes to the file, and in an empty one there is nothing to roll back
            # to: a journal on the disk would cost two syncs and save nothing.
            lambda: store._db.execute("PRAGMA journal_mode=MEMORY"),
            store._set_up,
            lambda: store._db.executescript(_SCHEMA),
        )

    @classmethod
    def write(cls, path: Path) -> Store:
        """The file, to read and to append to. The caller holds the lease."""
        store = cls(path, "mode=rw")
        return store._opened(store._check_form, store._set_up)

    @classmethod
    def read(cls, path: Path) -> Store:
        """The file, to read only; also where nothing may be written beside it."""
        sealed = not (
            os.access(path.parent, os.W_OK) or path.with_name(f"{path.name}-wal").exists()
        )
        store = cls(path, "mode=ro&immutable=1" if sealed else "mode=ro")
        return store._opened(store._check_form)

    def _opened(self, *steps: Callable[[], object]) -> Store:
        """This store after ``steps``, closed again when they fail."""
        try:
            for step in steps:
                step()
            self._load_tags()
        except sqlite3.Error as error:
            self._db.close()
            raise self._refusal(error) from None
        except BaseException:
            self._db.close()
            raise
        return self

    def _set_up(self) -> None:
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA wal_autocheckpoint=4000")
        self._db.execute(f"PRAGMA journal_size_limit={64 << 20}")

    def _check_form(self) -> None:
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        (form,) = self._db.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION:
            raise self.damaged("it is not a Keelbook log")
        if form > FORMAT:
            raise Refused(
                f"The log {self.path} was written by a newer Keelbook (format {form}; this one "
                f"reads {FORMAT}); nothing was changed.",
                "log-unknown",
            )

    def _load_tags(self) -> None:
        for number, name, ignorable in self._db.execute("SELECT id, name, ignorable FROM tag"):
            self._tags[number] = (name, bool(ignorable))
            self._ids[name, bool(ignorable)] = number

    def tags(self) -> Iterable[tuple[str, bool]]:
        """Every tag that was ever written, with whether it was written as ignorable."""
        return tuple(self._ids)

    def last(self) -> int:
        """The newest seq, 0 when there is none. Raises Refused when events are missing."""
        try:
            low, high, total = self._db.execute(
                "SELECT (SELECT min(seq) FROM event), (SELECT max(seq) FROM event), "
                "(SELECT count(*) FROM event)"
            ).fetchone()
        except sqlite3.Error as error:
            raise self._refusal(error) from None
        if total and (low != 1 or high != total):
            raise self.damaged(f"it holds {total} events where {high} were numbered")
        return int(total)

    def newest(self) -> int:
        """The newest seq, without the check."""
        try:
            (high,) = self._db.execute("SELECT max(seq) FROM event").fetchone()
        except sqlite3.Error as error:
            raise self._refusal(error) from None
        return high or 0

    def append(self, batch: Sequence[Stored]) -> None:
        """One transaction. Raises Refused, and then nothing of the batch is in the file."""
        if len(batch) == 1 and (batch[0].tag, batch[0].ignorable) in self._ids:
            try:
                self._db.execute(_INSERT, self._row(batch[0]))
            except sqlite3.Error as error:
                raise self._refusal(error) from None
            return
        with self._transaction():
            self._db.executemany(_INSERT, [self._row(each) for each in batch])

    def fill(self, rows: Iterable[Stored], saved: Iterable[Saved]) -> None:
        """All of a copied log in one transaction. Raises Refused, or whatever ``rows`` raises."""
        with self._transaction():
            self._db.executemany(_INSERT, (self._row(each) for each in rows))
            self._db.executemany(_SAVE, saved)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        known = len(self._ids)
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            for key in list(self._ids)[known:]:
                del self._tags[self._ids.pop(key)]
            if isinstance(error, sqlite3.Error):
                raise self._refusal(error) from None
            raise

    def _row(self, event: Stored) -> tuple[int, float, int, int, int, str]:
        key = (event.tag, event.ignorable)
        number = self._ids.get(key)
        if number is None:
            number = len(self._ids) + 1
            self._db.execute("INSERT INTO tag VALUES(?, ?, ?)", (number, *key))
            self._ids[key] = number
            self._tags[number] = key
        crc = zlib.crc32(event.data.encode())
        return event.seq, event.at, number, event.more, crc, event.data

    def rows(
        self,
        after: int,
        until: int,
        tags: frozenset[str] | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> Iterator[Stored]:
        """Events with ``after < seq <= until``, oldest first or newest first, in short reads."""
        wanted = "" if tags is None else f" AND tag IN ({self._numbers(tags)})"
        order = "DESC" if newest_first else "ASC"
        query = f"{_SELECT}seq > ? AND seq <= ?{wanted} ORDER BY seq {order} LIMIT ?"
        left = limit if limit is not None else until
        while left > 0 and after < until:
            found = self._fetch(query, (after, until, min(left, CHUNK)))
            yield from found
            left -= len(found)
            if len(found) < CHUNK:
                return
            if newest_first:
                until = found[-1].seq - 1
            else:
                after = found[-1].seq

    def at(self, seqs: Sequence[int]) -> list[Stored]:
        """The events with these numbers, in log order; numbers that do not exist are left out."""
        found: list[Stored] = []
        for start in range(0, len(seqs), CHUNK):
            numbers = ",".join(str(int(seq)) for seq in seqs[start : start + CHUNK])
            found += self._fetch(f"{_SELECT}seq IN ({numbers}) ORDER BY seq", ())
        return found

    def _numbers(self, tags: frozenset[str]) -> str:
        if any((tag, False) not in self._ids and (tag, True) not in self._ids for tag in tags):
            self._load_tags()
        return ",".join(str(number) for (name, _), number in self._ids.items() if name in tags)

    def _fetch(self, query: str, values: tuple[int, ...]) -> list[Stored]:
        try:
            found = self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._refusal(error) from None
        return [self._stored(*row) for row in found]

    def _stored(self, seq: int, at: float, tag: int, more: int, crc: int, data: str) -> Stored:
        if tag not in self._tags:
            self._load_tags()
        if tag not in self._tags or zlib.crc32(data.encode()) != crc:
            raise self.damaged(f"event {seq} is not what was written")
        name, ignorable = self._tags[tag]
        return Stored(seq, at, name, ignorable, more, data)

    def saved(self, name: str, form: str) -> Saved | None:
        """The saved state of a fold of this very form, or None."""
        try:
            row = self._db.execute(
                "SELECT name, form, seq, state FROM fold WHERE name = ? AND form = ?", (name, form)
            ).fetchone()
        except sqlite3.Error as error:
            raise self._refusal(error) from None
        return None if row is None else Saved(*row)

    def all_saved(self) -> list[Saved]:
        """Every saved state."""
        try:
            rows = self._db.execute("SELECT name, form, seq, state FROM fold").fetchall()
        except sqlite3.Error as error:
            raise self._refusal(error) from None
        return [Saved(*row) for row in rows]

    def save(self, changed: Iterable[Saved], same: Iterable[str], seq: int) -> bool:
        """Keeps fold states as of ``seq``; False when the disk would not take them.

        ``same`` names the folds whose saved state still stands.
        """
        try:
            with self._transaction():
                self._db.executemany(_SAVE, changed)
                self._db.executemany(_AGE, [(seq, name) for name in same])
        except Refused:
            return False
        return True

    def check(self) -> None:
        """SQLite's own check of the whole file. Raises Refused with what it found."""
        try:
            (said,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error as error:
            raise self._refusal(error) from None
        if said != "ok":
            raise self.damaged(said)

    def close(self) -> None:
        """Closes the file; the last one to close it empties the WAL."""
        self._db.close()

    def damaged(self, what: str) -> Refused:
        """The one sentence for a file that cannot be trusted."""
        return Refused(
            f"The log {self.path} is damaged ({what}); nothing was changed.", "log-damaged"
        )

    def _refusal(self, error: sqlite3.Error) -> Exception:
        """What an error of SQLite means to a person."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
            return self.damaged(str(error))
        if code == sqlite3.SQLITE_CONSTRAINT:
            return Refused(
                f"Another process wrote to the log {self.path}; nothing was logged.", "lease-lost"
            )
        if code == sqlite3.SQLITE_MISUSE:
            return HostBug(f"The log {self.path} was used wrongly: {error}.")
        name, what = _REFUSALS.get(code, ("log-io", f"could not be used ({error})"))
        return Refused(f"The log {self.path} {what}; nothing was logged.", name)


_REFUSALS = {
    sqlite3.SQLITE_FULL: ("log-full", "cannot grow because the disk is full"),
    sqlite3.SQLITE_READONLY: ("log-readonly", "may only be read"),
    sqlite3.SQLITE_PERM: ("log-readonly", "may only be read"),
    sqlite3.SQLITE_BUSY: ("log-busy", "is kept busy by another process"),
    sqlite3.SQLITE_CANTOPEN: ("log-io", "cannot be opened"),
}
