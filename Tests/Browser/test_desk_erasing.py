# SPDX-License-Identifier: Apache-2.0
"""An organizer deletes a guest's photo at the desk, and sees on how many computers it is and is gone."""

import re

import pytest
from playwright.sync_api import expect

from client import Client
from party import eventually
from test_axe import find
from test_desk import sit  # noqa: F401


@pytest.fixture
def hasty_party(parties):
    """The host's node purges what is deleted after a second instead of an hour."""
    party = parties(options=["--destruction-delay", "1"])
    yield party
    party.end()


def test_a_guests_photo_is_deleted_at_the_desk_with_receipts(hasty_party, sit, painter):  # noqa: F811
    host, other = hasty_party.nodes
    guest = Client(host.link).enter("Eve")
    photo = guest.upload(painter.photo().read_bytes())[2]
    eventually("it is on both", lambda: all(
        [shown["state"] for shown in node.gallery()] == ["complete"] for node in (host, other)))
    desk = sit(host).go("photos")
    page = desk.page

    def copies():
        page.locator("#grid li button").first.click()
        text = page.locator(".viewer .caption").inner_text()
        found = re.search(r"on (\d) of (\d) computers", text)
        page.keyboard.press("Escape")
        return found and found.groups() == ("2", "2")
    eventually("the desk knows of both copies", lambda: page.wait_for_timeout(500) or copies(), every=1)

    page.locator("#grid li button").first.click()
    page.click("#erase")
    expect(page.locator("#ask")).to_contain_text("Eve")
    page.locator("#ask").get_by_role("button", name="Delete for everyone").click()
    expect(page.locator("#grid li")).to_have_count(0)
    expect(page.locator(".viewer")).to_be_hidden()
    eventually("it is gone everywhere", lambda: host.gallery() == other.gallery() == [])
    assert guest.json("GET", f"api/photos/{photo}")[0] == 404
    desk.go("overview")
    row = page.locator("#receipts li")
    expect(row).to_contain_text(photo[:8])

    def is_purged():
        page.reload()
        expect(row).to_have_count(1)
        return "gone from 1 of 2 computers" in row.inner_text()
    eventually("this computer has purged it, the other has an hour", is_purged, every=1)
    found = []
    find(desk, "receipts", found)
    assert found == []
