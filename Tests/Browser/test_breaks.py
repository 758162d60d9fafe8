# SPDX-License-Identifier: Apache-2.0
"""Interruptions of an upload: nothing is lost, nothing is added twice."""

import os
from collections import Counter

import pytest
from playwright.sync_api import expect

from guest import UNREACHABLE, throttle
from party import eventually, sha256


MANY = 300 if "DISPOSABLE_LONG" in os.environ else 120

# A third is sent and the browser has its own copy of all files, with seconds still to go.
HALF_SENT = """[...document.querySelectorAll('#party .upload progress')].some((bar) => bar.value >= 30 && bar.value < 90)
    && Object.keys(localStorage).filter((name) => name.includes('.upload.'))
        .every((name) => JSON.parse(localStorage.getItem(name)).isKept)"""


def expect_half_sent(guest):
    guest.page.wait_for_function(f"() => {HALF_SENT}")


def resumed_at(guest):
    """Returns the offsets at which this guest's browser has sent slices."""
    return [int(request.headers["upload-offset"]) for request in guest.requests if request.method == "PATCH"]


def expect_exactly(node, files, folder):
    """Expects that the node's originals are these files, each once."""
    assert Counter(node.exported(folder).values()) == Counter(map(sha256, files))


@pytest.mark.parametrize("scanned", [False, True], ids=["reload", "code"])
def test_a_reload_during_an_upload_continues_where_it_stopped(lone_party, guests, painter, size, tmp_path, scanned):
    photo = painter.photo(4000, 3000)
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    slow = throttle(bea, 200_000)
    bea.choose([photo])
    expect_half_sent(bea)
    eventually("the browser has the key of the event", lambda: bea.page.evaluate(
        "Object.keys(localStorage).some((name) => name.endsWith('.token'))"))
    before = len(resumed_at(bea))
    if scanned:
        bea.open(lone_party.host.link)
    else:
        bea.page.reload()
    throttle(bea, -1, slow)
    bea.expect_party()
    bea.go("mine")
    bea.expect_photos(1, "mine")
    bea.expect_all_sent()
    assert resumed_at(bea)[before] > 0, "the upload started over"
    expect_exactly(lone_party.host, [photo], tmp_path / "out")


def test_a_node_killed_during_an_upload_continues_it(lone_party, guests, painter, size, tmp_path):
    photo = painter.photo(4000, 3000)
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.allow(UNREACHABLE)
    slow = throttle(bea, 200_000)
    bea.choose([photo])
    expect_half_sent(bea)
    lone_party.host.kill()
    expect(bea.page.locator("#out-of-reach")).to_be_visible()
    before = len(resumed_at(bea))
    throttle(bea, -1, slow)
    lone_party.host.start()
    expect(bea.page.locator("#out-of-reach")).to_be_hidden(timeout=180_000)
    bea.expect_photos(1, "mine")
    bea.expect_all_sent()
    assert resumed_at(bea)[before] > 0, "the upload started over"
    expect_exactly(lone_party.host, [photo], tmp_path / "out")


@pytest.mark.long
def test_two_kills_during_many_uploads_lose_and_duplicate_nothing(own_party, guests, painter, size, tmp_path):
    photos = painter.photos(MANY, width=160, height=120)
    bea = guests(own_party, size).open(own_party.host.link).enter("Bea")
    bea.allow(UNREACHABLE)
    # The uploads that a kill broke off continue at once, and the node makes some of them wait.
    bea.allow("429")
    bea.choose(photos)
    expect(bea.page.locator("#progress")).to_contain_text(f"of {MANY}")

    def added():
        return int((bea.page.locator("#mine-grid .toolbar .quiet").inner_text() or "0").split()[0])

    for part in (MANY // 10, MANY // 2):
        eventually(f"{part} photos", lambda: added() >= part, every=0.02)
        own_party.host.kill()
        assert added() < MANY, "the kill came too late to prove anything"
        own_party.host.start()
    expect(bea.page.locator("#mine-grid")).to_contain_text(f"{MANY} photos", timeout=600_000)
    bea.expect_all_sent(within=600)
    expect(bea.page.locator("#retry-all")).to_be_hidden()
    bea.page.reload()
    bea.expect_party()
    assert bea.page.evaluate("fetch('api/photos?limit=1').then((answer) => answer.json())")["count"] == MANY
    expect_exactly(own_party.host, photos, tmp_path / "host")
    eventually("all of them at the other node", lambda: sum(
        photo["state"] == "complete" for photo in own_party.other.gallery()) == MANY)
    expect_exactly(own_party.other, photos, tmp_path / "other")


def test_the_same_photo_chosen_again_is_not_added_twice(lone_party, guests, painter, size, tmp_path):
    photo = painter.photo()
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    for _ in range(2):
        bea.choose([photo])
        bea.expect_all_sent()
        bea.expect_photos(1, "mine")
    bea.page.reload()
    bea.go("mine")
    bea.expect_photos(1, "mine")
    expect_exactly(lone_party.host, [photo], tmp_path / "out")
