"""What of a cell's display may reach the notebook.

Rules: no cell can emit one of Keelbook's own mimes, so none can draw an approval (guest G14). What
an agent's cell displays was made unable to act where it came out of the guest (G15,
``guest_process.page``), so it is not framed a second time here.
"""

from __future__ import annotations

from collections.abc import Mapping

from keelbook.record import Json

OWN = "application/vnd.keelbook."


def of_person(data: Mapping[str, Json]) -> dict[str, Json]:
    """The bundle without what only Keelbook may show."""
    return {mime: value for mime, value in data.items() if not mime.startswith(OWN)}


def of_agent(data: Mapping[str, Json]) -> dict[str, Json]:
    """The same; nothing in it can act any more."""
    return of_person(data)
