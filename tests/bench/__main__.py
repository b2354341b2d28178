"""``python -m tests.bench``: Keelbook beside the stock kernel, in one run.

Rules: rounds alternate between the kernels, and which comes first alternates too; each round has
kernels of its own; what is compared is medians. Nothing of the user's is touched: data, history
and runtime files go to a folder that is removed. A launch before the first round compiles what is
not compiled (a checkout; pip does it for an installation). The exit code is 1 when a limit does not
hold.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from tests.bench import kernels, logs
from tests.bench.table import ME, OTHER, Column, Table


def main(given: list[str] | None = None) -> int:
    """Measures, prints the table and what missed its limit."""
    parser = argparse.ArgumentParser(prog="tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each kernel (7)")
    parser.add_argument("--kernel", default=ME, help=f"the kernel to measure ({ME})")
    parser.add_argument("--beside", default=OTHER, help=f"the kernel beside it ({OTHER})")
    parser.add_argument("--no-log", action="store_true", help="leave the log's own numbers out")
    parser.add_argument("--no-kernel", action="store_true", help="measure the log only")
    parser.add_argument("--quick", action="store_true", help="small numbers: is it sound?")
    asked = parser.parse_args(given)
    folder = Path(tempfile.mkdtemp(prefix="keelbook-bench-"))
    table = Table(asked.kernel, asked.beside)
    try:
        _apart(folder)
        if not asked.no_kernel:
            _kernels(table, folder, asked.rounds, asked.quick)
        if not asked.no_log:
            _log(table, folder, asked.rounds, asked.quick)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"\n{table.markdown()}\n\nMedians of {asked.rounds} rounds (least to most). {_machine()}")
    missed = table.missed()
    for sentence in missed:
        print(f"MISSED {sentence}")
    return 1 if missed else 0


def _apart(folder: Path) -> None:
    """Everything the kernels write goes to ``folder``; imports are of bytecode, as installed."""
    for name in ("KEELBOOK_DATA", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTER_CONFIG_DIR"):
        os.environ[name] = str(folder / name.lower())
    os.environ.pop("JPY_SESSION_NAME", None)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def _kernels(table: Table, folder: Path, rounds: int, quick: bool) -> None:
    columns = list(table.names)
    with (folder / "kernels.txt").open("w+") as said:
        try:
            for column in columns:
                with kernels.driven(table.names[column], said) as kernel:
                    kernels.launch(kernel)
            for number in range(rounds):
                for column in columns if number % 2 else reversed(columns):
                    print(f"round {number + 1}/{rounds} {table.names[column]}", file=sys.stderr)
                    with kernels.driven(table.names[column], said) as kernel:
                        table.add(column, "greeted", kernels.launch(kernel, greet=True))
                    with kernels.driven(table.names[column], said) as kernel:
                        _one(table, column, kernel, quick)
        except BaseException:
            said.seek(0)
            print(said.read(), file=sys.stderr)
            raise


def _one(table: Table, column: Column, kernel: kernels.Driven, quick: bool) -> None:
    table.add(column, "launch", kernels.launch(kernel))
    rss, pss = kernels.memory(kernel)
    table.add(column, "rss", rss)
    table.add(column, "pss", pss)
    kernels.round_trip(kernel, 5 if quick else 30)
    table.add(column, "round_trip", kernels.round_trip(kernel, 10 if quick else 300))
    table.add(column, "printed", kernels.printed(kernel, 100 if quick else 20_000))
    table.add(column, "first_line", kernels.first_line(kernel))
    table.add(column, "interrupt_loop", kernels.interrupt(kernel, "while True: pass"))
    table.add(column, "interrupt_sleep", kernels.interrupt(kernel, "import time; time.sleep(60)"))


def _log(table: Table, folder: Path, rounds: int, quick: bool) -> None:
    archive = logs.archive_in(folder)
    for _ in range(rounds):
        for batch in (1, 10):
            events = 1000 if quick else 30_000
            table.add("me", f"append_{batch}", logs.append_rate(archive, batch, events))
    if quick:
        return
    print("writing a session of a million events", file=sys.stderr)
    session = logs.long_session(archive)
    for _ in range(rounds):
        table.add("me", "open", logs.opened(archive, session))


def _machine() -> str:
    model = next(
        (line.partition(":")[2].strip() for line in _cpu() if line.startswith("model name")),
        platform.processor() or platform.machine(),
    )
    return (
        f"{os.cpu_count()} cores of {model}, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, ipykernel {version('ipykernel')}."
    )


def _cpu() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


if __name__ == "__main__":
    raise SystemExit(main())
