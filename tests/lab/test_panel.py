"""The panel in a real JupyterLab with the real kernel and the scripted model (lab 1, 3)."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.lab.conftest import Lab, picture, use_theme, write_notebook
from tests.lab.scripts import ENDLESS, PLANNED

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STEER = "What you send now is read at the next step."


def open_panel(page: Page, lab: Lab, path: str = "") -> None:
    """Load the page and bring the panel to the front."""
    page.goto(lab.address(path))
    show_panel(page)


def show_panel(page: Page) -> None:
    """Bring the panel to the front once the page's layout is restored."""
    page.wait_for_function("window.jupyterapp?.commands.hasCommand('keelbook:open-panel')")
    page.evaluate("window.jupyterapp.restored")
    page.evaluate("window.jupyterapp.commands.execute('keelbook:open-panel')")
    expect(page.locator("#keelbook-panel")).to_be_visible()


def write_scripted(lab: Lab, name: str, script: str, cells: list[str]) -> str:
    """The path of a notebook in a folder of its own, whose agent plays `script`."""
    folder = lab.folder / name
    folder.mkdir()
    (folder / "script.yaml").write_text(script)
    write_notebook(folder / "work.ipynb", cells)
    return f"{name}/work.ipynb"


def open_scripted(page: Page, lab: Lab, name: str, script: str, cells: list[str]) -> None:
    """Such a notebook open, its panel shown, its agent idle."""
    open_panel(page, lab, write_scripted(lab, name, script, cells))
    expect(state(page)).to_have_text("Idle", timeout=30_000)


def state(page: Page) -> Any:
    """The line that says what the agent is doing."""
    return page.locator(".keelbook-state")


def ask(page: Page, words: str) -> None:
    """Type into the prompt box and press Enter."""
    box = page.get_by_role("textbox", name="Ask the agent")
    box.fill(words)
    box.press("Enter")
    expect(box).to_have_value("")


def run_cell(page: Page, number: int) -> None:
    """Run one cell with the keyboard."""
    page.locator(".jp-Cell").nth(number).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")


def api(lab: Lab, method: str, path: str) -> Any:
    """One request to the server's own interface."""
    request = urllib.request.Request(
        f"{lab.url}/api/{path}", method=method, headers={"Authorization": f"token {lab.token}"}
    )
    with urllib.request.urlopen(request, timeout=20) as reply:
        return json.loads(reply.read() or b"null")


