"""What a guest shows, on its way to the notebook: capped, merged, kept to a bearable rate.

Rules (B35, G3, G16): what comes alone goes on at once; in a flood text of one stream is put
together, updates of one display are merged to the last, and at most 200 messages a second go out;
what cannot wait is dropped and counted. Caps hold whatever the guest's own caps did: text per
stream and cell, bytes per bundle and per cell. A cut never falls inside a character, and what was
left out is a number in a field, said once at the end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from keelbook.guest_process.settings import GuestSettings
from keelbook.observer import Display, Output, Stream
from keelbook.text import count, head, size

_PER_SECOND: Final = 200.0
_BURST: Final = 40.0
_WAITING: Final = 400
_LINE_WAITS_S: Final = 0.005

Shown = Output | Display
Emit = Callable[[str | None, Shown], None]


@dataclass(slots=True)
class _Waiting:
    run: str | None
    shown: Shown
    parts: list[str]


class Outlet:
    """Takes what a guest shows and calls ``emit`` with the run it belongs to (or None)."""

    def __init__(self, emit: Emit, settings: GuestSettings) -> None:
        self._loop = asyncio.get_running_loop()
        self._emit = emit
        self._text_bytes = settings.limits.notebook_text_bytes
        self._bundle_bytes = settings.limits.display_bytes
        self._cell_bytes = settings.display_bytes_per_cell
        self._waiting: list[_Waiting] = []
        self._timer: asyncio.TimerHandle | None = None
        self._allowance = _BURST
        self._counted_at = 0.0
        self.renew()

    def renew(self) -> None:
        """A new cell begins: its caps are whole again."""
        self._written: dict[Stream, int] = {"stdout": 0, "stderr": 0}
        self._left_out: dict[Stream, int] = {"stdout": 0, "stderr": 0}
        self._shown_bytes = 0
        self._dropped = 0

    # ------------------------------------------------------------ in

    def text(self, run: str | None, output: Output) -> None:
        """Stream text."""
        stream, text = output.stream, printable(output.text)
        self._left_out[stream] += output.cut
        if self._text_bytes is not None:
            length = len(text) if text.isascii() else size(text)
            room = self._text_bytes - self._written[stream]
            if length > room:
                kept = head(text, room)
                self._left_out[stream] += length - size(kept)
                text, length = kept, room
            self._written[stream] += length
        if text:
            self._put(run, replace(output, text=text, cut=0))

    def display(self, run: str | None, display: Display) -> None:
        """A rich display."""
        length = sum(map(_bytes_of, display.data.values()))
        self._shown_bytes += length
        if length > (self._bundle_bytes or length):
            display = _without(display, length, "more than one display may hold")
        elif self._shown_bytes > self._cell_bytes:
            display = _without(display, length, "more than one cell may show")
        self._put(run, display)

    def flush(self) -> None:
        """Sends on all that waits, and says what was left out since the last ``renew``."""
        self._send_all()
        for stream, left_out in self._left_out.items():
            if left_out:
                self._left_out[stream] = 0
                self._emit(None, Output(stream, "", cut=left_out))
        if self._dropped:
            words = f"[{count(self._dropped, 'display')} left out: more than can be shown]\n"
            self._dropped = 0
            self._emit(None, Output("stderr", words))

    def close(self) -> None:
        """Nothing waits any more."""
        self.flush()

    # ------------------------------------------------------------ out

    def _put(self, run: str | None, shown: Shown) -> None:
        if not self._waiting and self._allowed():
            self._emit(run, shown)
            return
        if not self._merged(run, shown):
            if len(self._waiting) >= _WAITING and isinstance(shown, Display):
                self._dropped += 1
                return
            parts = [shown.text] if isinstance(shown, Output) else []
            self._waiting.append(_Waiting(run, shown, parts))
        if self._timer is None:
            self._timer = self._loop.call_later(_LINE_WAITS_S, self._tick)

    def _merged(self, run: str | None, shown: Shown) -> bool:
        if isinstance(shown, Output):
            full = len(self._waiting) >= _WAITING
            for last in reversed(self._waiting if full else self._waiting[-1:]):
                if (
                    isinstance(last.shown, Output)
                    and last.run == run
                    and (last.shown.stream, last.shown.late) == (shown.stream, shown.late)
                ):
                    last.parts.append(shown.text)
                    return True
            return False
        if shown.op == "update" and shown.display_id is not None:
            for each in self._waiting:
                if (
                    isinstance(each.shown, Display)
                    and each.shown.display_id == shown.display_id
                    and each.shown.op == "update"
                ):
                    each.shown = shown
                    return True
        return False

    def _allowed(self) -> bool:
        now = self._loop.time()
        grown = self._allowance + (now - self._counted_at) * _PER_SECOND
        self._allowance, self._counted_at = min(_BURST, grown), now
        if self._allowance < 1:
            return False
        self._allowance -= 1
        return True

    def _tick(self) -> None:
        self._timer = None
        sent = 0
        while sent < len(self._waiting) and self._allowed():
            self._send(self._waiting[sent])
            sent += 1
        del self._waiting[:sent]
        if self._waiting:
            self._timer = self._loop.call_later(_LINE_WAITS_S, self._tick)

    def _send_all(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            self._send(each)

    def _send(self, each: _Waiting) -> None:
        shown = each.shown
        if isinstance(shown, Output):
            shown = replace(shown, text="".join(each.parts))
        self._emit(each.run, shown)


def printable(text: str) -> str:
    """``text`` with each lone surrogate written as its ``\\udc80`` escape (B11)."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _bytes_of(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(name) + _bytes_of(each) for name, each in value.items())
    if isinstance(value, list):
        return sum(map(_bytes_of, value))
    return 8


def _without(display: Display, length: int, why: str) -> Display:
    kinds = ", ".join(sorted(display.data))
    words = f"[a display of {count(length, 'byte')} ({kinds}) was left out: {why}]"
    return replace(display, data={"text/plain": words}, metadata={})
