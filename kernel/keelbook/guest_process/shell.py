"""One shell command under the guest's confinement, in a warden of its own.

Rules (D7, D9, D10, H4, A35): the command gets the guest's grants and limits and nothing of the
channel; what it writes is passed on as it comes and kept up to a cap; at its end, at its time-out
or when nobody waits any more, all it started is killed. Its stdin is empty.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import Callable
from typing import Any, Final

from keelbook.errors import BadConfig
from keelbook.guest_process.death import describe
from keelbook.guest_process.lifeline import Lifeline
from keelbook.guest_process.outlet import printable
from keelbook.guest_process.pipes import Pipes
from keelbook.guest_process.spawn import launch
from keelbook.guest_process.starter import Starter
from keelbook.interpreter import Shell, ShellOutcome
from keelbook.observer import Stream
from keelbook.text import count, head, size

_PIPES_END_S: Final = 0.2
_GIVEN_UP_S: Final = 4.0
_SHELLS: Final = ("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh")


class _Kept:
    """What a command wrote, up to a cap over both streams."""

    def __init__(self, most: int, on_output: Callable[[Stream, str], None]) -> None:
        self._left = most
        self._on_output = on_output
        self.cut = 0
        self.parts: dict[Stream, list[str]] = {"stdout": [], "stderr": []}

    def take(self, stream: Stream, text: str) -> None:
        text = printable(text)
        kept = head(text, self._left)
        length = size(kept)
        self._left -= length
        self.cut += size(text) - length
        if kept:
            self.parts[stream].append(kept)
            self._on_output(stream, kept)


async def run_command(
    starter: Starter, shell: Shell, on_output: Callable[[Stream, str], None]
) -> ShellOutcome:
    """Runs one command to its end. Raises BadConfig when no process can be started."""
    cwd = shell.cwd or starter.cwd
    if not _is_folder(cwd):
        return ShellOutcome(None, "", "", sentence=f"There is no folder {cwd}.")
    try:
        launched = launch(starter.command_plan(_argv(shell.command), cwd), confine=starter.confine)
    except OSError as problem:
        raise BadConfig(f"No command could be started: {problem.strerror or problem}.") from None
    launched.channel.close()
    kept = _Kept(starter.settings.shell_output_bytes, on_output)
    lifeline = Lifeline(launched.lifeline, launched.pid)
    pipes = Pipes(launched.stdout, launched.stderr, kept.take)
    timed_out = False
    try:
        done, _ = await asyncio.wait((lifeline.ended,), timeout=shell.timeout_s)
        timed_out = not done
        if timed_out:
            await _end(lifeline)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(pipes.at_end.wait(), _PIPES_END_S)
    finally:
        await asyncio.shield(_end(lifeline))
        pipes.close()
        shutil.rmtree(launched.tmp, ignore_errors=True)
    status = lifeline.ended.result() if lifeline.ended.done() else None
    return _outcome(shell, status, timed_out, kept)


async def _end(lifeline: Lifeline) -> None:
    if not lifeline.ended.done():
        lifeline.kill()
        await asyncio.wait((lifeline.ended,), timeout=_GIVEN_UP_S)


def _outcome(shell: Shell, status: int | None, timed_out: bool, kept: _Kept) -> ShellOutcome:
    sentences: list[Any] = []
    code = None
    if timed_out:
        sentences.append(f"The command was ended after {shell.timeout_s:g} s.")
    elif status is not None and os.WIFEXITED(status):
        code = os.waitstatus_to_exitcode(status)
    else:
        sentences.append(f"The command {describe(status)}.")
    if kept.cut:
        sentences.append(f"{count(kept.cut, 'byte')} of its output were left out.")
    stdout, stderr = ("".join(kept.parts[stream]) for stream in ("stdout", "stderr"))
    return ShellOutcome(code, stdout, stderr, timed_out, kept.cut, " ".join(sentences))


def _is_folder(path: str) -> bool:
    return os.path.isdir(path)


def _argv(command: str) -> list[str]:
    shell = next((each for each in _SHELLS if os.access(each, os.X_OK)), "/bin/sh")
    return [shell, "-c", command]
