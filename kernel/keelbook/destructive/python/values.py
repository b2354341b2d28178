"""What an expression stands for, as far as the text alone says.

Rules: a text may be known in part; what is not known reads ``{…}`` in it. A symbol is a dotted name
from an import on, ``()`` where something was called. None stands for nothing known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

UNKNOWN = "{…}"


@dataclass(frozen=True, slots=True)
class Text:
    """A str, or bytes read as UTF-8."""

    text: str
    whole: bool = True
    raw: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """An int, float or bool; ``None`` itself too."""

    number: Any


@dataclass(frozen=True, slots=True)
class Items:
    """A list, tuple or set; ``any`` says that it stands for one of its items."""

    items: tuple[Value | None, ...]
    any: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A dict with known keys."""

    items: dict[str, Value | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Symbol:
    """``pathlib.Path().unlink``; ``given`` are the arguments of its last call.

    ``local``: the name was never imported, so it is only what it is called.
    """

    name: str
    given: tuple[Value | None, ...] = ()
    local: bool = False
    named: dict[str, Value | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Function:
    """A function or lambda of the text itself; the node and what it gives back are kept."""

    result: Any
    parameters: tuple[str, ...] = ()


Value = Text | Number | Items | Table | Symbol | Function


def texts(value: Value | None) -> list[Text]:
    """The texts a value may be."""
    if isinstance(value, Text):
        return [value]
    if isinstance(value, Items) and value.any:
        return [text for item in value.items for text in texts(item)]
    if isinstance(value, Symbol) and value.given and value.name.endswith(
        ("text()", "SQL()", "DDL()", "dedent()", "sql()", "Path()", "PurePath()", "str()",
         "PosixPath()")
    ):  # fmt: skip
        return texts(value.given[0])
    return []


def command_words(value: Value | None) -> list[Text] | None:
    """The words of a list of texts; None when it is no list."""
    if not isinstance(value, Items) or value.any:
        return None
    found: list[Text] = []
    for item in value.items:
        each = texts(item)
        if each:
            found.append(each[0])
        elif isinstance(item, Number):
            found.append(Text(str(item.number)))
        elif isinstance(item, Symbol) and item.name == "sys.executable":
            found.append(Text("python"))
        else:
            found.append(Text("$…", whole=False))
    return found
