"""Displays (guest B26-B31) and what libraries show."""

# ruff: noqa: E501 - the text of a cell stands on one line

from __future__ import annotations

import base64
import time
from typing import Any

import pytest

from tests.guest.conftest import Start
from tests.guest.driver import Driven, Ended

RICH = """
class Rich:
  def __init__(self, **found): self.found = found
  def __getattr__(self, name):
    if name.startswith('_repr_') and name in self.__dict__.get('found', {}): return lambda: self.found[name]
    raise AttributeError(name)
"""


def data(ended: Ended, op: str = "show") -> list[dict[str, Any]]:
    """The bundles of a run."""
    assert ended.status == "ok", ended.traceback
    return [frame["data"] for frame in ended.shown(op)]


def test_each_object_is_one_bundle_with_all_its_mimes(guest: Driven) -> None:
    """guest B26"""
    guest.run(
        "class H:\n  def _repr_html_(self): return '<b>h</b>'\n  def _repr_latex_(self): return '$x$'\n"
        "class P:\n  def _repr_png_(self): return b'png', {'width': 3}\n  def __repr__(self): return 'P!'\n"
        "class M:\n  def _repr_mimebundle_(self, include=None, exclude=None): return {'text/x': 'm'}, {'text/x': {'a': 1}}\n"
    )
    ended = guest.run("display(H(), P(), M())")
    first, second, third = data(ended)
    assert first["text/html"] == "<b>h</b>"
    assert first["text/latex"] == "$x$"
    assert first["text/plain"].startswith("<__main__.H at")
    assert second == {"text/plain": "P!", "image/png": base64.b64encode(b"png").decode()}
    assert ended.shown()[1]["metadata"] == {"image/png": {"width": 3}}
    assert third["text/x"] == "m"
    assert "text/plain" in third


def test_a_method_that_raises_is_passed_over_and_noted(guest: Driven) -> None:
    """guest B26"""
    ended = guest.run(
        "class B:\n  def _repr_html_(self): return 1 / 0\n  def _repr_markdown_(self): return '*m*'\ndisplay(B())"
    )
    assert set(data(ended)[0]) == {"text/plain", "text/markdown"}
    assert "_repr_html_ of B failed: ZeroDivisionError" in ended.text("stderr")


def test_an_object_that_shows_itself_does(guest: Driven) -> None:
    """guest B26"""
    ended = guest.run("class S:\n  def _ipython_display_(self): print('me')\ndisplay(S())")
    assert (ended.text(), ended.shown()) == ("me\n", [])


def test_an_object_that_claims_any_attribute_is_not_believed(guest: Driven) -> None:
    """guest B26"""
    ended = guest.run(
        "class Any:\n  def __getattr__(self, name): return lambda *a, **k: 'x'\ndisplay(Any())"
    )
    assert set(data(ended)[0]) == {"text/plain"}


def test_updates_replace_and_merge(guest: Driven) -> None:
    """guest B27"""
    ended = guest.run(
        "h = display('a', display_id='p')\nfor i in range(500): h.update(i)\nh2 = display('b', display_id=True)"
    )
    shown = ended.shown()
    assert shown[0]["display_id"] == "p"
    assert len(shown[1]["display_id"]) == 32
    updates = ended.shown("update")
    assert updates[-1]["data"] == {"text/plain": "499"}
    assert len(updates) < 50
    ended = guest.run("from_here = 1\nh.display('again')\nh.update('last')")
    assert [frame["display_id"] for frame in (*ended.shown(), *ended.shown("update"))] == ["p", "p"]


def test_ipythons_functions_work_with_no_shell(guest: Driven) -> None:
    """guest B28"""
    if not guest.ack["modules"]["IPython"]:
        assert guest.run("import IPython.display").error["name"] == "ModuleNotFoundError"
        return
    ended = guest.run(
        "from IPython.display import display, HTML, Markdown, clear_output, update_display, DisplayHandle\n"
        "h = display(HTML('<i>x</i>'), display_id='q')\nupdate_display(Markdown('*y*'), display_id='q')\n"
        "clear_output(wait=True)\nDisplayHandle('q').update('z')\nimport sys\n'IPython.terminal' in sys.modules"
    )
    assert data(ended)[0]["text/html"] == "<i>x</i>"
    assert ended.shown("clear")[0]["wait"] is True
    assert ended.shown("update")[-1]["data"] == {"text/plain": "'z'"}
    assert guest.run("from IPython import get_ipython\nget_ipython() is None").value is True


@pytest.fixture
def plotting(guest: Driven) -> Driven:
    """A guest whose interpreter has matplotlib."""
    if not guest.ack["modules"]["matplotlib"]:
        pytest.skip("this interpreter has no matplotlib")
    assert guest.run("import matplotlib.pyplot as plt").status == "ok"
    return guest


