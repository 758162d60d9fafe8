# SPDX-License-Identifier: Apache-2.0
"""The organizer's description of the party on the guests' page."""

import pytest
from playwright.sync_api import expect

from party import read_code


@pytest.fixture
def described(parties):
    party = parties(guests=0, options=["--place", "The old barn", "--details", "Cake at five.\nBring a coat.",
                                       "--contact", "Anna, 0612345678", "--price", "12.50 EUR",
                                       "--link", "website=https://barn.example/way"])
    yield party
    party.end()


def test_a_guest_sees_place_time_price_contact_and_retention(described, guests, size, tmp_path):
    bea = guests(described, size).open(described.host.link).enter("Bea")
    bea.open_me()
    about = bea.page.locator("#about")
    for words in ["The old barn", "Hosted by Anna", "Entry: €12.50", "Cake at five.", "Contact: Anna, 0612345678",
                  "All photos are deleted from the party’s machines on"]:
        expect(about).to_contain_text(words)
    expect(about.locator("a[href='tel:0612345678']")).to_have_text("0612345678")
    link = about.locator("a[target]")
    expect(link).to_have_text("barn.example/way")
    expect(link).to_have_attribute("href", "https://barn.example/way")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    # A phone that is online scans it.
    code = about.get_by_role("img", name="QR code: https://barn.example/way")
    expect(code).to_be_hidden()
    about.get_by_text("QR code").click()
    expect(code).to_be_visible()
    code.screenshot(path=tmp_path / "code.png")
    assert read_code(tmp_path / "code.png") == "https://barn.example/way"


def test_the_contact_is_a_link_where_a_phone_can_open_it(described, guests, size):
    bea = guests(described, size).open(described.host.link).enter("Bea")
    for contact, address in [("anna@barn.example or ask at the bar", "mailto:anna@barn.example"),
                             ("Anna: +33 (6) 12-34-56-78.", "tel:+33612345678"), ("Table 12, ask for Anna", None)]:
        described.host.command("event", "edit", "--contact", contact)
        bea.page.reload()
        bea.expect_party()
        bea.open_me()
        expect(bea.page.locator("#about")).to_contain_text(f"Contact: {contact}")
        links = bea.page.locator("#about a:not([target])").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
        assert links == ([address] if address else [])
        bea.page.click("#me-back")


def test_a_party_without_a_description_shows_its_time_and_the_deletion_of_photos(lone_party, guests, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.open_me()
    about = bea.page.locator("#about")
    expect(about).to_contain_text("All photos are deleted")
    expect(about).not_to_contain_text("Contact")
    expect(about).not_to_contain_text("Entry")
