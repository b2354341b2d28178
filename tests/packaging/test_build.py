"""The distribution is built from a checkout by a machine without node (lab B1)."""

from __future__ import annotations

import json
import os
import shutil
import site
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

ROOT = Path(__file__).resolve().parents[2]
PACKED = (
    *(".ci", "guest", "kernel", "labextension", "notebooks", "tests"),
    *(".gitignore", "LICENSE", "README.md", "pyproject.toml"),
)
BUILT = ("node_modules", "lib", "__pycache__", ".yarn", "tsconfig.tsbuildinfo")
# What npm's scripts need of a system; neither node nor npm is among them.
COMMANDS = ("bash", "cat", "chmod", "cp", "env", "ls", "mkdir", "mv", "rm", "sed", "sh", "uname")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree as git has it, without anything built."""
    root = tmp_path_factory.mktemp("checkout")
    for name in PACKED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, root / name, ignore=shutil.ignore_patterns(*BUILT))
        else:
            shutil.copy2(source, root / name)
    shutil.rmtree(root / "kernel" / "keelbook" / "labextension", ignore_errors=True)
    return root


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment whose PATH has a shell and a few commands, and no node."""
    folder = tmp_path_factory.mktemp("bin")
    for name in COMMANDS:
        found = shutil.which(name)
        assert found is not None, name
        (folder / name).symlink_to(found)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return {**environment, "PATH": str(folder)}


@pytest.fixture(scope="module")
def sdist(checkout: Path, bare: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of the checkout."""
    folder = tmp_path_factory.mktemp("sdist")
    run(
        [sys.executable, "-m", "build", "--sdist", "--outdir", str(folder), str(checkout)],
        bare,
    )
    (archive,) = folder.iterdir()
    return archive


@pytest.fixture(scope="module")
def wheel(sdist: Path, bare: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel made from the source distribution, with node off PATH."""
    folder = tmp_path_factory.mktemp("wheel")
    assert shutil.which("node", path=bare["PATH"]) is None
    run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(folder), str(sdist)],
        bare,
    )
    (archive,) = folder.iterdir()
    return archive


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; its dependencies are borrowed from this one."""
    prefix = tmp_path_factory.mktemp("venv")
    venv.create(prefix, with_pip=False)
    python = prefix / "bin" / "python"
    (packages,) = (prefix / "lib").glob("python*/site-packages")
    # A .pth line adds a folder without reading the .pth files in it, so no editable install leaks.
    (packages / "borrowed.pth").write_text("\n".join(site.getsitepackages()))
    run(
        [
            *(sys.executable, "-m", "pip", "--python", str(python), "install"),
            *("--no-deps", "--ignore-installed", str(wheel)),
        ],
        dict(os.environ),
    )
    return prefix


def run(command: list[str], environment: dict[str, str]) -> str:
    """The output of a command, which must succeed."""
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd="/",
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_sdist_holds_the_sources_and_nothing_built(sdist: Path) -> None:
    """lab B1: all sources, no node_modules, no caches, no built extension."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for needed in (
        "kernel/keelbook/jupyter/wire.py",
        "kernel/keelbook/jupyter/kernelspec/kernel.json",
        "labextension/package-lock.json",
        "labextension/src/index.ts",
        "labextension/build_hook.py",
        "tests/packaging/test_build.py",
        ".ci/run",
        "LICENSE",
    ):
        assert needed in names
    built = [name for name in names if set(name.split("/")) & set(BUILT)]
    assert built == []
    assert not any(name.startswith("kernel/keelbook/labextension") for name in names)


def test_the_wheel_holds_both_packages_and_what_jupyter_finds(wheel: Path) -> None:
    """lab B1: host, guest, tour, kernelspec and extension; no second copy of the extension."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    data = "keelbook-0.1.0.data/data/share/jupyter"
    for needed in (
        "keelbook/__init__.py",
        "keelbook_guest/__init__.py",
        f"{data}/kernels/keelbook/kernel.json",
        f"{data}/kernels/keelbook/logo-svg.svg",
        f"{data}/labextensions/keelbook/package.json",
        f"{data}/labextensions/keelbook/install.json",
    ):
        assert needed in names
    packed = {f"keelbook/notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert packed <= names
    assert not any(name.startswith("keelbook/labextension") for name in names)
    assert not any("node_modules" in name or name.endswith(".ts") for name in names)


def test_the_extension_is_enabled_where_the_wheel_is_installed(
    installed: Path, bare: dict[str, str]
) -> None:
    """lab B1: `jupyter labextension list` shows it enabled and OK."""
    listed = run(
        [str(installed / "bin" / "python"), "-m", "jupyterlab.labextensions", "list"],
        {**bare, "HOME": str(installed), "JUPYTER_CONFIG_DIR": str(installed / "config")},
    )
    assert str(installed / "share" / "jupyter" / "labextensions") in listed
    (line,) = [line for line in listed.splitlines() if line.strip().startswith("keelbook ")]
    assert "enabled" in line
    assert "OK" in line


def test_the_kernelspec_is_found_where_the_wheel_is_installed(
    installed: Path, bare: dict[str, str]
) -> None:
    """One kernelspec, interrupted by message, started without the current folder on the path."""
    listed = run(
        [str(installed / "bin" / "python"), "-m", "jupyter_client.kernelspecapp", "list", "--json"],
        {**bare, "HOME": str(installed)},
    )
    specs = json.loads(listed[listed.index("{") :])["kernelspecs"]
    spec = specs["keelbook"]["spec"]
    assert specs["keelbook"]["resource_dir"].startswith(str(installed))
    assert spec["interrupt_mode"] == "message"
    assert "-P" in spec["argv"]
    assert "{connection_file}" in spec["argv"]
