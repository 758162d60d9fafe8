# SPDX-License-Identifier: Apache-2.0
"""An encrypted album: opened with its passphrase from disk and from a web server, and mute without it."""

import base64
import functools
import hashlib
import hmac
import html
import itertools
import json
import re
import shutil
import struct
import subprocess
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import nacl.secret
import pytest
from playwright.sync_api import expect

from client import Client
from party import BUILD, eventually, sha256
from test_axe import find

HOUR = 3_600_000
NOON = 1_755_345_600_000
NAMES = ["Wilhelmina", "Bartholomew"]
CAPTION = "First <b>cake</b> of Ermintrude"
COMMENT = "What <i>light</i>, Ermintrude!"
PASSPHRASE = "a passphrase of our own, Ünïcode"


def export(node, folder, *options, timeout=120):
    """Returns what the command reports about the album."""
    lines = map(json.loads, node.command("export", folder, "--web", *options, "--json", timeout=timeout).splitlines())
    return next(line for line in lines if line["type"] == "webAlbum")


def refused(node, folder, *options):
    """Returns the exit code of an export that fails."""
    command = [BUILD / "disposable", "export", folder, "--web", *options, "--data", node.folder]
    return subprocess.run(command, capture_output=True, timeout=120).returncode


@pytest.fixture(scope="module")
def party_of_photos(parties, painter):
    """Photos of two days by two guests, a caption, a comment, hearts and a video longer than two pieces."""
    party = parties(name="Zanzibar", guests=0)
    first, second = (Client(party.host.link).enter(name) for name in NAMES)
    photo = first.upload(painter.photo(taken_at=NOON + HOUR).read_bytes())[2]
    second.upload(painter.photo(taken_at=NOON + 2 * HOUR).read_bytes())
    second.upload(painter.photo(taken_at=NOON + 26 * HOUR).read_bytes())
    assert first.json("PUT", f"api/photos/{photo}/caption", {"text": CAPTION})[0] == 204
    assert second.json("POST", f"api/photos/{photo}/comments", {"text": COMMENT})[0] == 201
    party.host.command("react", photo, "❤️")
    video = painter.folder / "noise.mp4"
    subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "nullsrc=size=640x480:duration=2,geq=random(1)*255:128:128",
         "-b:v", "6M", "-minrate", "6M", "-pix_fmt", "yuv420p", video], check=True)
    assert video.stat().st_size > 2 * 524_288
    party.host.command("add", video)
    eventually("all originals", lambda: sum(photo["state"] == "complete" for photo in party.host.gallery()) == 4)
    yield party, video
    party.end()


@pytest.fixture(scope="module")
def album(party_of_photos, tmp_path_factory):
    folder = tmp_path_factory.mktemp("web") / "home"
    return folder, export(party_of_photos[0].host, folder)


@pytest.fixture
def site(album):
    """The album on a plain web server."""
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=album[0]))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def listen(page, complaints):
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    # A picture that is left before it has loaded is aborted, which is no complaint.
    page.on("requestfailed", lambda request: "ERR_ABORTED" in (request.failure or "") or complaints.append(request.url))


def check(complaints):
    assert [text for text in complaints if "favicon" not in text and "404" not in text] == []


@pytest.fixture
def visit(browser):
    contexts, complaints = [], []

    def open_page(address, expects_complaints=False, **options):
        context = browser.new_context(viewport={"width": 1280, "height": 800}, timezone_id="UTC", **options)
        contexts.append(context)
        page = context.new_page()
        if not expects_complaints:
            listen(page, complaints)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    check(complaints)


@pytest.fixture(scope="module")
def unlocked(browser, album):
    """The album from disk, opened with its passphrase: that costs a key derivation of several seconds."""
    folder, report = album
    context, complaints = browser.new_context(timezone_id="UTC"), []
    page = context.new_page()
    listen(page, complaints)
    page.goto(index(folder))
    assert page.title() == "Encrypted album"
    # As people type it.
    unlock(page, "  " + report["passphrase"].upper().replace(" ", "-") + " ")
    expect(page.locator("figure")).to_have_count(4, timeout=60_000)
    yield page
    context.close()
    check(complaints)


@pytest.fixture
def opened(unlocked):
    """The unlocked album on a desktop, at its list of photos."""
    unlocked.set_viewport_size({"width": 1280, "height": 800})
    unlocked.emulate_media(color_scheme="light")
    yield unlocked
    unlocked.evaluate("document.querySelector('dialog').close()")


