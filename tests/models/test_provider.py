"""Models behind a provider, over a real wire on loopback: what goes out, what comes back."""

from __future__ import annotations

import asyncio
import json

import pytest

from keelbook.errors import ModelFailed
from keelbook.messages import Image, Text, Thinking, ToolAnswer, UserTurn
from keelbook.models import ModelSettings, make
from tests.models.asking import ask
from tests.models.peer import USAGE, Exchange, Peer, chunk, says
from tests.models.requests import answered, called, request
from tests.models.requests import says as said

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


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


async def test_a_reply_with_nothing_in_it_is_a_failure_that_may_be_asked_again() -> None:
    with pytest.raises(ModelFailed) as caught:
        await ask(says(), request(said("a")))
    assert (caught.value.kind, caught.value.retry) == ("empty", True)
