"""Row ``todo``: the agent's plan, kept in the log and nowhere else (``write_todos``).

Rules (T1-T19): a write replaces the whole list or leaves it as it was; content is an item's name.
Two plans in one message are both refused. ``worked`` is filled in here from what ran between the
last write in which an item was open and the one that completes it. The plan rides behind the
conversation, never in the cached prefix.
"""

import json
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StringConstraints

from keelbook.config import NoConfig
from keelbook.errors import ToolFailed
from keelbook.events import Logged, ToolEnded, ToolStarted
from keelbook.fold import Fold
from keelbook.plan import (
    Status,
    Todo,
    TodosWritten,
    problem,
    summary,
    summary_for_person,
    waits_for,
)
from keelbook.record import Record
from keelbook.row import Command, Denied, NextTool, Row, Said, ToolCall, ToolOutcome, View
from keelbook.tool import Arguments, Capabilities, Result, Scene, Tool

NAME = "write_todos"

GUIDANCE = """\
For work of more than two steps keep a plan with `write_todos`. Each call replaces the whole list:
send every item each time, with its status. Mark an item in_progress when you begin it and completed
as soon as it is done, not before; name in `requires` what must be completed first. Keep items short
and checkable. Skip the plan for a single simple step."""

DESCRIPTION = (
    "Write your plan: the whole list of items, replacing the one before. Items are known by their "
    "content. An item cannot be in_progress or completed before all that it requires is completed."
)

SAVED = "Plan saved: {summary}."
EMPTY = "The plan is empty."
REFUSED = "Nothing was saved"
PARALLEL = "Nothing was saved: one message held {n} plans. Send the whole plan once."
MARKS = {"pending": "[ ]", "in_progress": "[~]", "completed": "[x]"}

Content = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class Item(Record):
    """One item of the plan as the model writes it."""

    content: Content = Field(description="What is to be done; the item's name.")
    status: Status = "pending"
    requires: Annotated[tuple[Content, ...], Field(max_length=20)] = Field(
        (), description="Contents of items of this list that must be completed first."
    )


def _parsed(value: Any) -> Any:
    """A list given as JSON text, as that list."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


class WriteTodos(Arguments):
    """The whole plan."""

    todos: Annotated[tuple[Item, ...], BeforeValidator(_parsed), Field(max_length=100)]


# ---------------------------------------------------------------- state


class Plan(Record):
    """The fold's state: the list, and the agent's calls since it was written, in start order.

    ``calls`` holds ids, and none while no item is open; ``running`` those without a result.
    """

    todos: tuple[Todo, ...] = ()
    calls: tuple[str, ...] = ()
    running: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether an item is not completed."""
        return any(todo.status != "completed" for todo in self.todos)

    @property
    def finished(self) -> tuple[str, ...]:
        """The calls that have their result."""
        return tuple(call for call in self.calls if call not in self.running)


def _step(plan: Plan, logged: Logged) -> Plan:
    event = logged.event
    if isinstance(event, TodosWritten):
        return Plan(todos=event.todos)
    if isinstance(event, ToolStarted):
        if event.tool == NAME or event.origin != "agent" or not plan.is_open:
            return plan
        return plan.model_copy(
            update={"calls": (*plan.calls, event.call), "running": (*plan.running, event.call)}
        )
    if isinstance(event, ToolEnded) and event.call in plan.running:
        running = tuple(call for call in plan.running if call != event.call)
        return plan.model_copy(update={"running": running})
    return plan


PLAN: Fold[Plan] = Fold(
    name="todo",
    initial=Plan,
    step=_step,
    state=Plan,
    tags=frozenset({TodosWritten.tag, ToolStarted.tag, ToolEnded.tag}),
)


# ---------------------------------------------------------------- writing


async def _write(arguments: WriteTodos, scene: Scene) -> Result:
    now = scene.log.fold(PLAN)
    before = {todo.content: todo for todo in now.todos}
    todos = tuple(_todo(item, before.get(item.content), now.finished) for item in arguments.todos)
    wrong = problem(todos)
    if wrong:
        raise ToolFailed(f"{REFUSED}: {wrong}.", "bad-plan")
    text = SAVED.format(summary=summary(todos)) if todos else EMPTY
    value = {"saved": len(todos), "summary": summary(todos)}
    return Result(value, text, events=(TodosWritten(todos=todos),))


def _todo(item: Item, before: Todo | None, finished: tuple[str, ...]) -> Todo:
    worked: tuple[str, ...] | None = None
    if item.status == "completed":
        if before is None:
            worked = ()
        elif before.status == "completed":
            worked = before.worked
        else:
            worked = finished
    requires = tuple(dict.fromkeys(item.requires))
    return Todo(content=item.content, status=item.status, requires=requires, worked=worked)


async def _one_plan(call: ToolCall, further: NextTool) -> ToolOutcome:
    """Two plans in one message are refused, both (T10)."""
    plans = call.siblings.count(NAME)
    if call.tool.name == NAME and plans > 1:
        return Denied("parallel-lists", PARALLEL.format(n=plans), stops=False)
    return await further(call)


# ---------------------------------------------------------------- showing


def block(todos: tuple[Todo, ...]) -> str | None:
    """The plan as the model reads it, None when there is none."""
    if not todos:
        return None
    lines = ["Plan"]
    for todo in todos:
        waiting = waits_for(todo, todos)
        ending = f" (waits for: {', '.join(waiting)})" if waiting else ""
        lines.append(" ".join(f"{MARKS[todo.status]} {todo.content}{ending}".split()))
    return "\n".join(lines)


async def _todos(_: str, view: View) -> Said:
    todos = view.log.fold(PLAN).todos
    text = block(todos)
    if text is None:
        return Said(EMPTY)
    said = f"Plan: {summary_for_person(todos)}."
    return Said(said, {"text/plain": f"{text}\n{said}"})


def row(config: NoConfig) -> Row:
    """The row; it has no settings."""
    tool = Tool(
        name=NAME,
        description=DESCRIPTION,
        arguments=WriteTodos,
        run=_write,
        capabilities=Capabilities(read_only=True),
        exclusive=True,
        audience="agents",
        native=True,
        refusal=REFUSED,
    )
    return Row(
        name="todo",
        config=config,
        events=(TodosWritten,),
        folds=(PLAN,),
        section=lambda _: GUIDANCE,
        context=lambda view: block(view.log.fold(PLAN).todos),
        tools=(tool,),
        commands=(Command("todos", "Show the agent's plan.", _todos),),
        around_tool=_one_plan,
    )
