"""Profiles layered over each other, and where each value came from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keelbook.errors import BadConfig
from keelbook.profile import load
from keelbook.profiles.settings import Settings
from tests.profile.conftest import Load, faults_of


def test_nothing_is_set_and_the_defaults_are_those_of_the_guest_and_the_loop(loaded: Load) -> None:
    profile = loaded()
    assert profile.name == "stable"
    assert [row.name for row in profile.rows] == ["turn-budget", "todo"]
    assert profile.guest == Settings().guest()
    assert profile.parts().budgets == Settings().budgets()
    assert profile.settings.model is None
    assert profile.origin(("model",)) is None


def test_base_steers_nothing_and_stable_keeps_a_plan(loaded: Load) -> None:
    """rows 1: the table of what is on."""
    assert [row.name for row in loaded(profile="base").rows] == []
    assert [row.name for row in loaded(profile="stable").rows] == ["turn-budget", "todo"]


def test_each_layer_wins_over_the_one_below(own: Path, loaded: Load) -> None:
    mine = "profile: base\nmodel: openai:c\nlimits: {cpuS: 3}\n"
    user = "model: openai:b\npython: /usr/bin/python3\nlimits: {cpuS: 2, wallS: 9}\n"
    local = "limits:\n  cpuS: 1\ncodeMode: false\n"
    profile = loaded(user, local, {"KEELBOOK_MODEL": "openai:d"}, profile="mine", mine=mine)
    settings = profile.settings
    assert (settings.model, settings.python) == ("openai:d", "/usr/bin/python3")
    assert (settings.limits.cpu_s, settings.limits.wall_s, settings.code_mode) == (1, 9, False)
    assert (profile.name, profile.rows) == ("mine", ())

    def where(*loc: str) -> str:
        layer = profile.origin(loc)
        return "default" if layer is None else layer.at(loc).rpartition("/")[2]

    assert where("model") == "KEELBOOK_MODEL"
    assert where("python") == "profile.yaml, line 2"
    assert where("limits", "cpuS") == "profile.yaml, line 2"
    assert where("limits", "wallS") == "profile.yaml, line 3"
    assert where("limits", "nofile") == "default"
    assert where("rows", "todo") == "base (built in)"
    assert where("profile") == "--profile"
    assert loaded(user, model="openai:e").settings.model == "openai:e"


def test_the_profile_is_chosen_by_what_is_asked_then_the_environment_then_the_users_file(
    loaded: Load,
) -> None:
    assert loaded("profile: base").name == "base"
    assert loaded("profile: base", environ={"KEELBOOK_PROFILE": "stable"}).name == "stable"
    environ = {"KEELBOOK_PROFILE": "stable", "KEELBOOK_MODEL": ""}
    assert loaded(environ=environ, profile="base").name == "base"


def test_a_row_is_switched_and_set_again_by_a_later_layer(loaded: Load) -> None:
    for text, on in (("off", False), ("false", False), ("on", True), ("true", True), ("{}", True)):
        rows = loaded(f"rows: {{todo: {text}}}").rows
        assert ("todo" in [row.name for row in rows]) == on


def test_a_list_replaces_the_one_below_and_a_table_is_merged(loaded: Load) -> None:
    user = "passEnv: [A, B]\nconfine: {mode: required, read: [/data]}\n"
    profile = loaded(user, profile="mine", mine="passEnv: [C]\nconfine: {tcp: none}\n")
    assert profile.settings.pass_env == ("C",)
    confine = profile.settings.confine
    assert (confine.mode, confine.read, confine.tcp) == ("required", ("/data",), "none")


def test_null_takes_a_limit_away(loaded: Load) -> None:
    assert loaded("limits: {cpuS: null}").parts().budgets.cpu_s is None


def test_every_setting_of_the_guest_and_of_a_turn_can_be_set(loaded: Load) -> None:
    user = (
        "python: /bin/x\npassEnv: [A]\nconfine: {mode: 'off'}\n"
        "skills: [{name: a, module: b}]\n"
        "limits: {cpuS: 1, wallS: 2, retryWaitsS: [1, 2.5], bootS: 3, shutdownS: 4,\n"
        "  idleCpuS: 5, parallelCalls: 6, callsPerCell: 7, resultBytes: 8,\n"
        "  displayBytesPerCell: 9, shellOutputBytes: 10, nofile: 11, graceS: 12}\n"
    )
    profile = loaded(user)
    guest, default = profile.guest, Settings().guest()
    same = {n for n in type(guest).model_fields if getattr(guest, n) == getattr(default, n)}
    assert same == set()
    assert (guest.limits.nofile, guest.limits.grace_s, guest.boot_s) == (11, 12, 3)
    budgets = profile.parts().budgets
    assert (budgets.cpu_s, budgets.wall_s, budgets.parallel, budgets.retries) == (1, 2, 6, (1, 2.5))


def test_on_and_off_are_words_not_truth_values(loaded: Load) -> None:
    assert loaded("confine: {mode: off}").settings.confine.mode == "off"


def test_folders_granted_to_cells_are_granted_to_file_tools(loaded: Load) -> None:
    parts = loaded("confine: {write: [/data, ~/out]}").parts()
    assert parts.writable == (Path("/data"), Path.home() / "out")


def test_a_model_of_another_provider_does_not_get_the_address_of_the_own(loaded: Load) -> None:
    profile = loaded(
        "model: ollama:qwen3\nmodelSettings: {baseUrl: 'http://mine:1/v1', window: 99}\n"
    )
    assert profile.model().window == 99
    assert profile.model("ollama:other").window == 99
    assert profile.model("openai:gpt-5").window != 99


def test_a_missing_folder_of_settings_is_no_error(tmp_path: Path) -> None:
    profile = load(tmp_path / "work", environ={}, folder=tmp_path / "none")
    assert profile.name == "stable"


def test_every_error_is_listed_with_its_file_and_line(loaded: Load) -> None:
    """rows E1-E4"""
    user = (
        "modle: openai:x\n"
        "python: null\n"
        "limits:\n"
        "  cpuS: fast\n"
        "  nofile: true\n"
        "  parallelCalls: 0\n"
        "  cpuLiveS: 1\n"
        "confine:\n"
        "  mode: onn\n"
        "  tcp: 443\n"
        "rows:\n"
        "  tood: on\n"
        "  todo: {style: short}\n"
        "  todos: 3\n"
    )
    assert faults_of(loaded, user=user) == [
        "python: Expected text, got nothing. (profile.yaml, line 2)",
        "confine.mode: `onn` is not one of 'required', 'on' or 'off'. (profile.yaml, line 9)",
        "confine.tcp: Expected 'all' or 'none' or a list, got the number 443. "
        "(profile.yaml, line 10)",
        "limits.nofile: Expected a whole number, got true. (profile.yaml, line 5)",
        "limits.cpuS: Expected a number, got the text `fast`. (profile.yaml, line 4)",
        "limits.parallelCalls: Must be more than 0. (profile.yaml, line 6)",
        "limits.cpuLiveS: There is no setting `cpuLiveS`; did you mean `cpuLifeS`? "
        "(profile.yaml, line 7)",
        "rows.todos: Expected true or false, 'on' or 'off' or a table, got the number 3. "
        "(profile.yaml, line 14)",
        "modle: There is no setting `modle`; did you mean `model`? (profile.yaml, line 1)",
        "todo.style: There is no setting `style`. (profile.yaml, line 13)",
        "rows.tood: There is no row `tood`; did you mean `todo`? (profile.yaml, line 12)",
        "rows.todos: There is no row `todos`; did you mean `todo`? (profile.yaml, line 14)",
    ]


def test_errors_of_several_files_are_listed_together(loaded: Load) -> None:
    found = faults_of(loaded, user="model: [", local="- a", profile="mine", mine="limits: {a: *b}")
    assert found[0].startswith("profile.yaml, line 1: This is no YAML")
    assert found[1:] == [
        ".keelbook/profile.yaml: A profile is a table of settings, such as `model: openai:gpt-5`.",
        "profiles/mine.yaml, line 1: Write the value out; aliases (`*b`) do not work in a profile.",
    ]


def test_a_key_given_twice_is_refused(loaded: Load) -> None:
    text = "model: openai:a\nlimits: {cpuS: 1, cpuS: 2}\nmodel: openai:b\n"
    assert faults_of(loaded, user=text) == [
        "profile.yaml, line 2: `cpuS` stands twice in one table.",
        "profile.yaml, line 3: `model` stands twice in one table.",
    ]


def test_a_document_that_grows_when_read_is_refused_at_once(loaded: Load) -> None:
    text = "a0: &a0 [x, x]\n" + "".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12)
    )
    assert faults_of(loaded, local=text) == [
        ".keelbook/profile.yaml, line 2: Write the value out; aliases (`*a0`) do not work in a "
        "profile."
    ]


def test_a_file_that_is_too_large_or_a_folder_is_one_sentence(own: Path, loaded: Load) -> None:
    assert faults_of(loaded, local="# " + "x" * 300_000) == [
        ".keelbook/profile.yaml is larger than 262,144 bytes, too large for a profile."
    ]
    loaded()
    (own / "profile.yaml").unlink()
    (own / "profile.yaml").mkdir()
    with pytest.raises(BadConfig, match=r"profile\.yaml cannot be read: Is a directory\."):
        load(own, environ={}, folder=own)


def test_a_profile_that_is_not_there_or_builds_on_itself_is_one_sentence(loaded: Load) -> None:
    assert faults_of(loaded, profile="stabel") == [
        "profile: There is no profile `stabel`; did you mean `stable`? (--profile)"
    ]
    assert faults_of(loaded, user="profile: ../x") == [
        "profile: There is no profile `../x`; there are base and stable. (profile.yaml, line 1)"
    ]
    assert faults_of(loaded, profile="a", a="profile: b", b="profile: a") == [
        "profile: Profiles build on each other in a circle: a -> b -> a. (profiles/b.yaml, line 1)"
    ]


def test_a_named_pipe_in_a_workspace_is_not_waited_for(loaded: Load, workspace: Path) -> None:
    loaded()
    file = workspace / ".keelbook" / "profile.yaml"
    file.unlink()
    os.mkfifo(file)
    assert load(workspace, environ={}, folder=workspace / "none").name == "stable"
