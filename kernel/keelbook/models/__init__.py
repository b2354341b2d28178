"""Models by name: scripted, replayed, or behind a provider.

Rules: making a model costs nothing and reaches nobody; the library that speaks to providers is
imported by the first request to one, so a session without a provider never waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from keelbook.events import Event
from keelbook.model import Model
from keelbook.models import names
from keelbook.models.settings import ModelSettings

__all__ = ["ModelSettings", "Recorded", "make"]

Recorded = Callable[[str], Iterable[Event]]
"""The events of a stored session by its id. Raises Refused when there is none."""


def make(
    name: str,
    settings: ModelSettings | None = None,
    folder: Path | None = None,
    recorded: Recorded | None = None,
) -> Model:
    """The model called ``name``; an empty name gives one that says how to choose.

    ``folder`` is where a relative path of a script or a recording starts (default: the current
    one); ``recorded`` opens stored sessions for ``replay:SESSION``. Raises BadConfig for an unknown
    name, a missing file or a script with errors.
    """
    settings, folder = settings or ModelSettings(), folder or Path()
    if not name.strip():
        from keelbook.models.unset import NoModel

        return NoModel()
    provider, rest = names.split(name)
    if provider == "scripted":
        from keelbook.models.script import load
        from keelbook.models.scripted import ScriptedModel

        return ScriptedModel(name, load(folder / Path(rest).expanduser(), rest), settings)
    if provider == "replay":
        from keelbook.models.recording import read
        from keelbook.models.replay import ReplayModel

        return ReplayModel(name, read(rest, folder, recorded), settings)
    from keelbook.models.provider import ProviderModel

    return ProviderModel(provider, rest, settings)
