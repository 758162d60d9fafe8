# SPDX-License-Identifier: Apache-2.0
"""Photos that the guest's browser seals: equal to the protocol's vectors, unreadable for the node that takes them, and
shown to everybody after the reveal. Packages by a client of its own, from protocol/guest-api.md §19."""

import hashlib
import json
import os
import re
import struct

import pytest
from nacl.bindings import crypto_aead_chacha20poly1305_ietf_encrypt, crypto_box_seal
from playwright.sync_api import expect

from client import Client
from party import ROOT, eventually
from test_axe import find

SEALED = "application/vnd.disposable.sealed"
SAMPLE = 48


@pytest.fixture
def sealed_party(parties):
    """An event whose photos guests' pages seal, with the host's node and another."""
    party = parties(options=["--reveal", "by-host", "--page-sealing", "on"], guests=1)
    party.host.grant("page", "Node 1")
    yield party
    party.end()


def vectors(folder):
    return [json.loads(file.read_text()) for file in sorted((ROOT / "protocol/vectors" / folder).glob("*.json"))]


def memory(node, file):
    """Writes the private memory of a node's process, and that of its children, to a file."""
    processes = [node.process.pid]
    for process in processes:
        for task in os.listdir(f"/proc/{process}/task"):
            children = open(f"/proc/{process}/task/{task}/children").read().split()
            processes += [int(child) for child in children]
    with open(file, "wb") as output:
        for process in processes:
            with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", buffering=0) as source:
                for line in maps:
                    span, rights, *_ = line.split()
                    if not rights.startswith("rw"):
                        continue
                    start, end = (int(part, 16) for part in span.split("-"))
                    for at in range(start, end, 1 << 20):
                        try:
                            source.seek(at)
                            output.write(source.read(min(1 << 20, end - at)))
                        except (OSError, ValueError, OverflowError):
                            break  # memory of the kernel, or released meanwhile
    return file


def samples(data):
    """Pieces of a file that no other file has."""
    return [data[at:at + SAMPLE] for at in range(len(data) // 4, len(data) - SAMPLE, max(1, len(data) // 16))]


def found(file, pieces):
    """Returns the pieces that are in a file, which is read in overlapping parts."""
    hits, rest = set(), b""
    with open(file, "rb") as source:
        while part := source.read(16 << 20):
            hits |= {piece for piece in pieces if piece in rest + part}
            rest = part[-SAMPLE:]
    return hits


def files_of(node):
    return [path for path in node.folder.rglob("*") if path.is_file()]


def fetch(guest, path):
    """Returns the bytes of an answer to the guest's own browser, or its status."""
    answer = guest.page.evaluate("""async (path) => {
        const response = await fetch(path);
        return response.ok ? [...new Uint8Array(await response.arrayBuffer())] : response.status;
    }""", path)
    return bytes(answer) if isinstance(answer, list) else answer


def mine(party, guest):
    return guest.page.evaluate(
        "async (path) => (await (await fetch(path)).json()).photos", f"{party.host.path}api/photos?mine=1")


def test_the_pages_sealing_equals_the_vectors(sealed_party, guests, size):
    bea = guests(sealed_party, size).open(sealed_party.host.link).enter("Bea")
    source = (ROOT / "Tests/Browser/seal_vectors.js").read_text()
    function = source[source.index("async ("):]
    problems = bea.page.evaluate(function, {"chunk": vectors("chunk"), "sealing": vectors("sealing"), "modules": "/seal"})
    assert problems == []


def test_a_serving_node_has_nothing_of_the_picture_until_the_reveal(sealed_party, guests, painter, tmp_path):
    host, other = sealed_party.host, sealed_party.other
    bea = guests(sealed_party, "phone").open(other.link).enter("Bea")
    cleo = guests(sealed_party, "phone").open(host.link).enter("Cleo")
    expect(bea.page.locator("#sealed")).to_contain_text("Sealed on your phone")
    photo = painter.photo(1200, 900)
    bea.choose([photo])
    bea.expect_all_sent()
    expect(bea.page.locator("#sealed")).to_contain_text("1 photo in the camera")
    own = mine(sealed_party, bea)[0]
    assert (own["state"], own["has"]) == ("sealed", [])
    path = f"{sealed_party.host.path}photos/{own['id']}"
    assert fetch(bea, f"{path}/original") == 404
    expect(cleo.page.locator("#sealed")).to_contain_text("1 photo in the camera", timeout=180_000)
    eventually("the host has the original", lambda: host.status()["completeCount"] == 1)
    dumps = [memory(node, tmp_path / f"{number}.memory") for number, node in enumerate((host, other))]
    before = [file for node in (host, other) for file in files_of(node)]
    kept = {str(file): file.read_bytes() for file in before if file.stat().st_size < 64 << 20}
    bea.allow("404")

    host.command("event", "reveal")
    bea.go("everyone")
    for guest in (bea, cleo):
        guest.expect_photos(1)
        guest.expect_pictures_loaded()
        expect(guest.page.locator("#sealed")).to_be_hidden()
    pieces = {}
    for part in ("thumbnail", "preview", "original"):
        picture = fetch(cleo, f"{path}/{part}")
        assert picture[:3] == b"\xff\xd8\xff" and b"Exif" not in picture[:4096], part
        assert picture == fetch(bea, f"{path}/{part}")
        for piece in samples(picture):
            pieces[piece] = part
    pieces |= {piece: "the file of the phone" for piece in samples(photo.read_bytes())}
    event = bytes.fromhex(host.ready["event"])
    for dump in dumps:
        # The search finds what is there.
        assert found(dump, [event]) == {event}
        assert {pieces[piece] for piece in found(dump, pieces)} == set(), dump
    for name, data in kept.items():
        assert {pieces[piece] for piece in pieces if piece in data} == set(), name
    # Afterwards photos are sent as they are.
    bea.choose([painter.photo(640, 480)])
    bea.expect_all_sent()
    cleo.expect_photos(2)


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, sentence", [
    ("en-GB", "Sealed on your phone"), ("fr-FR", "Scellées sur votre téléphone")])
