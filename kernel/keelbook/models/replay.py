"""The replay: a recorded session's model, reply by reply, while everything it asks for runs anew.

Rules: no side effect is replayed, the tools really run; before each reply what they answered is
compared with the recording, and the first difference ends the turn with one sentence. Addresses
of objects in memory differ from run to run and are not compared.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from itertools import zip_longest

from keelbook.errors import ModelFailed
from keelbook.messages import AssistantTurn, Call, Part, Text, ToolAnswer, text_of
from keelbook.model import Price, Request
from keelbook.models.recording import Answered, RecordedReply, RecordedTurn
from keelbook.models.settings import ModelSettings
from keelbook.models.turns import Place, came_back, quoted
from keelbook.text import count

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
LEAD = 20
"""Characters shown before the first difference."""


class ReplayModel:
    """Plays recorded ``turns``. ``name`` is ``replay:`` and the file or session as given."""

    def __init__(self, name: str, turns: Sequence[RecordedTurn], settings: ModelSettings) -> None:
        self.name = name
        self.window = settings.window
        self.price: Price | None = settings.price.price() if settings.price else None
        self.images = settings.images
        self._turns = tuple(turns)
        self._texts = settings.check == "results"
        self._title = f"The recording `{name.partition(':')[2]}`"
        self._place = Place(self._title, [turn.request or None for turn in turns])

    async def request(self, request: Request, on_words: Callable[[str], None]) -> AssistantTurn:
        """The next recorded reply. Raises ModelFailed, kind ``script``, where the two part ways."""
        turn = self._place.find(request)
        replies = self._turns[turn].replies
        where = f"{self._title}, turn {turn + 1}, reply {request.step + 1}"
        if request.step >= len(replies):
            raise ModelFailed(
                f"{self._title} has {count(len(replies), 'reply', 'replies')} in turn {turn + 1} "
                "and the session asks for one more; it was recorded no further.",
                "script",
            )
        reply = replies[request.step]
        self._compare(reply, request, where)
        for part in reply.message.parts:
            await asyncio.sleep(0)
            if isinstance(part, Text):
                on_words(part.text)
        return reply.message.model_copy(
            update={"model": self.name, "parts": _with_own_ids(reply.message.parts)}
        )

    def cues(self, step: int) -> tuple[str, ...]:
        """What the recorded person typed before reply ``step`` of the turn being played."""
        if self._place.turn is None:
            return ()
        replies = self._turns[self._place.turn].replies
        return replies[step].cues if 0 < step < len(replies) else ()

    async def close(self) -> None:
        """Nothing to give up."""

    def _compare(self, reply: RecordedReply, request: Request, where: str) -> None:
        for then, now in zip_longest(reply.answers, _answers(request)):
            difference = _difference(then, now, self._texts)
            if difference:
                raise ModelFailed(f"{where}: {difference}", "script")


def _answers(request: Request) -> list[Answered]:
    """What the tools answered since the last reply, in the order of its calls."""
    came = [each for each in came_back(request.messages) if isinstance(each, ToolAnswer)]
    last = next(
        (each for each in reversed(request.messages) if isinstance(each, AssistantTurn)), None
    )
    calls = last.calls if last else ()
    order = {call.id: index for index, call in enumerate(calls)}
    names = {call.id: call.tool for call in calls}
    came.sort(key=lambda each: order.get(each.call, len(order)))
    return [
        Answered(names.get(each.call, each.tool), text_of(each.blocks), each.is_error)
        for each in came
    ]


def _difference(then: Answered | None, now: Answered | None, texts: bool) -> str:
    """A sentence on how two answers differ, or nothing."""
    if then is None or now is None:
        one, verb = (now, "was not recorded") if then is None else (then, "was not called")
        return f"`{one.tool}` {verb}, so session and recording part ways here." if one else ""
    if then.tool != now.tool:
        return f"the recording calls `{then.tool}` where this session called `{now.tool}`."
    if then.is_error != now.is_error:
        then_, now_ = ("failed", "worked") if then.is_error else ("worked", "failed")
        return f"`{now.tool}` {then_} when recorded and {now_} now: “{quoted(now.text)}”."
    old, new = (_ADDRESS.sub("0x", each.text) for each in (then, now))
    if not texts or old == new:
        return ""
    at = max(_same(old, new) - LEAD, 0)
    return (
        f"`{now.tool}` answered “{quoted(old[at:])}” when recorded and “{quoted(new[at:])}” now. "
        "Set `check: calls` in `modelSettings` to compare the calls alone."
    )


def _same(old: str, new: str) -> int:
    """How many characters two different texts share at their beginning."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(old), len(new)))


def _with_own_ids(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts with call ids of this reply only; the harness gives the lasting ones."""
    return tuple(
        part.model_copy(update={"id": f"c{index}"}) if isinstance(part, Call) else part
        for index, part in enumerate(parts)
    )
