"""The golden transcript: what one whole turn writes to the log, word for word."""

from __future__ import annotations

import difflib

from tests.golden.record import HERE, record

RENEW = "If the change is meant, run `python -m tests.golden.record` and read the diff."


async def test_a_turn_the_prompt_and_the_row_table_are_as_reviewed() -> None:
    changes: list[str] = []
    for name, now in (await record()).items():
        golden = (HERE / name).read_text(encoding="utf-8")
        changes += difflib.unified_diff(
            golden.splitlines(), now.splitlines(), f"golden {name}", f"now {name}", lineterm="", n=1
        )
    assert not changes, "\n".join([RENEW, *changes])


async def test_it_is_the_same_twice_in_a_row() -> None:
    assert await record() == await record()
