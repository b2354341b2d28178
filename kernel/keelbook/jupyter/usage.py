"""What the host and the guest's tree use of the machine.

Rules (guest J12): shares of a processor are measured between two questions, so the first answer is
0; memory is what is resident.
"""

from __future__ import annotations

import os
import time
from typing import Any

from keelbook.interpreter import ResourceUse


class Usage:
    """Remembers the last question."""

    def __init__(self) -> None:
        self._asked = time.monotonic()
        self._cpu_s = 0.0

    def now(self, guest: ResourceUse | None) -> dict[str, Any]:
        """Part of a ``usage_reply``: per cent of one processor, bytes, the guest's pid."""
        import psutil

        own = os.times()
        cpu_s = own.user + own.system + (guest.cpu_s if guest else 0.0)
        now = time.monotonic()
        share = 100 * max(cpu_s - self._cpu_s, 0.0) / max(now - self._asked, 1e-3)
        first, self._asked, self._cpu_s = self._cpu_s == 0.0, now, cpu_s
        return {
            "kernel_cpu": 0.0 if first else round(share, 1),
            "kernel_memory": psutil.Process().memory_info().rss + (guest.memory if guest else 0),
            "guest_pid": guest.pid if guest else None,
            "cpu_count": psutil.cpu_count(logical=True),
            "host_cpu_percent": psutil.cpu_percent(),
            "host_virtual_memory": dict(psutil.virtual_memory()._asdict()),
        }
