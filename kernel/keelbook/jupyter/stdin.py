"""Questions to the person over Jupyter's stdin channel, without holding up the event loop.

Rules (guest B33): a question goes to the client that sent the cell; one at a time; an answer that
belongs to an earlier question is dropped; a question whose asker is cancelled is withdrawn.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from jupyter_client.session import Session

from keelbook.errors import Refused
from keelbook.jupyter.channel import Channel, Frames
from keelbook.jupyter.requests import ExecuteRequest

_END = "\x04"
_complaints = logging.getLogger(__name__)


class Stdin:
    """The stdin channel."""

    def __init__(self, session: Session, socket: Any) -> None:
        self._session = session
        self._channel: Any = Channel(socket, self._arrived)
        self._turn = asyncio.Lock()
        self._question = ""
        self._answer: asyncio.Future[str] | None = None

    async def ask(self, request: ExecuteRequest, prompt: str, password: bool) -> str:
        """The line the client of ``request`` sends back. Raises Refused at its end of input."""
        async with self._turn:
            self._channel.drain()
            self._answer = asyncio.get_running_loop().create_future()
            sent = self._session.send(
                self._channel,
                "input_request",
                {"prompt": prompt, "password": password},
                parent=request.parent,
                ident=request.idents,
            )
            self._question = sent["header"]["msg_id"] if sent else ""
            try:
                line = await self._answer
            finally:
                self._answer = None
            if line == _END:
                raise Refused("The input ended.", "no-stdin")
            return line

    def close(self) -> None:
        """Stops reading."""
        self._channel.close()

    def _arrived(self, frames: Frames) -> None:
        try:
            _, rest = self._session.feed_identities(frames, copy=False)
            message = self._session.deserialize(rest, content=True, copy=False)
            value = str(message["content"]["value"])
        except Exception as error:
            _complaints.warning("An input_reply could not be read: %s", error)
            return
        asked = message["parent_header"].get("msg_id", self._question)
        if self._answer is not None and not self._answer.done() and asked == self._question:
            self._answer.set_result(value)
