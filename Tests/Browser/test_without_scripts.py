# SPDX-License-Identifier: Apache-2.0
"""A browser without JavaScript takes part: code, form, grid."""

from playwright.sync_api import expect

from party import eventually, sha256


def enter(guest, party, name):
    guest.open(party.host.origin)
    guest.page.get_by_label("code", exact=False).fill(party.code.lower())
    guest.page.get_by_label("name", exact=False).fill(name)
    guest.page.locator("form button:visible").click()


def test_without_scripts_a_guest_enters_by_code_sends_photos_and_sees_them(own_party, guests, painter, size):
    bea = guests(own_party, size, scripts=False)
    enter(bea, own_party, "Bea")
    expect(bea.page.locator("ol.words li")).to_have_count(12)
    words = bea.page.locator("ol.words li").all_inner_texts()
    bea.page.get_by_role("link", name="To the photos").click()
    expect(bea.page.locator("h1")).to_have_text("Garden party")

    photos = painter.photos(2)
    # Nothing is sent without the checkbox: the browser itself requires it.
    bea.page.set_input_files("input[type=file]", photos)
    bea.page.get_by_role("button", name="Send").click()
    expect(bea.page.locator("input[type=file]")).to_be_visible()
    assert own_party.host.gallery() == []
    bea.page.get_by_label("I agree").check()
    bea.page.get_by_role("button", name="Send").click()
    pictures = bea.page.locator(".photos img")
    expect(pictures).to_have_count(2)
    expect(pictures.first).to_have_attribute("alt", "Photo by Bea")
    bea.page.wait_for_load_state("load")
    for picture in pictures.all():
        answer = bea.context.request.get(own_party.host.origin + picture.get_attribute("src"))
        assert answer.ok and answer.headers["content-type"] == "image/jpeg"
    sums = sorted(map(sha256, photos))
    assert sums == sorted(photo["sha256"] for photo in own_party.host.gallery())
    width = bea.page.locator("body").bounding_box()["width"]
    assert width <= bea.page.viewport_size["width"]

    # The words that the node showed work in a browser with JavaScript, and at another node.
    again = guests(own_party, size).open(own_party.other.link)
    again.page.click("#returning")
    again.page.fill("#words-field", " ".join(words))
    again.page.click("#words-form button[type=submit]")
    again.expect_party()
    again.expect_photos(2, "everyone")
    again.go("mine")
    again.expect_photos(2, "mine")

    bea.page.get_by_role("link", name="Mine").click()
    bea.page.get_by_role("button", name="Delete for everybody").first.click()
    expect(bea.page.get_by_role("button", name="Keep")).to_have_count(1)
    eventually("one photo fewer", lambda: len(own_party.host.gallery()) == 1)


def test_without_scripts_a_file_that_is_no_photo_is_refused_with_a_reason(party, guests, size, tmp_path):
    bea = guests(party, size, scripts=False)
    bea.allow("422|400")
    enter(bea, party, "Bea")
    bea.page.get_by_role("link", name="To the photos").click()
    letter = tmp_path / "letter.jpg"
    letter.write_text("Dear all, this is no photo.")
    bea.page.get_by_label("I agree").check()
    bea.page.set_input_files("input[type=file]", letter)
    bea.page.get_by_role("button", name="Send").click()
    expect(bea.page.locator("body")).to_contain_text("letter.jpg")
    expect(bea.page.locator(".photos img")).to_have_count(0)
