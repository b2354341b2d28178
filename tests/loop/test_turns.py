"""Turns: steps, requests, retries, messages typed meanwhile, cancel, and their one end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from keelbook.errors import ModelFailed, Refused
from keelbook.events import (
    AssistantMessaged,
    PromptSet,
    StepRetried,
    StepStarted,
    ToolEnded,
    ToolStarted,
    TurnEnded,
    UserMessaged,
    UserPosted,
)
from keelbook.messages import text_of
from keelbook.model import Model, Request
from keelbook.row import GoOn, LetStop, NextStop, Stop, StopDecision
from keelbook.surface import messages
from keelbook.tool import Result, Scene
from tests.loop.inprocess import InProcess
from tests.loop.staging import (
    Watching,
    Word,
    asked,
    logged,
    replies,
    results,
    row,
    scripted,
    session,
    tags,
    tool,
    until,
)


async def test_a_turn_is_logged_from_its_request_to_the_models_last_word(tmp_path: Path) -> None:
    script = replies("{text: I look., calls: [{python: 6 * 7}]}", "{text: It is 42., expect: '42'}")
    watching = Watching()
    async with session(tmp_path, script) as opened:
        ended = await opened.ask("What is it?", watching)
        assert tags(logged(opened))[2:] == [
            "turn/start", "user/message", "prompt/set", "step/start", "assistant/message",
            "tool/start", "cell/start", "cell/end", "tool/result", "step/start",
            "assistant/message", "turn/end",
        ]  # fmt: skip
        assert (ended.kind, ended.reason, ended.steps) == ("done", "", 2)
        assert results(opened) == {"t1s1c1": ("", "[value]\n42")}
    assert watching.text == "I look.It is 42."


async def test_the_request_is_made_of_the_prefix_the_surface_and_the_context(
    tmp_path: Path,
) -> None:
    requests: list[Request] = []

    async def note(request: Request, view: object, further: object) -> object:
        requests.append(request)
        return await further(request)  # type: ignore[operator]

    noting = row(around_request=note, section=lambda _: "Be kind.", context=lambda _: "It is late.")
    async with session(tmp_path, rows=[noting]) as opened:
        await asked(opened, "Hello.")
    (request,) = requests
    assert request.system.endswith("Be kind.\n")
    assert request.context == "It is late."
    assert [text_of(each.blocks) for each in request.messages] == ["Hello."]  # type: ignore[union-attr]
    assert [each.name for each in request.tools] == ["python"]
    assert (request.turn, request.step, request.attempt) == (1, 0, 0)


async def test_the_prefix_is_logged_when_it_changed_and_only_then(tmp_path: Path) -> None:
    words = ["One."]
    changing = row(section=lambda _: words[0])
    script = "turns:\n" + "- replies: [{text: Yes.}]\n" * 3
    async with session(tmp_path, script, rows=[changing]) as opened:
        await asked(opened)
        await asked(opened)
        words[0] = "Two."
        await asked(opened)
        prompts = logged(opened, PromptSet)
    assert [each.system.rstrip().endswith(word) for each, word in
            zip(prompts, ["One.", "Two."], strict=True)] == [True, True]  # fmt: skip


async def test_a_message_sent_while_a_turn_runs_is_read_at_the_next_step(tmp_path: Path) -> None:
    async def wait(arguments: Word, scene: Scene) -> Result:
        posted.append(opened.post("Use metres.", by="panel"))
        return Result("waited")

    posted: list[bool] = []
    script = replies("calls: [{wait: {}}]", "{text: In metres., expect: Use metres.}")
    async with session(tmp_path, script, tools=[tool("wait", wait)]) as opened:
        ended = await asked(opened)
        assert (posted, ended.kind) == ([True], "done")
        (user,) = [each for each in logged(opened, UserMessaged) if each.posted]
        assert (text_of(user.message.blocks), user.by) == ("Use metres.", "panel")
        assert opened.queued == 0


async def test_a_message_typed_during_the_last_reply_makes_one_more_step(tmp_path: Path) -> None:
    class Posting(Watching):
        def words(self, delta: str) -> None:
            if delta == "Done.":
                opened.post("And the second?", by="panel")

    script = replies("text: Done.", "{text: The second too., expect: 'And the second?'}")
    async with session(tmp_path, script) as opened:
        ended = await opened.ask("Do the first.", Posting())
        assert (ended.kind, ended.steps) == ("done", 2)


async def test_a_message_posted_when_no_turn_runs_begins_the_next_one(tmp_path: Path) -> None:
    async with session(tmp_path) as opened:
        assert opened.post("By the way.", by="panel") is False
        assert opened.queued == 1
        await asked(opened, "Now.")
        said = [text_of(each.message.blocks) for each in logged(opened, UserMessaged)]
    assert said == ["By the way.", "Now."]


async def test_what_a_recorded_person_typed_is_read_before_its_reply(tmp_path: Path) -> None:
    script = replies(
        "calls: [{python: '1'}]",
        "{person: [In feet., And fast.], calls: [{python: '2'}]}",
        "text: Done.",
    )
    async with session(tmp_path, script) as opened:
        await asked(opened)
        users = [(each.by, text_of(each.message.blocks)) for each in logged(opened, UserMessaged)]
    assert users == [("cell", "Please."), ("script", "In feet."), ("script", "And fast.")]


async def test_a_failure_that_may_pass_is_tried_again_and_counted(tmp_path: Path) -> None:
    script = replies("{error: {kind: rate, times: 2, partial: Half}, text: Whole.}")
    watching = Watching()
    async with session(tmp_path, script) as opened:
        ended = await opened.ask("Go.", watching)
        assert ended.kind == "done"
        retried = logged(opened, StepRetried)
        assert [(each.step, each.attempt, each.code) for each in retried] == [
            (1, 1, "model-rate"), (1, 2, "model-rate"),
        ]  # fmt: skip
        assert len(logged(opened, StepStarted)) == 1
        assert [each.message.text for each in logged(opened, AssistantMessaged)] == ["Whole."]
    assert [each[0] for each in watching.seen].count("retracted") == 2


async def test_a_failure_that_stays_ends_the_turn_with_its_sentence(tmp_path: Path) -> None:
    script = replies("{error: {kind: rate, times: 9, sentence: Too many requests.}, text: No.}")
    async with session(tmp_path, script) as opened:
        ended = await asked(opened)
        assert (ended.kind, ended.reason, ended.sentence) == (
            "failed", "model-rate", "Too many requests.",
        )  # fmt: skip
        assert len(logged(opened, StepRetried)) == 2
        assert logged(opened, AssistantMessaged) == []


async def test_a_failure_nobody_would_retry_is_not_retried(tmp_path: Path) -> None:
    script = replies("{error: {kind: auth, sentence: The key is wrong.}, text: No.}")
    async with session(tmp_path, script) as opened:
        ended = await asked(opened)
        assert (ended.reason, ended.sentence) == ("model-auth", "The key is wrong.")
        assert logged(opened, StepRetried) == []


async def test_an_empty_reply_is_asked_for_once_more_and_never_logged(tmp_path: Path) -> None:
    once = replies("{thinking: Hm., text: ' '}")
    async with session(tmp_path, once) as opened:
        ended = await asked(opened)
        assert (ended.kind, ended.reason) == ("failed", "model-empty")
        assert [each.code for each in logged(opened, StepRetried)] == ["model-empty"]
        assert logged(opened, AssistantMessaged) == []


@pytest.mark.parametrize(("finish", "kind"), [("length", "done"), ("filtered", "failed")])
async def test_a_reply_that_was_cut_short_is_kept_and_the_person_is_told(
    tmp_path: Path, finish: str, kind: str
) -> None:
    script = replies(f"{{text: So far, finish: {finish}}}")
    async with session(tmp_path, script) as opened:
        ended = await asked(opened)
        assert (ended.kind, ended.reason) == (kind, finish)
        assert ended.sentence
        assert [each.message.text for each in logged(opened, AssistantMessaged)] == ["So far"]


async def test_cancel_while_the_model_answers_logs_no_half_reply(tmp_path: Path) -> None:
    script = "pace_s: 0.02\n" + replies("{text: " + "word " * 500 + "}")
    watching = Watching()
    async with session(tmp_path, script) as opened:
        turn = asyncio.create_task(opened.ask("Go.", watching))
        await until(lambda: watching.text)
        assert (opened.state, opened.turn, opened.step) == ("working", 1, 1)
        assert opened.cancel() is True
        ended = await turn
        assert (ended.kind, ended.reason, ended.sentence) == (
            "aborted", "person", "The turn was cancelled.",
        )  # fmt: skip
        assert logged(opened, AssistantMessaged) == []
        assert (opened.state, opened.cancel()) == ("idle", False)


async def test_cancel_while_calls_run_answers_every_call_and_keeps_the_namespace(
    tmp_path: Path,
) -> None:
    code = "import asyncio\\nkept = 1\\nprint('so far')\\nawait asyncio.sleep(30)"
    script = replies(f'calls: [{{python: "{code}"}}, {{python: never()}}, {{echo: {{}}}}]')
    guest = InProcess()
    watching = Watching()
    async with session(tmp_path, script, tools=[tool("echo")], interpreter=guest) as opened:
        turn = asyncio.create_task(opened.ask("Go.", watching))
        await until(lambda: ("output", "t1s1c1", "stdout", "so far\n") in watching.seen)
        opened.cancel()
        opened.cancel()
        assert (await turn).kind == "aborted"
        assert guest.namespace["kept"] == 1
        answered = results(opened)
        assert answered["t1s1c1"] == ("cell-aborted", "so far")
        assert {answered["t1s1c2"][0], answered["t1s1c3"][0]} == {"cancelled"}
        assert [each.call for each in logged(opened, ToolStarted)] == ["t1s1c1"]
        sent = messages(opened.log)
        assert [each.role for each in sent] == ["user", "assistant", "tool", "tool", "tool"]


async def test_cancel_before_the_turn_took_its_first_step_ends_it_all_the_same(
    tmp_path: Path,
) -> None:
    async with session(tmp_path) as opened:
        turn = asyncio.create_task(asked(opened))
        await asyncio.sleep(0)
        assert opened.cancel() is True
        assert (await turn).reason == "person"
        assert logged(opened, StepStarted) == []
        assert [each.kind for each in logged(opened, TurnEnded)] == ["aborted"]


async def test_after_a_cancel_the_next_turn_works(tmp_path: Path) -> None:
    script = (
        "turns:\n- replies: [{calls: [{python: 'import asyncio; await asyncio.sleep(30)'}]}]\n"
        "- replies: [{calls: [{python: 1 + 1}]}, {text: Two.}]\n"
    )
    guest = InProcess()
    async with session(tmp_path, script, interpreter=guest) as opened:
        turn = asyncio.create_task(asked(opened))
        await until(lambda: guest.cells)
        opened.cancel()
        await turn
        ended = await asked(opened)
        assert (ended.turn, ended.kind) == (2, "done")
        assert results(opened)["t2s1c1"] == ("", "[value]\n2")


async def test_a_caller_who_is_cancelled_ends_the_turn(tmp_path: Path) -> None:
    script = replies("calls: [{python: 'import asyncio; await asyncio.sleep(30)'}]")
    guest = InProcess()
    async with session(tmp_path, script, interpreter=guest) as opened:
        turn = asyncio.create_task(asked(opened))
        await until(lambda: guest.cells)
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        assert [each.kind for each in logged(opened, TurnEnded)] == ["aborted"]
        assert opened.state == "idle"


async def test_a_second_turn_is_refused_while_one_runs(tmp_path: Path) -> None:
    script = "pace_s: 0.02\n" + replies("{text: " + "word " * 500 + "}")
    async with session(tmp_path, script) as opened:
        turn = asyncio.create_task(asked(opened))
        await until(lambda: opened.state == "working")
        with pytest.raises(Refused) as refused:
            await asked(opened)
        opened.cancel()
        await turn
    assert refused.value.code == "busy"


async def test_an_empty_request_or_a_missing_model_begins_no_turn(tmp_path: Path) -> None:
    async with session(tmp_path) as opened:
        with pytest.raises(Refused):
            await asked(opened, "  \n")
        assert (opened.turn, opened.state) == (0, "idle")

    def none(name: str | None) -> Model:
        raise ModelFailed("Choose a model.", "no-model")

    async with session(tmp_path, models=none) as opened:
        with pytest.raises(ModelFailed):
            await asked(opened)
        assert opened.turn == 0


async def test_a_row_has_the_model_go_on(tmp_path: Path) -> None:
    async def nudge(stop: Stop, further: NextStop) -> StopDecision:
        if stop.step == 1:
            return GoOn("Step two is open.")
        decision = await further(stop)
        assert decision == LetStop()
        return LetStop("All steps are done.")

    script = replies("text: Finished.", "{text: Really finished., expect: Step two is open.}")
    async with session(tmp_path, script, rows=[row("steps", before_stop=nudge)]) as opened:
        ended = await asked(opened)
        assert (ended.steps, ended.sentence) == (2, "All steps are done.")
        sources = [each.message.source for each in logged(opened, UserMessaged)]
    assert sources == ["person", "steps"]


async def test_a_fault_of_ours_ends_the_turn_and_not_the_session(tmp_path: Path) -> None:
    class Broken:
        name, window, price, images = "broken", None, None, False

        async def request(self, request: Request, on_words: object) -> object:
            raise KeyError("choices")

        def cues(self, step: int) -> tuple[str, ...]:
            return ()

        async def close(self) -> None:
            """Nothing to close."""

    async with session(tmp_path, Broken()) as opened:  # type: ignore[arg-type]
        ended = await asked(opened)
        assert (ended.kind, ended.reason) == ("failed", "host-bug")
        assert "KeyError" in ended.sentence
        assert opened.state == "idle"


async def test_usage_and_call_ids_are_the_harness_s_own(tmp_path: Path) -> None:
    script = replies(
        "{calls: [{echo: {word: a}}, {echo: {word: b}}], usage: {input: 7, output: 3}}",
        "text: Done.",
    )
    async with session(tmp_path, script, tools=[tool("echo")]) as opened:
        await asked(opened)
        first = logged(opened, AssistantMessaged)[0].message
        assert [call.id for call in first.calls] == ["t1s1c1", "t1s1c2"]
        assert first.usage.input == 7


async def test_closing_a_session_ends_its_turn(tmp_path: Path) -> None:
    script = "pace_s: 0.02\n" + replies("{text: " + "word " * 500 + "}")
    guest = InProcess()
    async with session(tmp_path, script, interpreter=guest) as opened:
        turn = asyncio.create_task(asked(opened))
        await until(lambda: opened.state == "working")
        await opened.close()
        assert (await turn).reason == "closed"
        assert guest.closed
        with pytest.raises(Refused):
            await asked(opened)


async def test_a_model_chosen_by_name_is_made_once(tmp_path: Path) -> None:
    made: list[str | None] = []

    def models(name: str | None) -> Model:
        made.append(name)
        return scripted("turns:\n" + "- replies: [{text: Yes.}]\n" * 2)

    async with session(tmp_path, models=models) as opened:
        for _ in range(2):
            await opened.ask("Go.", Watching(), model="scripted:other")
        await asked(opened)
    assert made == ["scripted:other", None]


async def test_posted_messages_and_results_stand_in_the_log_once(tmp_path: Path) -> None:
    async with session(tmp_path, replies("calls: [{echo: {word: x}}]", "text: Done."),
                       tools=[tool("echo")]) as opened:  # fmt: skip
        opened.post("One.", by="panel")
        await asked(opened)
        assert len(logged(opened, UserPosted)) == 1
        assert len(logged(opened, ToolEnded)) == 1
