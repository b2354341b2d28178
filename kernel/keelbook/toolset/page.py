"""Lines of a text as a model reads them: numbered, within bounds, with a sentence how to go on.

Rules: at most ``LINES`` lines and ``CHARACTERS`` characters; a line beyond ``LINE`` is cut unless
it was asked for alone. Every cut says which call shows more. Only a line feed ends a line; a
carriage return before it is not shown.
"""

from __future__ import annotations

from collections.abc import Sequence

LINES = 2000
CHARACTERS = 50_000
LINE = 2000


def pieces(text: str) -> list[str]:
    """The lines of ``text``, each with its end; joined they are ``text`` again."""
    parts = text.split("\n")
    last = parts.pop()
    return [part + "\n" for part in parts] + ([last] if last else [])


def numbered(lines: Sequence[str], first: int, column: int = 1) -> tuple[str, int]:
    """The view of ``lines``, whose first is line ``first``, and how many of them it shows.

    ``column`` is the first character shown of the first line, from 1.
    """
    alone = len(lines) == 1 or column > 1
    left, view = CHARACTERS, []
    for index, line in enumerate(lines[:LINES]):
        if left <= 0:
            break
        body = line.removesuffix("\n").removesuffix("\r")
        start = column - 1 if index == 0 else 0
        most = min(left, CHARACTERS if alone and index == 0 else LINE)
        part = body[start : start + most]
        rest = len(body) - start - len(part)
        if rest > 0:
            part += (
                f" [... {rest:,} more characters; go on with "
                f"offset={first + index}, column={start + most + 1}]"
            )
        view.append(f"{first + index:>6}\t{part}")
        left -= len(part) + 8
    return "\n".join(view), len(view)


def notice(first: int, shown: int, total: int | None) -> str:
    """Where the view stands in its file, ``""`` when it shows all. ``total`` None: not counted."""
    last = first + shown - 1
    if first == 1 and last == total:
        return ""
    of = "" if total is None else f" of {total:,}"
    more = "" if last == total else f" Go on with offset={last + 1}."
    if shown == 1:
        return f"\n[Line {first:,}{of}.{more}]"
    return f"\n[Lines {first:,} to {last:,}{of}.{more}]"
