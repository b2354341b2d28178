"""What a display may put on a person's page.

Rules (G14, G15): no cell draws one of Keelbook's own cards; an agent's HTML and SVG stand inside
an iframe whose only right is to run its scripts, and of all else only kinds that merely show
something pass; Markdown and LaTeX pass while they hold no HTML and no address that acts. A
person's displays are not changed. A bundle never becomes empty: its text stays.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from keelbook.observer import Display

_OURS: Final = "application/vnd.keelbook."
_QUIET: Final = frozenset(
    {
        "text/plain",
        "image/png",
        "image/jpeg",
        "image/gif",
        "image/webp",
        "image/bmp",
        "application/json",
        "application/geo+json",
        "application/pdf",
        "text/csv",
    }
)
_QUIET_STARTS: Final = (
    "application/vnd.vega.",
    "application/vnd.vegalite.",
    "application/vnd.plotly.",
    "application/vnd.dataresource",
)
_WORDS: Final = frozenset({"text/markdown", "text/latex"})
_ACTING: Final = re.compile(
    r"<[a-z!/?]|(?:java|vb)script:|data:|\\(?:href|url|style|class|cssId|require|html|data)\b",
    re.IGNORECASE,
)
_ROWS: Final = re.compile(r"<tr\b", re.IGNORECASE)
_LINES: Final = re.compile(r"<(?:p|li|br|h\d)\b", re.IGNORECASE)
_PICTURE: Final = re.compile(r"<(?:svg|img|canvas|script|iframe|video)\b", re.IGNORECASE)
_TALLEST: Final = 400
_LEAST: Final = 60
_PAPER: Final = (
    "<style>:where(body){margin:4px;font:14px/1.4 system-ui,sans-serif;color:#111}"
    ":where(table){border:0;border-collapse:collapse;font-size:13px}"
    ":where(th,td){border:0;padding:4px 8px;text-align:right;white-space:nowrap}"
    ":where(tbody tr:nth-child(odd)){background:#f2f2f2}</style>"
)
"""Looks for a page that brings none, on white whatever the theme: a frame cannot see the page."""


def for_page(display: Display, agent: bool) -> Display:
    """The display as it may be shown; ``agent``: it comes from an agent's run."""
    if not display.data:
        return display
    data = {
        mime: value
        for mime, value in display.data.items()
        if not mime.strip().lower().startswith(_OURS)
    }
    if agent:
        data = _quiet(data)
    if not data:
        data = {"text/plain": "[a display of a kind that is not shown]"}
    return display if data == display.data else replace(display, data=data)


def _quiet(data: Mapping[str, Any]) -> dict[str, Any]:
    kept = {mime: value for mime, value in data.items() if _is_quiet(mime, value)}
    page = data.get("text/html", data.get("image/svg+xml"))
    if page is not None:
        kept["text/html"] = framed(_joined(page))
    return kept


def _is_quiet(mime: str, value: Any) -> bool:
    if mime in _WORDS:
        return _ACTING.search(_joined(value)) is None
    return mime in _QUIET or mime.startswith(_QUIET_STARTS)


def framed(page: str) -> str:
    """HTML that shows ``page`` inside a frame that cannot reach the page around it."""
    source = html.escape(_PAPER + page, quote=True)
    return (
        f'<iframe sandbox="allow-scripts" srcdoc="{source}" width="100%" '
        f'height="{_height(page)}" style="border: 0; background: #fff" '
        'title="Output of the agent"></iframe>'
    )


def _height(page: str) -> int:
    """Pixels that will do for most pages; a frame cannot grow with what it holds."""
    if _PICTURE.search(page):
        return _TALLEST
    lines = 27 * len(_ROWS.findall(page)) + 24 * len(_LINES.findall(page))
    return min(_TALLEST, max(_LEAST, 24 + lines))


def _joined(value: Any) -> str:
    """A mime's text; notebooks write it as a list of lines too."""
    if isinstance(value, list):
        return "".join(map(str, value))
    return str(value)
