"""Models behind a provider, over a real wire on loopback: what goes out, what comes back."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from keelbook.errors import ModelFailed
from keelbook.messages import AssistantTurn, Image, Text, Thinking, ToolAnswer, UserTurn
from keelbook.model import Model, Request
from keelbook.models import ModelSettings, make
from tests.models.peer import USAGE, Answer, Exchange, Peer, chunk, says
from tests.models.requests import answered, called, request
from tests.models.requests import says as said

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


async def ask(
    answer: Answer, asked: Request, name: str = "openai-compatible:m", **settings: Any
) -> tuple[AssistantTurn, list[str], Exchange]:
    """The reply, the words as they came, and what the server was sent."""
    path = "" if name.startswith("anthropic") else "/v1"
    async with Peer(answer) as peer:
        model = make(name, ModelSettings(base_url=peer.url + path, **settings))
        heard: list[str] = []
        try:
            reply = await model.request(asked, heard.append)
        finally:
            await model.close()
        return reply, heard, peer.asked[0]


async def test_words_arrive_as_they_are_written_and_the_reply_is_whole() -> None:
    gate = asyncio.Event()

    async def slowly(exchange: Exchange) -> None:
        await exchange.begin()
        await exchange.event(chunk({"role": "assistant", "content": "Three "}))
        await gate.wait()
        await exchange.event(chunk({"content": "species."}))
        await exchange.event(chunk(finish="stop"))
        await exchange.event({**chunk(), "choices": [], "usage": USAGE})
        await exchange.event("[DONE]")
        await exchange.end()

    async with Peer(slowly) as peer:
        model = make("openai-compatible:m", ModelSettings(base_url=f"{peer.url}/v1"))
        heard: list[str] = []
        task = asyncio.create_task(model.request(request(said("How many?")), heard.append))
        while not heard:
            await asyncio.sleep(0.01)
        assert heard == ["Three "]
        assert not task.done()
        gate.set()
        reply = await task
        await model.close()
    assert reply.text == "Three species."
    assert (reply.model, reply.finish) == ("openai-compatible:m", "stop")
    assert reply.usage is not None
    assert (reply.usage.input, reply.usage.cache_read, reply.usage.output) == (20, 100, 7)
    assert reply.usage.total == 127


async def test_the_conversation_goes_out_with_the_context_as_its_end() -> None:
    asked = request(
        said("Count them."),
        called("python", {"code": "1"}),
        answered("1", is_error=True),
        said("Faster."),
        system="Be brief.",
        context="Plan: count",
        max_tokens=50,
    )
    _, _, sent = await ask(says("ok"), asked, max_tokens=70, temperature=0.5)
    body = sent.body
    assert [(each["role"], each.get("content")) for each in body["messages"]] == [
        ("system", "Be brief."),
        ("user", "Count them."),
        ("assistant", None),
        ("tool", body["messages"][3]["content"]),
        ("user", "Faster.\n\nPlan: count"),
    ]
    call = body["messages"][2]["tool_calls"][0]
    assert (call["id"], json.loads(call["function"]["arguments"])) == ("t1s1c0", {"code": "1"})
    assert body["messages"][3]["tool_call_id"] == "t1s1c0"
    assert "1" in body["messages"][3]["content"]
    assert body["tools"][0]["function"]["name"] == "python"
    assert body["tools"][0]["function"]["parameters"]["required"] == ["code"]
    assert (body["stream"], body["temperature"]) == (True, 0.5)
    assert 50 in (body.get("max_tokens"), body.get("max_completion_tokens"))


async def test_the_bytes_before_the_newest_message_stay_as_they_were() -> None:
    first = request(said("Count."), context="Plan: a")
    second = request(
        said("Count."), called("python", {"code": "1"}), answered("1"), context="Plan: b", step=1
    )
    _, _, one = await ask(says("ok"), first)
    _, _, two = await ask(says("ok"), second)
    assert one.body["tools"] == two.body["tools"]
    assert one.body["messages"][0] == two.body["messages"][0]
    assert one.body["messages"][1]["content"] == "Count.\n\nPlan: a"
    assert two.body["messages"][1]["content"] == "Count."
    assert two.body["messages"][-1] == {"role": "user", "content": "Plan: b"}


async def test_an_answer_goes_out_under_the_name_the_model_called() -> None:
    """A tool is known to the log by its own name, ``run_code``, and to the model as ``python``."""
    from pydantic_ai.messages import ModelRequest
    from pydantic_ai.models.test import TestModel

    from keelbook.models.conversion import messages

    asked = request(said("Go."), called("python", {}), answered("1", tool="run_code"))
    last = messages(asked, TestModel(), images=True)[-1]
    assert isinstance(last, ModelRequest)
    assert last.parts[0].part_kind == "tool-return"
    assert last.parts[0].tool_name == "python"


async def test_calls_come_back_as_objects_or_as_the_text_they_were() -> None:
    async def calls(exchange: Exchange) -> None:
        await exchange.begin()
        for index, arguments in enumerate(['{"code": "1', '{"code": ', "[1]", ""]):
            function = {"name": "python", "arguments": arguments}
            made = {"index": index, "id": f"call_{index}", "type": "function", "function": function}
            await exchange.event(chunk({"tool_calls": [made]}))
        rest = {"index": 0, "function": {"arguments": '+1"}'}}
        await exchange.event(chunk({"tool_calls": [rest]}))
        await exchange.event(chunk(finish="tool_calls"))
        await exchange.event("[DONE]")
        await exchange.end()

    reply, heard, _ = await ask(calls, request(said("Go.")))
    assert [call.arguments for call in reply.calls] == [{"code": "1+1"}, '{"code": ', "[1]", {}]
    assert (reply.finish, reply.usage, heard) == ("calls", None, [])


async def test_pictures_go_out_where_the_model_takes_them_and_are_named_where_not() -> None:
    picture = Image(media_type="image/png", data=PIXEL)
    asked = request(UserTurn(blocks=(Text(text="Look."), picture)))
    _, _, sent = await ask(says("ok"), asked)
    parts = sent.body["messages"][1]["content"]
    assert parts[1]["image_url"]["url"] == f"data:image/png;base64,{PIXEL}"
    plot = ToolAnswer(call="t1s1c0", tool="python", blocks=(Text(text="a plot"), picture))
    asked = request(said("Plot."), called("python", {}), plot)
    _, _, sent = await ask(says("ok"), asked, images=False)
    assert sent.body["messages"][3]["content"] == (
        "a plot\n[a picture was left out: this model is set to take none]"
    )


async def test_reasoning_is_kept_and_is_no_part_of_the_words() -> None:
    async def reasons(exchange: Exchange) -> None:
        await exchange.begin()
        await exchange.event(chunk({"reasoning_content": "Hm, "}))
        await exchange.event(chunk({"reasoning_content": "three."}))
        await exchange.event(chunk({"content": "Three."}))
        await exchange.event(chunk(finish="stop"))
        await exchange.event("[DONE]")
        await exchange.end()

    reply, heard, _ = await ask(reasons, request(said("How many?")))
    thinking = next(part for part in reply.parts if isinstance(part, Thinking))
    assert (thinking.text, reply.text, heard) == ("Hm, three.", "Three.", ["Three."])


async def test_a_reply_that_stops_for_length_or_never_says_why_is_marked_so() -> None:
    reply, _, _ = await ask(says("half", finish="length"), request(said("a")))
    assert reply.finish == "length"
    reply, _, _ = await ask(says("half", finish=None), request(said("a")))
    assert reply.finish == "unknown"


async def test_a_key_goes_to_a_given_address_only_when_a_setting_names_its_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-another-service")
    monkeypatch.setenv("LAB_KEY", "lab-key")
    _, _, sent = await ask(says("ok"), request(said("a")), name="openai:m")
    assert "secret" not in str(sent.headers)
    _, _, sent = await ask(says("ok"), request(said("a")), api_key_variable="LAB_KEY")
    assert sent.headers["authorization"] == "bearer lab-key"


async def test_a_cancelled_request_closes_its_connection_at_once() -> None:
    hung_up = asyncio.Event()

    async def endless(exchange: Exchange) -> None:
        await exchange.begin()
        await exchange.event(chunk({"content": "One"}))
        await exchange.hung_up()
        hung_up.set()

    async with Peer(endless) as peer:
        model = make("openai-compatible:m", ModelSettings(base_url=f"{peer.url}/v1"))
        heard: list[str] = []
        task = asyncio.create_task(model.request(request(said("a")), heard.append))
        while not heard:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(hung_up.wait(), 0.5)
        await model.close()
        await model.close()


async def test_the_event_loop_answers_while_the_library_is_imported() -> None:
    """Measured in a fresh process: the first request imports a second's worth of library."""
    code = """
import asyncio, time
from keelbook.models import ModelSettings, make
from tests.models.requests import request, says

async def main():
    model = make("openai-compatible:m", ModelSettings(base_url="http://127.0.0.1:9/v1"))
    task = asyncio.create_task(model.request(request(says("a")), print))
    longest, before = 0.0, time.perf_counter()
    while not task.done():
        await asyncio.sleep(0.005)
        now = time.perf_counter()
        longest, before = max(longest, now - before), now
    print(type(task.exception()).__name__, longest)

asyncio.run(main())
"""
    import sys

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE
    )
    output = (await process.communicate())[0].decode().split()
    assert output[0] == "ModelFailed"
    assert float(output[1]) < 0.5


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


async def test_a_reply_with_nothing_in_it_is_a_failure_that_may_be_asked_again() -> None:
    with pytest.raises(ModelFailed) as caught:
        await ask(says(), request(said("a")))
    assert (caught.value.kind, caught.value.retry) == ("empty", True)
