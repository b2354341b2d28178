"""The cards as the extension draws them, in a notebook nobody trusts (lab N3)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from keelbook.jupyter.cards import CallCard, Dispatch, MessageCard, PlanCard, TurnCard
from keelbook.jupyter.wire import PlanItem
from keelbook.record import Json
from tests.lab.conftest import Lab, picture, use_theme, write_notebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCRIPT = '<img src=x onerror="window.bad = 1"><script>window.bad = 1</script>'


def bundles() -> list[dict[str, Json]]:
    """One of each card and state, hostile words in every text."""
    code = 'import pandas as pd\n\nframe = pd.read_csv("penguins.csv")\nframe.describe()'
    items = (
        PlanItem(content="Load the data", status="completed", worked=("t1s1c1",)),
        PlanItem(content="Say hello", status="completed", unevidenced=True),
        PlanItem(content=f"Count {SCRIPT}", status="in_progress"),
        PlanItem(content="Plot it", status="pending", waits_for=(f"Count {SCRIPT}",)),
    )
    ran = Dispatch(call="t1s1c1d1", tool="glob", brief="pattern: *.csv", status="done")
    bad = Dispatch(call="t1s1c1d2", tool="read", brief=f"path: {SCRIPT}", status="failed")
    cards = (
        PlanCard(turn=1, items=items, summary="2 done, 1 under way, 1 open, 1 unevidenced"),
        CallCard(
            call="t1s1c1",
            turn=1,
            tool="python",
            status="done",
            code=code,
            language="python",
            dispatches=(ran, bad),
        ),
        CallCard(
            call="t1s2c1",
            turn=1,
            tool="bash",
            status="failed",
            code="ls -l *.csv | head",
            language="bash",
            sentence=f"Exit status 2. {SCRIPT}",
            text="ls: cannot access '*.csv': No such file or directory",
            cut=True,
        ),
        CallCard(
            call="t1s3c1",
            turn=1,
            tool="write",
            status="refused",
            arguments={"path": f"/etc/{SCRIPT}", "lines": 3},
            sentence="The path rules deny writing there.",
        ),
        CallCard(call="t1s4c1", turn=1, tool="python", status="running", code="while True: pass"),
        MessageCard(turn=1, source="person", words=f"Use medians. {SCRIPT}"),
        TurnCard(turn=1, ended="done", steps=3),
        TurnCard(turn=2, ended="aborted", steps=1, sentence="You stopped the turn."),
    )
    return [card.bundle() for card in cards]


def test_an_untrusted_notebook_shows_live_cards_and_runs_nothing_of_them(
    page: Page, lab: Lab
) -> None:
    """lab N3: drawn by the extension, before HTML, escaped; every state is a word."""
    write_notebook(lab.folder / "cards.ipynb", ["%%agent\nPlot them"], "python3", bundles())
    page.goto(lab.address("cards.ipynb"))
    cards = page.locator(".keelbook-card")
    expect(cards).to_have_count(8)
    for number, words in enumerate(
        ("Plan", "done", "failed", "refused", "running", "You, while it worked")
    ):
        expect(cards.nth(number).locator(".keelbook-card-head")).to_contain_text(words)
    expect(cards.nth(0)).to_contain_text("unevidenced: no call did this work")
    expect(cards.nth(0)).to_contain_text("waits for: Count <img")
    expect(cards.nth(7)).to_contain_text("stopped after 1 step")
    # The code is coloured by the editor's own language.
    expect(cards.nth(1).locator(".keelbook-card-code span").first).to_be_visible()
    assert page.evaluate("window.bad") is None
    assert page.locator(".keelbook-card img, .keelbook-card script").count() == 0
    picture(page, "cards-light")
    use_theme(page, "JupyterLab Dark")
    picture(page, "cards-dark")


def test_a_payload_that_cannot_be_drawn_is_shown_as_plain_text(page: Page, lab: Lab) -> None:
    """A card of a later version, or a damaged one."""
    bundle = {
        "application/vnd.keelbook.plan.v1+json": {"turn": 1},
        "text/html": "<b>static</b>",
        "text/plain": "Plan: in plain text",
    }
    write_notebook(lab.folder / "damaged.ipynb", ["%%agent\nGo"], "python3", [bundle])
    page.goto(lab.address("damaged.ipynb"))
    expect(page.locator(".keelbook-card-output")).to_have_text("Plan: in plain text")
