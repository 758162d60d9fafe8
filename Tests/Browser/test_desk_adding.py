# SPDX-License-Identifier: Apache-2.0
"""The organizer adds photos at the desk from files: several at once, by a button or by dropping them, with what fails named."""

import pytest
from playwright.sync_api import expect

from party import eventually
from test_axe import find
from test_desk import sit  # noqa: F401

# Drops so many pictures over the page, as a person does with a mouse, and returns whether the area for that was shown meanwhile.
DROP = """async (count) => {
    const data = new DataTransfer();
    for (let number = 0; number < count; number += 1) {
        const canvas = new OffscreenCanvas(320, 240), brush = canvas.getContext("2d");
        brush.fillStyle = `hsl(${number * 40} 80% 50%)`;
        brush.fillRect(0, 0, 320, 240);
        const picture = await canvas.convertToBlob({ type: "image/jpeg" });
        data.items.add(new File([picture], `${number}.jpg`, { type: "image/jpeg" }));
    }
    const tell = (type) => document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    tell("dragover");
    const isShown = !document.getElementById("drop").hidden;
    tell("drop");
    return isShown && document.getElementById("drop").hidden;
}"""


def done(page):
    expect(page.locator("#adding")).to_have_attribute("data-state", "done", timeout=120_000)
    return page.locator("#adding")


def test_files_become_photos_of_the_organizer_and_those_that_fail_are_named(lone_party, sit, painter, tmp_path):  # noqa: F811
    host, found = lone_party.host, []
    desk = sit(host).go("photos")
    desk.guest.allow("status of 409")
    page = desk.page
    text, empty = tmp_path / "notes.jpg", tmp_path / "empty.jpg"
    text.write_text("no photo at all")
    empty.touch()
    photos = painter.photos(3)
    page.set_input_files("#add-photos", [photos[0], text, photos[1], empty, photos[2]])
    panel = done(page)
    expect(panel).to_contain_text("3 photos added. 2 files not added:")
    failed = page.locator("#adding-failed li")
    expect(failed).to_have_count(2)
    expect(failed.nth(0)).to_have_text("notes.jpgThis is not a photo or video.")
    expect(failed.nth(1)).to_have_text("empty.jpgThis file is empty.")
    expect(page.locator("#adding-again")).to_be_hidden()
    expect(desk.shots()).to_have_count(3)
    find(desk.guest, "failed", found)
    assert found == []
    gallery = eventually("three photos", lambda: (lambda photos: len(photos) == 3 and photos)(host.gallery()))
    assert len({photo["author"] for photo in gallery}) == 1 and all(photo["isMine"] for photo in gallery)
    assert sorted(photo["frame"] for photo in gallery) == [1, 2, 3]
    page.click("#adding-close")
    expect(panel).to_be_hidden()
    expect(page.locator("#add-photos")).to_be_focused()

    # The same file again is no second photo.
    page.set_input_files("#add-photos", [photos[1]])
    expect(done(page)).to_contain_text("1 photo was here already.")
    expect(desk.shots()).to_have_count(3)


def test_dropped_files_are_added_while_another_section_is_shown(lone_party, sit):  # noqa: F811
    desk = sit(lone_party.host).go("photos")
    page = desk.page
    assert page.evaluate(DROP, 4)
    desk.go("people").go("photos")
    expect(done(page)).to_contain_text("4 photos added.")
    expect(desk.shots()).to_have_count(4)


@pytest.mark.parametrize("locale, button, drop", [("en-GB", "Add photos", "Drop your photos here"),
                                                  ("fr-FR", "Ajouter des photos", "Déposez vos photos ici")])
def test_a_program_that_ends_meanwhile_is_told_and_the_rest_can_be_tried_again(lone_party, sit, painter, locale, button, drop):  # noqa: F811
    host = lone_party.host
    desk = sit(host, locale=locale).go("photos")
    desk.guest.allow("ERR_|status of 401")
    page = desk.page
    expect(page.locator(".add-photos label")).to_have_text(button)
    expect(page.locator("#drop")).to_have_text(drop)
    host.kill()
    page.set_input_files("#add-photos", painter.photos(3))
    done(page)
    expect(page.locator("#adding-failed li")).to_have_count(3)
    expect(page.locator("#adding-again")).to_be_visible()
    host.start()
