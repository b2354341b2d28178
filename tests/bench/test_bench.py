"""The bench itself: it measures real kernels, and it sees a limit that does not hold."""

from __future__ import annotations

import pytest

from tests.bench.__main__ import main
from tests.bench.table import LINES, Table


def filled(**mine: float) -> Table:
    """A table in which everything holds, but for what is given."""
    table = Table()
    sound = {line.key: 0.05 if line.least is None else 30_000.0 for line in LINES} | mine
    for key, value in sound.items():
        table.add("me", key, value)
        table.add("other", key, 0.1)
    return table


def test_a_table_within_its_limits_misses_nothing() -> None:
    assert filled().missed() == []


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("launch", 0.1001, "launch to first answered cell: 1.00 x, at most 1.0 x"),
        ("greeted", 0.11, "the same, asked first who it is, as clients do: 1.10 x, at most 1.0 x"),
        ("round_trip", 0.081, "cell round trip (`x = i; x + 1`): 0.81 x, at most 0.8 x"),
        ("printed", 0.2, "20,000 printed lines: 2.00 x, at most 1.0 x"),
        ("first_line", 0.1011, "first line of a print before a sleep: 101 ms, at most 100"),
        ("append_1", 19_999, "log, events appended one by one: 19,999 /s, at least 20,000"),
        ("open", 1.01, "log, opening a million events: 1.01 s, at most 1"),
    ],
)
def test_a_limit_that_does_not_hold_is_said(key: str, value: float, said: str) -> None:
    assert filled(**{key: value}).missed() == [said]


def test_medians_are_compared_not_means() -> None:
    table = Table()
    for value in (0.1, 0.1, 9.0):
        table.add("me", "launch", value)
        table.add("other", "launch", 0.1)
    assert table.missed() == []
    assert "| launch to first answered cell | 0.1 s (0.1 to 9) | 0.1 s " in table.markdown()


@pytest.mark.slow
def test_the_bench_measures_two_real_kernels(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = ("KEELBOOK_DATA", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTER_CONFIG_DIR")
    for name in (*folders, "PYTHONDONTWRITEBYTECODE"):
        monkeypatch.setenv(name, "restored afterwards")
    main(["--quick", "--rounds", "1", "--kernel", "python3"])
    said = capsys.readouterr().out
    assert "| launch to first answered cell | 0." in said
    assert said.count("\n| ") == len(LINES)
