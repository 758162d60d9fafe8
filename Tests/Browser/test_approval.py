# SPDX-License-Identifier: Apache-2.0
"""Photos that wait for approval: what their author and others see, and the queue of the desk."""


import pytest
from playwright.sync_api import expect

from party import eventually
from test_desk import nodes, sit  # noqa: F401


@pytest.fixture
def party(parties, painter):
    """An event in which all photos of guests wait, with a photo of the host's."""
    party = parties(guests=0)
    party.host.command("event", "edit", "--approve", "all")
    party.host.command("add", *painter.photos(1))
    yield party
    party.end()


def pending(party):
    return party.host.status()["pendingCount"]


def enter(guests, party, name):
    return guests(party, "phone").open(party.host.link).enter(name)


def test_a_photo_is_its_authors_alone_until_it_is_approved(party, guests, sit, painter):
    anna, ben = enter(guests, party, "Zoe"), enter(guests, party, "Ben")
    anna.choose(painter.photos(2))
    anna.expect_all_sent()
    eventually("two photos wait", lambda: pending(party) == 2)
    anna.go("mine")
    held = anna.page.locator("#mine-grid .frame.waiting")
    expect(held).to_have_count(2)
    expect(held.first).to_have_text("Waiting for approval")
    expect(anna.page.locator("#pending-hint")).to_be_visible()
    # The film is used as ever, and nobody else hears of the photos.
    ben.expect_photos(1)

    desk = sit(party.host)
    expect(desk.page.locator("#nav [data-section=queue] .count")).to_have_text("2")
    desk.go("queue")
    expect(desk.page.locator("#queue li")).to_have_count(2)
    other = sit(party.host, "phone").go("queue")
    desk.page.keyboard.press("a")
    expect(desk.page.locator("#queue li")).to_have_count(1)
    # On the other device it disappears by itself.
    expect(other.page.locator("#queue li")).to_have_count(1)
    ben.expect_photos(2)
    expect(held).to_have_count(1)

    desk.page.keyboard.press("d")
    expect(desk.page.locator("#queue-note")).to_be_visible()
    expect(desk.page.locator("#nav [data-section=queue] .count")).to_be_hidden()
    expect(other.page.locator("#queue li")).to_have_count(0)
    # The last decision is undone first, then the one before.
    desk.page.keyboard.press("u")
    expect(desk.page.locator("#queue li")).to_have_count(1)
    desk.page.keyboard.press("u")
    expect(desk.page.locator("#queue li")).to_have_count(2)
    expect(other.page.locator("#queue li")).to_have_count(2)
    ben.expect_photos(1)
    other.page.click("#approve-all")
    expect(desk.page.locator("#queue li")).to_have_count(0)
    ben.expect_photos(3)
    expect(anna.page.locator("#pending-hint")).to_be_hidden()
    assert pending(party) == 0


def test_a_waiting_photo_is_approved_where_it_is_shown_large(party, guests, sit, painter):
    ben = enter(guests, party, "Ben")
    enter(guests, party, "Zoe").choose(painter.photos(1))
    eventually("a photo waits", lambda: pending(party) == 1)
    desk = sit(party.host).go("photos")
    page = desk.page
    desk.shots().first.click()
    expect(page.locator(".viewer .tag")).to_have_text("Waiting for approval")
    expect(page.locator(".viewer footer .plain:visible").first).to_have_text("Approve")
    page.click("#approve")
    expect(page.locator(".viewer .tag")).to_have_count(0)
    expect(page.locator("#approve")).to_be_hidden()
    expect(page.locator(".viewer footer .plain:visible").first).to_be_focused()
    ben.expect_photos(2)
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".viewer .tag")).to_be_visible()
    ben.expect_photos(1)


def test_the_keys_go_through_the_queue_and_the_buttons_are_in_reach(party, guests, sit, painter):
    enter(guests, party, "Zoe").choose(painter.photos(3))
    eventually("three photos wait", lambda: pending(party) == 3)
    desk = sit(party.host).go("queue")
    current = desk.page.locator("#queue [aria-current=true]")
    first = desk.page.locator("#queue li").first.get_attribute("data-id")
    expect(desk.page.locator("#queue li")).to_have_count(3)
    desk.page.keyboard.press("ArrowRight")
    desk.page.keyboard.press("ArrowRight")
    desk.page.keyboard.press("ArrowLeft")
    expect(current).to_have_count(1)
    desk.page.keyboard.press("a")
    expect(desk.page.locator("#queue li")).to_have_count(2)
    # The first one was passed over, and is still there.
    expect(desk.page.locator(f'#queue li[data-id="{first}"]')).to_have_count(1)
    # On a phone all three buttons are in reach of a thumb.
    phone = sit(party.host, "phone").go("queue")
    for name in ("approve", "decline", "undo"):
        box = phone.page.locator(f"#{name}").bounding_box()
        assert box["height"] >= 44 and box["x"] >= 0 and box["x"] + box["width"] <= 390, (name, box)


@pytest.mark.parametrize("locale, waiting", [("en-GB", "Waiting for approval"), ("fr-FR", "À valider")])
def test_the_first_photo_of_a_guest_waits_and_later_ones_do_not(parties, guests, sit, painter, locale, waiting):
    party = parties(guests=0, options=["--approve", "first"])
    zoe = guests(party, "phone", locale=locale).open(party.host.link).enter("Zoe")
    ben = enter(guests, party, "Ben")
    zoe.choose([painter.photo()])
    zoe.expect_all_sent()
    eventually("the first photo waits", lambda: pending(party) == 1)
    zoe.go("mine")
    held = zoe.page.locator("#mine-grid .frame.waiting")
    expect(held).to_have_text([waiting])
    expect(zoe.page.locator("#pending-hint")).to_be_visible()
    expect(ben.tiles()).to_have_count(0)

    desk = sit(party.host).go("queue")
    expect(desk.page.locator("#queue li")).to_have_count(1)
    desk.page.keyboard.press("a")
    ben.expect_photos(1)
    expect(held).to_have_count(0)
    expect(zoe.page.locator("#pending-hint")).to_be_hidden()

    # Later ones are shown at once; those of another guest wait.
    zoe.choose([painter.photo()])
    zoe.expect_all_sent()
    ben.expect_photos(2)
    assert pending(party) == 0
    ben.choose([painter.photo()])
    ben.expect_all_sent()
    eventually("the photo of another guest waits", lambda: pending(party) == 1)
    expect(desk.page.locator("#queue li")).to_have_count(1)
    zoe.expect_photos(2, "mine")
    expect(zoe.tiles()).to_have_count(2)
