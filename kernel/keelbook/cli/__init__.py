"""The command ``keelbook``: arguments, and what happens to an error.

Rules: ``--help`` imports nothing but argparse; a command's module is imported when it is run and
exports ``run(options) -> int``. Bad input is one sentence on standard error and exit status 2, a
command that found something wrong ends with 1, a pipe that was closed or Ctrl-C with no traceback.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

from keelbook.errors import BadConfig, KeelbookError

BAD_INPUT = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; the process's exit status."""
    from keelbook.cli.arguments import parsed

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # What a terminal's encoding lacks is spelled out instead of ending the command.
            stream.reconfigure(errors="backslashreplace")
    options = parsed(sys.argv[1:] if argv is None else argv)
    try:
        status = _run(options)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us went away; Python must not complain about that at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(options: Namespace) -> int:
    try:
        status: int = import_module(f"keelbook.cli.{options.module}").run(options)
    except KeelbookError as error:
        for sentence in error.sentences if isinstance(error, BadConfig) else (error.sentence,):
            print(f"keelbook: {sentence}", file=sys.stderr)
        return BAD_INPUT
    return status