def index(folder):
    return (folder / "index.html").as_uri()


def unlock(page, passphrase):
    page.get_by_role("textbox").fill(passphrase)
    page.get_by_role("button").first.click()


def test_the_passphrase_opens_the_album_with_days_names_and_remarks(opened):
    expect(opened.locator("h1")).to_have_text("Zanzibar")
    headings = opened.locator("h2").all_inner_texts()
    assert headings[0].startswith("Saturday") and headings[0].endswith("2 photos"), headings
    first = opened.locator("figure").first
    expect(first.locator("figcaption b")).to_have_text(NAMES[0])
    expect(first.locator("time")).to_have_text(re.compile(r"^(13:00|01:00\sPM)$"))
    expect(first).to_contain_text(CAPTION)
    expect(first.locator(".reactions")).to_have_text("❤️ 1")
    first.locator("summary").click()
    expect(first.locator("details p")).to_have_text(f"{NAMES[1]} {COMMENT}")
    expect_pictures(opened)


def expect_pictures(page):
    for image in page.locator("figure img").all():
        image.scroll_into_view_if_needed()
        expect(image).to_have_js_property("complete", True)
        eventually("a thumbnail", lambda image=image: image.evaluate("(image) => image.naturalWidth") > 0)


def test_a_web_server_serves_the_same_album(visit, album, site):
    page = visit(site)
    unlock(page, album[1]["passphrase"])
    expect(page.locator("figure")).to_have_count(4)
    expect_pictures(page)


def test_photos_open_large_and_keys_move_on(opened):
    opened.locator("figure > button").first.click()
    dialog = opened.locator("dialog")
    picture = dialog.locator(".stage img")
    expect(picture).to_have_attribute("alt", f"Photo by {NAMES[0]}")
    eventually("the picture", lambda: picture.evaluate("(image) => image.naturalWidth") == 640)
    expect(dialog.get_by_role("button", name="Previous photo")).to_be_disabled()
    for place in (2, 3, 4):
        opened.keyboard.press("ArrowRight")
        expect(dialog.locator(".place")).to_have_text(f"{place} of 4")
    opened.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opened.locator("figure > button").nth(3)).to_be_focused()


@pytest.mark.parametrize("locale, day, count, photo, comments, close", [
    ("en-GB", "Saturday", "2 photos", "Photo by", "1 comment", "Close"),
    ("fr-FR", "samedi", "2 photos", "Photo de", "1 commentaire", "Fermer")])
def test_axe_finds_nothing_on_the_album_in_either_language(visit, album, locale, day, count, photo, comments, close):
    page, found = visit(index(album[0]), locale=locale), []
    guest = SimpleNamespace(page=page)
    expect(page.get_by_role("button")).to_be_visible()
    find(guest, "locked", found)
    unlock(page, album[1]["passphrase"])
    expect(page.locator("figure")).to_have_count(4)
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    heading = page.locator("h2").first
    expect(heading).to_contain_text(day)
    expect(heading).to_contain_text(count)
    page.locator("summary").click()
    expect(page.locator("summary")).to_have_text(comments)
    find(guest, "photos", found)
    page.get_by_role("button", name=f"{photo} {NAMES[0]}").click()
    dialog = page.locator("dialog")
    eventually("the picture", lambda: dialog.locator(".stage img").evaluate("(image) => image.naturalWidth") == 640)
    expect(dialog.get_by_role("button", name=close)).to_be_visible()
    find(guest, "photo", found)
    assert found == []


def test_a_video_of_several_pieces_plays_and_is_saved_unchanged(opened, party_of_photos, tmp_path):
    opened.locator("figure.film > button").click()
    opened.locator("dialog .play").click()
    expect(opened.locator("dialog video")).to_have_js_property("videoWidth", 640)
    with opened.expect_download() as download:
        opened.get_by_role("button", name=re.compile("Save original")).click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert re.fullmatch(r"\d{4}-Anna-\d+\.mp4", saved.name)
    shared = next(photo for photo in party_of_photos[0].host.gallery() if photo["mediaType"] == "video/mp4")
    assert sha256(saved) == shared["sha256"]


