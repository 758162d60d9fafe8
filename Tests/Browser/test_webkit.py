# SPDX-License-Identifier: Apache-2.0
"""The main path in WebKit, the engine of Safari on iPhones."""

import pytest

from outing import DANCE, outing
from party import sha256
from webkit import Screen, WebKitGuest


@pytest.fixture(scope="module")
def screen():
    screen = Screen()
    yield screen
    screen.stop()


@pytest.fixture(params=[(360, 640), (1280, 800)], ids=["phone", "desktop"])
def webkit_guests(screen, request):
    made = []

    def make(party):
        made.append(WebKitGuest(screen, party.origins, *request.param))
        return made[-1]

    yield make
    try:
        for guest in made:
            guest.check()
    finally:
        for guest in made:
            guest.close()


def test_a_guest_in_webkit_enters_sends_photos_and_sees_others_live(own_party, webkit_guests, guests, painter):
    cleo = guests(own_party, "desktop").open(own_party.other.link).enter("Cleo")
    bea = webkit_guests(own_party).open(own_party.host.link).enter("Bea")
    first, second, third = painter.photo(2000, 1500), painter.photo(), painter.photo()
    bea.choose([first, second])
    bea.expect_photos(2, "mine")
    cleo.expect_photos(2)
    # Picked twice with the same input: Safari is known for accepting the first pick only.
    bea.choose([third])
    bea.expect_photos(3, "mine")
    cleo.expect_photos(3)
    photo = painter.photo()
    cleo.choose([photo])
    bea.find("#tab-everyone").click()
    bea.expect_photos(4)
    assert bea.script("return document.scrollingElement.scrollWidth <= innerWidth"), "wider than the screen"
    sent = sorted(sha256(file) for file in (first, second, third, photo))
    assert sent == sorted(entry["sha256"] for entry in own_party.host.gallery())


def test_a_guest_in_webkit_moves_to_another_node_with_the_waiting_photos(shared_party, webkit_guests, painter):
    ben = shared_party.other
    bea = webkit_guests(shared_party).open(shared_party.host.link).enter("Bea")
    photos = painter.photos(3, width=1600, height=1200)
    bea.expect_prober()
    shared_party.host.kill()
    bea.choose(photos)
    bea.wait_for("#moving-go")
    before = set(bea.driver.window_handles)
    bea.find("#moving-go").click()
    bea.wait_for("#moved")
    (opened,) = set(bea.driver.window_handles) - before
    bea.driver.switch_to.window(opened)
    bea.wait_for("#event-name")
    assert bea.script("return location.origin") == ben.origin
    bea.find("#tab-mine").click()
    bea.expect_photos(3, "mine")
    assert sorted(map(sha256, photos)) == sorted(entry["sha256"] for entry in ben.gallery())


@pytest.mark.parametrize("webkit_guests", [(360, 640)], ids=["phone"], indirect=True)
def test_board_missions_calendar_and_plan_in_webkit(parties, webkit_guests, painter, tmp_path):
    party = outing(parties, painter, tmp_path)
    try:
        bea = webkit_guests(party).open(f"{party.host.origin}/board")
        bea.wait_for("#events li")
        bea.find("#events .star").click()
        bea.wait("a favourite", "document.querySelector('#events .star').getAttribute('aria-pressed') === 'true'")
        bea.open(party.host.link).enter("Bea")
        bea.expect_photos(5)

        def way(name):
            """Opens one of the ways through the gallery."""
            bea.script("""[...document.querySelectorAll('#everyone-grid .tools button')]
                .find((button) => button.textContent === arguments[0]).click()""", name)

        fits = "document.scrollingElement.scrollWidth <= innerWidth"
        is_closed = lambda dialog: f"!document.querySelector('{dialog}')?.open && history.state.dialogs === 0"
        # The back button closes each of them, and a view as well.
        way("Missions")
        bea.wait("the mission", f"document.querySelector('#missions li h3')?.textContent === '{DANCE}'")
        bea.driver.back()
        bea.wait("the missions are closed", is_closed("#missions"))
        way("Calendar")
        bea.wait("the days", "document.querySelectorAll('#calendar .hearts').length >= 1")
        assert bea.script(f"return {fits}")
        bea.find("#calendar td button[tabindex='0']").click()
        bea.wait("the calendar is closed", is_closed("#calendar"))
        way("Plan")
        bea.wait("two pins", "document.querySelectorAll('#plan .pin').length === 2")
        bea.find("#plan .pin").click()
        bea.wait_for("#plan .card")
        assert bea.script(f"return {fits}")
        bea.driver.back()
        bea.wait("the plan is closed", is_closed("#plan"))
        bea.find("#everyone-grid .tile button").click()
        bea.wait("the photo", "!document.getElementById('photo').hidden")
        bea.driver.back()
        bea.wait("the gallery", "document.getElementById('photo').hidden && history.state.depth === 0")
        bea.driver.forward()
        bea.wait("the photo", "!document.getElementById('photo').hidden")
        bea.driver.refresh()
        bea.wait_for("#event-name")
        bea.wait("the gallery", "document.getElementById('photo').hidden && history.state?.depth === 0")
        bea.driver.back()
        bea.wait("the board", "location.pathname === '/board'")
    finally:
        party.end()
