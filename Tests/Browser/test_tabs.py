# SPDX-License-Identifier: Apache-2.0
"""Many tabs of one browser, as after scanning a poster repeatedly."""

import time

from playwright.sync_api import expect

from guest import Guest


class Tab(Guest):
    """Opens another page in a guest's browser, with the same cookies and storage."""

    def __init__(self, guest, link):
        self.context = guest.context
        self.page = guest.context.new_page()
        self.page.goto(link)
        self.expect_party()


def streams(guest):
    """Returns the event streams that the browser holds open: started, and neither ended nor cancelled."""
    return guest.open_streams


def watch_streams(guest):
    guest.open_streams = set()
    is_stream = lambda request: "api/updates" in request.url
    guest.context.on("request", lambda request: is_stream(request) and guest.open_streams.add(request))
    for event in ("requestfinished", "requestfailed"):
        guest.context.on(event, lambda request: guest.open_streams.discard(request))


def test_twelve_tabs_load_and_show_new_photos_through_one_stream(
        own_party, guests, painter, size, record_property):
    bea = guests(own_party, size)
    watch_streams(bea)
    bea.open(own_party.host.link).enter("Bea")
    cleo = guests(own_party, size).open(own_party.host.link).enter("Cleo")
    cleo.choose(painter.photos(2, width=4000, height=3000))
    tabs, slowest = [], 0
    for _ in range(11):
        begun = time.monotonic()
        tabs.append(Tab(bea, own_party.host.link))
        slowest = max(slowest, time.monotonic() - begun)
    record_property("slowest of 12 tabs, s", round(slowest, 2))
    for tab in [bea, *tabs]:
        tab.expect_photos(2)
    assert len(streams(bea)) == 1
    own_party.other.command("add", painter.photo())
    for tab in [bea, *tabs]:
        tab.expect_photos(3)


def test_when_the_tab_that_holds_the_stream_is_closed_another_takes_over(own_party, guests, painter, size):
    bea = guests(own_party, size)
    watch_streams(bea)
    bea.open(own_party.host.link).enter("Bea")
    tabs = [Tab(bea, own_party.host.link) for _ in range(3)]
    tabs[0].page.wait_for_timeout(1_500)
    [held] = streams(bea)
    closed = next(page for page in bea.context.pages if page == held.frame.page)
    closed.close()
    bea.open_streams.discard(held)
    rest = [tab for tab in [bea, *tabs] if tab.page != closed]
    own_party.other.command("add", painter.photo())
    for tab in rest:
        tab.expect_photos(1)
        expect(tab.page.locator("#out-of-reach")).to_be_hidden()
    assert len(streams(bea)) == 1
