"""The static HTML of cards: small pieces, escaped, styled in place for light and dark pages.

Rules: text comes in raw and is escaped here; no script, no class, no id, no colour on text (it
keeps the page's own), so that a card reads the same in JupyterLab, nbconvert, VS Code and on a code
host. Colour only repeats what a word says.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Literal

Tone = Literal["plain", "good", "bad", "busy"]
_EDGES: dict[Tone, str] = {
    "plain": "#808080", "good": "#3d9a50", "bad": "#d3453d", "busy": "#4a86d8",
}  # fmt: skip
_BOX = (
    "border:1px solid rgba(128,128,128,.45);border-left:4px solid {};border-radius:4px;"
    "padding:.45em .8em;margin:.35em 0;max-width:60em"
)
_PRE = (
    "margin:.45em 0 .1em;padding:.5em .7em;background:rgba(128,128,128,.12);border-radius:3px;"
    "white-space:pre-wrap;overflow-wrap:anywhere;color:inherit"
)

_CODE = "padding:0;background:none;color:inherit;font-size:inherit"
"""Pages style code inside a paragraph; inside a block that would draw stripes."""


def escape(text: str) -> str:
    """``text`` for HTML, in an element or an attribute."""
    return html.escape(text, quote=True)


def card(label: str, title: str, state: str, body: str, tone: Tone) -> str:
    """A box with a heading, its state in words, and a body that is HTML already."""
    named = f"{label}: {state}" if state else label
    said = f'<span style="opacity:.8"> · {escape(state)}</span>' if state else ""
    return (
        f'<div role="group" aria-label="{escape(named)}" style="{_BOX.format(_EDGES[tone])}">'
        f"<div><strong>{escape(title)}</strong>{said}</div>{body}</div>"
    )


def block(text: str) -> str:
    """Code or output, line breaks kept."""
    return f'<pre style="{_PRE}"><code style="{_CODE}">{escape(text)}</code></pre>'


def line(text: str) -> str:
    """A paragraph, line breaks kept."""
    return f'<div style="margin-top:.3em;white-space:pre-wrap">{escape(text)}</div>'


def items(lines: Iterable[str]) -> str:
    """A list without bullets."""
    rows = "".join(f'<li style="margin:.1em 0">{escape(each)}</li>' for each in lines)
    return f'<ul style="list-style:none;margin:.35em 0 0;padding:0">{rows}</ul>'


def details(summary: str, body: str) -> str:
    """A part that is folded until somebody opens it; ``body`` is HTML already."""
    return (
        f'<details style="margin-top:.35em"><summary style="cursor:pointer">{escape(summary)}'
        f"</summary>{body}</details>"
    )
