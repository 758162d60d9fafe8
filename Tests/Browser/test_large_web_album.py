# SPDX-License-Identifier: Apache-2.0
"""An encrypted album of a whole event, from a disk and from a web server. With DISPOSABLE_LONG a thousand photos, otherwise
forty. The figures are properties of the test."""

import os
import re
import time

import pytest
from playwright.sync_api import expect

from client import Client
from party import eventually
from test_web_album import export, index, site, unlock, visit  # noqa: F401

pytestmark = pytest.mark.long
COUNT = 1_000 if "DISPOSABLE_LONG" in os.environ else 40
CAPTION, COMMENT = "The cake of Ermintrude", "What light, Ermintrude!"


@pytest.fixture(scope="module")
def album(parties, painter, tmp_path_factory):
    """The folder of the album, and what the command reported."""
    party = parties(name="Zanzibar", guests=0)
    photos = painter.photos(COUNT - 1, width=1600, height=1200)
    for start in range(0, len(photos), 100):
        party.host.command("add", *photos[start:start + 100], timeout=1_800)
    guest = Client(party.host.link).enter("Wilhelmina")
    last = guest.upload(painter.photo(width=1600, height=1200).read_bytes())[2]
    assert guest.json("PUT", f"api/photos/{last}/caption", {"text": CAPTION})[0] == 204
    assert guest.json("POST", f"api/photos/{last}/comments", {"text": COMMENT})[0] == 201
    eventually("all originals", lambda: sum(photo["state"] == "complete" for photo in party.host.gallery()) == COUNT, 1_800)
    plain = sum(photo["byteCount"] for photo in party.host.gallery())
    folder = tmp_path_factory.mktemp("web") / "home"
    began = time.monotonic()
    report = export(party.host, folder, timeout=1_800)
    seconds = time.monotonic() - began
    yield folder, report, f"{COUNT} photos, {plain / 1e6:.0f} MB of originals, in {seconds:.1f} s"
    party.end()


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.share(of=2)
@pytest.mark.parametrize("place", ["disk", "server"])
def test_the_album_of_a_whole_event_opens(album, visit, site, place, record_property):  # noqa: F811
    folder, report, made = album
    page = visit(index(folder) if place == "disk" else site)
    began = time.monotonic()
    unlock(page, report["passphrase"])
    expect(page.locator("figure")).to_have_count(COUNT, timeout=180_000)
    listed = time.monotonic() - began
    eventually("the first thumbnail", lambda: page.locator("figure img").first.evaluate("(image) => image.naturalWidth") > 0)
    seen = time.monotonic() - began
    record_property("an album of a whole event", f"{made}: {sum(path.stat().st_size for path in files(folder)) / 1e6:.0f} MB in "
                    f"{len(files(folder))} files; from a {place} listed {listed:.1f} s after the passphrase, first picture after {seen:.1f} s")
    last = page.locator("figure", has_text=CAPTION)
    expect(last).to_have_count(1)
    last.locator("summary").click()
    expect(last.locator("details p")).to_have_text(f"Wilhelmina {COMMENT}")
    last.locator("> button").click()
    eventually("the photo", lambda: page.locator("dialog .stage img").evaluate("(image) => image.naturalWidth") == 1600)
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("Save original")).click()
    assert download.value.suggested_filename.endswith(".jpg")


def test_without_the_passphrase_only_the_size_can_be_seen(album):
    folder = album[0]
    pieces = [path for path in files(folder) if path.parent.name == "pieces"]
    assert {path.relative_to(folder).parts[0] for path in files(folder)} == {"index.html", "pieces"}
    # One length and names at random: neither tells how many photos there are, or where one begins.
    assert len({path.stat().st_size for path in pieces}) == 1
    assert all(re.fullmatch(r"[0-9a-f]{48}\.js", path.name) for path in pieces)
    secrets = [b"Zanzibar", b"Wilhelmina", b"Ermintrude", b"image/jpeg"]
    for path in pieces:
        content = path.read_bytes()
        assert not any(secret in content for secret in secrets), path
    page = (folder / "index.html").read_text()
    assert not re.search(r"Zanzibar|Wilhelmina|Ermintrude", page)
