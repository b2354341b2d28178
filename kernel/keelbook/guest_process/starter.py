"""From settings to a booted guest, or one sentence saying why there is none.

Rules (R1, R9, R10, D18, H12, H20): a guest launched early is used only if it is the one the
settings ask for; ``required`` confinement that is not proven means no guest; every failure says
what was tried and the last words on stderr.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from keelbook.errors import BadConfig
from keelbook.guest_process import managed
from keelbook.guest_process.decoding import Frame
from keelbook.guest_process.frames import Frames
from keelbook.guest_process.grants import Canary, confine_record, opened
from keelbook.guest_process.process import BootFailed, GuestProcess
from keelbook.guest_process.protocol import PROTOCOL
from keelbook.guest_process.records import guest_info, namespace_record, skill_records
from keelbook.guest_process.settings import GuestSettings
from keelbook.guest_process.spawn import Launched, Plan, launch, plan
from keelbook.interpreter import GuestInfo, Namespace

OLDEST: Final = (3, 10)
_WHO: Final = "import sys; print(sys.implementation.name, '%d.%d.%d' % sys.version_info[:3])"
_WHO_S: Final = 5.0


@dataclass(slots=True)
class Starter:
    """Starts guests of one session. ``protected`` folders are never granted."""

    settings: GuestSettings
    session: str
    cwd: str
    python: str
    protected: Sequence[str] = ()
    never_env: Sequence[str] = ()
    early: Launched | None = None

    def launched(self) -> Launched:
        """A started warden: the early one if it will do. Raises BadConfig."""
        wanted = self.plan()
        early, self.early = self.early, None
        if early is not None:
            if early.plan == wanted:
                return early
            early.discard()
        try:
            return launch(wanted)
        except OSError as problem:
            raise BadConfig(
                f"No guest could be started with {self.python}: {problem.strerror or problem}.",
                "guest",
            ) from None

    def close(self) -> None:
        """Ends an early guest nobody took."""
        early, self.early = self.early, None
        if early is not None:
            early.discard()

    def plan(self) -> Plan:
        """What these settings ask for."""
        spaces = self.settings.confine.namespaces
        return plan(
            self.python,
            pass_env=self.settings.pass_env,
            never=self.never_env,
            namespaces=spaces,
            cover=self._opened() if "mount" in spaces else (),
            own_caches=self.settings.confine.mode != "off",
        )

    def _opened(self) -> list[str]:
        return opened(self.settings, self.cwd, self.protected)

    def _exposed(self, missing: Sequence[str]) -> list[str]:
        """Sentences on the protected folders a guest can read all the same (H16)."""
        confine = self.settings.confine
        if confine.mode == "off":
            return []
        hidden = "mount" in confine.namespaces
        return [
            f"reads of {each} cannot be refused: {_holder(each, self.cwd)} contains it"
            for each in self._opened()
            if not hidden or f"cover {each}" in missing
        ]

    def command_plan(self, argv: Sequence[str], cwd: str) -> Plan:
        """The plan for one command beside the guest."""
        guest = self.plan()
        start = {
            **guest.start,
            "mode": "command",
            "argv": list(argv),
            "cwd": cwd,
            "limits": self.settings.limits.frame(None),
        }
        return Plan(guest.python, guest.env, start)

    def confine(self, tmp: str) -> Frame:
        """The ``Confine`` record of a command; its guest has shown the canary."""
        return confine_record(self.settings, self.cwd, tmp, "")

    async def start(
        self,
        namespaces: Sequence[Namespace],
        idle_cpu_s: float | None,
        frames: Frames,
        revived: bool,
    ) -> tuple[GuestProcess, GuestInfo]:
        """A booted guest. Raises BadConfig; nothing of the attempt is left."""
        if self.settings.python == "managed":
            await asyncio.to_thread(managed.prepare, self.settings.skills)
        process = GuestProcess(
            self.launched(), self.settings, frames.take, frames.text, frames.damaged
        )
        frames.attach(process)
        with Canary((self.cwd, *self.settings.confine.write)) as canary:
            record = self._boot(process.tmp, canary.folder, namespaces, idle_cpu_s)
            untouched = _changed(process.tmp)
            try:
                ack = await process.boot(record)
            except BootFailed as problem:
                why = problem.sentence
                if problem.by_itself:
                    why = await asyncio.to_thread(unsuitable_for_a_guest, self.python) or why
                raise BadConfig(why, "guest") from None
            except BaseException:
                await asyncio.shield(process.end_now("was not waited for"))
                raise
            proven = canary.untouched() and _changed(process.tmp) != untouched
        why = self._refused(ack, proven)
        if why:
            await process.end_now("was not wanted")
            raise BadConfig(why, "guest")
        pid = process.lifeline.child or 0
        missing = process.lifeline.missing
        unforced = (*missing, *self._exposed(missing))
        info = guest_info(ack, record["limits"], pid, unforced, revived)
        return process, info

    def _boot(
        self,
        tmp: str,
        canary: str,
        namespaces: Sequence[Namespace],
        idle_cpu_s: float | None,
    ) -> Frame:
        return {
            "t": "boot",
            "run": None,
            "protocol": PROTOCOL,
            "session": self.session,
            "cwd": self.cwd,
            "tmp": tmp,
            "limits": self.settings.limits.frame(idle_cpu_s),
            "confine": confine_record(self.settings, self.cwd, tmp, canary),
            "namespaces": [namespace_record(each) for each in namespaces],
            "skills": skill_records(self.settings),
            "restore": False,
        }

    def _refused(self, ack: Frame, proven: bool) -> str:
        """Why a guest that booted is not taken, or nothing. ``proven``: by what the host saw."""
        if ack["protocol"] != PROTOCOL:
            return (
                f"The guest in {self.python} speaks protocol {ack['protocol']}, "
                f"this host protocol {PROTOCOL}; install the same version of Keelbook for both."
            )
        confined = ack["confined"]
        said = confined["canary"] == "refused"
        if self.settings.confine.mode == "required" and not (said and proven):
            reason = confined["reason"] or "a write outside of what is granted was not refused"
            return f"Confinement is required and cannot be had here: {reason.rstrip('.')}."
        return ""


def unsuitable_for_a_guest(python: str) -> str:
    """Why an interpreter that is there cannot run a guest (R1), or nothing. Blocks."""
    asked = [python, "-I", "-c", _WHO]
    try:
        said = subprocess.run(
            asked, stdin=subprocess.DEVNULL, capture_output=True, timeout=_WHO_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    name, _, version = said.stdout.decode("utf-8", "replace").strip().partition(" ")
    numbers = version.split(".")[:2]
    if len(numbers) != 2 or not all(each.isdecimal() for each in numbers):
        return ""
    if name == "cpython" and tuple(map(int, numbers)) >= OLDEST:
        return ""
    return (
        f"No guest could be started with {python}: it is {name} {version}, "
        f"and a guest needs CPython {OLDEST[0]}.{OLDEST[1]} or newer."
    )


def _holder(path: str, cwd: str) -> str:
    return "the workspace" if os.path.commonpath((path, cwd)) == cwd else "a granted folder"


def _changed(folder: str) -> int:
    """When something was last made or removed in a folder."""
    return os.stat(folder).st_mtime_ns


def interpreter_of(setting: str) -> str:
    """The interpreter a ``python`` setting names. Raises BadConfig."""
    if setting == "host":
        if not sys.executable:
            raise BadConfig("The host's own interpreter is not known; set `python` to a path.")
        return sys.executable
    if setting == "managed":
        return managed.interpreter()
    path = os.path.expanduser(setting)
    if not os.path.isabs(path):
        raise BadConfig(f"python: `{setting}` is neither `host`, `managed` nor an absolute path.")
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        raise BadConfig(f"python: There is no interpreter at {path}.")
    return path
