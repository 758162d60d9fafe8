# SPDX-License-Identifier: Apache-2.0
"""The wall on a projector: the code, new photos, and a bounded number of pictures."""

import re

import pytest
from playwright.sync_api import expect

from client import Client
from films import video
from guest import UNREACHABLE
from party import eventually, read_code

# Two side by side, and two below them until they have faded in.
PICTURES_MAX = 4


@pytest.fixture
def wall(lone_party, guests):
    wall = guests(lone_party, "desktop")
    token = lone_party.host.link.split("#")[1]
    wall.open(f"{lone_party.host.origin}/wall#{token}")
    return wall


def code_on(wall, tmp_path):
    """Reads the code from the projector's whole picture, as a phone at the back of the room does."""
    picture = tmp_path / "wall.png"
    wall.page.screenshot(path=picture)
    return read_code(picture)


def shown(wall):
    return wall.page.locator("#stage .shown img")


def sources(wall):
    """Returns the addresses of the photos that are on the wall."""
    return shown(wall).evaluate_all("(pictures) => pictures.map((picture) => picture.src)")


def stop_clock(wall):
    """From here on the page's time passes in `run_for` only, however slow the machine is."""
    wall.page.clock.pause_at(wall.page.evaluate("new Date(Date.now() + 2_000).toISOString()"))


def write_down(wall):
    """Keeps the address of each photo that is on the wall after the next reload, in its order, also if it has gone
    again."""
    wall.page.add_init_script("""addEventListener("DOMContentLoaded", () => {
        const stage = document.getElementById("stage");
        const known = new WeakSet();
        window.writtenDown = [];
        new MutationObserver(() => {
            for (const picture of stage.querySelectorAll(".shown img")) {
                if (!known.has(picture)) window.writtenDown.push(picture.src);
                known.add(picture);
            }
        }).observe(stage, { childList: true, subtree: true, attributes: true });
    });""")


def written_down(wall):
    return wall.page.evaluate("() => window.writtenDown")


def test_the_wall_shows_the_code_and_then_new_photos(lone_party, guests, painter, wall, tmp_path):
    expect(wall.page.locator("#name")).to_have_text("Garden party")
    expect(wall.page.locator("#code")).to_be_visible()
    expect(wall.page.locator("#words li")).to_have_count(4)
    assert "#" not in wall.page.url
    assert code_on(wall, tmp_path) == lone_party.host.link

    bea = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea <b>bold</b>")
    bea.choose([painter.photo(900, 600)])
    expect(shown(wall)).to_have_count(1)
    expect(wall.page.locator(".shown .by")).to_have_text("Bea <b>bold</b>")
    expect(wall.page.get_by_role("heading", level=1)).to_have_text("Garden party")
    expect(wall.page.locator("#count")).to_have_text("1 photo")
    # A new photo is shown before the old one's time is over.
    bea.choose([painter.photo(600, 900)])
    expect(wall.page.locator("#count")).to_have_text("2 photos")
    first = shown(wall).first.get_attribute("src")
    expect(wall.page.locator(f"#stage .shown img:not([src='{first}'])")).to_have_count(1)
    wall.page.wait_for_timeout(1_500)
    assert code_on(wall, tmp_path) == lone_party.host.link, "the code is not visible"


def test_a_wall_that_failed_to_reload_the_gallery_retries(lone_party, painter, wall):
    wall.allow(UNREACHABLE)
    lone_party.host.command("add", painter.photo())
    expect(wall.page.locator("#count")).to_have_text("1 photo")
    refused = []
    wall.page.route("**/api/photos?limit=*", lambda route: refused.append(route.abort() or route))
    # No update announces photos that were added while no node served.
    lone_party.host.kill()
    lone_party.host.command("add", painter.photo())
    lone_party.host.start()
    eventually("the gallery is reloaded", lambda: wall.page.wait_for_timeout(500) or refused)
    wall.page.unroute("**/api/photos?limit=*")
    expect(wall.page.locator("#count")).to_have_text("2 photos")


