"""Programs whose words hold a program of their own: awk, framework consoles, editors, linkers."""

from __future__ import annotations

import re

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import DOWNLOAD, Dynamic, Flow, known
from keelbook.destructive.shell.tabled import by_table
from keelbook.destructive.vocabulary import words

_PRINTS = re.compile(r"""BEGIN\s*\{\s*print(?:f)?\s*\(?"([^"]*)"\)?;?\s*\}""")


def _awk(call: Call) -> Flow | None:
    given = call.arguments(words("-F -v -f -e --source -i --assign"))
    if call.idle():
        return None
    program = given.value("-e", "--source") or (given.operands[0] if given.operands else "")
    if given.value("-f"):
        return None
    call.read("awk", program)
    if given.value("-i") == "inplace":
        call.may_lose("files", "rewrites files in place")
    printed = _PRINTS.fullmatch(program.strip())
    if printed:
        return known(printed[1] + "\n")
    return call.stdin if call.stdin == DOWNLOAD or _is_listing(call.stdin) else None


def _is_listing(flow: Flow | None) -> bool:
    return flow is not None and flow.origin == "listing"


def _manage(call: Call) -> None:
    """Django's ``manage.py``, also as a script of Python."""
    words = list(call.words[1:])
    if "shell" in words[:2] or "shell_plus" in words[:2]:
        text = call.arguments(frozenset({"-c", "--command"})).value("-c", "--command")
        if text:
            call.read("python", text, "manage.py shell")
        elif call.stdin is not None and call.stdin.origin == "text":
            call.read("python", call.stdin.text, "manage.py shell")
        return
    if words[:1] == ["dbshell"]:
        text = call.arguments(frozenset({"-c", "-e"})).value("-c", "-e")
        flow = known(text) if text else call.stdin
        if flow is not None and flow.origin == "text":
            call.read("sql", flow.text, "manage.py dbshell")
        return
    by_table(call)


def _runner(call: Call) -> None:
    """``rails runner 'User.delete_all'`` and ``php artisan tinker --execute``."""
    words = list(call.words[1:])
    if words[:1] in (["runner"], ["r"]) and len(words) > 1:
        call.read("ruby", words[-1], f"{call.name} runner")
        return
    text = call.arguments(frozenset({"--execute"})).value("--execute")
    if text and "tinker" in words:
        call.read("php", text, "artisan tinker")
        return
    if words[:1] in (["console"], ["c"], ["dbconsole"], ["db"]) and call.stdin is not None:
        if call.stdin.origin == "text":
            call.read("ruby" if words[0][0] == "c" else "sql", call.stdin.text)
        return
    by_table(call)


def _iex(call: Call) -> None:
    """PowerShell's and Elixir's ``iex``; what is fed to it or given is run."""
    flows = [word.flow for word in call.words[1:] if isinstance(word, Dynamic)]
    if DOWNLOAD in flows or call.stdin == DOWNLOAD:
        call.destroys("remote code", "runs what comes from the network")
    elif len(call.words) > 1 and call.words[1][:1] != "-":
        call.read_shell(" ".join(call.words[1:]))


JUDGES = {
    "awk": _awk,
    "gawk": _awk,
    "mawk": _awk,
    "nawk": _awk,
    "manage.py": _manage,
    "django-admin": _manage,
    "rails": _runner,
    "artisan": _runner,
    "iex": _iex,
    "invoke-expression": _iex,
}