def test_a_wrong_passphrase_says_so_and_the_right_one_still_opens(visit, album):
    folder, report = album
    page = visit(index(folder))
    unlock(page, report["passphrase"] + " zebra")
    expect(page.get_by_role("alert")).to_have_text(re.compile("does not open the album"))
    expect(page.locator("figure")).to_have_count(0)
    unlock(page, report["passphrase"])
    expect(page.locator("figure")).to_have_count(4)


def test_a_missing_and_a_damaged_piece_are_told_apart(visit, album, tmp_path):
    folder, report = album
    for damage, message in (("missing", "is missing"), ("damaged", "is damaged")):
        copy = tmp_path / damage
        shutil.copytree(folder, copy)
        for piece in (copy / "pieces").iterdir():
            if damage == "missing":
                piece.unlink()
            else:
                text = piece.read_text()
                piece.write_text(text[:1000] + ("A" if text[1000] != "A" else "B") + text[1001:])
        page = visit(index(copy), expects_complaints=True)
        unlock(page, report["passphrase"])
        expect(page.get_by_role("alert")).to_have_text(re.compile(message))


def test_the_bytes_tell_no_name_word_or_number(album, party_of_photos):
    """Names, texts and file names are in no file, neither as they are nor in base64; all pieces have one length."""
    folder, report = album
    files = [path for path in folder.rglob("*") if path.is_file()]
    pieces = [path for path in files if path.parent.name == "pieces"]
    assert [path.name for path in files if path not in pieces] == ["index.html"]
    assert len(pieces) == report["pieceCount"]
    assert {path.stat().st_size for path in pieces} == {699_133}
    assert all(re.fullmatch(r"[0-9a-f]{48}\.js", path.name) for path in pieces)
    secrets = [*NAMES, "Anna", "Zanzibar", "Ermintrude", "noise", "0001", "2025", "image/jpeg", "video/mp4", "thumbnail"]
    party = party_of_photos[0]
    gallery = party.host.gallery()
    secrets += [photo["id"] for photo in gallery] + [party.host.ready["event"]] + report["passphrase"].split()
    page = (folder / "index.html").read_text()
    # The page is the same for every album; it names types and parts that scripts know.
    lock = json.loads(re.search('data-lock="([^"]*)"', page)[1].replace("&quot;", '"'))
    assert set(lock) == {"format", "salt", "cost", "blockSize", "passes", "box"}
    for path in pieces:
        text = path.read_text()
        raw = base64.b64decode(re.fullmatch(r'piece\("[0-9a-f]{48}","([^"]*)"\)\n', text)[1])
        for secret in secrets:
            if len(secret) > 5:
                assert secret.encode() not in raw and secret not in text, (path, secret)
        assert b"\xff\xd8\xff\xe0\x00\x10JFIF" not in raw
        # Sealed bytes look random: each value is about as frequent as any other.
        assert max(raw.count(value) for value in range(256)) < 2 * len(raw) / 256
    for name in [*NAMES, "Ermintrude", "Zanzibar", *[photo["id"] for photo in gallery]]:
        assert name not in page
    assert not any(word in page for word in [report["passphrase"]])


def test_another_program_reads_it_by_the_specification(album, party_of_photos):
    """protocol/web-album.md, with PyNaCl and Python's scrypt."""
    folder, report = album
    page = (folder / "index.html").read_text()
    lock = json.loads(html.unescape(re.search('data-lock="([^"]*)"', page)[1]))
    lock_key = hashlib.scrypt(
        report["passphrase"].encode(), salt=bytes.fromhex(lock["salt"]), n=lock["cost"], r=lock["blockSize"],
        p=lock["passes"], maxmem=1 << 28, dklen=32)
    key = nacl.secret.SecretBox(lock_key).decrypt(bytes.fromhex(lock["box"]), bytes(24))

    def code(key, message):
        return hmac.new(key, message, hashlib.sha256).digest()

    def stream(number):
        names, box, whole = code(key, b"names"), nacl.secret.SecretBox(code(key, b"pieces")), b""
        for index in itertools.count():
            nonce = code(names, struct.pack(">BQ", number, index))[:24]
            path = folder / "pieces" / f"{nonce.hex()}.js"
            if not path.exists():
                return whole
            name, text = re.fullmatch(r'piece\("([0-9a-f]{48})","([^"]*)"\)\n', path.read_text()).groups()
            assert name == nonce.hex()
            whole += box.decrypt(base64.b64decode(text), nonce)

    listed = stream(0)
    album_list = json.loads(listed[8:8 + int.from_bytes(listed[:8], "big")])
    files = stream(1)
    assert [photo["caption"] for photo in album_list["photos"] if "caption" in photo] == [CAPTION]
    found = {
        hashlib.sha256(files[photo["original"]["start"]:][:photo["original"]["byteCount"]]).hexdigest()
        for photo in album_list["photos"]}
    assert found == {photo["sha256"] for photo in party_of_photos[0].host.gallery()}


