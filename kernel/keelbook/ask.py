"""The seam between whoever needs a person and whichever way to one there is.

Rules: a question has an id and is answered once; the first answer counts. Nobody there means the
answer is ``None``, at once, never a wait.
"""

from __future__ import annotations

from typing import Protocol

from keelbook.value import Value


class LineQuestion(Value):
    """One line of text asked of a person by a running cell. ``password``: not echoed."""

    id: str
    prompt: str
    password: bool = False


class Person(Protocol):
    """Somebody who may be asked."""

    async def line(self, question: LineQuestion) -> str | None:
        """Their line, or None when nobody can be asked. Cancelled -> the question is withdrawn."""


class Nobody:
    """No front end is attached."""

    async def line(self, question: LineQuestion) -> str | None:
        """Nobody answers."""
        return None
