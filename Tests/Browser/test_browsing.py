# SPDX-License-Identifier: Apache-2.0
"""Browsing everybody's photos: by day and hour, by hearts, by person, and with the arrow keys."""

import json
import re

from playwright.sync_api import expect

DAY_MS = 86_400_000


def spread_over_days(guest, per_day):
    """Changes the node's answers to photos of several days: a test cannot wait for midnight."""
    def answer(route):
        response = route.fetch()
        body = response.json()
        for place, photo in enumerate(body["photos"]):
            photo["addedAt"] -= place // per_day * DAY_MS
        route.fulfill(response=response, body=json.dumps(body))
    guest.page.route(re.compile(r"/api/photos\?limit="), answer)


def headings(guest, level):
    return guest.page.locator(f"#everyone-grid h{level}:not([hidden])")


def focused(guest):
    """The index of the focused tile among the visible ones."""
    return guest.page.evaluate("""() => [...document.querySelectorAll(
        "#everyone-grid .tile:not([hidden]) > button")].indexOf(document.activeElement)""")


def love(guest, number):
    guest.open_photo("everyone", number)
    heart = guest.page.locator("#photo-reactions button").first
    heart.click()
    expect(heart).to_have_attribute("aria-pressed", "true")
    guest.page.click("#photo-close")


def sources(guest):
    return guest.tiles().locator("img").evaluate_all("images => images.map((image) => image.getAttribute('src'))")


def test_photos_are_listed_under_the_day_of_their_party(lone_party, guests, painter, size):
    lone_party.host.command("add", *painter.photos(5))
    bea = guests(lone_party, size)
    spread_over_days(bea, 2)
    bea.open(lone_party.host.link).enter("Bea")
    bea.expect_photos(5)
    expect(headings(bea, 3)).to_have_count(3)
    expect(headings(bea, 4)).to_have_count(0)
    assert all(re.match(r"\w+day, \w+ \d+$", text) for text in headings(bea, 3).all_inner_texts())
    lists = bea.page.locator("#everyone-grid ul")
    assert [lists.nth(place).locator(".tile").count() for place in range(3)] == [2, 2, 1]
    # A new one is added to the list of its day.
    lone_party.host.command("add", painter.photo())
    bea.expect_photos(6)
    expect(lists.first.locator(".tile")).to_have_count(3)
    expect(headings(bea, 3)).to_have_count(3)


