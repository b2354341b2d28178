"""The cached prefix of a request, and the same tools as names that code in a cell can call.

Rules: the prefix is a function of the profile and its rows, so it stays the same byte for byte from
step to step unless a row changes its section. A tool is described once, by its argument record: as
a JSON schema to the model, as a signature in the prompt and as a binding to the guest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

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
    schema = tool.arguments.model_json_schema(by_alias=False)
    required = set(schema.get("required", ()))
    return tuple(
        Parameter(name, type_text(field, schema), name in required)
        for name, field in schema.get("properties", {}).items()
    )


def signature(tool: Tool) -> str:
    """``await tools.read(path: str, offset: int = 1)`` and what it does."""
    schema = tool.arguments.model_json_schema(by_alias=False)
    fields = schema.get("properties", {})
    required = set(schema.get("required", ()))
    shown = [
        f"{name}: {type_text(field, schema)}"
        + (
            ""
            if name in required
            else f" = {field['default']!r}"
            if "default" in field
            else " = ..."
        )
        for name, field in fields.items()
    ]
    lines = [f"- `await {NAMESPACE}.{tool.name}({', '.join(shown)})`: {tool.description.strip()}"]
    lines += [
        f"  - `{name}`: {field['description']}" for name, field in fields.items()
        if field.get("description")
    ]  # fmt: skip
    return "\n".join(lines)


def type_text(field: dict[str, Any], schema: dict[str, Any]) -> str:
    """A JSON schema's type in Python's words."""
    if "$ref" in field:
        return type_text(schema["$defs"][field["$ref"].rsplit("/", 1)[-1]], schema)
    if "anyOf" in field:
        return " | ".join(type_text(each, schema) for each in field["anyOf"])
    if "enum" in field:
        return f"Literal[{', '.join(map(repr, field['enum']))}]"
    if "const" in field:
        return f"Literal[{field['const']!r}]"
    kind = field.get("type")
    if kind == "array":
        return f"list[{type_text(field.get('items', {}), schema)}]"
    if kind == "object" and field.get("properties"):
        inner = (f"{name}: {type_text(each, schema)}" for name, each in field["properties"].items())
        return f"{{{', '.join(inner)}}}"
    return _TYPES.get(str(kind), "Any")


_TYPES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "object": "dict",
    "null": "None",
}
