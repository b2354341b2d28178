"""Finding a place in prepared turns: which of them answers what a person just asked.

Rules: a turn is chosen when it begins and kept until the next one begins, so a repeated request of
the same step finds the same reply; within a turn the place is the number of replies it has. A
turn that names its request answers that request whenever it comes, so a notebook can be run again
in the same session; one that does not answers once, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from keelbook.errors import ModelFailed
from keelbook.messages import AssistantTurn, Message, ToolAnswer, UserTurn, text_of
from keelbook.model import Request
from keelbook.text import count, head

SHOWN = 80
"""Bytes of a request quoted in a sentence."""


class Place:
    """Where a prepared model is. ``requests`` holds one text per turn, None where any will do.

    ``title`` names the script or recording in sentences.
    """

    def __init__(self, title: str, requests: Sequence[str | None]) -> None:
        self._title = title
        self._requests = tuple(None if each is None else plain(each) for each in requests)
        self._session_turn: int | None = None
        self.turn: int | None = None

    def find(self, request: Request) -> int:
        """The index of the turn that answers ``request``. Raises ModelFailed, kind ``script``."""
        if self.turn is None or request.turn != self._session_turn:
            words = asked(request)
            found = self._choose(words if request.step else words[:1])
            if found is None:
                raise ModelFailed(self._nothing_for(words[0] if words else ""), "script")
            self.turn, self._session_turn = found, request.turn
        return self.turn

    def _choose(self, words: Sequence[str]) -> int | None:
        """The turn for the newest of ``words`` that has one: a later turn, else an earlier one."""
        after = 0 if self.turn is None else self.turn + 1
        for each in words or ("",):
            wanted = plain(each)
            for index in chain(range(after, len(self._requests)), range(after)):
                named = self._requests[index]
                if named in wanted if named is not None else index >= after:
                    return index
        return None

    def _nothing_for(self, words: str) -> str:
        named = next((each for each in self._requests if each is not None), None)
        if named is None:
            return (
                f"{self._title} has {count(len(self._requests), 'turn')}, and this session has "
                "played them all; restart the kernel to begin again, or choose another model "
                "with `%%agent --model`."
            )
        return (
            f"{self._title} has no turn for “{quoted(words)}”; it answers “{quoted(named)}” and "
            "nothing it was not written for. Choose another model with `%%agent --model` to go on."
        )


def asked(request: Request) -> list[str]:
    """What people said, newest first. A turn taken up again begins further back than the last."""
    return [
        text_of(message.blocks)
        for message in reversed(request.messages)
        if isinstance(message, UserTurn) and message.source == "person"
    ]


def came_back(messages: Sequence[Message]) -> list[UserTurn | ToolAnswer]:
    """What stands on the surface after the last reply: results, then what was said."""
    came: list[UserTurn | ToolAnswer] = []
    for message in reversed(messages):
        if isinstance(message, AssistantTurn):
            break
        came.append(message)
    return came[::-1]


def plain(words: str) -> str:
    """Words as they are compared: spaces folded, case ignored."""
    return " ".join(words.split()).casefold()


def quoted(words: str) -> str:
    """The beginning of ``words`` on one line."""
    line = " ".join(words.split())
    short = head(line, SHOWN)
    return line if short == line else short.rstrip() + "…"
