"""Runs a notebook without a browser and says on one screen what happened.

Rules: each cell is a line with its time and its last output; an agent's cell shows its plan and how
its turn ended. The exit status is 0 only when every cell succeeded, a turn that was not done
counting as one that did not.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from keelbook.cli.telling import safe
from keelbook.errors import BadConfig
from keelbook.text import count

SECONDS = 300
WIDTH = 100


def execute(path: Path, environment: dict[str, str]) -> int:
    """Runs every cell of the notebook; 0 when all succeeded."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="keelbook",
        allow_errors=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    begun = time.monotonic()
    failed = cells = 0
    try:
        with client.setup_kernel(env=environment):
            print(f"{path.name}: the kernel is up after {_ms(begun)}", flush=True)
            for index, cell in enumerate(notebook.cells):
                if cell.cell_type == "code":
                    cells += 1
                    failed += not _cell(client, cell, index)
    except RuntimeError as error:
        raise BadConfig(f"The kernel did not start: {str(error).splitlines()[0]}") from None
    except Exception as error:
        # nbclient has an error of its own for a kernel that died and one for a cell that hangs.
        print(f"! {type(error).__name__}: {str(error).strip().splitlines()[0]}", file=sys.stderr)
        failed += 1
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]
    said = "all succeeded" if not failed else f"{failed} failed"
    print(f"{count(cells, 'cell')} in {_ms(begun)}: {said}.")
    return 1 if failed else 0


def _cell(client: Any, cell: Any, index: int) -> bool:
    begun = time.monotonic()
    client.execute_cell(cell, index)
    lines, good = _outputs(cell.outputs)
    first = safe(cell.source.strip().splitlines()[0])[: WIDTH - 30]
    print(f"[{cell.execution_count}] {_ms(begun):>9}  {'ok    ' if good else 'FAILED'}  {first}")
    for line in lines:
        print(f"      {line}", flush=True)
    return good


def _ms(begun: float) -> str:
    return f"{(time.monotonic() - begun) * 1000:,.0f} ms"


def _outputs(outputs: list[Any]) -> tuple[list[str], bool]:
    """What to show of a cell's outputs, and whether none of them says that it failed."""
    lines: list[str] = []
    good = True
    agent = any(_kind(each) == "turn" for each in outputs)
    calls = sum(_kind(each) == "call" for each in outputs)
    for each in outputs:
        kind, text = _kind(each), _text(each)
        if each.output_type == "error":
            good = False
            lines.append(safe(f"{each.ename}: {each.evalue}").splitlines()[0][:WIDTH])
        elif kind == "plan":
            lines.extend(safe(text).splitlines())
        elif kind == "turn":
            data = each["data"]["application/vnd.keelbook.turn.v1+json"]
            good = good and data["ended"] == "done"
            lines.append(f"{safe(text).splitlines()[0]}, {count(calls, 'call')}")
        elif not agent and text.strip():
            first, *more = safe(text).rstrip().lstrip("\n").splitlines()
            lines[:] = [first[:WIDTH] + (f"  (+{count(len(more), 'line')})" if more else "")]
    return lines, good


def _kind(output: Any) -> str:
    """The kind of one of our cards, ``""`` for any other output."""
    for mime in output.get("data", {}):
        if mime.startswith("application/vnd.keelbook."):
            return str(mime.split(".")[2])
    return ""


def _text(output: Any) -> str:
    return str(output.get("text") or output.get("data", {}).get("text/plain", ""))
