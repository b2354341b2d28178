"""What the front door's magics become in the guest: times, environment, variables, shell.

Rules: the host rewrites a magic into a call of one of these (guest A35, A36); arguments are plain
text; what is shown reads as it does in IPython. Imported by the first cell that uses one.
"""

from __future__ import annotations

import os
import shlex
import statistics
import sys
import time as clocks
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

_INLINE = ("", "inline", "agg", "auto")
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "μs"), (1e-9, "ns"))
_WIDTH = 60
_DAY = 86_400.0


# ---------------------------------------------------------------- shell


class ShellFailed(Exception):
    """The command of a ``%%bash`` cell failed."""


async def bang(command: str) -> None:
    """``!command``: a governed shell call whose output is the cell's, as long as it takes."""
    await _bound("_shell").run(command=command, timeout_s=_DAY)


async def bash(command: str) -> None:
    """``%%bash``: as ``bang``, but a command that fails is an error of the cell."""
    result = await _bound("_shell").run(command=command, timeout_s=_DAY)
    if result["exit"]:
        raise ShellFailed(f"The shell ended with exit status {result['exit']}.")


async def lines(command: str) -> list[str]:
    """``x = !command``: the lines the command printed."""
    _bound("_shell")
    result = await _bound("tools").bash(command=command, timeout_s=_DAY)
    return str(result["stdout"]).splitlines()


async def pip(arguments: str) -> None:
    """``%pip arguments``, on this interpreter."""
    await bang(f"{shlex.quote(sys.executable)} -m pip {arguments}")


def _bound(name: str) -> Any:
    """What the host bound under ``name``."""
    found = _namespace().get(name)
    if found is None:
        raise RuntimeError("This session has no shell tool, so lines with `!` cannot run.")
    return found


# ---------------------------------------------------------------- times


class Clock:
    """Seconds of CPU and of the wall since it was made."""

    def __init__(self) -> None:
        self._cpu, self._wall = os.times(), clocks.perf_counter()

    def report(self) -> None:
        """Prints the times in IPython's words."""
        wall, cpu = clocks.perf_counter() - self._wall, os.times()
        user = cpu.user + cpu.children_user - self._cpu.user - self._cpu.children_user
        system = cpu.system + cpu.children_system - self._cpu.system - self._cpu.children_system
        print(
            f"CPU times: user {span(user)}, sys: {span(system)}, total: {span(user + system)}\n"
            f"Wall time: {span(wall)}"
        )


def clock() -> Clock:
    """Starts to measure."""
    return Clock()


def timed(started: Clock, value: Any) -> Any:
    """``%time expression``: says how long it took and gives its value."""
    started.report()
    return value


@contextmanager
def timing() -> Iterator[None]:
    """``%time statement``: says how long it took."""
    started = Clock()
    yield
    started.report()


def time_of(code: str) -> None:
    """``%time`` of a compound statement."""
    with timing():
        exec(compile(code, "<time>", "exec", dont_inherit=True), _namespace())


def timeit(
    code: str,
    setup: str = "pass",
    number: int = 0,
    repeat: int = 7,
    quiet: bool = False,
    keep: bool = False,
) -> list[float] | None:
    """Times ``code``; ``keep`` gives the seconds of one loop, one number a run."""
    from timeit import Timer

    timer = Timer(code, setup, globals=_namespace())
    loops = number or timer.autorange()[0]
    runs = [seconds / loops for seconds in timer.repeat(repeat, loops)]
    if not quiet:
        spread = statistics.pstdev(runs) if len(runs) > 1 else 0.0
        print(
            f"{span(statistics.fmean(runs))} ± {span(spread)} per loop (mean ± std. dev. of "
            f"{len(runs)} run{'s' if len(runs) > 1 else ''}, {loops:,} "
            f"loop{'s' if loops > 1 else ''} each)"
        )
    return runs if keep else None


def span(seconds: float) -> str:
    """A time with three digits: ``1.23 ms``, ``1min 5s``."""
    if seconds >= 60:
        minutes, rest = divmod(round(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return (f"{hours}h " if hours else "") + f"{minutes}min {rest}s"
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return "0 ns" if seconds <= 0 else f"{seconds / 1e-9:.3g} ns"


# ---------------------------------------------------------------- surroundings


def env(arguments: str = "") -> Any:
    """``%env``: all variables; ``%env NAME``: one; ``%env NAME=value``: sets it."""
    if not arguments:
        return dict(os.environ)
    name, equals, value = arguments.partition("=")
    if not equals:
        name, _, value = arguments.partition(" ")
    name, value = name.strip(), value.strip()
    if not (equals or value):
        if name not in os.environ:
            raise KeyError(f"There is no environment variable {name}.")
        return os.environ[name]
    os.environ[name] = value
    print(f"env: {name}={value}")
    return None


def cd(folder: str = "") -> None:
    """``%cd folder``: goes there; ``%cd -`` back, ``%cd`` home."""
    here = os.getcwd()
    path = folder.strip().strip("'\"") or "~"
    if path == "-":
        path = os.environ.get("OLDPWD", here)
    os.chdir(os.path.expanduser(path))
    os.environ["OLDPWD"] = here
    print(os.getcwd())


def pwd(_: str = "") -> str:
    """``%pwd``."""
    return os.getcwd()


def matplotlib(backend: str = "") -> None:
    """``%matplotlib``: figures are always shown inline; another backend is said to be missing."""
    if backend.strip() not in _INLINE:
        print(
            f"Figures are shown inline; the backend `{backend.strip()}` is not available here.",
            file=sys.stderr,
        )


def who_list(kinds: str = "") -> list[str]:
    """``%who_ls``: the names of the person's variables, of these types if any are named."""
    wanted = set(kinds.split())
    return sorted(
        name
        for name, value in _namespace().items()
        if not name.startswith("_")
        and not type(value).__module__.startswith("keelbook_guest")
        and not (isinstance(value, ModuleType) and "module" not in wanted and wanted)
        and (not wanted or type(value).__name__ in wanted)
    )


def who(kinds: str = "") -> None:
    """``%who``: those names in a row."""
    names = who_list(kinds)
    print("\t ".join(names) if names else "Interactive namespace is empty.")


def whos(kinds: str = "") -> None:
    """``%whos``: name, type and a short look at each."""
    names = who_list(kinds)
    if not names:
        print("Interactive namespace is empty.")
        return
    space = _namespace()
    rows = [(name, type(space[name]).__name__, _look(space[name])) for name in names]
    first = max(len("Variable"), *(len(row[0]) for row in rows))
    second = max(len("Type"), *(len(row[1]) for row in rows))
    print(f"{'Variable':<{first}}   {'Type':<{second}}   Data/Info")
    print("-" * (first + second + 15))
    for name, kind, look in rows:
        print(f"{name:<{first}}   {kind:<{second}}   {look}")


def _look(value: object) -> str:
    """One short line about a value."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return "x".join(map(str, shape)) or "scalar"
    if isinstance(value, (list, tuple, dict, set, frozenset)):
        return f"n={len(value)}"
    text = " ".join(repr(value).split())
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def _namespace() -> dict[str, Any]:
    return sys.modules["__main__"].__dict__
