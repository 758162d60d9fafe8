# SPDX-License-Identifier: Apache-2.0
"""The wall on a projector: the way in, what comes in, and never more than a few pictures."""

import re

import pytest
from playwright.sync_api import expect

from guest import UNREACHABLE
from party import eventually, read_code

PICTURES_MAX = 3


@pytest.fixture
def wall(own_party, guests):
    wall = guests(own_party, "desktop")
    token = own_party.host.link.split("#")[1]
    wall.open(f"{own_party.host.origin}/wall#{token}")
    return wall


def code_on(wall, tmp_path):
    """What a phone reads from the back of the room: the projector's picture as a whole."""
    picture = tmp_path / "wall.png"
    wall.page.screenshot(path=picture)
    return read_code(picture)


def shown(wall):
    return wall.page.locator("#stage img.shown")


def test_the_wall_waits_with_the_way_in_and_then_shows_what_comes(own_party, guests, painter, wall, tmp_path):
    expect(wall.page.locator("#name")).to_have_text("Garden party")
    expect(wall.page.locator("#code")).to_be_visible()
    expect(wall.page.locator("#words li")).to_have_count(4)
    assert "#" not in wall.page.url
    assert code_on(wall, tmp_path) == own_party.host.link

    bea = guests(own_party, "phone").open(own_party.host.link).enter("Bea <b>bold</b>")
    bea.choose([painter.photo(900, 600)])
    expect(shown(wall)).to_have_count(1)
    expect(wall.page.locator("#by")).to_have_text("Bea <b>bold</b>")
    expect(wall.page.locator("#count")).to_have_text("1 photo")
    # A new one comes before the old one's time is over.
    bea.choose([painter.photo(600, 900)])
    expect(wall.page.locator("#count")).to_have_text("2 photos")
    first = shown(wall).first.get_attribute("src")
    expect(wall.page.locator(f"#stage img.shown:not([src='{first}'])")).to_have_count(1)
    wall.page.wait_for_timeout(1_500)
    assert code_on(wall, tmp_path) == own_party.host.link, "the code is not in sight"


def test_a_wall_that_could_not_look_at_everything_anew_asks_again(own_party, painter, wall):
    wall.allow(UNREACHABLE)
    own_party.host.command("add", painter.photo())
    expect(wall.page.locator("#count")).to_have_text("1 photo")
    refused = []
    wall.page.route("**/api/photos?limit=*", lambda route: refused.append(route.abort() or route))
    # No update tells of what was added while no node served.
    own_party.host.kill()
    own_party.host.command("add", painter.photo())
    own_party.host.start()
    eventually("it is looked at anew", lambda: wall.page.wait_for_timeout(500) or refused)
    wall.page.unroute("**/api/photos?limit=*")
    expect(wall.page.locator("#count")).to_have_text("2 photos")


def test_the_wall_goes_on_by_itself_pauses_and_lets_go_of_what_is_taken_back(own_party, guests, painter, wall):
    bea = guests(own_party, "phone").open(own_party.other.link).enter("Bea")
    bea.choose(painter.photos(5))
    bea.expect_all_sent()
    expect(wall.page.locator("#count")).to_have_text("5 photos")
    seen = set()
    for _ in range(60):
        seen.update(shown(wall).evaluate_all("(pictures) => pictures.map((picture) => picture.src)"))
        assert wall.page.locator("#stage img").count() <= PICTURES_MAX
        if len(seen) == 5:
            break
        wall.page.wait_for_timeout(1_000)
    assert len(seen) == 5, "not every photo was shown within a minute"

    wall.page.keyboard.press(" ")
    expect(wall.page.locator("#help")).to_contain_text("Paused")
    wall.page.wait_for_timeout(1_500)
    still = shown(wall).last.get_attribute("src")
    wall.page.keyboard.press("ArrowRight")
    expect(wall.page.locator(f"#stage img.shown:not([src='{still}'])")).to_have_count(1)

    bea.open_photo("mine")
    bea.page.click("#photo-remove")
    bea.answer()
    expect(wall.page.locator("#count")).to_have_text("4 photos", timeout=180_000)


def test_the_wall_says_when_the_photo_box_is_gone_and_goes_on_when_it_is_back(own_party, wall):
    wall.allow(re.compile("ERR_|Failed to load|503"))
    expect(wall.page.locator("#way-in")).to_be_visible()
    own_party.host.kill()
    expect(wall.page.locator("#trouble")).to_contain_text("out of reach", timeout=180_000)
    own_party.host.start()
    expect(wall.page.locator("#trouble")).to_be_hidden(timeout=300_000)


def test_a_wall_without_a_key_shows_nothing_of_the_party(own_party, guests):
    stranger = guests(own_party, "desktop").open(f"{own_party.host.origin}/wall")
    expect(stranger.page.locator("#trouble")).to_contain_text("Open the wall")
    expect(stranger.page.locator("#way-in")).to_be_hidden()
    stranger.allow("403")
    stranger.page.goto("about:blank")
    stranger.open(f"{own_party.host.origin}/wall#AAAAAAAAAAAAAAAAAAAAAA")
    expect(stranger.page.locator("#trouble")).to_contain_text("does not open a party")
