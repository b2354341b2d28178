"""A confined command: limits and confinement as for a guest, then `exec`.

Rules: nothing but the command's own output reaches its pipes, unless it cannot be
started: then one sentence on stderr and exit code 126 (127 if there is no such program).
Signals that Python ignores are as a shell expects them.
"""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Any, NoReturn

from keelbook_guest.codec import encode
from keelbook_guest.confine import confine
from keelbook_guest.limits import apply_limits
from keelbook_guest.spaces import Entered

CHANNEL = 3
CANNOT, NOT_FOUND = 126, 127


def run_command(start: dict[str, Any], entered: Entered, reporting: int) -> NoReturn:
    """Becomes the command of a start record; `reporting` takes what was applied."""
    argv: list[str] = start["argv"]
    with contextlib.suppress(OSError):
        os.close(CHANNEL)
    try:
        os.chdir(start["cwd"])
    except OSError as error:
        _give_up(f"The folder {start['cwd']} cannot be entered: {error.strerror}.", CANNOT)
    applied = apply_limits(start["limits"])
    confined, _ = confine(start["confine"], os.environ.get("TMPDIR", ""), entered)
    line = encode({"confined": confined, "applied": applied})
    os.write(reporting, line.encode("ascii") + b"\n")
    os.close(reporting)
    if start["confine"]["mode"] == "required" and confined["rung"] == "unconfined":
        _give_up(f"The command cannot be confined: {confined['reason']}.", CANNOT)
    for name in ("SIGPIPE", "SIGXFSZ", "SIGINT"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        code = NOT_FOUND if isinstance(error, FileNotFoundError) else CANNOT
        _give_up(f"{argv[0]} cannot be executed: {error.strerror}.", code)


def _give_up(sentence: str, code: int) -> NoReturn:
    os.write(2, sentence.encode("utf-8", "backslashreplace") + b"\n")
    os._exit(code)
