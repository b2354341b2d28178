"""JSON on the wire to front ends: text that UTF-8 cannot carry is written as its escape.

Rules (guest B11): half of a surrogate pair, from a cell or from an editor that cut an emoji in two,
becomes the six characters ``\\ud83d``, in and out. It never ends a channel, and a notebook that
holds it can be saved.
"""

from __future__ import annotations

import json
from typing import Any

from jupyter_client.session import Session as Wire
from jupyter_client.session import json_packer

from keelbook.text import escaped


def pack(value: Any) -> bytes:
    """``value`` as UTF-8 JSON. Raises TypeError or ValueError for what is no JSON."""
    try:
        return json_packer(value)
    except UnicodeEncodeError:
        return json_packer(escaped(value))


def unpack(data: bytes | memoryview) -> Any:
    """The JSON value in ``data``. Raises ValueError."""
    text = bytes(data)
    value = json.loads(text.decode("utf-8", "replace"))
    return escaped(value) if b"\\ud" in text.lower() else value


def keep_to_utf8(wire: Wire) -> Wire:
    """``wire``, with these two as its packer and unpacker."""
    changed: Any = wire
    changed.pack, changed.unpack = pack, unpack
    return wire
