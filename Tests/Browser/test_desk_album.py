# SPDX-License-Identifier: Apache-2.0
"""The organizer makes the album of the event at the desk, saves it as one file and opens it from disk."""

import hashlib
import json
import re
import subprocess
import zipfile

import pytest
from playwright.sync_api import expect

from party import BUILD, eventually
from test_axe import find
from test_desk import sit  # noqa: F401

PASSPHRASE = "a passphrase of our own"


@pytest.fixture
def host(lone_party, painter):
    """The organizer's node with four photos, of which one has a caption."""
    host = lone_party.host
    host.command("add", *painter.photos(4))
    gallery = eventually("four photos", lambda: (lambda photos: len(photos) == 4 and photos)(host.gallery()))
    host.command("caption", gallery[1]["id"], "The first dance")
    return host


def album_folder(host):
    return next((host.folder / "events").iterdir()) / "album"


def save(page, folder):
    """Waits for the album, saves and unpacks it. Returns its folder and the suggested name of the file."""
    expect(page.locator("#album-save")).to_be_visible(timeout=120_000)
    with page.expect_download() as download:
        page.click("#album-save")
    path = folder / "album.zip"
    download.value.save_as(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        archive.extractall(folder / "unpacked")
    folders = list((folder / "unpacked").iterdir())
    assert len(folders) == 1
    return folders[0], download.value.suggested_filename


def content(folder):
    """Returns the hash of each file. Those that differ with the time of the export are left out."""
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    varying = {"manifest.json", "manifest.sig", "contact-sheet.pdf"}
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items() if name not in varying}


def test_the_overview_says_when_the_photos_are_deleted_and_leads_to_saving_them(host, sit):  # noqa: F811
    page = sit(host).go("overview").page
    card = page.locator("#deadline")
    expect(card).to_contain_text("all photos are deleted from every computer")
    expect(card).not_to_have_class(re.compile("trouble"))
    page.click("#save-before")
    expect(page.locator("#album input:checked")).to_be_focused()
    # Once the event is over it is a warning.
    host.command("event", "close", "--yes")
    expect(card).to_have_class(re.compile("trouble"))


def test_the_album_of_the_desk_is_that_of_the_command(host, sit, browser, tmp_path):  # noqa: F811
    desk, found = sit(host).go("overview"), []
    page = desk.page
    find(desk.guest, "choices", found)
    page.click("#album-make")
    folder, name = save(page, tmp_path)
    assert name == "Garden party-album.zip" and folder.name == "Garden party-album"
    expect(page.locator("#album-ready")).to_contain_text("4 photos")
    find(desk.guest, "ready", found)
    assert found == []
    host.command("export", tmp_path / "command", "--album", "--language", "en")
    assert content(folder) == content(tmp_path / "command")
    lists = [json.loads((path / "manifest.json").read_text()) for path in (folder, tmp_path / "command")]
    for each in lists:
        del each["exportedAt"]
    assert lists[0] == lists[1]
    subprocess.run([BUILD / "disposable", "verify", folder], check=True, capture_output=True, timeout=120)
    album = browser.new_page()
    album.goto((folder / "index.html").as_uri())
    expect(album.locator("figure")).to_have_count(4)
    expect(album.locator("main")).to_contain_text("The first dance")
    album.close()
    # A page that is loaded again still has it, and it leaves the disk when the organizer removes it.
    page.reload()
    expect(page.locator("#album-save")).to_be_visible()
    page.click("#album-remove")
    expect(page.locator("#album-form")).to_be_visible()
    eventually("the file is gone", lambda: not album_folder(host).exists())


def test_an_encrypted_album_opens_with_its_passphrase(host, sit, browser, tmp_path):  # noqa: F811
    desk = sit(host).go("overview")
    desk.guest.allow("status of 422")
    page = desk.page
    page.locator("#album .choice", has_text="Encrypted").click()
    page.fill("#album-passphrase", "too short")
    page.click("#album-make")
    expect(page.locator("#album-problem")).to_contain_text("at least 16 characters")
    page.fill("#album-passphrase", PASSPHRASE)
    page.check("#album-previews")
    page.click("#album-make")
    folder, name = save(page, tmp_path)
    # The file names nothing of the event.
    assert name == "album.zip" and folder.name == "album"
    expect(page.locator("#album-words")).to_have_text(PASSPHRASE)
    assert "Garden" not in (folder / "index.html").read_text()
    album = browser.new_page()
    album.goto((folder / "index.html").as_uri())
    album.get_by_role("textbox").fill(PASSPHRASE)
    album.keyboard.press("Enter")
    expect(album.locator("figure")).to_have_count(4, timeout=60_000)
    album.close()
    # Without a passphrase of one's own, seven words are made.
    page.click("#album-remove")
    page.fill("#album-passphrase", "")
    page.click("#album-make")
    expect(page.locator("#album-words")).to_have_text(re.compile(r"^[a-z]+( [a-z]+){6}$"), timeout=120_000)


def test_the_photos_alone_are_a_choice_beside_the_albums(host, sit, tmp_path):  # noqa: F811
    desk = sit(host).go("photos")
    page = desk.page
    page.click("#to-album")
    expect(page.locator("#main")).to_have_attribute("data-section", "overview")
    album = page.locator("#album")
    expect(album.locator("input:checked")).to_be_focused()
    expect(page.locator("#album-about")).to_contain_text("signed list")
    album.locator(".choice", has_text="Photos only").click()
    expect(page.locator("#album-make")).to_be_hidden()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save 4 photos").click()
    path = tmp_path / "photos.zip"
    download.value.save_as(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert len(archive.namelist()) == 5 and "captions.txt" in archive.namelist()
    page.check("#album-favourites")
    expect(page.locator("#album-none")).to_be_visible()
    expect(page.locator("#album-photos")).to_be_hidden()


def test_an_event_without_photos_has_no_album_and_a_killed_node_leaves_none(lone_party, sit):  # noqa: F811
    host = lone_party.host
    desk = sit(host).go("overview")
    desk.guest.allow("status of 409|ERR_CONNECTION_REFUSED|status of 401")
    page = desk.page
    page.click("#album-make")
    expect(page.locator("#album-problem")).to_contain_text("no photos")
    expect(page.locator("#album-form")).to_be_visible()
    left = album_folder(host)
    eventually("nothing is left", lambda: not left.exists())
    host.kill()
    (left / "photos").mkdir(parents=True)
    (left / "album.zip").write_bytes(b"half of it")
    host.start()
    assert not left.exists()
