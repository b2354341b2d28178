"""The one way by which the runtime calls into user code, or waits where a run may end.

Rule: an interrupt is raised only where user code is at work (`stops`). On the stack, a
frame of `user_call` says that what is inside it is user code, whoever wrote it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any, TypeVar

T = TypeVar("T")


def user_call(function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """`function(*args, **kwargs)`, where the run may be ended."""
    return function(*args, **kwargs)


USER_CALL: CodeType = user_call.__code__
