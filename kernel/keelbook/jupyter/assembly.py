"""Opens the session of one kernel: profile, guest, log, and the person at the front end.

Rules: the guest that was launched before anything was known of the profile is used when the profile
wants just that one, and ended when it does not. The notebook's path names the session; a client
without one (nbclient, nbval) gets a new session.
"""

from __future__ import annotations

import os
from pathlib import Path

from keelbook.ask import LineQuestion
from keelbook.errors import Refused
from keelbook.files import private_places
from keelbook.guest_process.guest import Guest
from keelbook.guest_process.spawn import Launched
from keelbook.interpreter import Interpreter
from keelbook.jupyter.host import Host
from keelbook.jupyter.stdin import Stdin
from keelbook.parts import Parts
from keelbook.profile import load
from keelbook.session import Session


class Opener:
    """Opens once. ``early`` is a launched guest, or None where it could not be launched."""

    def __init__(self, early: Launched | None, stdin: Stdin) -> None:
        self._early = early
        self._stdin = stdin

    async def __call__(self, host: Host) -> tuple[Session, Interpreter]:
        """The session and its guest. Raises BadConfig or Refused."""
        workspace, early = Path.cwd(), self._early
        self._early = None
        try:
            guest, parts = _assembled(workspace, early)
        except BaseException:
            if early is not None:
                early.discard()
            raise
        session = await Session.open(
            parts,
            guest,
            workspace=workspace,
            origin=os.environ.get("JPY_SESSION_NAME", ""),
            person=FrontEnd(host, self._stdin),
            watcher=host,
        )
        return session, guest


def _assembled(workspace: Path, early: Launched | None) -> tuple[Guest, Parts]:
    """A guest that boots from now on, and the parts of the session. Raises BadConfig."""
    profile = load(workspace)
    parts = profile.parts()
    protected = [str(each) for each in private_places(Path.home(), os.environ)]
    guest = Guest(
        profile.guest,
        cwd=str(workspace),
        early=early,
        protected=protected,
        never_env=profile.key_variables,
    )
    return guest, parts


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
