"""A fresh archive for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from keelbook.archive import Archive
from keelbook.log import Log
from tests.log.samples import archive_in


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An empty archive."""
    return archive_in(tmp_path)


@pytest.fixture
def log(archive: Archive) -> Iterator[Log]:
    """A new session, open for writing; its one event is ``session/created``."""
    with archive.create(session="one") as opened:
        yield opened
