"""What is known of a text that comes out of a command, and of a word made from it.

Rules: None stands for a flow nothing is known of. ``Dynamic`` is a word whose text is not known
before it runs; it reads as it was written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Origin = Literal["text", "download", "listing"]


@dataclass(frozen=True, slots=True)
class Flow:
    """``text``: exactly this. ``download``: from the network. ``listing``: names of many things.

    A listing is ``scratch`` when all it can name is temporary or built again.
    """

    origin: Origin
    text: str = ""
    scratch: bool = False


DOWNLOAD = Flow("download")
LISTING = Flow("listing")
SCRATCH = Flow("listing", scratch=True)


def known(text: str) -> Flow:
    """A flow of exactly this text."""
    return Flow("text", text)


class Dynamic(str):
    """A word that is not literally known."""

    __slots__ = ("flow",)

    def __new__(cls, text: str, flow: Flow | None = None) -> Dynamic:
        """``flow`` is where its text comes from."""
        made = super().__new__(cls, text)
        made.flow = flow
        return made

    flow: Flow | None


def joined(flows: list[Flow | None]) -> Flow | None:
    """One flow after the other."""
    if len(flows) == 1:
        return flows[0]
    for flow in flows:
        if flow is not None and flow.origin != "text":
            return flow
    texts = [flow.text for flow in flows if flow is not None]
    return known("".join(texts)) if texts and len(texts) == len(flows) else None


def flow_of(word: str) -> Flow | None:
    """Where a word's text comes from; a literal word is a text."""
    return word.flow if isinstance(word, Dynamic) else known(word)
