# SPDX-License-Identifier: Apache-2.0
"""Hostile guests and strangers: stored text never runs, forbidden requests are refused."""

import re
import zipfile

import pytest
from playwright.sync_api import expect

from client import Client
from party import eventually

SCRIPT = "<img src=x onerror=alert(1)>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
HTML = b"<!doctype html><script>alert(1)</script>"


@pytest.fixture(scope="module")
def scripted(parties, painter):
    """A party, a guest and a file whose names are HTML with scripts."""
    party = parties(name=f'"><script>alert(1)</script>{SCRIPT}', guests=0, host_name=SCRIPT)
    guest = Client(party.host.link).enter(SCRIPT)
    name = "<script>alert(1)</script>.jpg"
    status, code, photo = guest.upload(painter.photo().read_bytes(), name=name)
    assert (status, code) == (204, None) and photo
    eventually("its thumbnail", lambda: guest.json("GET", f"api/photos/{photo}")[2]["has"])
    yield party
    party.end()


def expect_no_script(guest, among="body"):
    """Expects that the names are shown as text and not as elements."""
    found = guest.page.eval_on_selector_all(
        f"{among} *", "all => all.filter((one) => one.hasAttribute('onerror') || one.innerHTML?.includes('alert(1)')"
                      " && one.tagName === 'SCRIPT').length")
    assert found == 0


def test_scripts_in_names_never_run(scripted, guests, size, tmp_path):
    bea = guests(scripted, size).open(scripted.host.link)
    expect(bea.page.locator("#welcome-title")).to_contain_text("<script>alert(1)</script>")
    expect(bea.page.locator("#welcome-host")).to_contain_text(SCRIPT)
    expect_no_script(bea)
    bea.enter(SCRIPT)
    expect(bea.page.locator("#event-name")).to_contain_text("<script>")
    bea.expect_photos(1)
    assert SCRIPT in bea.tiles().locator("img").get_attribute("alt")
    expect_no_script(bea)
    bea.open_photo("everyone")
    expect(bea.page.locator("#photo-author")).to_have_text(f"by {SCRIPT}")
    expect_no_script(bea)
    with bea.page.expect_download() as download:
        bea.page.click("#photo-save")
    assert not re.search(r'[<>"/\\]', download.value.suggested_filename), download.value.suggested_filename
    bea.page.click("#photo-close")
    # A file of the guest with such a name, which the tile shows.
    named = tmp_path / f"{SCRIPT.replace('/', '')}.jpg"
    named.write_bytes(HTML)
    bea.allow("422")
    bea.choose([named])
    expect(bea.page.locator(".upload.is-failed")).to_be_visible()
    expect_no_script(bea)
    bea.open_me()
    expect_no_script(bea)


def test_scripts_in_names_never_run_on_the_plain_page_with_javascript_on(scripted, guests, size):
    # With JavaScript on, so that a script that got through would be noticed.
    bea = guests(scripted, size).open(scripted.host.link).enter("Bea")
    bea.page.goto(f"{scripted.host.origin}{scripted.host.path}simple")
    expect(bea.page.locator("h1")).to_contain_text("<script>")
    expect(bea.page.locator(".photos")).to_contain_text(SCRIPT)
    expect_no_script(bea)


def test_names_in_a_zip_are_harmless_on_every_file_system(scripted, tmp_path):
    guest = Client(scripted.host.link).enter("Bea")
    body = b"all=1"
    status, headers, archive = guest.request(
        "POST", "zip", body, {"Content-Type": "application/x-www-form-urlencoded"})
    assert status == 200
    assert not re.search(r"[<>]", headers["Content-Disposition"])
    path = tmp_path / "all.zip"
    path.write_bytes(archive)
    with zipfile.ZipFile(path) as names:
        for name in names.namelist():
            assert not re.search(r'[<>:"|?*\\\x00-\x1f]|(^|/)\.\.?(/|$)|^/', name), name


@pytest.mark.parametrize("data,name,media_type,reason", [
    (SVG, "drawing.svg", "image/svg+xml", "not-a-photo"), (SVG, "drawing.jpg", "image/jpeg", "not-a-photo"),
    (HTML, "page.html", "text/html", "not-a-photo"), (HTML, "page.png", "image/png", "not-a-photo"),
    (b"\xff\xd8\xff\xe0" + HTML * 50, "nearly.jpg", "image/jpeg", "metadata-left"),
], ids=["svg", "svg_as_jpeg", "html", "html_as_png", "html_behind_the_magic_of_jpeg"])
def test_drawings_and_pages_are_no_photos(party, data, name, media_type, reason):
    guest = Client(party.host.link).enter("Mallory")
    before = guest.json("GET", "api/photos?limit=1")[2]["count"]
    status, code, photo = guest.upload(data, name=name, media_type=media_type)
    assert (status, code, photo) == (422, reason, None)
    assert guest.json("GET", "api/photos?limit=1")[2]["count"] == before


