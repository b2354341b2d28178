"""The same extension in Notebook 7 (lab, opening paragraph: "unchanged")."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.lab.conftest import Lab, picture
from tests.lab.scripts import PLANNED
from tests.lab.test_panel import ask, show_panel, state, write_scripted

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_notebook_7_has_the_panel_and_the_cards(page: Page, lab: Lab) -> None:
    path = write_scripted(lab, "classic", PLANNED, [""])
    page.goto(f"{lab.url}/notebooks/{path}?token={lab.token}")
    show_panel(page)
    expect(state(page)).to_have_text("Idle", timeout=30_000)
    ask(page, "Add up some numbers")
    expect(state(page)).to_have_text("Ended: done", timeout=30_000)
    expect(page.locator(".jp-OutputArea .keelbook-card").last).to_contain_text("Turn 1")
    picture(page, "notebook-7")
