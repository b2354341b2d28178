"""Finds who judges a call of Python: by its dotted name, by its module, by its method's name."""

from __future__ import annotations

from collections.abc import Callable, Set

from keelbook.destructive.python.deed import Deed
from keelbook.destructive.python.files import FILES, PATH_METHODS, judge_path_method
from keelbook.destructive.python.processes import PROCESSES, RUNNERS, judge_runner, run_program
from keelbook.destructive.python.services import SERVICE_NAMES, judge_service
from keelbook.destructive.python.tables import TABLE_NAMES, judge_tables
from keelbook.destructive.vocabulary import words

Judge = Callable[[Deed], None]

JUDGES: dict[str, Judge] = FILES | PROCESSES
"""By the name from the import on."""

_SAME = {"posix.": "os.", "nt.": "os.", "_io.": "builtins.", "io.": "builtins.",
         "subprocess32.": "subprocess.", "asyncio.subprocess.": "asyncio."}  # fmt: skip


_RESOLVES = words(
    "getattr vars globals locals __dict__ eval exec compile __import__ import_module "
    "__builtins__ modules methodcaller attrgetter get_ipython tools open __getattribute__"
)
_NAMES = (
    frozenset(name.rpartition(".")[2] for name in JUDGES)
    | RUNNERS
    | TABLE_NAMES
    | PATH_METHODS
    | _RESOLVES
)


def is_of_interest(names: Set[str]) -> bool:
    """Whether any name of a text is one that some judge here looks at."""
    return not names.isdisjoint(_NAMES) or bool(SERVICE_NAMES.search(" ".join(names)))


def judge_call(deed: Deed, *, passed: bool = False) -> None:
    """Judges one call; ``passed`` when the function was only handed to another."""
    for prefix, name in _SAME.items():
        if deed.name.startswith(prefix):
            deed.name = name + deed.name[len(prefix) :]
    judge = JUDGES.get(deed.name)
    if judge is not None:
        judge(deed)
        return
    if deed.name.startswith("sh.") and not deed.local:
        run_program(deed)
        return
    is_path = deed.name.startswith("pathlib.") or "Path()" in deed.name
    if is_path and judge_path_method(deed):
        return
    if passed:
        return
    if deed.last in RUNNERS and judge_runner(deed):
        return
    if judge_tables(deed):
        return
    judge_service(deed)
