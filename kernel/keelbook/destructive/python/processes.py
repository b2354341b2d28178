"""Python's own ways to run something else: processes, texts, cells, signals."""

from __future__ import annotations

from collections.abc import Callable

from keelbook.destructive.arguments import texts_of
from keelbook.destructive.python.cells import Unparsable, parsed
from keelbook.destructive.python.deed import Deed, is_download
from keelbook.destructive.python.values import (
    UNKNOWN,
    Number,
    Symbol,
    Text,
    Value,
    command_words,
    texts,
)
from keelbook.destructive.vocabulary import words

_SHELL_ONLY = words(
    "exec_command execute_command run_command exec_run send_command sendline sudo getoutput "
    "send_keys run_shell shell_command run_line"
)
_MAYBE_SHELL = words(
    "run local cmd system popen shell bash sh send call check_output put_command script spawn "
    "execute_shell remote_run"
)
RUNNERS = _SHELL_ONLY | _MAYBE_SHELL
"""Methods whose text a shell runs, whoever has them."""


def _subprocess(deed: Deed) -> None:
    deed.run(deed.argument(0, "args", "command", "cmd"))


def _exec_words(deed: Deed) -> None:
    """``os.execvp(file, args)``, ``os.execl(file, *args)``."""
    flat: list[Text] = []
    given = [value for value in deed.given if not isinstance(value, Number)]
    for place, value in enumerate(given):
        listed = command_words(value)
        if listed is not None:
            if place and place == 1 and flat:
                flat = flat[:1]
                listed = listed[1:]
            flat += listed
        elif texts(value):
            flat.append(texts(value)[0])
        else:
            flat.append(Text("$…", whole=False))
    if deed.last.startswith(("execl", "spawnl")) and len(flat) > 1:
        flat = flat[:1] + flat[2:]
    if deed.last.startswith("spawn") and flat and flat[0].text == "$…":
        flat = flat[1:]
    deed.run_words(flat)


def _create_exec(deed: Deed) -> None:
    listed = [found[0] if found else Text("$…", whole=False) for found in map(texts, deed.given)]
    deed.run_words(listed)


def _pexpect(deed: Deed) -> None:
    first = deed.text(0, "command")
    args = command_words(deed.argument(1, "args"))
    if first is not None and args is not None:
        deed.run_words([first, *args])
    else:
        deed.run(deed.argument(0, "command"))


def _exec(deed: Deed) -> None:
    value = deed.argument(0)
    found = texts(value)
    for each in found:
        if each.whole:
            deed.read("python", each.text)
        elif "(" in each.text:
            _in_part(deed, each.text.replace(UNKNOWN, "_"))
    if is_download(value):
        deed.destroys("remote code", "runs what comes from the network")
    elif not found and not _compiled(value):
        deed.may_lose("unknown code", "runs a text that is not known before it runs")


def _in_part(deed: Deed, text: str) -> None:
    """A text known in part is read where it still is Python."""
    try:
        parsed(text)
    except Unparsable:
        deed.may_lose("unknown code", "runs a text that is not known before it runs")
        return
    deed.read("python", text)


def _compiled(value: Value | None) -> bool:
    """``compile`` was judged when it was called."""
    return isinstance(value, Symbol) and value.name in ("builtins.compile()", "ast.parse()")


def _compile(deed: Deed) -> None:
    for each in texts(deed.argument(0, "source")):
        if each.whole:
            deed.read("python", each.text)


def _kill(deed: Deed) -> None:
    target = deed.argument(0)
    number = target.number if isinstance(target, Number) else None
    signal = deed.argument(1)
    if isinstance(signal, Number) and signal.number == 0:
        return
    if number in (1, -1, 0):
        deed.destroys("processes", "ends every process, or the first one")
    else:
        deed.may_lose("processes", "ends a process")


def _ipython_magic(deed: Deed) -> None:
    name, text = deed.text(0), deed.text(1)
    if name is None or text is None:
        return
    mark = "%%" if deed.last == "run_cell_magic" else "%"
    if mark == "%%":
        body = deed.text(2)
        deed.read("python", f"%%{name.text} {text.text}\n{body.text if body else ''}")
    else:
        deed.read("python", f"%{name.text} {text.text}")


def run_program(deed: Deed) -> None:
    """``sh.rm('-rf', 'x')``: the module ``sh`` has every program as a function."""
    listed = [found[0] for found in map(texts, deed.given) if found]
    deed.run_words([Text(deed.last.replace("_", "-")), *listed])


def judge_runner(deed: Deed) -> bool:
    """A method that runs a text somewhere; False when there is no text to look at."""
    if deed.name.startswith("tools."):
        return judge_tool(deed)
    value = deed.argument(0, "command", "cmd")
    listed = command_words(value)
    if deed.last == "exec_run" and listed:
        deed.run_words(listed)
        return True
    found = texts(value)
    for each in found:
        if each.whole or each.text.strip(" {}…"):
            deed.read("shell", each.text)
    return bool(found) and deed.last in _SHELL_ONLY


def judge_tool(deed: Deed) -> bool:
    """``await tools.bash('…')``: the harness's own tools, called from a cell."""
    arguments: dict[str, str] = {}
    first = deed.text(0)
    if first is not None:
        arguments["command" if deed.last == "bash" else "code"] = first.text
    for name, value in deed.named.items():
        for each in texts(value):
            arguments[name] = each.text
    for language, text in texts_of(deed.last, arguments):
        deed.read("shell" if language == "auto" else language, text, f"tools.{deed.last}")
    return True


_RUNS = words(
    "os.system os.popen subprocess.run subprocess.call subprocess.check_call "
    "subprocess.check_output subprocess.Popen subprocess.getoutput subprocess.getstatusoutput "
    "commands.getoutput commands.getstatusoutput popen2.popen2 asyncio.create_subprocess_shell "
    "pty.spawn pexpect.run pexpect.runu invoke.run fabric.api.run fabric.api.local "
    "fabric.api.sudo delegator.run sarge.run anyio.run_process anyio.open_process "
    "trio.run_process trio.lowlevel.open_process os.startfile ctypes.CDLL().system pip.main "
    "get_ipython().system get_ipython().getoutput get_ipython().system_raw "
    "IPython.get_ipython().system IPython.utils.process.system"
)
_EXECS = words(
    "os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe os.spawnl "
    "os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe "
    "os.posix_spawn os.posix_spawnp"
)
PROCESSES: dict[str, Callable[[Deed], None]] = {
    "asyncio.create_subprocess_exec": _create_exec,
    "sh.Command": _create_exec,
    "pexpect.spawn": _pexpect,
    "pexpect.spawnu": _pexpect,
    "pexpect.popen_spawn.PopenSpawn": _pexpect,
    "builtins.exec": _exec,
    "builtins.eval": _exec,
    "builtins.compile": _compile,
    "get_ipython().run_cell": _exec,
    "get_ipython().ex": _exec,
    "get_ipython().run_line_magic": _ipython_magic,
    "get_ipython().magic": _exec,
    "get_ipython().run_cell_magic": _ipython_magic,
    "code.InteractiveInterpreter().runsource": _exec,
    "timeit.timeit": _compile,
    "os.kill": _kill,
    "os.killpg": _kill,
}
PROCESSES.update(dict.fromkeys(_RUNS, _subprocess))
PROCESSES.update(dict.fromkeys(_EXECS, _exec_words))
