# SPDX-License-Identifier: Apache-2.0
"""Badges: what the page finds in the guest's own photos, and keeps to itself."""

import re

import pytest
from playwright.sync_api import expect

from client import Client

DANCE = "The first dance"


@pytest.fixture(scope="module")
def hunt(parties):
    party = parties(guests=0, frames="2", options=["--mission", DANCE])
    yield party
    party.end()


def badges(guest):
    """The names of the earned badges, and of the others."""
    box = guest.page.locator("#me-badges")
    expect(box.locator("[data-badge]")).to_have_count(7)
    names = lambda selector: set(box.locator(selector).evaluate_all("items => items.map((item) => item.dataset.badge)"))
    return names(".is-earned"), names("li:not(.is-earned)")


def test_badges_are_earned_announced_once_and_shown_to_nobody_else(hunt, guests, painter):
    # At noon, whenever this runs: nobody is a night owl.
    bea = guests(hunt, "phone", timezone_id="UTC").open(hunt.host.link).enter("Bea")
    page = bea.page
    bea.open_me()
    earned, open_ones = badges(bea)
    assert earned == set() and len(open_ones) == 7
    page.click("#me-back")

    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    expect(page.locator("#toast")).to_contain_text(re.compile("New badges?: .*First light"))
    bea.open_me()
    assert {"first", "early"} <= badges(bea)[0] <= {"first", "early", "night"}
    page.click("#me-back")

    # The last frame, and the mission, which is chosen later.
    bea.choose([painter.photo()], agrees=False)
    bea.expect_photos(2, "mine")
    expect(page.locator("#toast")).to_contain_text(re.compile("New badge: Last frame"))
    bea.open_photo("mine")
    page.get_by_label("Mission of this photo").select_option(DANCE)
    expect(page.locator("#toast")).to_contain_text("New badge: All missions")
    page.go_back()

    photo = page.evaluate("import('/shared/api.js').then(({ call }) => call('GET', 'api/photos?mine=1'))")["photos"][0]["id"]
    for number in range(10):
        bea.page.wait_for_timeout(0)
        friend = Client(hunt.host.link).enter(f"Friend {number}")
        assert friend.json("POST", f"api/photos/{photo}/reactions", {"emoji": "❤", "isOn": True})[0] == 204
    expect(page.locator("#toast")).to_contain_text("Loved by ten")

    # Nothing of it is announced again, and nothing of it was sent.
    page.reload()
    bea.expect_photos(2)
    bea.open_me()
    assert {"first", "early", "film", "missions", "loved"} <= badges(bea)[0]
    expect(page.locator("#toast")).to_be_hidden()
    assert not [request.url for request in bea.requests if request.method != "GET" and "badge" in (request.post_data or "")]
    assert "badge" not in str(Client(hunt.host.link).json("GET", "api/photos")[2])


def test_photos_from_before_this_browser_are_no_news(hunt, guests):
    party = hunt
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    bea.open_me()
    bea.page.click("#me-words-show")
    expect(bea.page.locator("#me-return")).to_contain_text("http")
    link = bea.page.locator("#me-return").inner_text()
    other = guests(party, "phone", locale="fr-FR").open(link)
    other.expect_party()
    other.open_me()
    assert badges(other)[0] == set()
    expect(other.page.locator("#me-badges")).to_contain_text("Pas encore")
    expect(other.page.locator("#toast")).to_be_hidden()
