# SPDX-License-Identifier: Apache-2.0
"""The main path in WebKit, the engine of Safari on iPhones."""

import pytest

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
