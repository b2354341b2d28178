"""Judges a command by its tool's table, and by its verbs where the table is silent."""

from __future__ import annotations

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import Dynamic
from keelbook.destructive.shell.generic import judge_verbs
from keelbook.destructive.shell.rules import tools


def by_table(call: Call) -> None:
    """Judges a command by its tool's lines, or by its verbs when there are none."""
    tool = tools().find(call.name)
    if tool is None:
        if not call.idle():
            judge_verbs(call, call.given)
        return
    given = call.arguments(tool.values) if tool.values else call.given
    rule = tool.first(given)
    if rule is None:
        if not call.idle(tool.dry, head=tool.head):
            judge_verbs(call, given)
        return
    if rule.mark == "C" or call.idle(tool.dry, head=tool.head):
        return
    many = rule.mark == "M" and any(_many(word) for word in given.operands)
    if rule.mark == "D" or many:
        call.destroys(rule.kind, rule.words)
    else:
        call.may_lose(rule.kind, rule.words)


def _many(word: str) -> bool:
    flow = word.flow if isinstance(word, Dynamic) else None
    return flow is not None and flow.origin == "listing"
