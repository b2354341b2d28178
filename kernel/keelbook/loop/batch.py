"""The calls of one assistant message: judged in message order, run together, all answered.

Rules (G5, L7, E13): a denial that ends the turn denies the siblings that have not started, those
that wait for a person too; those that run finish. Cancelling the batch cancels every call in it and
ends when the last one is answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

from keelbook.loop.lanes import Lanes
from keelbook.loop.pipeline import Pipeline, Underway, Wanted
from keelbook.messages import Call
from keelbook.observer import Observer
from keelbook.row import Denied
from keelbook.tool import Tool

SIBLING_STOPPED = "This call was not run because another call in the same message reached a limit."


class Batch:
    """Runs the calls of one message for a turn."""

    def __init__(self, pipeline: Pipeline, turn: int, observer: Observer) -> None:
        self._pipeline = pipeline
        self._turn = turn
        self._observer = observer
        self._underway: list[Underway] = []

    async def run(self, calls: Sequence[Call], only: Collection[str]) -> None:
        """Carries out those of ``calls`` whose ids are in ``only``. Raises what a log refuses."""
        lanes = Lanes(self._pipeline.budgets.parallel)
        siblings = tuple(self._tool_name(call) for call in calls)
        for call in calls:
            if call.id in only:
                wanted = Wanted(
                    id=call.id,
                    tool=call.tool,
                    given=call.arguments,
                    origin="agent",
                    observer=self._observer,
                    turn=self._turn,
                    siblings=siblings,
                )
                tool = self._pipeline.find(wanted)
                judgement = self._pipeline.judgement(
                    lanes, tool if isinstance(tool, Tool) else None
                )
                self._underway.append(Underway(wanted, judgement))
        tasks = [asyncio.create_task(self._one(each)) for each in self._underway]
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome

    async def _one(self, underway: Underway) -> None:
        underway.task = asyncio.current_task()
        outcome = await self._pipeline.call(underway)
        if isinstance(outcome, Denied) and outcome.ends is not None:
            for sibling in self._underway:
                sibling.stop(Denied("sibling-stopped", SIBLING_STOPPED))

    def _tool_name(self, call: Call) -> str:
        tools = self._pipeline.tools.values()
        return next((tool.name for tool in tools if tool.title == call.tool), call.tool)
