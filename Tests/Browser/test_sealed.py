# SPDX-License-Identifier: Apache-2.0
"""Sealed photos: hidden until the host reveals them, and then shown everywhere at once."""

import re
import time

from playwright.sync_api import expect

from party import eventually


def fetch(guest, path):
    """Returns the status of a request of the guest's own browser."""
    return guest.page.evaluate("async (path) => (await fetch(path)).status", path)


def photo_path(party, guest):
    photos = guest.page.evaluate("async (path) => (await (await fetch(path)).json()).photos", f"{party.host.path}api/photos?mine=1")
    return f"{party.host.path}photos/{photos[0]['id']}"


def test_a_photo_is_sealed_for_all_but_its_author_until_the_host_reveals_it(later_party, guests, painter, size):
    bea = guests(later_party, size).open(later_party.host.link).enter("Bea")
    cleo = guests(later_party, size).open(later_party.host.link)
    expect(cleo.page.locator("#welcome-when")).to_contain_text("when the host reveals them")
    cleo.enter("Cleo")
    expect(cleo.page.locator("#sealed")).to_contain_text("No photos taken yet")
    bea.choose([painter.photo(900, 600)])
    bea.expect_all_sent()
    bea.go("mine")
    bea.expect_photos(1, "mine")
    bea.expect_pictures_loaded("mine")
    # Annotations would not be sealed.
    bea.open_photo("mine")
    bea.page.click("#photo-comments-show")
    expect(bea.page.locator("#comments-none")).to_be_visible()
    expect(bea.page.locator("#comment-form")).to_be_hidden()
    bea.page.go_back()
    for guest in (bea, cleo):
        guest.go("everyone")
        expect(guest.page.locator("#sealed")).to_contain_text("1 photo in the camera")
        expect(guest.page.locator("#sealed")).to_contain_text("The host decides")
        expect(guest.tiles()).to_have_count(0)
    path = photo_path(later_party, bea)
    for part in ("thumbnail", "preview", "original"):
        assert fetch(bea, f"{path}/{part}") == 200
        assert fetch(cleo, f"{path}/{part}") == 404
    cleo.allow("404")

    assert "revealed 1 photos" in later_party.host.command("event", "reveal")
    for guest in (bea, cleo):
        guest.expect_photos(1)
        guest.expect_pictures_loaded()
        expect(guest.page.locator("#sealed")).to_be_hidden()
    assert fetch(cleo, f"{path}/original") == 200


def test_a_page_of_another_node_shows_it_at_the_same_moment(later_party, guests, painter):
    other = later_party.join()
    bea = guests(later_party, "phone").open(later_party.host.link).enter("Bea")
    dora = guests(later_party, "phone").open(other.link).enter("Dora")
    bea.choose([painter.photo()])
    expect(dora.page.locator("#sealed")).to_contain_text("1 photo in the camera", timeout=180_000)
    later_party.host.command("event", "reveal")
    dora.expect_photos(1)


def in_seconds(count):
    return "at=" + time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(time.time() + count))


def test_pages_and_wall_count_down_to_the_time(parties, guests, painter):
    party = parties(options=["--reveal", in_seconds(3600)], guests=0)
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    wall = guests(party, "desktop").open(f"{party.host.origin}/wall#{party.host.link.split('#')[1]}")
    # As many at once as make pages reload the gallery.
    bea.choose(painter.photos(5))
    bea.expect_all_sent()
    for guest in (bea, wall):
        expect(guest.page.locator("#sealed")).to_contain_text("5 photos in the camera")
    # The time is set within the last minute only now, since a busy machine may be slow until here.
    party.host.command("event", "edit", "--reveal", in_seconds(45), "--yes")
    eventually("the last minute", lambda: re.fullmatch(r"\d\d?", bea.page.locator("#sealed .countdown").inner_text()))
    # A countdown for the audience.
    expect(wall.page.locator("#sealed .countdown")).to_have_text(re.compile(r"^\d\d?$"))
    expect(wall.page.get_by_role("heading", level=1)).to_be_visible()
    expect(wall.page.locator("#stage img")).to_have_count(0)
    expect(wall.page.locator("#wall")).to_have_attribute("data-state", "last-minute")
    bea.expect_photos(5)
    expect(wall.page.locator("#ceremony")).to_contain_text("5 photos are developed", timeout=180_000)
    expect(wall.page.locator("#stage .shown img")).to_have_count(1, timeout=180_000)
    expect(wall.page.locator("#sealed")).to_be_hidden()
    expect(wall.page.locator("#ceremony")).to_be_hidden(timeout=180_000)


def test_the_plain_page_explains_sealed_photos_as_well(later_party, guests, painter):
    bea = guests(later_party, "phone", scripts=False)
    bea.open(later_party.host.origin)
    bea.page.get_by_label("code", exact=False).fill(later_party.code)
    bea.page.locator("form button:visible").click()
    bea.page.get_by_role("link", name="To the photos").click()
    bea.page.get_by_label("I agree").check()
    bea.page.set_input_files("input[type=file]", painter.photo())
    bea.page.get_by_role("button", name="Send").click()
    expect(bea.page.locator(".photos img")).to_have_count(1)
    bea.page.get_by_role("link", name="Everyone").click()
    expect(bea.page.locator("body")).to_contain_text("1 photo in the camera")
    expect(bea.page.locator(".photos figure")).to_have_count(0)