def test_two_exports_share_no_byte_that_could_be_compared(album, party_of_photos, tmp_path):
    again = tmp_path / "again"
    export(party_of_photos[0].host, again)
    names = {path.name for path in (album[0] / "pieces").iterdir()}
    assert not names & {path.name for path in (again / "pieces").iterdir()}


def test_a_passphrase_of_ones_own_and_previews_only(visit, party_of_photos, tmp_path):
    party = party_of_photos[0]
    (tmp_path / "secret").write_text(PASSPHRASE + "\n")
    folder = tmp_path / "small"
    export(party.host, folder, "--without-originals", "--passphrase-file", tmp_path / "secret")
    page = visit(index(folder), locale="fr-FR")
    expect(page.get_by_role("button")).to_have_text("Ouvrir")
    unlock(page, PASSPHRASE.swapcase())
    expect(page.locator("figure")).to_have_count(4)
    page.locator("figure > button").first.click()
    eventually("the picture", lambda: page.locator("dialog .stage img").evaluate("(image) => image.naturalWidth") == 640)
    expect(page.locator("dialog nav .save")).to_be_hidden()
    (tmp_path / "secret").write_text("too short\n")
    assert refused(party.host, tmp_path / "none", "--passphrase-file", tmp_path / "secret") == 2
    assert not (tmp_path / "none").exists()


def test_a_folder_with_files_is_refused_and_stays_as_it_is(party_of_photos, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Anna")
    assert refused(party_of_photos[0].host, tmp_path) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_the_key_derivation_of_the_page_is_scrypt(visit, album):
    """The vectors of RFC 7914 §12."""
    page = visit(index(album[0]))
    vectors = [
        ("", "", 16, 1, 1, "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                           "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"),
        ("password", "NaCl", 1024, 8, 16, "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                                          "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"),
        ("pleaseletmein", "SodiumChloride", 16384, 8, 1,
         "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
         "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"),
    ]
    for password, salt, cost, size, passes, expected in vectors:
        found = page.evaluate(
            "async ([password, salt, cost, blockSize, passes]) =>"
            " hex(await scrypt(utf8(password), utf8(salt), { cost, blockSize, passes }, 64))",
            [password, salt, cost, size, passes])
        assert found == expected


@pytest.mark.share(of=2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width, height", [(390, 844), (1366, 768)])
def test_nothing_is_cut_off_at_any_width(opened, visit, album, scheme, width, height):
    locked = visit(index(album[0]))
    for page in (locked, opened):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert locked.get_by_role("button").bounding_box()["height"] >= 48
    opened.locator("figure > button").nth(1).click()
    picture = opened.locator("dialog .stage img")
    eventually("the picture", lambda: picture.evaluate("(image) => image.naturalWidth") > 0)
    for part in [picture, *opened.locator("dialog nav button").all()]:
        box = part.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height


def test_both_albums_count_people_with_the_same_name_one_by_one(parties, painter, visit, tmp_path):
    party = parties(guests=0)
    for _ in range(2):
        assert Client(party.host.link).enter("Sam").upload(painter.photo().read_bytes())[0] == 204
    eventually("both photos", lambda: sum(photo["state"] == "complete" for photo in party.host.gallery()) == 2)
    party.host.command("export", tmp_path / "plain", "--album", "--language", "en")
    plain = visit((tmp_path / "plain" / "index.html").as_uri(), locale="en-GB")
    expect(plain.locator("header")).to_contain_text("2 photos by 2 people")
    report = export(party.host, tmp_path / "web")
    sealed = visit(index(tmp_path / "web"), locale="en-GB")
    unlock(sealed, report["passphrase"])
    expect(sealed.locator("header")).to_contain_text("2 photos by 2 people", timeout=60_000)
    party.end()
