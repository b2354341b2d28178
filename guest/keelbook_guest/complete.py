"""Completions at a cursor (guest J16).

Rules
- What stands before the cursor decides: an import, a key of a mapping, a path in a
  string, an attribute, a keyword of the call around it, a name.
- No property and no `__getattr__` of a user's object is called; `__dir__` and
  `_ipython_key_completions_`, which exist for this, are.
- Names that begin with `_` come only when asked for. At most `MOST` are given.
"""

from __future__ import annotations

import builtins
import keyword
import os
import re
from collections.abc import Callable, Iterable
from types import FunctionType, MethodType
from typing import Any

from keelbook_guest.lexical import Place, chain, expression, place, word
from keelbook_guest.modules import members, submodules
from keelbook_guest.proxies import BoundCall
from keelbook_guest.resolve import ABSENT, attribute, is_from, kind_of, names_of, resolve

MOST = 1000
REACH = 100_000
_FROM = re.compile(r"\s*from\s+([\w.]*)\Z")
_FROM_IMPORT = re.compile(r"\s*from\s+([\w.]+)\s+import\s+\(?(?:[\w\s,]*,)?\s*(\w*)\Z")
_IMPORT = re.compile(r"\s*import\s+(?:.*,\s*)?([\w.]*)\Z")
_KEY = re.compile(r"[\w.+-]*\Z")

Found = tuple[str, str]
"""A completion and its type."""


def complete(code: str, cursor: int, space: dict[str, Any]) -> dict[str, Any]:
    """`{"matches", "start", "end", "types"}` for the text before `cursor`."""
    head = code[:cursor][-REACH:]
    offset = max(0, min(cursor, len(code)) - len(head))
    here = place(head)
    found, prefix = _imports(head[here.line :]) or _inside(head, here, space)
    matches = sorted(set(found), key=_rank)[:MOST]
    return {
        "matches": [name for name, _ in matches],
        "start": offset + len(head) - len(prefix),
        "end": offset + len(head),
        "types": [kind for _, kind in matches],
    }


def _rank(found: Found) -> tuple[int, int, str]:
    name = found[0]
    under = 2 if name.startswith("__") else 1 if name.startswith("_") else 0
    return (0 if found[1] == "param" else 1, under, name)


def _imports(line: str) -> tuple[list[Found], str] | None:
    found = _FROM_IMPORT.match(line)
    if found is not None:
        module, prefix = found.groups()
        return _chosen(members(module), prefix, lambda name: "instance"), prefix
    found = _FROM.match(line) or _IMPORT.match(line)
    if found is None:
        return None
    package, _, prefix = found.group(1).rpartition(".")
    return _chosen(submodules(package), prefix, lambda name: "module"), prefix


def _inside(head: str, here: Place, space: dict[str, Any]) -> tuple[list[Found], str]:
    if here.string is not None:
        return _in_string(head, here, space)
    prefix = word(head)
    before = head[: len(head) - len(prefix)].rstrip()
    if before.endswith(".") and not before.endswith(".."):
        return _attributes(expression(before[:-1]), prefix, space), prefix
    if here.brackets and head[here.brackets[-1]] == "[":
        keys, partial = _keys(head, here, space)
        if keys:
            return keys, partial
    return [*_keywords(head, here, prefix, space), *_names(prefix, space)], prefix


def _chosen(names: Iterable[str], prefix: str, kind: Callable[[str], str]) -> list[Found]:
    hidden = not prefix.startswith("_")
    return [
        (name, kind(name))
        for name in names
        if name.startswith(prefix) and not (hidden and name.startswith("_"))
    ]


def _attributes(owner: str, prefix: str, space: dict[str, Any]) -> list[Found]:
    value = resolve(owner, space)
    if value is ABSENT:
        return []
    names = [name for name in names_of(value) if name.isidentifier()]
    return _chosen(names, prefix, lambda name: kind_of(attribute(value, name)))


def _names(prefix: str, space: dict[str, Any]) -> list[Found]:
    found = _chosen(list(space), prefix, lambda name: kind_of(space.get(name)))
    found += _chosen(vars(builtins), prefix, lambda name: kind_of(vars(builtins)[name]))
    return found + _chosen(keyword.kwlist, prefix, lambda name: "keyword")


