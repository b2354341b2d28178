"""Starts a guest or a confined command: the text that the host passes to `python -I -c`.

    python -I -c <this text> <folder of keelbook_guest>

with fd 0 /dev/null, 1 and 2 pipes, 3 the channel (a guest only), 4 the lifeline. The
process becomes the *warden* (`warden.py`). The host writes one line of JSON on the
lifeline, the start record:

    {"mode": "guest" or "command",
     "namespaces": [str],      of "user" "pid" "net" "mount"; entered before the fork
     "cover": [str],           folders hidden from the child; needs "mount"
     "lend": {name: folder},   top-level modules of the host the guest may import, and the
                               folder each lies in (dill); no others come from there
     "argv": [str],            command only: what is executed, looked up on PATH
     "cwd": str,               command only
     "confine": Confine,       command only; a guest gets it in its `boot` frame
     "limits": Limits}         command only; address_bytes, nofile and fsize_bytes count

and reads lines of JSON back:

    {"pid": int, "entered": [str], "missing": [str]}   the child runs; pid as the host
                                                       sees it
    {"confined": Confined, "applied": {num/null}}      command only, before it is executed
    {"status": int}                                    the child's raw wait status

Then the warden kills what is left below it and ends as the child did. It kills the child
too when the lifeline closes. A command that cannot be confined although `mode` is
`required`, or cannot be executed, ends with 126 and one sentence on stderr.

Rules: only the standard library; nothing stays in `__main__`; every module that is
imported while the guest boots gets a private copy of the builtins, so that a cell which
patches `builtins.len` changes its own world and not the runtime's (guest G8).
"""

from __future__ import annotations

import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import (
    PathFinder,
    SourceFileLoader,
    spec_from_file_location,
)
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import ClassVar

PACKAGE = "keelbook_guest"


class Sealing(SourceFileLoader):
    """Loads a module from source (or its cached bytecode) with private builtins."""

    builtins: ClassVar[dict[str, object]] = {}

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__builtins__"] = self.builtins
        super().exec_module(module)
        plain = SourceFileLoader(self.name, self.path)
        module.__loader__ = plain
        if module.__spec__ is not None:
            module.__spec__.loader = plain


class BootFinder:
    """Finds the guest package by its folder, and seals all that is imported meanwhile."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        if name == PACKAGE:
            location = f"{self.folder}/__init__.py"
            return spec_from_file_location(
                name,
                location,
                loader=Sealing(name, location),
                submodule_search_locations=[self.folder],
            )
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = Sealing(name, spec.loader.path)
        return spec


def boot(folder: str) -> None:
    """Runs the warden of `folder`'s guest; never returns."""
    import builtins
    import os

    if sys.implementation.name != "cpython" or sys.version_info < (3, 10):
        os.write(2, b"Keelbook's guest needs CPython 3.10 or newer.\n")
        os._exit(2)
    if not sys.platform.startswith(("linux", "darwin")):
        os.write(2, b"Keelbook's guest needs Linux or macOS; on Windows, use WSL.\n")
        os._exit(2)
    Sealing.builtins = dict(vars(builtins))
    before = sys.meta_path.index(PathFinder)
    sys.meta_path.insert(before, BootFinder(folder))
    from keelbook_guest.warden import keep

    keep()


if __name__ == "__main__":
    boot(sys.argv[1])
