# SPDX-License-Identifier: Apache-2.0
"""Photos that organizers reveal together: what guests read, and the desk's button on an organizer's machine."""

import pytest
from playwright.sync_api import expect

from test_desk import nodes, sit  # noqa: F401


@pytest.fixture
def party(parties):
    party = parties(options=["--reveal", "by-host", "--shares", "2"], guests=0)
    yield party
    party.end()


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, words", [
    ("en-GB", "Two organizers reveal the photos together."),
    ("fr-FR", "Deux organisateurs révèlent les photos ensemble.")])
def test_guests_read_that_two_organizers_reveal_the_photos(party, guests, locale, words):
    guest = guests(party, "phone", locale=locale).open(party.host.link).enter("Anna")
    expect(guest.page.locator("#sealed")).to_contain_text(words)


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, label, agree", [
    ("en-GB", "with other organizers", "Agree"), ("fr-FR", "avec d’autres organisateurs", "Accepter")])
def test_the_desk_asks_before_it_publishes_a_share(party, sit, locale, label, agree):
    desk = sit(party.host, locale=locale)
    page = desk.go("settings").page
    expect(page.locator("#reveal")).to_contain_text(label)
    page.click("#reveal")
    expect(page.locator("#ask")).to_contain_text(agree)
    desk.answer(yes=False)
    shares = party.host.command("event", "shares")
    assert "2 of 3 shares are published; 2 missing" in shares
