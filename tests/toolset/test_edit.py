"""The tool ``edit``, on real files."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keelbook.errors import ToolFailed
from keelbook.toolset import edit
from tests.toolset.conftest import Call


async def test_the_only_occurrence_is_replaced_and_its_line_named(
    workspace: Path, call: Call
) -> None:
    (workspace / "a.py").write_text("x = 1\ny = 2\n")
    result = await call(edit, path="a.py", old="y = 2", new="y = 3\nz = 4")
    assert (workspace / "a.py").read_text() == "x = 1\ny = 3\nz = 4\n"
    assert result.value == {"path": "a.py", "replaced": 1, "lines": [2]}
    assert result.text == "Replaced 1 place in a.py, line 2."


async def test_several_occurrences_change_nothing_unless_all_are_meant(
    workspace: Path, call: Call
) -> None:
    (workspace / "a").write_text("x\ny\nx\nx\n")
    with pytest.raises(ToolFailed) as error:
        await call(edit, path="a", old="x", new="z")
    assert error.value.sentence == (
        "`old` stands 3 times in a, at lines 1, 3 and 4; give more of the text around it, or "
        "all=true."
    )
    assert (workspace / "a").read_text() == "x\ny\nx\nx\n"
    result = await call(edit, path="a", old="x", new="z", all=True)
    assert (workspace / "a").read_text() == "z\ny\nz\nz\n"
    assert result.text == "Replaced 3 places in a, lines 1, 3 and 4."


async def test_two_occurrences_in_one_line_are_named_by_that_line(
    workspace: Path, call: Call
) -> None:
    (workspace / "a").write_text("\nx x\n")
    with pytest.raises(ToolFailed, match=r"stands 2 times in a, at line 2; give more"):
        await call(edit, path="a", old="x", new="z")


async def test_no_match_says_where_only_white_space_differs(workspace: Path, call: Call) -> None:
    (workspace / "a").write_text("def f():\n\tif x:\n\t\treturn  1\n")
    with pytest.raises(ToolFailed) as error:
        await call(edit, path="a", old="    if x:\n        return 1\n", new="")
    assert error.value.sentence == (
        "`old` is not in a; lines 2 to 3 differ from it in white space only."
    )
    with pytest.raises(ToolFailed, match="is not in a; line 2 differs from it in white space"):
        await call(edit, path="a", old="  if x:", new="")
    with pytest.raises(ToolFailed, match="read the file and copy the text exactly"):
        await call(edit, path="a", old="nowhere", new="")


async def test_carriage_returns_are_kept_and_need_not_be_written(
    workspace: Path, call: Call
) -> None:
    (workspace / "dos").write_bytes(b"a\r\nb\r\nc\r\n")
    await call(edit, path="dos", old="a\nb\n", new="a\nx\ny\n")
    assert (workspace / "dos").read_bytes() == b"a\r\nx\r\ny\r\nc\r\n"
    (workspace / "mixed").write_bytes(b"a\r\nb\nc")
    await call(edit, path="mixed", old="b\nc", new="b\nd")
    assert (workspace / "mixed").read_bytes() == b"a\r\nb\nd"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
async def test_encoding_mark_and_mode_are_kept(workspace: Path, call: Call, encoding: str) -> None:
    file = workspace / "a"
    file.write_bytes("é = 1\n".encode(encoding))
    file.chmod(0o600)
    await call(edit, path="a", old="é = 1", new="ü = 2")
    assert file.read_bytes() == "ü = 2\n".encode(encoding)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    if encoding == "latin-1":
        with pytest.raises(ToolFailed, match=r"'€' cannot be written in the file's encoding"):
            await call(edit, path="a", old="ü", new="€")


async def test_bad_wishes_are_one_sentence_each(workspace: Path, call: Call) -> None:
    (workspace / "a").write_text("x")
    (workspace / "b").write_bytes(b"\0")
    for arguments, sentence in (
        ({"path": "a", "old": "", "new": "y"}, "`old` is empty; use `write` for a new file."),
        ({"path": "a", "old": "x", "new": "x"}, "`old` and `new` are the same text."),
        ({"path": "b", "old": "x", "new": "y"}, "b is a binary file, not text."),
        ({"path": "c", "old": "x", "new": "y"}, "There is no file c."),
        ({"path": ".", "old": "x", "new": "y"}, ". is a folder."),
    ):
        with pytest.raises(ToolFailed) as error:
            await call(edit, **arguments)
        assert error.value.sentence == sentence


async def test_edits_of_one_file_at_the_same_time_all_take_place(
    workspace: Path, call: Call
) -> None:
    (workspace / "a").write_text("".join(f"<{i}>\n" for i in range(200)))
    await asyncio.gather(*(call(edit, path="a", old=f"<{i}>", new=f"[{i}]") for i in range(200)))
    assert (workspace / "a").read_text() == "".join(f"[{i}]\n" for i in range(200))


@given(st.text("ab\n", max_size=40), st.text("ab\n", min_size=1, max_size=3))
def test_every_place_named_is_one_that_a_replacement_changes(text: str, old: str) -> None:
    lines = edit.places(text, old)
    assert len(lines) == text.count(old)
    for line in lines:
        start = len("\n".join(text.split("\n")[: line - 1])) + (line > 1)
        assert old in text[start : start + len(text.split("\n")[line - 1]) + len(old)]
