"""The surface: order, replacement, undo, and a request whose calls are all answered."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keelbook.archive import Archive
from keelbook.errors import Refused
from keelbook.events import Event, Logged, NodeRef, SurfaceReplaced, TurnEnded
from keelbook.log import Log
from keelbook.messages import AssistantTurn, Call, Message, Text, ToolAnswer, text_of
from keelbook.surface import (
    FOLD,
    INTERRUPTED,
    Surface,
    check,
    messages,
    nodes,
    paired,
    unanswered,
)
from tests.log.samples import answer, asked, replaced, reply, words


def shown(log: Log) -> list[str]:
    """The surface in short: each message's words."""
    return [said(node.message) for node in nodes(log)]


def said(message: Message) -> str:
    """One message in short."""
    return message.text if isinstance(message, AssistantTurn) else text_of(message.blocks)


def test_messages_stand_in_the_order_they_were_logged(log: Log) -> None:
    log.append(asked("first"), reply("hello"), asked("second"))
    assert shown(log) == ["first", "hello", "second"]
    assert [node.id for node in nodes(log)] == ["2.0", "3.0", "4.0"]
    assert [node.seq for node in nodes(log)] == [2, 3, 4]


@pytest.mark.parametrize("order", list(permutations("abc")))
def test_results_stand_in_call_order_whatever_order_they_came_in(
    log: Log, order: tuple[str, ...]
) -> None:
    log.append(asked("go"), reply("calling", ("a", "b", "c")))
    log.append(asked("meanwhile"))
    for call in order:
        log.append(answer(call))
    assert shown(log) == [
        "go", "calling", "result of a", "result of b", "result of c", "meanwhile",
    ]  # fmt: skip


def test_a_result_of_a_call_made_by_a_cell_is_not_on_the_surface(log: Log) -> None:
    log.append(reply("calling", ("a",)), answer("x", parent="a"), answer("a"))
    assert shown(log) == ["calling", "result of a"]


def test_a_replacement_stands_where_the_first_cited_node_stood(log: Log) -> None:
    log.append(asked("1"), asked("2"), asked("3"), asked("4"))
    log.append(replaced(("4.0", "3.0"), words("2 and 3", "sample"), words("more", "sample")))
    assert shown(log) == ["1", "2 and 3", "more", "4"]
    assert [node.id for node in nodes(log)] == ["2.0", "6.0", "6.1", "5.0"]


def test_an_undo_puts_the_originals_back_and_keeps_what_came_after(
    log: Log, archive: Archive
) -> None:
    log.append(asked("1"), asked("2"), asked("3"))
    log.append(replaced(("2.0", "3.0"), words("summary", "sample")))
    log.append(asked("later"))
    undo = SurfaceReplaced(
        by="sample", cites=("5.0",), nodes=(NodeRef(node="2.0"), NodeRef(node="3.0"))
    )
    check(log, undo)
    log.append(undo)
    assert shown(log) == ["1", "2", "3", "later"]
    log.close()
    with archive.read("one") as again:
        assert shown(again) == ["1", "2", "3", "later"]


def test_a_replacement_can_itself_be_put_back(log: Log) -> None:
    log.append(asked("1"), asked("2"))
    log.append(replaced(("2.0", "3.0"), words("sum", "sample")))
    log.append(replaced(("4.0",), words("sum of sum", "sample")))
    again = SurfaceReplaced(by="sample", cites=("5.0",), nodes=(NodeRef(node="4.0"),))
    check(log, again)
    log.append(again)
    assert shown(log) == ["sum"]


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (replaced(("9.0",), words("x")), "`9.0` is not on it"),
        (replaced(("2.0", "1.0"), words("x")), "`1.0` is not on it"),
        (replaced(("2.1",), words("x")), "`2.1` is not on it"),
        (replaced((), words("x")), "nothing is cited"),
    ],
)
def test_citing_what_is_not_on_the_surface_is_refused(
    log: Log, event: SurfaceReplaced, why: str
) -> None:
    log.append(asked("1"))
    with pytest.raises(Refused) as found:
        check(log, event)
    assert found.value.sentence == (
        f"The conversation changed meanwhile ({why}); it was left as it is."
    )
    assert found.value.code == "changed"


@pytest.mark.parametrize("node", ["1.0", "3.0", "2.7", "999.0", "x", "4.1", "²3.0"])
def test_only_what_once_stood_on_the_surface_can_be_put_back(log: Log, node: str) -> None:
    log.append(asked("1"), asked("2"))
    log.append(replaced(("2.0",), words("short", "sample")))
    check(log, SurfaceReplaced(by="s", cites=("4.0",), nodes=(NodeRef(node="2.0"),)))
    with pytest.raises(Refused, match="cannot be put back into the conversation"):
        check(log, SurfaceReplaced(by="s", cites=("4.0",), nodes=(NodeRef(node=node),)))


def test_a_node_is_not_put_back_twice(log: Log) -> None:
    log.append(asked("1"))
    log.append(replaced(("2.0",), words("short", "sample")))
    ref = NodeRef(node="2.0")
    with pytest.raises(Refused, match=r"`2\.0` cannot be put back"):
        check(log, SurfaceReplaced(by="s", cites=("3.0",), nodes=(ref, ref)))


def test_a_caller_that_was_shortened_still_gets_its_results(log: Log) -> None:
    log.append(reply("calling", ("a", "b")), answer("b"))
    elided = reply("shorter", ("a", "b")).message
    log.append(replaced(("2.0",), elided), asked("after"))
    log.append(answer("a"))
    assert shown(log) == ["shorter", "result of a", "result of b", "after"]
    assert unanswered(log) == ()


