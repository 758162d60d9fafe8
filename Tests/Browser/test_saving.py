# SPDX-License-Identifier: Apache-2.0
"""Saving photos: one, some, all; the saved files equal the sent ones."""

import hashlib
import re
import zipfile
from collections import Counter

import pytest
from PIL import Image
from playwright.sync_api import expect

from party import eventually, sha256


def contents(path):
    """Returns the SHA-256 of every file of an archive that Python's zipfile accepts."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert len(set(archive.namelist())) == len(archive.namelist()), "two files of one name"
        return Counter(hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist())


def saved(guest, click, folder):
    with guest.page.expect_download() as download:
        click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_all_a_selection_and_one_photo_are_saved_as_they_were_sent(own_party, guests, painter, size, tmp_path):
    others = painter.photos(2)
    own_party.other.command("add", *others)
    bea = guests(own_party, size).open(own_party.host.link).enter("Bea")
    mine = painter.photos(3)
    bea.choose(mine)
    bea.expect_photos(3, "mine")
    bea.expect_all_sent()
    eventually("all originals at the host's node", lambda: sum(
        photo["state"] == "complete" for photo in own_party.host.gallery()) == 5)
    bea.expect_photos(5)

    def save_all(tab):
        bea.go(tab)
        bea.page.locator(f"#{tab}-grid").get_by_role("button", name="Save all").click()
        return saved(bea, bea.answer, tmp_path)

    archive = save_all("everyone")
    assert archive.name == "Garden party.zip"
    assert contents(archive) == Counter(map(sha256, mine + others))
    assert contents(save_all("mine")) == Counter(map(sha256, mine))

    bea.go("everyone")
    grid = bea.page.locator("#everyone-grid")
    grid.get_by_role("button", name="Select").click()
    chosen = [0, 2]
    ids = [re.search(r"photos/(\w+)/", bea.tiles().nth(number).locator("img").get_attribute("src")).group(1)
           for number in chosen]
    for number in chosen:
        bea.tiles().nth(number).locator("button").click()
    expect(grid).to_contain_text("2 selected")
    grid.get_by_role("button", name="Save", exact=True).click()
    sums = {photo["id"]: photo["sha256"] for photo in own_party.host.gallery()}
    assert contents(saved(bea, bea.answer, tmp_path)) == Counter(sums[id] for id in ids)

    bea.open_photo("mine")
    photo = saved(bea, lambda: bea.page.click("#photo-save"), tmp_path)
    assert sha256(photo) in map(sha256, mine)
    assert re.fullmatch(r"Garden party-\d+-Bea\.jpg", photo.name), photo.name
    # A long press saves the visible image: an element with nothing above it, with the whole photo after a moment.
    picture = bea.page.locator("#photo-stage .here img:not(.under)")
    expect(picture).to_have_attribute("src", re.compile("/original$"))
    assert picture.evaluate("""(image) => {
        const { left, top, width, height } = image.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === image;
    }""")


def test_the_hosts_notice_makes_way_for_a_selection(lone_party, guests, painter, size):
    lone_party.host.command("add", painter.photo())
    lone_party.host.command("notice", "The cake is cut at nine.")
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.expect_photos(1)
    notice, grid = bea.page.locator("#notice"), bea.page.locator("#everyone-grid")
    expect(notice).to_be_visible()
    grid.get_by_role("button", name="Select").click()
    expect(notice).to_be_hidden()
    bea.go("mine")
    expect(notice).to_be_visible()
    bea.go("everyone")
    grid.get_by_role("button", name="Done").click()
    expect(notice).to_be_visible()


def test_a_picture_in_another_format_is_also_saved_as_a_jpeg(party, guests, painter, size, tmp_path):
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    bea.expect_all_sent()
    bea.open_photo("mine")
    expect(bea.page.get_by_role("link", name="Save original")).to_be_visible()
    expect(bea.page.get_by_role("link", name="Save as JPEG")).to_have_count(0)
    bea.page.click("#photo-close")
    drawing = tmp_path / "drawing.png"
    with Image.open(painter.photo()) as photo:
        photo.convert("RGB").save(drawing)
        shape = photo.width / photo.height
    bea.choose([drawing])
    bea.expect_photos(2, "mine")
    bea.expect_all_sent()
    pictures = bea.page.locator("#mine-grid .tile:not([hidden]):not(.upload) button")
    link = bea.page.get_by_role("link", name="Save as JPEG")

    def is_found():
        """The order of the two is that of their times."""
        for number in range(2):
            pictures.nth(number).click()
            expect(bea.page.locator("#photo")).to_be_visible()
            bea.page.wait_for_timeout(500)
            if link.count():
                return True
            bea.page.click("#photo-close")
        return False

    eventually("the link", is_found)
    copy = saved(bea, link.click, tmp_path)
    assert copy.suffix == ".jpg"
    with Image.open(copy) as image:
        assert image.format == "JPEG" and max(image.size) <= 1600 and abs(image.width / image.height - shape) < .02


def test_the_photos_that_a_guest_loves_are_saved_as_a_set(lone_party, guests, painter, tmp_path):
    lone_party.host.command("add", *painter.photos(4))
    bea = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea")
    bea.expect_photos(4)
    ids = []
    for number in (1, 3):
        ids.append(re.search(r"photos/(\w+)/", bea.tiles().nth(number).locator("img").get_attribute("src"))[1])
        bea.open_photo("everyone", number)
        heart = bea.page.locator("#photo-reactions button").first
        heart.click()
        expect(heart).to_have_attribute("aria-pressed", "true")
        bea.page.click("#photo-close")
    grid = bea.page.locator("#everyone-grid")
    grid.get_by_role("button", name="Select").click()
    grid.get_by_role("button", name="My hearts").click()
    expect(grid.locator(".chooser")).to_contain_text("2 selected")
    grid.get_by_role("button", name="Save", exact=True).click()
    sums = {photo["id"]: photo["sha256"] for photo in lone_party.host.gallery()}
    assert contents(saved(bea, bea.answer, tmp_path)) == Counter(sums[id] for id in ids)


def test_caption_names_and_event_are_copied_as_text(party, guests, painter, size):
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    bea.open_photo("mine")
    page = bea.page
    page.click("#caption-edit")
    page.fill("#caption-field", "The cake\nat five")
    page.click("#caption-form button[type=submit]")
    expect(page.locator("#photo-caption")).to_contain_text("The cake")
    page.get_by_role("button", name="Copy text").click()
    expect(page.locator("#toast")).to_contain_text("Copied.")
    page.click("#photo-comments-show")
    page.locator("#comment-field").press("Control+V")
    expect(page.locator("#comment-field")).to_have_value(re.compile(
        r"^The cake\nat five\nPhoto by Bea, Garden party, \d\d/\d\d/\d{4}$"))


# No browser of the tests has the share sheet of a phone: this one takes note of what it would get.
SHEET = """Object.assign(navigator, { canShare: ({ files }) => files.length === 1, share: async ({ files }) => {
    if (navigator.isTooLate) throw Object.assign(new Error(), { name: "NotAllowedError" });
    const hash = await crypto.subtle.digest("SHA-256", await files[0].arrayBuffer());
    window.shared = [files[0].type, [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("")];
} })"""


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, label, ready", [
    ("en-GB", "Share", "ready to be shared"), ("fr-FR", "Partager", "prête à être partagée")])
def test_a_photo_is_handed_to_the_systems_share_sheet(lone_party, guests, painter, locale, label, ready):
    lone_party.host.command("add", painter.photo())
    bea = guests(lone_party, "phone", locale=locale)
    bea.page.add_init_script(SHEET)
    bea.open(lone_party.host.link).enter("Bea")
    bea.expect_photos(1)
    bea.open_photo("everyone")
    share = bea.page.locator("#photo-share")
    expect(share).to_have_text(label)
    file = ["image/jpeg", lone_party.host.gallery()[0]["sha256"]]
    share.click()
    eventually("the file", lambda: bea.page.evaluate("window.shared") == file)
    # A tap counts for some seconds only, and a large photo takes longer.
    bea.page.evaluate("[window.shared, navigator.isTooLate] = [null, true]")
    share.click()
    expect(bea.page.locator("#toast")).to_contain_text(ready)
    bea.page.evaluate("navigator.isTooLate = false")
    bea.page.locator("#toast").get_by_role("button", name=label).click()
    eventually("the file", lambda: bea.page.evaluate("window.shared") == file)