def test_open_figures_are_shown_at_the_cells_end_and_closed(plotting: Driven) -> None:
    """guest B29"""
    ended = plotting.run(
        "for i in range(2):\n  fig, ax = plt.subplots(figsize=(1, 1))\n  ax.plot([1, 2])"
    )
    bundles = data(ended)
    assert [set(bundle) for bundle in bundles] == [{"image/png", "text/plain"}] * 2
    assert base64.b64decode(bundles[0]["image/png"])[:4] == b"\x89PNG"
    assert plotting.run("plt.get_fignums()").value == []


def test_a_figure_that_is_the_value_appears_once(plotting: Driven) -> None:
    """guest B29"""
    ended = plotting.run("fig, ax = plt.subplots(figsize=(1, 1))\nl = ax.plot([1, 2])\nfig")
    assert len(ended.shown("result")) == 1
    assert "image/png" in ended.shown("result")[0]["data"]
    assert ended.shown() == []


def test_show_shows_in_its_place(plotting: Driven) -> None:
    """guest B29"""
    ended = plotting.run(
        "fig, ax = plt.subplots(figsize=(1, 1))\nl = ax.plot([1, 2])\nprint('a')\nplt.show()\nprint('b')"
    )
    kinds = [frame["t"] for frame in ended.frames]
    assert kinds == ["started", "output", "display", "output", "done"]


def test_a_figure_of_a_failed_cell_is_shown(plotting: Driven) -> None:
    """guest B29"""
    ended = plotting.run("fig, ax = plt.subplots(figsize=(1, 1))\nl = ax.plot([1, 2])\n1/0")
    assert (ended.status, len(ended.shown())) == ("error", 1)


def test_the_backend_is_named_in_no_environment(start: Start, python: str) -> None:
    """guest B29"""
    guest = start()
    if not guest.ack["modules"]["matplotlib"]:
        assert guest.run("import matplotlib").error["name"] == "ModuleNotFoundError"
        return
    ended = guest.run(
        "import matplotlib, os, subprocess, sys\n"
        "run = subprocess.run([sys.executable, '-c', 'import matplotlib.pyplot'], capture_output=True)\n"
        "[os.environ.get('MPLBACKEND'), run.returncode, matplotlib.get_backend()]"
    )
    assert ended.value == [None, 0, "module://keelbook_guest.backend"]


def test_a_large_bundle_crosses_as_a_descriptor_and_a_larger_one_becomes_a_notice(
    start: Start,
) -> None:
    """guest B31"""
    guest = start(limits={"display_bytes": 2 << 20})
    ended = guest.run("display({'text/plain': 'x', 'text/html': 'y' * (1 << 20)}, raw=True)")
    assert len(data(ended)[0]["text/html"]) == 1 << 20
    ended = guest.run("class Big:\n  def _repr_html_(self): return 'y' * (3 << 20)\ndisplay(Big())")
    text = data(ended)[0]["text/plain"]
    assert "Big: this display is 3145" in text
    assert "2097152" in text


def test_a_display_after_the_cells_end_is_late(guest: Driven) -> None:
    """guest B6, B7"""
    run = guest.run(
        "import asyncio\nh = asyncio.get_running_loop().call_later(0.05, display, 'later')"
    ).done["run"]
    late = guest.wait(lambda frame: frame["t"] == "display" and frame["op"] == "show")
    assert (late["run"], late["late"]) == (run, True)


COMM = """
import comm
got = []
c = comm.create_comm(target_name='t', data={'a': 1}, buffers=[b'xyz'])
c.on_msg(lambda m: got.append((m['content']['data'], [bytes(b) for b in m['buffers']])))
c.comm_id
"""


def test_comm_messages_cross_both_ways_in_order(guest: Driven) -> None:
    """guest B30"""
    if not guest.ack["modules"]["comm"]:
        assert guest.run("import comm").error["name"] == "ModuleNotFoundError"
        return
    ended = guest.run(COMM)
    opened = next(frame for frame in ended.frames if frame["t"] == "comm")
    assert (opened["op"], opened["target"], opened["data"]) == ("open", "t", {"a": 1})
    assert opened["buffers"] == [b"xyz"]
    name = ended.value
    for number in range(3):
        guest.send(
            {
                "t": "comm",
                "op": "msg",
                "comm": name,
                "data": {"n": number},
                "metadata": {},
                "buffers": [None],
                "payloads": [{"at": "/buffers/0", "bytes": 2, "form": "bytes"}],
            },
            [b"b" + str(number).encode()],
        )
    time.sleep(0.1)
    got = guest.run("str(got)").value
    assert got == "[({'n': 0}, [b'b0']), ({'n': 1}, [b'b1']), ({'n': 2}, [b'b2'])]"
    ended = guest.run("c.close()")
    assert next(frame for frame in ended.frames if frame["t"] == "comm")["op"] == "close"
