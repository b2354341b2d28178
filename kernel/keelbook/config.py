"""The base of every setting, and what a person reads when one is wrong.

Rules: camelCase in YAML, extra keys refused, strict types (no bool or float for an int, no text
for a number). All errors of a document are listed, one sentence each, led by where they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

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
    settings: type[Record],
    place: Callable[[Loc], str] | None = None,
) -> tuple[str, ...]:
    """One sentence per error of ``error``, each led by ``where.field:`` or what ``place`` says."""

    def dotted(loc: Loc) -> str:
        return ".".join(str(part) for part in (where, *loc) if part != "")

    return tuple(
        _sentence(each, (place or dotted)(each["loc"]), settings)
        for each in _one_each(error.errors(include_url=False), settings)
    )


def _one_each(errors: Iterable[Any], settings: type[Record]) -> Iterator[Any]:
    """The errors, with one for each value that may be of several types instead of one per type."""
    groups: dict[Loc, list[Any]] = {}
    for each in errors:
        loc, at = _without_types(settings, each["loc"])
        groups.setdefault(loc if at is None else loc[:at], []).append({**each, "loc": loc})
    for loc, group in groups.items():
        deepest = max(group, key=lambda each: len(each["loc"]))
        kinds = [each for each in group if each["loc"] == loc]
        if len(kinds) == 1 or len(deepest["loc"]) > len(loc):
            yield from (each for each in group if each["loc"] != loc or len(kinds) == len(group))
        elif all(_expected(each) for each in kinds):
            wanted = listed(dict.fromkeys(filter(None, map(_expected, kinds))), "or")
            yield {**kinds[0], "type": "one_of_type", "ctx": {"expected": wanted}}
        else:
            yield next(each for each in kinds if not _expected(each))


def _expected(error: Any) -> str:
    """What would have been right, of an error about a type; else ``""``."""
    if error["type"] in ("literal_error", "enum"):
        return str(error["ctx"]["expected"])
    return _NAMES.get(error["type"], "")


def _without_types(settings: type[Record], loc: Loc) -> tuple[Loc, int | None]:
    """``loc`` without the names of types pydantic puts where a value may be of several.

    And how many parts stand before the first of these, None where there is none.
    """
    kept: list[int | str] = []
    first: int | None = None
    kinds: tuple[Any, ...] = (settings,)
    for part in loc:
        if len(kinds) > 1:
            first = len(kept) if first is None else first
            kinds = tuple(each for each in kinds if _named(each) == str(part).partition("[")[0])
            continue
        kept.append(part)
        kinds = _inside(kinds[0], part) if kinds else ()
    return tuple(kept), first


def _inside(kind: Any, part: int | str) -> tuple[Any, ...]:
    """The types of what stands at ``part`` in a value of type ``kind``."""
    if _is_table(kind):
        field = _field(kind, part)
        return () if field is None else _kinds(field.annotation)
    inner = [each for each in get_args(kind) if each is not Ellipsis]
    return _kinds(inner[-1]) if inner else ()


def _named(kind: Any) -> str:
    """What pydantic calls a type, up to a bracket."""
    origin = get_origin(kind)
    if origin is Literal:
        return "literal"
    return str(getattr(origin or kind, "__name__", kind))


def _kinds(annotation: Any) -> tuple[Any, ...]:
    """The types a value may be of, null apart."""
    if get_origin(annotation) is Annotated:
        return _kinds(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return tuple(kind for each in get_args(annotation) for kind in _kinds(each))
    return () if annotation is type(None) else (annotation,)


def _is_table(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _field(table: type[BaseModel], key: int | str) -> FieldInfo | None:
    fields = table.model_fields.items()
    return next((field for name, field in fields if key in (name, field.alias)), None)


def _sentence(error: Any, path: str, settings: type[Record]) -> str:
    kind, context, found = error["type"], error.get("ctx", {}), error["input"]
    if kind == "extra_forbidden":
        key = str(error["loc"][-1])
        meant = near(key, _known(settings, error["loc"][:-1]))
        hint = f"; did you mean `{meant}`?" if meant else "."
        return f"{path}: There is no setting `{key}`{hint}"
    if kind == "one_of_type":
        return f"{path}: Expected {context['expected']}, got {_found(found)}."
    if kind in ("literal_error", "enum"):
        return f"{path}: `{found}` is not one of {context['expected']}."
    if kind in _BOUNDS:
        bound = next(each for each in context.values() if isinstance(each, int | float))
        shown = f"{bound:g}" if isinstance(bound, float) else bound
        return f"{path}: Must be {_BOUNDS[kind]} {shown}."
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
        field = _field(settings, part)
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
