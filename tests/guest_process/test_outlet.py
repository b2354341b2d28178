"""What a guest shows, capped and merged (guest B35, G3, G16)."""

from __future__ import annotations

import asyncio
import time

from keelbook.guest_process.outlet import Outlet, Shown, printable
from keelbook.guest_process.settings import GuestSettings, Limits
from keelbook.observer import Display, Output


class Sent:
    def __init__(self, settings: GuestSettings | None = None) -> None:
        self.all: list[Shown] = []
        self.outlet = Outlet(
            lambda _run, shown: self.all.append(shown), settings or GuestSettings()
        )

    @property
    def text(self) -> str:
        return "".join(each.text for each in self.all if isinstance(each, Output))

    @property
    def cut(self) -> int:
        return sum(each.cut for each in self.all if isinstance(each, Output))


async def test_what_comes_alone_goes_on_at_once() -> None:
    sent = Sent()
    sent.outlet.text(None, Output("stdout", "a"))
    assert sent.all == [Output("stdout", "a")]


async def test_a_flood_of_lines_becomes_few_messages_with_nothing_lost() -> None:
    """guest G16, B2"""
    sent = Sent()
    lines = [f"{number}\n" for number in range(20_000)]
    for line in lines:
        sent.outlet.text(None, Output("stdout", line))
    sent.outlet.flush()
    assert sent.text == "".join(lines)
    assert len(sent.all) < 60


async def test_streams_and_displays_of_a_flood_keep_their_order() -> None:
    """guest B2"""
    sent = Sent()
    for number in range(100):
        sent.outlet.text(None, Output("stdout", f"o{number} "))
        sent.outlet.text(None, Output("stderr", f"e{number} "))
    sent.outlet.display(None, Display("show", {"text/plain": "d"}))
    sent.outlet.flush()
    assert sent.text == "".join(f"o{n} e{n} " for n in range(100))
    assert isinstance(sent.all[-1], Display)


async def test_no_more_than_two_hundred_messages_a_second_go_out() -> None:
    """guest G16"""
    sent = Sent()
    for number in range(200):
        sent.outlet.display(None, Display("show", {"text/plain": str(number)}))
    began = time.monotonic()
    await asyncio.sleep(0.3)
    passed = time.monotonic() - began
    assert 40 <= len(sent.all) <= 42 + 200 * passed


async def test_a_flood_of_displays_is_dropped_with_a_notice() -> None:
    """guest G16"""
    sent = Sent()
    for number in range(5000):
        sent.outlet.display(None, Display("show", {"text/plain": str(number)}))
    sent.outlet.flush()
    assert len(sent.all) < 500
    assert isinstance(sent.all[-1], Output)
    assert "displays left out" in sent.all[-1].text


async def test_updates_of_one_display_are_merged_to_the_last() -> None:
    """guest B27"""
    sent = Sent()
    for number in range(3000):
        sent.outlet.display(None, Display("update", {"text/plain": str(number)}, display_id="p"))
    sent.outlet.flush()
    last = sent.all[-1]
    assert isinstance(last, Display)
    assert last.data == {"text/plain": "2999"}
    assert len(sent.all) < 60


async def test_text_over_the_cap_is_cut_between_characters_and_counted() -> None:
    """guest B12, B35, G3"""
    sent = Sent(GuestSettings(limits=Limits(notebook_text_bytes=10)))
    sent.outlet.text(None, Output("stdout", "ééé"))
    sent.outlet.text(None, Output("stdout", "ééé"))
    sent.outlet.text(None, Output("stdout", "more"))
    sent.outlet.text(None, Output("stderr", "apart"))
    sent.outlet.flush()
    assert sent.text == "éééééapart"
    assert sent.cut == 2 + 4
    sent.outlet.renew()
    sent.outlet.text(None, Output("stdout", "again"))
    assert sent.text.endswith("again")


async def test_what_the_guest_left_out_is_passed_on_as_a_number() -> None:
    """guest B35"""
    sent = Sent()
    sent.outlet.text(None, Output("stdout", "", cut=7))
    sent.outlet.flush()
    sent.outlet.flush()
    assert sent.cut == 7


async def test_a_bundle_over_the_cap_is_replaced_by_a_notice() -> None:
    """guest B31"""
    sent = Sent(GuestSettings(limits=Limits(display_bytes=100)))
    sent.outlet.display(None, Display("show", {"image/png": "x" * 101, "text/plain": "p"}))
    assert isinstance(sent.all[0], Display)
    assert list(sent.all[0].data) == ["text/plain"]
    assert "image/png" in sent.all[0].data["text/plain"]
    assert "102 bytes" in sent.all[0].data["text/plain"]


async def test_all_bundles_of_a_cell_share_a_cap() -> None:
    """guest G3"""
    sent = Sent(GuestSettings(display_bytes_per_cell=250))
    for _ in range(3):
        sent.outlet.display(None, Display("show", {"image/png": "x" * 100}))
    kinds = [next(iter(each.data)) for each in sent.all if isinstance(each, Display)]
    assert kinds == ["image/png", "image/png", "text/plain"]


def test_a_lone_surrogate_is_written_as_its_escape() -> None:
    """guest B11"""
    assert printable("a\udc80é") == "a\\udc80é"
