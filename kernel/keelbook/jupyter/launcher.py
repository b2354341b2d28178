"""Starts the kernel: ``python -P -m keelbook.jupyter.launcher -f CONNECTION_FILE``.

Rules: the guest is started first and boots while the rest of the host is imported; the current
folder is not on ``sys.path``, so that a user's ``json.py`` there cannot stand in for ours; nothing
heavy is imported at the top of this file. Collection of garbage waits until the host is up.
"""

from __future__ import annotations

import gc
import os
import sys


def main(argv: list[str] | None = None) -> int:
    """Runs a kernel until it is shut down; the process's exit status."""
    gc.disable()
    _leave_the_current_folder()
    os.environ.pop("MPLBACKEND", None)
    guest = _early_guest()
    from keelbook.jupyter.app import run

    return run(sys.argv[1:] if argv is None else argv, guest)


def _leave_the_current_folder() -> None:
    """Takes off the import path what ``python -m`` without ``-P`` puts first on it."""
    if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):
        del sys.path[0]


def _early_guest() -> object | None:
    """A guest in this interpreter, booting; None where it cannot be started (said later)."""
    from keelbook.guest_process.spawn import launch

    try:
        return launch()
    except OSError:
        return None


if __name__ == "__main__":
    sys.exit(main())