def test_the_page_says_so_and_refuses_what_it_cannot_seal(sealed_party, guests, locale, sentence, tmp_path):
    bea = guests(sealed_party, "phone", locale=locale).open(sealed_party.host.link).enter("Bea")
    expect(bea.page.locator("#sealed")).to_contain_text(sentence)
    film = tmp_path / "film.mp4"
    film.write_bytes(b"\0\0\0\x18ftypmp42" + bytes(2_000))
    bea.choose([film])
    bea.go("mine")
    expect(bea.page.locator("#mine-grid .upload .state")).to_contain_text(
        "cannot seal" if locale == "en-GB" else "ne peut pas")
    assert not any(request.url.endswith("/uploads") for request in bea.requests)


def test_a_deleted_photo_leaves_no_picture_in_the_browser_of_its_author(sealed_party, guests, painter):
    bea = guests(sealed_party, "phone").open(sealed_party.host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    bea.go("mine")
    bea.expect_photos(1, "mine")
    kept = lambda: bea.page.evaluate("""Object.entries(localStorage)
        .filter(([name]) => name.endsWith(".pictures")).map(([, pictures]) => JSON.parse(pictures).length)""")
    assert kept() == [1]
    bea.open_photo("mine")
    bea.page.click("#photo-remove")
    bea.answer()
    eventually("no picture is kept", lambda: kept() == [0])


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, sentence", [
    ("en-GB", "Sealed until the reveal"), ("fr-FR", "Scellée jusqu’à la révélation")])
def test_its_author_sees_a_small_picture_that_no_node_has(sealed_party, guests, painter, locale, sentence):
    host = sealed_party.host
    bea = guests(sealed_party, "phone", locale=locale).open(host.link).enter("Bea")
    bea.choose([painter.photo(1200, 900)])
    bea.expect_all_sent()
    found = []
    for _ in range(2):  # the second time after a reload
        bea.go("mine")
        bea.expect_photos(1, "mine")
        find(bea, "mine", found)
        bea.open_photo("mine")
        expect(bea.page.locator("#photo-stage .here .stage-note")).to_have_text(sentence)
        bea.page.wait_for_function("() => document.querySelector('#photo-stage .here img').naturalWidth === 320")
        find(bea, "sealed photo", found)
        bea.page.keyboard.press("Escape")
        expect(bea.page.locator("#photo")).to_be_hidden()
        bea.page.reload()
        bea.expect_party()
    assert found == []
    bea.open_me()
    bea.page.click("#me-words-show")
    expect(bea.page.locator("#me-return")).not_to_be_empty()
    returning = bea.page.locator("#me-return").inner_text()
    bea.page.click("#me-back")
    assert not [request.url for request in bea.requests if "/photos/" in request.url and "/api/" not in request.url]

    # Another browser of the same guest has no picture of it.
    tablet = guests(sealed_party, "desktop", locale=locale).open(returning)
    tablet.expect_party()
    tablet.go("mine")
    expect(tablet.tiles("mine")).to_have_count(1)
    expect(tablet.tiles("mine")).to_contain_text(sentence)
    tablet.open_photo("mine")
    expect(tablet.page.locator("#photo-stage .here")).to_contain_text(sentence)
    tablet.page.keyboard.press("Escape")

    host.command("event", "reveal")
    for guest in (bea, tablet):
        guest.go("mine")
        expect(guest.page.locator("#mine-grid .tile img")).to_have_attribute("src", re.compile("/thumbnail$"))
        guest.expect_pictures_loaded("mine")
        # The page forgets them with its next look at the event, after the update about the photo.
        eventually("no picture is kept", lambda: not guest.page.evaluate(
            "Object.keys(localStorage).filter((name) => name.endsWith('.pictures'))"))


