"""Bytes of a file as text and back, without changing what was not asked for.

Rules: UTF-8 first, UTF-16 and UTF-32 by their mark, else Latin-1, which gives every byte back
unchanged; whether that happened is said. Line ends and the mark are kept. A file is binary when
its beginning holds a NUL and no mark, or the signature of a kind that is no text.
"""

from __future__ import annotations

import codecs

from keelbook.errors import ToolFailed
from keelbook.value import Value

SNIFF = 8192

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PICTURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_KINDS = (
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive (so are .xlsx, .docx and .npz files)"),
    (b"PAR1", "a Parquet table"),
    (b"ARROW1", "an Arrow table"),
    (b"\x1f\x8b", "gzip-compressed"),
    (b"SQLite format 3\0", "a SQLite database"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\x7fELF", "a program"),
    (b"\x80\x04", "a pickle"),
    (b"\x80\x05", "a pickle"),
)


class Decoded(Value):
    """A file's text. ``mark`` is the byte order mark it began with; ``guessed``: Latin-1."""

    text: str
    encoding: str
    mark: bytes = b""
    guessed: bool = False

    def encode(self, text: str) -> bytes:
        """``text`` in the file's own encoding. Raises ToolFailed for a character it lacks."""
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise ToolFailed(
                f"{text[error.start : error.start + 1]!r} cannot be written in the file's "
                f"encoding, {self.encoding}."
            ) from None


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """The text of a whole file. Raises ToolFailed for an encoding that is none or not this."""
    if encoding is not None:
        return _decode_as(data, encoding)
    mark, name = next((each for each in _MARKS if data.startswith(each[0])), (b"", "utf-8"))
    try:
        return Decoded(data[len(mark) :].decode(name), name, mark)
    except UnicodeDecodeError:
        return Decoded(data.decode("latin-1"), "latin-1", guessed=True)


def _decode_as(data: bytes, encoding: str) -> Decoded:
    try:
        text = str(data, encoding)
    except LookupError:
        raise ToolFailed(f"There is no text encoding `{encoding}`.") from None
    except UnicodeError:
        raise ToolFailed(
            f"The file is not written in {encoding}; leave `encoding` out to have it found."
        ) from None
    return Decoded(text, encoding)


def is_binary(beginning: bytes) -> bool:
    """Whether a file that begins so is no text."""
    if beginning.startswith(tuple(mark for mark, _ in _MARKS[1:])):
        return False
    return b"\0" in beginning[:SNIFF] or beginning.startswith(tuple(magic for magic, _ in _KINDS))


def picture(beginning: bytes) -> str | None:
    """The media type of a picture that models take, or None."""
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for magic, kind in _PICTURES if beginning.startswith(magic)), None)


def binary_kind(beginning: bytes) -> str:
    """What a binary file looks like, in a reader's words."""
    return next((kind for magic, kind in _KINDS if beginning.startswith(magic)), "a binary file")
