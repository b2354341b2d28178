"""What the guest may read and write, and the canary that shows whether the system holds it to that.

Rules (H9, H12, H14-H16): by allow-list; a setting can add folders, and a protected folder that a
grant happens to open is hidden where that can be done, and named where it cannot;
what the guest needs of its own interpreter it adds itself, because only it knows where that is. The
canary is a folder its user could write and the guest may not: a backend counts as active only when
the guest was refused there and the host itself sees the folder untouched.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Final, Self

from keelbook.guest_process import managed
from keelbook.guest_process.decoding import Frame
from keelbook.guest_process.settings import GuestSettings
from keelbook.guest_process.spawn import cache_folder, guest_folder, lent

SYSTEM: Final = (
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/opt",
    "/nix/store",
    "/System",
    "/Library",
    "/proc",
    "/sys",
)
ETC: Final = tuple(
    f"/etc/{name}"
    for name in (
        "alternatives",
        "ca-certificates",
        "ca-certificates.conf",
        "crypto-policies",
        "debian_version",
        "fonts",
        "gai.conf",
        "group",
        "host.conf",
        "hostname",
        "hosts",
        "inputrc",
        "ld.so.cache",
        "ld.so.conf",
        "ld.so.conf.d",
        "localtime",
        "locale.alias",
        "locale.conf",
        "lsb-release",
        "machine-id",
        "magic",
        "mime.types",
        "nsswitch.conf",
        "os-release",
        "passwd",
        "pki",
        "profile",
        "protocols",
        "resolv.conf",
        "rpc",
        "services",
        "shells",
        "ssl",
        "timezone",
        "vulkan",
        "OpenCL",
    )
)
DEVICES: Final = ("/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/fd", "/dev/tty")
GPU_DEVICES: Final = (
    "/dev/nvidiactl",
    "/dev/nvidia-uvm",
    "/dev/nvidia-uvm-tools",
    "/dev/nvidia-modeset",
    *(f"/dev/nvidia{number}" for number in range(16)),
    "/dev/kfd",
    "/dev/dri",
)
WRITABLE_DEVICES: Final = ("/dev/null", "/dev/shm", "/dev/ptmx", "/dev/pts")


def confine_record(settings: GuestSettings, cwd: str, tmp: str, canary: str) -> Frame:
    """The ``Confine`` record of a ``boot`` frame or a command."""
    confine = settings.confine
    gpu = present(GPU_DEVICES)
    own = [managed.folder()] if settings.python == "managed" else []
    write = [
        *(cwd, tmp, cache_folder()),
        *present((*own, *WRITABLE_DEVICES)),
        *gpu,
        *paths(confine.write),
    ]
    roots = [skill.root for skill in settings.skills if skill.root is not None]
    read = [
        *present((*SYSTEM, *ETC, *DEVICES)),
        guest_folder(),
        *lent().values(),
        *paths(roots),
        *paths(confine.read),
    ]
    return {
        "mode": confine.mode,
        "read": read,
        "write": write,
        "tcp": list(confine.tcp) if isinstance(confine.tcp, tuple) else confine.tcp,
        "namespaces": list(confine.namespaces),
        "canary": canary,
    }


def paths(given: Iterable[str]) -> list[str]:
    """Settings as absolute paths with links followed; those that are not there are left out."""
    real = (os.path.realpath(os.path.expanduser(each)) for each in given)
    return [each for each in real if os.path.exists(each)]


def present(names: Iterable[str]) -> list[str]:
    """Those of ``names`` that exist."""
    return [name for name in names if os.path.exists(name)]


def opened(settings: GuestSettings, cwd: str, protected: Sequence[str]) -> list[str]:
    """The protected folders that lie below a grant (H16).

    A system's grants cannot be taken back below, so these are open to reading unless a mount
    namespace hides them. One that a setting names itself is meant to be open.
    """
    tops = paths((cwd, *settings.confine.read, *settings.confine.write))
    meant = set(paths((*settings.confine.read, *settings.confine.write)))
    return [
        each
        for each in paths(protected)
        if each not in meant and any(os.path.commonpath((top, each)) == top for top in tops)
    ]


class Canary:
    """A folder that must stay empty while a guest proves its confinement."""

    def __init__(self, granted: Sequence[str] = ()) -> None:
        homes = [os.path.dirname(cache_folder()), os.environ.get("TMPDIR") or "/tmp", "/var/tmp"]
        tops = paths(granted)
        usable = [
            home
            for home in map(os.path.realpath, homes)
            if os.access(home, os.W_OK)
            and not any(os.path.commonpath((home, top)) == top for top in tops)
        ]
        self.folder = os.path.join((usable or homes)[0], f"keelbook-canary-{os.urandom(8).hex()}")

    def __enter__(self) -> Self:
        os.mkdir(self.folder, 0o700)
        return self

    def untouched(self) -> bool:
        """Whether nothing was written there."""
        return not os.listdir(self.folder)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
