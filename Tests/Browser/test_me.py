# SPDX-License-Identifier: Apache-2.0
"""What is under "Me": the look, everything about oneself as a file, and a report for the host."""

import json
import re
import zipfile

from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import expect

from guest import UNREACHABLE
from party import sha256

PAPER = "getComputedStyle(document.body).backgroundColor"
DARK, LIGHT = "rgb(23, 17, 12)", "rgb(255, 248, 236)"


def test_the_theme_and_large_text_are_chosen_for_good(party, guests, size):
    bea = guests(party, size, scheme="dark").open(party.host.link).enter("Bea")
    assert bea.page.evaluate(PAPER) == DARK
    bea.open_me()
    before = bea.page.evaluate("parseFloat(getComputedStyle(document.querySelector('#me h1')).fontSize)")
    themes = bea.page.get_by_role("group", name="Theme")
    expect(themes.get_by_label("As the phone")).to_be_checked()
    themes.get_by_label("As the phone").focus()
    bea.page.keyboard.press("ArrowRight")
    expect(themes.get_by_label("Light")).to_be_checked()
    assert bea.page.evaluate(PAPER) == LIGHT
    bea.page.get_by_label("Large text").check()
    bea.page.reload()
    bea.expect_party()
    assert bea.page.evaluate(PAPER) == LIGHT
    bea.open_me()
    assert bea.page.evaluate("parseFloat(getComputedStyle(document.querySelector('#me h1')).fontSize)") == 1.25 * before
    assert bea.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # The pages to read have it, too.
    bea.page.goto(f"{party.host.origin}/help.html")
    assert bea.page.evaluate(PAPER) == LIGHT
    bea.page.go_back()
    bea.expect_party()
    bea.open_me()
    themes.locator("label", has_text="Dark").click()
    expect(themes.get_by_label("Dark")).to_be_checked()
    assert bea.page.evaluate(PAPER) == DARK
    themes.locator("label", has_text="As the phone").click()
    expect(themes.get_by_label("As the phone")).to_be_checked()
    bea.page.emulate_media(color_scheme="light")
    assert bea.page.evaluate(PAPER) == LIGHT


def test_the_colours_of_an_old_film_are_shown_and_saved_in_a_copy_and_originals_do_not_have_them(party, guests, painter, tmp_path):
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    shared = painter.photo()
    party.host.command("add", shared)
    bea.expect_pictures_loaded()
    def wait_for_colours(colours):
        """New photos develop first, which has colours of its own."""
        bea.page.wait_for_function("""(colours) => {
            const image = document.querySelector("#everyone .tile img");
            return image && getComputedStyle(image).filter === colours;
        }""", arg=colours)

    wait_for_colours("none")
    bea.open_me()
    bea.page.get_by_label("colours of an old film").check()
    bea.page.reload()
    bea.expect_party()
    wait_for_colours("sepia(0.35) contrast(1.08) saturate(1.3)")
    bea.open_photo("everyone")
    with bea.page.expect_download() as download:
        bea.page.click("#photo-save")
    download.value.save_as(tmp_path / "saved.jpg")
    assert sha256(tmp_path / "saved.jpg") in [photo["sha256"] for photo in party.host.gallery()]
    # A copy has the colours that the page shows.
    with bea.page.expect_download() as download:
        bea.page.get_by_role("button", name="Save in old colours").click()
    assert download.value.suggested_filename.endswith("-film.jpg")
    download.value.save_as(tmp_path / "film.jpg")
    with Image.open(tmp_path / "saved.jpg") as original, Image.open(tmp_path / "film.jpg") as film:
        assert film.size == original.size
        # The rows of sepia(.35) contrast(1.08) saturate(1.3) as one matrix.
        expected = original.convert("RGB").convert("RGB", (
            1.021, .149, .058, -10.2, .087, 1.021, .048, -10.2, .049, .033, .943, -10.2))
        assert max(ImageStat.Stat(ImageChops.difference(expected, film.convert("RGB"))).mean) < 6
        assert max(ImageStat.Stat(ImageChops.difference(original.convert("RGB"), film.convert("RGB"))).mean) > 6
    bea.page.click("#photo-close")
    bea.open_me()
    bea.page.get_by_label("colours of an old film").uncheck()
    bea.page.reload()
    bea.expect_party()
    bea.open_photo("everyone")
    expect(bea.page.get_by_role("button", name="Save in old colours")).to_have_count(0)


