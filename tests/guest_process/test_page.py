"""What a display may put on a person's page (guest G14, G15)."""

from __future__ import annotations

import html
from typing import Any

import pytest

from keelbook.guest_process.page import for_page
from keelbook.observer import Display

PNG = {"image/png": "aGk=", "text/plain": "<Figure>"}


def shown(data: dict[str, Any], *, agent: bool) -> dict[str, Any]:
    return dict(for_page(Display("show", data), agent).data)


def test_a_persons_display_is_not_changed() -> None:
    """guest G15"""
    data = {"text/html": "<script>1</script>", "application/javascript": "1", **PNG}
    assert shown(data, agent=False) == data


@pytest.mark.parametrize("agent", [False, True])
@pytest.mark.parametrize("mime", ["approval.v1+json", "todos.v1+json"])
def test_no_cell_draws_a_card_of_ours(agent: bool, mime: str) -> None:
    """guest G14"""
    card = {f"application/vnd.keelbook.{mime}": {"id": 1}}
    assert shown({**card, **PNG}, agent=agent) == PNG
    assert list(shown(card, agent=agent)) == ["text/plain"]


@pytest.mark.parametrize("mime", ["text/html", "image/svg+xml"])
def test_an_agents_page_stands_in_a_frame_with_no_way_out(mime: str) -> None:
    """guest G15"""
    page = '<b onclick="parent.x()">\'&quot;</b></iframe>'
    data = shown({mime: page, **PNG}, agent=True)
    frame = data.pop("text/html")
    assert data == PNG
    assert frame.startswith('<iframe sandbox="allow-scripts" srcdoc="')
    source = frame.split('srcdoc="', 1)[1].split('"', 1)[0]
    assert html.unescape(source).endswith(page)
    assert frame.count("</iframe>") == 1


@pytest.mark.parametrize(
    "mime",
    [
        "application/javascript",
        "text/javascript",
        "application/vnd.jupyter.widget-view+json",
        "application/vnd.bokehjs_exec.v0+json",
        "application/vnd.holoviews_exec.v0+json",
    ],
)
def test_what_acts_is_taken_from_an_agents_display(mime: str) -> None:
    """guest G15"""
    assert shown({mime: "act()", **PNG}, agent=True) == PNG


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("# Title\n\n2 < 3 and `a<3`", True),
        ("see <img src=x onerror=alert(1)>", False),
        ("[here](javascript:alert(1))", False),
        ("$\\href{javascript:1}{x}$", False),
    ],
)
def test_an_agents_markdown_passes_while_it_is_only_text(text: str, kept: bool) -> None:
    """guest G15"""
    data = shown({"text/markdown": text, "text/plain": "t"}, agent=True)
    assert ("text/markdown" in data) is kept