def test_a_file_whose_metadata_cannot_be_removed_is_refused_with_a_hint(party, guests, painter, tmp_path):
    # A segment of an impossible length comes first, so the start of the next one is unknown.
    damaged = tmp_path / "damaged.jpg"
    damaged.write_bytes(b"\xff\xd8\xff\xe1\0\1" + painter.photo().read_bytes()[2:])
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    before = Client(party.host.link).json("GET", "api/photos?limit=1")[2]["count"]
    bea.allow("422")
    bea.choose([damaged])
    tile = bea.page.locator(".upload.is-failed")
    expect(tile).to_contain_text("Take a screenshot of it")
    expect(tile.locator("button")).to_have_count(1)  # to dismiss it: a retry would not help
    assert Client(party.host.link).json("GET", "api/photos?limit=1")[2]["count"] == before


def test_a_foreign_page_cannot_use_a_guests_session(party):
    guest = Client(party.host.link).enter("Bea")
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
                    {"Origin": f"http://{guest.host}0"}):
        for method, path in (("POST", "uploads"), ("PUT", "api/guest/name"), ("DELETE", "api/session"), ("POST", "zip")):
            status, _, body = guest.request(method, path, b"", headers)
            assert status == 403 and b"foreign-origin" in body, (method, path, headers, status, body)
    status, headers, _ = guest.request("GET", "api/me", headers={"Origin": "http://evil.example"})
    assert "Access-Control-Allow-Origin" not in headers
    assert guest.json("GET", "api/me")[2]["guest"]["name"] == "Bea"


def test_a_foreign_dns_name_of_this_machine_is_refused(party):
    guest = Client(party.host.link).enter("Bea")
    for host in ("evil.example", f"evil.example:{guest.host.split(':')[1]}", "127.0.0.1.evil.example", ""):
        for path in ("/", guest.path, "api/me"):
            status, _, _ = guest.request("GET", path, headers={"Host": host})
            assert status in (400, 421), (host, path, status)


def test_guessed_ids_and_paths_are_not_found(party, painter):
    guest = Client(party.host.link).enter("Bea")
    stranger = Client(party.host.link)
    stranger.session = "A" * 43
    photo = guest.upload(painter.photo().read_bytes())[2]
    for path in (f"photos/{photo}/original", f"photos/{photo}/thumbnail", "api/photos", "api/me", "api/updates"):
        assert stranger.request("GET", path)[0] == 401, path
    guessed = [f"photos/{'0' * 64}/original", f"photos/{photo[:-1]}/original", f"photos/{photo}/secret", "uploads/0",
               "/e/00000000/api/me", "/e/", "/.git/config", "/guest/app.js/..", "/Public/guest/app.js"]
    escapes = ["/../../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
               f"photos/{photo}/../../../../etc/passwd", "photos/..%2f..%2fidentity/original", "/guest/app.js%00.html"]
    for path in guessed + escapes:
        status, _, body = guest.request("GET", path)
        assert status in (400, 404, 405), (path, status)
        assert b"root:" not in body
    # Another guest's upload is not found, even by its exact address.
    status, headers, _ = guest.request("POST", "uploads", b"", {"Tus-Resumable": "1.0.0", "Upload-Length": "10"})
    other = Client(party.host.link).enter("Mallory")
    for method in ("HEAD", "PATCH", "DELETE"):
        status, _, _ = other.request(method, headers["Location"], b"x", {
            "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"})
        assert status == 404, method
    assert other.request("DELETE", f"api/photos/{photo}")[0] == 403


def test_oversized_heads_and_bodies_are_refused_and_others_are_served(party):
    guest = Client(party.host.link).enter("Bea")
    assert guest.request("GET", "api/me", headers={"X-Long": "a" * 20_000})[0] == 431
    assert guest.request("GET", f"api/photos?before={'a' * 20_000}")[0] in (414, 431)
    assert guest.request("POST", "/api/session", b" " * 20_000, {"Content-Type": "application/json"})[0] == 413
    status, _, _ = guest.request("POST", "uploads", b"", {"Tus-Resumable": "1.0.0", "Upload-Length": str(257 << 20)})
    assert status == 413
    assert guest.json("GET", "api/me")[0] == 200


def test_every_page_has_its_security_headers(party):
    guest = Client(party.host.link).enter("Bea")
    for path in ("/", guest.path, "simple", "/enter", "/help.html", "/privacy.html", "/nothing-here"):
        _, headers, _ = guest.request("GET", path, headers={"Accept": "text/html"})
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy, path
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert headers["Referrer-Policy"] == "same-origin", path
