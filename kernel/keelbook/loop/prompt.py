"""The cached prefix of a request, and the same tools as names that code in a cell can call.

Rules: the prefix is a function of the profile and its rows, so it stays the same byte for byte from
step to step unless a row changes its section. A tool is described once, by its argument record: as
a JSON schema to the model, as a signature in the prompt and as a binding to the guest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from keelbook.events import PromptSet
from keelbook.interpreter import Binding, Namespace, Parameter
from keelbook.model import ToolSchema
from keelbook.record import Json
from keelbook.tool import Tool

NAMESPACE = "tools"
SHELL = "_shell"

BASE = """\
You are an agent in a Jupyter notebook that you share with a person. The person's cells and your
code run in one Python namespace: you see their variables, they see yours, and what you define
stays. Do what the person asks, check results before you report them, and say plainly what you did,
what you found and what is uncertain. Work in small steps: look first, then compute. Leave the
person's variables and files as they are unless the request is to change them. When something
fails, read the error and take another way; do not repeat a call unchanged. Write for a notebook:
short markdown, no repeating of code or output the person has already seen. When the request is
done, stop.
"""

CODE = """\
`{python}` runs code as a cell. The last expression is shown, printed text and rich displays
(figures, tables) go to the person, top-level `await` works. Prefer a look at shapes, heads and
summaries to printing whole data.
"""

CODE_MODE = """\
These tools are called from the code you run, not as tools of their own; each returns plain data and
raises `ToolFailed` when it cannot do its work. Several can run at once with `asyncio.gather`.

{signatures}
"""


def system(
    tools: Sequence[Tool], sections: Iterable[str], *, code_mode: bool, workspace: str
) -> str:
    """The system prompt: what the agent is, its tools, the rows' sections in list order."""
    parts = [BASE, f"The workspace is the folder {workspace}; relative paths start there.\n"]
    python = code_tool(tools)
    if python is not None:
        parts.append(CODE.format(python=python.title))
    called = [tool for tool in tools if not tool.native and tool.bound]
    if code_mode and called:
        parts.append(CODE_MODE.format(signatures="\n".join(map(signature, called))))
    return "\n".join([*parts, *(f"{section.strip()}\n" for section in sections)])


def code_tool(tools: Iterable[Tool]) -> Tool | None:
    """The tool that runs code, if there is one."""
    return next((tool for tool in tools if tool.name == "run_code"), None)


def schemas(tools: Iterable[Tool], *, code_mode: bool) -> tuple[ToolSchema, ...]:
    """The tools the model may call itself."""
    return tuple(
        ToolSchema(tool.title, tool.description, parameters(tool))
        for tool in tools
        if tool.native or not code_mode
    )


def prompt(system_text: str, tool_schemas: Sequence[ToolSchema]) -> PromptSet:
    """The prefix as an event."""
    described: tuple[Json, ...] = tuple(
        {"name": each.name, "description": each.description, "parameters": each.parameters}
        for each in tool_schemas
    )
    return PromptSet(system=system_text, tools=described)


def parameters(tool: Tool) -> dict[str, Json]:
    """The JSON schema of a tool's arguments, without generated titles."""
    schema = tool.arguments.model_json_schema(by_alias=False)
    plain: dict[str, Json] = _without_titles(schema)
    plain.pop("description", None)
    return plain


def _without_titles(value: Json, *, names: bool = False) -> Any:
    """``names``: the keys of this object are field names, which may be called ``title``."""
    if isinstance(value, dict):
        return {
            key: _without_titles(each, names=not names and key in ("properties", "$defs"))
            for key, each in value.items()
            if names or key != "title"
        }
    return [_without_titles(each) for each in value] if isinstance(value, list) else value


# ---------------------------------------------------------------- for code


def namespace(tools: Iterable[Tool]) -> Namespace:
    """``tools`` as the guest binds it."""
    bindings = tuple(
        Binding(tool.name, tool.description, _parameters(tool), tool.exclusive)
        for tool in tools
        if tool.bound
    )
    return Namespace(NAMESPACE, "Governed tools of this session; await their calls.", bindings)


def shell_tool(tools: Iterable[Tool]) -> Tool | None:
    """The tool that runs command lines from code."""
    return next((tool for tool in tools if tool.bound and tool.capabilities.command_line), None)


def shell_namespace(tools: Iterable[Tool]) -> tuple[Namespace, ...]:
    """What ``!`` lines of a cell call: the shell tool, with its output shown in the cell."""
    tool = shell_tool(tools)
    if tool is None:
        return ()
    run = Binding("run", tool.description, _parameters(tool), tool.exclusive)
    return (Namespace(SHELL, "The shell behind lines that start with `!`.", (run,)),)


def _parameters(tool: Tool) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(name, type_text(field.annotation), field.is_required())
        for name, field in tool.arguments.model_fields.items()
    )


def signature(tool: Tool) -> str:
    """``await tools.read(path: str, offset: int = 1)`` and what it does."""
    fields = tool.arguments.model_fields
    shown = [
        f"{name}: {type_text(field.annotation)}{_default(field)}" for name, field in fields.items()
    ]
    lines = [f"- `await {NAMESPACE}.{tool.name}({', '.join(shown)})`: {tool.description.strip()}"]
    lines += [
        f"  - `{name}`: {field.description}" for name, field in fields.items() if field.description
    ]
    return "\n".join(lines)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return ""
    given = field.default
    if isinstance(given, tuple):
        given = list(given)
    plain = given is None or isinstance(given, str | int | float | list)
    return f" = {given!r}" if plain else " = ..."


def type_text(kind: Any) -> str:
    """A type as code that calls a tool meets it: what a JSON value becomes, records as tables.

    It is read from the annotation, because pydantic would take 10 ms of every start to build the
    schemas of all tools, which the model needs later and of fewer tools.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return type_text(inner[0])
    if origin in (Union, UnionType):
        return " | ".join(map(type_text, inner))
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, inner))}]"
    kind = origin or kind
    if not isinstance(kind, type):
        return "None" if kind is None else "Any"
    if issubclass(kind, Enum):
        return f"Literal[{', '.join(repr(each.value) for each in kind)}]"
    if issubclass(kind, BaseModel):
        fields = kind.model_fields.items()
        return f"{{{', '.join(f'{name}: {type_text(each.annotation)}' for name, each in fields)}}}"
    if issubclass(kind, list | tuple | set | frozenset):
        return f"list[{type_text(inner[0]) if inner else 'Any'}]"
    return _TYPES.get(kind, "Any")


_TYPES = {
    str: "str", int: "int", float: "float", bool: "bool", dict: "dict", type(None): "None",
}  # fmt: skip
