# SPDX-License-Identifier: Apache-2.0
"""The back button of the browser closes what is open over the gallery, and leaves the page only from the gallery."""

import re

import pytest
from playwright.sync_api import expect

from outing import outing
from party import eventually


@pytest.fixture(scope="module")
def party(parties, painter, tmp_path_factory):
    party = outing(parties, painter, tmp_path_factory.mktemp("clock"))
    yield party
    party.end()


@pytest.fixture
def bea(party, guests, size):
    """Bea with one photo of her own, who has come from the board."""
    bea = guests(party, size)
    bea.page.goto(f"{party.host.origin}/board")
    return bea.open(party.host.link).enter("Bea")


def button(guest, name):
    return guest.page.locator("#everyone-grid").get_by_role("button", name=name, exact=True)


def is_at(guest, dialogs=0, depth=0):
    """Waits until the browser has come to the entry of what is visible."""
    eventually("the entry of the view", lambda: guest.page.evaluate(
        "([dialogs, depth]) => history.state?.dialogs === dialogs && history.state.depth === depth", [dialogs, depth]))


def expect_gallery(guest):
    expect(guest.page.locator("#everyone")).to_be_visible()
    expect(guest.page.locator("dialog[open]")).to_have_count(0)
    for view in ("photo", "me", "finder", "person"):
        expect(guest.page.locator(f"#{view}")).to_be_hidden()
    is_at(guest)


def expect_to_leave(guest):
    """One more step back leads to the page before."""
    is_at(guest)
    guest.page.go_back()
    expect(guest.page).to_have_url(re.compile("/board$"))


def test_back_closes_each_dialog_and_view_over_the_gallery(bea):
    page = bea.page
    opened = {
        "#calendar": lambda: button(bea, "Calendar").click(),
        "#plan": lambda: button(bea, "Plan").click(),
        "#missions": lambda: button(bea, "Missions").click(),
        "#photo": lambda: bea.open_photo("everyone"),
        "#me": bea.open_me,
    }
    for view, show in opened.items():
        show()
        expect(page.locator(view)).to_be_visible()
        page.go_back()
        expect(page.locator(view)).to_be_hidden()
        expect_gallery(bea)
    expect_to_leave(bea)


def test_what_lies_one_upon_the_other_is_closed_one_by_one(bea):
    page = bea.page
    # A dialog over a dialog.
    button(bea, "Plan").click()
    page.locator("#plan .search").get_by_role("button", name="All days").click()
    expect(page.locator("#calendar")).to_be_visible()
    page.go_back()
    expect(page.locator("#calendar")).to_be_hidden()
    expect(page.locator("#plan")).to_be_visible()
    # The back button closes the plan with its card; the escape key closes the card first.
    page.locator("#plan .pin").first.click()
    expect(page.locator("#plan .card")).to_be_visible()
    page.go_back()
    expect(page.locator("#plan")).to_have_count(0)
    expect_gallery(bea)
    # A dialog over a view over a view.
    bea.open_photo("everyone")
    page.click("#photo-author")
    expect(page.locator("#person")).to_be_visible()
    page.locator("#person-grid .tile button").first.click()
    expect(page.locator("#photo")).to_be_visible()
    page.go_back()
    expect(page.locator("#person")).to_be_visible()
    page.go_back()
    expect(page.locator("#photo")).to_be_visible()
    page.go_back()
    expect_gallery(bea)
    bea.open_me()
    page.click("#me-report")
    expect(page.locator("#report")).to_be_visible()
    page.go_back()
    expect(page.locator("#report")).to_be_hidden()
    expect(page.locator("#me")).to_be_visible()
    page.click("#me-leave")
    expect(page.locator("#ask")).to_be_visible()
    page.go_back()
    expect(page.locator("#ask")).to_be_hidden()
    expect(page.locator("#me")).to_be_visible()
    page.go_back()
    expect_gallery(bea)
    expect_to_leave(bea)


def test_what_is_closed_by_a_button_or_a_key_leaves_no_step_behind(bea):
    page = bea.page
    button(bea, "Calendar").click()
    page.locator("#calendar").get_by_role("button", name="Close").click()
    expect_gallery(bea)
    button(bea, "Missions").click()
    expect(page.locator("#missions")).to_be_visible()
    page.keyboard.press("Escape")
    expect_gallery(bea)
    # A dialog that leads to a view makes room for it.
    button(bea, "Plan").click()
    page.locator("#plan .pin").first.click()
    page.locator("#plan .card").get_by_role("button", name="Open the photo").click()
    expect(page.locator("#photo")).to_be_visible()
    is_at(bea, depth=1)
    page.go_back()
    expect_gallery(bea)
    expect_to_leave(bea)


def test_forward_shows_a_photo_again_and_opens_no_dialog(bea):
    page = bea.page
    bea.open_photo("everyone")
    page.go_back()
    expect_gallery(bea)
    page.go_forward()
    expect(page.locator("#photo")).to_be_visible()
    page.go_back()
    expect_gallery(bea)
    button(bea, "Calendar").click()
    expect(page.locator("#calendar")).to_be_visible()
    page.go_back()
    expect_gallery(bea)
    page.evaluate("history.forward()")
    page.wait_for_timeout(200)
    expect_gallery(bea)
    expect_to_leave(bea)


@pytest.mark.parametrize("view", ["photo", "calendar over a photo"])
def test_a_reload_shows_the_gallery_and_one_step_back_leaves_the_page(bea, view):
    page = bea.page
    bea.open_photo("everyone")
    if view != "photo":
        page.evaluate("import('/shared/calendar.js').then(({ openCalendar }) => openCalendar('', () => {}))")
        expect(page.locator("#calendar")).to_be_visible()
    page.reload()
    bea.expect_party()
    expect_gallery(bea)
    expect_to_leave(bea)
