"""Recorded sessions played again: from an export, from a stored session, and where they part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from keelbook.archive import Archive
from keelbook.errors import BadConfig, ModelFailed, Refused
from keelbook.events import (
    AssistantMessaged,
    Event,
    StepStarted,
    ToolEnded,
    TurnEnded,
    TurnStarted,
    UserMessaged,
    Vocabulary,
)
from keelbook.jsonl import export
from keelbook.messages import AssistantTurn, Call, Text, UserTurn
from keelbook.model import Model
from keelbook.models import ModelSettings, make
from tests.models.requests import answered, called, request, says

ROWS = "<DataFrame at 0x7fe79065d6d0> 344 rows"


def recorded() -> list[Event]:
    """Two turns: one with a call, a cue and an answer, one of a single reply."""
    ask = AssistantTurn(
        parts=(Text(text="I look."), Call(id="t1s1c1", tool="python", arguments={"code": "n"})),
        model="openai:gpt-5",
        finish="calls",
    )
    done = AssistantTurn(parts=(Text(text="344 rows."),), model="openai:gpt-5", finish="stop")
    inner = ToolEnded(call="t1s1c1.1", tool="read", blocks=(), parent="t1s1c1")
    outer = ToolEnded(call="t1s1c1", tool="run_code", blocks=(Text(text=ROWS),))
    nudge = UserTurn(blocks=(Text(text="Go on with the plan."),), source="skill-steps")
    return [
        TurnStarted(turn=1, model="openai:gpt-5"),
        UserMessaged(message=says("Count the rows."), by="cell"),
        StepStarted(turn=1, step=1),
        AssistantMessaged(turn=1, step=1, message=ask),
        inner,
        outer,
        UserMessaged(message=nudge),
        UserMessaged(message=says("Be quick."), by="panel"),
        StepStarted(turn=1, step=2),
        AssistantMessaged(turn=1, step=2, message=done),
        TurnEnded(turn=1, kind="done"),
        TurnStarted(turn=2, model="openai:gpt-5"),
        UserMessaged(message=says("Thanks."), by="cell"),
        AssistantMessaged(turn=2, step=1, message=done),
        TurnEnded(turn=2, kind="done"),
    ]


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(Vocabulary(), tmp_path / "sessions")


@pytest.fixture
def exported(archive: Archive, tmp_path: Path) -> Path:
    with archive.create(session="lesson") as log, (tmp_path / "lesson.jsonl").open("wb") as out:
        log.append(*recorded())
        export(log, out)
    return tmp_path / "lesson.jsonl"


def replay(path: Path, **settings: Any) -> Model:
    return make(f"replay:{path.name}", ModelSettings(**settings), path.parent)


SECOND = (says("Count the rows."), called("python", {"code": "n"}, "t7s1c1"))


async def test_an_export_is_played_reply_by_reply_with_its_cues(exported: Path) -> None:
    model = replay(exported)
    heard: list[str] = []
    first = await model.request(request(says("Count the rows."), turn=7), heard.append)
    assert heard == ["I look."]
    assert first.calls[0].arguments == {"code": "n"}
    assert first.model == "replay:lesson.jsonl"
    assert model.cues(0) == ()
    assert model.cues(1) == ("Be quick.",)
    came = answered(ROWS.replace("7fe79065d6d0", "55d0c0ffee00"), "t7s1c1")
    second = await model.request(
        request(*SECOND, came, says("Be quick."), turn=7, step=1), heard.append
    )
    assert second.text == "344 rows."
    other = await model.request(request(says("thanks."), turn=8), heard.append)
    assert other.text == "344 rows."


async def test_a_stored_session_is_played_by_its_id(archive: Archive) -> None:
    with archive.create(session="stored") as log:
        log.append(*recorded())

    def opened(session: str) -> list[Event]:
        with archive.read(session) as log:
            return [logged.event for logged in log.read()]

    model = make("replay:stored", recorded=opened)
    reply = await model.request(request(says("Count the rows.")), lambda words: None)
    assert reply.text == "I look."
    with pytest.raises(BadConfig, match=r"The recording `other` cannot be read: "):
        make("replay:other", recorded=opened)


@pytest.mark.parametrize(
    ("came", "sentence"),
    [
        (answered("12 rows", "t7s1c1"), "`python` answered “<DataFrame at 0x> 344 rows” when "
         "recorded and “12 rows” now. Set `check: calls` in `modelSettings` to compare the calls "
         "alone."),
        (answered("No such file.", "t7s1c1", is_error=True), "`python` worked when recorded and "
         "failed now: “No such file.”."),
    ],
)  # fmt: skip
async def test_the_first_answer_that_differs_ends_it_with_one_sentence(
    exported: Path, came: Any, sentence: str
) -> None:
    model = replay(exported)
    with pytest.raises(ModelFailed) as caught:
        await model.request(request(*SECOND, came, turn=7, step=1), lambda words: None)
    assert caught.value.kind == "script"
    assert caught.value.sentence == f"The recording `lesson.jsonl`, turn 1, reply 2: {sentence}"


async def test_another_call_in_the_place_of_a_recorded_one_is_a_difference(exported: Path) -> None:
    messages = (says("Count the rows."), called("bash", {}, "t7s1c1"), answered(ROWS, "t7s1c1"))
    with pytest.raises(ModelFailed) as caught:
        await replay(exported).request(request(*messages, turn=7, step=1), lambda words: None)
    assert caught.value.sentence.endswith(
        "the recording calls `python` where this session called `bash`."
    )


async def test_an_answer_that_is_missing_or_one_too_many_is_a_difference(exported: Path) -> None:
    model = replay(exported)
    with pytest.raises(ModelFailed, match=r"`python` was not called, so session and recording"):
        await model.request(request(*SECOND, turn=7, step=1), lambda words: None)
    twice = (answered(ROWS, "t7s1c1"), answered(ROWS, "t7s1c2"))
    with pytest.raises(ModelFailed, match=r"`python` was not recorded, so session and recording"):
        await model.request(request(*SECOND, *twice, turn=7, step=1), lambda words: None)


async def test_texts_may_differ_where_only_the_calls_are_compared(exported: Path) -> None:
    model = replay(exported, check="calls")
    came = answered("12 rows", "t7s1c1")
    reply = await model.request(request(*SECOND, came, turn=7, step=1), lambda words: None)
    assert reply.text == "344 rows."
    failed = answered("12 rows", "t7s1c1", is_error=True)
    with pytest.raises(ModelFailed, match=r"worked when recorded and failed now"):
        await model.request(request(*SECOND, failed, turn=7, step=1), lambda words: None)


async def test_a_recording_goes_no_further_than_it_was_recorded(exported: Path) -> None:
    model = replay(exported)
    with pytest.raises(ModelFailed, match=r"has 1 reply in turn 2 .* it was recorded no further"):
        await model.request(request(says("Thanks."), turn=9, step=1), lambda words: None)


def test_a_recording_that_is_missing_damaged_or_empty_is_one_sentence(
    exported: Path, tmp_path: Path
) -> None:
    with pytest.raises(BadConfig, match=r"`none.jsonl` cannot be read: No such file or directory"):
        make("replay:none.jsonl", folder=tmp_path)
    with pytest.raises(BadConfig, match=r"neither a file nor a stored session"):
        make("replay:none", folder=tmp_path)
    lines = exported.read_bytes().splitlines(keepends=True)
    (tmp_path / "bad.jsonl").write_bytes(lines[0] + b"{]\n" + lines[1])
    with pytest.raises(BadConfig, match=r"Line 2 of the recording `bad.jsonl` is damaged"):
        make("replay:bad.jsonl", folder=tmp_path)
    (tmp_path / "empty.jsonl").write_bytes(lines[0])
    with pytest.raises(BadConfig, match=r"holds no turn of an agent"):
        make("replay:empty.jsonl", folder=tmp_path)


async def test_a_recording_cut_off_while_it_was_written_plays_as_far_as_it_goes(
    exported: Path,
) -> None:
    data = exported.read_bytes()
    exported.write_bytes(data[: data.rindex(b"turn/start") + 20])
    reply = await replay(exported).request(request(says("Count the rows.")), lambda words: None)
    assert reply.text == "I look."


def test_a_session_that_cannot_be_opened_says_why() -> None:
    def opened(session: str) -> list[Event]:
        raise Refused(f"There is no session {session}.", "no-session")

    with pytest.raises(BadConfig, match=r"cannot be read: There is no session x\."):
        make("replay:x", recorded=opened)
