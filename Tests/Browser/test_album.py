# SPDX-License-Identifier: Apache-2.0
"""An exported album, opened from disk: order, names, annotations and large photos."""

import json
import re
import subprocess
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from client import Client
from party import eventually

HOUR = 3_600_000
NOON = 1_755_345_600_000
LONG_NAME = "Bartholomew Featherstonehaugh the Elder"


@pytest.fixture(scope="module")
def album(parties, painter, tmp_path_factory):
    """Photos of two days, added in another order than taken, of two guests without a name and one with a long one; a
    HEIC and a video; a caption, comments and hearts."""
    party = parties(guests=0)
    nameless = [Client(party.host.link).enter("") for _ in range(2)]
    first = nameless[0].upload(painter.photo(taken_at=NOON + 5 * HOUR).read_bytes())[2]
    nameless[1].upload(painter.photo(taken_at=NOON + 3 * HOUR).read_bytes())
    long = Client(party.host.link).enter(LONG_NAME)
    long.upload(painter.photo(taken_at=NOON + 26 * HOUR).read_bytes())
    heic = painter.folder / "phone.heic"
    picture = painter.photo(taken_at=NOON + HOUR)
    subprocess.run(["convert", picture, heic], check=True)
    subprocess.run(["exiftool", "-q", "-overwrite_original", "-tagsFromFile", picture, "-exif:all", heic], check=True)
    party.host.command("add", heic, "--caption", "First <b>cake</b>")
    video = painter.folder / "clip.mp4"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=320x240:duration=1", video],
                   check=True)
    party.host.command("add", video)
    assert long.json("POST", f"api/photos/{first}/comments", {"text": "What <i>light</i>!"})[0] == 201
    assert nameless[1].json("POST", f"api/photos/{first}/comments", {"text": "Mine is better"})[0] == 201
    party.host.command("react", first, "❤️")
    eventually("all originals", lambda: sum(photo["state"] == "complete" for photo in party.host.gallery()) == 5)
    folder = tmp_path_factory.mktemp("album") / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        patch.setenv("LC_ALL", "C.UTF-8")
        party.host.command("export", folder, "--album")
    yield folder
    party.end()


@pytest.fixture
def open_album(browser, album):
    contexts, complaints = [], []

    def open_page(width=1280, height=800, scheme="light", **options):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, timezone_id="UTC", **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.append(request.url))
        page.goto((album / "index.html").as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def names(page):
    return page.locator("figcaption b").all_inner_texts()


def test_photos_are_grouped_by_day_in_the_order_they_were_taken(open_album, album):
    page = open_album()
    assert names(page)[:4] == ["Anna", "Guest 2", "Guest 1", LONG_NAME]
    headings = page.locator("h2").all_inner_texts()
    assert [heading.split(" ")[0] for heading in headings[:2]] == ["Saturday", "Sunday"], headings
    assert headings[0].endswith("3 photos") and headings[1].endswith("1 photo")
    manifest = json.loads((album / "manifest.json").read_text())
    assert not re.search(r"-[0-9a-f]{8}-", " ".join(photo["file"] for photo in manifest["photos"]))
    assert sorted({photo["authorName"] for photo in manifest["photos"]}) == ["Anna", LONG_NAME, "Guest 1", "Guest 2"]


def test_annotations_are_shown_as_text_and_not_as_markup(open_album):
    page = open_album()
    expect(page.locator("figure").first).to_contain_text("First <b>cake</b>")
    third = page.locator("figure").nth(2)
    expect(third.locator(".reactions")).to_have_text(re.compile("❤️ 1"))
    expect(third.locator("summary")).to_have_text("2 comments")
    third.locator("summary").click()
    expect(third.locator("details p").nth(0)).to_have_text(f"{LONG_NAME} What <i>light</i>!")
    expect(third.locator("details p").nth(1)).to_have_text("Guest 2 Mine is better")


def test_photos_open_large_and_arrow_keys_show_the_next(open_album):
    page = open_album()
    dialog, picture = page.locator("dialog"), page.locator("dialog .stage img")
    expect(dialog).to_be_hidden()
    page.locator("figure > a").first.click()
    expect(dialog).to_be_visible()
    # This browser does not show HEIC: the JPEG is shown instead, and the original is linked.
    expect(picture).to_have_js_property("naturalWidth", 640)
    expect(picture).to_have_attribute("alt", "Photo by Anna")
    expect(page.locator("dialog .original")).to_have_attribute("href", re.compile(r"\.heic$"))
    expect(dialog).to_contain_text("1 of 5")
    expect(page.get_by_role("button", name="Previous photo")).to_be_disabled()
    for place in (2, 3):
        page.keyboard.press("ArrowRight")
        expect(dialog).to_contain_text(f"{place} of 5")
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("(image) => image.naturalWidth") > 0
    expect(dialog.locator(".about")).to_contain_text("Mine is better")
    page.get_by_role("button", name="Previous photo").click()
    expect(dialog).to_contain_text("2 of 5")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("figure > a").nth(1)).to_be_focused()
    page.locator("figure > a").last.click()
    expect(page.locator("dialog .stage video")).to_have_js_property("videoWidth", 320)
    expect(page.get_by_role("button", name="Next photo")).to_be_disabled()
    page.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_every_link_leads_to_a_file_also_without_scripts(open_album, album):
    page = open_album(java_script_enabled=False)
    links = page.locator("figure a")
    files = {unquote(links.nth(number).get_attribute("href")) for number in range(links.count())}
    assert all((album / file).is_file() for file in files), files
    assert {f"photos/{file.name}" for file in (album / "photos").iterdir()} <= files
    heic = page.locator("figure").first
    assert re.fullmatch(r"previews/\d+\.jpg", heic.locator("a").first.get_attribute("href"))
    expect(heic.locator(".files")).to_have_text("JPEG HEIC")


