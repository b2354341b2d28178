"""Text a reader meets: cutting without breaking a character, counting, near names.

Rules: a cut counts UTF-8 bytes and never falls inside a code point; the marker stands where text
is missing and nowhere else decides anything (whether text was cut is always a field).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

MARKER = "\n[... {} bytes left out ...]\n"


def size(text: str) -> int:
    """UTF-8 bytes of ``text``; a lone surrogate counts as its ``\\udc80`` escape."""
    return len(text.encode("utf-8", "backslashreplace"))


def head(text: str, most: int) -> str:
    """The longest beginning of ``text`` that is at most ``most`` UTF-8 bytes."""
    if len(text) * 4 <= most:
        return text
    data = text.encode("utf-8", "backslashreplace")
    return text if len(data) <= most else data[: max(most, 0)].decode("utf-8", "ignore")


def tail(text: str, most: int) -> str:
    """The longest end of ``text`` that is at most ``most`` UTF-8 bytes."""
    data = text.encode("utf-8", "backslashreplace")
    return text if len(data) <= most else data[len(data) - max(most, 0) :].decode("utf-8", "ignore")


def cut(text: str, most: int) -> tuple[str, bool]:
    """``text`` within ``most`` bytes (the marker not counted), and whether anything is missing."""
    total = size(text)
    if total <= most:
        return text, False
    kept = head(text, most)
    return kept + MARKER.format(total - size(kept)), True


def near(name: str, known: Iterable[str]) -> str | None:
    """The known name a reader most likely meant, or None."""
    import difflib

    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return found[0] if found else None


def count(number: int, noun: str, plural: str | None = None) -> str:
    """``1 step``, ``3 steps``, ``12,000 bytes``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Iterable[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    items = list(names)
    return (
        items[0]
        if len(items) == 1
        else f"{', '.join(items[:-1])} {last} {items[-1]}"
        if items
        else ""
    )


def estimated_tokens(text: str) -> int:
    """Four characters a token, rounded up."""
    return -(-len(text) // 4)


def digest(text: str) -> str:
    """32 hex digits that two different texts do not share."""
    data = text.encode("utf-8", "backslashreplace")
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def escaped(value: Any) -> Any:
    """A JSON value with lone surrogates, which UTF-8 cannot carry, as their ``\\udc80`` escapes."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {escaped(key): escaped(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [escaped(each) for each in value]
    return value
