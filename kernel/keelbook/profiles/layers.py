"""Profile files, layered over each other, with where each value came from.

Rules: a later layer wins; tables are merged key by key, everything else is replaced whole. A file
is YAML of plain values, without anchors, at most ``MOST_BYTES`` long; a key given twice is an
error. Reading looks at one file only and judges nothing but its form. Where there is no file, YAML
is not imported.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keelbook.config import Loc
from keelbook.errors import BadConfig
from keelbook.profiles.built_in import BUILT_IN
from keelbook.value import Value

if TYPE_CHECKING:
    from keelbook.models.yaml_lines import Lines

MOST_BYTES = 256 * 1024


class Layer(Value):
    """Settings from one place. ``name``: ``built-in``, ``user``, ``profile``, ``workspace``, ...

    ``place`` is the file, or what else it was (``KEELBOOK_MODEL``, ``--model``).
    """

    name: str
    place: str
    data: Mapping[str, Any]
    lines: Lines | None = None

    def at(self, loc: Loc) -> str:
        """Where the value at ``loc`` stands, for a reader."""
        line = self.line(loc)
        return self.place if line is None else f"{self.place}, line {line}"

    def line(self, loc: Loc) -> int | None:
        """The line of the value at ``loc``, None where there are no lines."""
        return None if self.lines is None else self.lines.at(loc)


def read(file: Path, name: str) -> Layer | None:
    """The layer in ``file``; None when there is none. Raises BadConfig."""
    try:
        with open(file, "rb", opener=_without_waiting) as opened:
            data = opened.read(MOST_BYTES + 1) or b""
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadConfig(f"{file} cannot be read: {error.strerror}.") from None
    if len(data) > MOST_BYTES:
        raise BadConfig(f"{file} is larger than {MOST_BYTES:,} bytes, too large for a profile.")
    from keelbook.models.yaml_lines import parse

    _refuse_aliases(data, file)
    tree, lines = parse(data, str(file))
    if tree is None:
        return Layer(name, str(file), {})
    if not isinstance(tree, dict):
        raise BadConfig(f"{file}: A profile is a table of settings, such as `model: openai:gpt-5`.")
    return Layer(name, str(file), tree, lines)


def _without_waiting(path: str, flags: int) -> int:
    """Opens a file; a named pipe a stranger put there would wait for ever, so it reads as empty."""
    return os.open(path, flags | os.O_NONBLOCK)


def _refuse_aliases(data: bytes, file: Path) -> None:
    """An alias can stand for a thousand others, and a profile may come from a stranger."""
    import yaml

    try:
        for token in yaml.scan(data, Loader=yaml.SafeLoader):
            if isinstance(token, yaml.AliasToken):
                raise BadConfig(
                    f"{file}, line {token.start_mark.line + 1}: Write the value out; aliases "
                    f"(`*{token.value}`) do not work in a profile."
                )
    except yaml.YAMLError:
        return


def built_in(name: str) -> Layer:
    """One of the profiles that come with Keelbook."""
    return Layer("built-in", f"{name} (built in)", BUILT_IN[name])


def merged(layers: Iterable[Layer]) -> tuple[dict[str, Any], dict[Loc, Layer]]:
    """All layers as one document, and for each value the layer it came from."""
    document: dict[str, Any] = {}
    origins: dict[Loc, Layer] = {}
    for layer in layers:
        _lay(document, origins, layer.data, layer, ())
    return document, origins


def _lay(
    table: dict[str, Any], origins: dict[Loc, Layer], data: Mapping[str, Any], layer: Layer, at: Loc
) -> None:
    for key, value in data.items():
        loc = (*at, key)
        below = table.get(key)
        if isinstance(value, Mapping) and value:
            if not isinstance(below, dict):
                below = table[key] = {}
                _forget(origins, loc)
            _lay(below, origins, value, layer, loc)
        else:
            _forget(origins, loc)
            table[key] = dict(value) if isinstance(value, Mapping) else value
            origins[loc] = layer


def _forget(origins: dict[Loc, Layer], loc: Loc) -> None:
    for each in [each for each in origins if each[: len(loc)] == loc]:
        del origins[each]


def origin(origins: Mapping[Loc, Layer], loc: Loc) -> Layer | None:
    """The layer a value came from: its own, its table's, or of something in it; None: default."""
    for length in range(len(loc), 0, -1):
        if loc[:length] in origins:
            return origins[loc[:length]]
    return next((layer for each, layer in origins.items() if each[: len(loc)] == loc), None)
