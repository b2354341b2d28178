"""Comms: mirrored in the host, passed through to the guest (guest J15, B30)."""

from __future__ import annotations

from typing import Any

from tests.jupyter.driving import Driven

TARGET = """
import comm
got = []
def opened(c, message):
    got.append(('open', message['content']['data']))
    def heard(m):
        got.append(('msg', m['content']['data'], [bytes(b) for b in m['buffers']]))
        c.send({'echo': m['content']['data']}, buffers=[b'back'])
    c.on_msg(heard)
comm.get_comm_manager().register_target('keel.test', opened)
"""


def send(kernel: Driven, kind: str, content: dict[str, Any], buffers: list[bytes]) -> str:
    """A comm message as a front end sends it; its id."""
    message = kernel.client.session.send(
        kernel.client.shell_channel.socket,
        kind,
        content,
        buffers=buffers,
    )
    assert message is not None
    return str(message["header"]["msg_id"])


def is_comm(message: dict[str, Any]) -> bool:
    """Whether a broadcast is a comm message."""
    return str(message["msg_type"]).startswith("comm_")


def test_messages_pass_both_ways_with_their_buffers(own: Driven) -> None:
    """guest J15, B30"""
    own.ok(TARGET)
    send(own, "comm_open", {"comm_id": "c1", "target_name": "keel.test", "data": {"a": 1}}, [])
    send(own, "comm_msg", {"comm_id": "c1", "data": {"b": 2}}, [b"\x00raw"])
    echo = own.until(is_comm)
    assert echo["msg_type"] == "comm_msg"
    assert echo["content"]["data"] == {"echo": {"b": 2}}
    assert [bytes(each) for each in echo["buffers"]] == [b"back"]
    assert own.ok("got").result == "[('open', {'a': 1}), ('msg', {'b': 2}, [b'\\x00raw'])]"


def test_comm_info_is_answered_from_the_mirror_while_a_cell_runs(own: Driven) -> None:
    """guest J15, J2"""
    own.ok("import comm\nc = comm.create_comm(target_name='keel.made', data={})")
    cell = own.send("import time; time.sleep(3)")
    own.until(lambda m: m["msg_type"] == "execute_input")
    for target, expected in ((None, 1), ("keel.made", 1), ("other", 0)):
        content = {} if target is None else {"target_name": target}
        reply = own.reply(own.ask("comm_info_request", content))
        assert len(reply["comms"]) == expected
    own.control("interrupt_request")
    own.settled(cell)


def test_messages_during_a_spin_wait_in_order(own: Driven) -> None:
    """guest J15"""
    own.ok(TARGET)
    cell = own.send("import time; time.sleep(1); got.clear()")
    own.until(lambda m: m["msg_type"] == "execute_input")
    send(own, "comm_open", {"comm_id": "c2", "target_name": "keel.test", "data": {}}, [])
    for number in range(3):
        send(own, "comm_msg", {"comm_id": "c2", "data": {"n": number}}, [])
    own.settled(cell)
    for _ in range(3):
        own.until(is_comm)
    assert own.ok("[entry[1] for entry in got]").result == "[{}, {'n': 0}, {'n': 1}, {'n': 2}]"


def test_the_guests_death_closes_its_comms(own: Driven) -> None:
    """guest J15"""
    own.ok("import comm\nc = comm.create_comm(target_name='keel.made', data={})")
    sent = own.send("import os; os._exit(1)")
    closed = own.until(lambda m: m["msg_type"] == "comm_close")
    assert closed["content"]["comm_id"]
    own.reply(sent)
    assert own.reply(own.ask("comm_info_request", {}))["comms"] == {}


def test_a_message_for_a_comm_that_is_not_open_goes_nowhere(own: Driven) -> None:
    """Bad input."""
    send(own, "comm_msg", {"comm_id": "nowhere", "data": {}}, [])
    assert own.ok("1").result == "1"
