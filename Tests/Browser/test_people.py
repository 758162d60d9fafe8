# SPDX-License-Identifier: Apache-2.0
"""The photos of one person: chosen from the list of people, or by the author's name under a photo."""

import re

import pytest
from playwright.sync_api import expect

from client import Client


@pytest.fixture(scope="module")
def crowd(parties, painter):
    """Photos of the host, and of guests with these names; two are called Zoë."""
    party = parties(guests=0)
    for name, count in [("Zoë", 3), ("Zoë", 1), ("Yann", 2)]:
        guest = Client(party.host.link).enter(name)
        for photo in painter.photos(count, width=160, height=120):
            assert guest.upload(photo.read_bytes())[0] == 204
    party.host.command("add", painter.photo(160, 120))
    yield party
    party.end()


def people(guest):
    """The lines of the list of people: names and numbers."""
    guest.page.locator("#everyone-grid").get_by_role("button", name="People").click()
    expect(guest.page.locator("#people")).to_be_visible()
    lines = guest.page.locator("#people li button")
    expect(lines.first).to_be_visible()
    return [tuple(line.split("\n")) for line in lines.all_inner_texts()]


def number_of(guest, name):
    """The place of the newest photo of a person among everyone's."""
    alternatives = guest.tiles().locator("img").evaluate_all("images => images.map((image) => image.alt)")
    return next(place for place, alt in enumerate(alternatives) if f"by {name}," in alt)


def test_the_list_of_people_tells_equal_names_apart_and_shows_one_persons_photos(crowd, guests, size):
    bea = guests(crowd, size).open(crowd.host.link).enter("Bea")
    bea.expect_photos(len(crowd.host.gallery()))
    lines = people(bea)
    names = [name for name, _ in lines]
    assert names[0] == "Everyone" and {"Yann", "Anna"} <= set(names)
    zoes = {name: number for name, number in lines if name.startswith("Zoë")}
    assert sorted(zoes.values()) == ["1 photo", "3 photos"]
    assert all(re.match(r"Zoë · [0-9a-f]{4}$", name) for name in zoes)
    name = next(name for name, number in zoes.items() if number == "3 photos")
    bea.page.locator("#people li button", has_text=name).click()
    expect(bea.page.locator("#person-name")).to_have_text(f"Photos by {name}")
    expect(bea.page.locator("#person-name")).to_be_focused()
    bea.expect_photos(3, "person")
    bea.page.go_back()
    expect(bea.page.locator("#person")).to_be_hidden()
    expect(bea.page.locator("#everyone")).to_be_visible()
    expect(bea.page.locator("#everyone-grid").get_by_role("button", name="People")).to_be_focused()


def test_the_name_under_a_photo_leads_to_the_persons_photos_and_back_returns_to_the_photo(crowd, guests, size):
    bea = guests(crowd, size).open(crowd.host.link).enter("Bea")
    bea.expect_photos(len(crowd.host.gallery()))
    bea.open_photo("everyone", number_of(bea, "Yann"))
    place = bea.page.locator("#photo-place").inner_text()
    bea.page.click("#photo-author")
    expect(bea.page.locator("#person-name")).to_have_text("Photos by Yann")
    bea.expect_photos(2, "person")
    bea.page.locator("#person-grid .tile button").first.click()
    expect(bea.page.locator("#photo-place")).to_have_text("1 of 2")
    bea.page.keyboard.press("ArrowRight")
    expect(bea.page.locator("#photo-place")).to_have_text("2 of 2")
    # Here the name leads back to the gallery that the photo was opened from.
    bea.page.click("#photo-author")
    expect(bea.page.locator("#photo")).to_be_hidden()
    expect(bea.page.locator("#person")).to_be_visible()
    bea.page.click("#person-back")
    expect(bea.page.locator("#photo-place")).to_have_text(place)
    bea.page.keyboard.press("Escape")
    expect(bea.page.locator("#photo")).to_be_hidden()
    expect(bea.page.locator("#everyone")).to_be_visible()
    assert bea.page.evaluate("document.activeElement.matches('#everyone-grid .tile > button')")


def test_one_persons_photos_follow_what_happens(crowd, guests, painter, size):
    vera = Client(crowd.host.link).enter("Vera")
    for photo in painter.photos(2, width=160, height=120):
        vera.upload(photo.read_bytes())
    bea = guests(crowd, size).open(crowd.host.link).enter("Bea")
    bea.expect_photos(len(crowd.host.gallery()))
    bea.open_photo("everyone", number_of(bea, "Vera"))
    bea.page.click("#photo-author")
    bea.expect_photos(2, "person")
    crowd.host.command("add", painter.photo(160, 120))
    vera.upload(painter.photo(160, 120).read_bytes())
    bea.expect_photos(3, "person")
    assert vera.json("PUT", "api/guest/name", {"name": "Veronica"})[0] == 204
    expect(bea.page.locator("#person-name")).to_have_text("Photos by Veronica")
    with bea.page.expect_download() as saved:
        bea.page.locator("#person-grid").get_by_role("button", name="Save all").click()
        bea.answer()
    assert saved.value.suggested_filename.endswith(".zip")


def test_a_hundred_and_fifty_people_are_searched_by_name(crowd, guests):
    bea = guests(crowd, "phone")
    names = [None, "Émile", *(f"Guest {number:03}" for number in range(148))]
    listed = [{"id": f"{number:064x}", "name": name, "count": 200 - number} for number, name in enumerate(names)]
    bea.page.route(re.compile(r"/api/people$"), lambda route: route.fulfill(json={"people": listed, "count": 160}))
    bea.open(crowd.host.link).enter("Bea")
    bea.expect_photos(len(crowd.host.gallery()))
    assert len(people(bea)) == 150
    dialog = bea.page.locator("#people")
    expect(dialog).to_contain_text("And 10 more people")
    search = dialog.get_by_role("searchbox")
    search.fill("emi")
    expect(dialog.locator("li:not([hidden])")).to_have_count(1)
    expect(dialog.locator("li:not([hidden])")).to_contain_text("Émile")
    search.fill("xyz")
    expect(dialog.get_by_role("status")).to_have_text("Nobody with photos has this name.")
    # The first Escape empties the field.
    bea.page.keyboard.press("Escape")
    bea.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(bea.page.locator("#everyone-grid").get_by_role("button", name="People")).to_be_focused()
