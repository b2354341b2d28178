"""Cutting texts to a number of UTF-8 bytes.

Rules: sizes are bytes of UTF-8, where a lone surrogate counts three; no cut falls inside
a code point (guest B12); what was left out is said by `protocol.MARKER` and by a flag,
never by the marker alone (guest B21).
"""

from __future__ import annotations

from keelbook_guest.protocol import MARKER


def utf8_length(text: str) -> int:
    """Bytes of `text` in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def cut_utf8(text: str, limit: int) -> str:
    """The longest prefix of `text` of at most `limit` bytes."""
    if limit <= 0:
        return ""
    head = text[:limit]
    if head.isascii():
        return head
    data = head.encode("utf-8", "surrogatepass")[: limit + 1]
    if len(data) <= limit:
        return head
    end = limit
    while data[end] & 0xC0 == 0x80:
        end -= 1
    return data[:end].decode("utf-8", "surrogatepass")


def cut_marked(text: str, limit: int | None) -> tuple[str, bool]:
    """`text`, or its prefix and the marker if it is longer than `limit`; whether it was cut."""
    if limit is None or len(text) * 4 <= limit:
        return text, False
    size = utf8_length(text)
    if size <= limit:
        return text, False
    kept = cut_utf8(text, limit)
    return kept + MARKER.format(size - utf8_length(kept)), True


def cut_middle(text: str, limit: int, tail: int) -> tuple[str, bool]:
    """Like `cut_marked`, but keeps the last `tail` code points as well."""
    size = utf8_length(text)
    if size <= limit:
        return text, False
    end = text[-tail:] if tail else ""
    kept = cut_utf8(text, limit - utf8_length(end))
    left_out = size - utf8_length(kept) - utf8_length(end)
    return kept + MARKER.format(left_out) + end, True
