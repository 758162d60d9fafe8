# SPDX-License-Identifier: Apache-2.0
"""Photos on bad Wi-Fi: everybody sees a preview while the original is on its way, and the node finishes what it has."""

import subprocess

from playwright.sync_api import expect

from guest import throttle
from party import eventually
from test_breaks import expect_exactly


def early(guest):
    return guest.page.locator("#everyone-grid .tile.early")


def test_a_photo_is_in_galleries_and_on_the_wall_before_its_original_is_there(
        lone_party, guests, painter, size, tmp_path):
    photo = painter.photo(4000, 3000)
    wall = guests(lone_party, "desktop").open(lone_party.host.link.replace("/#", "/wall#"))
    cleo = guests(lone_party, size).open(lone_party.host.link).enter("Cleo")
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    slow = throttle(bea, 150_000)
    bea.choose([photo])
    expect(early(cleo)).to_have_count(1)
    expect(early(cleo).locator("img")).to_have_attribute("alt", "Photo by Bea, on its way")
    shown = wall.page.locator("#stage .slide.shown img")
    expect(shown).to_have_count(1)
    assert "/early/" in shown.get_attribute("src")
    assert lone_party.host.gallery() == [], "it is a photo already"
    # A guest that comes now sees it, too; a guest at the other node does not, nor does the other node.
    bea.go("everyone")
    expect(early(bea)).to_have_count(1)
    cleo.page.reload()
    cleo.expect_party()
    expect(early(cleo)).to_have_count(1)
    throttle(bea, -1, slow)
    bea.expect_all_sent()
    for guest in (bea, cleo):
        expect(early(guest)).to_have_count(0)
        guest.expect_photos(1)
    expect(wall.page.locator("#count")).to_contain_text("1")
    expect_exactly(lone_party.host, [photo], tmp_path / "out")


def test_little_of_an_original_is_sent_before_its_preview(lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    slow = throttle(bea, 150_000)
    bea.choose([painter.photo(4000, 3000)])

    def slices():
        bea.page.wait_for_timeout(50)
        return sent_to(bea, "PATCH")

    eventually("a slice after the preview", lambda: len(slices()) > 1)
    asked = [request.method for request in bea.requests if "/uploads" in request.url and request.method != "GET"]
    assert asked[:5] == ["POST", "PATCH", "PUT", "HEAD", "PATCH"]
    assert [int(request.headers["upload-offset"]) for request in slices()[:2]] == [0, 65_536]
    throttle(bea, -1, slow)
    bea.expect_all_sent()
    bea.expect_photos(1, "mine")


def test_a_preview_whose_upload_is_dropped_disappears(lone_party, guests, painter, size):
    cleo = guests(lone_party, size).open(lone_party.host.link).enter("Cleo")
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    throttle(bea, 100_000)
    bea.choose([painter.photo(4000, 3000)])
    expect(early(cleo)).to_have_count(1)
    location = None
    while location is None:  # all requests of an upload have its address
        bea.page.wait_for_timeout(50)
        location = next((request.url for request in bea.requests if request.method == "PATCH"), None)
    dropped = bea.page.evaluate(
        """location => fetch(location, { method: "DELETE", headers: { "Tus-Resumable": "1.0.0" } })
            .then((answer) => answer.status)""", location)
    assert dropped == 204
    expect(early(cleo)).to_have_count(0)


def test_no_preview_is_sent_where_photos_are_shown_later(later_party, guests, painter, size):
    bea = guests(later_party, size).open(later_party.host.link).enter("Bea")
    bea.choose([painter.photo(4000, 3000)])
    bea.expect_all_sent()
    assert not [request for request in bea.requests if request.method == "PUT"]


def test_what_the_page_calls_saved_survives_the_phone_and_the_node(lone_party, guests, painter, size, tmp_path):
    photos = painter.photos(8, width=4000, height=3000)
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.choose(photos)
    # Every byte is on the node's disk, and not every photo is made yet.
    bea.page.wait_for_function(
        """() => { const tiles = [...document.querySelectorAll('#mine-grid .upload')];
            return tiles.some((tile) => tile.classList.contains('is-saved'))
                && tiles.every((tile) => tile.matches('.is-saved, .is-done')); }""", polling=20)
    bea.context.close()
    lone_party.host.kill()
    lone_party.host.start()
    eventually("eight photos", lambda: len(lone_party.host.gallery()) == 8)
    expect_exactly(lone_party.host, photos, tmp_path / "out")


def test_a_photo_has_one_tile_and_is_counted_from_its_choice_on(parties, guests, painter, size):
    party = parties(frames="27", guests=0)
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.page.evaluate("""() => {
        window.counts = new Set();
        const count = () => {
            const tiles = document.querySelectorAll("#mine-grid .tile").length;
            counts.add(`${tiles} ${document.querySelector("#counter .digits").textContent}`);
            requestAnimationFrame(count);
        };
        count();
    }""")
    bea.choose(painter.photos(4, width=2000, height=1500))
    bea.expect_all_sent()
    bea.expect_photos(4, "mine")
    counts = [tuple(map(int, count.split())) for count in bea.page.evaluate("[...counts]")]
    assert max(tiles for tiles, _ in counts) == 4
    assert all(left == 23 for tiles, left in counts if tiles == 4), counts
    party.end()


def test_a_photo_that_was_sent_is_known_before_a_byte_is_sent_again(lone_party, guests, painter, size):
    photo = painter.photo()
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.choose([photo])
    bea.expect_all_sent()
    bea.expect_photos(1, "mine")
    bea.page.reload()
    bea.expect_party()
    before = len(bea.requests)
    bea.choose([photo])
    expect(bea.page.locator("#toast")).to_contain_text("You have sent this photo already")
    bea.expect_all_sent()
    assert not [request for request in bea.requests[before:] if request.method in ("POST", "PATCH") and "uploads" in request.url]
    bea.expect_photos(1, "mine")


def sent_to(guest, method):
    return [request for request in guest.requests if request.method == method and "/uploads" in request.url]


def test_a_panorama_is_not_decoded_on_the_phone(lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.choose([painter.photo(8192, 3400)])
    bea.expect_all_sent()
    bea.expect_photos(1, "mine")
    assert not sent_to(bea, "PUT")


def test_a_photo_is_taken_under_any_name_and_type(lone_party, guests, painter, size, tmp_path):
    heic = tmp_path / "photo.heic"
    subprocess.run(["convert", painter.photo(1600, 1200), heic], check=True)
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.choose([heic.rename(tmp_path / "IMG_4.jpg"),
                *(painter.photo(name=name) for name in ("IMG_1.HEIC", "IMG_2", "IMG_3.pdf"))])
    bea.expect_all_sent()
    bea.expect_photos(4, "mine")
    types = bea.page.evaluate("fetch('api/photos?mine=1').then((answer) => answer.json())")["photos"]
    assert sorted(photo["mediaType"] for photo in types) == ["image/heic", "image/jpeg", "image/jpeg", "image/jpeg"]


def test_what_is_too_large_is_refused_before_a_byte_is_sent(lone_party, guests, painter, size, tmp_path):
    large = tmp_path / "film.mp4"
    with open(large, "wb") as file:
        file.truncate((256 << 20) + 1)
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.choose([large, painter.photo()])
    failed = bea.page.locator("#mine-grid .upload.is-failed")
    expect(failed).to_contain_text("Too large: at most 256 MB")
    bea.expect_photos(1, "mine")
    assert len(sent_to(bea, "POST")) == 1
