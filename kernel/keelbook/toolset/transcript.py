"""What a model reads of a cell: its text, its displays, its value or error, each within a cap.

Rules (guest R8, B3, B21, B32, B36): the text is cut from the same frames the notebook gets and
neither cut changes the other; whether anything is missing is a flag. Of a line that was rewritten
with ``\\r`` only the last state is kept. A picture goes as a picture where the model takes them,
else its kinds and its plain text are named. Memory is bounded by the caps, whatever a cell prints.
"""

from __future__ import annotations

import json

from keelbook.interpreter import Outcome
from keelbook.messages import Image
from keelbook.observer import Display, Output
from keelbook.text import MARKER, count, cut, head, size

STREAM_BYTES = 64 * 1024
VALUE_BYTES = 64 * 1024
ERROR_BYTES = 16 * 1024
DISPLAY_BYTES = 4 * 1024
DISPLAYS_BYTES = 64 * 1024
IMAGE_BYTES = 5 * 1024 * 1024
IMAGES = 8
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")


class Screen:
    """A stream as it would stand on a terminal, without its past: at most ``most`` bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lines: list[str] = []
        self._kept = 0
        self._line = ""
        self._rewrite = False
        self._left_out = 0

    def write(self, text: str, left_out: int = 0) -> None:
        """More of the stream; ``left_out`` bytes were cut at the source."""
        self._left_out += left_out
        for piece in text.split("\n")[:-1]:
            self._put(piece)
            self._end_line()
        self._put(text.rpartition("\n")[2])

    def _put(self, piece: str) -> None:
        """Text without a line break; what follows a ``\\r`` stands in the line's place."""
        for index, state in enumerate(piece.split("\r")):
            self._rewrite = self._rewrite or index > 0
            if state:
                self._line = self._bounded(state if self._rewrite else self._line + state)
                self._rewrite = False

    def _bounded(self, line: str) -> str:
        if len(line) <= self._most:
            return line
        self._left_out += size(line[self._most :])
        return line[: self._most]

    def _end_line(self) -> None:
        self._keep(self._line + "\n")
        self._line, self._rewrite = "", False

    def _keep(self, line: str) -> None:
        kept = head(line, self._most - self._kept)
        self._left_out += size(line) - size(kept)
        self._kept += size(kept)
        if kept:
            self._lines.append(kept)

    def text(self) -> tuple[str, bool]:
        """What stands there, and whether anything is missing."""
        if self._line:
            self._keep(self._line)
            self._line = ""
        shown = "".join(self._lines)
        return (shown + MARKER.format(self._left_out), True) if self._left_out else (shown, False)


class Transcript:
    """Collects one cell for the model."""

    def __init__(self, *, images: bool) -> None:
        self._take_images = images
        self._streams = {"stdout": Screen(STREAM_BYTES), "stderr": Screen(STREAM_BYTES)}
        self._displays: dict[str, str] = {}
        self._pictures: dict[str, Image] = {}
        self._left = 0
        self._notes: list[str] = []

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures, in the order they were first shown."""
        return tuple(self._pictures.values())

    def output(self, output: Output) -> None:
        """Stream text."""
        self._streams[output.stream].write(output.text, output.cut)

    def note(self, text: str) -> None:
        """A line of the runtime's."""
        self._notes.append(head(text.strip(), DISPLAY_BYTES))

    def display(self, display: Display) -> None:
        """A display, or the last state of one that is updated.

        The shown value (op ``result``) is the outcome's; only its picture is taken here.
        """
        kind = next((k for k in PICTURES if isinstance(display.data.get(k), str)), None)
        if not display.data or (display.op == "result" and kind is None):
            return
        name = display.display_id or f"#{len(self._displays)}"
        kinds = ", ".join(sorted(display.data))
        line = f"[display: {kinds}] {cut(_plain(display), DISPLAY_BYTES)[0]}".rstrip()
        others = sum(size(text) for other, text in self._displays.items() if other != name)
        if others + size(line) > DISPLAYS_BYTES:
            self._left += 1
            return
        self._displays[name] = line
        if kind is not None:
            self._picture(name, kind, "".join(display.data[kind].split()))

    def _picture(self, name: str, kind: str, data: str) -> None:
        room = name in self._pictures or len(self._pictures) < IMAGES
        if self._take_images and room and len(data) <= IMAGE_BYTES:
            self._pictures[name] = Image(media_type=kind, data=data)

    def text(self, outcome: Outcome) -> tuple[str, bool]:
        """The whole for the model, and whether anything is missing from it."""
        parts: list[str] = [f"[{outcome.notice}]"] if outcome.notice else []
        missing = self._left > 0
        for name, screen in self._streams.items():
            shown, is_cut = screen.text()
            missing = missing or is_cut
            if shown.strip():
                parts += ["[stderr]"] if name == "stderr" else []
                parts.append(shown.rstrip("\n"))
        parts += self._displays.values()
        parts += [f"[{count(self._left, 'more display')}]"] if self._left else []
        parts += [f"[{note}]" for note in self._notes]
        ending, is_cut = _ending(outcome)
        return "\n".join([*parts, *ending]) or "[no output]", missing or is_cut


def _plain(display: Display) -> str:
    plain = display.data.get("text/plain", "")
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _ending(outcome: Outcome) -> tuple[list[str], bool]:
    """The value or the error, and how a run that did not end by itself was ended."""
    parts: list[str] = []
    missing = False
    if outcome.value is not None:
        value = outcome.value
        whole = value.text if value.form == "repr" else json.dumps(value.json, ensure_ascii=False)
        shown, is_cut = cut(whole, VALUE_BYTES)
        missing = is_cut or value.cut
        parts.append(f"[value]\n{shown}")
    if outcome.error is not None:
        error = outcome.error
        trace = "\n".join(error.traceback) or f"{error.name}: {error.message}"
        shown, is_cut = cut(trace, ERROR_BYTES)
        missing = missing or is_cut or error.cut
        parts.append(shown)
    if outcome.status != "ok" and outcome.sentence:
        parts.append(f"[{outcome.sentence}]")
    if outcome.left:
        parts.append(f"[still running: {count(outcome.left, 'task')} of this cell]")
    return parts, missing
