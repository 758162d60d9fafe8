# SPDX-License-Identifier: Apache-2.0
"""The main journeys in Firefox."""

import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from firefox import Firefox, FirefoxGuest
from outing import DANCE, outing
from party import eventually, sha256

PHONE, DESKTOP = (360, 640), (1280, 800)


@pytest.fixture(scope="module")
def firefox():
    firefox = Firefox()
    yield firefox
    firefox.stop()


@pytest.fixture
def firefox_guest(firefox):
    """Makes the guest of a party; one at a time, since it has the browser for itself."""
    made = []

    def make(party, size=PHONE, **options):
        made.append(FirefoxGuest(firefox, party.origins, *size, **options))
        return made[-1]

    yield make
    for guest in made:
        guest.check()


@pytest.fixture
def small_party(parties):
    """An event with the host's node alone, and three photos for each guest."""
    party = parties(guests=0, frames="3")
    yield party
    party.end()


def test_a_guest_in_firefox_joins_sends_sees_likes_and_comments(own_party, firefox_guest, guests, painter):
    cleo = guests(own_party, "desktop").open(own_party.other.link).enter("Cleo")
    bea = firefox_guest(own_party).open(own_party.host.link)
    bea.expect_nothing_wider_than_the_screen()
    bea.enter("Bea")
    assert "#" not in bea.script("return location.href")
    photos = painter.photos(2, width=2000, height=1500)
    bea.choose(photos)
    bea.expect_photos(2, "mine")
    cleo.expect_photos(2)
    theirs = painter.photo()
    cleo.choose([theirs])
    bea.click("#tab-everyone")
    bea.expect_photos(3)
    bea.expect_nothing_wider_than_the_screen()

    bea.click("#everyone-grid .tile button")
    bea.wait_for("#photo")
    bea.wait("the large picture", "document.querySelector('#photo-stage .here img:not(.under)')?.naturalWidth > 0")
    bea.expect_nothing_wider_than_the_screen()
    bea.wait_for_text("#photo-author", "Cleo")
    bea.click("#photo-reactions button")
    bea.wait("the heart", "document.querySelector('#photo-reactions button').getAttribute('aria-pressed') === 'true'")
    bea.click("#photo-comments-show")
    bea.find("#comment-field").send_keys("What a cake")
    bea.click("#comment-form button[type=submit]")
    bea.wait_for_text("#comments", "What a cake")
    cleo.open_photo("everyone")
    expect(cleo.page.locator("#photo-reactions button").first).to_have_attribute("aria-label", re.compile("1$"))
    cleo.page.click("#photo-comments-show")
    expect(cleo.page.locator("#comments")).to_contain_text("What a cake")
    bea.driver.go_back()
    bea.wait_until_hidden("#photo")
    sent = sorted(map(sha256, [*photos, theirs]))
    assert sent == sorted(entry["sha256"] for entry in own_party.host.gallery())


def test_a_reload_during_an_upload_continues_where_it_stopped(small_party, firefox_guest, painter, tmp_path):
    photo = painter.photo(4000, 3000)
    bea = firefox_guest(small_party, DESKTOP).open(small_party.host.link).enter("Bea")
    bea.hold_slices()
    bea.choose([photo])
    eventually("the second slice", lambda: bea.watched("watch.held.length"))
    # Firefox stores the copy in a profile of its own as well.
    bea.wait("a copy in the browser", """Object.keys(localStorage).filter((name) => name.includes(".upload."))
        .some((name) => JSON.parse(localStorage.getItem(name)).isKept)""")
    before = len(bea.watched("watch.slices"))
    bea.driver.refresh()
    bea.release_slices()
    bea.wait_for("#party")
    bea.click("#tab-mine")
    bea.expect_photos(1, "mine")
    bea.expect_all_sent()
    assert bea.watched("watch.slices")[before] > 0, "the upload started over"
    assert Counter(small_party.host.exported(tmp_path / "out").values()) == Counter([sha256(photo)])


