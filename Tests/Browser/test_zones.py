# SPDX-License-Identifier: Apache-2.0
"""The places of machines: what an open photo tells of the one at which it came in."""

import json

import pytest
from playwright.sync_api import expect

from guest import Guest
from party import eventually


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


@pytest.mark.parametrize("locale, words", [("en-GB", ("Place of this computer", "Save")),
                                           ("fr-FR", ("Lieu de cet ordinateur", "Enregistrer"))])
def test_the_desk_gives_a_machine_its_place(own_party, browser, locale, words):
    label, save = words
    desk = Guest(browser, own_party.origins, "desktop", locale=locale).open(own_party.host.desk())
    expect(desk.page.locator("#overview")).to_be_visible()
    desk.page.click('#nav a[href$="/people"]')
    people = [json.loads(line) for line in own_party.host.command("people", "--json").splitlines()]
    own = next(person["key"] for person in people if person.get("isMe"))
    row = desk.page.locator(f'#people li[data-key="{own}"]')
    row.locator("summary").click()
    row.get_by_label(label).fill("Kitchen")
    row.get_by_role("button", name=save).click()
    expect(row).to_contain_text("; Kitchen")
    people = [json.loads(line) for line in own_party.host.command("people", "--json").splitlines()]
    assert next(person["zone"] for person in people if person.get("isMe")) == "Kitchen"
    desk.check()
    desk.close()
