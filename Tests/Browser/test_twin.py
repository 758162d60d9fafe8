# SPDX-License-Identifier: Apache-2.0
"""Joined galleries: the organizers of two events agree at their desks, and guests of each see the photos of both."""

import json

import pytest
from playwright.sync_api import expect

from party import eventually
from test_axe import find
from test_desk import sit  # noqa: F401


@pytest.fixture
def garden(parties):
    party = parties(guests=0)
    yield party
    party.end()


@pytest.fixture
def beach(parties):
    party = parties(name="Beach party", guests=0, host_name="Olga")
    yield party
    party.end()


def twins(node):
    return json.loads(node.command("event", "join-galleries", "--json"))["twins"]


def join(garden, beach):
    """Joins both by commands: an agreement of each."""
    invitation, agreement = beach.host.ready["invitation"], None
    for node in (garden.host, beach.host, garden.host):
        said = json.loads(node.command("event", "join-galleries", agreement or invitation, "--yes", "--json"))
        agreement = said["agreement"]
    for node in (garden.host, beach.host):
        eventually("the galleries are joined", lambda: [twin["state"] for twin in twins(node)] == ["joined"])


def enter(guests, party, name, size="phone", **options):
    return guests(party, size, **options).open(party.host.link).enter(name)


def origin(guest):
    return guest.page.locator("#everyone-grid .tile .origin")


@pytest.mark.parametrize("language, joined, separate, separated", [
    ("en-GB", "Beach party: joined, 0 photos", "Separate", "The galleries are separated."),
    ("fr-FR", "Beach party\u00a0: réunie, 0 photo", "Séparer", "Les galeries sont séparées.")])
def test_organizers_agree_at_their_desks_and_either_separates_them(
        garden, beach, sit, language, joined, separate, separated):
    found = []
    anna, olga = sit(garden.host, locale=language), sit(beach.host)

    def enter_text(desk, text):
        desk.go("overview")
        desk.page.fill("#twin-text", text)
        desk.page.click("#twin-take")
        desk.answer()

    anna.guest.allow("status of 422")
    enter_text(anna, "nonsense")
    expect(anna.page.locator("#toast")).to_contain_text(
        "This is no invitation" if language == "en-GB" else "Ce n’est ni une invitation")
    enter_text(anna, beach.host.ready["invitation"])
    agreement = eventually("an agreement", lambda: anna.page.locator("#twin-agreement").input_value())
    assert agreement.startswith("DISPOSABLETWIN1:")
    expect(anna.page.locator("#twins li")).to_have_count(0)
    enter_text(olga, agreement)
    answer = eventually("an answer", lambda: olga.page.locator("#twin-agreement").input_value())
    enter_text(anna, answer)
    expect(anna.page.locator("#twins li > span").first).to_have_text(joined, timeout=90_000)
    find(anna, "joined galleries", found)
    assert found == []
    anna.page.locator("#twins li button", has_text=separate).click()
    anna.answer()
    expect(anna.page.locator("#toast")).to_contain_text(separated)
    expect(anna.page.locator("#twins li")).to_have_count(0)
    eventually("the other side knows", lambda: [twin["state"] for twin in twins(beach.host)] == ["ended"])


def test_guests_of_each_event_see_the_photos_of_both_and_the_name_of_the_other(garden, beach, guests, painter):
    found = []
    join(garden, beach)
    anna, olga = enter(guests, garden, "Anna"), enter(guests, beach, "Zoe", locale="fr-FR")
    anna.choose(painter.photos(1))
    anna.expect_all_sent()
    olga.expect_photos(1)
    expect(origin(olga)).to_have_text(["Garden party"])
    olga.choose(painter.photos(1))
    olga.expect_all_sent()
    for guest, other in ((anna, "Beach party"), (olga, "Garden party")):
        guest.go("everyone")
        guest.expect_photos(2)
        expect(origin(guest)).to_have_text([other])
        find(guest, "joined galleries", found)
    # The photo can be looked at and saved, and what is said about it is for the guests of its event.
    origin(anna).click()
    expect(anna.page.locator("#photo")).to_be_visible()
    expect(anna.page.locator("#photo-author")).to_contain_text("Beach party")
    expect(anna.page.locator("#photo-author")).to_be_disabled()
    expect(anna.page.locator("#photo-reactions")).to_be_hidden()
    expect(anna.page.locator("#photo-save")).to_be_visible()
    anna.page.click("#photo-comments-show")
    expect(anna.page.locator("#comment-form")).to_be_hidden()
    find(anna, "a photo of the other event", found)
    anna.page.click("#photo-close")
    assert found == []

    wall = guests(garden, "desktop").open(garden.host.link.replace("/#", "/wall#")).page
    expect(wall.locator("figcaption .by", has_text="Zoe · Beach party").first).to_be_visible(timeout=60_000)

    # One side ends it: the photos of the other event go from the open pages.
    beach.host.command("event", "join-galleries", "--separate", "Garden party", "--yes")
    anna.expect_photos(1)
    olga.expect_photos(1)
    expect(origin(anna)).to_have_count(0)
    expect(origin(olga)).to_have_count(0)


def test_photos_of_both_come_in_one_order_page_by_page(garden, beach, guests, painter):
    join(garden, beach)
    for number in range(35):
        for party in (garden, beach):
            party.host.command("add", painter.photo())
    eventually("all are here", lambda: [twin["photoCount"] for twin in twins(garden.host)] == [35])
    anna = enter(guests, garden, "Anna", "desktop")
    listed = anna.page.evaluate("""async () => {
        const { call } = await import("/shared/api.js");
        const all = [];
        for (let next = ""; next !== null;) {
            const page = await call("GET", `api/photos?limit=20${next ? `&before=${next}` : ""}`);
            if (page.count !== 70) throw new Error(`count ${page.count}`);
            all.push(...page.photos);
            next = page.next;
        }
        return all.map(({ id, addedAt, event }) => ({ id, addedAt, event: event ?? null }));
    }""")
    assert len({photo["id"] for photo in listed}) == 70 and len(listed) == 70
    assert [photo["addedAt"] for photo in listed] == sorted((photo["addedAt"] for photo in listed), reverse=True)
    assert sum(photo["event"] == "Beach party" for photo in listed) == 35