def test_everything_about_me_is_one_file_with_my_photos_and_what_was_said(party, guests, painter, tmp_path, size):
    bea = guests(party, size).open(party.host.link).enter("Bea of the file")
    photos = painter.photos(2)
    bea.choose(photos)
    bea.expect_all_sent()
    party.host.command("add", painter.photo())
    ids = {photo["id"]: photo["sha256"] for photo in party.host.gallery() if photo["author"] == "Bea of the file"}
    party.host.command("comment", list(ids)[0], "so nice")
    bea.open_me()
    with bea.page.expect_download() as saved:
        bea.page.click("#me-data")
        bea.answer()
    path = tmp_path / "me.zip"
    saved.value.save_as(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        me = json.loads(archive.read("me.json"))
        files = {photo["file"] for photo in me["photos"]}
        assert files | {"me.json"} == set(archive.namelist())
        for name in files:
            archive.extract(name, tmp_path)
    assert {sha256(tmp_path / name) for name in files} == {sha256(photo) for photo in photos}
    assert me["name"] == "Bea of the file" and me["consent"]["isGiven"]
    assert {photo["about"]["id"] for photo in me["photos"]} == set(ids)
    assert [comment["text"] for photo in me["photos"] for comment in photo["about"]["comments"]] == ["so nice"]
    assert {"join", "photo", "name", "consent"} <= {said["kind"] for said in me["said"]}
    assert {"comment"} <= {said["kind"] for said in me["saidByOthers"]}


def test_a_report_says_what_went_wrong_and_nothing_about_the_guest(party, guests, painter, size):
    bea = guests(party, size).open(party.host.link).enter("Bea Personal")
    bea.choose([painter.photo(name="holiday.jpg")])
    bea.expect_all_sent()
    bea.allow(UNREACHABLE)
    bea.allow("status of 503")
    bea.page.route(re.compile(r"/api/people$"), lambda route: route.fulfill(
        status=503, json={"error": {"code": "unavailable", "message": "not now"}}))
    bea.page.evaluate("""async () => {
        const { call } = await import("/shared/api.js");
        await call("GET", "api/people").catch(() => null);
        dispatchEvent(new ErrorEvent("error", { message: "made by a test", filename: "/test.js", lineno: 7 }));
    }""")
    bea.open_me()
    bea.page.click("#me-report")
    dialog = bea.page.locator("#report")
    words = dialog.get_by_role("textbox").input_value()
    assert words.startswith("Disposable report, ")
    for line in ["GET api/people: 503 unavailable", "made by a test (test.js:7)", "event: open; sealed false",
                 "uploads: ", "browser: Mozilla/5.0", "theme system"]:
        assert line in words, line
    me = bea.page.evaluate("""import('/shared/session.js')
        .then(({ me }) => [me.guest.id, me.link, me.code, me.event.name, me.event.id])""")
    for secret in [*me, me[1].split("#")[1], "Bea", "Personal", "holiday", party.host.origin]:
        assert secret not in words, secret
    with bea.page.expect_download() as saved:
        dialog.get_by_role("link", name="Save as a file").click()
    assert saved.value.path().read_text() == words
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_the_home_screen_of_a_phone_gets_the_partys_name_and_an_icon(party, guests):
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    assert bea.page.locator("meta[name='apple-mobile-web-app-title']").get_attribute("content") == "Garden party"
    size = bea.page.evaluate("""async () => {
        const image = new Image();
        image.src = document.querySelector("link[rel='apple-touch-icon']").href;
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
    }""")
    assert size == [180, 180]
