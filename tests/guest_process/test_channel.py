"""The channel against a peer that does what it likes (guest section 2, D5, G5, G12)."""

from __future__ import annotations

import array
import asyncio
import fcntl
import json
import os
import socket
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from keelbook.guest_process.channel import Channel
from keelbook.guest_process.decoding import Frame
from keelbook.guest_process.payloads import put
from keelbook.guest_process.settings import Limits


class Line:
    """A channel and the other end of its socket."""

    def __init__(self, limits: Limits) -> None:
        ours, self.peer = socket.socketpair()
        self.frames: list[Frame] = []
        self.bad: list[str] = []
        self.end = ""
        self.channel = Channel(
            ours,
            limits,
            self.frames.append,
            lambda _line, why: self.bad.append(why),
            lambda why: setattr(self, "end", why),
        )

    async def say(self, *frames: Any, fds: Sequence[int] = (), raw: bytes | None = None) -> None:
        data = b"".join(json.dumps(each).encode() + b"\n" for each in frames)
        data = data if raw is None else raw
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))
        self.peer.sendmsg([data], [rights] if fds else [])
        for fd in fds:
            os.close(fd)
        await asyncio.sleep(0.02)

    async def hear(self) -> Any:
        return json.loads(await asyncio.to_thread(self.peer.recv, 1 << 20))


@pytest.fixture
async def line() -> AsyncIterator[Line]:
    made = Line(Limits())
    yield made
    made.channel.close()
    made.peer.close()


PONG = {"t": "pong", "run": None, "id": 1, "busy": None}


def fds_open() -> int:
    return len(os.listdir("/proc/self/fd"))


def display(data: bytes, **changes: Any) -> dict[str, Any]:
    entry = {"at": "/data", "bytes": len(data), "form": "json", **changes}
    frame: Frame = {"t": "display", "run": None, "op": "show", "data": None, "metadata": {}}
    return {**frame, "late": False, "payloads": [entry]}


BUNDLE = json.dumps({"text/plain": "x" * 300_000}).encode()


async def test_frames_arrive_in_order_however_they_are_cut(line: Line) -> None:
    text = b"".join(json.dumps({**PONG, "id": n}).encode() + b"\n" for n in range(50))
    for at in range(0, len(text), 7):
        line.peer.sendall(text[at : at + 7])
        await asyncio.sleep(0)
    await asyncio.sleep(0.02)
    assert [frame["id"] for frame in line.frames] == list(range(50))


async def test_a_damaged_line_costs_itself_only(line: Line) -> None:
    """guest G5, G6"""
    await line.say(raw=b"garbage" * 1000)
    await line.say(PONG, PONG)
    assert len(line.frames) == 1
    assert line.channel.decoder.dropped == 1


async def test_a_line_without_an_end_closes_the_channel(line: Line) -> None:
    """guest D5"""
    flood = asyncio.create_task(asyncio.to_thread(_flood, line.peer))
    await flood
    await asyncio.sleep(0.05)
    assert line.end == "overlong"
    assert not line.channel.open


def _flood(peer: socket.socket) -> None:
    try:
        for _ in range(64):
            peer.sendall(b"x" * 1024 * 1024)
    except OSError:
        return


async def test_a_sealed_payload_is_put_in_its_place(line: Line) -> None:
    before = fds_open()
    await line.say(display(BUNDLE), fds=[put(BUNDLE)])
    assert line.frames[0]["data"] == json.loads(BUNDLE)
    assert "payloads" not in line.frames[0]
    assert fds_open() == before


async def test_a_payload_is_found_behind_earlier_lines_of_one_read(line: Line) -> None:
    line.peer.sendall((json.dumps(PONG) + "\n").encode() * 3)
    await line.say(display(BUNDLE), PONG, fds=[put(BUNDLE)])
    assert [frame["t"] for frame in line.frames] == ["pong"] * 3 + ["display", "pong"]


async def test_buffers_of_a_comm_are_payloads_each(line: Line) -> None:
    frame: Frame = {
        "t": "comm",
        "run": None,
        "op": "msg",
        "comm": "c",
        "data": {},
        "metadata": {},
        "buffers": [None, None],
        "payloads": [
            {"at": "/buffers/0", "bytes": 3, "form": "bytes"},
            {"at": "/buffers/1", "bytes": 0, "form": "bytes"},
        ],
    }
    await line.say(frame, fds=[put(b"abc"), put(b"")])
    assert line.frames[0]["buffers"] == [b"abc", b""]


def _fifo(tmp: Path) -> int:
    os.mkfifo(tmp / "fifo")
    return os.open(tmp / "fifo", os.O_RDWR)


def _folder(tmp: Path) -> int:
    return os.open(tmp, os.O_RDONLY)


def _unsealed(_tmp: Path) -> int:
    fd = os.memfd_create("x", os.MFD_ALLOW_SEALING)
    os.write(fd, BUNDLE)
    return fd


def _half_sealed(tmp: Path) -> int:
    fd = _unsealed(tmp)
    fcntl.fcntl(fd, 1033, 0x2 | 0x4)
    return fd


