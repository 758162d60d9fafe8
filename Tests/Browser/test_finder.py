# SPDX-License-Identifier: Apache-2.0
"""The viewfinder in the page, with Chromium's own moving picture in place of a camera."""

import os

import pytest
from playwright.sync_api import expect

from conftest import CHROMIUM
from guest import Guest

CAMERA = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
# A browser that refuses says so in the console.
REFUSED = "NotAllowedError|Permission denied"


@pytest.fixture(scope="module")
def camera(browser):
    """Chromium with two cameras, and nobody who has to allow them."""
    arguments = [CAMERA[0] + "=device-count=2", CAMERA[1]] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    with_camera = browser.browser_type.launch(executable_path=CHROMIUM, args=arguments)
    yield with_camera
    with_camera.close()


@pytest.fixture
def shooting(camera):
    """Makes guests who have a camera; each is checked at the end as others are."""
    made = []

    def make(party, size="phone"):
        guest = Guest(camera, party.origins, size)
        made.append(guest)
        return guest.open(party.host.link).enter("Bea")

    yield make
    for guest in made:
        guest.check()
        guest.close()


def shoot(guest):
    shutter = guest.page.locator("#finder-shutter")
    expect(shutter).to_be_enabled()
    shutter.click()


def open_finder(guest):
    guest.page.locator("#camera").click(force=True)
    expect(guest.page.locator("#finder")).to_be_visible()


def test_a_photo_is_taken_in_the_page_and_comes_to_everyone(parties, guests, shooting):
    party = parties(frames="2")
    bea = shooting(party)
    expect(bea.page.locator("#first-use")).to_be_visible()
    open_finder(bea)
    counter = bea.page.locator("#finder-counter")
    expect(counter).to_have_text("2 of 2 left")
    expect(bea.page.locator("#finder-flip")).to_be_visible()
    shoot(bea)
    # Before the first photo there is the question, in front of the camera.
    bea.answer()
    expect(counter).to_have_text("1 of 2 left")
    bea.page.click("#finder-flip")
    expect(bea.page.locator("#finder-shutter")).to_be_enabled()
    bea.page.keyboard.press("Escape")
    expect(bea.page.locator("#finder")).to_be_hidden()
    assert bea.page.evaluate("document.getElementById('finder-video').srcObject") is None
    bea.go("mine")
    bea.expect_all_sent()
    bea.expect_photos(1, "mine")
    expect(bea.page.locator("#first-use")).to_be_hidden()
    open_finder(bea)
    bea.page.click("#finder-flash")
    expect(bea.page.locator("#finder-flash")).to_have_attribute("aria-pressed", "true")
    shoot(bea)
    expect(bea.page.locator("#finder-note")).to_have_text("Your film is full")
    expect(bea.page.locator("#finder-shutter")).to_be_disabled()
    bea.page.go_back()
    bea.expect_all_sent()
    sizes = [(photo["width"], photo["height"]) for photo in party.host.gallery()]
    assert len(sizes) == 2 and all(min(size) >= 240 for size in sizes)


def test_without_a_camera_the_phones_own_opens(party, guests, painter):
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    bea.allow(REFUSED)
    open_finder(bea)
    expect(bea.page.locator("#finder-note")).to_contain_text("phone’s own camera")
    expect(bea.page.locator("#finder-shutter")).to_be_disabled()
    with bea.page.expect_file_chooser() as chooser:
        bea.page.click("#finder-other")
    chooser.value.set_files(str(painter.photo()))
    bea.answer()
    bea.expect_all_sent()
    bea.expect_photos(1, "mine")
