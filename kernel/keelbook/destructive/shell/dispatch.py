"""Finds who judges a command: the command inside it, its own judge, its tool's table, its verbs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import DOWNLOAD, Flow
from keelbook.destructive.shell.rules import tools
from keelbook.destructive.shell.tabled import by_table
from keelbook.destructive.shell.targets import located
from keelbook.destructive.shell.wrappers import inside, wrappers

Judge = Callable[[Call], Flow | None]

JUDGES = ("builtins", "interpreters", "removal", "writing", "permissions", "search", "versions",
          "databases", "web", "printing", "remote", "processes", "scripts", "windows")  # fmt: skip
"""Modules of ``judges``; each has ``JUDGES``, a judge by program."""


@cache
def judges() -> dict[str, Judge]:
    """Every command with a judge of its own."""
    package = "keelbook.destructive.shell.judges"
    found: dict[str, Judge] = {}
    for name in JUDGES:
        found.update(import_module(f"{package}.{name}").JUDGES)
    return found


def judged(call: Call) -> Flow | None:
    """Judges one command; what is known of its output."""
    name = call.name
    if name in wrappers():
        tool = tools().find(name)
        found = inside(call, frozenset(tool.values if tool else ()))
        if found is not None:
            if found.text is not None:
                call.read_shell(found.text)
                return None
            if found.words:
                return call.again(found.words)
            return call.again(["sh"]) if call.fed and not found.stopped else None
    judge = judges().get(name)
    if judge is not None:
        return judge(call)
    if call.scope.files and _script(call):
        return None
    by_table(call)
    return None


def _script(call: Call) -> bool:
    """A program this text wrote or downloaded before."""
    path = located(call.words[0].removeprefix("./"), call.folder)
    if path not in call.scope.files:
        return False
    flow = call.scope.files[path]
    if flow == DOWNLOAD:
        call.destroys("remote code", "runs a file that was just downloaded")
    elif flow is not None and flow.origin == "text":
        call.read_shell(flow.text, path, call.scope.child(list(call.words[1:])))
    else:
        call.may_lose("unknown code", "runs a file whose content is not known")
    return True
