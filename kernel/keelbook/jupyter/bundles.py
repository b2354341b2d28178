"""What of a cell's display may reach the notebook.

Rules: no cell can emit one of Keelbook's own mimes, so none can draw an approval (guest G14). What
an agent's cell displays cannot act in the person's page (G15): its HTML and SVG go into a sandboxed
frame, its scripts and widgets are removed, and only mimes known to be harmless are kept. A person's
displays are otherwise left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from keelbook.jupyter.markup import framed
from keelbook.record import Json

OWN = "application/vnd.keelbook."
_HARMLESS = re.compile(
    r"text/(plain|markdown|latex)|image/(png|jpeg|gif|webp|bmp)|application/(geo\+)?json"
    r"|application/vnd\.(plotly\.v1|vega\.v\d|vegalite\.v\d)\+json"
)
_ROW_PX, _LINE_PX, _LEAST_PX, _MOST_PX = 26, 20, 80, 600


def of_person(data: Mapping[str, Json]) -> dict[str, Json]:
    """The bundle without what only Keelbook may show."""
    return {mime: value for mime, value in data.items() if not mime.startswith(OWN)}


def of_agent(data: Mapping[str, Json]) -> dict[str, Json]:
    """The bundle with its active parts framed or removed."""
    kept = {mime: value for mime, value in data.items() if _HARMLESS.fullmatch(mime)}
    markup = data.get("text/html") or data.get("image/svg+xml")
    if markup:
        document = "".join(markup) if isinstance(markup, list) else str(markup)
        kept["text/html"] = framed(document, _height(document))
    if not kept and data:
        kept["text/plain"] = f"<{', '.join(sorted(data))} of the agent is not shown>"
    return kept


def _height(document: str) -> int:
    """Room for a document in pixels, guessed, because a sandboxed frame cannot grow by itself."""
    stated = re.search(r"<svg[^>]*\sheight=\"(\d+)", document)
    if stated:
        return min(max(int(stated[1]) + 20, _LEAST_PX), _MOST_PX)
    rows, lines = document.count("<tr"), len(re.findall(r"<(?:br|p|div|li|h\d)\b", document))
    return min(max(rows * _ROW_PX + lines * _LINE_PX + 40, _LEAST_PX), _MOST_PX)
