"""Says which setting stands behind what the confinement refused (guest H9).

Rules: the exception stays what it was, with one sentence added; the person is told once
for each path; an error of a path that is granted is not explained.
"""

from __future__ import annotations

import errno
import os

from keelbook_guest.confine import Grants
from keelbook_guest.record import Run
from keelbook_guest.streams import Sink


class Refusals:
    """What was refused so far."""

    def __init__(self, sink: Sink, grants: Grants) -> None:
        self.sink = sink
        self.grants = grants
        self._told: set[str] = set()

    def explain(self, run: Run, error: BaseException | None) -> None:
        """Adds the sentence to a PermissionError that the confinement caused."""
        if not isinstance(error, PermissionError) or not self.grants.active:
            return
        sentence = self._sentence(error)
        if not sentence:
            return
        if hasattr(error, "add_note"):
            error.add_note(sentence)
        if sentence not in self._told:
            self._told.add(sentence)
            self.sink.emit({"t": "note", "run": run.id, "text": sentence})

    def _sentence(self, error: PermissionError) -> str:
        for name in (error.filename, error.filename2):
            if not isinstance(name, (str, bytes)):
                continue
            path = os.path.abspath(os.fsdecode(name))
            if not self.grants.allows(path, False):
                return f"{path} is outside of what `confine.read` and `confine.write` grant."
            if not self.grants.allows(path, True):
                return f"{path} may be read but not written: `confine.write` does not grant it."
        if error.filename is None and error.errno == errno.EACCES and self.grants.tcp != "all":
            return "Connections are limited by the setting `confine.tcp`."
        return ""
