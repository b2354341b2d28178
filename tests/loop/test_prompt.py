"""The prefix: what the model is told of its tools, and what the guest binds."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from keelbook.loop import prompt
from keelbook.record import Record
from keelbook.tool import Arguments, Tool
from keelbook.toolset import run_code
from tests.loop.staging import echo, tool


class Point(Record):
    """A place."""

    x: float
    y: float = 0.0


class Many(Arguments):
    """All kinds."""

    title: str = Field(description="A name.")
    count: int = 3
    ratio: float | None = None
    kind: Literal["a", "b"] = "a"
    names: tuple[str, ...] = ()
    table: dict[str, int] = Field(default_factory=dict)
    where: Point | None = None
    on: bool = False
    anything: Any = None
    only: Literal["x"] = "x"


class Size(Enum):
    """A closed set of words."""

    SMALL = "s"
    LARGE = "l"


def many(**more: Any) -> Tool:
    return Tool("many", "Does much.", Many, echo, **more)


def test_a_signature_reads_as_python() -> None:
    line, described = prompt.signature(many()).split("\n")
    assert line == (
        "- `await tools.many(title: str, count: int = 3, ratio: float | None = None, "
        "kind: Literal['a', 'b'] = 'a', names: list[str] = [], table: dict = ..., "
        "where: {x: float, y: float} | None = None, on: bool = False, anything: Any = None, "
        "only: Literal['x'] = 'x')`: Does much."
    )
    assert described == "  - `title`: A name."


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Size, "Literal['s', 'l']"),
        (Annotated[int, Field(gt=0)] | None, "int | None"),
        (list[Annotated[str, Field(min_length=1)]], "list[str]"),
        (dict[str, int], "dict"),
        (tuple, "list[Any]"),
        (object, "Any"),
    ],
)
def test_a_type_is_what_a_json_value_becomes(kind: Any, said: str) -> None:
    assert prompt.type_text(kind) == said


def test_a_schema_keeps_its_fields_and_loses_generated_titles() -> None:
    schema = prompt.parameters(many())
    assert set(schema["properties"]) == set(Many.model_fields)
    assert schema["properties"]["title"] == {"description": "A name.", "type": "string"}
    assert (schema["required"], schema["additionalProperties"]) == (["title"], False)
    assert "title" not in schema
    assert "title" not in schema["$defs"]["Point"]


def test_the_guest_binds_what_code_may_call() -> None:
    tools = [many(exclusive=True), run_code.tool(), tool("echo")]
    namespace = prompt.namespace(tools)
    assert (namespace.name, namespace.callable) == ("tools", False)
    assert [each.name for each in namespace.bindings] == ["many", "echo"]
    bound = namespace.bindings[0]
    assert bound.exclusive is True
    assert [(p.name, p.type, p.required) for p in bound.parameters[:3]] == [
        ("title", "str", True), ("count", "int", False), ("ratio", "float | None", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code_mode", "native"), [(True, ["python", "plan"]), (False, ["python", "plan", "many"])]
)
def test_in_code_mode_only_native_tools_are_the_models_own(
    code_mode: bool, native: list[str]
) -> None:
    tools = [run_code.tool(), tool("plan"), many()]
    assert [each.name for each in prompt.schemas(tools, code_mode=code_mode)] == native
    said = prompt.system(tools, ["Be kind."], code_mode=code_mode, workspace="/w")
    assert ("await tools.many" in said) is code_mode
    assert "`python` runs code as a cell." in said
    assert said.endswith("\nBe kind.\n")


def test_without_a_tool_for_code_nothing_is_said_of_it() -> None:
    said = prompt.system([tool("echo")], [], code_mode=False, workspace="/w")
    assert "cell. The last expression" not in said
    assert "await tools" not in said
