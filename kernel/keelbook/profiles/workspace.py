"""What the profile file of a workspace may set: a closed list, and never to loosen anything.

Rules: a notebook somebody sent brings its folder's ``.keelbook/profile.yaml`` along, and cells can
write that file. So it may not choose the interpreter, what the guest reaches, which variables it
gets, or a model that costs money or leaves the machine; it may bound, confine and plan more, and
choose a scripted or recorded model. Everything else is an error that says where to put it instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from keelbook.config import Loc
from keelbook.profiles.layers import Layer
from keelbook.profiles.settings import Settings

STEERING_ROWS = frozenset({"todo", "skill-steps"})
"""Rows that steer an agent and guard nothing, which a workspace may switch and set."""

_MODES = ("off", "on", "required")


def faults(layer: Layer, below: Settings, now: Settings, elsewhere: str) -> Iterator[str]:
    """A sentence for each value of ``layer`` that a workspace may not set.

    ``below`` is in force without the workspace's file, ``now`` with it; ``elsewhere`` is the file
    where a person may set anything.
    """
    for loc in _leaves(layer.data, ()):
        why = _refusal(loc, below, now)
        if why is not None:
            path = ".".join(map(str, loc))
            yield f"{path}: A workspace's file {why}; set it in {elsewhere}. ({layer.at(loc)})"


def _leaves(data: Mapping[str, Any], at: Loc) -> Iterator[Loc]:
    for key, value in data.items():
        if isinstance(value, Mapping) and value and (*at, key) not in _WHOLE:
            yield from _leaves(value, (*at, key))
        else:
            yield (*at, key)


_WHOLE: frozenset[Loc] = frozenset(("rows", row) for row in STEERING_ROWS)


def _refusal(loc: Loc, below: Settings, now: Settings) -> str | None:
    """Why the workspace may not set the value at ``loc``, None when it may."""
    match loc:
        case ("codeMode",) | ("rows", "todo" | "skill-steps"):
            return None
        case ("model",):
            harmless = now.model is None or now.model.startswith(("scripted:", "replay:"))
            return None if harmless else "may choose only `scripted:` and `replay:` models"
        case ("confine", "mode"):
            tighter = _MODES.index(now.confine.mode) >= _MODES.index(below.confine.mode)
            return None if tighter else "may confine more, not less"
        case ("confine", "tcp"):
            return None if _fewer(now.confine.tcp, below.confine.tcp) else "may close ports only"
        case ("confine", "namespaces"):
            more = set(now.confine.namespaces) >= set(below.confine.namespaces)
            return None if more else "may confine more, not less"
        case ("limits", str(key)) if key in _LOWERABLE:
            low = _at_most(_limit(now, key), _limit(below, key))
            return None if low else "may lower a limit, not raise it"
        case _:
            return "may not set this"


def _limit(settings: Settings, key: str) -> Any:
    return settings.limits.model_dump(by_alias=True)[key]


_LOWERABLE = frozenset({
    "cpuS", "wallS", "idleCpuS", "cpuLifeS", "nofile", "fsizeBytes", "parallelCalls",
    "callsPerCell", "resultBytes", "notebookTextBytes", "displayBytes", "displayBytesPerCell",
    "shellOutputBytes", "argsBytes",
})  # fmt: skip


def _at_most(value: float | None, bound: float | None) -> bool:
    return bound is None or (value is not None and value <= bound)


def _fewer(ports: str | tuple[int, ...], below: str | tuple[int, ...]) -> bool:
    if below == "all" or ports == "none":
        return True
    return isinstance(ports, tuple) and isinstance(below, tuple) and set(ports) <= set(below)
