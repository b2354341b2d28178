"""The pace of what is published: slowed under a flood, and owing nothing afterwards."""

from __future__ import annotations

import time

from tests.jupyter.driving import Driven


def test_a_line_shows_at_once_after_cells_that_published_much(kernel: Driven) -> None:
    """guest B1: what a cell's end pushed out at once is not taken off the next cell's pace."""
    for _ in range(20):
        kernel.ok("from IPython.display import display\nfor i in range(60): display(i)")
    sent = kernel.send("import time\nprint('now')\ntime.sleep(4)")
    begun = time.monotonic()
    kernel.until(lambda m: m["msg_type"] == "stream" and m["parent_header"]["msg_id"] == sent)
    assert time.monotonic() - begun < 2
    kernel.settled(sent)
