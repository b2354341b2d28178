"""What no front end should send and no cell should print: the channels outlive it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from keelbook.jupyter.packing import pack, unpack
from tests.jupyter.driving import Driven

HALF = "\ud83d"


def test_half_a_pair_is_written_as_its_escape_both_ways() -> None:
    """guest B11"""
    assert json.loads(pack({HALF: [f"a{HALF}", "😀"]})) == {r"\ud83d": [r"a\ud83d", "😀"]}
    assert unpack(b"{\"code\": \"x = '\\ud83d' + '\\ud83d\\ude00'\"}") == {
        "code": "x = '\\ud83d' + '😀'"
    }


@pytest.mark.parametrize(
    "code",
    [
        r"""display({"text/plain": "\ud83d"}, raw=True)""",
        r"""display("x", display_id="\ud83d")""",
        'class Odd:\n    def __repr__(self): return "\\ud83d"\nOdd()',
        r"""raise ValueError("\ud83d")""",
    ],
)
def test_a_cell_with_half_a_pair_is_answered_and_so_is_the_next(kernel: Driven, code: str) -> None:
    """guest B11"""
    assert kernel.run(code).status in ("ok", "error")
    assert kernel.run("1 + 1").reply["status"] == "ok"


@pytest.mark.parametrize("channel", ["shell", "control"])
@pytest.mark.parametrize(
    ("kind", "content"),
    [("execute_request", []), ("execute_request", None), ({"a": 1}, {}), (["x"], {}), (7, {})],
)
def test_a_message_of_the_wrong_shape_does_not_end_its_channel(
    kernel: Driven, channel: str, kind: Any, content: Any
) -> None:
    """Bad input: it is dropped, and the next message on that channel is answered."""
    sent_raw(kernel, channel, {"msg_type": kind}, content)
    if channel == "control":
        assert kernel.control("kernel_info_request")["status"] == "ok"
    else:
        assert kernel.reply(kernel.ask("kernel_info_request", {}))["status"] == "ok"


@pytest.mark.parametrize("code", [f"a = '{HALF}'; len(a)", f"%nothing{HALF}", f"{HALF}?"])
def test_code_that_an_editor_cut_inside_an_emoji_is_answered(kernel: Driven, code: str) -> None:
    """guest B11: `JSON.stringify` sends half a pair as its escape."""
    sent = sent_raw(
        kernel, "shell", {"msg_type": "execute_request", "username": HALF}, {"code": code}
    )
    assert kernel.settled(sent).status in ("ok", "error")
    assert kernel.run("1 + 1").status == "ok"


def sent_raw(kernel: Driven, channel: str, header: dict[str, Any], content: Any) -> str:
    """Sends a signed message past the client's own checks; its id."""
    session = kernel.client.session
    whole = {**session.msg_header("x"), "date": "2024-01-01T00:00:00Z", **header}
    frames = [json.dumps(each).encode() for each in (whole, {}, {}, content)]
    socket = getattr(kernel.client, f"{channel}_channel").socket
    socket.send_multipart([b"<IDS|MSG>", session.sign(frames), *frames])
    return str(whole["msg_id"])
