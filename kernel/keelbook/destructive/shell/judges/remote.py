"""Commands that have another program, host or time run a text: terminals, fleets, schedulers."""

from __future__ import annotations

import re

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import DOWNLOAD
from keelbook.destructive.shell.judges.databases import judge_database
from keelbook.destructive.shell.tabled import by_table
from keelbook.destructive.vocabulary import words

_KEYS = words("enter c-m c-c c-d c-l space escape tab kpenter")


def _tmux(call: Call) -> None:
    words = list(call.words[1:])
    if words and words[0] in ("send-keys", "send"):
        keys = call.arguments(frozenset({"-t", "-N", "-c"})).operands[1:]
        text = " ".join(key for key in keys if key.lower() not in _KEYS)
        call.read_shell(text, "tmux send-keys")
        return
    by_table(call)


def _screen(call: Call) -> None:
    words = list(call.words[1:])
    if "stuff" in words:
        text = " ".join(words[words.index("stuff") + 1 :])
        call.read_shell(text.replace("\\n", "\n").replace("^M", "\n").replace("\\015", "\n"))
        return
    by_table(call)


_ANSIBLE_VALUES = words(
    "-m -a -i -u -b -e -f -l -t --module-name --args --inventory --user --extra-vars --forks "
    "--limit --become-user --private-key --key-file -c -T"
)


def _ansible(call: Call) -> None:
    given = call.arguments(_ANSIBLE_VALUES - {"-b"})
    if given.has("--check", "-C", "--list-hosts", "--syntax-check") or call.idle():
        return
    module = (given.value("-m", "--module-name") or "command").rpartition(".")[2]
    text = given.value("-a", "--args") or ""
    if module in ("shell", "command", "raw", "win_shell", "win_command"):
        call.read_shell(re.sub(r"\b(?:chdir|creates|removes|executable)=\S+\s*", "", text))
    elif "state=absent" in text.replace(" ", "") or '"state":"absent"' in text.replace(" ", ""):
        if module in ("file", "lvol", "mysql_db", "postgresql_db", "user", "filesystem", "mount",
                      "docker_volume", "ec2", "ec2_instance", "s3_bucket", "rds_instance",
                      "win_file", "group"):  # fmt: skip
            call.destroys("infrastructure", "has hosts delete something")
        else:
            call.may_lose("infrastructure", "has hosts remove something")
    elif module in ("reboot", "win_reboot"):
        call.destroys("processes", "restarts hosts")
    elif module in ("parted", "filesystem"):
        call.destroys("disks", "changes the disks of hosts")


def _salt(call: Call) -> None:
    given = call.arguments(words("-c -t -b -N --out -l"))
    if call.idle() or "test=True" in given.operands:
        return
    operands = given.operands if call.name == "salt-call" else given.operands[1:]
    if not operands:
        return
    function, rest = operands[0], operands[1:]
    if function in ("cmd.run", "cmd.run_all", "cmd.shell", "cmd.script", "cmd.exec_code"):
        call.read_shell(" ".join(word for word in rest if "=" not in word.split(" ")[0]))
    elif re.fullmatch(
        r"file\.(?:remove|rename|truncate)|system\.(?:reboot|shutdown|halt|poweroff|init)|"
        r".*\.(?:destroy|delete|purge|remove_all|drop|db_remove|absent)|user\.delete|disk\.wipe",
        function,
    ):
        call.destroys("infrastructure", f"has hosts run `{function}`")
    elif re.fullmatch(
        r"pkg\.(?:remove|purge)|service\.(?:stop|restart|disable)|ps\.p?kill", function
    ):
        call.may_lose("infrastructure", f"has hosts run `{function}`")


def _at(call: Call) -> None:
    """What ``at`` is fed runs later."""
    if call.given.has("-r", "-d") or call.name == "atrm":
        call.may_lose("processes", "removes a scheduled job")
    elif call.stdin is not None and call.stdin.origin == "text":
        call.read_shell(call.stdin.text)
    elif call.stdin == DOWNLOAD:
        call.destroys("remote code", "runs what comes from the network")


def _crontab(call: Call) -> None:
    given = call.arguments(frozenset({"-u", "-c"}))
    if given.has("-l", "-e", "-V", "--help", "-T"):
        return
    if given.has("-r"):
        call.destroys("system", "deletes all scheduled jobs of a user")
    elif call.stdin == DOWNLOAD:
        call.destroys("remote code", "schedules what comes from the network")
    elif given.operands or call.fed:
        call.may_lose("system", "replaces all scheduled jobs of a user")
        flow = call.stdin if given.operands in ([], ["-"]) else None
        if flow is not None and flow.origin == "text":
            for line in flow.text.splitlines():
                found = re.match(r"\s*(?:@\w+|(?:\S+\s+){5})(.+)", line)
                if found and not line.lstrip().startswith("#"):
                    call.read_shell(found[1])


_SSM = re.compile(r"""(?s)commands["']?\s*[=:]\s*(?P<open>\[?)\s*(?P<text>.+?)\]?\}?$""")


def _aws(call: Call) -> None:
    """What is sent to hosts; the rest are databases' texts and a table."""
    words = call.words
    if "send-command" in words:
        for at, word in enumerate(words):
            if word == "--parameters" or word.startswith("--parameters="):
                text = word.partition("=")[2] or " ".join(words[at + 1 : at + 2])
                found = _SSM.search(text)
                if found:
                    call.read_shell(found["text"].strip(" \"'"), "aws ssm send-command")
    judge_database(call)


JUDGES = {
    "aws": _aws,
    "tmux": _tmux,
    "screen": _screen,
    "ansible": _ansible,
    "salt": _salt,
    "salt-call": _salt,
    "salt-ssh": _salt,
    "at": _at,
    "batch": _at,
    "atrm": _at,
    "crontab": _crontab,
}
