"""``keelbook doctor``: whether everything that a session needs is there and holds.

Rules: it starts a real guest under the profile in force and says what the operating system really
enforces, not what was asked for. A line that begins with ``!`` is something wrong and makes the
exit status 1; one that begins with ``-`` is only to be known.
"""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from argparse import Namespace
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from keelbook import __version__
from keelbook.cli.install import LAUNCHER
from keelbook.errors import BadConfig, KeelbookError
from keelbook.guest_process.guest import Guest
from keelbook.interpreter import GuestInfo
from keelbook.loop.table import seam_table
from keelbook.private import config_folder, data_folder, private_folder
from keelbook.profile import Profile, load

PACKAGES = ("jupyterlab", "ipykernel", "pydantic", "pydantic-ai-slim", "dill")


def run(options: Namespace) -> int:
    """Prints the report; 1 when something is wrong."""
    wrong = 0
    for line in _report(options):
        print(line, flush=True)
        wrong += line.startswith("!")
    print(f"\n{'Something is wrong (!).' if wrong else 'All is well.'}")
    return 1 if wrong else 0


def _report(options: Namespace) -> Iterator[str]:
    yield f"Keelbook {__version__}, Python {platform.python_version()} ({sys.executable})"
    yield f"{platform.platform()}; {', '.join(map(_version, PACKAGES))}"
    yield from _jupyter()
    yield from _folders()
    try:
        profile = load(options.workspace.resolve(), profile=options.profile, model=options.model)
    except BadConfig as error:
        yield from (f"! {sentence}" for sentence in error.sentences)
        return
    yield from _profile(profile)
    yield from _guest(profile)


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} missing"


def _jupyter() -> Iterator[str]:
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_core.paths import jupyter_path

    manager = KernelSpecManager()
    specs = manager.find_kernel_specs()
    if "keelbook" not in specs:
        yield "! Jupyter does not find the kernel `keelbook`; run `keelbook install`."
    for name, folder in sorted(specs.items()):
        argv = manager.get_kernel_spec(name).argv
        if LAUNCHER in argv:
            gone = os.path.isabs(argv[0]) and not os.path.exists(argv[0])
            said = f"! The kernel `{name}` needs {argv[0]}, which is gone" if gone else "Kernel"
            yield f"{said}: {folder}"
    places = [Path(each) / "keelbook" for each in jupyter_path("labextensions")]
    built = next((each for each in places if (each / "package.json").is_file()), None)
    yield (
        f"Extension: {built}"
        if built
        else ("! JupyterLab does not find the extension; install Keelbook where JupyterLab runs.")
    )


def _folders() -> Iterator[str]:
    yield f"Settings: {config_folder()}"
    try:
        yield f"Sessions: {private_folder(data_folder())}"
    except KeelbookError as error:
        yield f"! Sessions cannot be kept: {error.sentence}"


def _profile(profile: Profile) -> Iterator[str]:
    yield f"\nProfile: {profile.name}"
    name = profile.settings.model
    if name is None:
        yield "- No model is set; a cell can name one with `%%agent --model`."
    else:
        try:
            profile.model()
            yield f"Model: {name} (not asked)"
        except KeelbookError as error:
            yield f"! {error.sentence}"
    yield ""
    yield from seam_table(profile.rows)


def _guest(profile: Profile) -> Iterator[str]:
    yield ""
    try:
        info = asyncio.run(_boot(profile))
    except KeelbookError as error:
        yield f"! {error.sentence}"
        return
    yield f"Cells: Python {info.python} ({info.executable})"
    mode = profile.settings.confine.mode
    unconfined = info.confinement.startswith("unconfined")
    mark = "" if not unconfined else "- " if mode == "off" else "! "
    yield f"{mark}Confinement: {info.confinement}"
    for each in info.missing:
        yield f"{'!' if mode == 'required' else '-'} not enforced: {each}"


async def _boot(profile: Profile) -> GuestInfo:
    guest = Guest(
        profile.guest,
        cwd=str(profile.workspace),
        protected=profile.private,
        never_env=profile.key_variables,
    )
    try:
        return await guest.start()
    finally:
        await guest.close()
