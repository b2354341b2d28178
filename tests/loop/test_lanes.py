"""Lanes and judgements: order, exclusion, and that a cancelled wait takes nothing along."""

from __future__ import annotations

import asyncio

import pytest

from keelbook.loop.lanes import Judgement, Lanes


async def waits(task: asyncio.Task[None]) -> bool:
    """Whether it is still waiting after everybody had their turn."""
    for _ in range(5):
        await asyncio.sleep(0)
    return not task.done()


async def test_those_who_come_later_wait_and_go_in_order() -> None:
    lanes = Lanes(2)
    await lanes.enter(False)
    await lanes.enter(False)
    third, fourth = (asyncio.create_task(lanes.enter(False)) for _ in range(2))
    assert await waits(third)
    lanes.leave()
    assert not await waits(third)
    assert await waits(fourth)
    lanes.leave()
    assert not await waits(fourth)


async def test_an_exclusive_one_waits_for_those_before_and_holds_those_after() -> None:
    """guest E13"""
    lanes = Lanes(10)
    await lanes.enter(False)
    alone = asyncio.create_task(lanes.enter(True))
    assert await waits(alone)
    later = asyncio.create_task(lanes.enter(False))
    assert await waits(later)
    lanes.leave()
    assert not await waits(alone)
    assert await waits(later)
    lanes.leave()
    assert not await waits(later)


async def test_a_cancelled_wait_lets_the_next_one_in() -> None:
    lanes = Lanes(10)
    await lanes.enter(False)
    alone = asyncio.create_task(lanes.enter(True))
    later = asyncio.create_task(lanes.enter(False))
    assert await waits(later)
    alone.cancel()
    assert not await waits(later)


async def test_a_wait_cancelled_as_it_is_let_in_gives_its_lane_back() -> None:
    lanes = Lanes(1)
    await lanes.enter(False)
    second = asyncio.create_task(lanes.enter(False))
    third = asyncio.create_task(lanes.enter(False))
    await asyncio.sleep(0)
    lanes.leave()
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    assert not await waits(third)


async def test_whoever_was_parked_goes_before_those_who_wait() -> None:
    lanes, lock = Lanes(1), asyncio.Lock()
    first, second = (Judgement(lanes, lock, False) for _ in range(2))
    await first.begin()
    first.judged()
    second_begun = asyncio.create_task(second.begin())
    parked = Judgement(lanes, lock, False)
    back = asyncio.create_task(parked.begin(again=True))
    assert await waits(back)
    first.end()
    first.end()
    assert not await waits(back)
    assert await waits(second_begun)
    parked.end()
    assert not await waits(second_begun)


async def test_a_judgement_cancelled_while_another_judges_holds_nothing() -> None:
    lanes, lock = Lanes(2), asyncio.Lock()
    await lock.acquire()
    waiting = asyncio.create_task(Judgement(lanes, lock, False).begin())
    assert await waits(waiting)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    lock.release()
    alone = Judgement(lanes, lock, True)
    await asyncio.wait_for(alone.begin(), 1)
    assert lock.locked()
