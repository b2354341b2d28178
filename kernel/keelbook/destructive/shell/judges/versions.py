"""git: what it does to uncommitted work, to history and to other people's branches.

Rules: most of git is a table; here is what depends on more than options: what a checkout, a push or
a reset names, aliases defined on the spot, and hooks that run commands.
"""

from __future__ import annotations

import re

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import LISTING, Flow
from keelbook.destructive.shell.options import Arguments
from keelbook.destructive.shell.tabled import by_table
from keelbook.destructive.vocabulary import words

_GLOBAL_VALUES = words(
    "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env"
)
_LISTS = words(
    "ls-files for-each-ref branch tag rev-list diff status stash log remote ls-tree worktree"
)
_PATH = re.compile(
    r"\.{0,2}/|.*\*|\.$|:/|:\(|(?!v?\d)[^@]*\.(?!rc|beta|alpha)[a-z][a-z0-9]{0,4}$", re.IGNORECASE
)


def _git(call: Call) -> Flow | None:
    words = call.words
    at, settings = 1, dict[str, str]()
    while at < len(words) and words[at][:1] == "-":
        if words[at] == "-c" and at + 1 < len(words):
            name, _, value = words[at + 1].partition("=")
            settings[name.lower()] = value
        at += 2 if words[at] in _GLOBAL_VALUES else 1
    if at >= len(words):
        return None
    name, rest = words[at], list(words[at + 1 :])
    alias = settings.get(f"alias.{name}".lower()) or _alias(call, name)
    if alias:
        if alias.startswith("!"):
            call.read_shell(" ".join([alias[1:], *rest]), f"git {name}")
        else:
            call.again([words[0], *alias.split(), *rest], f"git {name}")
        return None
    if settings.get("clean.requireforce", "").lower() == "false" and name == "clean":
        rest.append("-f")
    plain = Call(
        call.shell, [words[0], name, *rest], call.segment, call.span, stdin=call.stdin,
        fed=call.fed, via=call.via, layer=call.layer,
    )  # fmt: skip
    if "--help" in rest or rest[-1:] == ["-h"]:
        return None
    judge = _SUBCOMMANDS.get(name)
    if judge is None:
        by_table(plain)
    else:
        judge(plain, Arguments(rest))
    return LISTING if name in _LISTS else None


def _alias(call: Call, name: str) -> str:
    """An alias this text has put into git's configuration."""
    return (call.scope.variables.get(f"git alias.{name}") or [""])[0]


def _config(call: Call, given: Arguments) -> None:
    operands = given.operands[1:] if given.operands[:1] == ["set"] else given.operands
    if len(operands) > 1 and operands[0].lower().startswith("alias."):
        call.scope.variables[f"git {operands[0].lower()}"] = [operands[1]]
    by_table(call)


def _checkout(call: Call, given: Arguments) -> None:
    words = list(call.words[2:])
    if given.has("-f", "--force"):
        call.destroys("git", "throws uncommitted changes away")
        return
    if given.has("-b", "--orphan", "-t", "--track", "-d", "--detach"):
        return
    if given.has("-B"):
        call.may_lose("git", "moves a branch")
        return
    if given.has("-p", "--patch"):
        call.may_lose("git", "throws chosen changes away")
        return
    if "--" in words:
        if words[words.index("--") + 1 :]:
            call.destroys("git", "throws the uncommitted changes of files away")
        return
    operands = given.operands
    if given.has("--pathspec-from-file") or given.has("--ours", "--theirs"):
        call.destroys("git", "overwrites files with another version")
    elif len(operands) > 1 or (operands and _PATH.match(operands[0])):
        call.destroys("git", "throws the uncommitted changes of files away")


def _restore(call: Call, given: Arguments) -> None:
    if given.has("-p", "--patch"):
        call.may_lose("git", "throws chosen changes away")
    elif given.has("-S", "--staged") and not given.has("-W", "--worktree"):
        return
    elif given.operands or given.has("--pathspec-from-file"):
        call.destroys("git", "throws the uncommitted changes of files away")


_PUSH_VALUES = words("-o --push-option --receive-pack --exec --repo")


