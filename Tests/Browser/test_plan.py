# SPDX-License-Identifier: Apache-2.0
"""The plan of a party: the host picks it at the desk, guests place their photos on it and find those of others by their
place, by the strip and by person; and the cover."""

import json
import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from guest import UNREACHABLE
from outing import outing
from party import eventually
from test_axe import find

# Percent of the width and the height; the first three are one pin at first.
PLACES = [(20, 30), (22, 32), (21, 34), (80, 20), (75, 80), (50, 60)]


# A point of the chart with nothing in front of it.
FREE = """chart => {
    const { left, top, width, height } = chart.getBoundingClientRect();
    for (let y = top + 4; y < top + height; y += 8) for (let x = left + 4; x < left + width; x += 8) {
        const seen = document.elementFromPoint(x, y);
        if (seen === chart || seen === chart.querySelector("img")) return [x, y];
    }
}"""


def added(party, *files):
    return [json.loads(line)["id"] for line in party.host.command("add", *files, "--json").splitlines()
            if json.loads(line)["type"] == "added"]


@pytest.fixture(scope="module")
def garden(parties, painter):
    party = parties(guests=0, name="Garden party")
    party.host.command("event", "picture", "plan", painter.photo(1200, 800))
    party.photos = added(party, *[painter.photo(320, 240) for _ in PLACES])
    for photo, (across, down) in zip(party.photos, PLACES):
        party.host.command("place", photo, str(across), str(down))
    party.host.command("comment", party.photos[3], "so nice")
    party.host.command("react", party.photos[3], "❤")
    yield party
    party.end()


def opened(guest, name="Plan"):
    guest.page.locator("#everyone-grid").get_by_role("button", name=name, exact=True).click()
    plan = guest.page.locator("#plan")
    expect(plan).to_be_visible()
    expect(plan.locator(".pin").first).to_be_visible()
    return plan


def counts(plan):
    """How many photos each pin stands for."""
    return sorted(plan.locator(".pin").evaluate_all("pins => pins.map((pin) => Number(pin.dataset.count ?? 1))"))


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def in_strip(plan):
    return plan.locator(".strip li").evaluate_all("items => items.map((item) => item.dataset.id)")


def rested(plan, what, condition):
    eventually(what, lambda: plan.page.wait_for_timeout(50) or condition())


def test_pins_open_a_card_and_the_strip_follows_the_pins_and_the_other_way_round(garden, guests, size):
    bea = guests(garden, size).open(garden.host.link).enter("Bea")
    plan = opened(bea)
    # The plan's photo is not among the others.
    expect(bea.tiles()).to_have_count(len(PLACES))
    assert counts(plan) == [1, 1, 1, 3]
    rested(plan, "all in the strip", lambda: set(in_strip(plan)) == set(garden.photos))
    expect(plan.locator(".note")).to_have_text("6 photos here")

    # A cluster comes apart.
    plan.get_by_role("button", name="3 photos, zoom in").click()
    rested(plan, "three pins", lambda: counts(plan) == [1, 1, 1])
    plan.get_by_role("button", name="Whole plan").click()
    rested(plan, "all pins", lambda: counts(plan) == [1, 1, 1, 3])

    # A pin opens the card, moves to the middle, and the strip begins with its photo.
    plan.locator(".pin:not([data-count])").first.click()
    card = plan.locator(".card")
    expect(card).to_be_visible()
    expect(card).to_contain_text("Anna")
    chosen = plan.locator(".pin[aria-current=true]")
    expect(chosen).to_have_count(1)
    first = plan.locator(".strip button[aria-current=true]")
    expect(first).to_have_count(1)
    assert in_strip(plan)[0] == first.evaluate("button => button.parentElement.dataset.id")

    # It covers no button of the chart, on the smallest phone neither.
    bottom = max(box["y"] + box["height"] for box in (zoom.bounding_box() for zoom in plan.locator(".zoom").all()))
    assert card.bounding_box()["y"] >= bottom or size == "desktop", (card.bounding_box(), bottom)

    # One of the strip becomes the chosen pin: with its date, one comment and one reaction.
    plan.locator(f".strip [data-id='{garden.photos[3]}'] button").click()
    expect(card).to_contain_text("1 reaction · 1 comment")
    expect(card.locator("p").first).to_have_text(re.compile(r"\d"))
    rested(plan, "it is in the middle", lambda: abs(
        middle(plan.locator(".pin[aria-current=true]"))[0] - middle(plan.locator(".chart"))[0]) < 3)
    expect(chosen.locator("img")).to_have_attribute("src", re.compile(garden.photos[3]))

    # Beside the pins a tap closes both.
    bea.page.mouse.click(*plan.locator(".chart").evaluate(FREE))
    expect(card).to_be_hidden()
    expect(plan.locator(".strip")).to_be_hidden()

    # The photo itself.
    plan.get_by_role("button", name="Whole plan").click()
    plan.locator(".pin:not([data-count])").first.click()
    card.get_by_role("button", name="Open the photo").click()
    expect(plan).to_have_count(0)
    expect(bea.page.locator("#photo")).to_be_visible()
    bea.page.get_by_role("button", name="See it on the plan").click()
    expect(card).to_be_visible()
    bea.page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(plan).to_be_visible()
    bea.page.keyboard.press("Escape")
    expect(plan).to_have_count(0)
    expect(bea.page.locator("#photo")).to_be_visible()