def test_the_wall_advances_pauses_and_drops_deleted_photos(lone_party, guests, painter, wall):
    other = lone_party.join()
    bea = guests(lone_party, "phone").open(other.link).enter("Bea")
    bea.choose(painter.photos(5))
    bea.expect_all_sent()
    expect(wall.page.locator("#count")).to_have_text("5 photos")
    seen = set()
    for _ in range(60):
        seen.update(sources(wall))
        assert wall.page.locator("#stage img").count() <= PICTURES_MAX
        if len(seen) == 5:
            break
        wall.page.wait_for_timeout(1_000)
    assert len(seen) == 5, "not every photo was shown within a minute"

    wall.page.keyboard.press(" ")
    expect(wall.page.locator("#paused")).to_have_text("Paused. Space to resume")
    wall.page.wait_for_timeout(1_500)
    still = shown(wall).last.get_attribute("src")
    wall.page.keyboard.press("ArrowRight")
    expect(wall.page.locator(f"#stage .shown img:not([src='{still}'])")).to_have_count(1)

    bea.open_photo("mine")
    bea.page.click("#photo-remove")
    bea.answer()
    expect(wall.page.locator("#count")).to_have_text("4 photos", timeout=180_000)


def test_name_caption_and_count_are_large_enough_for_the_back_of_the_room(lone_party, painter, wall):
    lone_party.host.command("add", painter.photo(), "--caption", "The cake, before anybody has touched it")
    expect(wall.page.locator(".shown .said")).to_have_text("The cake, before anybody has touched it")
    for part in (".shown .by", ".shown .said", "#count", "#name"):
        size = wall.page.locator(part).evaluate("(part) => parseFloat(getComputedStyle(part).fontSize) / innerHeight")
        assert size >= 0.0449, part
    # The background has the colours of the photo, and is not black.
    brightest = wall.page.locator(".shown .backdrop").evaluate(
        "(canvas) => Math.max(...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data"
        ".filter((_, index) => index % 4 < 3))")
    assert brightest > 40


def test_a_caption_added_later_appears_under_the_photo(lone_party, painter, wall):
    lone_party.host.command("add", painter.photo())
    expect(wall.page.locator(".shown .by")).to_have_text("Anna")
    lone_party.host.command("caption", lone_party.host.gallery()[0]["id"], "First dance")
    expect(wall.page.locator(".shown .said")).to_have_text("First dance")


def test_every_photo_is_shown_before_one_repeats(lone_party, painter, wall):
    wall.page.clock.install()
    lone_party.host.command("add", *painter.photos(5))
    write_down(wall)
    wall.page.reload()
    expect(wall.page.locator("#count")).to_have_text("5 photos")
    expect(shown(wall)).to_have_count(1)
    stop_clock(wall)
    for _ in range(300):
        order = written_down(wall)
        if len(order) >= 8:
            break
        wall.page.clock.run_for(1_000)
    assert len(set(order[:5])) == 5, "one was shown twice before all were shown"
    assert order[5:8] == order[:3]


def test_two_upright_photos_are_shown_side_by_side(lone_party, painter, wall):
    lone_party.host.command("add", *painter.photos(2, width=480, height=640))
    wall.page.reload()
    expect(shown(wall)).to_have_count(2)
    expect(wall.page.locator(".shown .by")).to_have_text(["Anna", "Anna"])
    left, right = (shown(wall).nth(number).bounding_box() for number in (0, 1))
    assert left["x"] + left["width"] <= right["x"]


def test_a_pause_is_visible_and_ends_automatically(lone_party, painter, wall):
    wall.page.clock.install()
    lone_party.host.command("add", *painter.photos(2))
    wall.page.reload()
    expect(shown(wall)).to_have_count(1)
    still = sources(wall)
    wall.page.keyboard.press(" ")
    for _ in range(4):
        wall.page.clock.run_for(60_000)
        expect(wall.page.locator("#paused")).to_be_visible()
    assert sources(wall) == still
    wall.page.clock.run_for(61_000)
    expect(wall.page.locator("#paused")).to_be_hidden()
    wall.page.clock.run_for(9_000)
    eventually("it continues", lambda: sources(wall) and sources(wall) != still)


