"""Lets one tool at a time change a file, so that two edits in one ``gather`` both take place.

Rules: one lock for each resolved path and session, gone when nobody waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from keelbook.files import Files


@contextlib.asynccontextmanager
async def one_at_a_time(files: Files, path: Path) -> AsyncIterator[None]:
    """Waits until no other tool of this session changes ``path``."""
    lock = files.locks.get(path)
    if lock is None:
        lock = files.locks[path] = asyncio.Lock()
    async with lock:
        yield
