"""The README's pictures: the tour in a real JupyterLab, light and dark. Run by ``.ci/pictures``.

Rules: not collected by a plain run of the tests, because it writes into the checkout; what is
pictured is what the tour really did a moment before.
"""

from __future__ import annotations

import shutil
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.lab.conftest import Lab, use_theme

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / ".github"
SIZE = {"width": 1360, "height": 1040}
COLOURS = 160
PATIENCE_MS = 60_000


@pytest.mark.timeout(180)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_tour_is_pictured(lab: Lab, browser: Browser, theme: str) -> None:
    shutil.copytree(ROOT / "notebooks", lab.folder / theme)
    page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE_MS)
    page.goto(lab.address(f"{theme}/01-tour.ipynb"))
    page.wait_for_function("window.jupyterapp?.commands.hasCommand('keelbook:open-panel')")
    page.evaluate("window.jupyterapp.restored")
    use_theme(page, f"JupyterLab {theme.capitalize()}")
    page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
    page.evaluate("window.jupyterapp.commands.execute('keelbook:open-panel')")
    expect(page.locator(".keelbook-state")).to_have_text("Idle", timeout=PATIENCE_MS)
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    expect(page.locator(".keelbook-state")).to_have_text("Ended: done", timeout=PATIENCE_MS)
    figure = page.locator(".jp-RenderedImage img")
    expect(figure).to_be_visible()
    page.get_by_text("%%agent --model").first.scroll_into_view_if_needed()
    page.locator(".jp-WindowedPanel-outer").evaluate(
        "(outer, image) => outer.scrollTop += "
        "image.getBoundingClientRect().bottom - outer.getBoundingClientRect().bottom + 24",
        figure.element_handle(),
    )
    page.wait_for_timeout(500)
    PICTURES.mkdir(exist_ok=True)
    shot = Image.open(BytesIO(page.screenshot())).convert("RGB")
    shot.quantize(COLOURS).save(PICTURES / f"tour-{theme}.png", optimize=True)
    page.close()
