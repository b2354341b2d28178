"""Scripts as files: what a teacher writes, and what they are told when it is wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keelbook.errors import BadConfig
from keelbook.models import make
from keelbook.models.script import load, parse_script

GOOD = """
about: A lesson.
turns:
  - request: count the rows
    replies:
      - thinking: The frame is small.
        text: I look at the data first.
        calls:
          - python: |
              len(rows)
          - write_todos:
              todos:
                - content: count
      - expect: "344"
        person: Now the columns.
        text: Yes, no and 2024-01-01 are texts here.
"""


def refused(text: str) -> list[str]:
    with pytest.raises(BadConfig) as caught:
        parse_script(text.encode(), "lesson.yaml")
    return list(caught.value.sentences)


def test_a_script_says_turns_of_replies_with_calls_as_blocks_of_code() -> None:
    script = parse_script(GOOD.encode(), "lesson.yaml")
    first, second = script.turns[0].replies
    assert first.calls[0].tool == "python"
    assert first.calls[0].arguments == "len(rows)\n"
    assert first.calls[1].arguments == {"todos": [{"content": "count"}]}
    assert second.expect == ["344"]
    assert second.person == ["Now the columns."]


def test_every_error_is_told_at_once_with_its_line_its_turn_and_its_reply() -> None:
    text = """
turns:
  - replies:
      - txt: hello
      - text: 3
      - calls:
          - python: [1]
  - replies: []
pace: 1
"""
    assert refused(text) == [
        "lesson.yaml, line 4, turn 1, reply 1, txt: There is no setting `txt`; "
        "did you mean `text`?",
        "lesson.yaml, line 5, turn 1, reply 2, text: Expected text, got the number 3.",
        "lesson.yaml, line 7, turn 1, reply 3, call 1: The arguments of `python` must be a text "
        "or a table.",
        "lesson.yaml, line 8, turn 2, replies: Must be at least this long: 1.",
        "lesson.yaml, line 9, pace: There is no setting `pace`; did you mean `paceS`?",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The script `lesson.yaml` must be a table with `turns`."),
        ("- a", "The script `lesson.yaml` must be a table with `turns`."),
        ("turns: [", "lesson.yaml, line 1: This is no YAML: expected the node content, but found "
         "'<stream end>'."),
        ("turns:\n  - replies: []\n    replies: []", "lesson.yaml, line 3: `replies` stands twice "
         "in one table."),
        ("turns:\n  - replies:\n      - {}", "lesson.yaml, line 3, turn 1, reply 1: A reply needs "
         "`text`, `calls` or `error`."),
        ("turns:\n  - replies:\n      - {text: a, chunks: [a]}", "lesson.yaml, line 3, turn 1, "
         "reply 1: A reply has `text` or `chunks`, not both."),
        ("turns:\n  - replies:\n      - {text: a, person: b}", "lesson.yaml, line 2, turn 1: "
         "`person` speaks after a first reply; `request` is what begins it."),
        ("turns:\n  - replies:\n      - calls:\n          - {a: 1, b: 2}", "lesson.yaml, line 4, "
         "turn 1, reply 1, call 1: Expected one tool, got 2; begin each call with a dash."),
        ("turns:\n  - replies:\n      - calls:\n          - ls", "lesson.yaml, line 4, turn 1, "
         "reply 1, call 1: Expected a tool with its arguments, as in `- python: print(1)`."),
        ("turns: .inf", "lesson.yaml: `inf` is nothing JSON can hold; put it in quotes."),
    ],
)  # fmt: skip
def test_one_clear_sentence_for_each_mistake(text: str, sentence: str) -> None:
    assert refused(text) == [sentence]


def test_a_failure_of_an_unknown_kind_is_told_the_kinds_there_are() -> None:
    (sentence,) = refused("turns:\n  - replies:\n      - error: {kind: tired}")
    assert sentence.startswith(
        "lesson.yaml, line 3, turn 1, reply 1, error, kind: `tired` is not one of 'no-model', "
    )


def test_words_that_yaml_would_turn_into_something_else_stay_words() -> None:
    text = """
turns:
  - replies:
      - calls:
          - write: {path: no, text: 2024-01-01, mode: 0o17, flag: true, many: 3}
"""
    call = parse_script(text.encode(), "lesson.yaml").turns[0].replies[0].calls[0]
    assert call.arguments == {
        "path": "no",
        "text": "2024-01-01",
        "mode": "0o17",
        "flag": True,
        "many": 3,
    }


def test_a_file_that_is_not_there_or_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"The script `none.yaml` cannot be read: No such file"):
        make("scripted:none.yaml", folder=tmp_path)
    (tmp_path / "picture.yaml").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(BadConfig, match=r"picture.yaml: This is no YAML"):
        load(tmp_path / "picture.yaml", "picture.yaml")
    with pytest.raises(BadConfig, match=r"cannot be read: It is no ordinary file"):
        load(tmp_path, "folder")


@pytest.mark.parametrize("name", ["pipe.yaml", "/dev/zero"])
def test_a_script_that_waits_or_never_ends_is_refused_at_once(tmp_path: Path, name: str) -> None:
    """Bad input: a stranger's workspace may name the script."""
    os.mkfifo(tmp_path / "pipe.yaml")
    with pytest.raises(BadConfig, match=r"cannot be read: It is no ordinary file"):
        load(tmp_path / name, name)
