"""``keelbook install``: a kernelspec whose cells run in an interpreter of your choice.

Rules: the host stays in Keelbook's own interpreter, only the guest changes, and nothing is
installed into the one chosen. The interpreter is tried before anything is written. A kernel that is
not Keelbook's is never replaced.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import Any

from keelbook.errors import BadConfig

OLDEST = (3, 10)
LAUNCHER = "keelbook.jupyter.launcher"
_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_ASK = (
    "import json,sys;"
    "print(json.dumps([sys.implementation.name,sys.version_info[:3],sys.executable]))"
)


def run(options: Namespace) -> int:
    """Makes the kernelspec and says where."""
    from jupyter_client.kernelspec import KernelSpecManager

    python, version = _interpreter(options.python)
    name = options.name or "keelbook"
    if not _NAME.fullmatch(name):
        raise BadConfig(f"`{name}` is no kernel name: letters, digits, `.`, `_` and `-` work.")
    if options.profile:
        _known(options.profile)
    _refuse_foreign(name)
    with tempfile.TemporaryDirectory() as folder:
        _fill(Path(folder), _spec(options, name, python, version))
        place: dict[str, Any] = {"user": True} if options.user else {"prefix": sys.prefix}
        try:
            made = KernelSpecManager().install_kernel_spec(folder, name, **place)
        except OSError as error:
            raise BadConfig(
                f"The kernel cannot be written to {error.filename}: {error.strerror}; try --user."
            ) from None
    ran = f"Python {version} at {python}" if python else "Keelbook's own Python"
    print(f"Made the kernel `{name}` in {made}; its cells run in {ran}.")
    return 0


def _interpreter(given: str | None) -> tuple[str | None, str]:
    """The interpreter's absolute path and version; None: Keelbook's own. Raises BadConfig."""
    if given is None:
        return None, ""
    path = os.path.abspath(os.path.expanduser(shutil.which(given) or given))
    try:
        done = subprocess.run(
            [path, "-I", "-c", _ASK], capture_output=True, text=True, timeout=30, check=True
        )
        kind, version, _ = json.loads(done.stdout)
    except FileNotFoundError:
        raise BadConfig(f"There is no interpreter at {path}.") from None
    except (OSError, subprocess.SubprocessError, ValueError):
        raise BadConfig(f"{path} is no Python that can be started.") from None
    dotted = ".".join(map(str, version))
    if kind != "cpython" or tuple(version[:2]) < OLDEST:
        raise BadConfig(f"{path} is {kind} {dotted}; cells need CPython 3.10 or newer.")
    return path, dotted


def _known(profile: str) -> None:
    """Raises BadConfig when no profile of that name can be loaded."""
    from keelbook.profile import load

    with tempfile.TemporaryDirectory() as nowhere:
        load(Path(nowhere), profile=profile)


def _refuse_foreign(name: str) -> None:
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    try:
        there = KernelSpecManager().get_kernel_spec(name)
    except NoSuchKernel:
        return
    if LAUNCHER not in there.argv:
        raise BadConfig(f"There is a kernel `{name}` that is not Keelbook's; give another --name.")


def _spec(options: Namespace, name: str, python: str | None, version: str) -> dict[str, Any]:
    shown = options.display_name or (
        f"Keelbook (Python {version}, {name})" if python else "Keelbook"
    )
    env = {"KEELBOOK_PYTHON": python, "KEELBOOK_PROFILE": options.profile}
    return {
        "argv": [sys.executable, "-P", "-m", LAUNCHER, "-f", "{connection_file}"],
        "display_name": shown,
        "language": "python",
        "interrupt_mode": "message",
        "env": {key: value for key, value in env.items() if value},
        "metadata": {"debugger": False},
    }


def _fill(folder: Path, spec: dict[str, Any]) -> None:
    from keelbook import jupyter

    (folder / "kernel.json").write_text(json.dumps(spec, indent=2) + "\n")
    for logo in (Path(jupyter.__file__).parent / "kernelspec").glob("logo-*"):
        shutil.copy(logo, folder)
