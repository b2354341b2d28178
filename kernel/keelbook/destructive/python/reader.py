"""Judges Python, a cell or a script."""

from __future__ import annotations

from keelbook.destructive.inquiry import Inquiry
from keelbook.destructive.python.cells import told_apart
from keelbook.destructive.python.rough import readable
from keelbook.destructive.python.walk import PythonWalk

STATEMENTS = 30_000
"""The tree of more would take too much memory."""


def read(inquiry: Inquiry, text: str) -> None:
    """Judges one text: its magics in their languages, then the Python that is left."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") + text.count(";") > STATEMENTS:
        inquiry.report("python", "size", "unreadable", text, "has too many lines to be read")
        return
    cell = told_apart(text, inquiry.tick)
    walk = PythonWalk(inquiry, cell.python)
    whole = True
    if cell.tree is not None:
        walk.run(cell.tree)
    else:
        tree, whole = readable(cell.python, inquiry.tick)
        walk.run(tree)
    for part in cell.parts:
        if part.language == "reset":
            inquiry.report("python", "history", "debatable", part.text, "forgets all variables")
        else:
            inner = walk.filled(part.text) if part.magic[:2] != "%%" else part.text
            inquiry.inside((part.magic,), part.span).read(part.language, inner)
    if not whole:
        inquiry.report("python", "syntax", "unreadable", text, "cannot be read as Python")
