"""A peer on loopback that speaks a provider's wire, and keeps what it is sent.

Rules: a real TCP server, so that cuts, silences and hang-ups are those of a network; one answer per
request, written by the test as a coroutine.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any


@dataclass
class Exchange:
    """One request and the way to answer it."""

    path: str
    headers: dict[str, str]
    body: Any
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def answer(
        self, status: int, body: Any, *, kind: str = "application/json", **headers: str
    ) -> None:
        """A whole response; a body that is no text is sent as JSON."""
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        lines = [f"HTTP/1.1 {status} Because", f"content-type: {kind}"]
        lines += [f"content-length: {len(data)}", "connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
        await self.writer.drain()

    async def begin(self) -> None:
        """The head of a stream of events."""
        self.writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"transfer-encoding: chunked\r\nconnection: close\r\n\r\n"
        )
        await self.writer.drain()

    async def event(self, data: Any, name: str = "") -> None:
        """One event of the stream."""
        text = data if isinstance(data, str) else json.dumps(data)
        lead = f"event: {name}\n" if name else ""
        chunk = f"{lead}data: {text}\n\n".encode()
        self.writer.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
        await self.writer.drain()

    async def end(self) -> None:
        """The stream ends as it should."""
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    async def hung_up(self) -> None:
        """Returns when the client has closed the connection."""
        while await self.reader.read(1024):
            pass


Answer = Callable[[Exchange], Awaitable[None]]


@dataclass
class Peer:
    """The server; ``url`` is its address, ``asked`` what it was sent, in order."""

    respond: Answer
    asked: list[Exchange] = field(default_factory=list)
    url: str = ""

    async def __aenter__(self) -> Peer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        exchange = Exchange(head[0].split()[1], headers, json.loads(body), reader, writer)
        self.asked.append(exchange)
        try:
            await self.respond(exchange)
        finally:
            writer.close()


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **more: Any) -> Any:
    """One chunk of OpenAI's chat completions stream."""
    choices = [{"index": 0, "delta": delta or {}, "finish_reason": finish}]
    head = {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**head, "choices": choices, **more}


USAGE: dict[str, Any] = {
    "prompt_tokens": 120,
    "completion_tokens": 7,
    "total_tokens": 127,
    "prompt_tokens_details": {"cached_tokens": 100},
}


def says(*texts: str, finish: str | None = "stop") -> Answer:
    """An answer that streams ``texts`` and ends well."""

    async def respond(exchange: Exchange) -> None:
        await exchange.begin()
        for text in texts:
            await exchange.event(chunk({"role": "assistant", "content": text}))
        if finish:
            await exchange.event(chunk(finish=finish))
        await exchange.event({**chunk(), "choices": [], "usage": USAGE})
        await exchange.event("[DONE]")
        await exchange.end()

    return respond


def refuses(status: int, body: Any, **headers: str) -> Answer:
    """An answer with an error status."""

    async def respond(exchange: Exchange) -> None:
        await exchange.answer(status, body, **headers)

    return respond
