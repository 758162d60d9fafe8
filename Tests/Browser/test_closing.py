# SPDX-License-Identifier: Apache-2.0
"""Uploads of a page that is closed: in a secure context, as the loopback interface is one, a service worker sends the rest."""

from playwright.sync_api import expect

from guest import throttle
from party import eventually
from test_breaks import expect_exactly, expect_half_sent


def registrations(guest):
    return guest.page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)")


def send_half(party, guests, painter, size):
    """A guest whose photos are partly sent, slowly, when the worker is ready. The worker is as fast as it can."""
    photos = painter.photos(3, width=2000, height=1500)
    bea = guests(party, size).open(party.host.link).enter("Bea")
    throttle(bea, 60_000)
    bea.choose(photos)
    expect_half_sent(bea)
    expect_worker(bea)
    return bea, photos


def expect_worker(guest):
    eventually("the worker", lambda: guest.page.evaluate(
        "navigator.serviceWorker.getRegistrations().then((all) => all.some((one) => one.active !== null))"))


def come_back(guest, node):
    """Opens the page of the event, as from the history of the browser."""
    guest.open(f"{node.origin}{node.path}").expect_party()


def close(guest):
    with guest.page.expect_event("close"):
        guest.page.close(run_before_unload=True)


def test_photos_on_their_way_arrive_after_the_page_is_closed(lone_party, guests, painter, size, tmp_path):
    bea, photos = send_half(lone_party, guests, painter, size)
    close(bea)
    assert len(lone_party.host.gallery()) < len(photos), "they were sent before the page was closed"
    eventually("every photo, without a page", lambda: len(lone_party.host.gallery()) == len(photos))
    # The next page finds them, and sends nothing again.
    bea.page = bea.context.new_page()
    sent = []
    bea.page.on("request", lambda request: request.method == "PATCH" and sent.append(request.url))
    come_back(bea, lone_party.host)
    bea.go("mine")
    bea.expect_photos(len(photos), "mine")
    bea.expect_all_sent()
    assert not sent
    expect_exactly(lone_party.host, photos, tmp_path / "out")


def test_the_next_page_takes_over_from_the_worker(lone_party, guests, painter, size, tmp_path):
    bea, photos = send_half(lone_party, guests, painter, size)
    # The worker has not begun, or is in the middle of it.
    for pause in (0, 5_100):
        bea.page.goto("about:blank")
        bea.page.wait_for_timeout(pause)
        come_back(bea, lone_party.host)
    bea.go("mine")
    bea.expect_photos(len(photos), "mine")
    bea.expect_all_sent()
    expect_exactly(lone_party.host, photos, tmp_path / "out")


def test_it_is_there_from_the_first_upload_on_and_goes_with_the_guest(lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    assert registrations(bea) == 0
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    eventually("the worker", lambda: registrations(bea) == 1)
    bea.open_me()
    bea.page.click("#me-leave")
    bea.answer()
    expect(bea.page.locator("#code")).to_be_visible()
    eventually("no worker", lambda: registrations(bea) == 0)
