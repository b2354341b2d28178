"""What is done for each library that a cell may import.

Rules
- IPython's display functions send to the notebook as `display` does, with no shell
  (guest B28); `getpass` asks the person (guest B33).
- Matplotlib draws with the backend `backend`, which no environment variable names, so
  that a child Python works (guest B29). `comm`, which ipywidgets uses, sends through the channel
  (guest B30).
- Work given to a thread pool belongs to the run that gives it (guest B6).
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from functools import partial, wraps
from types import ModuleType
from typing import Any

from keelbook_guest.arrivals import Meeting
from keelbook_guest.comms import Comms
from keelbook_guest.display import DisplayHandle, Publisher, new_id
from keelbook_guest.figures import Figures
from keelbook_guest.prompts import Prompts

BACKEND = "module://keelbook_guest.backend"


def meetings(
    publisher: Publisher, prompts: Prompts, figures: Figures, comms: Comms
) -> dict[str, Meeting]:
    """By the name of the module that is met."""
    return {
        "IPython.core.display_functions": partial(_meet_display, publisher),
        "IPython.display": partial(_meet_display, publisher),
        "comm": comms.meet,
        "getpass": partial(_meet_getpass, prompts),
        "matplotlib": partial(_meet_matplotlib, figures),
        "concurrent.futures.thread": _meet_threads,
    }


def _meet_display(publisher: Publisher, module: ModuleType) -> None:
    class Handle(DisplayHandle):
        """IPython makes handles without saying where they send to."""

        def __init__(self, display_id: str | None = None) -> None:
            super().__init__(publisher, display_id or new_id())

    Handle.__name__ = Handle.__qualname__ = "DisplayHandle"
    Handle.__module__ = module.__name__
    for name, value in (
        ("display", publisher.display),
        ("update_display", publisher.update),
        ("clear_output", publisher.clear_output),
        ("publish_display_data", publisher.publish),
        ("DisplayHandle", Handle),
    ):
        if hasattr(module, name):
            setattr(module, name, value)


def _meet_getpass(prompts: Prompts, module: ModuleType) -> None:
    module.getpass = prompts.getpass  # type: ignore[attr-defined]


def _meet_matplotlib(figures: Figures, module: ModuleType) -> None:
    matplotlib: Any = module
    matplotlib.use(BACKEND)
    matplotlib.rcParamsDefault["backend"] = BACKEND
    figures.matplotlib = matplotlib


def _meet_threads(module: ModuleType) -> None:
    pool: Any = module.ThreadPoolExecutor
    original: Callable[..., Any] = pool.submit

    @wraps(original)
    def submit(self: Any, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        run = contextvars.copy_context().run
        return original(self, run, fn, *args, **kwargs)

    pool.submit = submit
