"""The scripted model in a session's hands: its place, its cues, its failures."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from keelbook.errors import ModelFailed
from keelbook.messages import AssistantTurn
from keelbook.model import Model, Request
from keelbook.models import make
from tests.models.requests import answered, called, request, says

LESSON = """
turns:
  - request: Count the rows
    replies:
      - text: I look first.
        calls:
          - python: len(rows)
      - expect: ["344"]
        person: And the columns?
        text: 344 rows.
  - request: plot
    replies:
      - text: Here is a plot.
"""


@pytest.fixture
def lesson(tmp_path: Path) -> Model:
    return written(tmp_path, LESSON)


def written(folder: Path, text: str, name: str = "lesson.yaml") -> Model:
    (folder / name).write_text(text)
    return make(f"scripted:{name}", folder=folder)


async def reply(model: Model, asked: Request) -> AssistantTurn:
    heard: list[str] = []
    answer = await model.request(asked, heard.append)
    assert "".join(heard) == answer.text
    return answer


async def test_a_turn_is_played_reply_by_reply_and_its_words_arrive_one_by_one(
    lesson: Model,
) -> None:
    heard: list[str] = []
    first = await lesson.request(request(says("count the ROWS, please")), heard.append)
    assert heard == ["I ", "look ", "first."]
    assert first.calls[0].arguments == {"code": "len(rows)"}
    assert first.finish == "calls"
    assert first.usage is not None
    assert first.usage.estimated
    assert lesson.cues(1) == ("And the columns?",)
    second = await reply(
        lesson,
        request(
            says("count the rows"), called("python", {}), answered("344"), says("And?"), step=1
        ),
    )
    assert (second.text, second.finish) == ("344 rows.", "stop")


async def test_the_same_request_sent_again_gets_the_same_reply(lesson: Model) -> None:
    asked = request(says("count the rows"))
    assert await reply(lesson, asked) == await reply(lesson, asked)


async def test_a_notebook_run_again_in_the_same_session_plays_the_same(lesson: Model) -> None:
    for turn, words in enumerate(["count the rows", "plot it", "count the rows", "plot it"], 1):
        answer = await reply(lesson, request(says(words), turn=turn))
        assert answer.text == ("Here is a plot." if "plot" in words else "I look first.")


async def test_a_turn_taken_up_after_a_restart_is_found_by_what_began_it(lesson: Model) -> None:
    asked = request(
        says("count the rows"), called("python", {}), answered("344"), says("And?"), step=1
    )
    assert (await reply(lesson, asked)).text == "344 rows."


async def test_a_request_the_script_was_not_written_for_is_one_sentence(lesson: Model) -> None:
    with pytest.raises(ModelFailed) as caught:
        await reply(lesson, request(says("What is the weather?")))
    assert caught.value.kind == "script"
    assert caught.value.sentence == (
        "The script `lesson.yaml` has no turn for “What is the weather?”; it answers “count the "
        "rows” and nothing it was not written for. Choose another model with `%%agent --model` "
        "to go on."
    )


async def test_turns_without_a_request_answer_once_and_then_say_they_are_used_up(
    tmp_path: Path,
) -> None:
    model = written(tmp_path, "turns:\n  - replies: [{text: one}]\n  - replies: [{text: two}]")
    assert (await reply(model, request(says("a"), turn=4))).text == "one"
    assert (await reply(model, request(says("b"), turn=5))).text == "two"
    with pytest.raises(ModelFailed, match=r"has 2 turns, and this session has played them all"):
        await reply(model, request(says("c"), turn=6))
    again = make("scripted:lesson.yaml", folder=tmp_path)
    assert (await reply(again, request(says("a"), turn=7))).text == "one"


async def test_what_came_back_must_hold_what_the_script_expects(lesson: Model) -> None:
    await reply(lesson, request(says("count the rows")))
    wrong = request(says("count the rows"), called("python", {}), answered("12 rows"), step=1)
    with pytest.raises(ModelFailed) as caught:
        await reply(lesson, wrong)
    assert caught.value.sentence == (
        "The script `lesson.yaml`, turn 1, reply 2: the script expects “344” in what came back, "
        "and got “12 rows”; the session has left the script here."
    )


async def test_a_session_that_asks_for_more_than_the_script_has_is_told_so(lesson: Model) -> None:
    with pytest.raises(ModelFailed, match=r"has 2 replies for turn 1 and the session asks for one"):
        await reply(lesson, request(says("count the rows"), step=2))


async def test_code_for_a_tool_that_is_not_offered_names_the_tools_there_are(
    lesson: Model,
) -> None:
    with pytest.raises(ModelFailed, match=r"calls `python`, which is no tool here; there are none"):
        await reply(lesson, request(says("count the rows"), tools=()))


async def test_failures_are_rehearsed_as_often_as_asked_and_then_the_reply_comes(
    tmp_path: Path,
) -> None:
    text = """
turns:
  - replies:
      - error: {kind: cut, partial: Half a, times: 2}
        text: The whole.
      - error: {kind: auth, sentence: The key is stale.}
"""
    model = written(tmp_path, text)
    asked = request(says("a"))
    for _ in range(2):
        heard: list[str] = []
        with pytest.raises(ModelFailed) as caught:
            await model.request(asked, heard.append)
        assert (caught.value.kind, caught.value.retry) == ("cut", True)
        assert (caught.value.partial, heard) == ("Half a", ["Half a"])
    assert (await reply(model, asked)).text == "The whole."
    for _ in range(3):
        with pytest.raises(ModelFailed, match=r"^The key is stale\.$") as caught:
            await reply(model, request(says("a"), step=1))
        assert not caught.value.retry


async def test_usage_chunks_finish_and_raw_arguments_are_taken_as_written(tmp_path: Path) -> None:
    text = """
turns:
  - replies:
      - chunks: [a, " b"]
        thinking: hm
        finish: length
        usage: {input: 5, output: 6, cacheRead: 7}
        calls:
          - {tool: python, arguments: "{not json"}
"""
    model = written(tmp_path, text)
    heard: list[str] = []
    answer = await model.request(request(says("x")), heard.append)
    assert heard == ["a", " b"]
    assert answer.finish == "length"
    assert answer.usage is not None
    assert answer.usage.total == 18
    assert answer.calls[0].arguments == "{not json"
    assert answer.parts[0].kind == "thinking"


async def test_a_reply_at_a_readers_pace_can_be_cancelled_between_words(tmp_path: Path) -> None:
    model = written(tmp_path, "paceS: 0.05\nturns:\n  - replies: [{text: one two three four}]")
    heard: list[str] = []
    task = asyncio.create_task(model.request(request(says("x")), heard.append))
    while not heard:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert 0 < len(heard) < 4


def test_a_scripted_session_never_imports_the_library_for_providers(tmp_path: Path) -> None:
    (tmp_path / "lesson.yaml").write_text(LESSON)
    code = (
        "import sys, pathlib; from keelbook.models import make\n"
        f"make('scripted:lesson.yaml', folder=pathlib.Path({str(tmp_path)!r}))\n"
        "make('openai:gpt-5'); make('')\n"
        "assert 'pydantic_ai' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
