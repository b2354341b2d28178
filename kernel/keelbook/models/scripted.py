"""The scripted model: it says what a script holds, and everything it asks for really runs.

Rules: no network and no randomness, so two runs of one notebook are the same; where session and
script part ways it says so in one sentence that names the turn and the reply, and says nothing
else. The place is found as ``turns`` describes.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from keelbook.errors import ModelFailed
from keelbook.messages import (
    AssistantTurn,
    Call,
    Finish,
    Part,
    Text,
    Thinking,
    Usage,
    text_of,
)
from keelbook.model import Price, Request
from keelbook.models.faults import RETRIED, SENTENCES
from keelbook.models.script import Script, ScriptedCall, ScriptedReply
from keelbook.models.settings import ModelSettings
from keelbook.models.turns import Place, came_back, plain, quoted
from keelbook.record import Json
from keelbook.text import count, estimated_tokens, listed


class ScriptedModel:
    """Plays a ``Script``. ``name`` is ``scripted:`` and the path as given."""

    def __init__(self, name: str, script: Script, settings: ModelSettings) -> None:
        self.name = name
        self.window = settings.window
        self.price: Price | None = settings.price.price() if settings.price else None
        self.images = settings.images
        self._script = script
        self._title = f"The script `{name.partition(':')[2]}`"
        self._place = Place(self._title, [turn.request for turn in script.turns])
        self._failures: dict[tuple[int, int], int] = {}

    async def request(self, request: Request, on_words: Callable[[str], None]) -> AssistantTurn:
        """The script's next reply. Raises ModelFailed when it has none or rehearses a failure."""
        turn = self._place.find(request)
        replies = self._script.turns[turn].replies
        if request.step >= len(replies):
            raise ModelFailed(
                f"{self._title} has {count(len(replies), 'reply', 'replies')} for turn {turn + 1} "
                f"and the session asks for one more; the last reply of a turn calls no tool.",
                "script",
            )
        reply = replies[request.step]
        where = f"{self._title}, turn {turn + 1}, reply {request.step + 1}"
        self._compare(reply, request, where)
        await self._rehearse(reply, (request.turn, request.step), where, on_words)
        calls = [_call(each, index, request, where) for index, each in enumerate(reply.calls)]
        words = reply.chunks or re.findall(r"\s*\S+\s*", reply.text) or [reply.text]
        await self._say(words, on_words)
        return self._message(reply, calls, request)

    def cues(self, step: int) -> tuple[str, ...]:
        """What the script's person types before reply ``step`` of the turn being played."""
        if self._place.turn is None:
            return ()
        replies = self._script.turns[self._place.turn].replies
        return tuple(replies[step].person) if 0 < step < len(replies) else ()

    async def close(self) -> None:
        """Nothing to give up."""

    def _compare(self, reply: ScriptedReply, request: Request, where: str) -> None:
        """Raises ModelFailed where what came back lacks what the script expects."""
        came = "\n".join(text_of(each.blocks) for each in came_back(request.messages))
        missing = [each for each in reply.expect if plain(each) not in plain(came)]
        if missing:
            wanted = listed([f"“{quoted(each)}”" for each in missing])
            found = f"“{quoted(came)}”" if came.strip() else "nothing"
            raise ModelFailed(
                f"{where}: the script expects {wanted} in what came back, and got {found}; "
                "the session has left the script here.",
                "script",
            )

    async def _rehearse(
        self,
        reply: ScriptedReply,
        place: tuple[int, int],
        where: str,
        on_words: Callable[[str], None],
    ) -> None:
        """Raises the failure the reply begins with, until it has happened often enough."""
        error = reply.error
        failed = self._failures.get(place, 0)
        if error is None or (failed >= error.times and not reply.empty):
            return
        self._failures[place] = failed + 1
        await self._say([error.partial] if error.partial else [], on_words)
        raise ModelFailed(
            error.sentence or f"{SENTENCES[error.kind]} ({where} rehearses this.)",
            error.kind,
            retry=error.kind in RETRIED,
            partial=error.partial,
        )

    async def _say(self, words: list[str], on_words: Callable[[str], None]) -> None:
        """Streams ``words`` at the script's pace; can be cancelled between any two."""
        for each in words:
            await asyncio.sleep(self._script.pace_s)
            if each:
                on_words(each)

    def _message(self, reply: ScriptedReply, calls: list[Call], request: Request) -> AssistantTurn:
        text = reply.text or "".join(reply.chunks)
        thinking = (Thinking(text=reply.thinking),) if reply.thinking else ()
        parts: tuple[Part, ...] = (*thinking, *((Text(text=text),) if text else ()), *calls)
        finish: Finish = "calls" if calls else "stop"
        usage = Usage(**reply.usage.model_dump(by_alias=False)) if reply.usage else None
        return AssistantTurn(
            parts=parts,
            model=self.name,
            usage=usage or estimated(request, parts),
            finish=reply.finish or finish,
        )


def estimated(request: Request, parts: tuple[Part, ...]) -> Usage:
    """Tokens by the length of the texts, four characters a token."""
    sent = [request.system, request.context, *(each.to_json() for each in request.messages)]
    return Usage(
        input=sum(map(estimated_tokens, sent)),
        output=sum(estimated_tokens(each.to_json()) for each in parts),
        estimated=True,
    )


def _call(scripted: ScriptedCall, index: int, request: Request, where: str) -> Call:
    """The call; a text given for a table becomes the tool's first required argument."""
    arguments: dict[str, Json] | str = scripted.arguments
    if scripted.short:
        offered = {each.name: each.parameters for each in request.tools}
        if scripted.tool not in offered:
            have = listed([f"`{each}`" for each in sorted(offered)]) or "none"
            raise ModelFailed(
                f"{where} calls `{scripted.tool}`, which is no tool here; there are {have}.",
                "script",
            )
        required = offered[scripted.tool].get("required") or [""]
        arguments = {str(required[0]): scripted.arguments}
    return Call(id=f"c{index}", tool=scripted.tool, arguments=arguments)
