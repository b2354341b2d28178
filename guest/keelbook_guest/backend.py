"""The matplotlib backend of the guest: Agg's canvas, and a `show` that sends PNG.

Matplotlib imports this module by name when the first figure is made (see `libraries`), so
matplotlib is there.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from keelbook_guest import figures

FigureCanvas: Any = import_module("matplotlib.backends.backend_agg").FigureCanvasAgg
FigureManager: Any = import_module("matplotlib.backend_bases").FigureManagerBase


def show(*args: Any, **kwargs: Any) -> None:
    """`plt.show()`: what is open, once, in its place in the output."""
    if figures.shower is not None:
        figures.shower.show()
