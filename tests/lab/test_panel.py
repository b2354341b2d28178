"""The panel in a real JupyterLab (lab 3)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.lab.conftest import Lab, write_notebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def open_panel(page: Page, lab: Lab, path: str = "") -> None:
    """Load the page and bring the panel to the front."""
    page.goto(lab.address(path))
    page.locator('[data-id="keelbook-panel"]').click()
    expect(page.locator("#keelbook-panel")).to_be_visible()


def test_without_a_document_the_panel_says_in_one_sentence_what_would_appear(
    page: Page, lab: Lab
) -> None:
    """lab P4: no notebook open."""
    open_panel(page, lab)
    expect(page.locator(".keelbook-state")).to_have_text(
        "Open a notebook with the Keelbook kernel, and what its agent does appears here."
    )
    expect(page.locator(".keelbook-box")).to_be_hidden()
    expect(page.locator(".keelbook-plan .keelbook-empty")).to_have_text(
        "The steps the agent plans appear here."
    )


def test_with_another_kernel_the_panel_says_so(page: Page, lab: Lab) -> None:
    """lab P4: another kernel."""
    write_notebook(lab.folder / "other.ipynb", ["1 + 1"], kernel="python3")
    open_panel(page, lab, "other.ipynb")
    expect(page.locator(".keelbook-state")).to_contain_text("is not Keelbook's")
