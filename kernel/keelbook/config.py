"""The base of every setting, and what a person reads when one is wrong.

Rules: camelCase in YAML, extra keys refused, strict types (no bool or float for an int, no text
for a number). All errors of a document are listed, one sentence each, led by where they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from keelbook.record import Record
from keelbook.text import listed, near


class Config(Record):
    """Settings of one row or one part of the host."""

    model_config = ConfigDict(strict=True)


class NoConfig(Config):
    """A row without settings."""


Loc = tuple[int | str, ...]


def sentences(
    error: ValidationError,
    where: str,
    settings: type[Config],
    place: Callable[[Loc], str] | None = None,
) -> tuple[str, ...]:
    """One sentence per error of ``error``, each led by ``where.field:`` or what ``place`` says."""

    def dotted(loc: Loc) -> str:
        return ".".join(str(part) for part in (where, *loc) if part != "")

    return tuple(
        _sentence(each, (place or dotted)(each["loc"]), settings)
        for each in error.errors(include_url=False)
    )


def _sentence(error: Any, path: str, settings: type[Config]) -> str:
    kind, context, found = error["type"], error.get("ctx", {}), error["input"]
    if kind == "extra_forbidden":
        key = str(error["loc"][-1])
        meant = near(key, _known(settings, error["loc"][:-1]))
        hint = f"; did you mean `{meant}`?" if meant else "."
        return f"{path}: There is no setting `{key}`{hint}"
    if kind in ("literal_error", "enum"):
        return f"{path}: `{found}` is not one of {context['expected']}."
    if kind in _BOUNDS:
        bound = next(each for each in context.values() if isinstance(each, int | float))
        return f"{path}: Must be {_BOUNDS[kind]} {bound}."
    if kind == "missing":
        return f"{path}: This setting is required."
    if kind == "value_error":
        return f"{path}: {error['msg'].removeprefix('Value error, ')}"
    if kind.endswith("_type"):
        return (
            f"{path}: Expected {_NAMES.get(kind, kind.removesuffix('_type'))}, got {_found(found)}."
        )
    return f"{path}: {error['msg'].rstrip('.')}."


def _known(settings: type[BaseModel], loc: Loc) -> list[str]:
    """The keys of the table at ``loc``, as YAML has them."""
    for part in loc:
        fields = settings.model_fields
        field = next((each for name, each in fields.items() if part in (name, each.alias)), None)
        inner = next(_tables(field.annotation), None) if field else None
        settings = inner or settings
    return [field.alias or name for name, field in settings.model_fields.items()]


def _tables(annotation: Any) -> Iterator[type[BaseModel]]:
    """The records named in an annotation, outermost first."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for each in get_args(annotation):
        yield from _tables(each)


_BOUNDS = {
    "greater_than": "more than",
    "greater_than_equal": "at least",
    "less_than": "less than",
    "less_than_equal": "at most",
    "too_short": "at least this long:",
    "too_long": "at most this long:",
    "string_too_short": "at least this long:",
}
_NAMES = {
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
}


def _found(value: object) -> str:
    """What was there, in a reader's words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return f"a table with {listed(map(str, value)) or 'nothing in it'}"
    if isinstance(value, list):
        return "a list"
    return f"the text `{value}`" if isinstance(value, str) else f"the number {value}"
