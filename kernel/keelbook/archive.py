"""The archive: every session's log on this machine, one folder each.

Rules: a session's folder is ``<data>/sessions/<id>`` and holds the log, the writer's lease and a
card (``session.json``) that saves opening each log to list them; the log decides, the card is
written last, so a half-made session is not listed. ``.origins`` names the sessions of each origin,
so that resuming one does not read all cards. An id never leaves the archive and is never given
twice. A fork copies a prefix that ends with a whole batch outside any turn.
"""

import hashlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from keelbook import __version__
from keelbook.errors import Refused
from keelbook.events import SessionCreated, SessionForked, TurnStarted, Vocabulary
from keelbook.lease import Lease, holder
from keelbook.log import FILE, Log
from keelbook.private import data_folder, private_folder
from keelbook.record import Record
from keelbook.store import Saved, Store, Stored

CARD = "session.json"
ORIGINS = ".origins"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


class Card(Record):
    """What a list of sessions shows. ``created``: seconds since 1970; ``source``: forked from."""

    session: str
    created: float
    origin: str = ""
    workspace: str = ""
    source: str = ""


class Listed(Record):
    """A session in the list; ``active`` is when its log was last written, seconds since 1970."""

    card: Card
    active: float


class Archive:
    """All sessions. ``folder`` None is ``sessions`` in the user's data folder."""

    def __init__(self, vocabulary: Vocabulary, folder: Path | None = None) -> None:
        self.folder = private_folder(folder or private_folder(data_folder()) / "sessions")
        self._vocabulary = vocabulary

    @property
    def vocabulary(self) -> Vocabulary:
        """The events this archive's logs may hold."""
        return self._vocabulary

    # ---------------------------------------------------------------- one session

    def create(self, *, origin: str = "", workspace: str = "", session: str | None = None) -> Log:
        """A new session, open for writing; its log begins with ``session/created``."""
        chosen = session or new_id()
        log = self.fill(chosen, ())
        log.append(
            SessionCreated(session=chosen, version=__version__, origin=origin, workspace=workspace)
        )
        return self.finish(log)

    def write(self, session: str) -> Log:
        """Opens a session for writing. Raises Refused (``no-session``, ``lease-held``, damage)."""
        return Log.write(self._existing(session), self._vocabulary)

    def read(self, session: str) -> Log:
        """Opens a session beside its writer. Raises Refused."""
        return Log.read_only(self._existing(session), self._vocabulary)

    def writer(self, session: str) -> int | None:
        """The process that has the session open for writing, or None."""
        return holder(self._existing(session))

    def delete(self, session: str) -> None:
        """Removes a session for good. Raises Refused while it is open for writing."""
        lease = Lease(self._existing(session))
        try:
            shutil.rmtree(lease.folder)
        except OSError as error:
            raise Refused(
                f"Session {session} was not removed: {error.strerror}.", "log-io"
            ) from None
        finally:
            lease.release()

    def fork(self, source: str, at: int, session: str | None = None) -> str:
        """A new session that shares events 1 to ``at`` with ``source``. Returns its id.

        Raises Refused: ``fork-place`` when ``at`` is no end of a batch of that log, ``open-turn``
        inside a turn, ``session-exists``, ``bad-session``.
        """
        chosen = session or new_id()
        with self.read(source) as log:
            _refuse_place(log, at)
            copy = self.fill(chosen, log.stored(at), log.saved(at))
        copy.append(SessionForked(source=source, at=at, session=chosen))
        self.finish(copy).close()
        return chosen

    # ---------------------------------------------------------------- making one

    def fill(self, session: str, rows: Iterable[Stored], saved: Iterable[Saved] = ()) -> Log:
        """A session with these rows, open for writing and not listed before ``finish``.

        Raises Refused (``bad-session``, ``session-exists``, ``log-full``) and whatever ``rows``
        raises; then nothing is left of it.
        """
        folder = self._place(session)
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            raise Refused(f"There is a session {session} already.", "session-exists") from None
        except OSError as error:
            raise Refused(f"Session {session} was not made: {error.strerror}.", "log-io") from None
        lease = Lease(folder)
        try:
            store = Store.create(folder / FILE)
            try:
                store.fill(rows, saved)
            except BaseException:
                store.close()
                raise
            return Log(folder, self._vocabulary, store, lease)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            lease.release()
            raise

    def finish(self, log: Log) -> Log:
        """Lists a filled session. Raises Refused when the disk is full, and then it is gone."""
        path = log.folder / CARD
        fresh = path.with_suffix(".new")
        card = _card(log)
        try:
            if card.origin and not card.source:
                private_folder(self.folder / ORIGINS)
                _written(self._origin(card.origin), f"{card.session}\n", os.O_APPEND)
            _written(fresh, card.to_json(), os.O_EXCL)
            os.replace(fresh, path)
        except OSError as error:
            log.close()
            shutil.rmtree(log.folder, ignore_errors=True)
            raise Refused(
                f"Session {log.session} was not made: {error.strerror}.", "log-io"
            ) from None
        return log

    # ---------------------------------------------------------------- all sessions

    def sessions(self) -> tuple[Listed, ...]:
        """All finished sessions, the most recently active first."""
        names = [each for each in os.listdir(self.folder) if _ID.fullmatch(each)]
        found = [self._listed(self.folder / each) for each in names]
        listed = [each for each in found if each is not None]
        return tuple(sorted(listed, key=lambda each: each.active, reverse=True))

    def newest(self, origin: str) -> str | None:
        """The session of this origin that was last active, None for ``""`` or when there is none.

        A fork is not its origin's session: it is opened by its id.
        """
        if not origin:
            return None
        try:
            named = self._origin(origin).read_text(encoding="utf-8").split()
        except (OSError, UnicodeError):
            return None
        found = [self._listed(self.folder / each) for each in set(named) if _ID.fullmatch(each)]
        mine = [each for each in found if each and each.card.origin == origin]
        return max(mine, key=lambda each: each.active).card.session if mine else None

    def _origin(self, origin: str) -> Path:
        """The file that names an origin's sessions, one a line."""
        digest = hashlib.sha256(origin.encode("utf-8", "surrogateescape")).hexdigest()
        return self.folder / ORIGINS / digest[:32]

    def _listed(self, folder: Path) -> Listed | None:
        try:
            card = Card.model_validate_json((folder / CARD).read_bytes())
            active = (folder / FILE).stat().st_mtime
            with suppress(FileNotFoundError):
                active = max(active, (folder / f"{FILE}-wal").stat().st_mtime)
        except (OSError, ValidationError):
            return None
        return Listed(card=card, active=active)

    def _existing(self, session: str) -> Path:
        folder = self._place(session)
        if not (folder / FILE).exists():
            raise Refused(f"There is no session {session}.", "no-session")
        return folder

    def _place(self, session: str) -> Path:
        if not _ID.fullmatch(session):
            raise Refused(
                f"`{session[:80]}` cannot be a session's name: only letters, digits, `-` and `_`, "
                "at most 80.",
                "bad-session",
            )
        return self.folder / session


