# SPDX-License-Identifier: Apache-2.0
"""The desk compares the phones that are connected with what the access point carries."""

import http.client
import re
import time
from datetime import datetime, timedelta

from playwright.sync_api import expect

from client import Client
from test_desk import sit  # noqa: F401


class Phone(Client):
    """A browser with an open page, at an address of its own on loopback."""

    def __init__(self, number, link):
        self.source = (f"127.0.0.{number}", 0)
        super().__init__(link)
        self.stream = http.client.HTTPConnection(self.host, timeout=60, source_address=self.source)
        self.stream.request("GET", f"{self.path}api/updates", headers={"Authorization": f"Bearer {self.session}"})
        assert self.stream.getresponse().status == 200


def test_the_desk_counts_phones_and_warns_before_the_access_point_is_full(lone_party, sit):  # noqa: F811
    phones = [Phone(number, lone_party.host.link) for number in range(2, 6)]
    again = Phone(2, lone_party.host.link)
    desk = sit(lone_party.host).go("overview")
    page = desk.page
    said = page.locator("#phones")
    expect(said).to_have_text("4 phones")
    page.fill("#carries", "5")
    page.press("#carries", "Tab")
    expect(said).to_have_text("4 of 5 phones")
    expect(page.get_by_role("alert").filter(has_text="nearly full")).to_be_visible()
    page.fill("#carries", "30")
    page.press("#carries", "Tab")
    expect(page.get_by_role("alert").filter(has_text="nearly full")).to_be_hidden()
    # It is remembered in this browser.
    page.reload()
    expect(said).to_have_text("4 of 30 phones")
    for phone in [*phones[:2], again]:
        phone.stream.close()
    expect(said).to_have_text("2 of 30 phones", timeout=120_000)


def test_a_phone_says_that_the_clock_of_the_computer_is_wrong(lone_party, sit):  # noqa: F811
    desk = sit(lone_party.host, "phone")
    # Its link works once: a page that is loaded again before it has its session shows no desk.
    desk.go("overview")
    # An hour ahead of the computer, which is on the same machine here.
    desk.page.clock.install(time=datetime.now() + timedelta(hours=1))
    desk.page.reload()
    desk.go("overview")
    clock = desk.page.locator("#clock")
    expect(clock).to_contain_text("60 minutes behind")
    said = re.search(r"sudo date -s @(\d+)", clock.inner_text())
    assert abs(int(said[1]) - time.time() - 3_600) < 600
    # The desk looks again every quarter of a minute, and the button keeps the focus.
    clock.get_by_role("button").focus()
    with desk.page.expect_response("**/phones"):
        desk.page.clock.fast_forward(20_000)
    expect(clock.get_by_role("button")).to_be_focused()
    right = sit(lone_party.host).go("overview")
    expect(right.page.locator("#phones")).to_have_text(re.compile("phone"))
    expect(right.page.locator("#clock")).to_be_empty()