def test_the_book_prints_two_photos_a_sheet_with_captions_and_comments(open_album, album, tmp_path):
    page = open_album()
    page.get_by_role("link", name="The album to print").click()
    page.wait_for_url(re.compile(r"/book\.html$"))
    assert page.locator("figcaption b").all_inner_texts()[:3] == ["Photo by Anna", "Photo by Guest 2", "Photo by Guest 1"]
    expect(page.locator("figure").nth(0).locator(".caption")).to_have_text("First <b>cake</b>")
    expect(page.locator("figure").nth(2).locator(".comments p")).to_have_text(
        [f"{LONG_NAME} What <i>light</i>!", "Guest 2 Mine is better"])
    images = page.locator(".picture img")
    eventually("every picture", lambda: images.evaluate_all("(images) => images.every((image) => image.naturalWidth > 0)"))
    # A preview of each photo, also of HEIC; no node makes one of a video.
    assert images.count() == 4
    expect(page.locator("figure").last).to_contain_text("Video by Anna")
    paper = tmp_path / "book.pdf"
    page.pdf(path=paper, prefer_css_page_size=True)
    read = lambda *command: subprocess.run(command, check=True, capture_output=True, text=True).stdout
    about = read("pdfinfo", paper)
    # The title, three photos of one day, one of another and the video of a third.
    assert re.search(r"^Pages: +5$", about, re.M) and "A4" in about, about
    text = read("pdftotext", "-layout", paper, "-")
    assert "First <b>cake</b>" in text and "Mine is better" in text and "Garden party" in text
    assert "Print this page" not in text


@pytest.mark.share(of=2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width, height", [(390, 844), (1366, 768)])
def test_nothing_is_cut_off_at_any_width(open_album, scheme, width, height):
    page = open_album(width, height, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for time in page.locator("figcaption time").all():
        box, tile = time.bounding_box(), time.locator("xpath=ancestor::figure").bounding_box()
        assert box["width"] > 20 and box["x"] + box["width"] <= tile["x"] + tile["width"]
    page.locator("figure > a").nth(2).click()
    picture = page.locator("dialog .stage img")
    expect(picture).to_have_js_property("complete", True)
    box = picture.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
    for button in page.locator("dialog button").all():
        box = button.bounding_box()
        assert box["y"] + box["height"] <= height and box["x"] + box["width"] <= width
