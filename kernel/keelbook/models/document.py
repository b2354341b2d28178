"""Opens the file a model is made from: an ordinary file, and nothing that waits or never ends.

Rules: a pipe, a device or a folder is an OSError like a file that is not there, so that a name
somebody else chose (a stranger's workspace, an agent's cell) cannot hold up the host.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def opened(path: Path) -> BinaryIO:
    """The file at ``path``, for reading. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "It is no ordinary file")
    return os.fdopen(descriptor, "rb")
