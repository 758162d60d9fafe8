# SPDX-License-Identifier: Apache-2.0
"""The viewfinder in the page, with Chromium's own moving picture in place of a camera."""

import os

import pytest
from PIL import Image
from playwright.sync_api import expect

from conftest import CHROMIUM
from guest import Guest
from party import eventually
from test_axe import find

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


def shoot_twice_at_once(guest):
    guest.page.evaluate("for (let tap = 0; tap < 2; tap += 1) document.getElementById('finder-shutter').click()")


def wait_for_another_picture(guest, after=0.0):
    """Chromium's cameras all show the same moving picture, from its begin on: the same moment would be no new photo.
    Returns the moment."""
    return guest.page.wait_for_function("""(after) => {
        const { currentTime } = document.getElementById("finder-video");
        return currentTime > after && currentTime;
    }""", arg=after).json_value()


def corner_of_the_photo(party, folder):
    """Returns a colour of the only photo, where the frame of a second picture would be."""
    party.host.command("export", folder)
    with Image.open(next(folder.rglob("*.jpg"))) as photo:
        place = round(min(photo.size) * .035)
        return photo.convert("RGB").getpixel((place, place))


def test_photos_are_taken_one_by_one_in_the_page_and_come_to_everyone(parties, guests, shooting):
    party = parties(frames="3", guests=0)
    bea = shooting(party)
    expect(bea.page.locator("#first-use")).to_be_visible()
    open_finder(bea)
    counter = bea.page.locator("#finder-counter")
    shutter = bea.page.locator("#finder-shutter")
    expect(counter).to_have_text("3 of 3 left")
    expect(bea.page.locator("#finder-flip")).to_be_visible()
    expect(shutter).to_be_enabled()
    # While the film is wound a second tap takes none.
    shoot_twice_at_once(bea)
    # Before the first photo there is the question, in front of the camera.
    bea.answer()
    expect(counter).to_have_text("2 of 3 left")
    taken_by = wait_for_another_picture(bea)
    bea.page.click("#finder-flip")
    expect(shutter).to_be_enabled()
    wait_for_another_picture(bea, taken_by + 1)
    shoot_twice_at_once(bea)
    expect(counter).to_have_text("1 of 3 left")
    expect(shutter).to_be_enabled()
    taken_by = wait_for_another_picture(bea)
    bea.page.keyboard.press("Escape")
    expect(bea.page.locator("#finder")).to_be_hidden()
    bea.page.wait_for_function("() => document.getElementById('finder-video').srcObject === null")
    bea.go("mine")
    bea.expect_all_sent()
    bea.expect_photos(2, "mine")
    expect(bea.page.locator("#first-use")).to_be_hidden()
    open_finder(bea)
    bea.page.click("#finder-flash")
    expect(bea.page.locator("#finder-flash")).to_have_attribute("aria-pressed", "true")
    wait_for_another_picture(bea, taken_by + 1)
    shoot(bea)
    expect(bea.page.locator("#finder-note")).to_have_text("Your film is full")
    expect(shutter).to_be_disabled()
    bea.page.go_back()
    bea.expect_all_sent()
    sizes = [(photo["width"], photo["height"]) for photo in party.host.gallery()]
    assert len(sizes) == 3 and all(min(size) >= 240 for size in sizes)


def test_the_counter_is_right_before_the_node_has_counted_the_photo(parties, shooting):
    party = parties(frames="3", guests=0)
    bea = shooting(party)
    open_finder(bea)
    counter = bea.page.locator("#finder-counter")
    shoot(bea)
    bea.answer()
    expect(counter).to_have_text("2 of 3 left")
    taken_by = wait_for_another_picture(bea)
    # The node answers late what it knows of the guest; its photos are there before.
    held = []
    bea.page.route("**/api/me", lambda route: held.append(route))
    bea.expect_photos(1, "mine")
    expect(bea.page.locator(".upload")).to_have_count(0)
    expect(counter).to_have_text("2 of 3 left")
    wait_for_another_picture(bea, taken_by + 1)
    shoot(bea)
    expect(bea.page.locator("#finder-shutter")).to_be_enabled()
    bea.expect_photos(2, "mine")
    expect(bea.page.locator(".upload")).to_have_count(0)
    expect(counter).to_have_text("1 of 3 left")
    # The count stays what it is once the node has said the same.
    while held:
        held.pop().continue_()
    bea.page.unroute("**/api/me")
    bea.expect_all_sent()
    bea.page.wait_for_function("() => import('/shared/session.js').then(({ framesLeft }) => framesLeft() === 1)")
    expect(counter).to_have_text("1 of 3 left")


