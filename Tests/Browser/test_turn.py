# SPDX-License-Identifier: Apache-2.0
"""Turning one's own photo: the button, what others see at once, and the wall."""

import pytest
from playwright.sync_api import expect

from party import eventually
from test_axe import find


@pytest.fixture
def party(parties):
    party = parties(guests=0)
    yield party
    party.end()


def shape(image):
    """Width and height of a picture on the screen, as it is turned."""
    box = image.bounding_box()
    return box["width"], box["height"]


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, word", [("en-GB", "Turn by a quarter"), ("fr-FR", "Tourner d’un quart")])
def test_a_tap_turns_ones_own_photo_for_everyone(party, guests, painter, locale, word):
    anna = guests(party, "phone", locale=locale).open(party.host.link).enter("Anna")
    zoe = guests(party, "phone").open(party.host.link).enter("Zoe")
    anna.choose(painter.photos(1))
    anna.expect_all_sent()
    zoe.expect_photos(1)
    expect(zoe.page.locator("#turn")).to_have_count(0)
    anna.go("mine")
    anna.page.locator("#mine-grid .tile button").first.click()
    button = anna.page.locator("#turn")
    expect(button).to_have_accessible_name(word)
    assert button.bounding_box()["height"] >= 44
    found = []
    find(anna, "own photo", found)
    assert found == []
    picture = anna.page.locator("#photo-stage .slide.here img:not(.under)")
    expect(picture).to_have_count(1)
    stage = anna.page.locator("#photo-stage").bounding_box()
    button.click()
    expect(picture).to_have_attribute("data-turn", "90")
    # It fits into the stage: neither beyond its edges, nor smaller than before.
    width, height = shape(picture)
    assert abs(width - stage["width"]) < 2 and abs(height - stage["height"]) < 2, (width, height, stage)
    expect(zoe.page.locator("#everyone-grid img")).to_have_attribute("data-turn", "90")
    for degrees in ("180", "270"):
        anna.page.locator("#turn").click()
        expect(picture).to_have_attribute("data-turn", degrees)
    assert anna.page.evaluate("getComputedStyle(document.querySelector('#photo-stage .slide.here img')).rotate") == "270deg"
    anna.page.locator("#turn").click()
    expect(zoe.page.locator("#everyone-grid img[data-turn]")).to_have_count(0)
    zoe.page.locator("#everyone-grid .tile button").first.click()
    expect(zoe.page.locator("#photo-stage .slide.here img:not(.under)")).to_be_visible()
    expect(zoe.page.locator("#turn")).to_have_count(0)


def test_the_wall_shows_it_turned(party, guests, painter):
    party.host.command("add", *painter.photos(1))
    photo = eventually("the photo", lambda: party.host.gallery())[0]["id"]
    party.host.command("turn", photo, "90")
    wall = guests(party, "desktop").open(party.host.link.replace("/#", "/wall#")).page
    picture = wall.locator("figure img").first
    expect(picture).to_have_attribute("data-turn", "90")
    figure = wall.locator("figure").first.bounding_box()
    width, height = shape(picture)
    assert abs(width - figure["width"]) < 2 and abs(height - figure["height"]) < 2, (width, height, figure)