def test_after_twenty_photos_the_code_fills_the_screen_once(lone_party, painter, wall, tmp_path):
    wall.page.clock.install()
    lone_party.host.command("add", *painter.photos(3))
    write_down(wall)
    wall.page.reload()
    expect(wall.page.locator("#count")).to_have_text("3 photos")
    expect(shown(wall)).to_have_count(1)
    small = wall.page.locator("#code").bounding_box()["width"]
    stop_clock(wall)

    def run_until(state):
        """In steps that are shorter than each state, and not beyond it."""
        for _ in range(150):
            if wall.page.locator("#wall").get_attribute("data-state") == state:
                return
            wall.page.clock.run_for(2_000)
        raise AssertionError(f"never: {state}")

    run_until("card")
    assert len(written_down(wall)) == 20
    assert wall.page.locator("#code").bounding_box()["width"] > 2 * small
    assert code_on(wall, tmp_path) == lone_party.host.link
    run_until("photos")
    # Once: the next photos are shown without it.
    for _ in range(15):
        wall.page.clock.run_for(2_000)
        expect(wall.page.locator("#wall")).to_have_attribute("data-state", "photos")
    eventually("the next photo", lambda: len(written_down(wall)) > 21)


def test_a_heart_for_the_shown_photo_floats_over_it(lone_party, painter, wall):
    lone_party.host.command("add", painter.photo())
    expect(shown(wall)).to_have_count(1)
    bea = Client(lone_party.host.link).enter("Bea")
    photo = lone_party.host.gallery()[0]["id"]
    bea.json("POST", f"api/photos/{photo}/reactions", {"emoji": "❤", "isOn": True})
    expect(wall.page.locator("#hearts span")).to_have_text(["❤\ufe0f"])
    expect(wall.page.locator("#hearts span")).to_have_count(0)


def test_a_video_plays_without_sound(lone_party, wall, tmp_path):
    lone_party.host.command("add", video(tmp_path / "dance.webm"))
    playing = wall.page.locator("#stage .shown video")
    expect(playing).to_have_count(1)
    assert playing.evaluate("(video) => video.muted")
    eventually("it plays", lambda: playing.evaluate("(video) => video.currentTime > 0.2 && !video.paused"))
    wall.page.keyboard.press(" ")
    assert playing.evaluate("(video) => video.paused")


def test_with_reduced_motion_a_photo_appears_without_animation(lone_party, guests, painter):
    wall = guests(lone_party, "desktop", reduced_motion="reduce")
    wall.open(f"{lone_party.host.origin}/wall#{lone_party.host.link.split('#')[1]}")
    lone_party.host.command("add", painter.photo())
    expect(shown(wall)).to_have_count(1)
    assert wall.page.locator(".shown").evaluate("(slide) => getComputedStyle(slide).transitionDuration") == "0s"


def test_the_wall_reports_a_missing_photo_box_and_continues_when_it_is_back(lone_party, wall):
    wall.allow(re.compile("ERR_|Failed to load|503"))
    expect(wall.page.locator("#way-in")).to_be_visible()
    lone_party.host.kill()
    expect(wall.page.locator("#trouble")).to_contain_text("No connection", timeout=180_000)
    lone_party.host.start()
    expect(wall.page.locator("#trouble")).to_be_hidden(timeout=300_000)


def test_a_wall_without_a_key_shows_nothing_of_the_party(lone_party, guests):
    stranger = guests(lone_party, "desktop").open(f"{lone_party.host.origin}/wall")
    expect(stranger.page.locator("#trouble")).to_contain_text("Open the wall")
    expect(stranger.page.locator("#way-in")).to_be_hidden()
    stranger.allow("403")
    stranger.page.goto("about:blank")
    stranger.open(f"{lone_party.host.origin}/wall#AAAAAAAAAAAAAAAAAAAAAA")
    expect(stranger.page.locator("#trouble")).to_contain_text("does not open a party")
