# SPDX-License-Identifier: Apache-2.0
"""Photos of others in which a guest does not want to be: the guest's two taps, the tile, the queue of the desk."""


import pytest
from playwright.sync_api import expect

from party import eventually, is_in
from test_axe import find
from test_desk import nodes, sit  # noqa: F401


@pytest.fixture
def party(parties, painter):
    party = parties()
    party.host.command("event", "edit", "--veils", "on")
    yield party
    party.end()


def veiled(party):
    return party.host.status()["veiledCount"]


def enter(guests, party, name, language=None):
    return guests(party, "phone", **({"locale": language} if language else {})).open(party.host.link).enter(name)


def open_photo(guest):
    guest.go("everyone")
    guest.page.locator("#everyone-grid .tile button").first.click()
    expect(guest.page.locator("#photo")).to_be_visible()


@pytest.mark.share(of=2)
@pytest.mark.parametrize("language, ask, tile", [
    ("en-GB", "Not me, please", "Veiled, being looked at"),
    ("fr-FR", "Pas moi, s’il vous plaît", "Voilée, en cours d’examen")])
def test_two_taps_veil_a_photo_until_the_host_decides(party, guests, sit, painter, language, ask, tile):
    anna, zoe = enter(guests, party, "Anna"), enter(guests, party, "Zoe", language)
    anna.choose(painter.photos(1))
    anna.expect_all_sent()
    zoe.expect_photos(1)
    open_photo(zoe)
    button = zoe.page.locator("#veil")
    expect(button).to_have_text(ask)
    assert button.bounding_box()["height"] >= 44
    found = []
    find(zoe, "photo of others", found)
    button.click()
    expect(zoe.page.locator("#ask")).to_be_visible()
    find(zoe, "veil", found)
    zoe.page.locator("#ask button[value=yes]").click()
    eventually("it is veiled", lambda: veiled(party) == 1)
    # Both see that it is there; its author, looking at the own film, sees the photo.
    expect(zoe.page.locator("#photo-stage .neutral")).to_contain_text(tile)
    zoe.page.locator("#photo-close").click()
    expect(zoe.page.locator("#everyone-grid .neutral")).to_contain_text(tile)
    expect(zoe.page.locator("#everyone-grid img")).to_have_count(0)
    find(zoe, "veiled photo", found)
    anna.go("mine")
    expect(anna.page.locator("#mine-grid img")).to_have_count(1)
    expect(anna.page.locator("#mine-grid .frame.waiting")).to_have_text("Veiled")

    desk = sit(party.host)
    expect(desk.page.locator("#nav [data-section=veils] .count")).to_have_text("1")
    desk.go("veils")
    expect(desk.page.locator("#queue li")).to_have_count(1)
    find(desk, "veils", found)
    assert found == []
    desk.page.keyboard.press("h")
    expect(desk.page.locator("#queue-note")).to_be_visible()
    expect(zoe.page.locator("#everyone-grid .tile")).to_have_count(0)
    desk.page.keyboard.press("u")
    expect(desk.page.locator("#queue li")).to_have_count(1)
    desk.page.keyboard.press("s")
    expect(desk.page.locator("#queue li")).to_have_count(0)
    expect(zoe.page.locator("#everyone-grid img")).to_have_count(1)
    # Nobody has it veiled another time, and the page says why.
    zoe.allow("409")
    open_photo(zoe)
    button.click()
    zoe.page.locator("#ask button[value=yes]").click()
    expect(zoe.page.locator("#toast")).to_contain_text("host" if language == "en-GB" else "hôte")
    assert veiled(party) == 0


def test_photos_that_only_a_new_node_asks_for_are_shown_again_with_one_button(party, sit, painter):
    party.host.command("add", *painter.photos(3))
    is_in(party.other)
    eventually("the node has the photos", lambda: len(party.other.gallery()) == 3)
    for photo in party.other.gallery():
        party.other.command("veil", photo["id"])
    eventually("they are veiled", lambda: veiled(party) == 3)
    desk = sit(party.host)
    desk.go("veils")
    button = desk.page.locator("#lift-all")
    expect(button).to_have_text("Show 3 photos again (1 device)")
    found = []
    find(desk, "veils of new devices", found)
    assert found == []
    # Nothing was let in after that.
    desk.page.locator("#veils-since").fill("2099-01-01T00:00")
    expect(button).to_be_hidden()
    expect(desk.page.locator("#veils-recent-none")).to_be_visible()
    desk.page.locator("#veils-since").fill("2020-01-01T00:00")
    button.click()
    expect(desk.page.locator("#queue li")).to_have_count(0)
    eventually("all are shown", lambda: veiled(party) == 0)
    desk.page.keyboard.press("u")
    eventually("all are veiled again", lambda: veiled(party) == 3)
    expect(desk.page.locator("#queue li")).to_have_count(3)


def test_a_guest_takes_it_back_at_once_and_the_wall_follows(party, guests, painter):
    anna, zoe = enter(guests, party, "Anna"), enter(guests, party, "Zoe")
    anna.choose(painter.photos(1))
    anna.expect_all_sent()
    zoe.expect_photos(1)
    # A browser of its own: a wall takes a session without a guest.
    wall = guests(party, "desktop").open(party.host.link.replace("/#", "/wall#")).page
    expect(wall.locator("#wall")).to_have_attribute("data-state", "photos")
    open_photo(zoe)
    zoe.page.locator("#veil").click()
    zoe.page.locator("#ask button[value=yes]").click()
    expect(wall.locator("#wall")).not_to_have_attribute("data-state", "photos")
    zoe.page.locator("#toast button.plain:not(.bare)").click()
    eventually("it is shown again", lambda: veiled(party) == 0)
    expect(wall.locator("#wall")).to_have_attribute("data-state", "photos")
    expect(zoe.page.locator("#veil")).to_have_text("Not me, please")
