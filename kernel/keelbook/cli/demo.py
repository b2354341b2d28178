"""``keelbook demo``: the tour, in JupyterLab or run here.

Rules: what came with Keelbook is copied and never opened itself; a copy that is there already is
somebody's work and stays as it is, unless it is to be fresh. The tour runs under the profile
``stable`` whatever the person's own settings are, because it is made for that.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import keelbook
from keelbook.errors import BadConfig

TOUR = "01-tour.ipynb"
FOLDER = "keelbook-demo"


def run(options: Namespace) -> int:
    """Opens or runs the tour."""
    _refuse_without_kernel()
    if options.headless:
        from keelbook.cli.headless import execute

        with _place(options) as folder:
            return execute(folder / TOUR, _environment())
    folder = options.folder or Path.home() / FOLDER
    copied(folder.absolute(), fresh=options.fresh)
    return _open(folder.absolute() / TOUR, options)


@contextmanager
def _place(options: Namespace) -> Iterator[Path]:
    """Where a headless tour runs: a folder that is given and kept, or one that is neither."""
    if options.folder:
        yield copied(options.folder.absolute(), fresh=options.fresh)
        return
    with tempfile.TemporaryDirectory(prefix="keelbook-demo-") as folder:
        yield copied(Path(folder).resolve(), fresh=True)


def source() -> Path:
    """The notebooks that came with Keelbook: inside the package, or beside it in a checkout."""
    package = Path(keelbook.__file__).parent
    for folder in (package / "notebooks", package.parents[1] / "notebooks"):
        if (folder / TOUR).is_file():
            return folder
    raise BadConfig("The tour did not come with this installation; install Keelbook again.")


def copied(folder: Path, *, fresh: bool) -> Path:
    """Copies the notebooks to ``folder``; what is there stays, unless ``fresh``."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in sorted(source().iterdir()):
            target = folder / file.name
            if file.is_file() and not file.name.startswith(".") and (fresh or not target.exists()):
                shutil.copyfile(file, target)
    except OSError as error:
        raise BadConfig(
            f"The tour cannot be copied to {folder}: {error.strerror}; give another --folder."
        ) from None
    return folder


def _refuse_without_kernel() -> None:
    from jupyter_client.kernelspec import KernelSpecManager

    if "keelbook" not in KernelSpecManager().find_kernel_specs():
        raise BadConfig("Jupyter does not find the kernel `keelbook`; run `keelbook install`.")


def _environment() -> dict[str, str]:
    """The environment of the tour's kernel."""
    kept = {k: v for k, v in os.environ.items() if k not in ("KEELBOOK_MODEL", "KEELBOOK_PYTHON")}
    return {**kept, "KEELBOOK_PROFILE": "stable"}


def _open(notebook: Path, options: Namespace) -> int:
    """Becomes JupyterLab with the notebook open."""
    command = [sys.executable, "-m", "jupyterlab", "--ServerApp.root_dir", str(notebook.parent)]
    command += [f"--LabApp.default_url=/lab/tree/{notebook.name}"]
    if options.port is not None:
        command += ["--port", str(options.port)]
    if options.no_browser:
        command.append("--no-browser")
    if os.geteuid() == 0:
        # In a container everybody is root, and JupyterLab would refuse.
        command.append("--allow-root")
    print(f"Opening {notebook} in JupyterLab; Ctrl-C ends it.", flush=True)
    os.execve(sys.executable, command, _environment())
