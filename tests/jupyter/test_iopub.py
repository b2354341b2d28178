"""What is merged, left out or kept on its way to front ends (guest B27, G16)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import zmq
from jupyter_client.session import Session

from keelbook.jupyter.iopub import BURST, ROOM, IOPub

CELL: dict[str, Any] = {"header": {"msg_id": "cell"}}
OTHER: dict[str, Any] = {"header": {"msg_id": "other"}}


class Heard:
    """A subscriber on a real socket."""

    def __init__(self, iopub: IOPub, socket: zmq.Socket[bytes], session: Session) -> None:
        self.iopub = iopub
        self._socket = socket
        self._session = session

    def all(self) -> list[dict[str, Any]]:
        """Everything published so far that a test published."""
        self.iopub.flush()
        found = []
        while self._socket.poll(100):
            _, frames = self._session.feed_identities(self._socket.recv_multipart())
            found.append(self._session.deserialize(frames))
        return [each for each in found if each["msg_type"] not in ("iopub_welcome", "filler")]


@pytest.fixture
async def heard() -> Any:
    """An iopub channel on which something waits already, so that nothing goes out at once."""
    context = zmq.Context()
    publisher, subscriber = context.socket(zmq.XPUB), context.socket(zmq.SUB)
    port = publisher.bind_to_random_port("tcp://127.0.0.1")
    session = Session(key=b"key")
    iopub = IOPub(session, publisher, "test")
    subscriber.connect(f"tcp://127.0.0.1:{port}")
    subscriber.subscribe(b"")
    publisher.poll(1000)
    heard = Heard(iopub, subscriber, session)
    heard.all()
    for _ in range(2 * BURST):
        iopub.send("filler", {}, {})
    yield heard
    iopub.close()
    context.destroy(linger=0)


def texts(messages: list[dict[str, Any]]) -> Iterator[str]:
    """Each message in a word or two."""
    for each in messages:
        content = each["content"]
        data = content.get("data", {}).get("text/plain", "")
        yield f"{each['msg_type']} {content.get('text', data)}".strip()


async def test_text_of_one_stream_joins_and_streams_keep_their_order(heard: Heard) -> None:
    """guest B2"""
    for name, text in (("stdout", "a"), ("stdout", "b"), ("stderr", "c"), ("stdout", "d")):
        heard.iopub.stream(name, text, CELL)
    assert list(texts(heard.all())) == ["stream ab", "stream c", "stream d"]


async def test_text_of_two_cells_never_joins(heard: Heard) -> None:
    """guest B6"""
    heard.iopub.stream("stdout", "a", CELL)
    heard.iopub.stream("stdout", "b", OTHER)
    assert [m["parent_header"]["msg_id"] for m in heard.all()] == ["cell", "other"]


async def test_an_update_is_merged_into_what_still_waits(heard: Heard) -> None:
    """guest B27"""
    show = heard.iopub.display
    show("display_data", {"text/plain": "1", "text/html": "<p>"}, {}, CELL, display_id="d")
    heard.iopub.stream("stdout", "between", CELL)
    show("update_display_data", {"text/plain": "2"}, {}, CELL, display_id="d")
    messages = heard.all()
    assert list(texts(messages)) == ["display_data 2", "stream between"]
    assert messages[0]["content"]["data"] == {"text/plain": "2"}


async def test_what_a_clear_output_wipes_is_not_sent_once_output_follows(heard: Heard) -> None:
    """guest G16"""
    for number in range(50):
        heard.iopub.clear(True, CELL)
        heard.iopub.stream("stdout", str(number), CELL)
    heard.iopub.stream("stdout", "theirs", OTHER)
    assert list(texts(heard.all()))[-3:] == ["clear_output", "stream 49", "stream theirs"]


async def test_a_clear_output_with_nothing_after_it_wipes_nothing_here(heard: Heard) -> None:
    """guest B27: with wait, the old output stays until the next."""
    heard.iopub.stream("stdout", "last", CELL)
    heard.iopub.clear(True, CELL)
    assert list(texts(heard.all())) == ["stream last", "clear_output"]


async def test_displays_past_the_room_are_left_out_with_a_notice_and_cards_are_not(
    heard: Heard,
) -> None:
    """guest G16"""
    for number in range(ROOM + 300):
        heard.iopub.display("display_data", {"text/plain": str(number)}, {}, CELL)
    heard.iopub.display("display_data", {"text/plain": "card"}, {}, CELL, kept=True)
    for _ in range(100):
        heard.iopub.stream("stdout", "x", CELL)
        heard.iopub.stream("stderr", "y", CELL)
    found = list(texts(heard.all()))
    assert "display_data card" in found
    assert "stream " + "x" * 100 in found
    assert any("displays left out" in each for each in found)
    assert sum(each.startswith("display_data") for each in found) < ROOM + 300


async def test_a_status_goes_out_after_everything_before_it(heard: Heard) -> None:
    """guest J3"""
    heard.iopub.stream("stdout", "a", CELL)
    heard.iopub.status("idle", CELL)
    assert [m["msg_type"] for m in heard.all()] == ["stream", "status"]
