"""``keelbook config``: what is in force and where it came from."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Keelbook, complaint


def test_each_value_is_shown_with_its_source(
    keelbook: Keelbook, config: Path, workspace: Path
) -> None:
    config.write_text("model: openai:gpt-5\nlimits:\n  cpuS: 7\n")
    (workspace / ".keelbook").mkdir()
    (workspace / ".keelbook" / "profile.yaml").write_text("confine: {tcp: none}")
    shown = keelbook("config", KEELBOOK_PROFILE="base")
    assert (shown.returncode, shown.stderr) == (0, "")
    table = {line.split()[0]: line.split(maxsplit=1)[1] for line in shown.stdout.splitlines()[:40]}
    assert " ".join(table["profile"].split()) == '"base" KEELBOOK_PROFILE'
    assert " ".join(table["model"].split()) == f'"openai:gpt-5" {config}, line 1'
    assert " ".join(table["limits.cpuS"].split()) == f"7.0 {config}, line 3"
    local = workspace / ".keelbook" / "profile.yaml"
    assert " ".join(table["confine.tcp"].split()) == f'"none" {local}, line 1'
    assert " ".join(table["python"].split()) == '"host" default'
    assert shown.stdout.endswith(f"Files, later wins:\n  {config}\n  {local}\n")


def test_json_is_for_programs(keelbook: Keelbook, config: Path) -> None:
    config.write_text("model: openai:gpt-5\n")
    found = json.loads(keelbook("config", "--json").stdout)
    assert found["model"] == {
        "value": "openai:gpt-5",
        "layer": "user",
        "place": str(config),
        "line": 1,
    }
    assert found["python"]["layer"] == "default"
    assert found["rows.todo"]["value"] == "on"
    asked = json.loads(keelbook("config", "--json", "--model", "ollama:x").stdout)
    assert asked["model"]["place"] == "--model"


def test_one_row_can_be_asked_for(keelbook: Keelbook, config: Path) -> None:
    assert keelbook("config", "--row", "todo").returncode == 0
    assert complaint(keelbook("config", "--row", "tod")) == [
        "There is no row `tod`; did you mean `todo`?"
    ]
    config.write_text("rows: {todo: off}")
    assert complaint(keelbook("config", "--row", "todo")) == [
        f"The row `todo` is off: {config}, line 1."
    ]


def test_every_error_of_a_profile_is_a_line(keelbook: Keelbook, config: Path) -> None:
    config.write_text("modle: x\nlimits: {cpuS: fast}\n")
    assert complaint(keelbook("config")) == [
        f"limits.cpuS: Expected a number, got the text `fast`. ({config}, line 2)",
        f"modle: There is no setting `modle`; did you mean `model`? ({config}, line 1)",
    ]