def test_a_day_with_many_photos_has_its_hours(lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.choose(painter.photos(12))
    bea.expect_all_sent()
    bea.go("everyone")
    bea.expect_photos(12)
    expect(headings(bea, 4)).to_have_count(0)
    lone_party.host.command("add", painter.photo())
    bea.expect_photos(13)
    expect(headings(bea, 3)).to_have_count(1)
    expect(headings(bea, 4).first).to_have_text(re.compile(r"^\d\d:00"))


def test_a_heading_is_removed_with_its_last_photo_and_restored_by_undo(lone_party, guests, painter, size):
    bea = guests(lone_party, size)
    spread_over_days(bea, 1)
    bea.open(lone_party.host.link).enter("Bea")
    bea.choose(painter.photos(2))
    bea.expect_all_sent()
    bea.page.reload()
    bea.expect_photos(2)
    expect(headings(bea, 3)).to_have_count(2)
    bea.open_photo("everyone", 1)
    bea.page.click("#photo-remove")
    bea.answer()
    bea.page.click("#photo-close")
    expect(headings(bea, 3)).to_have_count(1)
    bea.page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(headings(bea, 3)).to_have_count(2)


def test_photos_of_two_days_can_be_selected_together(lone_party, guests, painter, size):
    lone_party.host.command("add", *painter.photos(3))
    bea = guests(lone_party, size)
    spread_over_days(bea, 1)
    bea.open(lone_party.host.link).enter("Bea")
    bea.expect_photos(3)
    bea.page.locator("#everyone-grid").get_by_role("button", name="Select").click()
    bea.tiles().nth(0).locator("button").click()
    bea.tiles().nth(2).locator("button").click(modifiers=["Shift"])
    expect(bea.page.locator("#everyone-grid .chooser")).to_contain_text("3 selected")


def test_tiles_show_hearts_and_can_be_sorted_by_them(lone_party, guests, painter, size):
    lone_party.host.command("add", *painter.photos(4))
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    cleo = guests(lone_party, size).open(lone_party.host.link).enter("Cleo")
    for guest in (bea, cleo):
        guest.expect_photos(4)
    grid = bea.page.locator("#everyone-grid")
    loved = grid.get_by_role("button", name="Most loved")
    # A switch without effect is hidden.
    expect(loved).to_have_count(0)
    newest = sources(bea)
    love(bea, 1)
    love(bea, 3)
    love(cleo, 3)
    expect(bea.tiles().nth(3)).to_contain_text("♥\ufe0e 2")
    expect(bea.tiles().nth(3).get_by_role("button", name="2 hearts")).to_have_count(1)
    loved.click()
    expect(bea.tiles().first).to_contain_text("♥\ufe0e 2")
    assert sources(bea) == [newest[place] for place in (3, 1, 0, 2)]
    expect(headings(bea, 3)).to_have_count(0)
    # The next photo is the next in this order.
    bea.open_photo("everyone")
    bea.page.keyboard.press("ArrowRight")
    expect(bea.page.locator("#photo-stage .here img:not(.under)")).to_have_attribute(
        "src", re.compile(newest[1].split("/")[-2]))
    bea.page.click("#photo-close")
    grid.get_by_role("button", name="Newest").click()
    expect(headings(bea, 3)).to_have_count(1)
    assert sources(bea) == newest


def test_photos_are_sorted_by_the_time_at_which_they_were_taken(lone_party, guests, painter, size):
    hour = 3_600_000
    for at in (2, 1):
        lone_party.host.command("add", painter.photo(taken_at=1_755_345_600_000 + at * hour))
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.expect_photos(2)
    taken = bea.page.locator("#everyone-grid").get_by_role("button", name="Date taken")
    by_arrival = sources(bea)
    taken.click()
    expect(taken).to_have_attribute("aria-pressed", "true")
    assert sources(bea) == by_arrival[::-1]
    # One that was taken between them arrives last.
    lone_party.host.command("add", painter.photo(taken_at=1_755_345_600_000 + hour * 3 // 2))
    bea.expect_photos(3)
    assert [sources(bea)[place] for place in (0, 2)] == by_arrival[::-1]
    bea.page.locator("#everyone-grid").get_by_role("button", name="Newest").click()
    expect(bea.tiles()).to_have_count(3)
    assert sources(bea)[1:] == by_arrival


def test_the_grid_is_one_stop_of_the_tab_key_and_arrow_keys_move_within_it(lone_party, guests, painter):
    lone_party.host.command("add", *painter.photos(8))
    bea = guests(lone_party, "desktop")
    spread_over_days(bea, 7)
    bea.open(lone_party.host.link).enter("Bea")
    bea.expect_photos(8)
    assert bea.page.locator("#everyone-grid .tile > button[tabindex='0']").count() == 1
    bea.tiles().locator("button").first.focus()
    # Six to a row, and the eighth is alone under another day.
    for key, place in [("ArrowRight", 1), ("ArrowLeft", 0), ("ArrowLeft", 0), ("ArrowDown", 6), ("ArrowDown", 7),
                       ("ArrowUp", 6), ("ArrowUp", 0), ("End", 7), ("Home", 0), ("ArrowRight", 1)]:
        bea.page.keyboard.press(key)
        assert focused(bea) == place, key
    # Tab leaves the grid, and returns to the same tile.
    bea.page.keyboard.press("Tab")
    assert focused(bea) == -1
    bea.page.keyboard.press("Shift+Tab")
    assert focused(bea) == 1
    bea.page.keyboard.press("Enter")
    expect(bea.page.locator("#photo-place")).to_have_text("2 of 8")
    bea.page.keyboard.press("Escape")
    expect(bea.page.locator("#photo")).to_be_hidden()
    assert focused(bea) == 1
