# SPDX-License-Identifier: Apache-2.0
"""One large photo: while it loads, with gestures, and while the node is away."""

import pytest
from playwright.sync_api import expect

from guest import UNREACHABLE
from party import eventually

SHARP = "#photo-stage .here img:not(.under)"


@pytest.fixture
def looking(lone_party, guests, painter):
    """Bea's page, with three photos of the host."""
    def look(size):
        lone_party.host.command("add", *painter.photos(3))
        bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
        bea.expect_photos(3)
        bea.expect_pictures_loaded()
        return bea
    return look


def drag(guest, dx, dy, lift=True):
    """Moves a finger on the stage in ten steps."""
    box = guest.page.locator("#photo-stage").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = guest.context.new_cdp_session(guest.page)
    touch = lambda kind, points: session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch("touchStart", [{"x": x, "y": y}])
    for step in range(1, 11):
        touch("touchMove", [{"x": x + dx * step / 10, "y": y + dy * step / 10}])
    if lift:
        touch("touchEnd", [])
    return session


def test_the_thumbnail_shows_before_the_preview_has_loaded(looking):
    bea = looking("phone")
    held, is_holding = [], True
    bea.page.route("**/preview", lambda route: held.append(route) if is_holding else route.continue_())
    bea.open_photo("everyone")
    under = bea.page.locator("#photo-stage .here .under")
    expect(under).to_be_visible()
    bea.page.wait_for_function("(image) => image.complete && image.naturalWidth > 0", arg=under.element_handle())
    is_holding = False
    for route in held:
        route.continue_()
    expect(under).to_have_count(0)
    bea.page.wait_for_function(f"() => document.querySelector('{SHARP}')?.naturalWidth > 0")


def test_a_swipe_moves_the_photo_with_the_finger_and_shows_the_next(looking):
    bea = looking("phone")
    bea.open_photo("everyone")
    expect(bea.page.locator("#photo-place")).to_have_text("1 of 3")
    # The photo beside it is loaded before anybody asks for it.
    previews = lambda: {request.url for request in bea.requests if request.url.endswith("/preview")}
    eventually("two previews", lambda: bea.page.wait_for_timeout(50) or len(previews()) == 2)
    session = drag(bea, -150, 0, lift=False)
    bea.page.wait_for_function(
        "() => new DOMMatrix(getComputedStyle(document.querySelector('.reel')).transform).m41 === -150")
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(bea.page.locator("#photo-place")).to_have_text("2 of 3")
    drag(bea, 150, 0)
    expect(bea.page.locator("#photo-place")).to_have_text("1 of 3")
    # There is none before the first.
    drag(bea, 150, 0)
    bea.page.wait_for_timeout(500)
    expect(bea.page.locator("#photo-place")).to_have_text("1 of 3")
    drag(bea, 0, 200)
    expect(bea.page.locator("#photo")).to_be_hidden()


def test_a_double_tap_zooms_in_and_a_finger_pans(looking):
    bea = looking("phone")
    bea.open_photo("everyone")
    scale = "new DOMMatrix(getComputedStyle(document.querySelector('.slide.here')).transform).a"
    bea.page.locator("#photo-stage").dblclick()
    assert bea.page.evaluate(scale) == 2.5
    drag(bea, -100, 0)
    expect(bea.page.locator("#photo-place")).to_have_text("1 of 3")
    bea.page.wait_for_timeout(400)
    bea.page.locator("#photo-stage").dblclick()
    assert bea.page.evaluate(scale) == 1
    # Two fingers zoom the page, as browsers do it.
    expect(bea.page.locator("#photo-stage")).to_have_css("touch-action", "pinch-zoom")
    viewport = bea.page.locator("meta[name=viewport]").get_attribute("content")
    assert "user-scalable" not in viewport and "maximum-scale" not in viewport


def test_a_tap_hides_the_controls_and_another_shows_them(looking):
    bea = looking("phone")
    bea.open_photo("everyone")
    bea.page.locator("#photo-stage").tap()
    expect(bea.page.locator("#photo footer")).to_have_css("opacity", "0")
    bea.page.wait_for_timeout(400)
    bea.page.locator("#photo-stage").tap()
    expect(bea.page.locator("#photo footer")).to_have_css("opacity", "1")


def test_while_the_node_is_away_the_photo_keeps_its_thumbnail_and_loads_when_it_is_back(lone_party, looking):
    bea = looking("phone")
    bea.page.route("**/preview", lambda route: route.abort())
    bea.open_photo("everyone")
    bea.allow(UNREACHABLE)
    bea.page.click("#photo-close")
    lone_party.host.kill()
    bea.open_photo("everyone", 2)
    note = bea.page.locator(".stage-note")
    expect(note).to_have_text("Not reachable right now. It loads when the connection is back.")
    expect(bea.page.locator("#photo-stage .here .under")).to_be_visible()
    bea.page.unroute("**/preview")
    lone_party.host.start()
    bea.page.wait_for_function(f"() => document.querySelector('{SHARP}')?.naturalWidth > 0", timeout=180_000)
    expect(note).to_have_count(0)


def test_undoing_a_deletion_restores_the_photo_and_its_position(lone_party, guests, painter):
    bea = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea")
    bea.choose(painter.photos(3))
    bea.expect_photos(3, "mine")
    bea.expect_all_sent()
    bea.open_photo("mine", 1)
    source = bea.page.locator(SHARP).get_attribute("src")
    bea.page.click("#photo-remove")
    bea.answer()
    expect(bea.page.locator("#photo-place")).to_have_text("2 of 2")
    bea.page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(bea.page.locator("#photo-place")).to_have_text("2 of 3")
    assert source.split("/")[-2] in bea.page.locator(SHARP).get_attribute("src")


def test_a_gallery_without_photos_has_no_film(lone_party, guests, painter):
    bea = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    bea.expect_photos(1, "mine")
    film = bea.page.locator("#mine-grid .film")
    expect(film).to_be_visible()
    bea.open_photo("mine")
    bea.page.click("#photo-remove")
    bea.answer()
    expect(bea.page.locator("#mine-grid .note")).to_be_visible()
    expect(film).to_be_hidden()
    # That the photo was sent, a second after it was, does not take the offer away.
    bea.page.wait_for_timeout(1_500)
    bea.page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(film).to_be_visible()
    expect(bea.tiles("mine")).to_have_count(1)
