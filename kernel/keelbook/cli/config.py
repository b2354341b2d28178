"""``keelbook config``: what is in force, and where each value came from.

Rules: it shows the same profile a kernel in that folder would start with; nothing is started.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Any

from keelbook.config import Loc
from keelbook.errors import BadConfig
from keelbook.private import config_folder
from keelbook.profile import Profile, load
from keelbook.profiles.layers import Layer
from keelbook.profiles.stack import user_file, workspace_file
from keelbook.text import listed, near


def run(options: Namespace) -> int:
    """Prints the settings."""
    profile = load(options.workspace.absolute(), profile=options.profile, model=options.model)
    values = list(_row(profile, options.row) if options.row else _all(profile))
    if options.json:
        print(json.dumps(_document(values), indent=2))
        return 0
    width = max((len(_dotted(loc)) for loc, _, _ in values), default=0)
    shown = [(_dotted(loc), json.dumps(value), _source(layer, loc)) for loc, value, layer in values]
    middle = max((min(len(value), 40) for _, value, _ in shown), default=0)
    for name, value, source in shown:
        print(f"{name:<{width}}  {value:<{middle}}  {source}")
    if not options.row:
        print(f"\n{_files(profile)}")
    return 0


_Value = tuple[Loc, Any, Layer | None]


def _all(profile: Profile) -> Iterator[_Value]:
    settings = profile.settings.model_dump(mode="json", exclude={"rows"})
    for loc, value in _leaves(settings, ()):
        yield loc, value, profile.origin(loc)
    for row in profile.rows:
        yield ("rows", row.name), "on", profile.origin(("rows", row.name))
        yield from _row(profile, row.name)
    on = {row.name for row in profile.rows}
    for name in profile.settings.rows:
        if name not in on:
            yield ("rows", name), "off", profile.origin(("rows", name))


def _row(profile: Profile, name: str) -> Iterator[_Value]:
    """The settings of one row that is on. Raises BadConfig for one that is not."""
    row = next((each for each in profile.rows if each.name == name), None)
    if row is None:
        on = [each.name for each in profile.rows]
        if name in profile.settings.rows:
            layer = profile.origin(("rows", name))
            raise BadConfig(f"The row `{name}` is off: {_source(layer, ('rows', name))}.")
        meant = near(name, on)
        hint = f"did you mean `{meant}`?" if meant else f"on are {listed(on) or 'none'}."
        raise BadConfig(f"There is no row `{name}`; {hint}")
    for loc, value in _leaves(row.config.model_dump(mode="json"), ()):
        whole: Loc = ("rows", name, *loc)
        given = profile.origins.get(whole) or profile.origin(whole)
        table = isinstance(profile.settings.rows.get(name), dict)
        yield whole, value, given if table and whole in profile.origins else None


def _leaves(data: Mapping[str, Any], at: Loc) -> Iterator[tuple[Loc, Any]]:
    for key, value in data.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*at, key))
        else:
            yield (*at, key), value


def _dotted(loc: Loc) -> str:
    return ".".join(map(str, loc))


def _source(layer: Layer | None, loc: Loc) -> str:
    return "default" if layer is None else layer.at(loc)


def _document(values: list[_Value]) -> dict[str, Any]:
    return {
        _dotted(loc): {
            "value": value,
            "layer": "default" if layer is None else layer.name,
            "place": None if layer is None else layer.place,
            "line": None if layer is None else layer.line(loc),
        }
        for loc, value, layer in values
    }


def _files(profile: Profile) -> str:
    folder = config_folder()
    named = [layer.place for layer in profile.layers if layer.name == "profile"]
    lines = []
    for file in (user_file(folder), *named, workspace_file(profile.workspace)):
        there = any(layer.place == str(file) for layer in profile.layers)
        lines.append(f"{file}{'' if there else '  (not there)'}")
    return "Files, later wins:\n  " + "\n  ".join(lines)
