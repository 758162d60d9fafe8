# SPDX-License-Identifier: Apache-2.0
"""A whole evening on three nodes: from the draft and its poster, over the loss of the host's laptop, to the album
and the end of retention."""

import hashlib
import json
import os
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import expect

from client import Client
from guest import UNREACHABLE, Guest
from party import BUILD, ROOT, Node, eventually, sha256

EVENT = "Zoe and Yannick get married"
NAMES = [f"Wedding guest {number:02}" for number in range(30)]


@pytest.fixture
def stage(tmp_path):
    """Starts nodes, which end in every case."""
    nodes = []

    def start(name, *arguments):
        nodes.append(Node(tmp_path / name, *arguments))
        return nodes[-1]

    yield start
    for node in nodes:
        node.kill()


class PhoneGuest:
    """A guest of the HTTP API that keeps a seed, as a page does, and photos of its own."""

    def __init__(self, number, painter):
        self.name, self.seed = NAMES[number], os.urandom(16)
        self.photos = [painter.photo(320, 240, seed=1000 + 2 * number + each).read_bytes() for each in range(2)]

    def come(self, link):
        self.client = Client(link).enter(self.name, self.seed)
        return self

    def send(self, number):
        status, code, photo = self.client.upload(self.photos[number])
        assert status == 204 and photo, (status, code)
        return photo


def at_once(work, guests):
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(work, guests))


def printed_link(host, folder):
    """Makes the poster, and reads its code as a phone does."""
    host.command("invite", "--poster", folder / "poster.pdf", "--address", host.ready["portal"], "--wifi", "Barn")
    picture = ["pdftoppm", "-r", "150", "-l", "1", "-singlefile", "-png", folder / "poster.pdf", folder / "poster"]
    subprocess.run(picture, check=True)
    read = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", folder / "poster.png"],
                          check=True, capture_output=True, text=True).stdout.split()
    (link,) = [code for code in read if code.startswith("http://")]
    assert any(code.startswith("WIFI:S:Barn;") for code in read), read
    return link


def status(node):
    return json.loads(node.command("status", "--json").splitlines()[0])


def has_all(node, count):
    """Whether the node has every byte of this many photos, open or sealed."""
    told = status(node)
    return told["photoCount"] == told["completeCount"] == count and told["missingBlobCount"] == 0


