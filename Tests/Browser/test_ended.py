# SPDX-License-Identifier: Apache-2.0
"""The end of taking photos: the party is over, or the film is full."""

import pytest
from playwright.sync_api import expect

from guest import UNREACHABLE


@pytest.fixture
def short_film(parties):
    party = parties(frames="3", guests=0)
    yield party
    party.end()


def test_when_the_host_closes_the_party_the_page_thanks_and_offers_the_photos(lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.choose(painter.photos(2))
    bea.expect_photos(2, "mine")
    bea.expect_all_sent()
    over = bea.page.locator("#over")
    expect(over).to_be_hidden()
    lone_party.host.command("event", "close", "--yes")
    expect(over).to_be_visible()
    expect(over).to_contain_text("The party is over. Thank you!")
    expect(over).to_contain_text("2 photos to take home.")
    expect(over).to_contain_text("look at them and save them until")
    expect(bea.page.locator("#shutters")).to_be_hidden()
    with bea.page.expect_download() as download:
        bea.page.click("#instead-save")
        bea.answer()
    assert download.value.suggested_filename.endswith(".zip")
    # The host takes what was taken in time and comes late.
    lone_party.host.command("event", "edit", "--late", "2h")
    expect(bea.page.locator("#library-text")).to_have_text("Add photos")
    expect(over).to_contain_text("save them and add your own until")
    expect(bea.page.locator("#take")).to_be_hidden()
    bea.choose([painter.photo()], agrees=False)
    bea.expect_photos(3, "mine")


def test_before_the_party_the_page_says_when_photos_are_taken(parties, guests, painter, size):
    party = parties(options=["--draft", "--duration", "2h"], guests=0)
    bea = guests(party, size).open(party.host.link).enter("Bea")
    early = bea.page.locator("#early")
    expect(early).to_have_text("The host has not opened the party yet. You can look around already.")
    expect(bea.page.locator("#shutters")).to_be_hidden()
    party.host.command("event", "edit", "--starts", "tomorrow 18:00")
    party.host.command("event", "open")
    expect(early).to_contain_text("You can add photos from")
    expect(bea.page.locator("#shutters")).to_be_hidden()
    party.host.command("event", "edit", "--starts", "now")
    expect(early).to_be_hidden()
    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    party.end()


def test_a_photo_that_is_sent_after_the_end_is_refused_with_the_reason_and_sent_with_more_time(
        lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.allow("409")
    bea.allow(UNREACHABLE)
    # Taken in time, where there is no Wi-Fi, and sent when the party is over.
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    bea.page.context.set_offline(True)
    bea.choose([painter.photo()], agrees=False)
    lone_party.host.command("event", "close", "--yes")
    bea.page.context.set_offline(False)
    failed = bea.page.locator(".upload.is-failed")
    expect(failed).to_contain_text("The party is over. Keep this photo")
    assert len(lone_party.host.gallery()) == 1
    lone_party.host.command("event", "edit", "--late", "any")
    failed.get_by_text("Try again").click()
    bea.expect_photos(2, "mine")


def test_a_newcomer_to_a_party_that_is_over_is_shown_the_photos_and_not_asked_to_use_a_film(lone_party, guests, painter, size):
    lone_party.host.command("add", painter.photo())
    lone_party.host.command("event", "close", "--yes")
    bea = guests(lone_party, size).open(lone_party.host.link)
    expect(bea.page.locator("#welcome-title")).to_have_text("Garden party is over")
    expect(bea.page.locator("#welcome-frames")).to_be_hidden()
    expect(bea.page.locator("#welcome-join")).to_have_text("See the photos")
    expect(bea.page.locator("#welcome-naming")).to_be_hidden()
    bea.enter()
    bea.expect_photos(1)
    expect(bea.page.locator("#over")).to_contain_text("1 photo to take home.")


def test_if_too_many_photos_are_picked_the_guest_selects_some_before_any_is_sent(short_film, guests, painter, size):
    bea = guests(short_film, size).open(short_film.host.link).enter("Bea")
    bea.choose(painter.photos(5), agrees=False)
    dialog = bea.page.locator("#ask")
    expect(dialog).to_contain_text("3 of 5 fit on your film")
    ticks = dialog.locator("input")
    expect(ticks).to_have_count(5)
    expect(dialog.locator("input:checked")).to_have_count(3)
    # If none more fits, one has to be unselected first.
    expect(ticks.nth(4)).to_be_disabled()
    ticks.nth(0).uncheck()
    expect(dialog.locator("button[value=yes]")).to_have_text("Send 2")
    ticks.nth(4).check()
    expect(dialog.locator("canvas")).to_have_count(5)
    dialog.locator("button[value=yes]").click()
    expect(dialog).to_contain_text("Everyone here can see and save the photos I add.")
    bea.answer()
    bea.expect_photos(3, "mine")
    bea.expect_all_sent()
    assert len(short_film.host.gallery()) == 3
    assert not [request for request in bea.requests if request.method == "POST" and request.url.endswith("/uploads")][3:]


def test_a_guest_who_cancels_the_selection_sends_no_photo(short_film, guests, painter, size):
    bea = guests(short_film, size).open(short_film.host.link).enter("Bea")
    bea.choose(painter.photos(4), agrees=False)
    bea.answer(yes=False)
    bea.go("mine")
    expect(bea.page.locator(".upload")).to_have_count(0)
    assert short_film.host.gallery() == []


def test_a_full_film_offers_viewing_and_saving_until_the_host_gives_more(short_film, guests, painter, size):
    bea = guests(short_film, size).open(short_film.host.link).enter("Bea")
    bea.choose(painter.photos(2))
    expect(bea.page.locator("#toast")).to_contain_text("Both photos are in! One photo left on your film. Make it count!")
    bea.expect_all_sent()
    bea.choose(painter.photos(1), agrees=False)
    expect(bea.page.locator("#toast")).to_contain_text("That was your last one! Your film is full.")
    expect(bea.page.locator("#full")).to_be_visible()
    expect(bea.page.locator("#shutters")).to_be_hidden()
    expect(bea.page.locator("#first-use")).to_be_hidden()
    # Also with text of twice the size.
    bea.page.evaluate("document.documentElement.style.fontSize = '36px'")
    for control in ("#instead-mine", "#instead-save"):
        box = bea.page.locator(control).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= bea.page.viewport_size["width"], (control, box)
    bea.page.evaluate("document.documentElement.style.fontSize = ''")
    bea.go("everyone")
    bea.page.click("#instead-mine")
    expect(bea.page.locator("#mine")).to_be_visible()
    short_film.host.command("event", "edit", "--frames", "13")
    expect(bea.page.locator("#toast")).to_contain_text("The host gave you 10 more photos.")
    expect(bea.page.locator("#full")).to_be_hidden()
    expect(bea.page.locator("#shutters")).to_be_visible()
    bea.choose(painter.photos(1), agrees=False)
    expect(bea.page.locator("#toast")).to_contain_text("9 photos left on your film.")
