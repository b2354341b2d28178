"""Writes src/wire.ts, the wire and the cards in TypeScript, from the host's pydantic types.

Rules it keeps: everything comes from `keelbook.jupyter.wire` and `.cards`, nothing is added by
hand; args are described as the host accepts them (a default makes a key optional), results as the
host writes them (every key is there); a schema this cannot say in TypeScript stops it.

    .ci/wire            writes the file
    .ci/wire --check    fails when it is stale
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from keelbook.jupyter import cards, wire

TARGET = Path(__file__).resolve().parent / "src" / "wire.ts"
HEAD = "// Generated from the host's wire types by `.ci/wire`; edit those, not this file.\n"

Schema = dict[str, Any]
Mode = Literal["validation", "serialization"]


class WrittenWhole(GenerateJsonSchema):
    """JSON schema in which what the host writes has every key, defaults included."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        """Whether a key is always there."""
        return True if self.mode == "serialization" else super().field_is_required(field, total)


def type_name(reference: str) -> str:
    """`#/$defs/Plan-Output` -> `PlanOutput`."""
    return re.sub(r"\W", "", reference.rsplit("/", 1)[-1])


def union(parts: list[str]) -> str:
    """The parts joined by `|`, each once."""
    return " | ".join(dict.fromkeys(parts))


def type_of(schema: Schema) -> str:
    """The TypeScript type of one JSON schema."""
    if "$ref" in schema:
        return type_name(schema["$ref"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return union([json.dumps(value) for value in schema["enum"]])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return union([type_of(part) for part in schema[key]])
    match schema.get("type"):
        case "string":
            return "string"
        case "integer" | "number":
            return "number"
        case "boolean":
            return "boolean"
        case "null":
            return "null"
        case "array":
            item = type_of(schema.get("items", {}))
            return f"({item})[]" if " " in item else f"{item}[]"
        case "object":
            return object_type(schema)
        case None:
            return "unknown"
        case other:
            raise ValueError(f"The wire has a type that TypeScript cannot be given: {other!r}.")


def object_type(schema: Schema) -> str:
    """A record with a closed set of keys, or a map from text."""
    if not schema.get("properties"):
        values = schema.get("additionalProperties", True)
        if values is False:
            return "Record<string, never>"
        return f"Record<string, {type_of(values) if isinstance(values, dict) else 'unknown'}>"
    raise ValueError(f"A record without a name is on the wire: {schema.get('title')!r}.")


def comment(text: str | None, indent: str) -> list[str]:
    """A docstring as a TSDoc comment."""
    if not text:
        return []
    lines = [line.strip().replace("``", "`") for line in text.strip().splitlines()]
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def declaration(name: str, schema: Schema) -> list[str]:
    """One exported interface, or a type where the schema is not a record with keys."""
    lines = comment(schema.get("description"), "")
    if schema.get("type") != "object" or not schema.get("properties"):
        return [*lines, f"export type {name} = {type_of(schema)};", ""]
    lines.append(f"export interface {name} {{")
    required = set(schema.get("required", ()))
    for key, value in schema["properties"].items():
        lines += comment(value.get("description"), "  ")
        lines.append(f"  {key}{'' if key in required else '?'}: {type_of(value)};")
    return [*lines, "}", ""]


def records() -> list[tuple[type[BaseModel], Mode]]:
    """Every record on the wire and the side that writes it."""
    found: list[tuple[type[BaseModel], Mode]] = [
        (wire.WireRequest, "validation"),
        (wire.WireReply, "serialization"),
        (wire.WireEvent, "serialization"),
    ]
    for args, result in wire.OPS.values():
        found += [(args, "validation"), (result, "serialization")]
    found += [(card, "serialization") for card in cards.CARDS]
    return list(dict.fromkeys(found))


def typescript() -> str:
    """The whole of wire.ts."""
    names, schema = models_json_schema(records(), schema_generator=WrittenWhole)
    lines = [
        HEAD,
        f"export const WIRE_VERSION = {wire.WIRE_VERSION};",
        f'export const REQUEST = "{wire.REQUEST}";',
        f'export const REPLY = "{wire.REPLY}";',
        f'export const EVENT = "{wire.EVENT}";',
        "",
    ]
    for name, definition in schema["$defs"].items():
        lines += declaration(type_name(name), definition)
    lines += ["/** Every op with its args and its result. */", "export interface Ops {"]
    for op, (args, result) in wire.OPS.items():
        args_type = type_name(names[args, "validation"]["$ref"])
        result_type = type_name(names[result, "serialization"]["$ref"])
        lines.append(f'  "{op}": {{ args: {args_type}; result: {result_type} }};')
    lines += ["}", "", "/** Every card's payload by its kind. */", "export interface Cards {"]
    for card in cards.CARDS:
        lines.append(f"  {card.kind}: {type_name(names[card, 'serialization']['$ref'])};")
    lines += ["}", "", "/** The mime type of each kind's payload. */"]
    lines.append("export const MIMES: { readonly [Kind in keyof Cards]: string } = {")
    lines += [f'  {card.kind}: "{cards.mime(card.kind)}",' for card in cards.CARDS]
    return "\n".join([*lines, "};", ""])


def main() -> int:
    """Write the file, or with --check say whether it is stale."""
    text = typescript()
    if "--check" in sys.argv[1:]:
        if TARGET.is_file() and TARGET.read_text() == text:
            return 0
        sys.stderr.write("labextension/src/wire.ts is stale: run .ci/wire\n")
        return 1
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
