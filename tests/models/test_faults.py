"""Every way a provider can fail, from a real server on loopback: one sentence with what to do."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from keelbook.errors import ModelFailed
from keelbook.models import ModelSettings, make
from tests.models.peer import Answer, Exchange, Peer, chunk, refuses
from tests.models.requests import request, says

NAME = "openai-compatible:m"


async def failed(
    answer: Answer, name: str = NAME, path: str = "/v1", **settings: Any
) -> ModelFailed:
    """How a request to a server that answers so fails."""
    async with Peer(answer) as peer:
        model = make(name, ModelSettings(base_url=peer.url + path, **settings))
        with pytest.raises(ModelFailed) as caught:
            await model.request(request(says("a")), lambda words: None)
        await model.close()
        assert len(peer.asked) == 1, "nothing below the loop may ask again"
    return caught.value


def openai(message: str, code: str | None = None, kind: str = "invalid_request_error") -> Any:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


LLAMA = {
    "error": {
        "code": 400,
        "message": "the request exceeds the available context size, try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 900,
        "n_ctx": 256,
    }
}
VLLM = {
    "object": "error",
    "message": "This model's maximum context length is 256 tokens. However, you requested 900.",
    "type": "BadRequestError",
    "code": 400,
}
ANTHROPIC = {
    "type": "error",
    "error": {
        "type": "invalid_request_error",
        "message": "prompt is too long: 208310 tokens > 200000 maximum",
    },
}


@pytest.mark.parametrize(
    ("status", "body", "kind", "retry", "part"),
    [
        (401, openai("Incorrect API key provided: sk-proj-abcdef123."), "auth", False,
         "did not accept the key (“Incorrect API key provided: …”); check the variable it is in"),
        (403, openai("No access."), "auth", False, "did not accept the key"),
        (404, openai("The model `m` does not exist", "model_not_found"), "rejected", False,
         "has no model for openai-compatible:m (“The model `m` does not exist”); check its name."),
        (429, openai("Slow down.", "rate_limit_exceeded"), "rate", True, "asks for a pause of 7 s"),
        (429, openai("You exceeded your current quota.", "insufficient_quota"), "rate", False,
         "has no credit or quota left"),
        (500, openai("Boom."), "unreachable", True, "has a fault of its own (“Boom”)"),
        (503, openai("Overloaded."), "unreachable", True, "cannot answer for now"),
        (400, openai("Bad tool."), "rejected", False, "m rejected the request (“Bad tool”)."),
        (400, openai("The response was filtered by the content filter.", "content_filter"),
         "rejected", False, "A content filter refused the request"),
        (400, openai("Too long.", "context_length_exceeded"), "length", False,
         "is longer than openai-compatible:m takes (“Too long”); compact it or begin a new one."),
        (400, LLAMA, "length", False, "exceeds the available context size"),
        (400, VLLM, "length", False, "maximum context length is 256"),
        (413, openai("Payload."), "rejected", False, "rejected the request"),
        (502, "<html>Bad gateway</html>", "unreachable", True, "has a fault of its own"),
    ],
)  # fmt: skip
async def test_a_status_becomes_one_sentence(
    status: int, body: Any, kind: str, retry: bool, part: str
) -> None:
    fault = await failed(refuses(status, body, retry_after="7"))
    assert (fault.kind, fault.retry) == (kind, retry), fault.sentence
    assert part in fault.sentence
    assert "\n" not in fault.sentence
    assert "abcdef" not in fault.sentence


async def test_too_long_over_anthropics_wire_is_length_too() -> None:
    fault = await failed(refuses(400, ANTHROPIC), "anthropic:claude-opus-4-8", "")
    assert fault.kind == "length"
    assert "prompt is too long: 208310 tokens" in fault.sentence


async def test_a_stream_cut_in_the_middle_keeps_what_had_arrived() -> None:
    async def cut(exchange: Exchange) -> None:
        await exchange.begin()
        await exchange.event(chunk({"content": "Half a"}))
        exchange.writer.transport.abort()

    fault = await failed(cut)
    assert (fault.kind, fault.retry, fault.partial) == ("cut", True, "Half a")
    assert "was cut in the middle of the reply; ask again." in fault.sentence


async def test_a_call_cut_in_the_middle_is_no_call() -> None:
    async def cut(exchange: Exchange) -> None:
        await exchange.begin()
        function = {"name": "python", "arguments": '{"code": "rm('}
        call = {"index": 0, "id": "c", "type": "function", "function": function}
        await exchange.event(chunk({"content": "So: ", "tool_calls": [call]}))
        await exchange.end()

    fault = await failed(cut)
    assert (fault.kind, fault.partial) == ("cut", "So: ")


async def test_an_error_inside_the_stream_is_told_as_the_same_error_before_it() -> None:
    async def late(exchange: Exchange) -> None:
        await exchange.begin()
        await exchange.event(chunk({"content": "Half"}))
        await exchange.event(openai("Slow down.", "rate_limit_exceeded"))
        await exchange.end()

    fault = await failed(late)
    assert (fault.kind, fault.retry, fault.partial) == ("rate", True, "Half")


async def test_a_server_that_is_not_there_is_one_sentence_with_its_address() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    model = make(NAME, ModelSettings(base_url=f"http://127.0.0.1:{port}/v1"))
    with pytest.raises(ModelFailed) as caught:
        await model.request(request(says("a")), lambda words: None)
    await model.close()
    assert (caught.value.kind, caught.value.retry) == ("unreachable", True)
    assert caught.value.sentence == (
        f"Nothing answers for openai-compatible:m at http://127.0.0.1:{port}/v1/; see that it runs "
        "and where."
    )


async def test_a_server_that_hangs_up_before_it_answers_is_cut_or_unreachable() -> None:
    async def rude(exchange: Exchange) -> None:
        exchange.writer.transport.abort()

    fault = await failed(rude)
    assert fault.kind in ("cut", "unreachable")
    assert fault.retry


@pytest.mark.parametrize("body", ["<html>hello</html>", "", '{"hello": 1}'])
async def test_what_does_not_speak_the_wire_is_said_to(body: str) -> None:
    fault = await failed(refuses(200, body))
    assert fault.kind in ("unknown", "empty"), fault.sentence
    assert "\n" not in fault.sentence


async def test_garbage_inside_the_stream_is_one_sentence() -> None:
    async def garbage(exchange: Exchange) -> None:
        await exchange.begin()
        await exchange.event("{not json")
        await exchange.end()

    fault = await failed(garbage)
    assert fault.kind == "unknown"
    assert "does not speak its wire" in fault.sentence


async def test_a_server_that_falls_silent_is_given_up_after_the_time_set() -> None:
    async def silent(exchange: Exchange) -> None:
        await exchange.begin()
        await exchange.event(chunk({"content": "One"}))
        await exchange.hung_up()

    before = asyncio.get_running_loop().time()
    fault = await failed(silent, timeout_s=0.3)
    assert asyncio.get_running_loop().time() - before < 2
    assert (fault.kind, fault.partial) == ("cut", "One")
    assert "silent for too long; ask again or raise `timeoutS`" in fault.sentence


async def test_a_key_that_is_not_set_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("LAB_KEY", raising=False)
    for settings, variable in (
        (ModelSettings(), "OPENAI_API_KEY"),
        (ModelSettings(api_key_variable="LAB_KEY"), "LAB_KEY"),
    ):
        model = make("openai:gpt-5", settings)
        with pytest.raises(ModelFailed) as caught:
            await model.request(request(says("a")), lambda words: None)
        await model.close()
        assert caught.value.kind == "auth"
        assert variable in caught.value.sentence


async def test_a_provider_whose_package_is_missing_says_how_to_install_it() -> None:
    model = make("groq:m")
    with pytest.raises(ModelFailed) as caught:
        await model.request(request(says("a")), lambda words: None)
    assert "pip install 'pydantic-ai-slim[groq]'" in caught.value.sentence
