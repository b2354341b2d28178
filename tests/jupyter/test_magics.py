"""Shell lines, magics and help in a real kernel (guest A35-A39)."""

from __future__ import annotations

from tests.jupyter.driving import Driven


def test_a_shell_line_shows_what_it_prints_while_it_runs(kernel: Driven) -> None:
    """guest A35"""
    answer = kernel.ok("!echo one; sleep 0.6; echo two >&2")
    assert (answer.text(), answer.text("stderr")) == ("one\n", "two\n")
    assert answer.result is None
    dates = [m["header"]["date"] for m in answer.outputs]
    assert (dates[-1] - dates[0]).total_seconds() > 0.3


def test_an_assigned_shell_line_gives_the_lines_and_shows_nothing(kernel: Driven) -> None:
    """guest A35"""
    assert kernel.ok("lines = !printf 'a\\nb\\n'").outputs == []
    assert kernel.ok("lines").result == "['a', 'b']"


def test_names_are_filled_in_from_the_cell(kernel: Driven) -> None:
    """guest A35"""
    assert kernel.ok("word = 'héllo'\n!echo {word} $((1+1))").text() == "héllo 2\n"


def test_a_whole_cell_of_shell(kernel: Driven) -> None:
    """guest A35"""
    assert kernel.ok("%%bash\nfor i in 1 2; do\n  echo $i\ndone").text() == "1\n2\n"


def test_a_cell_of_shell_that_fails_is_an_error_and_a_line_is_not(kernel: Driven) -> None:
    """guest A35, as in IPython: a headless run stops at the cell."""
    answer = kernel.run("%%bash\necho before\nexit 3")
    assert answer.text() == "before\n"
    assert answer.reply["ename"] == "ShellFailed"
    assert answer.reply["evalue"] == "The shell ended with exit status 3."
    assert not any("magics.py" in line for line in answer.reply["traceback"])
    assert kernel.ok("!exit 3").outputs == []


def test_pip_acts_on_the_guests_interpreter(kernel: Driven) -> None:
    """guest A35"""
    answer = kernel.ok("import sys; print(sys.prefix)\n%pip --version")
    prefix, said = answer.text().split("\n")[:2]
    assert said.startswith("pip ")
    assert prefix in said


def test_an_error_below_a_shell_line_names_its_own_line(kernel: Driven) -> None:
    """guest A35: line numbers are kept."""
    answer = kernel.run("!true\n\n1/0")
    assert any("line \x1b[0;32m3" in line for line in answer.reply["traceback"])


def test_time_keeps_the_value_and_says_the_times(kernel: Driven) -> None:
    """guest A36"""
    answer = kernel.ok("%time sum(range(10))")
    assert answer.result == "45"
    assert answer.text().startswith("CPU times: ")
    assert "Wall time: " in answer.text()
    kernel.ok("import asyncio\n%time y = await asyncio.sleep(0, 7)")
    assert kernel.ok("y").result == "7"


def test_a_timed_cell_says_its_times_before_its_value(kernel: Driven) -> None:
    """guest A36"""
    answer = kernel.ok("%%time\nz = 2\nz + 1")
    assert [m["msg_type"] for m in answer.outputs] == ["stream", "execute_result"]
    assert answer.result == "3"


def test_timeit_times_a_line_or_a_cell(kernel: Driven) -> None:
    """guest A36"""
    assert (
        "per loop (mean ± std. dev. of 2 runs, 5 loops each)"
        in kernel.ok("n = 3\n%timeit -n 5 -r 2 n + 1").text()
    )
    assert "per loop" in kernel.ok("%%timeit -n 5 -r 2 m = 1\nm + n\nn + m").text()


def test_folders_and_variables(kernel: Driven) -> None:
    """guest A36"""
    here = kernel.ok("%pwd").result
    kernel.ok("import os; os.makedirs('inner', exist_ok=True)\n%cd inner")
    assert kernel.ok("%pwd").result == str(here).rstrip("'") + "/inner'"
    kernel.ok("%cd -")
    assert kernel.ok("%pwd").result == here
    kernel.ok("%env KEEL_TEST=5")
    assert kernel.ok("import os; os.environ['KEEL_TEST']").result == "'5'"
    assert kernel.ok("value = %env KEEL_TEST\nvalue").result == "'5'"
    assert "value" in kernel.ok("%who str").text().split()
    assert "Variable" in kernel.ok("%whos").text()


def test_extensions_and_backends_are_passed_over_with_a_sentence(kernel: Driven) -> None:
    """guest A36"""
    answer = kernel.ok("%load_ext autoreload\n%matplotlib inline\n4")
    assert "does nothing here" in answer.text("stderr")
    assert answer.result == "4"
    assert "not available" in kernel.ok("%matplotlib qt").text("stderr")


def test_commands_are_answered_by_the_host(kernel: Driven) -> None:
    """guest A37"""
    assert kernel.ok("%todos").text() == "The plan is empty.\n"
    assert kernel.ok("%rows").text().startswith("row ")
    assert kernel.ok("%session").text().startswith("Session ")
    answer = kernel.run("%snapshots")
    assert (answer.status, answer.reply["ename"]) == ("error", "UsageError")


def test_an_unknown_magic_and_a_bare_command(kernel: Driven) -> None:
    """guest A38"""
    answer = kernel.run("%frobnicate")
    assert answer.reply["evalue"].startswith("There is no magic `%frobnicate`; there are ")
    assert kernel.run("ls").reply["ename"] == "NameError"


def test_help_is_a_page_and_source_with_two_marks(kernel: Driven) -> None:
    """guest A39"""
    pages = kernel.ok("len?").reply["payload"]
    assert pages[0]["source"] == "page"
    assert "len" in pages[0]["data"]["text/plain"]
    kernel.ok("def mine():\n    'says so'\n    return 41 + 1")
    page = kernel.ok("mine??").reply["payload"][0]["data"]["text/plain"]
    assert "41 + 1" in page
    assert kernel.ok("nothing_there?").text() == "Object `nothing_there` not found.\n"


def test_help_after_code_sees_what_the_code_defined(kernel: Driven) -> None:
    """guest A39"""
    answer = kernel.ok("def fresh(): 'just made'\nfresh?")
    assert "just made" in answer.reply["payload"][0]["data"]["text/plain"]
