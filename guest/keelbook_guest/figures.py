"""A matplotlib backend: figures become PNG at the end of their cell and are closed.

Matplotlib loads this module by its name (see `libraries`), when matplotlib is already
imported, so nothing is imported from here but what is loaded.

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

PYLAB = "matplotlib._pylab_helpers"


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
        if self.matplotlib is not None and not run.silent:
            self.show()
        return []

    def show(self) -> None:
        """Shows every open figure that was not shown, and closes them all."""
        helpers = sys.modules.get(PYLAB)
        managers = helpers.Gcf.get_all_fig_managers() if helpers is not None else []
        figures = [manager.canvas.figure for manager in managers]
        if helpers is not None:
            helpers.Gcf.destroy_all()
        shown, self.shown = self.shown, set()
        for figure in figures:
            if id(figure) not in shown and (figure.axes or figure.texts or figure.lines):
                self.publisher.display(figure)
        self.shown.clear()


def png(figure: Any) -> bytes:
    """The figure as people see it: its own resolution, tight around what is drawn."""
    canvas = figure.canvas
    if canvas is None or not hasattr(canvas, "print_figure"):
        agg = sys.modules["matplotlib.backends.backend_agg"]
        canvas = agg.FigureCanvasAgg(figure)
    file = io.BytesIO()
    canvas.print_figure(file, format="png", dpi=figure.dpi, bbox_inches="tight")
    return file.getvalue()


def _text(figure: Any) -> str:
    width, height = figure.get_size_inches() * figure.dpi
    axes = len(figure.axes)
    return f"<Figure size {width:g}x{height:g} with {axes} Axes>"


shower: Figures | None = None
"""The figures of this guest; set when the guest is put together."""


def show(*args: Any, **kwargs: Any) -> None:
    """`plt.show()`."""
    if shower is not None:
        shower.show()


def __getattr__(name: str) -> Any:
    """The canvas classes, which are Agg's; matplotlib has imported them by now or does so."""
    if name in ("FigureCanvas", "FigureCanvasAgg", "FigureManager", "FigureManagerBase"):
        import importlib

        agg = importlib.import_module("matplotlib.backends.backend_agg")
        bases = importlib.import_module("matplotlib.backend_bases")
        return agg.FigureCanvasAgg if "Canvas" in name else bases.FigureManagerBase
    raise AttributeError(name)
