"""Opens the session of one kernel: profile, guest, log, and the person at the front end.

Rules: the guest that was launched before anything was known of the profile is used when the profile
wants just that one, and ended when it does not. The notebook's path names the session; a client
without one (nbclient, nbval) gets a new session.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from keelbook.ask import LineQuestion
from keelbook.errors import Refused
from keelbook.interpreter import Interpreter
from keelbook.jupyter.host import Host
from keelbook.jupyter.stdin import Stdin
from keelbook.session import Session


class Opener:
    """Opens once. ``early`` is a launched guest, or None where it could not be launched."""

    def __init__(self, early: Any, stdin: Stdin) -> None:
        self._early = early
        self._stdin = stdin

    async def __call__(self, host: Host) -> tuple[Session, Interpreter]:
        """The session and its guest. Raises BadConfig or Refused."""
        from keelbook.guest_process.guest import Guest
        from keelbook.guest_process.settings import GuestSettings
        from keelbook.toolset import bash, edit, glob, grep, ls, read, run_code, write
        from keelbook.rows import todo
        from keelbook.parts import Parts
        from keelbook.models import make
        from keelbook.config import NoConfig

        workspace = Path.cwd()
        parts = Parts(
            rows=(todo.row(NoConfig()),),
            tools=tuple(m.tool() for m in (run_code, bash, read, write, edit, glob, grep, ls)),
            models=lambda name: make(name or os.environ.get("KEELBOOK_MODEL", "")),
            profile="stable",
        )
        guest = Guest(GuestSettings(), cwd=str(workspace), early=self._early)
        await guest.start()
        session = await Session.open(
            parts,
            guest,
            workspace=workspace,
            origin=os.environ.get("JPY_SESSION_NAME", ""),
            person=FrontEnd(host, self._stdin),
            watcher=host,
        )
        return session, guest


class FrontEnd:
    """The person behind whichever client runs the current cell."""

    def __init__(self, host: Host, stdin: Stdin) -> None:
        self._host = host
        self._stdin = stdin

    async def line(self, question: LineQuestion) -> str | None:
        """Their line, None when no client that takes questions runs a cell."""
        request = self._host.running()
        if request is None or not request.allow_stdin:
            return None
        try:
            return await self._stdin.ask(request, question.prompt, question.password)
        except Refused:
            return None
