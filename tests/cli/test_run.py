"""``keelbook run`` and ``keelbook sessions``: a turn on a terminal, and what it leaves."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import COMMAND, Keelbook, complaint

SCRIPT = """\
turns:
- request: count
  replies:
  - text: "I count\\e[31m them."
    calls:
    - write_todos:
        todos: [{content: Count}]
    - python: |
        print("in the cell")
        names = await tools.ls()
        len(names)
  - text: There are two.
- request: fail
  replies:
  - text: I try.
    calls:
    - python: await tools.read("nowhere")
  - text: It is not there.
- request: sleep
  replies:
  - text: I wait.
    calls:
    - python: |
        print("asleep", flush=True)
        import time
        time.sleep(60)
  - text: never
"""


@pytest.fixture
def script(workspace: Path) -> tuple[str, str]:
    """The options that choose the scripted model."""
    (workspace / "s.yaml").write_text(SCRIPT)
    (workspace / "data.txt").write_text("x")
    return "--model", "scripted:s.yaml"


def test_words_go_to_standard_output_and_the_rest_beside_it(
    keelbook: Keelbook, script: tuple[str, str]
) -> None:
    done = keelbook("run", "count the files", *script)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "I count[31m them.\nThere are two.\n"
    lines = done.stderr.splitlines()
    assert "in the cell" in lines
    assert any(line.startswith("  > run_code {") for line in lines)
    assert any(line.startswith("    > ls {") for line in lines)
    assert lines[-1].startswith("[Turn 1 done after 2 steps. Session ")


def test_a_request_comes_from_standard_input_too(
    keelbook: Keelbook, script: tuple[str, str]
) -> None:
    done = keelbook("run", "-", *script, typed="count\n")
    assert done.stdout.endswith("There are two.\n")
    assert complaint(keelbook("run", "-", *script, typed=" \n")) == [
        "There is nothing to ask: the request is empty."
    ]


def test_a_failing_call_is_shown_and_the_turn_goes_on(
    keelbook: Keelbook, script: tuple[str, str]
) -> None:
    done = keelbook("run", "fail", *script)
    assert (done.returncode, done.stdout) == (0, "I try.\nIt is not there.\n")
    assert "There is no file nowhere." in done.stderr


def test_no_model_and_an_unknown_one_are_said(keelbook: Keelbook) -> None:
    done = keelbook("run", "count")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "No model is set" in done.stderr
    assert "keelbook demo" in done.stderr
    (said,) = complaint(keelbook("run", "count", "--model", "opnai:gpt-5"))
    assert said.startswith("No model provider is called `opnai`; did you mean `openai:gpt-5`?")


def test_a_guest_that_cannot_start_is_one_sentence(
    keelbook: Keelbook, script: tuple[str, str]
) -> None:
    (said,) = complaint(keelbook("run", "count", *script, KEELBOOK_PYTHON="/nowhere/python"))
    assert "There is no interpreter at /nowhere/python." in said


def test_ctrl_c_cancels_the_turn_and_keeps_the_session(
    keelbook: Keelbook, script: tuple[str, str], environment: dict[str, str], workspace: Path
) -> None:
    process = subprocess.Popen(
        [*COMMAND, "run", "sleep", *script],
        cwd=workspace,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    seen = ""
    for line in process.stderr:
        seen += line
        if "asleep" in line:
            break
    process.send_signal(signal.SIGINT)
    out, rest = process.communicate(timeout=30)
    assert "Traceback" not in rest
    assert process.returncode == 130
    assert out == "I wait.\n"
    assert "[Turn 1 aborted after 1 step" in rest
    session = rest.rpartition("Session ")[2].strip(" ]\n")
    again = keelbook("run", "count", *script, "--session", session)
    assert "[Turn 2 done" in again.stderr


def test_sessions_are_listed_shown_exported_and_imported(
    keelbook: Keelbook, script: tuple[str, str], workspace: Path
) -> None:
    assert keelbook("sessions").stdout.startswith("There are no sessions in ")
    keelbook("run", "count", *script)
    (listed,) = keelbook("sessions", "--json").stdout.splitlines()
    session = json.loads(listed)["card"]["session"]
    assert keelbook("sessions").stdout.startswith(session)

    shown = keelbook("sessions", "show", session[:-2]).stdout
    assert "You: count\nAgent: I count[31m them.\n" in shown
    assert "\x1b" not in shown
    assert shown.splitlines()[-2] == "--- Turn 1 done after 2 steps."
    last = keelbook("sessions", "show", session, "--last", "3").stdout.splitlines()
    assert last[2:] == shown.splitlines()[-len(last[2:]) :]

    out = keelbook("sessions", "export", session).stdout
    assert [json.loads(line)["seq"] for line in out.splitlines()] == [
        *range(1, len(out.splitlines()) + 1)
    ]
    wrote = keelbook("sessions", "export", session, "-o", "s.jsonl")
    assert (workspace / "s.jsonl").read_text() == out
    assert wrote.stdout == f"{len(out.splitlines())} events in s.jsonl\n"
    assert complaint(keelbook("sessions", "export", session, "-o", "s.jsonl")) == [
        "s.jsonl is there already; give another name."
    ]
    (refused,) = complaint(keelbook("sessions", "import", "s.jsonl"))
    assert refused == f"There is a session {session} already."
    back = keelbook("sessions", "import", "s.jsonl", KEELBOOK_DATA=str(workspace / "other"))
    assert back.stdout == f"Session {session} was made from s.jsonl.\n"


@pytest.mark.usefixtures("script")
def test_a_session_that_is_not_there_is_one_sentence(keelbook: Keelbook) -> None:
    assert complaint(keelbook("sessions", "show", "x")) == [
        "There is no session `x`; `keelbook sessions` lists them."
    ]
    (said,) = complaint(keelbook("sessions", "import", "nowhere.jsonl"))
    assert said == "nowhere.jsonl cannot be read: No such file or directory."
