"""File patterns: where a walk begins and which paths below it match.

Rules: ``**`` crosses folders as a whole segment only, ``*`` does not; dotfiles match; ``{a,b}``,
``[!x]`` and ``@(a|b)`` work: the grammar of path rules. The folders a pattern begins with, ``..``
and an absolute beginning included, are where the walk starts.
"""

from __future__ import annotations

import re

from keelbook.errors import ToolFailed
from keelbook.value import Value

LONGEST = 1000

_MAGIC = re.compile(r"[*?\[\]{}\\]|[+@!]\(")


class Pattern(Value):
    """``start``: a path to walk from. ``globs``: regular expressions over what lies below it.

    ``levels`` bounds the depth (None: any), ``names`` are the segments written out, ``folders``:
    folders are wanted instead of files.
    """

    start: str
    globs: tuple[str, ...]
    levels: int | None
    names: frozenset[str]
    folders: bool


def parse(text: str) -> Pattern:
    """The pattern ``text``. Raises ToolFailed with one sentence for one that cannot work."""
    if not text or len(text) > LONGEST or "\0" in text:
        raise ToolFailed(
            f"A pattern has 1 to {LONGEST:,} characters, such as `**/*.py`.", "pattern"
        )
    folders = text.endswith("/")
    start, rest = _split(text.rstrip("/") or "/")
    segments = rest.split("/")
    if any(each in (".", "..") for each in segments):
        raise ToolFailed(
            f"`.` and `..` work only at the beginning of a pattern, not in `{text}`.", "pattern"
        )
    endless = "**" in rest or re.search(r"[*+?@!]\(", rest) is not None
    return Pattern(
        start, translated(rest), None if endless else len(segments), frozenset(segments), folders
    )


def _split(text: str) -> tuple[str, str]:
    """The folders in front that are written out, and the rest, which is never empty."""
    segments = [each for i, each in enumerate(text.split("/")) if each or i == 0]
    index = 0
    while index < len(segments) - 1 and not _MAGIC.search(segments[index]):
        index += 1
    start = "/".join(segments[:index])
    if index and not start:
        start = "/"
    return start or ".", "/".join(segments[index:]) or "*"


def translated(text: str) -> tuple[str, ...]:
    """``text`` as regular expressions for paths with ``/``; one of them must match."""
    from wcmatch import glob

    flags = (
        glob.GLOBSTAR | glob.DOTGLOB | glob.BRACE | glob.EXTGLOB | glob.FORCEUNIX | glob.CASE
    )  # fmt: skip
    try:
        wanted, _ = glob.translate(text, flags=flags)
    except Exception as error:
        # wcmatch raises several types of its own for patterns it cannot expand.
        raise ToolFailed(f"The pattern `{text[:80]}` cannot be used: {error}.", "pattern") from None
    return tuple(wanted)
