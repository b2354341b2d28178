"""Pyplot's figures become PNG at the end of their cell and are closed.

Nothing of matplotlib is imported from here; what a cell has loaded is used.

Rules (guest B29): `plt.show()` shows what is open, once, in its place in the output; a
figure that is the cell's value is shown as the value only; figures are drawn with Agg.
"""

from __future__ import annotations

import io
import sys
from typing import Any

from keelbook_guest.display import Bundle, Publisher
from keelbook_guest.record import Run
from keelbook_guest.streams import Frame
from keelbook_guest.usercode import user_call

PYLAB = "matplotlib._pylab_helpers"


shower: Figures | None = None
"""The figures of this guest, for `backend`; set when the guest is put together."""


class Figures:
    """The open figures of pyplot. `matplotlib` is set once a cell has imported it."""

    def __init__(self, publisher: Publisher) -> None:
        self.publisher = publisher
        self.matplotlib: Any = None
        self.shown: set[int] = set()

    def bundle(self, value: Any) -> Bundle | None:
        """A figure as PNG; None for what is no figure."""
        module = sys.modules.get("matplotlib.figure")
        kind = getattr(module, "Figure", None)
        if kind is None or not isinstance(value, kind):
            return None
        self.shown.add(id(value))
        return {"image/png": png(value), "text/plain": _text(value)}

    def at_end(self, run: Run, value: Any) -> list[Frame]:
        """At a cell's end: shows the figures that are open and closes them."""
        if self.matplotlib is None or run.silent:
            return []
        return [
            {**self.publisher.frame("show", figure), "run": run.id, "late": False}
            for figure in self.take()
        ]

    def show(self) -> None:
        """Shows what is open, now."""
        for figure in self.take():
            self.publisher.display(figure)

    def take(self) -> list[Any]:
        """The open figures that were not shown and hold something; closes them all."""
        helpers = sys.modules.get(PYLAB)
        managers = helpers.Gcf.get_all_fig_managers() if helpers is not None else []
        figures = [manager.canvas.figure for manager in managers]
        if helpers is not None:
            helpers.Gcf.destroy_all()
        shown, self.shown = self.shown, set()
        return [
            figure
            for figure in figures
            if id(figure) not in shown and (figure.axes or figure.texts or figure.lines)
        ]


def png(figure: Any) -> bytes:
    """The figure as people see it: its own resolution, tight around what is drawn."""
    canvas = figure.canvas
    if canvas is None or not hasattr(canvas, "print_figure"):
        agg = sys.modules["matplotlib.backends.backend_agg"]
        canvas = agg.FigureCanvasAgg(figure)
    file = io.BytesIO()
    user_call(canvas.print_figure, file, format="png", dpi=figure.dpi, bbox_inches="tight")
    return file.getvalue()


def _text(figure: Any) -> str:
    width, height = figure.get_size_inches() * figure.dpi
    axes = len(figure.axes)
    return f"<Figure size {width:g}x{height:g} with {axes} Axes>"
