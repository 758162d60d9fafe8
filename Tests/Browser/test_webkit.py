# SPDX-License-Identifier: Apache-2.0
"""The main path in WebKit, the engine of Safari on iPhones."""

import signal

import pytest

from party import sha256
from test_breaks import expect_exactly
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


@pytest.mark.share(of=2)
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


@pytest.mark.share(of=2)
def test_a_reload_during_uploads_loses_and_duplicates_nothing(lone_party, webkit_guests, painter, tmp_path):
    bea = webkit_guests(lone_party).open(lone_party.host.link).enter("Bea")
    first, *photos = painter.photos(6, width=2000, height=1500)
    bea.choose([first])
    bea.expect_photos(1, "mine")
    # The node takes nothing until the browser has a copy of every file.
    lone_party.host.process.send_signal(signal.SIGSTOP)
    bea.choose(photos)
    bea.wait("copies in the browser", """Object.keys(localStorage).filter((name) => name.includes(".upload."))
        .filter((name) => JSON.parse(localStorage.getItem(name)).isKept).length === 5""")
    lone_party.host.process.send_signal(signal.SIGCONT)
    bea.driver.refresh()
    bea.wait_for("#party")
    bea.find("#tab-mine").click()
    bea.expect_photos(6, "mine")
    expect_exactly(lone_party.host, [first, *photos], tmp_path / "out")
