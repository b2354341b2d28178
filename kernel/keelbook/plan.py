"""The agent's plan as it stands in the log: its items, the event that writes it, its counts.

Rules: the plan is the last ``todo/write`` and nothing else. An item is known by its content, which
no two items of a list share. ``worked`` is written by the harness only and names the calls that did
the work of a completed item; an item completed with none is ``unevidenced``.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal

from keelbook.events import Event
from keelbook.record import Record

Status = Literal["pending", "in_progress", "completed"]


class Todo(Record):
    """One item. ``requires`` names other items of the list; ``source`` whoever put it there.

    ``worked`` is None until the item is completed, then ids of calls in the order they started.
    """

    content: str
    status: Status = "pending"
    requires: tuple[str, ...] = ()
    worked: tuple[str, ...] | None = None
    source: str | None = None

    @property
    def unevidenced(self) -> bool:
        """Completed, and no call did anything meanwhile."""
        return self.status == "completed" and not self.worked


class TodosWritten(Event):
    """By the row ``todo``, with the result of the write. Replaces the whole list."""

    tag: ClassVar[str] = "todo/write"
    todos: tuple[Todo, ...]


def waits_for(todo: Todo, todos: Sequence[Todo]) -> tuple[str, ...]:
    """The prerequisites of ``todo`` that are not completed."""
    done = {each.content for each in todos if each.status == "completed"}
    return tuple(name for name in todo.requires if name not in done)


def summary(todos: Sequence[Todo]) -> str:
    """``1 done, 1 under way, 3 open``."""
    number = dict.fromkeys(("completed", "in_progress", "pending"), 0)
    for todo in todos:
        number[todo.status] += 1
    done, under_way, pending = number.values()
    return f"{done} done, {under_way} under way, {pending} open"


def summary_for_person(todos: Sequence[Todo]) -> str:
    """The same counts, and how many items were completed without a call."""
    bare = sum(todo.unevidenced for todo in todos)
    return f"{summary(todos)}, {bare} unevidenced" if bare else summary(todos)


# ---------------------------------------------------------------- what makes a list no plan


def problem(todos: Sequence[Todo]) -> str:
    """Why this list is no plan, naming the item, without a full stop; ``""`` when it is one."""
    return _twice(todos) or _unknown(todos) or _circle(todos) or _too_early(todos)


def _twice(todos: Sequence[Todo]) -> str:
    seen: set[str] = set()
    for todo in todos:
        if todo.content in seen:
            return f"two items are called `{todo.content}`"
        seen.add(todo.content)
    return ""


def _unknown(todos: Sequence[Todo]) -> str:
    names = {todo.content for todo in todos}
    for todo in todos:
        for name in todo.requires:
            if name == todo.content:
                return f"`{name}` requires itself"
            if name not in names:
                return f"`{todo.content}` requires `{name}`, which is not in this list"
    return ""


def _circle(todos: Sequence[Todo]) -> str:
    requires = {todo.content: todo.requires for todo in todos}
    settled: set[str] = set()
    for todo in todos:
        path = [todo.content]
        branches = [iter(todo.requires)]
        while branches:
            name = next(branches[-1], None)
            if name is None:
                branches.pop()
                settled.add(path.pop())
            elif name in path:
                circle = [*path[path.index(name) :], name]
                return "items require each other: " + " -> ".join(f"`{each}`" for each in circle)
            elif name not in settled:
                path.append(name)
                branches.append(iter(requires[name]))
    return ""


def _too_early(todos: Sequence[Todo]) -> str:
    for todo in todos:
        missing = waits_for(todo, todos)
        if missing and todo.status != "pending":
            return f"`{todo.content}` is {todo.status} before `{missing[0]}`, which it requires"
    return ""
