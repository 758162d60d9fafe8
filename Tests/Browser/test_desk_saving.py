# SPDX-License-Identifier: Apache-2.0
"""The organizer chooses the best photos at the desk and takes them home from there, with their captions."""

import zipfile

from playwright.sync_api import expect

from party import eventually
from test_desk import sit  # noqa: F401


def test_the_chosen_photos_are_saved_from_the_desk_with_their_captions(lone_party, sit, painter, tmp_path):  # noqa: F811
    host = lone_party.host
    host.command("add", *painter.photos(4))
    gallery = eventually("four photos", lambda: (lambda photos: len(photos) == 4 and photos)(host.gallery()))
    host.command("caption", gallery[1]["id"], "The first dance")
    desk = sit(host).go("photos")
    page = desk.page
    for photo in (gallery[1], gallery[3]):
        page.locator(f'#grid li[data-id="{photo["id"]}"] button').focus()
        page.keyboard.press("f")
        expect(page.locator(f'#grid li[data-id="{photo["id"]}"] .star')).to_be_visible()
    page.click('[data-which="favourites"]')
    expect(page.locator("#grid li")).to_have_count(2)
    with page.expect_download() as download:
        page.click("#save-photos")
    path = tmp_path / "best.zip"
    download.value.save_as(path)
    assert download.value.suggested_filename == "Garden party.zip"
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert len(names) == 3 and names[-1] == "captions.txt"
        assert archive.read("captions.txt").decode() == f"{names[0]}: The first dance\n"
    page.click('[data-which="hidden"]')
    expect(page.locator("#save-photos")).to_be_hidden()