def test_a_camera_that_is_flipped_during_a_shot_takes_it_first(parties, shooting):
    party = parties(frames="3", guests=0)
    bea = shooting(party)
    open_finder(bea)
    expect(bea.page.locator("#finder-flip")).to_be_visible()
    expect(bea.page.locator("#finder-shutter")).to_be_enabled()
    bea.page.evaluate("for (const part of ['shutter', 'flip']) document.getElementById(`finder-${part}`).click()")
    bea.answer()
    expect(bea.page.locator("#finder-counter")).to_have_text("2 of 3 left")
    expect(bea.page.locator("#finder-shutter")).to_be_enabled()
    expect(bea.page.locator("#finder-note")).to_be_hidden()
    # A photo that is being taken is waited for when the viewfinder is closed, too.
    wait_for_another_picture(bea, 2)
    bea.page.evaluate("for (const part of ['shutter', 'close']) document.getElementById(`finder-${part}`).click()")
    expect(bea.page.locator("#finder")).to_be_hidden()
    bea.page.wait_for_function("() => document.getElementById('finder-video').srcObject === null")
    bea.expect_all_sent()
    eventually("both photos", lambda: len(party.host.gallery()) == 2)


def test_one_photo_shows_both_sides_where_the_guest_wants_it(parties, shooting, tmp_path):
    party = parties(guests=0)
    bea = shooting(party)
    open_finder(bea)
    both = bea.page.get_by_role("button", name="Both cameras in one photo")
    both.click()
    expect(both).to_have_attribute("aria-pressed", "true")
    wait_for_another_picture(bea)
    shoot(bea)
    bea.answer()
    # Afterwards the first camera is open again.
    expect(bea.page.locator("#finder-shutter")).to_be_enabled()
    expect(bea.page.locator("#finder-note")).to_be_hidden()
    assert not bea.page.locator("#finder-video.is-mirror").count()
    bea.page.keyboard.press("Escape")
    bea.expect_all_sent()
    corner = corner_of_the_photo(party, tmp_path)
    # The frame of the smaller picture, which is nearly white; the moving picture of the cameras is green there.
    assert all(abs(found - wanted) < 24 for found, wanted in zip(corner, (255, 248, 236))), corner


def test_a_camera_that_does_not_open_leaves_the_photo_of_the_other(parties, shooting, tmp_path):
    party = parties(guests=0)
    bea = shooting(party)
    open_finder(bea)
    bea.page.get_by_role("button", name="Both cameras in one photo").click()
    wait_for_another_picture(bea)
    bea.page.evaluate("""() => {
        const { mediaDevices } = navigator;
        const open = mediaDevices.getUserMedia.bind(mediaDevices);
        mediaDevices.getUserMedia = (wanted) => wanted.video.facingMode === "user"
            ? Promise.reject(new DOMException("in use", "NotReadableError")) : open(wanted);
    }""")
    shoot(bea)
    bea.answer()
    expect(bea.page.locator("#finder-shutter")).to_be_enabled()
    bea.page.keyboard.press("Escape")
    bea.expect_all_sent()
    corner = corner_of_the_photo(party, tmp_path)
    assert corner[1] > corner[0] + 24, corner


def test_people_without_a_phone_take_photos_at_a_booth(parties, shooting):
    party = parties(frames="2", guests=0)
    booth = shooting(party, "desktop")
    booth.open_me()
    booth.page.get_by_role("button", name="Photo booth").click()
    dialog = booth.page.get_by_role("dialog", name="Photo booth")
    shutter = dialog.get_by_role("button", name="Take the photo")
    expect(shutter).to_be_enabled()
    found = []
    find(booth, "booth", found)
    assert found == []
    shutter.click()
    booth.answer()
    expect(dialog.get_by_alt_text("The photo that was taken")).to_be_visible()
    expect(dialog).to_contain_text("on its way to everyone")
    eventually("the photo is there", lambda: len(party.host.gallery()) == 1)
    # It is ready for the next person by itself, until the film is full.
    expect(shutter).to_be_enabled()
    shutter.click()
    expect(dialog).to_contain_text("Your film is full", timeout=20_000)
    eventually("both photos are there", lambda: len(party.host.gallery()) == 2)
    expect(shutter).to_be_disabled()
    booth.page.keyboard.press("Escape")
    booth.answer()
    expect(dialog).to_have_count(0)


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
