# SPDX-License-Identifier: Apache-2.0
"""Live updates for guests: others' photos, a photo box that disappears and returns, deleted photos."""

import time

from playwright.sync_api import expect

from guest import UNREACHABLE, throttle
from party import eventually


def test_a_new_photo_of_a_node_appears_live(pair, guests, painter, size):
    bea = guests(pair, size).open(pair.host.link).enter("Bea")
    before = len(pair.host.gallery())
    bea.expect_photos(before)
    pair.other.command("add", painter.photo())
    bea.expect_photos(before + 1)
    bea.expect_pictures_loaded()
    # It fades in once, and not again when its gallery is shown again.
    developing = "() => document.getAnimations().some((one) => one.animationName === 'develop')"
    eventually("the photo has faded in", lambda: not bea.page.evaluate(developing))
    bea.go("mine")
    bea.go("everyone")
    assert not bea.page.evaluate(developing)


def test_a_thumbnail_that_did_not_load_is_requested_again(pair, guests, painter, size):
    bea = guests(pair, size)
    bea.allow(r"net::ERR_FAILED")
    pair.host.command("add", painter.photo())
    failed = []

    def fail_twice(route):
        url = route.request.url
        if len(failed) == 2 or url not in (failed or [url]):
            return route.continue_()
        failed.append(url)
        route.abort()

    bea.context.route("**/photos/*/thumbnail", fail_twice)
    bea.open(pair.host.link).enter("Bea")
    bea.page.wait_for_function(
        """count => [...document.querySelectorAll("#everyone-grid .tile img")]
            .filter((image) => image.naturalWidth > 0).length === count""", arg=len(pair.host.gallery()))
    assert len(failed) == 2


def test_a_browser_without_a_stream_gets_new_photos_by_polling(pair, guests, painter, size):
    bea = guests(pair, size)
    bea.allow(r"net::ERR_FAILED")
    bea.context.route("**/api/updates*", lambda route: route.abort())
    bea.open(pair.host.link).enter("Bea")
    before = len(pair.host.gallery())
    bea.expect_photos(before)
    pair.host.command("add", painter.photo())
    bea.expect_photos(before + 1)
    expect(bea.page.locator("#out-of-reach")).to_be_hidden()


