"""A real model on a real server: SmolLM2 behind llama.cpp, over OpenAI's wire."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from keelbook.errors import ModelFailed
from keelbook.messages import AssistantTurn, Text
from keelbook.model import Model
from keelbook.models import ModelSettings, make
from tests.models.requests import answered, called, request, says
from tests.server.conftest import Serve

pytestmark = pytest.mark.server


def smollm(url: str, **settings: Any) -> Model:
    return make("openai-compatible:smollm2", ModelSettings(base_url=url, **settings))


async def test_words_stream_from_a_real_server_and_its_usage_is_kept(serve: Serve) -> None:
    model = smollm(serve(2048), temperature=0.0, max_tokens=40)
    heard: list[tuple[float, str]] = []
    begun = time.perf_counter()
    reply = await model.request(
        request(says("Name three animals."), tools=(), context="Answer in one short sentence."),
        lambda words: heard.append((time.perf_counter() - begun, words)),
    )
    await model.close()
    assert len(heard) > 3
    assert heard[0][0] < heard[-1][0]
    assert "".join(words for _, words in heard) == reply.text
    assert reply.finish in ("stop", "length")
    assert reply.usage is not None
    assert reply.usage.input + reply.usage.cache_read > 10
    assert reply.usage.output >= len(heard)


async def test_a_conversation_with_results_and_tools_is_taken_by_a_real_template(
    serve: Serve,
) -> None:
    model = smollm(serve(2048), temperature=0.0, max_tokens=20)
    earlier = AssistantTurn(parts=(Text(text="I count."),), model="m")
    asked = request(
        says("How many rows?"),
        earlier,
        says("Go on."),
        called("python", {"code": "len(rows)"}),
        answered("344"),
        context="Plan: count the rows",
        step=2,
    )
    reply = await model.request(asked, lambda words: None)
    await model.close()
    assert reply.text or reply.calls


async def test_the_second_request_reads_the_prefix_from_the_servers_cache(serve: Serve) -> None:
    model = smollm(serve(2048), temperature=0.0, max_tokens=4)
    long = "You help in a notebook. " * 20
    first = request(says("Hello."), system=long, tools=(), context="one")
    await model.request(first, lambda words: None)
    second = request(says("Hello."), system=long, tools=(), context="two", step=1)
    reply = await model.request(second, lambda words: None)
    await model.close()
    assert reply.usage is not None
    assert reply.usage.cache_read > reply.usage.input


async def test_a_prompt_too_long_for_the_server_is_length_and_says_what_to_do(
    serve: Serve,
) -> None:
    model = smollm(serve(512))
    with pytest.raises(ModelFailed) as caught:
        await model.request(request(says("word " * 2000)), lambda words: None)
    await model.close()
    assert (caught.value.kind, caught.value.retry) == ("length", False)
    assert "is longer than openai-compatible:smollm2 takes" in caught.value.sentence
    assert "compact it or begin a new one" in caught.value.sentence


async def test_a_cancelled_request_frees_the_server_for_the_next(serve: Serve) -> None:
    model = smollm(serve(2048), temperature=0.0, max_tokens=1500)
    heard: list[str] = []
    asked = request(says("Write a very long story."), tools=())
    task = asyncio.create_task(model.request(asked, heard.append))
    while not heard:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    begun = time.perf_counter()
    short = request(says("Say hi."), tools=(), max_tokens=3)
    assert (await model.request(short, lambda words: None)).parts
    assert time.perf_counter() - begun < 5
    await model.close()
