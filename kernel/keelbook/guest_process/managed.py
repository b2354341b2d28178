"""The managed interpreter: an environment of the guest's own in the user's cache folder.

Rules (R2, I10): it is built once, under a lock, by whoever comes first, and the others wait, look
again and use it; a marker says what it was built for (protocol, package, skills, base interpreter)
and is written last, so that half an environment is never used; any difference rebuilds it. Nothing
of Keelbook is installed in it, and what a person installs there stays until then.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

from keelbook import __version__
from keelbook.errors import BadConfig
from keelbook.guest_process.protocol import PROTOCOL
from keelbook.guest_process.settings import SkillSetting
from keelbook.guest_process.spawn import cache_folder

_BUILD_S: Final = 300.0
_MARKER: Final = "keelbook.json"


def folder() -> str:
    """Where the environment lies, whether it is there or not."""
    return os.path.join(os.path.dirname(cache_folder()), "managed")


def interpreter() -> str:
    """Its interpreter, whether it is there or not."""
    return os.path.join(folder(), "bin", "python")


def prepare(skills: Sequence[SkillSetting]) -> str:
    """The interpreter of an environment that is ready. Blocks while one is built.

    Raises BadConfig with one sentence when it cannot be built.
    """
    wanted = _marker(skills)
    if _found() == wanted:
        return interpreter()
    try:
        with _lock():
            if _found() != wanted:
                _build(wanted)
    except OSError as problem:
        raise BadConfig(
            f"The managed environment in {folder()} cannot be made: {problem.strerror or problem}.",
            "managed",
        ) from None
    return interpreter()


def _marker(skills: Sequence[SkillSetting]) -> dict[str, Any]:
    return {
        "protocol": PROTOCOL,
        "package": __version__,
        "skills": [[skill.name, skill.module, skill.root] for skill in skills],
        "base": [os.path.realpath(sys.executable), sys.version],
    }


def _found() -> Any:
    """What the environment that is there was built for; None when there is no whole one."""
    try:
        with open(os.path.join(folder(), _MARKER), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    return found if os.access(interpreter(), os.X_OK) else None


@contextlib.contextmanager
def _lock() -> Iterator[None]:
    with open(f"{folder()}.lock", "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _build(marker: dict[str, Any]) -> None:
    shutil.rmtree(folder(), ignore_errors=True)
    base = getattr(sys, "_base_executable", None) or sys.executable
    try:
        built = subprocess.run(
            [base, "-I", "-m", "venv", folder()],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_BUILD_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BadConfig(
            f"The managed environment was not built within {_BUILD_S:g} s.", "managed"
        ) from None
    if built.returncode:
        words = " ".join((built.stderr or built.stdout).split())[-300:]
        raise BadConfig(
            f"The managed environment could not be built with {base} -m venv: {words}", "managed"
        )
    with open(os.path.join(folder(), _MARKER), "w", encoding="utf-8") as file:
        json.dump(marker, file)
