"""One life of a guest: from its start to the moment nothing of it is left.

Rules: until ``boot-ack`` only ``boot-ack`` and ``fault`` are believed, and any other line is a
failed boot that quotes it (R9); both pipes are drained all the while (D11); a guest that closes its
channel, floods it or stops reading is ended (D4, D5, C13); once it has ended the pipes get 200 ms
to come to their end, whoever else holds them (D14). ``ended`` is set once, when all that is over.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Callable
from typing import Any, Final

from keelbook.guest_process.channel import Channel
from keelbook.guest_process.death import LAST_WORDS, Cause, Ending, last_words
from keelbook.guest_process.decoding import Frame
from keelbook.guest_process.lifeline import Lifeline
from keelbook.guest_process.pipes import Pipes
from keelbook.guest_process.settings import GuestSettings
from keelbook.guest_process.spawn import Launched
from keelbook.guest_process.tree import CpuCount
from keelbook.observer import Stream
from keelbook.text import tail

_PIPES_END_S: Final = 0.2
_GOES_BY_ITSELF_S: Final = 0.2
_GIVEN_UP_S: Final = 4.0
_QUOTED: Final = 200


class BootFailed(Exception):
    """The guest never came up; ``sentence`` says what was tried and what was seen.

    ``by_itself``: the process ended without the host's doing.
    """

    def __init__(self, sentence: str, *, by_itself: bool = False) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.by_itself = by_itself


class GuestProcess:
    """A running guest. ``on_frame`` gets its frames once it has booted, ``on_text`` its
    pipes; ``on_damage`` hears of a line that was no frame."""

    def __init__(
        self,
        launched: Launched,
        settings: GuestSettings,
        on_frame: Callable[[Frame], None],
        on_text: Callable[[Stream, str], None],
        on_damage: Callable[[], None],
    ) -> None:
        self._on_damage = on_damage
        self._loop = asyncio.get_running_loop()
        self._settings = settings
        self._on_frame = on_frame
        self._on_text = on_text
        self._ack: asyncio.Future[Frame] | None = None
        self._cause: Cause = ""
        self._detail = ""
        self._stderr = ""
        self.ready = False
        self.tmp = launched.tmp
        self.python = launched.plan.python
        self.cpu = CpuCount(launched.pid)
        self.ended: asyncio.Future[Ending] = self._loop.create_future()
        self.lifeline = Lifeline(launched.lifeline, launched.pid)
        self.pipes = Pipes(launched.stdout, launched.stderr, self._text)
        self.channel = Channel(
            launched.channel, settings.limits, self._frame, self._bad_line, self._channel_ended
        )
        self._end = self._loop.create_task(self._until_end())

    # ------------------------------------------------------------ boot

    async def boot(self, record: Frame) -> Frame:
        """Sends ``boot`` and waits for its ``boot-ack``. Raises BootFailed; the guest is gone."""
        self._ack = self._loop.create_future()
        self.channel.send(record)
        done, _ = await asyncio.wait(
            (self._ack, self.ended),
            timeout=self._settings.boot_s,
            return_when=asyncio.FIRST_COMPLETED,
        )
        if self._ack in done and self._ack.exception() is None:
            return self._ack.result()
        why = str(self._ack.exception()) if self._ack in done else ""
        if not why and not done:
            why = f"it gave no answer within {self._settings.boot_s:g} s"
        self._ack.cancel()
        if not self.ended.done():
            self.kill("host", "did not boot and was ended")
        ending = await self.ended
        said = f" Its last words: {ending.last_words}" if ending.last_words else ""
        raise BootFailed(
            f"No guest could be started with {self.python}: {why or 'it ' + ending.how}.{said}",
            by_itself=not ending.cause,
        )

    def _frame(self, frame: Frame) -> None:
        if self.ready:
            self._on_frame(frame)
        elif self._ack is None or self._ack.done():
            return
        elif frame["t"] == "boot-ack":
            self.ready = True
            self._ack.set_result(frame)
        elif frame["t"] == "fault":
            self._ack.set_exception(BootFailed(frame["message"].rstrip(".")))
        else:
            self._ack.set_exception(BootFailed(f"it said `{frame['t']}` before it had booted"))

    def _bad_line(self, line: bytes, why: str) -> None:
        if self.ready:
            self._on_damage()
        elif self._ack is not None and not self._ack.done():
            quoted = line[:_QUOTED].decode("utf-8", "backslashreplace")
            self._ack.set_exception(BootFailed(f"it said `{quoted}` ({why})"))

    def _text(self, stream: Stream, text: str) -> None:
        if stream == "stderr":
            self._stderr = tail(self._stderr + text, LAST_WORDS)
        self._on_text(stream, text)

    # ------------------------------------------------------------ end

    def kill(self, cause: Cause, detail: str = "") -> None:
        """Ends the guest and all it started. The first cause stands."""
        if not self._cause and not self.lifeline.ended.done():
            self._cause, self._detail = cause, detail
        self.lifeline.kill()

    def _channel_ended(self, why: str) -> None:
        if why != "closed":
            self.kill("overlong" if why == "overlong" else "stuck")
        elif not self.lifeline.ended.done():
            self._loop.call_later(_GOES_BY_ITSELF_S, self._still_there)

    def _still_there(self) -> None:
        """The channel is closed, and the guest has had its time to end too."""
        if not self.lifeline.ended.done():
            self.kill("closed")

    async def _until_end(self) -> None:
        status = await self.lifeline.ended
        self.channel.read_pending()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.pipes.at_end.wait(), _PIPES_END_S)
        self._finish(status)

    def _finish(self, status: int | None) -> None:
        self.channel.close()
        self.pipes.close()
        shutil.rmtree(self.tmp, ignore_errors=True)
        if not self.ended.done():
            words = last_words(self._stderr)
            self.ended.set_result(Ending(status, self._cause, self._detail, words))

    async def shut_down(self, grace_s: float) -> None:
        """A clean end: asks, waits ``grace_s``, then insists. Returns when nothing is left."""
        if self.ready and self.channel.open:
            self._cause, self._detail = "host", "was shut down"
            self.channel.send({"t": "shutdown", "run": None, "grace_s": grace_s})
            await asyncio.wait((self.ended,), timeout=grace_s)
        await self.end_now("was shut down")

    async def end_now(self, detail: str) -> None:
        """Kills and waits; a process the system will not end is given up after some seconds."""
        if not self.ended.done():
            self.kill("host", detail)
            await asyncio.wait((self.ended,), timeout=_GIVEN_UP_S)
        if not self.ended.done():
            self._end.cancel()
            self._finish(None)

    def facts(self) -> dict[str, Any]:
        """What the protocol counters stand at, for `doctor` and tests."""
        decoder = self.channel.decoder
        return {"dropped": decoder.dropped, "unknown_fields": decoder.unknown_fields}