def new_id() -> str:
    """An id nobody has: the time and 48 random bits."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(6)}"


def _written(path: Path, text: str, how: int) -> None:
    file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC | how, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as out:
        out.write(text)


def _card(log: Log) -> Card:
    card = Card(session=log.session, created=time.time())
    for logged in log.read(limit=1):
        if isinstance(logged.event, SessionCreated):
            card = Card(
                session=log.session,
                created=logged.at,
                origin=logged.event.origin,
                workspace=logged.event.workspace,
            )
    for logged in log.read(tags={SessionForked.tag}, limit=1, newest_first=True):
        if isinstance(logged.event, SessionForked):
            card = card.model_copy(update={"created": logged.at, "source": logged.event.source})
    return card


def _refuse_place(log: Log, at: int) -> None:
    """Raises Refused unless event ``at`` ends a batch outside any turn."""
    ends = next((row.more == 0 for row in log.stored(at, after=at - 1)), False) if at > 0 else False
    if not ends:
        raise Refused(
            f"Session {log.session} cannot be forked at event {at}: no batch of events ends there.",
            "fork-place",
        )
    turns = log.read(until=at, tags={"turn/start", "turn/end"}, limit=1, newest_first=True)
    for logged in turns:
        if isinstance(logged.event, TurnStarted):
            raise Refused(
                f"Session {log.session} cannot be forked at event {at}, inside turn "
                f"{logged.event.turn}; wait for its end or fork before event {logged.seq}.",
                "open-turn",
            )
