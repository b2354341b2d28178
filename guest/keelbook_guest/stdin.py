"""`sys.stdin` of the guest: always at its end, never closed (guest B34)."""

from __future__ import annotations

import io


class NoInput(io.TextIOBase):
    """A text stream with nothing in it; questions go through `input()`."""

    name = "<stdin>"
    mode = "r"
    encoding = "utf-8"
    errors = "strict"

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> str:
        return ""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        return ""

    def fileno(self) -> int:
        return 0

    def isatty(self) -> bool:
        return False

    def close(self) -> None:
        """Stays open: `exit()` closes it, and the next cell reads on."""

    @property
    def closed(self) -> bool:
        return False

    @property
    def buffer(self) -> io.BytesIO:
        """An empty byte stream."""
        return io.BytesIO()