def test_only_the_photos_of_the_visible_part_are_asked_for(garden, guests):
    bea = guests(garden, "desktop").open(garden.host.link).enter("Bea")
    plan = opened(bea)
    x, y = middle(plan.locator(".pin[data-count='3']"))
    bea.page.mouse.move(x, y)
    for _ in range(6):
        bea.page.mouse.wheel(0, -200)
    rested(plan, "only those", lambda: set(in_strip(plan)) == set(garden.photos[:3]))
    boxes = [re.search(r"box=([\d,%C]+)", request.url) for request in bea.requests if "api/spots?box=" in request.url]
    left, top, right, bottom = [int(edge) for edge in boxes[-1][1].replace("%2C", ",").split(",")]
    assert 0 < left < 0.2 * 65535 < right < 0.5 * 65535 and 0 < top < 0.3 * 65535 < bottom < 0.6 * 65535
    expect(plan.locator(".note")).to_have_text("3 photos here")
    # Dragged away there is nothing, and that is said.
    bea.page.mouse.move(600, 300)
    bea.page.mouse.down()
    bea.page.mouse.move(620, 340, steps=4)
    bea.page.mouse.up()
    for key in ["ArrowLeft", "ArrowUp"] * 10:
        plan.locator(".chart").press(key)
    expect(plan.locator(".note")).to_contain_text("No photos here yet.")
    plan.locator(".chart").press("0")
    expect(plan.locator(".note")).to_have_text("6 photos here")


def test_two_fingers_zoom_and_the_strip_that_rests_moves_the_plan(garden, guests):
    bea = guests(garden, "phone").open(garden.host.link).enter("Bea")
    plan = opened(bea)
    session = bea.context.new_cdp_session(bea.page)
    x, y = middle(plan.locator(".chart"))

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": px, "y": py, "id": number} for number, (px, py) in enumerate(points)]})

    width = lambda: plan.locator(".chart > img").bounding_box()["width"]
    before = width()
    touch("touchStart", (x - 20, y))
    touch("touchStart", (x - 20, y), (x + 20, y))
    for distance in (30, 45, 60):
        touch("touchMove", (x - distance, y), (x + distance, y))
    touch("touchEnd")
    assert width() > 2 * before
    plan.get_by_role("button", name="Whole plan").click()
    rested(plan, "the whole plan", lambda: abs(width() - before) < 1)

    rested(plan, "the strip", lambda: len(in_strip(plan)) == len(PLACES))
    last = in_strip(plan)[-1]
    strip = plan.locator(".strip")

    def reaches_the_end():
        # Again from the beginning, where the plan came to rest only now: that ends what a finger has begun.
        strip.evaluate("strip => { strip.scrollLeft = 0; }")
        plan.page.wait_for_timeout(100)
        strip.dispatch_event("pointerdown")
        strip.evaluate("strip => { strip.scrollLeft = strip.scrollWidth; }")
        plan.page.wait_for_timeout(500)
        return plan.locator(f".pin[aria-current=true] img[src*='{last}']").count() == 1

    eventually("the last photo of the strip is chosen", reaches_the_end)
    expect(plan.locator(".card")).to_be_visible()
    assert in_strip(plan)[-1] == last, "the strip stays as it is under the finger"


