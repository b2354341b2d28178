"""The tools ``ls``, ``glob`` and ``grep``, and the process that matches for them."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from keelbook.errors import ToolFailed
from keelbook.files import Files
from keelbook.tool import Scene
from keelbook.toolset import glob, grep, ls, search
from tests.toolset.conftest import Call


@pytest.fixture
def tree(workspace: Path) -> Path:
    for path, text in {
        "a.py": "import os\nx = 1\n",
        "src/b.py": "import sys\n\nx = 2\n",
        "src/deep/er/c.ts": "let x = 3\n",
        ".hidden/d.py": "x = 4\n",
        ".git/config": "x = 5\n",
        "node_modules/m/e.py": "x = 6\n",
        "env/pyvenv.cfg": "",
        "env/lib/f.py": "x = 7\n",
        "report (1).csv": "a,b\n",
    }.items():
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
        (workspace / path).write_text(text)
    (workspace / "link.py").symlink_to("a.py")
    (workspace / "linked").symlink_to("src")
    (workspace / "dangling").symlink_to("nowhere")
    return workspace


async def test_ls_names_kinds_and_sizes_in_order(tree: Path, call: Call) -> None:
    os.mkfifo(tree / "pipe")
    os.utime(tree / "a.py", (0, 1_700_000_000))
    result = await call(ls)
    assert [(each["name"], each["kind"]) for each in result.value] == [
        (".git", "folder"), (".hidden", "folder"), ("a.py", "file"), ("dangling", "link"),
        ("env", "folder"), ("link.py", "link"), ("linked", "link"), ("node_modules", "folder"),
        ("pipe", "named pipe"), ("report (1).csv", "file"), ("src", "folder"),
    ]  # fmt: skip
    assert result.value[2] == {
        "name": "a.py", "kind": "file", "size": 16, "modified": "2023-11-14T22:13:20Z",
    }  # fmt: skip
    assert result.text == (
        ".git/\n.hidden/\na.py  16 bytes\ndangling -> nowhere\nenv/\nlink.py -> a.py\n"
        "linked -> src\nnode_modules/\npipe  named pipe\nreport (1).csv  4 bytes\nsrc/"
    )


async def test_ls_of_what_is_no_folder_is_one_sentence(tree: Path, call: Call) -> None:
    with pytest.raises(ToolFailed, match=r"^a\.py is a file; read it with `read`\.$"):
        await call(ls, path="a.py")
    with pytest.raises(ToolFailed, match=r"^There is no folder scr; did you mean src\?$"):
        await call(ls, path="scr")
    (tree / "empty").mkdir()
    assert (await call(ls, path="empty")).text == "empty is empty."


async def test_ls_gives_a_program_all_and_a_model_the_first(workspace: Path, call: Call) -> None:
    for i in range(600):
        (workspace / f"{i:03}").touch()
    result = await call(ls)
    assert len(result.value) == 600
    assert result.text is not None
    assert result.text.endswith(
        "499  0 bytes\n[100 more entries; `glob` finds some of them by name.]"
    )


async def test_a_name_that_is_not_text_is_spelled_out(workspace: Path, call: Call) -> None:
    (workspace / os.fsdecode(b"caf\xe9")).touch()
    assert (await call(ls)).value[0]["name"] == "caf\\xe9"
    assert (await call(glob, pattern="*")).value == ["caf\\xe9"]
    assert (await call(grep, pattern="x")).value == []


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("**/*.py", [".hidden/d.py", "a.py", "link.py", "src/b.py"]),
        ("*.py", ["a.py", "link.py"]),
        ("src/**", ["src/b.py", "src/deep/er/c.ts"]),
        ("src/*", ["src/b.py"]),
        ("**/*.{py,ts}", [".hidden/d.py", "a.py", "link.py", "src/b.py", "src/deep/er/c.ts"]),
        ("s?c/*.py", ["src/b.py"]),
        ("[!a]*.csv", ["report (1).csv"]),
        ("report (1).csv", ["report (1).csv"]),
        ("@(a|link).py", ["a.py", "link.py"]),
        ("*/", [".git", ".hidden", "env", "node_modules", "src"]),
        ("src/**/", ["src/deep", "src/deep/er"]),
        ("node_modules/**/*.py", ["node_modules/m/e.py"]),
        ("**/node_modules/**/*.py", ["node_modules/m/e.py"]),
        (".git/*", [".git/config"]),
        ("./src/*.py", ["src/b.py"]),
        ("src/../a.py", ["a.py"]),
        ("nowhere/*.py", []),
    ],
)
@pytest.mark.usefixtures("tree")
async def test_glob_finds_by_pattern_in_order_of_path(
    call: Call, pattern: str, expected: list[str]
) -> None:
    assert (await call(glob, pattern=pattern)).value == expected


async def test_glob_has_one_root_however_it_is_named(tree: Path, call: Call, scene: Scene) -> None:
    """rows F10."""
    expected = ["a.py", "link.py"]
    for path in ("", ".", "./", str(tree)):
        assert (await call(glob, pattern="*.py", path=path)).value == expected
    assert (await call(glob, pattern=f"{tree}/*.py")).value == expected
    below = replace(scene, files=Files(tree / "src"))
    above = await call(glob, at=below, pattern="../*.py")
    assert above.value == [str(tree.resolve() / each) for each in expected]


async def test_glob_says_what_it_passed_over(tree: Path, call: Call) -> None:
    text = (await call(glob, pattern="*.ts")).text
    assert text == "Nothing matches *.ts."
    text = (await call(glob, pattern="**/*.ts")).text
    assert text == (
        "src/deep/er/c.ts\n[Passed over: env and node_modules; name one to look inside.]"
    )


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("", "A pattern has 1 to 1,000 characters"),
        ("a/*/../b", "`.` and `..` work only at the beginning"),
        ("{1..5000}", "The pattern `{1..5000}` cannot be used"),
    ],
)
async def test_a_pattern_that_cannot_work_is_one_sentence(
    call: Call, pattern: str, sentence: str
) -> None:
    with pytest.raises(ToolFailed, match="^" + sentence.replace("{", r"\{").replace(".", r"\.")):
        await call(glob, pattern=pattern)


async def test_glob_of_a_missing_folder_names_the_one_nearby(tree: Path, call: Call) -> None:
    result = await call(glob, pattern="scr/*.py")
    assert (result.value, result.text) == (
        [],
        "Nothing matches scr/*.py.\n[There is no folder scr; did you mean src?]",
    )
    with pytest.raises(ToolFailed, match="There is no folder scr"):
        await call(glob, pattern="*.py", path="scr")


async def test_too_many_matches_are_an_error_for_a_program_not_a_short_list(
    workspace: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    for i in range(30):
        (workspace / f"{i:02}").write_text("x\n" * 3)
    monkeypatch.setattr(glob, "MOST", 20)
    with pytest.raises(ToolFailed, match=r"^More than 20 paths match"):
        await call(glob, pattern="*")
    monkeypatch.setattr(grep, "MOST", 50)
    with pytest.raises(ToolFailed, match=r"^More than 50 lines match"):
        await call(grep, pattern="x")
    assert len((await call(grep, pattern="x", limit=50)).value) == 50


async def test_grep_gives_path_line_column_and_text(tree: Path, call: Call) -> None:
    result = await call(grep, pattern=r"x = \d")
    assert result.value == [
        {"path": ".hidden/d.py", "line": 1, "column": 1, "text": "x = 4"},
        {"path": "a.py", "line": 2, "column": 1, "text": "x = 1"},
        {"path": "src/b.py", "line": 3, "column": 1, "text": "x = 2"},
        {"path": "src/deep/er/c.ts", "line": 1, "column": 5, "text": "let x = 3"},
    ]
    assert result.text is not None
    assert result.text.startswith(".hidden/d.py:1:x = 4\na.py:2:x = 1\n")


async def test_grep_does_not_search_a_file_twice_through_a_link(tree: Path, call: Call) -> None:
    assert [each["path"] for each in (await call(grep, pattern="import os")).value] == ["a.py"]


async def test_grep_keeps_to_a_glob_a_folder_or_a_file(tree: Path, call: Call) -> None:
    async def paths(**arguments: Any) -> list[str]:
        found = await call(grep, pattern="x", **arguments)
        return [each["path"] for each in found.value]

    assert await paths(glob="*.ts") == ["src/deep/er/c.ts"]
    assert await paths(glob="src/*.py") == ["src/b.py"]
    assert await paths(path="src") == ["src/b.py", "src/deep/er/c.ts"]
    assert await paths(path="src", glob="*.py") == ["src/b.py"]
    assert await paths(path="a.py") == ["a.py"]
    assert await paths(path="node_modules") == ["node_modules/m/e.py"]
    with pytest.raises(ToolFailed, match="give the folder as `path`"):
        await call(grep, pattern="x", glob="/tmp/*")
    with pytest.raises(ToolFailed, match=r"^There is no file src/q\.$"):
        await call(grep, pattern="x", path="src/q")


async def test_grep_gives_context_without_doubles(workspace: Path, call: Call) -> None:
    (workspace / "a").write_text("1\n2 x\n3\n4 x\n5\n6\n7\n8 x\n")
    result = await call(grep, pattern="x", context=1)
    assert [(each["before"], each["after"]) for each in result.value] == [
        (["1"], ["3"]), (["3"], ["5"]), (["7"], []),
    ]  # fmt: skip
    assert result.text == "a-1-1\na:2:2 x\na-3-3\na:4:4 x\na-5-5\n--\na-7-7\na:8:8 x"


async def test_grep_passes_over_binary_files_and_counts_them(workspace: Path, call: Call) -> None:
    (workspace / "a").write_bytes(b"x\0x")
    (workspace / "b").write_bytes("ünïx".encode("utf-16"))
    (workspace / "c").write_bytes(b"\xe9x")
    result = await call(grep, pattern="x")
    assert [(each["path"], each["text"]) for each in result.value] == [("b", "ünïx"), ("c", "éx")]
    assert result.text is not None
    assert result.text.endswith("[Passed over: 1 binary file.]")
    with pytest.raises(ToolFailed, match="is a binary file; open it in a cell"):
        await call(grep, pattern="x", path="a")


async def test_grep_matches_carriage_returns_cases_and_anchors_as_re_does(
    workspace: Path, call: Call
) -> None:
    (workspace / "a").write_bytes(b"Foo\r\nbar foo\r\n\r\n")
    assert len((await call(grep, pattern="foo")).value) == 1
    assert len((await call(grep, pattern="foo", ignore_case=True)).value) == 2
    assert [e["line"] for e in (await call(grep, pattern="^Foo")).value] == [1]
    assert (await call(grep, pattern="foo$")).value[0]["text"] == "bar foo"


async def test_a_long_line_is_shown_around_its_match(workspace: Path, call: Call) -> None:
    (workspace / "a").write_text("a" * 100_000 + "needle" + "b" * 100_000)
    result = await call(grep, pattern="needle")
    assert result.value[0]["column"] <= 2000
    assert len(result.value[0]["text"]) == 2000
    assert "needle" in result.value[0]["text"]
    assert result.text is not None
    assert result.text.startswith("a:1:...aaa")
    assert "needle" in result.text
    assert len(result.text) < 400


async def test_a_file_larger_than_memory_should_hold_is_searched_line_by_line(
    workspace: Path, call: Call
) -> None:
    with (workspace / "a").open("wb") as file:
        for i in range(20):
            file.write(b"x" * (1 << 20) + b"needle %d\n" % i)
            file.write(b"found %d\n" % i)
    result = await call(grep, pattern=r"^found \d+$")
    assert [each["line"] for each in result.value] == list(range(2, 41, 2))


async def test_a_model_sees_the_first_matches_and_that_there_are_more(
    workspace: Path, call: Call, native: Scene
) -> None:
    (workspace / "a").write_text("x\n" * 1000)
    text = (await call(grep, at=native, pattern="x")).text
    assert text is not None
    assert text.count("\n") == grep.SHOWN
    assert text.endswith("a:200:x\n[More lines match; use a narrower pattern, `path` or `glob`.]")
    text = (await call(grep, at=native, pattern="x", limit=3)).text
    assert text == "a:1:x\na:2:x\na:3:x\n[Stopped after 3 matches, as asked.]"


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("(", "The pattern is no regular expression: missing ), unterminated subpattern at"),
        ("(?P<a>x)(?P<a>y)", "The pattern is no regular expression: redefinition of group name"),
        ("(" * 900 + ")" * 900, "The pattern is nested too deeply."),
    ],
)
async def test_a_pattern_that_is_none_is_one_sentence(
    workspace: Path, call: Call, pattern: str, sentence: str
) -> None:
    (workspace / "a").write_text("x")
    with pytest.raises(ToolFailed) as error:
        await call(grep, pattern=pattern)
    assert error.value.sentence.startswith(sentence)


async def test_a_pattern_that_backtracks_without_end_costs_seconds_and_nothing_else(
    workspace: Path, call: Call
) -> None:
    (workspace / "a").write_text("fine\n" + "a" * 40 + "!\n")
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    ticking = asyncio.create_task(tick())
    start = time.monotonic()
    with pytest.raises(ToolFailed, match=r"takes too long in a, line 1 and after: it tries too"):
        await call(grep, pattern="(a+)+$")
    took = time.monotonic() - start
    ticking.cancel()
    assert took < 20
    assert ticks > took * 20
    assert (await call(grep, pattern="fine")).value[0]["line"] == 1


async def test_a_glob_that_backtracks_without_end_is_bounded_too(
    workspace: Path, call: Call
) -> None:
    (workspace / ("a" * 60)).touch()
    with pytest.raises(ToolFailed, match=r"^The pattern takes too long"):
        await call(glob, pattern="*(*a)*(*a)*(*a)b")


async def test_a_search_takes_no_longer_than_its_bound(
    workspace: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / "a").write_text("a" * 40 + "!\n")
    monkeypatch.setattr(search, "SEARCH_S", 0.3)
    with pytest.raises(ToolFailed, match=r"^The search took more than 0\.3 s and was ended"):
        await call(grep, pattern="(a+)+$")
    assert search._idle == []


async def test_a_cancelled_search_ends_its_process(workspace: Path, call: Call) -> None:
    (workspace / "a").write_text("a" * 40 + "!\n")
    task = asyncio.create_task(call(grep, pattern="(a+)+$"))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    for _ in range(50):
        if not search._idle:
            break
        await asyncio.sleep(0.05)
    assert search._idle == []


@pytest.mark.bench
async def test_a_thousand_listings_at_once_are_quick(tree: Path, call: Call) -> None:
    before = os.times()
    results = await asyncio.gather(*(call(ls) for _ in range(1000)))
    after = os.times()
    assert len(results) == 1000
    assert after.user + after.system - before.user - before.system < 1.5
