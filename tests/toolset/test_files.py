"""The one door to the file system: its fixed rules, and links that move meanwhile."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from keelbook.errors import Refused, ToolFailed
from keelbook.files import Access, Files, private_places
from keelbook.tool import Scene
from keelbook.toolset import disk, edit, glob, grep, ls, read, write
from tests.toolset.conftest import Call


async def test_nothing_is_written_outside_the_workspace(
    tmp_path: Path, workspace: Path, call: Call
) -> None:
    (workspace / "out").symlink_to(tmp_path)
    for path in ("../x", str(tmp_path / "x"), "out/x", "a/../../x"):
        with pytest.raises(Refused, match="is not allowed here: it is outside"):
            await call(write, path=path, content="x")
    assert not (tmp_path / "x").exists()


async def test_a_granted_folder_is_written_to(tmp_path: Path, scene: Scene, call: Call) -> None:
    (tmp_path / "scratch").mkdir()
    granted = replace(scene, files=Files(scene.files.root, (tmp_path / "scratch",)))
    await call(write, at=granted, path=str(tmp_path / "scratch" / "x"), content="x")
    assert (tmp_path / "scratch" / "x").read_text() == "x"


async def test_keys_and_the_hosts_own_records_are_not_read(
    tmp_path: Path, scene: Scene, call: Call
) -> None:
    """guest H10, H14: what cells may not read, tools do not hand over."""
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id").write_text("secret")
    (home / ".sshx").write_text("fine")
    files = Files(home, private=private_places(home, {}))
    at = replace(scene, files=files)
    for path in (".ssh/id", "x/../.ssh/id", f"/proc/{os.getpid()}/environ", "/proc/self/environ"):
        with pytest.raises(Refused, match="keys or the records of sessions"):
            await call(read, at=at, path=path)
    assert (await call(read, at=at, path=".sshx")).value == "fine"
    assert [each["name"] for each in (await call(ls, at=at)).value] == [".sshx"]
    assert (await call(glob, at=at, pattern="**/*")).value == [".sshx"]
    assert (await call(grep, at=at, pattern="e")).value == [
        {"path": ".sshx", "line": 1, "column": 4, "text": "fine"}
    ]


async def test_a_workspace_inside_a_private_place_is_open_and_so_is_what_is_granted(
    tmp_path: Path,
) -> None:
    private = tmp_path / "private"
    (private / "work").mkdir(parents=True)
    files = Files(private / "work", private=(private,), readable=(private / "spill",))
    assert not files.is_private(private / "work" / "x")
    assert not files.is_private(private / "spill" / "x")
    assert files.is_private(private / "log")
    assert not files.is_private(tmp_path)


async def test_a_rule_hides_entries_without_a_trace_and_is_not_entered(
    workspace: Path, scene: Scene, call: Call
) -> None:
    """rows F9: denied entries are absent from ls, glob and grep."""
    asked: list[Access] = []

    async def judge(access: Access) -> None:
        asked.append(access)
        if "secret" in access.resolved.parts or "secret" in access.literal.parts:
            raise Refused("no", "path-denied")

    (workspace / "secret").mkdir()
    (workspace / "secret" / "key").write_text("here")
    (workspace / "open").write_text("here")
    (workspace / "link").symlink_to("secret/key")
    at = replace(scene, files=replace(scene.files, judge=judge))
    assert [each["name"] for each in (await call(ls, at=at)).value] == ["open"]
    assert (await call(glob, at=at, pattern="**")).value == ["open"]
    assert (await call(glob, at=at, pattern="**")).text == "open"
    found = await call(grep, at=at, pattern="here")
    assert (found.value[0]["path"], len(found.value)) == ("open", 1)
    with pytest.raises(ToolFailed, match=r"^There is no file secre\.$"):
        await call(read, at=at, path="secre")
    assert not any("key" in access.literal.parts for access in asked)
    assert {access.asks for access in asked if access.given == "." and access.tool == "ls"} == {
        True,
        False,
    }
    assert {each.operation for each in asked} == {"read"}


async def test_both_forms_of_a_path_are_judged(workspace: Path, scene: Scene, call: Call) -> None:
    """rows F3."""
    seen: list[tuple[Path, Path]] = []

    async def judge(access: Access) -> None:
        seen.append((access.literal, access.resolved))

    (workspace / "real").mkdir()
    (workspace / "link").symlink_to("real")
    (workspace / "real" / "f").write_text("x")
    at = replace(scene, files=replace(scene.files, judge=judge))
    await call(read, at=at, path="./link/../link/f")
    real = Path(os.path.realpath(workspace))
    assert seen == [(workspace / "link" / "f", real / "real" / "f")]


@pytest.mark.parametrize("tool", ["read", "edit", "write"])
async def test_a_link_put_in_the_way_after_the_judgement_is_not_followed(
    tmp_path: Path, workspace: Path, scene: Scene, call: Call, tool: str
) -> None:
    """rows F6: what is opened is the resolved path."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f").write_text("secret")
    (workspace / "dir").mkdir()
    (workspace / "dir" / "f").write_text("mine")

    async def swap(access: Access) -> None:
        (workspace / "dir").rename(workspace / "moved")
        (workspace / "dir").symlink_to(outside)

    at = replace(scene, files=replace(scene.files, judge=swap))
    calls: dict[str, dict[str, Any]] = {
        "read": {"module": read},
        "edit": {"module": edit, "old": "secret", "new": "x"},
        "write": {"module": write, "content": "x", "overwrite": True},
    }
    arguments = calls[tool]
    module = arguments.pop("module")
    with pytest.raises(Refused) as error:
        await call(module, at=at, path="dir/f", **arguments)
    assert error.value.code == "path-changed"
    assert (outside / "f").read_text() == "secret"
    assert sorted(os.listdir(outside)) == ["f"]


async def test_a_last_part_that_became_a_link_is_not_followed(
    tmp_path: Path, workspace: Path, scene: Scene, call: Call
) -> None:
    """rows F6."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (workspace / "f").write_text("mine")

    async def swap(access: Access) -> None:
        (workspace / "f").unlink()
        (workspace / "f").symlink_to(secret)

    at = replace(scene, files=replace(scene.files, judge=swap))
    with pytest.raises(Refused) as error:
        await call(read, at=at, path="f")
    assert error.value.code == "path-changed"
    (workspace / "f").unlink()
    (workspace / "f").write_text("mine")
    with pytest.raises(ToolFailed, match="is a link; it is not written to"):
        await call(write, at=at, path="f", content="x", overwrite=True)
    assert secret.read_text() == "secret"


def test_a_folder_swapped_all_the_time_never_leads_outside(tmp_path: Path) -> None:
    """rows F6: under a race every read is of the judged file or none."""
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder, text in ((inside, b"mine"), (outside, b"secret")):
        folder.mkdir()
        (folder / "f").write_bytes(text)
    place = tmp_path / "dir"
    place.symlink_to(outside)
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            for target in ("in", "out"):
                if target == "in":
                    place.unlink()
                    inside.rename(place)
                    place.rename(inside)
                    place.symlink_to(outside)

    swapper = threading.Thread(target=swap)
    swapper.start()
    read_ok = refused = 0
    try:
        for _ in range(3000):
            try:
                with disk.reading(place / "f") as (fd, _):
                    assert os.read(fd, 10) == b"mine"
                    read_ok += 1
            except (OSError, Refused):
                refused += 1
    finally:
        done.set()
        swapper.join()
    assert refused > 0
