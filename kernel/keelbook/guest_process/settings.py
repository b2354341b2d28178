"""The settings of the guest: interpreter, confinement, budgets, caps.

Rules: defaults are those of ``guest.md`` section 14; null means not set. Seconds are seconds,
sizes are bytes. ``Limits`` are the numbers a guest is told; the others bind the host alone.
"""

import os
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from keelbook.config import Config
from keelbook.guest_process.protocol import LIMITS

KIB, MIB = 1024, 1024 * 1024
Seconds = Annotated[float, Field(gt=0)]
Bytes = Annotated[int, Field(gt=0)]
Count = Annotated[int, Field(gt=0)]
Port = Annotated[int, Field(ge=0, le=65535)]
SpaceName = Literal["user", "pid", "net", "mount"]


class Limits(Config):
    """The numbers a guest works by. ``address_bytes`` 0 stands for 80 % of the memory."""

    address_bytes: Annotated[int, Field(ge=0)] | None = 0
    nofile: Count | None = 4096
    fsize_bytes: Bytes | None = None
    cpu_life_s: Seconds | None = None
    notebook_text_bytes: Bytes | None = 8 * MIB
    display_bytes: Bytes | None = 16 * MIB
    value_bytes: Bytes | None = 64 * KIB
    traceback_bytes: Bytes | None = 256 * KIB
    args_bytes: Bytes | None = 32 * MIB
    depth: Annotated[int, Field(gt=0, le=200)] = 200
    line_bytes: Annotated[int, Field(ge=64 * KIB)] = MIB
    inline_bytes: Annotated[int, Field(ge=KIB)] = 256 * KIB
    payload_bytes: Annotated[int, Field(ge=MIB)] = 64 * MIB
    fds: Annotated[int, Field(gt=0, le=64)] = 8
    flush_s: Seconds = 0.05
    grace_s: Seconds = 2.0
    skill_s: Seconds = 10.0
    answer_s: Seconds = 1.0

    @model_validator(mode="after")
    def _fit(self) -> Self:
        if self.fsize_bytes is not None and self.fsize_bytes < self.payload_bytes:
            raise ValueError(
                "fsizeBytes must not be smaller than payloadBytes: a payload counts as a file."
            )
        if self.inline_bytes * 2 > self.line_bytes:
            raise ValueError("lineBytes must be at least twice inlineBytes.")
        return self

    def frame(self, idle_cpu_s: float | None) -> dict[str, Any]:
        """The ``Limits`` record of a ``boot`` frame."""
        fields = dict(self)
        fields["address_bytes"] = address_bytes() if self.address_bytes == 0 else self.address_bytes
        fields["idle_cpu_s"] = idle_cpu_s
        return {name: fields[name] for name in LIMITS}


class Confinement(Config):
    """What the guest may reach. ``read`` and ``write`` are folders granted besides the usual."""

    mode: Literal["required", "on", "off"] = "on"
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    tcp: Literal["all", "none"] | tuple[Port, ...] = "all"
    namespaces: tuple[SpaceName, ...] = ()


class SkillSetting(Config):
    """A skill: bound as ``name``, imported as ``module`` with ``root`` on its path."""

    name: str
    module: str
    root: str | None = None


class GuestSettings(Config):
    """All settings of one guest. ``python``: ``host``, ``managed`` or an interpreter's path."""

    python: str = "host"
    pass_env: tuple[str, ...] = ()
    confine: Confinement = Confinement.model_construct()
    limits: Limits = Limits.model_construct()
    skills: tuple[SkillSetting, ...] = ()
    boot_s: Seconds = 30.0
    shutdown_s: Seconds = 2.0
    idle_cpu_s: Seconds | None = 30.0
    parallel_calls: Count = 10
    calls_per_cell: Count | None = 256
    result_bytes: Bytes = 32 * MIB
    display_bytes_per_cell: Bytes = 64 * MIB
    shell_output_bytes: Bytes = 8 * MIB


def address_bytes() -> int | None:
    """80 % of the memory this process may use; None where a GPU maps far more than there is."""
    if any(os.path.exists(node) for node in ("/dev/nvidiactl", "/dev/kfd")):
        return None
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None
    caps = [total, *_group_limits()]
    return min(caps) * 8 // 10


def _group_limits() -> list[int]:
    found = []
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path, encoding="ascii") as file:
                text = file.read().strip()
        except OSError:
            continue
        if text.isdecimal() and int(text) > 0:
            found.append(int(text))
    return found
