"""The tour as a page with no extension reads well: light and dark, wide and narrow (lab N2)."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "test-output" / "notebooks"
MEASURE = Path(__file__).with_name("measure.js")
SWITCHES = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=4000"),
]


@cache
def measured(theme: str, width: int, folder: Path) -> Any:
    """What ``measure.js`` finds on the page nbconvert makes of the stored tour."""
    chromium = shutil.which("chromium")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("There is no chromium; .ci/setup installs it.")
        pytest.skip("there is no chromium; .ci/setup installs it as root")
    notebook = nbformat.read(ROOT / "notebooks" / "01-tour.ipynb", 4)  # type: ignore[no-untyped-call]
    exporter = HTMLExporter(theme=theme)  # type: ignore[no-untyped-call]
    page, _ = exporter.from_notebook_node(notebook)
    file = folder / f"tour-{theme}-{width}.html"
    file.write_text(page.replace("</body>", f"<script>{MEASURE.read_text()}</script></body>"))
    PICTURES.mkdir(parents=True, exist_ok=True)
    command = [chromium, *SWITCHES, f"--user-data-dir={folder / 'profile'}"]
    command += [f"--window-size={width},3600", file.as_uri()]
    picture = f"--screenshot={PICTURES / file.with_suffix('.png').name}"
    subprocess.run([*command, picture], check=True, capture_output=True, timeout=60)
    dumped = subprocess.run(
        [*command, "--dump-dom"], check=True, capture_output=True, text=True, timeout=60
    )
    found = re.search(r'<pre id="measured">(.*?)</pre>', dumped.stdout, re.DOTALL)
    assert found, "the page was not measured"
    return json.loads(html.unescape(found[1]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(params=[("light", 1000), ("dark", 1000), ("light", 560)], ids=str)
def page(request: Any, folder: Path) -> Any:
    theme, width = request.param
    return measured(theme, width, folder)


def test_every_card_is_there_with_its_state_in_words(page: Any) -> None:
    assert page["labels"] == [
        "Plan: 3 done, 0 under way, 0 open",
        "Call of python: done",
        "Call of python: done",
        "You, while it worked",
        "Call of python: done",
        "Turn 1: done after 5 steps",
    ]


def test_nothing_on_a_card_runs_over_the_edge(page: Any) -> None:
    assert page["over"] == [0] * 6
    assert page["right"] <= page["width"]


def test_text_on_cards_stands_out_from_its_ground(page: Any) -> None:
    assert min(page["contrast"]) > 4.5


def test_what_the_agent_shows_as_html_is_seen_whole_and_cannot_reach_the_page(page: Any) -> None:
    assert (page["scripts"], page["frames"], page["sandbox"]) == (0, 1, "allow-scripts")
    assert "Chinstrap" in page["frameText"]
    assert page["frameNeeds"] <= page["frameHeight"], "the table is seen without scrolling"
