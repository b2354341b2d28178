"""Folds: kept up, saved, and the same whatever way their state came about (rows G2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from keelbook.archive import Archive
from keelbook.errors import HostBug
from keelbook.events import Event, Logged, Vocabulary
from keelbook.fold import Fold
from keelbook.log import SAVE_EVERY, Log
from keelbook.record import Record
from tests.log.samples import TOTAL, VOCABULARY, Counted, Hinted, archive_in, counting, total_of


class Seen(Record):
    """A state with some shape to it."""

    places: tuple[int, ...] = ()
    notes: dict[str, int] = Field(default_factory=dict)


def _seen(state: Seen, logged: Logged) -> Seen:
    if not isinstance(logged.event, Counted):
        return state
    notes = {**state.notes, logged.event.note: logged.seq}
    return Seen(places=(*state.places, logged.seq)[-5:], notes=notes)


SEEN: Fold[Seen] = Fold(name="seen", initial=Seen, step=_seen, state=Seen)


def test_a_fold_is_kept_up_with_every_append(log: Log) -> None:
    log.append(Counted(number=5))
    assert log.fold(TOTAL) == 5
    log.append(Counted(number=2), Hinted(), Counted(number=3))
    assert log.fold(TOTAL) == 10


def test_a_fold_is_given_the_tags_it_names_and_no_others(log: Log) -> None:
    steps: list[int] = []
    fold = counting(steps)
    log.append(Hinted(), Counted(number=1))
    log.fold(fold)
    log.append(Hinted(), Counted(number=1))
    assert steps == [3, 5]


def test_an_opened_session_steps_only_what_came_after_the_saved_state(
    log: Log, archive: Archive
) -> None:
    steps: list[int] = []
    log.append(*(Counted(number=1) for _ in range(SAVE_EVERY + 10)))
    assert log.fold(TOTAL) == SAVE_EVERY + 10
    log.close()
    with archive.write("one") as again:
        assert again.fold(counting(steps)) == SAVE_EVERY + 10
        assert steps == []
        again.append(Counted(number=1))
        assert steps == [SAVE_EVERY + 12]


def test_folds_saved_at_different_places_each_get_what_they_lack(
    log: Log, archive: Archive
) -> None:
    log.append(Counted(number=1))
    log.fold(TOTAL)
    log.close()
    with archive.write("one") as again:
        again.append(Counted(number=2), Counted(number=3, note="n"))
        again.fold(SEEN)
    with archive.write("one") as again:
        again.register(TOTAL, SEEN)
        assert again.fold(TOTAL) == 6
        assert again.fold(SEEN).places == (2, 3, 4)


def test_states_are_saved_while_the_session_runs(log: Log, archive: Archive) -> None:
    log.register(TOTAL)
    for _ in range(SAVE_EVERY + 3):
        log.append(Counted(number=1))
    steps: list[int] = []
    with archive.read("one") as reader:
        assert reader.fold(counting(steps)) == SAVE_EVERY + 3
    assert steps == [SAVE_EVERY + n for n in range(1, 5)]


def test_a_fold_of_another_version_or_other_tags_starts_from_the_first_event(
    log: Log, archive: Archive
) -> None:
    log.append(Counted(number=4))
    log.fold(TOTAL)
    log.close()
    doubled: Fold[int] = replace(
        TOTAL, version=2, step=lambda state, logged: state + 2 * total_of(0, logged)
    )
    with archive.write("one") as again:
        assert again.fold(doubled) == 8
    wider: Fold[int] = Fold(
        name="total", version=2, initial=int, step=lambda state, logged: state + 1, state=int
    )
    with archive.write("one") as again:
        assert again.fold(wider) == 2


def test_a_saved_state_that_no_longer_fits_is_made_again(log: Log, archive: Archive) -> None:
    log.append(Counted(number=4, note="a"))
    log.fold(SEEN)
    log.close()
    number: Fold[int] = Fold(name="seen", initial=int, step=total_of, state=int)
    with archive.read("one") as again:
        assert again.fold(number) == 4


def test_a_fold_that_fails_is_reported_and_hurts_nobody_else(log: Log) -> None:
    def step(state: int, logged: Logged) -> int:
        if logged.seq == 3:
            raise KeyError("third")
        return state + 1

    broken: Fold[int] = Fold(name="broken", initial=int, step=step, state=int)
    assert log.fold(broken) == 1
    log.fold(TOTAL)
    log.append(Counted(number=1))
    assert log.fold(broken) == 2
    log.append(Counted(number=1))
    assert log.fold(TOTAL) == 2
    with pytest.raises(HostBug, match=r"The fold `broken` failed on event 3 \(`sample/counted`\)"):
        log.fold(broken)
    log.save()


def test_two_folds_of_one_name_are_a_fault(log: Log) -> None:
    log.fold(TOTAL)
    with pytest.raises(HostBug, match="Two folds are called `total`"):
        log.fold(replace(TOTAL, version=9))


def test_a_listener_sees_the_state_that_holds_the_batch(log: Log) -> None:
    seen: list[int] = []
    log.subscribe(lambda batch: seen.append(log.fold(TOTAL)))
    log.append(Counted(number=1), Counted(number=2))
    log.append(Counted(number=3))
    assert seen == [3, 6]


EVENTS = st.lists(
    st.one_of(
        st.builds(Counted, number=st.integers(-99, 99), note=st.text(max_size=3)),
        st.builds(Hinted, hint=st.text(max_size=3)),
    ),
    max_size=12,
)
STORY = st.lists(
    st.tuples(EVENTS, st.sampled_from(["stay", "save", "reopen", "crash"])), max_size=8
)


@settings(max_examples=40, deadline=None)
@given(story=STORY)
def test_a_state_is_the_same_kept_up_saved_or_made_again(
    story: list[tuple[list[Event], str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """rows G2: kill at any event and resume, and every state is the same."""
    archive = archive_in(tmp_path_factory.mktemp("story"))
    log = archive.create(session="s")
    for events, then in story:
        log.append(*events)
        kept = log.fold(SEEN), log.fold(TOTAL)
        if then == "save":
            log.save()
        if then == "reopen":
            log.close()
            log = archive.write("s")
        if then == "crash":
            _abandon(log)
            log = archive.write("s")
        assert (log.fold(SEEN), log.fold(TOTAL)) == kept
    fresh = _fresh(log)
    assert (log.fold(SEEN), log.fold(TOTAL)) == fresh
    log.close()


def _fresh(log: Log) -> tuple[Seen, int]:
    seen, total = Seen(), 0
    for logged in log.read():
        seen, total = _seen(seen, logged), total_of(total, logged)
    return seen, total


def _abandon(log: Log) -> None:
    """What the end of the process does: nothing is saved, the lease goes."""
    log._store.close()
    assert log._lease is not None
    log._lease.release()


def test_an_unknown_event_that_may_be_passed_over_is(tmp_path: Path) -> None:
    with archive_in(tmp_path).create(session="s") as log:
        log.append(Hinted(), Counted(number=1), Hinted())
    with archive_in(tmp_path, Vocabulary((Counted,))).write("s") as log:
        assert [each.seq for each in log.read()] == [1, 3]
        assert log.fold(TOTAL) == 1
        assert log.append(Counted(number=2))[0].seq == 5
    assert VOCABULARY.types.keys() >= {"sample/hinted"}
