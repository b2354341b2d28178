"""What a cell turns out to be before it reaches the guest (guest A21, A35-A39)."""

from __future__ import annotations

import ast

import pytest

from keelbook.front_door import AgentCell, Help, Python, Typed, Unusable, open_door, times

BANG = "await __import__('keelbook_guest.magics').magics."


def code_of(cell: str) -> str:
    """The Python that ``cell`` becomes."""
    door = open_door(cell)
    assert isinstance(door, Python), door
    return door.code


def sentence_of(cell: str, agent: bool = False) -> str:
    """Why ``cell`` cannot run."""
    door = open_door(cell, agent=agent)
    assert isinstance(door, Unusable), door
    return door.sentence


@pytest.mark.parametrize("cell", [
    "(5\n% 3)",
    "x = 5 \\\n% 3",
    "text = '''\n!ls\n%time\n'''",
    '"""a docstring\n!ls\n"""',
    "f'{x!r}'",
    "print('what?')",
    "# what?",
    "d['a = !b'] = 1",
    "x != y",
    "x = [\n!a\n]",
    "x %= 2",
    "f'''{\nx\n}\n!ls\n'''",
])  # fmt: skip
def test_percent_and_exclamation_inside_python_are_python(cell: str) -> None:
    """guest A21, A39: in a string, a bracket, after a backslash."""
    assert code_of(cell) == cell


def test_a_shell_line_becomes_a_governed_call_on_its_own_line() -> None:
    """guest A35"""
    assert code_of("a = 1\n!ls -l\nb = 2") == f"a = 1\n{BANG}bang('ls -l')\nb = 2"
    assert code_of("x = !ls") == f"x = {BANG}lines('ls')"
    assert code_of("a, b = !ls") == f"a, b = {BANG}lines('ls')"
    assert code_of("%pip install x") == f"{BANG}pip('install x')"
    assert code_of("if y:\n    !ls") == f"if y:\n    {BANG}bang('ls')"


def test_a_docstring_or_comment_before_it_changes_nothing() -> None:
    """guest A35: at the start of a statement, wherever that is."""
    for above in ("'''a\nb'''", "# note", "x = (1,\n 2)", "@f\ndef g():\n    pass", "a = \\\n 1"):
        assert code_of(f"{above}\n!ls") == f"{above}\n{BANG}bang('ls')"


def test_lines_after_a_shell_line_keep_their_numbers() -> None:
    """guest A35: also where it is continued, and in a whole cell of shell."""
    code = code_of("!ls \\\n  -l\n1/0")
    assert code.split("\n")[2] == "1/0"
    assert "echo a\\necho b" in code_of("%%bash\necho a\necho b")


def test_names_of_the_cell_are_filled_in_and_the_shells_own_are_not() -> None:
    """guest A35, as in IPython for plain arguments."""
    assert code_of("!ls {path} ${HOME}").endswith("bang('ls {} ${{HOME}}'.format(path))")
    for shells in ("awk '{print $1}' f", "echo {a,b}", "find . -exec ls {} +", "echo {1..3}"):
        assert code_of(f"!{shells}") == f"{BANG}bang({shells!r})"


@pytest.mark.parametrize("scope", ["def f():\n    {}", "class A:\n    {}",
                                   "def f():\n    if x:\n        {}"])  # fmt: skip
def test_a_shell_line_where_nothing_can_be_awaited_is_refused(scope: str) -> None:
    """guest A35: in a plain def, a sentence."""
    sentence = sentence_of(scope.format("!ls"))
    assert sentence.startswith("`!ls` is a governed call that has to be awaited")
    if scope == "def f():\n    {}":
        ast.parse(code_of("async " + scope.format("!ls")))


def test_after_a_plain_def_a_shell_line_is_fine_again() -> None:
    """guest A35"""
    assert code_of("def f():\n    pass\n!ls").endswith(f"{BANG}bang('ls')")