def test_a_guest_places_a_photo_moves_it_by_keys_and_takes_it_off(parties, guests, painter):
    party = parties(guests=0)
    party.host.command("event", "picture", "plan", painter.photo(900, 600))
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    bea.expect_photos(1, "mine")
    photo = Photo(party)
    assert photo.spot() is None, "nothing is placed by itself"
    bea.open_photo("mine")
    bea.page.get_by_role("button", name="Place it on the plan").click()
    plan = bea.page.locator("#plan")
    expect(plan).to_contain_text("Everyone who sees the photo also sees this spot.")
    image = plan.locator(".chart > img").bounding_box()
    bea.page.touchscreen.tap(image["x"] + image["width"] * .25, image["y"] + image["height"] * .75)
    assert photo.spot() is None, "a tap alone sends nothing"
    plan.get_by_role("button", name="Place it here").click()
    expect(bea.page.locator("#toast")).to_contain_text("The photo is on the plan.")
    eventually("the node knows", lambda: photo.spot())
    assert abs(photo.spot()["x"] / 65535 - .25) < .02 and abs(photo.spot()["y"] / 65535 - .75) < .02

    bea.page.get_by_role("button", name="On the plan").click()
    before = photo.spot()
    for key in ["ArrowRight", "Shift+ArrowUp"]:
        plan.locator(".chart").press(key)
    plan.get_by_role("button", name="Place it here").click()
    eventually("it has moved", lambda: photo.spot() != before)
    assert photo.spot()["x"] > before["x"] and photo.spot()["y"] < before["y"]

    # If the host changes the plan meanwhile, the node refuses the spot.
    bea.page.get_by_role("button", name="On the plan").click()
    expect(plan).to_be_visible()
    party.host.command("event", "picture", "plan", painter.photo(600, 900))
    bea.allow("409")
    plan.get_by_role("button", name="Place it here").click()
    expect(bea.page.locator("#toast")).to_contain_text("The host has changed the plan.")
    bea.page.get_by_role("button", name="Place it on the plan").click()
    plan.get_by_role("button", name="Place it here").click()
    eventually("it is on the new one", lambda: photo.spot())
    bea.page.get_by_role("button", name="On the plan").click()
    plan.get_by_role("button", name="Remove from the plan").click()
    expect(bea.page.locator("#toast")).to_contain_text("The photo is no longer on the plan.")
    assert photo.spot() is None
    party.host.command("event", "picture", "plan", "none")
    expect(bea.page.locator("#spot")).to_have_count(0)
    bea.allow(UNREACHABLE)
    party.end()


class Photo:
    """The one photo of an event."""

    def __init__(self, party):
        self.party = party

    def spot(self):
        [photo] = [photo for photo in self.party.host.gallery() if photo["author"] == "Bea"]
        return photo.get("spot")


