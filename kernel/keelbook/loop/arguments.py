"""Reads a call's arguments as its tool's record, or says in one sentence which field is wrong.

Rules: the sentence names the first wrong field as a path (``todos[2].status``) and how many more
there are; nothing is coerced that a reader would not call the same value.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from keelbook.record import Json
from keelbook.text import head, near
from keelbook.tool import Arguments, Tool


class BadArguments(Exception):
    """The arguments are not the tool's; the text is the sentence."""


def read(tool: Tool, given: dict[str, Json] | str) -> Arguments:
    """The validated record. Raises BadArguments."""
    if not isinstance(given, dict):
        raise BadArguments(f"{_opening(tool)}: its arguments are not a JSON object.")
    try:
        return tool.arguments.model_validate(given)
    except ValidationError as error:
        found = error.errors(include_url=False)
        more = f" ({len(found) - 1} more like this)" if len(found) > 1 else ""
        raise BadArguments(f"{_opening(tool)}: {_problem(found[0], tool)}{more}.") from None


def _opening(tool: Tool) -> str:
    return tool.refusal or f"`{tool.title}` was not run"


def _problem(error: Any, tool: Tool) -> str:
    """What is wrong with which field, without its full stop."""
    kind, context = error["type"], error.get("ctx", {})
    where = _path(error["loc"])
    if kind == "missing":
        return f"`{where}` is missing"
    if kind == "extra_forbidden":
        last = str(error["loc"][-1])
        known = tool.arguments.model_fields if len(error["loc"]) == 1 else ()
        meant = near(last, known)
        return f"there is no `{where}`" + (f", perhaps `{meant}` was meant" if meant else "")
    if kind in ("literal_error", "enum"):
        return f"`{where}` is `{_found(error['input'])}`, not one of {context['expected']}"
    if kind == "value_error":
        return f"`{where}`: {str(context['error']).rstrip('.')}"
    said = error["msg"].rstrip(".")
    for words, plainer in _PLAINER.items():
        said = said.replace(words, plainer)
    _, should, rest = said.partition(" should ")
    return f"`{where}` should {rest}" if should else f"`{where}`: {said}"


def _path(loc: tuple[int | str, ...]) -> str:
    path = ""
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path or "arguments"


def _found(value: object) -> str:
    return head(str(value), 80)


_PLAINER = {
    "a valid tuple": "a list",
    "a valid integer": "a whole number",
    "a valid dictionary or instance of": "a",
    "valid ": "",
    " after validation": "",
}
