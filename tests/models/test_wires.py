"""Anthropic's wire and OpenAI's newer one: caching, signed reasoning, what is left stored."""

from __future__ import annotations

from typing import Any

import pytest

from keelbook.model import Model
from keelbook.models import ModelSettings, make
from tests.models.asking import ask
from tests.models.peer import Answer, Exchange, Peer
from tests.models.requests import answered, called, request
from tests.models.requests import says as said

# -------------------------------------------------------------------- Anthropic's wire


def anthropic(*blocks: dict[str, Any], stop: str = "end_turn") -> Answer:
    """An answer over Anthropic's wire: each block as one start, its deltas and one stop."""

    async def respond(exchange: Exchange) -> None:
        await exchange.begin()
        usage = {
            "input_tokens": 9,
            "output_tokens": 1,
            "cache_read_input_tokens": 400,
            "cache_creation_input_tokens": 30,
        }
        message: dict[str, Any] = {
            "id": "msg",
            "type": "message",
            "role": "assistant",
            "model": "claude",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }
        await exchange.event({"type": "message_start", "message": message}, "message_start")
        for index, block in enumerate(blocks):
            for kind, body in (
                ("content_block_start", {"content_block": block["start"]}),
                *(("content_block_delta", {"delta": each}) for each in block["deltas"]),
                ("content_block_stop", {}),
            ):
                await exchange.event({"type": kind, "index": index, **body}, kind)
        end = {"stop_reason": stop, "stop_sequence": None}
        delta = {"type": "message_delta", "delta": end, "usage": {"output_tokens": 12}}
        await exchange.event(delta, "message_delta")
        await exchange.event({"type": "message_stop"}, "message_stop")
        await exchange.end()

    return respond


THOUGHT = {
    "start": {"type": "thinking", "thinking": "", "signature": ""},
    "deltas": [
        {"type": "thinking_delta", "thinking": "Count first."},
        {"type": "signature_delta", "signature": "c2lnbmVk"},
    ],
}
USES = {
    "start": {"type": "tool_use", "id": "toolu_1", "name": "python", "input": {}},
    "deltas": [{"type": "input_json_delta", "partial_json": '{"code": "len(rows)"}'}],
}


async def test_signed_reasoning_goes_back_to_its_provider_unchanged() -> None:
    first, _, _ = await ask(
        anthropic(THOUGHT, USES, stop="tool_use"),
        request(said("Count.")),
        name="anthropic:claude-opus-4-8",
    )
    assert first.finish == "calls"
    assert first.usage is not None
    assert (first.usage.input, first.usage.cache_read, first.usage.cache_write) == (9, 400, 30)
    asked = request(said("Count."), first, answered("344", call=first.calls[0].id), step=1)
    _, _, sent = await ask(
        anthropic({"start": {"type": "text", "text": ""}, "deltas": [
            {"type": "text_delta", "text": "344."}]}),
        asked,
        name="anthropic:claude-opus-4-8",
    )  # fmt: skip
    given = sent.body["messages"][1]["content"]
    assert (given[0]["type"], given[0]["thinking"], given[0]["signature"]) == (
        "thinking",
        "Count first.",
        "c2lnbmVk",
    )
    assert (given[1]["type"], given[1]["input"]) == ("tool_use", {"code": "len(rows)"})


async def test_the_prefix_and_the_conversation_are_cached_and_the_context_is_not() -> None:
    asked = request(
        said("Count."), called("python", {"code": "1"}), answered("1"), context="Plan: count"
    )
    _, _, sent = await ask(
        anthropic({"start": {"type": "text", "text": ""}, "deltas": [
            {"type": "text_delta", "text": "ok"}]}),
        asked,
        name="anthropic:claude-opus-4-8",
    )  # fmt: skip
    body = sent.body
    assert body["system"][-1]["cache_control"]["type"] == "ephemeral"
    result, context = body["messages"][-1]["content"]
    assert (result["type"], result["cache_control"]["type"]) == ("tool_result", "ephemeral")
    assert (context["text"], "cache_control" in context) == ("Plan: count", False)
    assert "cache_control" not in body


# -------------------------------------------------------------------- OpenAI's Responses wire


def responses(*texts: str) -> Answer:
    """An answer over OpenAI's newer wire, which ``openai:`` names speak."""
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "in_progress"}
    part = {"type": "output_text", "text": "", "annotations": []}
    head: dict[str, Any] = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt-5",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    used = {
        "input_tokens": 50,
        "input_tokens_details": {"cached_tokens": 30},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 55,
    }
    whole = {
        **item,
        "status": "completed",
        "content": [{**part, "text": "".join(texts)}],
    }
    at: dict[str, Any] = {"item_id": "msg_1", "output_index": 0, "content_index": 0}

    async def respond(exchange: Exchange) -> None:
        begun = {**head, "status": "in_progress", "output": []}
        done = {**head, "status": "completed", "output": [whole], "usage": used}
        events: list[tuple[str, dict[str, Any]]] = [
            ("response.created", {"response": begun}),
            ("response.output_item.added", {"output_index": 0, "item": {**item, "content": []}}),
            ("response.content_part.added", {**at, "part": part}),
            *(("response.output_text.delta", {**at, "delta": t, "logprobs": []}) for t in texts),
            ("response.output_item.done", {"output_index": 0, "item": whole}),
            ("response.completed", {"response": done}),
        ]
        await exchange.begin()
        for number, (kind, body) in enumerate(events):
            await exchange.event({"type": kind, "sequence_number": number, **body}, kind)
        await exchange.end()

    return respond


async def test_openai_names_speak_its_newer_wire_and_leave_nothing_stored_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = request(
        said("Count."), called("python", {"code": "1"}), answered("1"), context="Plan: count"
    )
    async with Peer(responses("Three", " species.")) as peer:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{peer.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        model = make("openai:gpt-5")
        heard: list[str] = []
        reply = await model.request(asked, heard.append)
        await model.close()
    (sent,) = peer.asked
    assert (reply.text, heard, reply.finish) == (
        "Three species.",
        ["Three", " species."],
        "stop",
    )
    assert reply.usage is not None
    assert (reply.usage.input, reply.usage.cache_read, reply.usage.output) == (20, 30, 5)
    assert (sent.path, sent.body["store"]) == ("/v1/responses", False)
    assert sent.body["instructions"] == "You help in a notebook."
    kinds = [each.get("type", each.get("role")) for each in sent.body["input"]]
    assert kinds == ["user", "function_call", "function_call_output", "user"]
    assert sent.body["input"][-1]["content"] == "Plan: count"


async def test_a_model_whose_window_the_library_knows_tells_it() -> None:
    async with Peer(anthropic({"start": {"type": "text", "text": ""}, "deltas": [
            {"type": "text_delta", "text": "ok"}]})) as peer:  # fmt: skip
        model: Model = make("anthropic:claude-opus-4-8", ModelSettings(base_url=peer.url))
        before = model.window
        await model.request(request(said("a")), lambda words: None)
        assert before is None
        assert (model.window or 0) >= 200_000
        await model.close()
