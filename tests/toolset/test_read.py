"""The tool ``read``, on real files."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from keelbook.errors import Refused, ToolFailed
from keelbook.files import Files
from keelbook.tool import Scene
from keelbook.toolset import page, read
from tests.toolset.conftest import Call

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


async def test_a_program_gets_the_plain_text_and_a_model_numbered_lines(
    workspace: Path, call: Call
) -> None:
    (workspace / "a.py").write_text("x = 1\ny = 2\n")
    result = await call(read, path="a.py")
    assert result.value == "x = 1\ny = 2\n"
    assert result.text == "     1\tx = 1\n     2\ty = 2"


async def test_line_ends_and_a_missing_last_one_are_kept_for_a_program(
    workspace: Path, call: Call
) -> None:
    (workspace / "dos.txt").write_bytes(b"a\r\nb\r\nc")
    result = await call(read, path="dos.txt")
    assert result.value == "a\r\nb\r\nc"
    assert result.text == "     1\ta\n     2\tb\n     3\tc"


async def test_only_a_line_feed_ends_a_line(workspace: Path, call: Call) -> None:
    (workspace / "a").write_text("one\x0cstill one\u2028still one\ntwo")
    assert (await call(read, path="a", offset=2)).value == "two"


async def test_offset_and_limit_choose_lines_and_the_view_says_how_to_go_on(
    workspace: Path, call: Call
) -> None:
    (workspace / "a").write_text("".join(f"line {i}\n" for i in range(1, 11)))
    result = await call(read, path="a", offset=3, limit=2)
    assert result.value == "line 3\nline 4\n"
    assert (
        result.text == "     3\tline 3\n     4\tline 4\n[Lines 3 to 4 of 10. Go on with offset=5.]"
    )
    last = await call(read, path="a", offset=-2)
    assert (last.value, last.text) == (
        "line 9\nline 10\n",
        "     9\tline 9\n    10\tline 10\n[Lines 9 to 10 of 10.]",
    )
    assert (await call(read, path="a", offset=-100)).value == (workspace / "a").read_text()


async def test_an_offset_behind_the_end_names_the_number_of_lines(
    workspace: Path, call: Call
) -> None:
    (workspace / "a").write_text("1\n2\n")
    with pytest.raises(ToolFailed, match=r"^a has 2 lines; line 3 is behind its end\.$"):
        await call(read, path="a", offset=3)


async def test_an_empty_file_is_said_to_be_empty(workspace: Path, call: Call) -> None:
    (workspace / "a").touch()
    result = await call(read, path="a")
    assert (result.value, result.text) == ("", "[The file is empty.]")


async def test_a_model_reads_a_long_file_page_by_page_and_a_program_has_it_whole(
    workspace: Path, call: Call
) -> None:
    text = "".join(f"{i}\n" for i in range(1, 5001))
    (workspace / "a").write_text(text)
    result = await call(read, path="a")
    assert result.value == text
    assert result.text is not None
    assert result.text.endswith(
        "  2000\t2000\n[Lines 1 to 2,000 of 5,000. Go on with offset=2001.]"
    )


async def test_the_view_stays_under_what_would_be_stored_elsewhere(
    workspace: Path, call: Call
) -> None:
    """rows R5: at its own cap, whatever the envelope adds."""
    for name, text in {
        "lines": ("x" * 1999 + "\n") * 3000,
        "long": ("y" * 2500 + "\n") * 3000,
        "short": "\n" * 100_000,
        "one": "z" * 200_000,
    }.items():
        (workspace / name).write_text(text)
        view = (await call(read, path=name)).text
        assert view is not None
        assert page.CHARACTERS - 2100 < len(view) <= 80_000 or name == "short"


async def test_one_very_long_line_can_be_read_to_its_end_by_column(
    workspace: Path, call: Call, native: Scene
) -> None:
    """rows P8: a stored line of 80,001 characters."""
    line = "".join(chr(97 + i % 26) for i in range(80_001))
    (workspace / "a").write_text(line)
    first = (await call(read, at=native, path="a")).text
    assert first is not None
    assert first.endswith(" [... 30,001 more characters; go on with offset=1, column=50001]")
    second = (await call(read, at=native, path="a", offset=1, column=50_001)).text
    assert second == "     1\t" + line[50_000:]


async def test_a_long_line_among_others_is_cut_with_the_call_that_shows_it(
    workspace: Path, call: Call
) -> None:
    (workspace / "a").write_text("short\n" + "y" * 2500 + "\nend\n")
    view = (await call(read, path="a")).text
    assert view is not None
    assert " [... 500 more characters; go on with offset=2, column=2001]\n     3\tend" in view


async def test_encodings_are_found_and_a_guess_is_said(workspace: Path, call: Call) -> None:
    for name, data in {
        "utf8": "é".encode(),
        "mark": b"\xef\xbb\xbf" + "é".encode(),
        "utf16": "é\n".encode("utf-16"),
    }.items():
        (workspace / name).write_bytes(data)
        assert (await call(read, path=name)).value.rstrip("\n") == "é"
    (workspace / "latin").write_bytes(b"\xe9")
    guessed = await call(read, path="latin")
    assert guessed.value == "é"
    assert guessed.text is not None
    assert "Not UTF-8; read as Latin-1" in guessed.text
    assert (await call(read, path="latin", encoding="cp1251")).value == "й"
    with pytest.raises(ToolFailed, match="There is no text encoding `nope`"):
        await call(read, path="latin", encoding="nope")
    with pytest.raises(ToolFailed, match="is not written in utf-8"):
        await call(read, path="latin", encoding="utf-8")


async def test_a_binary_file_is_named_for_what_it_looks_like(workspace: Path, call: Call) -> None:
    (workspace / "t.parquet").write_bytes(b"PAR1" + b"\0" * 10)
    with pytest.raises(ToolFailed, match=r"^t.parquet is a Parquet table \(14 bytes\), not text"):
        await call(read, path="t.parquet")


async def test_a_folder_is_pointed_to_ls_and_a_missing_file_to_its_neighbour(
    workspace: Path, call: Call
) -> None:
    (workspace / "data").mkdir()
    (workspace / "data" / "Penguins.csv").touch()
    with pytest.raises(ToolFailed, match=r"^data is a folder; list it with `ls`\.$"):
        await call(read, path="data")
    with pytest.raises(
        ToolFailed, match=r"^There is no file data/penguin\.csv; did you mean data/Pe"
    ):
        await call(read, path="data/penguin.csv")
    with pytest.raises(ToolFailed, match=r"no folder dat; did you mean data/Penguins\.csv\?$"):
        await call(read, path="dat/Penguins.csv")
    with pytest.raises(ToolFailed, match=r"^There is no file qqq\.$") as error:
        await call(read, path="qqq")
    assert error.value.code == "not-found"
    with pytest.raises(ToolFailed, match="leads through a file as if it were a folder"):
        await call(read, path="data/Penguins.csv/x")


@pytest.mark.parametrize("given", ["a\0b", "~nobody_of_that_name/x", "\ud800"])
async def test_what_cannot_be_a_path_is_refused(call: Call, given: str) -> None:
    with pytest.raises(Refused, match="cannot be a path"):
        await call(read, path=given)


async def test_a_named_pipe_and_a_device_are_not_waited_for(workspace: Path, call: Call) -> None:
    os.mkfifo(workspace / "pipe")
    for path, kind in (("pipe", "named pipe"), ("/dev/zero", "device")):
        with pytest.raises(ToolFailed, match=f"is a {kind}, not a file"):
            await asyncio.wait_for(call(read, path=path), 5)


async def test_a_loop_of_links_is_said_to_be_one(workspace: Path, call: Call) -> None:
    (workspace / "a").symlink_to("b")
    (workspace / "b").symlink_to("a")
    with pytest.raises(ToolFailed, match=r"^a is a link that leads back to itself\.$"):
        await call(read, path="a")


async def test_a_name_that_is_too_long_is_one_sentence(call: Call) -> None:
    with pytest.raises(ToolFailed, match="is too long"):
        await call(read, path="x" * 300)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
async def test_a_file_without_permission_is_one_sentence(workspace: Path, call: Call) -> None:
    (workspace / "a").touch(mode=0o000)
    with pytest.raises(ToolFailed, match="does not permit access to a"):
        await call(read, path="a")


async def test_a_link_is_followed_to_the_file_that_was_judged(workspace: Path, call: Call) -> None:
    (workspace / "real").write_text("here")
    (workspace / "link").symlink_to("real")
    assert (await call(read, path="link")).value == "here"


async def test_a_picture_goes_to_a_model_that_takes_pictures(
    workspace: Path, call: Call, native: Scene
) -> None:
    (workspace / "a.png").write_bytes(PNG)
    result = await call(read, at=replace(native, images=True), path="a.png")
    assert [(each.media_type, base64.b64decode(each.data)) for each in result.images] == [
        ("image/png", PNG)
    ]
    with pytest.raises(ToolFailed, match="show it in a cell"):
        await call(read, at=native, path="a.png")


async def test_a_file_too_large_to_hold_is_read_in_parts(
    workspace: Path, call: Call, native: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "WHOLE", 1000)
    lines = [f"line {i}\n" for i in range(1, 5001)]
    (workspace / "a").write_text("".join(lines))
    with pytest.raises(ToolFailed, match=r"too much to be read at once; give `offset`"):
        await call(read, path="a")
    with pytest.raises(ToolFailed, match="ask for fewer"):
        await call(read, at=native, path="a")
    part = await call(read, path="a", offset=4000, limit=3)
    assert part.value == "".join(lines[3999:4002])
    assert part.text is not None
    assert part.text.endswith("[Lines 4,000 to 4,002. Go on with offset=4003.]")
    tail = await call(read, path="a", offset=-3, limit=100)
    assert (tail.value, tail.text and tail.text[-28:]) == (
        "".join(lines[-3:]),
        "[Lines 4,998 to 5,000 of 5,000.]"[-28:],
    )
    with pytest.raises(ToolFailed, match="has 5,000 lines; line 6,000 is behind"):
        await call(read, path="a", offset=6000, limit=1)


async def test_a_file_of_the_kernel_whose_size_is_not_known_is_read(call: Call) -> None:
    if sys.platform != "linux":
        pytest.skip("there is no /proc")
    assert "version" in (await call(read, path="/proc/version")).value


async def test_reading_remembers_the_state_of_the_file(
    workspace: Path, call: Call, scene: Scene
) -> None:
    (workspace / "a").write_text("1")
    await call(read, path="a")
    state = (workspace / "a").stat()
    assert scene.files.seen == {
        Path(os.path.realpath(workspace / "a")): (state.st_ino, state.st_mtime_ns, state.st_size)
    }


async def test_a_thousand_small_reads_at_once_take_less_than_a_second_of_cpu(
    workspace: Path, call: Call
) -> None:
    (workspace / "a").write_text("x" * 100)
    before = os.times()
    results = await asyncio.gather(*(call(read, path="a") for _ in range(1000)))
    after = os.times()
    assert {each.value for each in results} == {"x" * 100}
    assert after.user + after.system - before.user - before.system < 1.0


async def test_files_need_no_workspace_that_exists_yet(tmp_path: Path) -> None:
    files = Files(tmp_path / "gone")
    assert await files.open("x", "read", "read") == tmp_path.resolve() / "gone" / "x"
