# SPDX-License-Identifier: Apache-2.0
"""The places of machines: what an open photo tells of the one at which it came in, and the photos of each."""

import json

import pytest
from playwright.sync_api import expect

from guest import Guest
from party import eventually
from test_axe import find


def zones(node):
    return sorted(photo.get("zone") or "" for photo in node.gallery())


def test_an_open_photo_tells_at_which_machine_it_came_in(own_party, guests, painter):
    host, other = own_party.host, own_party.other
    host.command("zone", "Dance floor")
    own = painter.photo()
    other.command("add", own)
    bea = guests(own_party, "phone").open(host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    time = bea.page.locator("#photo-time")
    bea.open_photo("mine")
    expect(time).to_contain_text("· came in at Dance floor")
    bea.page.click("#photo-close")
    eventually("both machines know the place", lambda: zones(host) == zones(other) == ["", "Dance floor"])

    # A new name is there for the photos of before, too.
    bea.open_photo("mine")
    host.command("zone", "Terrace")
    expect(time).to_contain_text("· came in at Terrace")
    host.command("zone", "none")
    expect(time).not_to_contain_text("came in")


def test_with_two_places_the_photos_of_each_can_be_looked_at(own_party, guests, painter):
    host, other = own_party.host, own_party.other
    host.command("add", *painter.photos(2))
    other.command("add", painter.photo())
    host.command("zone", "Dance floor – 2")
    bea = guests(own_party, "phone").open(host.link).enter("Bea")
    bea.expect_photos(3)
    page, dialog = bea.page, bea.page.locator("#people")

    def choose():
        page.locator("#everyone-grid").get_by_role("button", name="People").click()
        expect(dialog).to_be_visible()

    # With one place there is nothing to choose from.
    choose()
    expect(dialog).not_to_contain_text("Where photos came in")
    page.keyboard.press("Escape")
    host.command("zone", "Kitchen", "--node", "Node 1")
    eventually("both places", lambda: zones(host) == ["Dance floor – 2"] * 2 + ["Kitchen"])
    choose()
    expect(dialog).to_contain_text("Where photos came in")
    found = []
    find(bea, "places", found)
    assert found == []
    dialog.get_by_role("button", name="Dance floor – 2").click()
    expect(page.locator("#person-name")).to_have_text("Dance floor – 2")
    bea.expect_photos(2, "person")
    # A photo that comes in there appears, one of another place does not.
    other.command("add", painter.photo())
    host.command("add", painter.photo())
    bea.expect_photos(3, "person")
    page.click("#person-back")
    # The list had been scrolled to the button, so new photos wait for a tap instead of moving it.
    page.get_by_role("button", name="2 new photos").click()
    bea.expect_photos(5)
    choose()
    dialog.get_by_role("button", name="Kitchen").click()
    bea.expect_photos(2, "person")


@pytest.mark.parametrize("locale, words", [("en-GB", ("Place of this computer", "Save")),
                                           ("fr-FR", ("Lieu de cet ordinateur", "Enregistrer"))])
def test_the_desk_gives_a_machine_its_place(lone_party, browser, locale, words):
    label, save = words
    desk = Guest(browser, lone_party.origins, "desktop", locale=locale).open(lone_party.host.desk())
    expect(desk.page.locator("#overview")).to_be_visible()
    desk.page.click('#nav a[href$="/people"]')
    people = [json.loads(line) for line in lone_party.host.command("people", "--json").splitlines()]
    own = next(person["key"] for person in people if person.get("isMe"))
    row = desk.page.locator(f'#people li[data-key="{own}"]')
    row.locator("summary").click()
    row.get_by_label(label).fill("Kitchen")
    row.get_by_role("button", name=save).click()
    expect(row).to_contain_text("· Kitchen")
    people = [json.loads(line) for line in lone_party.host.command("people", "--json").splitlines()]
    assert next(person["zone"] for person in people if person.get("isMe")) == "Kitchen"
    desk.check()
    desk.close()
