"""YAML with the line of every value, for sentences that say where.

Rules: only plain JSON values come out (no dates, no ``yes`` for true), because that is what a
tool's arguments are; a key given twice is an error, not a silent choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from keelbook.errors import BadConfig
from keelbook.record import Json
from keelbook.value import Value

Loc = tuple[int | str, ...]


class _PlainLoader(yaml.SafeLoader):
    """The safe loader with the scalars of JSON: null, true, false and numbers."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - how PyYAML takes it
        first: [
            (tag, pattern)
            for tag, pattern in resolvers
            if tag.rpartition(":")[2] in ("null", "int", "float")
        ]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_PlainLoader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|false|True|False)$"), list("tTfF")
)


class Lines(Value):
    """The line each value begins on, by its place in the tree; lines count from 1."""

    known: dict[Loc, int]

    def at(self, loc: Loc) -> int:
        """The line of the nearest value at or above ``loc``."""
        while loc and loc not in self.known:
            loc = loc[:-1]
        return self.known.get(loc, 1)


def parse(data: bytes, given: str) -> tuple[Json, Lines]:
    """The one document in ``data`` and its lines; ``given`` names the file in sentences.

    Raises BadConfig for text that is no YAML, holds a key twice, or holds what JSON has not.
    """
    try:
        loader = _PlainLoader(data)
        try:
            node = loader.get_single_node()
            if node is None:
                return None, Lines({})
            known: dict[Loc, int] = {}
            twice = [
                f"{given}, line {line}: `{key}` stands twice in one table."
                for key, line in _walk(node, (), known, loader)
            ]
            if twice:
                raise BadConfig("\n".join(twice), sentences=tuple(twice))
            return _plain(loader.construct_document(node), given), Lines(known)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise BadConfig(f"{given}{line}: This is no YAML: {error.problem}.") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise BadConfig(f"{given}: This is no YAML: {first}.") from None


def _walk(
    node: yaml.Node, loc: Loc, known: dict[Loc, int], loader: yaml.SafeLoader
) -> Iterator[tuple[str, int]]:
    """Notes every value's line in ``known``; yields each key that stands twice, with its line."""
    known.setdefault(loc, node.start_mark.line + 1)
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from _walk(item, (*loc, index), known, loader)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            name, line = str(key.value), key.start_mark.line + 1
            if (*loc, name) in known:
                yield name, line
            known[(*loc, name)] = line
            yield from _walk(value, (*loc, name), known, loader)


def _plain(value: Any, given: str) -> Json:
    """``value`` with text keys. Raises BadConfig for what JSON cannot hold."""
    if isinstance(value, dict):
        return {str(key): _plain(each, given) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, given) for each in value]
    if value is None or isinstance(value, str | int | bool):
        return value
    if isinstance(value, float) and value - value == 0:
        return value
    raise BadConfig(f"{given}: `{value}` is nothing JSON can hold; put it in quotes.")