def test_a_full_film_and_the_end_of_the_party_are_shown(small_party, firefox_guest, painter):
    bea = firefox_guest(small_party).open(small_party.host.link).enter("Bea")
    bea.choose(painter.photos(3))
    bea.expect_all_sent()
    bea.wait_for("#full")
    bea.wait_until_hidden("#shutters")
    bea.wait_for("#instead-save")
    small_party.host.command("event", "edit", "--frames", "5")
    bea.wait_for_text("#toast", "The host gave you 2 more photos.")
    bea.wait_until_hidden("#full")
    bea.wait_for("#take")
    small_party.host.command("event", "close", "--yes")
    bea.wait_for("#over")
    bea.wait_for_text("#over-result", "3 photos to take home.")
    bea.wait_until_hidden("#take")
    bea.expect_nothing_wider_than_the_screen()


def test_several_tabs_share_one_event_stream_and_another_takes_it_over(small_party, firefox_guest, painter):
    bea = firefox_guest(small_party, DESKTOP).open(small_party.host.link).enter("Bea")
    first = bea.driver.current_window_handle
    tabs = [bea.open_tab(small_party.host.link) for _ in range(3)]
    eventually("one stream", lambda: bea.streams() == 1)
    small_party.host.command("add", painter.photo())
    for tab in [first, *tabs]:
        bea.driver.switch_to_window(tab)
        bea.expect_photos(1)
    # The tab that holds the stream is among those that are closed.
    for tab in [first, *tabs[:-1]]:
        bea.driver.switch_to_window(tab)
        bea.driver.close()
    bea.driver.switch_to_window(tabs[-1])
    small_party.host.command("add", painter.photo())
    bea.expect_photos(2)
    eventually("one stream", lambda: bea.streams() == 1)


def test_a_french_firefox_gets_the_page_in_french(small_party, firefox_guest, painter):
    bea = firefox_guest(small_party, languages="fr-FR, fr, en").open(small_party.host.link)
    bea.wait_for_text("#welcome-join", "Rejoindre la fête")
    bea.enter("Béa")
    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    bea.click("#mine-grid .tile button")
    bea.wait_for("#photo")
    bea.expect_nothing_wider_than_the_screen()
    assert bea.script("return document.documentElement.lang") == "fr"


def test_board_missions_calendar_and_plan_in_firefox(parties, firefox_guest, painter, tmp_path):
    party = outing(parties, painter, tmp_path)
    try:
        bea = firefox_guest(party).open(f"{party.host.origin}/board")
        bea.wait_for("#events li")
        bea.click("#events .star")
        bea.wait("a favourite", "document.querySelector('#events .star').getAttribute('aria-pressed') === 'true'")
        bea.click("#chips .chip:last-child")
        bea.wait_for("#month")
        bea.expect_nothing_wider_than_the_screen()
        bea.open(party.host.link).enter("Bea")
        bea.expect_photos(5)

        def way(name):
            """Opens one of the ways through the gallery."""
            bea.script("""[...document.querySelectorAll('#everyone-grid .tools button')]
                .find((button) => button.textContent === arguments[0]).click()""", name)

        way("Missions")
        bea.wait_for_text("#missions li h3", DANCE)
        bea.expect_nothing_wider_than_the_screen()
        bea.driver.go_back()
        bea.wait_until_hidden("#missions")
        way("Calendar")
        bea.wait("two days", "document.querySelectorAll('#calendar .hearts').length >= 1")
        bea.expect_nothing_wider_than_the_screen()
        bea.click("#calendar td button[tabindex='0']")
        bea.wait_until_hidden("#calendar")
        way("Plan")
        bea.wait("two pins", "document.querySelectorAll('#plan .pin').length === 2")
        bea.click("#plan .pin")
        bea.wait_for("#plan .card")
        bea.expect_nothing_wider_than_the_screen()
        bea.driver.go_back()
        bea.wait_until_hidden("#plan")
        bea.wait_for("#everyone")
        bea.wait("the gallery", "history.state.dialogs === 0 && history.state.depth === 0")
    finally:
        party.end()
