"""The one base of every value that crosses a border of the host: log, wire or model.

Rules: immutable, extra keys refused, camelCase outside and snake_case inside. A module of records
does not import ``annotations`` from the future: pydantic would compile each of them at every start.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict with text keys."""


class Record(BaseModel):
    """A frozen value with a closed set of fields."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        defer_build=True,
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        ser_json_inf_nan="strings",
    )

    def to_json(self) -> str:
        """The record as one line of JSON, defaults included (a discriminator is one)."""
        return self.model_dump_json()
