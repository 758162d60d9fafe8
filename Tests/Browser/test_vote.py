# SPDX-License-Identifier: Apache-2.0
"""The photo of the night: guests vote in the viewer, the desk closes the vote, the gallery and the wall show who has won."""

import pytest
from playwright.sync_api import expect

from party import eventually
from test_axe import find
from test_desk import nodes, sit  # noqa: F401


@pytest.fixture
def party(parties):
    party = parties(guests=0)
    yield party
    party.end()


def enter(guests, party, name, language=None):
    return guests(party, "phone", **({"locale": language} if language else {})).open(party.host.link).enter(name)


def open_photo(guest, author):
    guest.go("everyone")
    tile = guest.page.locator("#everyone-grid .tile button", has=guest.page.locator(f"img[alt*='{author}']"))
    tile.first.click()
    expect(guest.page.locator("#photo")).to_be_visible()


@pytest.mark.share(of=2)
@pytest.mark.parametrize("language, begun, vote, mine, done, title", [
    ("en-GB", "The vote for the photo of the night has begun.",
     "Vote for this photo", "Your vote, sealed", "Your vote is sealed", "Photo of the night"),
    ("fr-FR", "Le vote pour la photo de la soirée a commencé.",
     "Voter pour cette photo", "Votre vote, scellé", "Votre vote est scellé", "Photo de la soirée")])
def test_guests_vote_in_the_viewer_and_nobody_sees_how_it_stands_before_the_closing(
        party, guests, sit, painter, language, begun, vote, mine, done, title):
    anna, zoe = enter(guests, party, "Anna"), enter(guests, party, "Zoe", language)
    anna.choose(painter.photos(1))
    anna.expect_all_sent()
    zoe.choose(painter.photos(1))
    zoe.expect_all_sent()
    zoe.expect_photos(2)
    assert not any("vote" in request.url for request in zoe.requests)
    desk = sit(party.host)
    desk.page.click("#vote-switch")
    expect(zoe.page.locator("#vote-box h3")).to_have_text(title)
    expect(zoe.page.locator("#toast")).to_contain_text(begun)
    found = []
    find(zoe, "vote", found)
    open_photo(zoe, "Anna")
    button = zoe.page.locator("#vote button")
    expect(button).to_have_text(vote)
    assert button.bounding_box()["height"] >= 44
    find(zoe, "photo to vote for", found)
    button.click()
    expect(zoe.page.locator("#toast")).to_contain_text(done)
    expect(zoe.page.locator("#vote span")).to_have_text(mine)
    # It is not told to anybody, and the browser knows it after a reload.
    zoe.page.reload()
    zoe.expect_photos(2)
    open_photo(zoe, "Anna")
    expect(zoe.page.locator("#vote span")).to_have_text(mine)
    # The desk asks a few times a minute.
    expect(desk.page.locator("#vote")).to_contain_text("1 person has voted", timeout=90_000)
    expect(desk.page.locator("#vote-places li")).to_have_count(0)
    # Nobody votes for a photo of their own.
    open_photo(anna, "Anna")
    expect(anna.page.locator("#photo-save")).to_be_visible()
    expect(anna.page.locator("#vote")).to_have_count(0)

    wall = guests(party, "desktop").open(party.host.link.replace("/#", "/wall#")).page
    expect(wall.locator("#wall")).to_have_attribute("data-state", "photos")
    expect(wall.locator("#winner")).to_be_hidden()
    desk.page.click("#vote-switch")
    find(desk, "closing a vote", found)
    desk.page.locator("#ask button[value=yes]").click()
    expect(desk.page.locator("#vote-places li")).to_have_text(["Anna, 1 vote"])
    expect(wall.locator("#winner")).to_be_visible()
    expect(wall.locator("#winner")).to_contain_text("by Anna, 1 vote")
    expect(wall.locator("#winner img")).to_have_count(1)
    expect(zoe.page.locator("#vote .won")).to_contain_text(title)
    zoe.page.click("#photo-close")
    expect(zoe.page.locator("#vote-box li")).to_have_count(1)
    expect(zoe.page.locator("#vote-box li")).to_contain_text("Anna")
    find(zoe, "result", found)
    assert found == []
    zoe.page.locator("#vote-box li button").click()
    expect(zoe.page.locator("#photo")).to_be_visible()


def test_a_vote_can_be_changed_and_taken_back_until_the_closing(party, guests, painter):
    anna, ben, zoe = (enter(guests, party, name) for name in ("Anna", "Ben", "Zoe"))
    for one in (anna, ben):
        one.choose(painter.photos(1))
        one.expect_all_sent()
    zoe.expect_photos(2)
    party.host.command("vote", "open")
    expect(zoe.page.locator("#vote-box")).to_be_visible()
    open_photo(zoe, "Anna")
    zoe.page.click("#vote button")
    expect(zoe.page.locator("#vote span")).to_be_visible()
    zoe.page.locator("#photo-close").click()
    open_photo(zoe, "Ben")
    expect(zoe.page.locator("#vote button")).to_have_text("Vote for this photo")
    zoe.page.click("#vote button")
    expect(zoe.page.locator("#vote button")).to_have_text("Take the vote back")
    open_photo(anna, "Ben")
    anna.page.click("#vote button")
    expect(anna.page.locator("#vote span")).to_be_visible()
    anna.page.click("#vote button")
    expect(anna.page.locator("#vote button")).to_have_text("Vote for this photo")
    party.host.command("vote", "close")
    expect(zoe.page.locator("#vote .won")).to_contain_text("1 vote")
    # The winner is deleted: no photo has a vote.
    zoe.page.locator("#photo-close").click()
    photo = next(photo["id"] for photo in party.host.gallery() if photo["author"] == "Ben")
    party.host.command("hide", photo)
    eventually("nobody has won", lambda: "no photo that is shown" in party.host.command("vote", "result"))
