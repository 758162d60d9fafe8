# SPDX-License-Identifier: Apache-2.0
"""Details of the guests' page: the introduction, a photo's title and date, and the reminder before photos are deleted."""

import base64
import re
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect


def expect_introduction(guest, isShown):
    # The counter is drawn with it, so that its absence is not just early.
    expect(guest.page.locator("#counter .digits")).to_be_visible()
    expect(guest.page.locator("#introduction")).to_be_visible(visible=isShown)


def test_the_introduction_is_three_lines_that_stay_dismissed(lone_party, guests, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    expect_introduction(bea, True)
    card = bea.page.locator("#introduction")
    expect(card).to_contain_text("We’re thrilled to have you on board!")
    assert [line.partition(".")[0] for line in card.locator("p").all_inner_texts()][:2] == [
        "Take as many photos as you like, with the button below", "Everyone sees them here within seconds"]
    expect(card.locator("p").nth(2)).to_contain_text("all are deleted on")
    below = card.locator("#introduction-done").bounding_box()["y"] > card.locator("p").nth(2).bounding_box()["y"]
    assert below, "the button is above the text"
    card.locator("#introduction-done").click()
    expect(card).to_be_hidden()
    assert bea.page.evaluate("document.activeElement.id") == "galleries"
    bea.page.reload()
    bea.expect_party()
    expect_introduction(bea, False)
    # Another guest has not read it.
    expect_introduction(guests(lone_party, size).open(lone_party.host.link).enter("Cleo"), True)


def test_the_introduction_disappears_with_the_first_photo(lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    expect_introduction(bea, True)
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    bea.go("everyone")
    bea.expect_photos(1)
    expect_introduction(bea, False)


@pytest.mark.share(of=3)
@pytest.mark.parametrize("locale, taken, author", [
    ("en-US", "Taken on 02/19/2024 at 10h30", "by Anna"), ("en-GB", "Taken on 19/02/2024 at 10:30", "by Anna"),
    ("fr-FR", "Prise le 19/02/2024 à 10h30", "par Anna")])
def test_a_photo_has_a_number_the_moment_it_was_taken_and_its_author(party, guests, painter, size, locale, taken, author):
    before = len(party.host.gallery())
    at = datetime(2024, 2, 19, 10, 30, tzinfo=timezone.utc)
    party.host.command("add", painter.photo(taken_at=int(at.timestamp() * 1000)))
    party.host.command("add", painter.photo())
    bea = guests(party, size, locale=locale, timezone_id="UTC").open(party.host.link).enter("Bea")
    bea.expect_photos(before + 2)
    bea.open_photo("everyone", 1)
    expect(bea.page.locator("#photo-number")).to_have_text(f"Photo {before + 1}")
    expect(bea.page.locator("#photo-time")).to_have_text(taken)
    expect(bea.page.locator("#photo-author")).to_have_text(author)
    # A newer photo changes the place of this one and not its number.
    party.host.command("add", painter.photo())
    expect(bea.page.locator("#photo-place")).to_contain_text(str(before + 3))
    expect(bea.page.locator("#photo-number")).to_have_text(f"Photo {before + 1}")


def test_an_own_photo_older_than_the_loaded_ones_has_its_number(lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    lone_party.host.command("add", *painter.photos(70, width=64, height=64))
    bea.page.reload()
    bea.expect_party()
    bea.go("mine")
    bea.expect_photos(1, "mine")
    bea.open_photo("mine")
    expect(bea.page.locator("#photo-place")).to_have_text("1 of 1")
    expect(bea.page.locator("#photo-number")).to_have_text("Photo 1")


def test_a_photo_is_closed_at_the_top_right(party, guests, painter, size):
    party.host.command("add", painter.photo())
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.open_photo("everyone")
    box, width = bea.page.locator("#photo-close").bounding_box(), bea.page.viewport_size["width"]
    assert box["y"] < 20 and box["x"] + box["width"] > width - 20
    assert min(box["width"], box["height"]) >= 46
    bea.page.click("#photo-close")
    expect(bea.page.locator("#photo")).to_be_hidden()


def test_near_the_end_of_retention_the_page_reminds_of_saving(parties, guests, painter, size):
    party = parties(guests=0, options=["--duration", "1h", "--retention", "8d"])
    party.host.command("add", painter.photo())
    bea = guests(party, size).open(party.host.link).enter("Bea")
    remind = bea.page.locator("#over-remind")
    party.host.command("event", "close", "--yes")
    # A week before that, nothing hurries.
    expect(bea.page.locator("#over")).to_be_visible()
    expect(remind).to_be_hidden()
    for retention, words in [("60h", "in 2 days"), ("30h", r"in (29|30) hours")]:
        party.host.command("event", "edit", "--retention", retention)
        expect(remind).to_have_text(re.compile(f"^The photos are deleted {words}: save yours.$"))
    expect(bea.page.locator("#instead-save")).to_be_visible()
    party.end()


def test_the_page_says_by_how_much_the_clock_of_its_phone_is_ahead(party, guests, painter):
    bea = guests(party, "phone")
    bea.page.clock.install(time=datetime.now() + timedelta(hours=1))
    bea.open(party.host.link)
    with bea.page.expect_response(lambda answer: answer.request.resource_type == "fetch" and answer.url.endswith("/icon.svg")):
        bea.enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    (begun,) = [request for request in bea.requests if request.method == "POST" and request.url.endswith("/uploads")]
    metadata = dict(pair.split(" ") for pair in begun.headers["upload-metadata"].split(","))
    assert abs(int(base64.b64decode(metadata["ahead"])) - 3_600_000) < 120_000