def _file(tmp: Path) -> int:
    (tmp / "file").write_bytes(BUNDLE)
    return os.open(tmp / "file", os.O_RDONLY)


def _shorter(_tmp: Path) -> int:
    return put(BUNDLE[:-1])


def _longer(_tmp: Path) -> int:
    return put(BUNDLE + b" ")


@pytest.mark.parametrize("bad", [_fifo, _folder, _unsealed, _half_sealed, _file, _shorter, _longer])
async def test_a_descriptor_that_is_not_what_it_should_be_is_closed(
    line: Line, tmp_path: Path, bad: Any
) -> None:
    """guest G12"""
    before = fds_open()
    await line.say(display(BUNDLE), PONG, fds=[bad(tmp_path)])
    assert [frame["t"] for frame in line.frames] == ["pong"]
    assert len(line.bad) == 1
    assert fds_open() == before


@pytest.mark.parametrize(
    "frame",
    [
        display(BUNDLE, at="/op"),
        display(BUNDLE, at="/data/text~1plain"),
        display(BUNDLE, at="data"),
        display(BUNDLE, form="bytes"),
        display(BUNDLE, form="text"),
        display(BUNDLE, bytes=-1),
        {**display(BUNDLE), "data": {}},
        {**display(BUNDLE), "payloads": []},
        {**display(BUNDLE), "payloads": display(BUNDLE)["payloads"] * 2},
        {**PONG, "payloads": display(BUNDLE)["payloads"]},
        {**display(b"")},
    ],
)
async def test_a_payload_in_a_wrong_place_costs_the_frame(
    line: Line, frame: dict[str, Any]
) -> None:
    """guest G12"""
    before = fds_open()
    await line.say(frame, fds=[put(BUNDLE)])
    await line.say({**PONG, "id": 2})
    assert [each["t"] for each in line.frames if each["t"] == "display"] == []
    assert line.frames[-1]["id"] == 2
    assert fds_open() == before


async def test_a_payload_that_is_no_json_or_no_bundle_costs_the_frame(line: Line) -> None:
    """guest G12, R12"""
    for data in (b"{", b"[1]", b"NaN", b"[" * 5000 + b"]" * 5000):
        await line.say(display(data), fds=[put(data)])
    assert line.frames == []
    assert line.channel.decoder.dropped == 4


async def test_unclaimed_descriptors_are_closed_and_do_not_shift_later_ones(line: Line) -> None:
    """guest G12"""
    before = fds_open()
    await line.say(PONG, fds=[put(b"stray"), put(b"stray")])
    assert fds_open() == before
    await line.say(raw=b'{"t":"display", no json\n', fds=[put(b"stray")])
    await line.say(display(BUNDLE), fds=[put(BUNDLE)])
    assert [frame["t"] for frame in line.frames] == ["pong", "display"]
    assert fds_open() == before


async def test_too_many_descriptors_are_closed_without_a_hang(line: Line) -> None:
    """guest G12"""
    before = fds_open()
    await line.say(PONG, fds=[put(b"x") for _ in range(40)])
    for _ in range(100):
        await line.say(raw=b"x", fds=[put(b"x") for _ in range(8)])
        assert fds_open() - before < 100
    await line.say(raw=b"\n")
    await line.say({**PONG, "id": 3})
    assert line.frames[-1]["id"] == 3
    assert fds_open() == before


async def test_a_large_value_leaves_as_a_sealed_descriptor(line: Line) -> None:
    before = fds_open()
    assert line.channel.send(
        {"t": "reply", "run": "r", "id": 1, "ok": True, "value": "é" * 200_000}
    )
    data, control, _, _ = line.peer.recvmsg(1 << 16, 1024)
    frame = json.loads(data)
    fd = array.array("i", control[0][2])[0]
    assert frame["value"] is None
    assert frame["payloads"] == [{"at": "/value", "bytes": 400_000, "form": "text"}]
    assert os.pread(fd, 400_001, 0) == ("é" * 200_000).encode()
    with pytest.raises(PermissionError):
        os.write(fd, b"x")
    os.close(fd)
    assert fds_open() == before


async def test_a_peer_that_does_not_read_never_blocks_the_loop(line: Line) -> None:
    """guest C13"""
    reply = {"t": "reply", "run": "r", "id": 1, "ok": True, "value": "x" * 200_000}
    before = asyncio.get_running_loop().time()
    for _ in range(40):
        line.channel.send(reply)
    assert asyncio.get_running_loop().time() - before < 1
    received = 0
    while received < 40 * 200_000:
        received += len(await asyncio.to_thread(line.peer.recv, 1 << 20))
        await asyncio.sleep(0)


async def test_a_frame_that_is_too_long_is_not_sent(line: Line) -> None:
    assert not line.channel.send({"t": "complete", "run": None, "id": 1, "code": "x" * 2_000_000})
    assert line.channel.send({"t": "ping", "run": None, "id": 1})
    assert (await line.hear())["t"] == "ping"


async def test_a_peer_that_goes_away_is_noticed_once(line: Line) -> None:
    line.peer.close()
    await asyncio.sleep(0.02)
    assert line.end == "closed"
    assert not line.channel.send({"t": "ping", "run": None, "id": 1})
