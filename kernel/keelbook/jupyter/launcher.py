"""Starts the kernel: ``python -P -m keelbook.jupyter.launcher -f CONNECTION_FILE``.

Rules: the guest is started first and boots while the rest of the host is imported; the current
folder is not on ``sys.path`` and PYTHONPATH comes last, so that a user's ``json.py`` there cannot
stand in for ours; nothing heavy is imported at the top of this file. Collection of garbage waits
until the host is up, and pydantic does not search every installed distribution for plugins.
"""

from __future__ import annotations

import gc
import os
import sys


def main(argv: list[str] | None = None) -> int:
    """Runs a kernel until it is shut down; the process's exit status."""
    gc.disable()
    _prefer_what_is_installed()
    os.environ.pop("MPLBACKEND", None)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    guest = _early_guest()
    from keelbook.jupyter.app import run

    return run(sys.argv[1:] if argv is None else argv, guest)


def _prefer_what_is_installed() -> None:
    """Drops what ``python -m`` without ``-P`` puts first, and puts PYTHONPATH's folders last.

    An empty entry of PYTHONPATH is the current folder; the person's cells get PYTHONPATH whole.
    """
    if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):
        del sys.path[0]
    given = os.environ.get("PYTHONPATH")
    if given:
        folders = {os.path.abspath(entry) for entry in given.split(os.pathsep)}
        sys.path.sort(key=lambda entry: os.path.abspath(entry) in folders)


def _early_guest() -> object | None:
    """A guest in this interpreter, booting; None where it cannot be started (said later)."""
    from keelbook.guest_process.spawn import launch

    try:
        return launch()
    except OSError:
        return None


if __name__ == "__main__":
    sys.exit(main())