def test_the_page_reports_that_the_photo_box_is_unreachable_until_it_is_back(lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    banner = bea.page.locator("#out-of-reach")
    expect(banner).to_be_hidden()
    bea.allow(UNREACHABLE)
    lone_party.host.kill()
    expect(banner).to_be_visible()
    expect(banner).to_contain_text("No connection to the party")
    lone_party.host.start()
    expect(banner).to_be_hidden(timeout=180_000)
    lone_party.host.command("add", painter.photo())
    bea.expect_photos(1)


def test_an_update_during_a_reload_of_the_gallery_is_not_lost(lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.allow(UNREACHABLE)
    lone_party.host.command("add", painter.photo())
    bea.expect_photos(1)
    held, is_holding = [], True

    def hold(route):
        if is_holding:
            held.append((route, route.fetch()))
        else:
            route.continue_()

    bea.page.route("**/api/photos?limit=60&veiled=1", hold)
    # A node that starts again no longer knows what this page has seen.
    lone_party.host.kill()
    lone_party.host.start()
    for _ in range(60):
        if held:
            break
        bea.page.wait_for_timeout(1_000)
    assert held, "the gallery was not reloaded"
    lone_party.host.command("add", painter.photo())
    bea.page.wait_for_timeout(7_000)
    is_holding = False
    for route, answer in held:
        route.fulfill(response=answer)
    bea.expect_photos(2)


def test_a_page_that_failed_to_reload_the_gallery_retries(lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.allow(UNREACHABLE)
    lone_party.host.command("add", painter.photo())
    bea.expect_photos(1)
    refused = []
    bea.page.route("**/api/photos?limit=60&veiled=1", lambda route: refused.append(route.abort() or route))
    # No update announces photos that were added while no node served.
    lone_party.host.kill()
    lone_party.host.command("add", painter.photo())
    lone_party.host.start()
    eventually("the gallery is reloaded", lambda: bea.page.wait_for_timeout(500) or refused)
    bea.page.unroute("**/api/photos?limit=60&veiled=1")
    bea.expect_photos(2)


def test_a_confirmed_deletion_applies_to_everyone_and_can_be_undone(own_party, guests, painter, size):
    cleo = guests(own_party, size).open(own_party.other.link).enter("Cleo")
    bea = guests(own_party, size).open(own_party.host.link).enter("Bea")
    bea.choose(painter.photos(3))
    bea.expect_photos(3, "mine")
    cleo.expect_photos(3)

    bea.open_photo("mine")
    bea.page.click("#photo-remove")
    bea.answer(yes=False)
    expect(bea.page.locator("#photo")).to_be_visible()
    bea.page.click("#photo-close")
    expect(bea.tiles("mine")).to_have_count(3)

    kept = bea.tiles("mine").first.locator("img").get_attribute("src")
    bea.open_photo("mine")
    bea.page.click("#photo-remove")
    bea.answer()
    toast = bea.page.locator("#toast")
    expect(toast).to_contain_text("Deleted for everyone")
    toast.get_by_role("button", name="Undo").click()
    expect(toast).to_contain_text("Photo restored")
    undone_at = time.monotonic()

    if bea.page.locator("#photo").is_visible():
        bea.page.click("#photo-close")
    expect(bea.tiles("mine")).to_have_count(3)
    bea.open_photo("mine", 2)
    bea.page.click("#photo-remove")
    bea.answer()
    bea.page.click("#photo-close")
    expect(bea.tiles("mine")).to_have_count(2)
    expect(bea.tiles("everyone")).to_have_count(2)
    cleo.expect_photos(2)
    # The photo deleted first has outlived its ten seconds.
    assert time.monotonic() - undone_at > 9
    cleo.page.wait_for_timeout(2_000)
    expect(cleo.tiles()).to_have_count(2)
    assert kept in bea.tiles("mine").locator("img").evaluate_all("images => images.map((image) => image.getAttribute('src'))")


def test_the_state_of_every_own_file_is_shown(parties, guests, painter, size, tmp_path):
    party = parties(frames="3", guests=0)
    bea = guests(party, size).open(party.host.link).enter("Bea")
    # 404: the preview of an upload that the node has dropped meanwhile, because the film is full.
    bea.allow("422|409|404")
    counter = bea.page.locator("#counter")
    expect(counter).to_contain_text("3 of 3 left")
    failed = bea.page.locator(".upload.is-failed")

    letter = tmp_path / "letter.jpg"
    letter.write_text("Dear all, this is no photo.")
    bea.choose([letter])
    expect(failed).to_contain_text("This is not a photo")
    failed.get_by_role("button", name="Remove").click()
    expect(failed).to_have_count(0)

    # Each file has a tile at once, two of them are being sent.
    slow = throttle(bea, 20_000)
    bea.choose(painter.photos(3))
    bea.page.wait_for_function("""() => {
        const states = [...document.querySelectorAll('.upload')].map((tile) => tile.className);
        const count = (name) => states.filter((state) => state.includes(name)).length;
        return states.length === 3 && count('is-sending') === 2 && count('is-queued') === 1;
    }""")
    expect(bea.page.locator("#progress")).to_contain_text("of 3")
    # The same guest adds photos on another phone meanwhile.
    bea.open_me()
    bea.page.click("#me-words-show")
    expect(bea.page.locator("#me-return")).to_contain_text("http")
    link = bea.page.locator("#me-return").inner_text()
    bea.page.click("#me-back")
    phone = guests(party, size).open(link)
    phone.allow(UNREACHABLE)
    phone.expect_party()
    phone.choose([painter.photo()])
    phone.expect_all_sent()
    throttle(bea, -1, slow)
    bea.expect_photos(3, "mine")
    expect(failed).to_have_count(1)
    expect(failed).to_contain_text("Your film is full.")
    expect(counter).to_contain_text("0 of 3 left")
    frames = bea.tiles("mine").locator(".frame")
    eventually("a frame for each", lambda: sorted(frames.all_inner_texts()) == ["1", "2", "3"])

    # Shown before the next photo is taken.
    expect(bea.page.locator("#full")).to_contain_text("Your film is full")
    expect(bea.page.locator("#take")).to_be_hidden()
    party.end()