def middle(picture):
    """A piece of the data that occurs nowhere else."""
    return picture[len(picture) // 2:len(picture) // 2 + 32]


def keys(node):
    """The event's and the device's secrets, as stored on the node's disk."""
    return {file.read_bytes(): file.name for file in node.folder.glob("events/*/keys/*")}


def pictures(client):
    """Pieces of all pictures that guests get: thumbnails, previews and originals."""
    photos = client.json("GET", "api/photos?limit=200")[2]["photos"]
    assert len(photos) == 65
    wanted = [(photo["id"], size) for photo in photos for size in ("thumbnail", "preview", "original")]
    return {middle(client.request("GET", f"photos/{photo}/{size}")[2]): f"{size} of {photo}" for photo, size in wanted}


def found(marks, folder):
    """Returns the names and places of the marks found in the folder's files."""
    contents = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    return {(name, file.name) for mark, name in marks.items() for file, content in contents.items() if mark in content}


def test_an_evening(stage, browser, painter, tmp_path):
    # At home, days before: a draft, and its poster.
    anna = stage("anna", "host", EVENT, "--draft", "--reveal", "by-host", "--frames", "9", "--duration", "1h",
                 "--retention", "1h", "--as", "Anna")
    invitation = anna.ready["invitation"]
    ben = stage("ben", "join", invitation, "--as", "Ben")
    chloe = stage("chloe", "join", invitation, "--as", "Chloe")
    link = printed_link(anna, tmp_path)
    anna.grant("page", "Ben")
    anna.command("event", "open")
    eventually("Ben's pages are known", lambda: [other["name"] for other in Client(link).me()["others"]] == ["Ben"])

    # The evening begins: thirty phones, and one browser.
    guests = [PhoneGuest(number, painter) for number in range(30)]
    at_once(lambda guest: guest.come(link), guests)
    at_once(lambda guest: guest.send(0), guests)
    xaver = Guest(browser, {anna.origin, ben.origin}, "phone").open(link).enter("Xaver")
    xaver.allow(UNREACHABLE)
    own = painter.photos(3, width=1600, height=1200)
    xaver.choose(own)
    xaver.expect_all_sent()
    xaver.expect_photos(3, "mine")
    expect(xaver.page.locator("#sealed")).to_contain_text("33 photos in the camera")
    xaver.expect_prober()
    eventually("all that has been taken is at Ben's", lambda: has_all(ben, 33))

    # The host's laptop falls into the pool. All guests continue at Ben's node, as the same guests.
    (ben_says,) = guests[0].client.me()["others"]
    before = [guest.client.me()["guest"] for guest in guests]
    anna.kill()
    token = link.split("#")[1]
    at_once(lambda guest: guest.come(f"{ben_says['origins'][0]}/#{token}"), guests)
    assert [guest.client.me()["guest"] for guest in guests] == before
    assert all(guest["framesUsed"] == 1 for guest in before)
    at_once(lambda guest: guest.send(1), guests)
    xaver.page.wait_for_url(f"{ben.origin}/e/**", timeout=180_000)
    xaver.expect_party()
    expect(xaver.page.locator("#counter")).to_contain_text("of 9 left")
    more = painter.photos(2, width=1600, height=1200)
    xaver.choose(more)
    xaver.expect_all_sent()
    # Sealed photos of other guests, taken at Ben's node, show no picture here yet.
    expect(xaver.tiles("mine")).to_have_count(5)
    expect(xaver.page.locator("#sealed")).to_contain_text("65 photos in the camera")

    # The laptop is dry. The photos are shown, at every node and in the browser.
    anna.start()
    eventually("Anna has the photos taken without her", lambda: has_all(anna, 65))
    anna.command("event", "reveal")
    xaver.go("everyone")
    expect(xaver.page.locator("#everyone-grid")).to_contain_text("65 photos", timeout=180_000)
    for node in (anna, ben, chloe):
        eventually("all photos are open", lambda: [photo["state"] for photo in node.gallery()] == ["complete"] * 65)

    # At home, with the album. It has each photo once, and its signature is valid.
    anna.command("export", tmp_path / "album", "--album")
    subprocess.run([BUILD / "disposable", "verify", tmp_path / "album"], check=True, capture_output=True)
    files = list((tmp_path / "album").rglob("*.jpg"))
    paths = own + more
    taken = Counter(map(sha256, paths)) + Counter(hashlib.sha256(photo).hexdigest()
                                                  for guest in guests for photo in guest.photos)
    assert not taken - Counter(map(sha256, files)), "the album lacks photos"
    xaver.check()
    xaver.close()

    # Three hours later the retention is over, by everybody's clock.
    marks = pictures(Client(link)) | {guest.name.encode(): guest.name for guest in guests} | {b"Xaver": "Xaver"}
    marks |= {guest.seed: f"the seed of {guest.name}" for guest in guests}
    nodes = (anna, ben, chloe)
    for node in nodes:
        marks |= keys(node)
        assert {name for name, _ in found(keys(node), node.folder)} >= {"device.seed", "event.secret"}
    clock = tmp_path / "clock.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", clock, ROOT / "examples/lan/clock.c", "-ldl"], check=True)
    for node in nodes:
        node.kill()
    later = {"LD_PRELOAD": str(clock), "CLOCK_SHIFT": str(3 * 3_600)}
    at_once(lambda node: node.start(environment=later), nodes)
    # With other clocks heard they would wait for a day; the test shortens that.
    eventually("all are connected", lambda: all(len(status(node)["peers"]) == 2 for node in nodes))
    time.sleep(3)
    for node in nodes:
        node.kill()
        node.finish("--retention-grace", "1", environment=later)
        assert found(marks, node.folder) == set()
        # The event's name stays, to be able to report that the retention is over. A node that was killed while it wrote
        # that may have left an unfinished copy.
        tombstones = {where for _, where in found({EVENT.encode(): "its name"}, node.folder) if not where.startswith(".")}
        assert tombstones == {f"{anna.ready['event']}.json"}
