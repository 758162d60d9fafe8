# SPDX-License-Identifier: Apache-2.0
"""Frames that a guest gives to somebody else, under "Me"; and what the recipient's page says of it."""

import pytest
from playwright.sync_api import expect

from test_axe import find


@pytest.fixture
def party(parties):
    party = parties(frames="5", guests=0)
    yield party
    party.end()


def enter(guests, party, name, locale="en-GB", size="phone"):
    return guests(party, size, locale=locale).open(party.host.link).enter(name)


def person(guest, name):
    return guest.page.locator("#gift-to option", has_text=name).get_attribute("value")


def give(guest, name, count):
    guest.page.select_option("#gift-to", person(guest, name))
    guest.page.fill("#gift-count", str(count))
    guest.page.click("#gift-give")


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, title, final, told, line", [
    ("en-GB", "Give photos away", "This cannot be undone", "Anna gave you 3 photos.", "3 photos to Zoe"),
    ("fr-FR", "Donner des photos", "C’est définitif", "Anna vous a donné 3 photos.", "3 photos à Zoe")])
def test_a_guest_gives_photos_and_the_recipient_is_told(party, guests, locale, title, final, told, line):
    anna, zoe = enter(guests, party, "Anna", locale), enter(guests, party, "Zoe", locale)
    expect(zoe.page.locator("#counter .digits")).to_have_text("05")
    assert not any("gift" in request.url for request in zoe.requests)
    anna.open_me()
    box = anna.page.locator("#me-gift")
    expect(box.locator("h2")).to_have_text(title)
    assert anna.page.locator("#gift-to").bounding_box()["height"] >= 44
    assert anna.page.locator("#gift-give").bounding_box()["height"] >= 44
    found = []
    find(anna, "gift", found)
    assert found == []
    give(anna, "Zoe", 3)
    expect(anna.page.locator("#ask")).to_contain_text(final)
    anna.answer(yes=False)
    expect(zoe.page.locator("#counter .digits")).to_have_text("05")
    anna.page.click("#gift-give")
    anna.answer()
    expect(box.locator("#gift-list li")).to_have_text([line])
    expect(zoe.page.locator("#toast")).to_contain_text(told)
    expect(zoe.page.locator("#counter .digits")).to_have_text("08")
    expect(anna.page.locator("#counter .digits")).to_have_text("02")
    zoe.open_me()
    expect(zoe.page.locator("#gift-list li")).to_have_count(1)


def test_a_full_film_takes_more_photos_once_somebody_has_given_some(party, guests, painter):
    zoe = enter(guests, party, "Zoe")
    zoe.choose(painter.photos(5))
    zoe.expect_all_sent()
    expect(zoe.page.locator("#full")).to_be_visible()
    anna = enter(guests, party, "Anna")
    anna.open_me()
    give(anna, "Zoe", 1)
    anna.answer()
    expect(zoe.page.locator("#full")).to_be_hidden()
    zoe.choose(painter.photos(1))
    zoe.expect_all_sent()
    assert len(party.host.gallery()) == 6


def test_a_repeated_request_gives_nothing_and_received_photos_cannot_be_passed_on(party, guests):
    anna, zoe = enter(guests, party, "Anna"), enter(guests, party, "Zoe")
    anna.allow("409")
    # A new guest gives five at once, and then one a second.
    anna.allow("429")
    anna.open_me()
    to = person(anna, "Zoe")
    codes = anna.page.evaluate("""async (to) => {
        const { call } = await import("/shared/api.js");
        const give = (count, left) => call("POST", "api/gift", { to, count, left }).then(() => "given", async ({ code }) => {
            if (code !== "too-fast") return code;
            await new Promise((resolve) => setTimeout(resolve, 1000));
            return give(count, left);
        });
        return [await give(2, 5), await give(2, 5), await give(4, 3)];
    }""", to)
    assert codes == ["given", "frames-changed", "too-few-frames"]
    expect(zoe.page.locator("#counter .digits")).to_have_text("07")
    zoe.open_me()
    expect(zoe.page.locator("#gift-count")).to_have_attribute("max", "5")


def test_without_a_limit_nothing_is_offered(parties, guests):
    party = parties(guests=0)
    anna = enter(guests, party, "Anna")
    with anna.page.expect_response(lambda response: response.url.endswith("/api/gifts")):
        anna.open_me()
    expect(anna.page.locator("#message-write")).to_be_visible()
    expect(anna.page.locator("#me-gift")).to_have_count(0)
    party.end()
