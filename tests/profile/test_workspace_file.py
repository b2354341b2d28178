"""What the file of a workspace may set: it comes with a notebook somebody sent."""

from __future__ import annotations

import pytest

from tests.profile.conftest import Load, faults_of


@pytest.mark.parametrize(
    ("user", "local"),
    [
        ("", "codeMode: false"),
        ("", "rows: {todo: off}"),
        ("profile: base", "rows: {todo: on}"),
        ("model: openai:x", "model: scripted:lesson.yaml"),
        ("", "model: replay:lesson.jsonl"),
        ("", "confine: {mode: required}"),
        ("confine: {mode: required}", "confine: {mode: required}"),
        ("", "confine: {tcp: none}"),
        ("confine: {tcp: [80, 443]}", "confine: {tcp: [443]}"),
        ("", "confine: {namespaces: [user, net]}"),
        ("", "limits: {cpuS: 300, callsPerCell: 10}"),
        ("limits: {cpuS: null}", "limits: {cpuS: 9999}"),
        ("limits: {cpuS: 1}", "limits: {cpuS: 1.0}"),
    ],
)
def test_it_may_bound_confine_and_plan(loaded: Load, user: str, local: str) -> None:
    profile = loaded(user, local)
    layers = {layer.name for layer in profile.origins.values()}
    assert "workspace" in layers


@pytest.mark.parametrize(
    ("user", "local", "sentence"),
    [
        ("", "python: /tmp/evil", "python: A workspace's file may not set this;"),
        ("", "passEnv: [OPENAI_API_KEY]", "passEnv: A workspace's file may not set this;"),
        ("", "profile: base", "profile: A workspace's file may not set this;"),
        ("", "model: openai:gpt-5", "model: A workspace's file may choose only `scripted:` and"),
        (
            "",
            "modelSettings: {baseUrl: 'http://evil'}",
            "modelSettings.baseUrl: A workspace's file may not set this;",
        ),
        ("", "confine: {mode: off}", "confine.mode: A workspace's file may confine more, not less"),
        ("", "confine: {read: [/]}", "confine.read: A workspace's file may not set this;"),
        ("", "confine: {write: []}", "confine.write: A workspace's file may not set this;"),
        (
            "confine: {tcp: none}",
            "confine: {tcp: all}",
            "confine.tcp: A workspace's file may close ports only;",
        ),
        (
            "confine: {tcp: [80]}",
            "confine: {tcp: [80, 443]}",
            "confine.tcp: A workspace's file may close ports only;",
        ),
        (
            "confine: {namespaces: [user, net]}",
            "confine: {namespaces: [user]}",
            "confine.namespaces: A workspace's file may confine more, not less;",
        ),
        ("", "limits: {cpuS: 301}", "limits.cpuS: A workspace's file may lower a limit, not"),
        ("", "limits: {cpuS: null}", "limits.cpuS: A workspace's file may lower a limit, not"),
        ("", "limits: {addressBytes: 0}", "limits.addressBytes: A workspace's file may not set"),
        ("", "skills: [{name: a, module: b}]", "skills: A workspace's file may not set this;"),
    ],
)
def test_it_may_not_loosen_anything(loaded: Load, user: str, local: str, sentence: str) -> None:
    (found,) = faults_of(loaded, user=user, local=local)
    assert found.startswith(sentence)
    assert found.endswith("set it in profile.yaml. (.keelbook/profile.yaml, line 1)")


def test_what_the_environment_chooses_is_not_held_against_it(loaded: Load) -> None:
    environ = {"KEELBOOK_MODEL": "openai:gpt-5"}
    profile = loaded("", "model: scripted:lesson.yaml", environ)
    assert profile.settings.model == "openai:gpt-5"


def test_everything_it_may_not_set_is_listed_at_once(loaded: Load) -> None:
    found = faults_of(
        loaded, local="python: x\npassEnv: [A]\nlimits:\n  wallS: 1\n  nofile: null\n"
    )
    assert [each.partition(":")[0] for each in found] == ["python", "passEnv", "limits.nofile"]
    assert [each.rpartition("line ")[2] for each in found] == ["1)", "2)", "5)"]
