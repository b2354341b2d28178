"""A session's log as a JSONL file: out to anywhere, in as a new session.

Rules: one line is one event, ``{"seq", "at", "tag", "ignorable", "more", "event"}``; ``more``
counts the lines of the same batch that follow. A file may have been cut off while it was written:
a torn last line is dropped, a whole last line without its newline is kept, and a batch that is not
all there is dropped whole. Anything else that is wrong is refused by line number, and then no
session is made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError

from keelbook.archive import Archive
from keelbook.errors import Refused
from keelbook.events import SessionCreated, SessionForked, Vocabulary
from keelbook.log import Log
from keelbook.record import Json, Record
from keelbook.store import Stored


class Line(Record):
    """One line of the file."""

    seq: int
    at: float
    tag: str
    ignorable: bool
    more: int
    event: dict[str, Json]


def export(log: Log, out: BinaryIO) -> int:
    """Writes every event of ``log``; returns how many."""
    for row in log.stored(log.length):
        head = f'{{"seq":{row.seq},"at":{row.at!r},"tag":{json.dumps(row.tag)},'
        rest = f'"ignorable":{json.dumps(row.ignorable)},"more":{row.more},"event":{row.data}}}\n'
        out.write((head + rest).encode())
    return log.length


def import_file(archive: Archive, path: Path, session: str | None = None) -> str:
    """A new session made of a file; its id is ``session``, or else the one the file names.

    Raises Refused: ``import-damaged`` with the line's number, ``log-unknown``, ``session-exists``.
    """
    try:
        with path.open("rb") as lines:
            chosen = session or _named(path, archive.vocabulary)
            log = archive.fill(chosen, _whole(_rows(path, lines, archive.vocabulary), path))
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.", "import-damaged") from None
    archive.finish(log).close()
    return chosen


def _named(path: Path, vocabulary: Vocabulary) -> str:
    """The session the file was written from: the last one it says it became."""
    named = ""
    with path.open("rb") as lines:
        for row in _rows(path, lines, vocabulary):
            if row.tag in (SessionCreated.tag, SessionForked.tag):
                named = str(json.loads(row.data)["session"])
    return named


def _whole(rows: Iterator[Stored], path: Path) -> Iterator[Stored]:
    """The rows of whole batches."""
    batch: list[Stored] = []
    empty = True
    for row in rows:
        batch.append(row)
        if row.more == 0:
            yield from batch
            batch.clear()
            empty = False
    if empty:
        raise Refused(f"{path} holds no session.", "import-damaged")


def _rows(path: Path, lines: BinaryIO, vocabulary: Vocabulary) -> Iterator[Stored]:
    before: Stored | None = None
    for number, line in enumerate(lines, 1):
        try:
            row = _row(Line.model_validate_json(line), vocabulary)
        except (ValidationError, ValueError) as error:
            if not line.endswith(b"\n"):
                return
            raise _bad(path, number, _why(error)) from None
        if row is None:
            raise Refused(
                f"Line {number} of {path} is an event this Keelbook does not know; "
                "no session was made.",
                "log-unknown",
            )
        if row.seq != number or (number == 1) != (row.tag == SessionCreated.tag):
            raise _bad(path, number, "the event is not in its place")
        if row.more < 0 or (before is not None and before.more not in (0, row.more + 1)):
            raise _bad(path, number, "its batch is not all there")
        yield row
        before = row


def _row(line: Line, vocabulary: Vocabulary) -> Stored | None:
    """The event to store, or None when it is unknown and may not be passed over."""
    data = json.dumps(line.event, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    event = vocabulary.decode(line.tag, data)
    if event is None and not line.ignorable:
        return None
    return Stored(line.seq, line.at, line.tag, line.ignorable, line.more, data)


def _why(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        found = error.errors()[0]
        place = ".".join(str(part) for part in found["loc"])
        return f"{place}: {found['msg']}" if place else str(found["msg"])
    return str(error)


def _bad(path: Path, number: int, what: str) -> Refused:
    return Refused(
        f"Line {number} of {path} is damaged ({what}); no session was made.", "import-damaged"
    )