def violations(page: Page, selector: str) -> list[str]:
    """What axe finds wrong inside `selector`, one line each."""
    axe = Path(__file__).parents[2] / "labextension" / "node_modules" / "axe-core" / "axe.min.js"
    page.add_script_tag(path=axe)
    found = page.evaluate("selector => axe.run(selector)", selector)
    return [
        f"{rule['id']}: {node['html']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def test_without_a_document_the_panel_says_in_one_sentence_what_would_appear(
    page: Page, lab: Lab
) -> None:
    """lab P4: no notebook open."""
    open_panel(page, lab)
    expect(state(page)).to_have_text(
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
    expect(state(page)).to_contain_text("is not Keelbook's")


def test_a_turn_asked_for_in_the_panel_is_followed_steered_and_finished(
    page: Page, lab: Lab
) -> None:
    """lab W2, N1, panel sections head, ask and plan: one turn from its request to its end."""
    open_scripted(page, lab, "followed", PLANNED, [""])
    ask(page, "Add up some numbers")
    expect(page.locator(".jp-Cell").first).to_contain_text("%%agent")
    expect(state(page)).to_have_text("Working, step 2")
    items = page.locator(".keelbook-plan .keelbook-item")
    expect(items).to_have_count(3)
    expect(items.nth(0)).to_contain_text("under way")
    expect(items.nth(1)).to_contain_text("waits for: Make the numbers")
    expect(page.locator(".keelbook-when")).to_have_text(STEER)
    ask(page, "and use integers")
    expect(page.locator(".keelbook-when")).to_have_text("1 message is read at the next step.")
    picture(page, "panel-working")
    expect(state(page)).to_have_text("Ended: done", timeout=30_000)
    expect(items.nth(0)).to_contain_text("done by: t1s2c1")
    expect(items.nth(3)).to_contain_text("unevidenced: no call did this work")
    cards = page.locator(".jp-OutputArea .keelbook-card")
    expect(cards.filter(has_text="You, while it worked")).to_contain_text("and use integers")
    expect(cards.last).to_contain_text("Turn 1")
    assert violations(page, "#keelbook-panel") == []
    assert violations(page, ".keelbook-card") == []
    picture(page, "panel-ended")
    use_theme(page, "JupyterLab Dark")
    assert violations(page, "#keelbook-panel") == []
    picture(page, "panel-ended-dark")


def test_the_stop_button_ends_the_turn_and_keeps_the_namespace(page: Page, lab: Lab) -> None:
    """Cancel from the panel, with the keyboard; the person goes on with the agent's variable."""
    open_scripted(page, lab, "stopped", ENDLESS, ["", "print(kept)"])
    ask(page, "Wait for ever")
    expect(state(page)).to_have_text("Working, step 1")
    expect(page.locator(".keelbook-card")).to_contain_text("running")
    stop = page.get_by_role("button", name="Stop")
    stop.focus()
    page.keyboard.press("Enter")
    expect(state(page)).to_have_text("Ended: stopped")
    expect(stop).to_be_focused()
    run_cell(page, 1)
    expect(page.locator(".jp-Cell").nth(1).locator(".jp-OutputArea")).to_contain_text("42")


def test_a_reload_in_the_middle_of_a_turn_shows_the_truth_again(page: Page, lab: Lab) -> None:
    """lab P1: within 2 s of the panel being there."""
    open_scripted(page, lab, "reloaded", ENDLESS, [""])
    ask(page, "Wait for ever")
    expect(state(page)).to_have_text("Working, step 1")
    page.reload()
    show_panel(page)
    expect(state(page)).to_have_text("Working, step 1", timeout=2_000)
    page.get_by_role("button", name="Stop").click()
    expect(state(page)).to_have_text("Ended: stopped")


def test_the_panel_answers_while_a_persons_cell_spins(page: Page, lab: Lab) -> None:
    """lab W1, P2: requests are answered and the kernel indicator stays busy."""
    open_scripted(page, lab, "spinning", PLANNED, ["while True: pass"])
    run_cell(page, 0)
    indicator = page.locator(".jp-Notebook-ExecutionIndicator")
    expect(indicator).to_have_attribute("data-status", "busy")
    asked = page.evaluate(
        """async () => {
            const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            const states = [];
            kernel.statusChanged.connect((_, status) => states.push(status));
            document.dispatchEvent(new Event("visibilitychange"));
            await new Promise(resolve => setTimeout(resolve, 1000));
            return {states, status: kernel.status};
        }"""
    )
    assert asked == {"states": [], "status": "busy"}
    expect(state(page)).to_have_text("Idle")
    page.evaluate("window.jupyterapp.commands.execute('notebook:interrupt-kernel')")
    expect(indicator).to_have_attribute("data-status", "idle")


def test_a_restart_from_elsewhere_is_followed(page: Page, lab: Lab) -> None:
    """lab P1: a kernel restart from another tab; the plan of the session is there again."""
    open_scripted(page, lab, "restarted", PLANNED, [""])
    ask(page, "Add up some numbers")
    expect(state(page)).to_have_text("Ended: done", timeout=30_000)
    (kernel,) = [
        session["kernel"]["id"]
        for session in api(lab, "GET", "sessions")
        if session["path"].startswith("restarted/")
    ]
    api(lab, "POST", f"kernels/{kernel}/restart")
    expect(page.locator(".keelbook-plan .keelbook-item")).to_have_count(4)
    expect(state(page)).to_have_text(re.compile("Idle|Ended: done"), timeout=10_000)
    ask(page, "Anything else?")
    expect(page.locator(".jp-OutputArea").last).to_contain_text("There is nothing more to do.")


def test_two_tabs_on_one_kernel_see_the_same_turn(page: Page, lab: Lab) -> None:
    """lab W6, W4: a turn asked for in one tab is seen and stopped in the other."""
    open_scripted(page, lab, "shared", ENDLESS, [""])
    second = page.context.new_page()
    second.goto(f"{lab.url}/lab/workspaces/second/tree/shared/work.ipynb?reset&token={lab.token}")
    show_panel(second)
    expect(state(second)).to_have_text("Idle")
    ask(page, "Wait for ever")
    expect(state(second)).to_have_text("Working, step 1")
    second.get_by_role("button", name="Stop").click()
    expect(state(second)).to_have_text("Ended: stopped")
    expect(state(page)).to_have_text("Ended: stopped")


def test_the_commands_open_the_panel_and_put_the_cursor_into_the_box(page: Page, lab: Lab) -> None:
    """lab P6: with the keyboard alone, from the command palette."""
    open_scripted(page, lab, "palette", PLANNED, [""])
    page.locator('[data-id="keelbook-panel"]').click()
    expect(page.locator("#keelbook-panel")).to_be_hidden()
    page.keyboard.press("Control+Shift+C")
    page.keyboard.type("Ask the Agent")
    page.keyboard.press("Enter")
    expect(page.locator("#keelbook-panel")).to_be_visible()
    expect(page.get_by_role("textbox", name="Ask the agent")).to_be_focused()
