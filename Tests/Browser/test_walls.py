# SPDX-License-Identifier: Apache-2.0
"""Several walls of one event: each shows what its address says, keeps its screen on, and obeys the desk."""

import json
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from client import Client
from party import eventually
from test_desk import sit  # noqa: F401
from test_wall import shown, sources, stop_clock, write_down, written_down


@pytest.fixture
def open_wall(lone_party, guests):
    def open_it(query="", prepare=None):
        wall = guests(lone_party, "desktop")
        if prepare:
            prepare(wall)
        token = lone_party.host.link.split("#")[1]
        wall.open(f"{lone_party.host.origin}/wall{query}#{token}")
        return wall
    return open_it


def named(addresses):
    return {address.split("/photos/")[1].split("/")[0] for address in addresses}


def test_between_new_photos_a_wall_repeats_the_highlights(lone_party, open_wall, painter):
    host = lone_party.host
    host.command("add", *painter.photos(5))
    ids = [photo["id"] for photo in host.gallery()]
    for photo in ids[1:3]:
        host.command("favourite", photo)
    host.command("highlights")
    wall = open_wall("?show=highlights", prepare=lambda wall: (wall.page.clock.install(), write_down(wall)))
    expect(wall.page.locator("#count")).to_have_text("5 photos")
    expect(shown(wall)).to_have_count(1)
    stop_clock(wall)
    for _ in range(60):
        wall.page.clock.run_for(1_000)
    assert len(written_down(wall)) >= 4 and named(written_down(wall)) == set(ids[1:3])
    # A new photo has its turn at once, and then the highlights go on.
    host.command("add", painter.photo())
    new = next(photo["id"] for photo in host.gallery() if photo["id"] not in ids)

    def has_turned():
        wall.page.clock.run_for(1_000)
        return new in named(written_down(wall))
    eventually("the new photo is shown", has_turned)
    before = len(written_down(wall))

    def goes_on():
        wall.page.clock.run_for(1_000)
        return named(written_down(wall)[before:]) == set(ids[1:3])
    eventually("both highlights again, and they alone", goes_on)


def test_one_wall_is_for_one_person_and_fills_its_screen(lone_party, open_wall, painter):
    guest = Client(lone_party.host.link).enter("Bea")
    mine = {guest.upload(painter.photo(900, 600).read_bytes())[2] for _ in range(2)}
    lone_party.host.command("add", *painter.photos(3))
    author = guest.me()["guest"]["id"]
    wall = open_wall(f"?author={author}&fit=fill&code=left")
    expect(wall.page.locator("#count")).to_have_text("2 photos")
    expect(wall.page.locator(".shown .by")).to_have_text("Bea")
    assert shown(wall).evaluate("(picture) => getComputedStyle(picture).objectFit") == "cover"
    code = wall.page.locator("#way-in").bounding_box()
    assert code["x"] < 60 and wall.page.locator(".shown .by").bounding_box()["x"] > code["x"] + code["width"]
    # Photos of others do not come in later either.
    lone_party.host.command("add", painter.photo())
    eventually("it is in the gallery", lambda: len(lone_party.host.gallery()) == 6)
    mine.add(guest.upload(painter.photo(900, 600).read_bytes())[2])
    expect(wall.page.locator("#count")).to_have_text("3 photos")
    assert named(sources(wall)) <= mine


def test_a_wall_of_the_newest_without_the_code_shows_it_before_the_first_photo_only(lone_party, open_wall, painter):
    wall = open_wall("?code=off&show=newest")
    expect(wall.page.locator("#code")).to_be_visible()
    # The wall repeats only the newest fifty photos.
    assert wall.page.evaluate("""async () => {
        const { repeats } = await import("/wall/screen.js");
        const photos = Array.from({ length: 60 }, (_, number) => ({ addedAt: 1_000 - number }));
        return photos.filter(repeats(photos)).map(({ addedAt }) => addedAt);
    }""") == list(range(1_000, 950, -1))
    lone_party.host.command("add", painter.photo())
    expect(shown(wall)).to_have_count(1)
    expect(wall.page.locator("#way-in")).to_be_hidden()


def test_where_the_browser_lends_no_lock_a_film_keeps_the_screen_on(lone_party, open_wall, painter):
    wall = open_wall(prepare=lambda wall: wall.page.add_init_script("delete Navigator.prototype.wakeLock"))
    lone_party.host.command("add", painter.photo())
    expect(shown(wall)).to_have_count(1)
    film = wall.page.locator("#awake")
    assert film.evaluate("(film) => film.muted && film.loop")
    began = film.evaluate("(film) => film.currentTime")
    eventually("it plays", lambda: film.evaluate("(film) => !film.paused && film.currentTime") != began)
    # Browsers count only a film that is large; nobody sees it.
    box = film.bounding_box()
    assert box["width"] >= wall.page.viewport_size["width"] and box["height"] >= wall.page.viewport_size["height"]
    assert float(film.evaluate("(film) => getComputedStyle(film).opacity")) < .05


