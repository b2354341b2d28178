"""What can be typed, what is wrong with it, and what it costs to ask for help."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from keelbook import __version__
from tests.cli.conftest import COMMAND, Keelbook, complaint


def test_help_names_every_command(keelbook: Keelbook) -> None:
    shown = keelbook("--help")
    assert shown.returncode == 0
    for command in ("demo", "run", "config", "doctor", "sessions", "install"):
        assert f"\n    {command} " in shown.stdout
    assert keelbook().stdout == shown.stdout
    assert keelbook("--version").stdout == f"keelbook {__version__}\n"


def test_help_imports_nothing_heavy() -> None:
    """Time is measured in the bench; what makes it long is an import."""
    code = (
        "import sys\n"
        "from keelbook.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n"
        "    print([m for m in ('pydantic', 'asyncio', 'yaml', 'zmq') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("dmeo", "There is no command `dmeo`; did you mean `demo`? See `keelbook --help`."),
        ("xyzzy", "There is no command `xyzzy`. See `keelbook --help`."),
        ("config --jsn", "Unrecognized arguments: --jsn. See `keelbook --help`."),
        ("run", "The following arguments are required: request. See `keelbook run --help`."),
        (
            "demo --port 99999",
            "Argument --port: `99999` is no port (1 to 65535). See `keelbook demo --help`.",
        ),
        (
            "config --workspace nowhere",
            "Argument --workspace: there is no folder nowhere. See `keelbook config --help`.",
        ),
        (
            "sessions show x --last 0",
            "Argument --last: `0` is no number of 1 or more. See `keelbook sessions show --help`.",
        ),
        ("sessions shwo x", "There is no command `shwo`; did you mean `show`?"),
    ],
)
def test_each_bad_input_is_one_sentence(keelbook: Keelbook, typed: str, sentence: str) -> None:
    (said,) = complaint(keelbook(*typed.split()))
    assert said.startswith(sentence)


def test_a_reader_that_goes_away_is_no_error(environment: dict[str, str]) -> None:
    process = subprocess.Popen(
        [*COMMAND, "config"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, b"")


def test_a_terminal_that_lacks_a_character_is_no_traceback(keelbook: Keelbook) -> None:
    (said,) = complaint(keelbook("config", "--profile", "größe", PYTHONIOENCODING="ascii"))
    assert said.startswith("profile: There is no profile `gr\\xf6\\xdfe`;")


@pytest.mark.bench
def test_help_takes_less_than_150_ms() -> None:
    times = []
    for _ in range(7):
        begun = time.perf_counter()
        subprocess.run([*COMMAND, "--help"], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - begun)
    print(f"keelbook --help: {min(times) * 1000:.0f} ms")
    assert min(times) < 0.150
