"""``keelbook run``: one turn on a terminal.

Rules: the agent's words go to standard output as they arrive, everything else (calls, results,
notices, how it ended) to standard error. Ctrl-C cancels the turn, a second one gives up. The exit
status is 0 only when the turn was done.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager

from keelbook.ask import LineQuestion
from keelbook.cli.telling import answered, called, ended, safe
from keelbook.errors import BadConfig
from keelbook.events import (
    AssistantMessaged,
    Logged,
    StepRetried,
    ToolEnded,
    ToolStarted,
    TurnEnded,
)
from keelbook.guest_process.guest import Guest
from keelbook.observer import Display, Output
from keelbook.profile import Profile, load
from keelbook.session import Session

STATUS = {"done": 0, "failed": 1, "limited": 1, "aborted": 130}


def run(options: Namespace) -> int:
    """Runs the turn; 0 when it was done."""
    profile = load(options.workspace.resolve(), profile=options.profile, model=options.model)
    request = sys.stdin.read() if options.request == "-" else options.request
    if not request.strip():
        raise BadConfig("There is nothing to ask: the request is empty.")
    return STATUS[asyncio.run(_turn(profile, request, options.session)).kind]


async def _turn(profile: Profile, request: str, session: str | None) -> TurnEnded:
    guest = Guest(
        profile.guest,
        cwd=str(profile.workspace),
        protected=profile.private,
        never_env=profile.key_variables,
    )
    try:
        await guest.start()
        opened = await Session.open(
            profile.parts(),
            guest,
            workspace=profile.workspace,
            session=session,
            person=Terminal(),
        )
    except BaseException:
        await guest.close()
        raise
    show = Show()
    try:
        for notice in opened.take_notices():
            show.aside(notice)
        opened.log.subscribe(show.heard)
        with _interrupt(opened):
            turn = await opened.ask(request, show, by="terminal")
        show.aside(f"[{ended(turn)} Session {opened.id}]")
        return turn
    finally:
        await opened.close()


@contextmanager
def _interrupt(session: Session) -> Iterator[None]:
    """The first Ctrl-C cancels the turn; the next one is Python's own."""
    loop = asyncio.get_running_loop()

    def cancel() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        session.cancel("person")

    loop.add_signal_handler(signal.SIGINT, cancel)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)


class Terminal:
    """The person at the terminal; nobody when standard input is none."""

    async def line(self, question: LineQuestion) -> str | None:
        """Their line, None at the end of input."""
        if not sys.stdin.isatty():
            return None
        return await asyncio.to_thread(_read, safe(question.prompt), question.password)


def _read(prompt: str, password: bool) -> str | None:
    try:
        if password:
            import getpass

            return getpass.getpass(prompt)
        sys.stderr.write(prompt)
        sys.stderr.flush()
        return sys.stdin.readline().rstrip("\n")
    except (EOFError, OSError):
        return None


class Show:
    """Watches the turn: words to standard output, the rest to standard error."""

    def __init__(self) -> None:
        self._open = False

    def words(self, delta: str) -> None:
        """More of the reply."""
        sys.stdout.write(safe(delta))
        sys.stdout.flush()
        self._open = not delta.endswith("\n")

    def retracted(self) -> None:
        """The reply begins anew."""
        self.aside("[The reply broke off and is asked for again.]")

    def output(self, call: str, output: Output) -> None:
        """What a cell or a command prints."""
        self._end_line()
        sys.stderr.write(safe(output.text))
        sys.stderr.flush()

    def display(self, call: str, display: Display) -> None:
        """A display, as its plain text."""
        text = display.data.get("text/plain")
        if isinstance(text, str):
            self.aside(safe(text))

    def heard(self, batch: tuple[Logged, ...]) -> None:
        """The log grew."""
        for logged in batch:
            match logged.event:
                case ToolStarted() as event:
                    self.aside(called(event))
                case ToolEnded() as event if event.is_error:
                    for line in answered(event):
                        self.aside(line)
                case StepRetried(code=code):
                    self.aside(f"  The request is sent again ({code}).")
                case AssistantMessaged():
                    self._end_line()

    def aside(self, line: str) -> None:
        """A line to standard error."""
        self._end_line()
        print(line, file=sys.stderr, flush=True)

    def _end_line(self) -> None:
        if self._open:
            sys.stdout.write("\n")
            sys.stdout.flush()
            self._open = False