def test_switched_on_while_a_page_is_open(parties, guests, painter):
    party = parties(options=["--reveal", "by-host"], guests=0)
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    party.host.command("event", "edit", "--page-sealing", "on")
    expect(bea.page.locator("#sealed")).to_contain_text("Sealed on your phone")
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    assert sorted(len(photo["has"]) for photo in mine(party, bea)) == [0, 3]
    party.host.command("event", "edit", "--page-sealing", "off")
    expect(bea.page.locator("#sealed")).not_to_contain_text("Sealed on your phone")
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    assert sorted(len(photo["has"]) for photo in mine(party, bea)) == [0, 3, 3]


# ---------------------------------------------------------------- a client of its own

def sealed_blob(plaintext, recipient, key=None):
    """Returns the ciphertext and the head's entry, with a key of this blob's own."""
    key = key or os.urandom(32)
    parts = [plaintext[at:at + 262_144] for at in range(0, len(plaintext), 262_144)]
    chunks = [crypto_aead_chacha20poly1305_ietf_encrypt(part, None, bytes(7) + struct.pack(">I?", index, index == len(parts) - 1), key)
              for index, part in enumerate(parts)]
    hashes = b"".join(hashlib.blake2b(chunk, digest_size=32).digest() for chunk in chunks)
    root = hashlib.blake2b(b"disposable/1 blob root\0" + struct.pack(">QB", len(plaintext), 18) + hashes, digest_size=32)
    return b"".join(chunks), {"byteCount": len(plaintext), "root": root.hexdigest(),
                              "key": crypto_box_seal(key, recipient).hex(), "sha256": hashlib.sha256(plaintext).hexdigest()}


def package(files, recipient, change=lambda head: None):
    head, body = {"width": 640, "height": 480}, b""
    for name, plaintext in zip(("thumbnail", "preview", "original"), files):
        ciphertext, head[name] = sealed_blob(plaintext, recipient)
        body += ciphertext
    change(head)
    text = json.dumps(head).encode()
    return b"disposable/1 sealed photo\0" + struct.pack(">I", len(text)) + text + body


def test_a_client_of_its_own_seals_and_a_package_that_is_wrong_is_refused(sealed_party, painter):
    bea = Client(sealed_party.host.link).enter("Bea")
    recipient = bytes.fromhex(bea.me()["event"]["sealed"]["pageKey"])
    picture, small = painter.photo(1600, 1200).read_bytes(), painter.photo(64, 48).read_bytes()
    files = (small, small, picture)
    good = package(files, recipient)

    def wrong_root(head):
        head["preview"]["root"] = "11" * 32

    def wrong_length(head):
        head["original"]["byteCount"] += 1

    def short_key(head):
        head["thumbnail"]["key"] = head["thumbnail"]["key"][2:]

    def no_size(head):
        head["width"] = 0

    for bad in (good[:-1], good + b"\0", b"disposable/1 sealed photo\0" + struct.pack(">I", 5_000) + good,
                *(package(files, recipient, change) for change in (wrong_root, wrong_length, short_key, no_size)),
                package((picture, small, picture), recipient)):
        assert bea.upload(bad, media_type=SEALED)[:2] == (422, "not-a-photo")
    # A file that only its page calls sealed is refused when it is here.
    assert bea.upload(picture, media_type=SEALED)[:2] == (409, "seal-first")
    status, _, photo = bea.upload(good, media_type=SEALED)
    assert status == 204
    assert bea.upload(good, media_type=SEALED)[2] == photo
    sealed_party.host.command("event", "reveal")
    assert eventually("it is open", lambda: bea.request("GET", f"photos/{photo}/original")[2] == picture)
    # A page may not know of the reveal yet.
    late = package((small, small, painter.photo(800, 600).read_bytes()), recipient)
    assert bea.upload(late, media_type=SEALED)[0] == 204
    # What nobody can open is a photo whose files cannot be read.
    broken = package((small, small, painter.photo(700, 600).read_bytes()), os.urandom(32))
    status, _, unreadable = bea.upload(broken, media_type=SEALED)
    assert status == 204 and bea.request("GET", f"photos/{unreadable}/original")[0] in (404, 503)


def test_a_page_without_scripts_says_that_it_cannot_seal(sealed_party, guests, painter):
    bea = guests(sealed_party, "phone", scripts=False)
    bea.allow("409")
    bea.open(sealed_party.host.origin)
    bea.page.get_by_label("code", exact=False).fill(sealed_party.code)
    bea.page.locator("form button:visible").click()
    bea.page.get_by_role("link", name="To the photos").click()
    bea.page.get_by_label("I agree").check()
    bea.page.set_input_files("input[type=file]", painter.photo())
    bea.page.get_by_role("button", name="Send").click()
    expect(bea.page.locator("body")).to_contain_text("sealed on your phone")


def test_an_event_that_shows_photos_at_once_cannot_have_it(lone_party):
    from subprocess import run
    from party import BUILD
    result = run([BUILD / "disposable", "event", "edit", "--page-sealing", "on", "--data", lone_party.host.folder],
                 capture_output=True, text=True, timeout=120)
    assert result.returncode != 0 and "not sealed" in result.stderr