@pytest.mark.parametrize(("cell", "call"), [
    ("%time f()", ".timed("),
    ("%time x = await g()", ".timing(): x = await g()"),
    ("%time for i in y: z", ".time_of('for i in y: z')"),
    ("%timeit -n 10 -r3 f(x)", ".timeit('f(x)', 'pass', number=10, repeat=3)"),
    ("%%timeit a = 1\nb = a", ".timeit('b = a', 'a = 1')"),
    ("%matplotlib inline", ".matplotlib('inline')"),
    ("%env A=1", ".env('A=1')"),
    ("home = %env HOME", ".env('HOME')"),
    ("%cd {path}", ".cd('{}'.format(path))"),
    ("%pwd", ".pwd('')"),
    ("%who", ".who('')"),
    ("%whos int", ".whos('int')"),
])  # fmt: skip
def test_magics_of_the_guest_become_calls(cell: str, call: str) -> None:
    """guest A36"""
    code = code_of(cell)
    assert call in code
    compile(code, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_a_timed_cell_keeps_its_lines_and_is_marked() -> None:
    """guest A36"""
    door = open_door("%%time\nx = 1\nx")
    assert door == Python("\nx = 1\nx", timed=True)
    assert times(0.5, 1.5) == "CPU times: total: 500 ms\nWall time: 1.5 s\n"


def test_timeit_with_await_is_a_sentence() -> None:
    """guest A36"""
    assert "cannot await" in sentence_of("%timeit await f()")
    assert isinstance(open_door("%%timeit\nasync def f(): await g()"), Python)


def test_extensions_are_passed_over_with_a_sentence() -> None:
    """guest A36: status ok."""
    door = open_door("%load_ext autoreload\nx = 1")
    assert isinstance(door, Python)
    assert door.code == "pass\nx = 1"
    assert door.notices[0].startswith("`%load_ext` does nothing here")


def test_host_magics_never_become_code() -> None:
    """guest A37"""
    assert open_door("%todos") == Typed((("todos", ""),))
    assert open_door("%rows\n\n# and\n%limits clear bash") == Typed(
        (("rows", ""), ("limits", "clear bash"))
    )
    assert "stands alone" in sentence_of("x = 1\n%todos")
    assert open_door("%mine a", commands=["mine"]) == Typed((("mine", "a"),))


def test_host_magics_in_an_agents_cell_are_a_sentence() -> None:
    """guest A37"""
    for cell in ("%todos", "%%agent\nhello", "x = 1\n%compact"):
        assert "for a person's cells" in sentence_of(cell, agent=True)


def test_help_in_an_agents_cell_is_printed() -> None:
    """guest A39: an agent has no pager."""
    assert open_door("print?", agent=True) == Python("help(print)")


def test_an_agent_cell_has_words_and_options() -> None:
    """guest A37"""
    assert open_door("%%agent\nCount\nthem") == AgentCell("Count\nthem")
    assert open_door("%%agent --model openai:gpt-5 --steer use medians") == AgentCell(
        "use medians", "openai:gpt-5", None, True
    )
    assert open_door("\n%%agent --profile=base\nx") == AgentCell("x", None, "base")
    assert open_door("%agent count them") == AgentCell("count them")
    assert sentence_of("%%agent --modle x\ny").endswith("did you mean `--model`?")
    assert "needs a request" in sentence_of("%%agent\n\n")
    assert "needs a name" in sentence_of("%%agent --model\nx")


def test_an_unknown_magic_is_one_sentence_with_the_known_ones() -> None:
    """guest A38"""
    sentence = sentence_of("%frobnicate 1")
    assert sentence.startswith("There is no magic `%frobnicate`; there are %time, ")
    assert sentence.endswith("%%sh and %%agent.")
    assert "`%%html`" in sentence_of("%%html\n<b>")


def test_a_bare_command_is_plain_python() -> None:
    """guest A38: no automagic."""
    assert code_of("ls") == "ls"


def test_a_cell_magic_that_is_not_first_says_so() -> None:
    """guest A38"""
    assert "first line" in sentence_of("x = 1\n%%bash\nls")


def test_help_is_asked_for_after_the_code() -> None:
    """guest A39"""
    door = open_door("x = 1\nx?\nos.path??\n?print")
    assert isinstance(door, Python)
    assert door.code == "x = 1\npass\npass\npass"
    assert door.helps == (Help("x", 0), Help("os.path", 1), Help("print", 0))
    assert not door.empty
    assert open_door("zip?") == Python("pass", helps=(Help("zip", 0),), empty=True)


def test_code_that_cannot_be_tokenized_is_left_to_the_guest() -> None:
    """Bad input: the guest's SyntaxError names the place."""
    for cell in ("x = 'open\n!ls'", "(\n!ls", "  x\n y\n!ls", "'''never\n!ls"):
        door = open_door(cell)
        assert isinstance(door, Python)
        assert door.code.count("\n") == cell.count("\n")


def test_a_million_lines_without_a_mark_cost_nothing() -> None:
    """Bad input: a cell of 50 MB is not tokenized for nothing."""
    import time

    cell = "x = 1\n" * 5_000_000
    begun = time.monotonic()
    assert code_of(cell) is cell
    assert time.monotonic() - begun < 0.5