def test_a_sibling_result_that_was_shortened_keeps_its_place(log: Log) -> None:
    log.append(reply("calling", ("a", "b")), asked("between"), answer("a"))
    preview = ToolAnswer(call="a", tool="read", blocks=(Text(text="preview"),))
    log.append(replaced(("4.0",), preview))
    log.append(answer("b"))
    assert shown(log) == ["calling", "preview", "result of b", "between"]


def test_open_calls_are_listed_for_the_repair_of_a_session(log: Log) -> None:
    log.append(reply("calling", ("a", "b", "c")), answer("b"))
    assert [(call.id, node) for call, node in unanswered(log)] == [("a", "2.0"), ("c", "2.0")]
    log.append(answer("a"), answer("c"))
    assert unanswered(log) == ()
    assert log.fold(FOLD).waiting == ()


def test_a_call_nobody_answered_gets_an_answer_in_the_request_only(log: Log) -> None:
    log.append(reply("calling", ("a", "b")), answer("b"), TurnEnded(turn=1, kind="aborted"))
    log.append(asked("go on"))
    sent = messages(log)
    assert [said(each) for each in sent] == ["calling", INTERRUPTED, "result of b", "go on"]
    assert isinstance(sent[1], ToolAnswer)
    assert (sent[1].call, sent[1].is_error) == ("a", True)
    assert shown(log) == ["calling", "result of b", "go on"]


def test_a_repair_that_was_logged_is_not_made_up_again(log: Log) -> None:
    log.append(reply("calling", ("a",)))
    log.append(answer("a", "The kernel stopped."))
    assert [said(each) for each in messages(log)] == ["calling", "The kernel stopped."]


def test_an_orphan_result_is_never_sent(log: Log) -> None:
    log.append(asked("hi"), answer("nobody"), reply("ok"))
    assert shown(log) == ["hi", "result of nobody", "ok"]
    assert [said(each) for each in messages(log)] == ["hi", "ok"]


def test_a_result_answers_the_nearest_earlier_call_with_its_id(log: Log) -> None:
    """rows C7: reused ids do no harm."""
    log.append(reply("first", ("a",)), TurnEnded(turn=1, kind="aborted"), asked("again"))
    log.append(reply("second", ("a",)), answer("a"))
    sent = [said(each) for each in messages(log)]
    assert sent == ["first", INTERRUPTED, "again", "second", "result of a"]


def test_the_state_holds_no_message_so_it_stays_small(log: Log) -> None:
    """A megabyte of replaced conversation leaves a state of a few ids."""
    for n in range(100):
        log.append(asked(f"{n} " + "x" * 10_000))
    log.append(replaced(tuple(node.id for node in nodes(log)), words("sum", "sample")))
    assert log.fold(FOLD) == Surface(order=("102.0",))


ORDERS = st.lists(st.sampled_from("abcde"), max_size=12)
MESSAGE = st.one_of(
    st.builds(words, st.text(max_size=2)),
    st.builds(
        lambda ids: AssistantTurn(
            parts=tuple(Call(id=c, tool="t", arguments={}) for c in ids), model="m"
        ),
        st.lists(st.sampled_from("abc"), max_size=3, unique=True),
    ),
    st.builds(lambda c: ToolAnswer(call=c, tool="t", blocks=()), st.sampled_from("abc")),
)


@given(st.lists(MESSAGE, max_size=14))
def test_every_call_sent_is_followed_by_its_answer_and_no_answer_lacks_a_call(
    given_messages: list[Message],
) -> None:
    """rows C7: a result answers the nearest earlier unanswered call with its id."""
    sent = paired(given_messages)
    expected: list[str] = []
    for message in sent:
        if isinstance(message, ToolAnswer):
            assert expected.pop(0) == message.call
        else:
            assert expected == []
        if isinstance(message, AssistantTurn):
            expected = [call.id for call in message.calls]
    assert expected == []
    others = [each for each in given_messages if not isinstance(each, ToolAnswer)]
    assert [each for each in sent if not isinstance(each, ToolAnswer)] == others


EVENT = st.one_of(
    st.builds(asked, st.just("u")),
    st.builds(lambda c: reply("r", c), st.permutations("abc").map(lambda c: tuple(c[:2]))),
    st.builds(answer, st.sampled_from("abc")),
    st.builds(
        lambda cites, keep: SurfaceReplaced(
            by="s",
            cites=tuple(f"{c}.0" for c in cites),
            nodes=(words("s"), *(NodeRef(node=f"{c}.0") for c in keep)),
        ),
        st.lists(st.integers(1, 12), max_size=3),
        st.lists(st.integers(1, 12), max_size=2),
    ),
)


@settings(max_examples=200)
@given(st.lists(EVENT, max_size=12))
def test_any_log_folds_to_a_surface_without_doubles(events: list[Event]) -> None:
    """Also a log that a broken hand wrote: the fold never fails, a node stands once."""
    state = Surface()
    for seq, event in enumerate(events, 1):
        before, state = state, FOLD.step(state, Logged(seq, 0.0, event))
        assert len(set(state.order)) == len(state.order)
        if not isinstance(event, SurfaceReplaced):
            assert [node for node in state.order if node in before.order] == list(before.order)
        assert Surface.model_validate_json(state.to_json()) == state
