"""Finds the log a session is to be written to, whatever state the last one is in.

Rules: the same notebook continues its session; a notebook-less client always begins one. A session
that another kernel writes, or whose log cannot be used, is left as it is and a new one begins; a
data folder that cannot be used is replaced by one that ends with the kernel. The person is told
each time, in one sentence, and can always work on.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from keelbook.archive import Archive
from keelbook.errors import Refused
from keelbook.events import Vocabulary
from keelbook.fold import Fold
from keelbook.log import Log
from keelbook.value import Value

IN_USE = "This notebook's session is in use by another kernel, so a new session was begun."
NOT_USABLE = "{why} A new session was begun; the old file is kept."
NOT_KEPT = "{why} This session is kept in {folder} and may be gone when the computer restarts."


class Opened(Value):
    """A log open for writing, and what the person should know about it."""

    log: Log
    notices: tuple[str, ...] = ()


def open_by_id(vocabulary: Vocabulary, folder: Path | None, session: str) -> Opened:
    """That very session's log. Raises Refused."""
    return Opened(Archive(vocabulary, folder).write(session))


def open_log(
    vocabulary: Vocabulary,
    folder: Path | None,
    origin: str,
    workspace: str,
    folds: Sequence[Fold[Any]] = (),
) -> Opened:
    """The log of ``origin``, with ``folds`` kept up, so that damage in what they read shows here.

    Raises Refused when nothing at all can be written.
    """
    notices: list[str] = []
    try:
        archive = Archive(vocabulary, folder)
        newest = archive.newest(origin)
        if newest is not None:
            try:
                return Opened(_folded(archive.write(newest), folds))
            except Refused as refused:
                held = refused.code == "lease-held"
                notices.append(IN_USE if held else NOT_USABLE.format(why=refused.sentence))
        return Opened(archive.create(origin=origin, workspace=workspace), tuple(notices))
    except Refused as refused:
        place = Path(tempfile.mkdtemp(prefix="keelbook-"))
        notices.append(NOT_KEPT.format(why=refused.sentence, folder=place))
        log = Archive(vocabulary, place).create(origin=origin, workspace=workspace)
        return Opened(log, tuple(notices))


def _folded(log: Log, folds: Sequence[Fold[Any]]) -> Log:
    try:
        log.register(*folds)
    except Refused:
        log.close()
        raise
    return log