def _push(call: Call, _: Arguments) -> None:
    given = Arguments(call.words[2:], _PUSH_VALUES)
    if given.has("-n") or given.begins("--dry-run"):
        return
    refs = given.operands[1:]
    forced = given.has("-f", "--force", "--forc") or any(ref.startswith("+") for ref in refs)
    if given.has("--mirror"):
        call.destroys("git", "makes the remote a mirror, deleting what it has more")
    elif given.has("-d", "--delete", "--prune"):
        call.destroys("git", "deletes branches or tags of the remote")
    elif any(ref.startswith((":", "+:")) and len(ref) > 1 and ref != "+:" for ref in refs):
        call.destroys("git", "deletes a branch or tag of the remote")
    elif forced:
        call.destroys("git", "overwrites the remote's history")
    elif any(flag.startswith("--force-with-lease") for flag in given.flags):
        call.may_lose("git", "overwrites the remote's history if nobody else changed it")


def _clean(call: Call, _: Arguments) -> None:
    given = Arguments(call.words[2:], frozenset({"-e", "--exclude"}))
    if given.has("-n") or given.begins("--dry-run"):
        return
    if given.has("-f") or given.begins("--force"):
        call.destroys("git", "deletes untracked files")
    elif given.has("-i", "--interactive"):
        call.may_lose("git", "deletes untracked files it asks about")


def _reset(call: Call, given: Arguments) -> None:
    if any(flag in ("--hard", "--har", "--merge") for flag in given.flags):
        call.destroys("git", "throws uncommitted changes away")
    elif given.has("--keep"):
        call.may_lose("git", "moves the branch to another commit")


def _submodule(call: Call, given: Arguments) -> None:
    operands = given.operands
    if operands[:1] == ["deinit"]:
        if given.has("-f", "--force"):
            call.destroys("git", "removes submodules with their uncommitted changes")
        else:
            call.may_lose("git", "removes submodules from the work tree")
    elif operands[:1] == ["update"] and given.has("-f", "--force"):
        call.destroys("git", "throws the submodules' uncommitted changes away")


def _rebase(call: Call, _: Arguments) -> None:
    given = Arguments(call.words[2:], words("-x --exec --onto -s -X"))
    text = given.value("-x", "--exec")
    if text:
        call.read_shell(text, "git rebase --exec")
    if not given.has("--continue", "--skip", "--edit-todo", "--show-current-patch"):
        call.may_lose("git", "rewrites commits that are not pushed")


def _filter_branch(call: Call, _: Arguments) -> None:
    call.destroys("git", "rewrites the whole history")
    given = Arguments(
        call.words[2:],
        frozenset({"--tree-filter", "--index-filter", "--env-filter", "--msg-filter"}),
    )
    for name in ("--tree-filter", "--index-filter"):
        text = given.value(name)
        if text:
            call.read_shell(text, f"git filter-branch {name}")


def _rm(call: Call, given: Arguments) -> None:
    if given.has("-n", "--dry-run", "--cached") or not given.operands:
        return
    forced = given.has("-f", "--force")
    everything = any(each in (".", "*", ":/") for each in given.operands)
    if (forced and given.has("-r")) or everything:
        call.destroys("git", "removes tracked files with their uncommitted changes")
    elif forced:
        call.destroys("git", "removes a tracked file with its uncommitted changes")
    else:
        call.may_lose("git", "removes tracked files that are committed")


def _switch(call: Call, given: Arguments) -> None:
    if given.has("-f", "--force", "--discard-changes"):
        call.destroys("git", "throws uncommitted changes away")
    elif given.has("-C", "--force-create"):
        call.may_lose("git", "moves a branch")


_SUBCOMMANDS = {
    "checkout": _checkout,
    "co": _checkout,
    "restore": _restore,
    "push": _push,
    "clean": _clean,
    "reset": _reset,
    "submodule": _submodule,
    "rebase": _rebase,
    "filter-branch": _filter_branch,
    "filter-repo": _filter_branch,
    "rm": _rm,
    "switch": _switch,
    "config": _config,
}

JUDGES = {"git": _git, "yadm": _git, "dotfiles": _git, "hub": _git}