def test_the_photos_of_one_person_are_found_on_the_plan_in_french(garden, guests, painter):
    bea = guests(garden, "phone", locale="fr-FR").open(garden.host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    bea.open_photo("mine")
    bea.page.get_by_role("button", name="La placer sur le plan").click()
    plan = bea.page.locator("#plan")
    plan.get_by_role("button", name="La placer ici").click()
    expect(bea.page.locator("#toast")).to_contain_text("La photo est sur le plan.")
    bea.page.click("#photo-close")
    bea.go("everyone")
    plan = opened(bea)
    rested(plan, "all of them", lambda: len(in_strip(plan)) == len(PLACES) + 1)
    plan.get_by_label("Photos de").select_option(label="Bea")
    rested(plan, "hers only", lambda: len(in_strip(plan)) == 1)
    expect(plan.locator(".pin")).to_have_accessible_name("Photo de Bea")
    plan.get_by_label("Photos de").select_option(label="Tout le monde")
    rested(plan, "all of them", lambda: len(in_strip(plan)) == len(PLACES) + 1)


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_plan_is_accessible_and_fits_the_smallest_phone(garden, guests, painter, locale):
    bea = guests(garden, "phone", locale=locale).open(garden.host.link).enter("Cleo")
    bea.page.set_viewport_size({"width": 320, "height": 568})
    found = []
    plan = opened(bea)
    find(bea, "plan", found)
    plan.locator(".pin:not([data-count])").first.click()
    expect(plan.locator(".card")).to_be_visible()
    find(bea, "card", found)
    assert bea.page.evaluate("document.documentElement.scrollWidth") <= 320
    for control in plan.locator("button, select").all():
        if not control.is_visible():
            continue
        box = control.bounding_box()
        assert box["width"] >= 40 and box["height"] >= 40, control.evaluate("one => one.outerHTML")
    bea.page.keyboard.press("Escape")
    bea.page.keyboard.press("Escape")
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    bea.open_photo("mine")
    bea.page.locator("#spot").click()
    expect(plan.locator(".placing")).to_be_visible()
    find(bea, "placing", found)
    assert bea.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert not found, "\n".join(found)


def test_the_cover_is_on_the_welcome_above_the_gallery_and_on_the_wall(parties, guests, painter):
    party = parties(guests=0)
    cover = party.host.command("event", "picture", "cover", painter.photo(900, 600), "--json")
    photo = json.loads(cover.splitlines()[0])["photo"]
    bea = guests(party, "phone").open(party.host.link)
    shown = lambda place: expect(bea.page.locator(f"#{place} .cover")).to_have_attribute(
        "src", f"{party.host.path}photos/{photo}/preview")
    shown("welcome")
    # The first screen does not wait for it.
    order = bea.page.evaluate("""() => performance.getEntriesByType("resource").map(({ name }) => name)""")
    assert order.index(next(name for name in order if name.endswith("/cover.js"))) > order.index(
        next(name for name in order if name.endswith("/api/me")))
    bea.enter("Bea")
    shown("everyone")
    bea.page.wait_for_function("() => document.querySelector('#everyone .cover').naturalWidth > 0")
    # Guests see it as a photo, too.
    bea.expect_photos(1)
    party.host.command("event", "picture", "cover", "none")
    expect(bea.page.locator("#everyone .cover")).to_have_count(0)
    # If the photo is also the plan, the gallery is empty, and the wall shows the cover while it waits.
    party.host.command("event", "picture", "plan", photo)
    party.host.command("event", "picture", "cover", photo)
    expect(bea.page.locator("#everyone .cover")).to_be_visible()
    expect(bea.tiles()).to_have_count(0)
    wall = guests(party, "desktop").open(f"{party.host.origin}/wall#{party.host.link.split('#')[1]}")
    expect(wall.page.locator("#wall")).to_have_attribute("data-state", "waiting")
    expect(wall.page.locator("#wall > .cover")).to_be_visible()
    wall.page.wait_for_function("() => document.querySelector('#wall .cover').naturalWidth > 0")
    for guest in [bea, wall]:
        guest.allow(UNREACHABLE)
    party.end()


def test_the_host_adds_a_plan_at_the_desk_and_uses_a_photo_as_the_cover(parties, guests, painter):
    party = parties(guests=0)
    [photo] = added(party, painter.photo())
    url = party.host.desk()
    desk = guests(SimpleNamespace(origins={url.split("/desk")[0]}), "desktop").open(url)
    page = desk.page
    page.click("#nav [data-section=settings]")
    page.set_input_files("#add-plan", painter.photo(1200, 900))
    expect(page.locator("#pictures .picture img")).to_have_count(1)
    facts = lambda: json.loads(party.host.command("event", "show", "--json"))
    plan = facts()["plan"]
    assert plan and plan != photo and "cover" not in facts()
    page.click("#nav [data-section=photos]")
    page.locator(f"#grid [data-id='{photo}'] button").click()
    page.get_by_role("button", name="Use as cover").click()
    expect(page.get_by_role("button", name="Remove the cover")).to_be_visible()
    assert facts()["cover"] == photo
    page.get_by_role("button", name="Remove the cover").click()
    expect(page.get_by_role("button", name="Use as cover")).to_be_visible()
    assert "cover" not in facts()
    page.keyboard.press("Escape")
    page.click("#nav [data-section=settings]")
    # No image is told as such.
    text = painter.photo().parent / "text.png"
    text.write_text("no picture")
    desk.allow("409|422|400|403")
    page.set_input_files("#add-cover", str(text))
    expect(page.locator("#toast")).to_contain_text("This file is no image that can be shown.")
    page.click("#no-plan")
    expect(page.locator("#pictures .picture img")).to_have_count(0)
    assert "plan" not in facts()
    desk.allow(UNREACHABLE)
    party.end()


def test_the_plan_shows_one_day_and_all_days_again(parties, guests, painter, tmp_path):
    party = outing(parties, painter, tmp_path)
    try:
        bea = guests(party, "phone").open(party.host.link).enter("Bea")
        bea.page.set_viewport_size({"width": 320, "height": 568})
        plan = opened(bea)
        expect(plan.locator(".pin")).to_have_count(2)
        plan.get_by_role("button", name="All days").click()
        calendar = bea.page.locator("#calendar")
        today = calendar.locator("td button[aria-current=date]")
        expect(today).to_be_visible()
        today.click()
        expect(calendar).to_be_hidden()
        expect(plan.locator(".pin")).to_have_count(1)
        expect(plan.locator(".pin img")).to_have_attribute("src", re.compile(party.today[0]))
        expect(plan.locator(".note")).to_have_text("1 photo here")
        assert bea.page.evaluate("document.documentElement.scrollWidth") <= 320
        found = []
        find(bea, "a day of the plan", found)
        assert found == []
        # A move asks for the photos of that day only.
        plan.locator(".chart").press("ArrowLeft")
        rested(plan, "the part of that day", lambda: any(
            "box=" in request.url and "from=" in request.url for request in bea.requests))
        expect(plan.locator(".pin")).to_have_count(1)
        plan.get_by_role("button", name="All days").click()
        expect(plan.locator(".pin")).to_have_count(2)
    finally:
        party.end()


def test_a_plan_with_photos_of_one_day_has_no_choice_of_a_day(garden, guests):
    bea = guests(garden, "phone").open(garden.host.link).enter("Bea")
    plan = opened(bea)
    eventually("the days", lambda: bea.page.wait_for_timeout(50) or any(
        request.url.endswith("/api/times") and request.response() for request in bea.requests))
    expect(plan.get_by_role("button", name="All days")).to_have_count(0)