def _keywords(head: str, here: Place, prefix: str, space: dict[str, Any]) -> list[Found]:
    """The parameters, not yet given, of the call that is open."""
    if not here.brackets or head[here.brackets[-1]] != "(":
        return []
    opening = here.brackets[-1]
    before = head[opening + 1 : len(head) - len(prefix)].rstrip()
    if before and before[-1] not in ",":
        return []
    function = resolve(expression(head[:opening]), space)
    given = set(re.findall(r"(\w+)\s*=[^=]", head[opening:]))
    names = [name for name in parameters(function) if name not in given]
    return _chosen([f"{name}=" for name in names], prefix, lambda name: "param")


def parameters(function: Any) -> list[str]:
    """The names that a callable takes as keywords, as far as they can be read off."""
    if isinstance(function, MethodType):
        return parameters(function.__func__)[1:]
    if isinstance(function, FunctionType):
        code = function.__code__
        count = code.co_argcount + code.co_kwonlyargcount
        wrapped = function.__dict__.get("__wrapped__")
        names = list(code.co_varnames[code.co_posonlyargcount : count])
        return names + (parameters(wrapped) if wrapped is not None and not names else [])
    if isinstance(function, BoundCall):
        return list(function.__signature__.parameters)
    if isinstance(function, type):
        made = parameters(attribute(function, "__init__"))
        return made[1:] if made else parameters(attribute(function, "__new__"))[1:]
    return _from_text(function)


def _from_text(function: Any) -> list[str]:
    """The parameters of a builtin, which has only a text signature."""
    text = getattr(function, "__text_signature__", None) if callable(function) else None
    if not isinstance(text, str):
        return []
    named = text.partition("/")[2] or text
    found = re.findall(r"[(,]\s*\*?\s*,?\s*(\w+)", "(" + named.lstrip("(,"))
    return [name for name in found if name not in ("self", "cls")]


def _in_string(head: str, here: Place, space: dict[str, Any]) -> tuple[list[Found], str]:
    start = here.string or 0
    content = head[start:]
    opening = start - len(here.quote)
    if here.brackets and head[here.brackets[-1]] == "[":
        between = head[here.brackets[-1] + 1 : opening].strip()
        if between.lower() in ("", "r", "b", "u", "f"):
            owner = resolve(expression(head[: here.brackets[-1]]), space)
            keys = [key for key in keys_of(owner) if isinstance(key, str)]
            return [(key, "key") for key in keys if key.startswith(content)], content
    folder, _, name = content.rpartition("/")
    paths = _paths(folder + "/" if "/" in content else "", name)
    return [(path, "path") for path in paths], name


def _keys(head: str, here: Place, space: dict[str, Any]) -> tuple[list[Found], str]:
    opening = here.brackets[-1]
    partial = head[opening + 1 :].lstrip()
    if not _KEY.fullmatch(partial):
        return [], ""
    owner = resolve(expression(head[:opening]), space)
    plain = [key for key in keys_of(owner) if type(key) in (str, int, float, bool)]
    shown = [repr(key) for key in plain]
    return [(key, "key") for key in shown if key.startswith(partial)], partial


def keys_of(owner: Any) -> list[Any]:
    """The keys an object offers: a dict's own, or those it gives for completion."""
    if isinstance(owner, dict):
        return list(dict.keys(owner))[:MOST]
    if is_from(owner, "pandas", "DataFrame"):
        return list(owner.columns[:MOST])
    if is_from(owner, "numpy", "ndarray") or is_from(owner, "numpy", "void"):
        return list(owner.dtype.names or ())
    own = getattr(type(owner), "_ipython_key_completions_", None)
    if own is None:
        return []
    try:
        return list(own(owner))[:MOST]
    except Exception:
        return []


def _paths(folder: str, prefix: str) -> list[str]:
    try:
        entries = list(os.scandir(os.path.expanduser(folder) or "."))
    except (OSError, ValueError):
        return []
    hidden = not prefix.startswith(".")
    return [
        entry.name + ("/" if entry.is_dir() else "")
        for entry in entries
        if entry.name.startswith(prefix) and not (hidden and entry.name.startswith("."))
    ]


def called(head: str) -> str:
    """The dotted name of the call whose brackets the end of `head` is in."""
    here = place(head)
    for opening in reversed(here.brackets):
        if head[opening] == "(" and chain(head[:opening].rstrip()):
            return chain(head[:opening].rstrip())
    return ""