def test_a_wall_tells_the_wifi_that_the_desk_was_told(lone_party, open_wall, sit):  # noqa: F811
    panel = sit(lone_party.host).go("invite").page.locator("#walls")
    panel.get_by_label("The Wi-Fi, beside the code").fill("Barn, password <b>cake & wine</b>")
    query = urlsplit(panel.locator("#wall-link").get_attribute("href")).query
    wall = open_wall(f"?{query}")
    expect(wall.page.locator("#wifi")).to_have_text("Wi‑Fi: Barn, password <b>cake & wine</b>")
    expect(open_wall().page.locator("#wifi")).to_be_hidden()


def test_a_wall_with_the_lock_has_no_film(lone_party, open_wall):
    wall = open_wall()
    expect(wall.page.locator("#code")).to_be_visible()
    assert wall.page.locator("#awake").count() == 0


def test_the_desk_steers_every_wall_of_this_computer(lone_party, open_wall, sit, painter):  # noqa: F811
    lone_party.host.command("add", *painter.photos(4))
    desk = sit(lone_party.host).go("invite")
    panel = desk.page.locator("#walls")
    panel.locator("#wall-show").select_option("show=highlights")
    panel.locator("#wall-fill").check()
    assert "show=highlights" in panel.locator("#wall-address").inner_text() and "fit=fill" in panel.locator("#wall-link").get_attribute("href")
    assert any(option.startswith("author=") for option in panel.locator("option").evaluate_all("(all) => all.map((one) => one.value)"))
    walls = [open_wall(), open_wall("?fit=fill")]
    for wall in walls:
        expect(shown(wall)).to_have_count(1)
    panel.locator("[data-act=pause]").click()
    for wall in walls:
        expect(wall.page.locator("#paused")).to_be_visible()
    still = [sources(wall) for wall in walls]
    panel.locator("[data-act=next]").click()
    for wall, before in zip(walls, still):
        eventually("another photo", lambda wall=wall, before=before: sources(wall) and sources(wall) != before)
    panel.locator("[data-act=code]").click()
    for wall in walls:
        expect(wall.page.locator("#wall")).to_have_attribute("data-state", "card")
    # One photo of the sheet, by its key.
    desk.go("photos")
    desk.page.locator("#grid li").nth(2).locator("button").focus()
    wanted = desk.page.locator("#grid li").nth(2).get_attribute("data-id")
    desk.page.keyboard.press("w")
    for wall in walls:
        eventually("the photo that was asked for", lambda wall=wall: named(sources(wall)) == {wanted})
    # And by its button, where it is large.
    desk.page.locator("#grid li").nth(1).locator("button").click()
    other = desk.page.locator("#grid li").nth(1).get_attribute("data-id")
    desk.page.click("#to-wall")
    for wall in walls:
        eventually("the photo of the button", lambda wall=wall: named(sources(wall)) == {other})
    desk.page.keyboard.press("Escape")
    desk.go("invite")
    desk.page.locator("[data-act=resume]").click()
    for wall in walls:
        expect(wall.page.locator("#paused")).to_be_hidden()


def test_a_page_of_guests_ignores_what_walls_are_asked_and_hears_of_no_hidden_photo(lone_party, painter):
    """What the desk sends is no secret, and of a hidden photo there is nothing in it."""
    host = lone_party.host
    host.command("add", *painter.photos(1))
    photo = host.gallery()[0]["id"]
    guest = Client(host.link)
    since = guest.json("GET", "api/changes")[2]["id"]
    key = host.desk().split("#")[1]
    desk = Client.__new__(Client)
    desk.host, desk.session, desk.path = guest.host, None, "/desk/api/"
    status, headers, _ = desk.json("POST", "/desk/api/session", {"key": key})
    assert status == 200
    cookie = {"Cookie": headers["Set-Cookie"].split(";")[0], "Origin": guest.origin}
    event = host.ready["event"][:8]
    ask = lambda body: desk.json("POST", f"/desk/api/e/{event}/wall", body, cookie)[0]
    assert ask({"act": "show", "photo": photo}) == 204
    host.command("hide", photo)
    assert ask({"act": "show", "photo": photo}) == 204
    assert ask({"act": "dance"}) == 400 and ask({"act": "show"}) == 400 and ask({"act": "next", "photo": photo}) == 400
    told = [change["data"] for change in guest.json("GET", f"api/changes?since={since}")[2]["changes"] if change["event"] == "wall"]
    # Both are asked for now, when it is hidden.
    assert told == [{"act": "show", "photo": None}] * 2, json.dumps(told)


def test_the_wall_shows_a_clock_for_cameras_until_the_key_is_pressed_again(open_wall):
    wall = open_wall()
    expect(wall.page.locator("#code")).to_be_visible()
    wall.page.keyboard.press("c")
    clock = wall.page.locator("#clock time")
    first = clock.inner_text()
    assert re.fullmatch(r"\d\d:\d\d:\d\d", first)
    eventually("it goes on", lambda: clock.inner_text() != first)
    expect(wall.page.locator("#clock")).to_contain_text("Photographers: take a picture of this clock.")
    expect(wall.page.locator("#clock")).to_contain_text(re.compile(r"day,? .*\d{4}-\d\d-\d\d", re.S))
    assert float(clock.evaluate("(time) => parseFloat(getComputedStyle(time).fontSize) / innerHeight")) > .1
    wall.page.keyboard.press("c")
    expect(wall.page.locator("#clock")).to_have_count(0)
