# SPDX-License-Identifier: Apache-2.0
"""The map behind the plan of a party: the host adds a file with tiles, or gives the plan its places; guests see the map,
its scale and positions, and place their photos on it by hand."""

import json
import re
from types import SimpleNamespace

import pytest
import requests
from PIL import Image
from playwright.sync_api import expect

import mapfile
from guest import UNREACHABLE
from party import eventually
from test_axe import find
from test_plan import added, in_strip, opened, rested

# Degrees of latitude and longitude, both in the tile that becomes the plan.
HERE, THERE = (47.2431, 6.0225), (47.2612, 5.9948)


def percent(part):
    return f"{part * 100:.4f}"


@pytest.fixture(scope="module")
def town(parties, painter, tmp_path_factory):
    party = parties(guests=0, name="Town party")
    file = mapfile.mbtiles(tmp_path_factory.mktemp("map") / "town.mbtiles")
    party.facts = json.loads(party.host.command("event", "map", str(file), "--json").splitlines()[0])
    party.photos = added(party, *[painter.photo(320, 240) for _ in range(2)])
    for photo, position in zip(party.photos, (HERE, THERE)):
        party.host.command("place", photo, *[percent(part) for part in mapfile.place(*position)])
    yield party
    party.end()


def loaded(plan):
    """The names of the tiles whose images are there."""
    return set(plan.locator(".tiles img").evaluate_all("""images => images.filter((image) => image.naturalWidth)
        .map((image) => /tiles\\/([0-9/]+)/.exec(image.src)[1])"""))


def test_the_tile_of_the_whole_file_becomes_the_plan(town):
    assert town.facts["zooms"] == [12, 14] and town.facts["isShown"] and town.facts["attribution"] == "© Town"
    facts = json.loads(town.host.command("event", "show", "--json"))
    assert facts["plan"] == town.facts["plan"]
    (north, west) = mapfile.corner(*mapfile.TILE)
    latitude, longitude = (float(part) for part in town.facts["positions"][0].split(","))
    assert abs(latitude - north) < 1e-5 and abs(longitude - west) < 1e-5


def test_guests_see_tiles_scale_source_and_the_position_of_a_photo(town, guests, size):
    bea = guests(town, size).open(town.host.link).enter("Bea")
    plan = opened(bea)
    rested(plan, "the tiles", lambda: loaded(plan))
    expect(plan.locator(".legend")).to_contain_text(re.compile(r"\d (m|km)"))
    expect(plan.locator(".legend")).to_contain_text("Map: © Town")
    expect(plan.locator(".pin")).to_have_count(2)
    # The tiles are where the plan's own picture is.
    image = plan.locator(".chart > img").bounding_box()
    zoom, column, row = min((tuple(int(part) for part in name.split("/")) for name in loaded(plan)))
    tile = plan.locator(f".tiles img[src*='tiles/{zoom}/{column}/{row}']").bounding_box()
    part = 2 ** (zoom - mapfile.TILE[0])
    assert abs(tile["width"] - image["width"] / part) < 3, "a tile has its part of the plan"
    assert abs(tile["x"] - image["x"] - (column - mapfile.TILE[1] * part) * image["width"] / part) < 2
    assert abs(tile["y"] - image["y"] - (row - mapfile.TILE[2] * part) * image["height"] / part) < 2
    # A part that is enlarged has the tiles of the next zoom, until the nearest ones.
    for _ in range(4):
        plan.get_by_role("button", name="Zoom in").click()
    rested(plan, "the nearest tiles", lambda: any(name.startswith("14/") for name in loaded(plan)))
    rested(plan, "no others", lambda: all(name.startswith("14/") for name in loaded(plan)))
    plan.get_by_role("button", name="Whole plan").click()
    rested(plan, "both photos", lambda: set(in_strip(plan)) == set(town.photos))
    # The card has the position.
    plan.locator(f".strip [data-id='{town.photos[0]}'] button").click()
    card = plan.locator(".card")
    expect(card).to_contain_text(re.compile(r"at 47\.243\d+, 6\.022\d+"))
    expect(plan.locator(".strip [aria-current=true]")).to_have_count(1)


def test_browsers_keep_tiles_and_strangers_get_none(town, guests):
    bea = guests(town, "phone").open(town.host.link).enter("Bea")
    plan = opened(bea)
    rested(plan, "the tiles", lambda: loaded(plan))
    tile = next(request for request in bea.requests if "/map/tiles/" in request.url)
    assert tile.response().header_value("cache-control") == "private, max-age=86400"
    assert requests.get(tile.url, timeout=30).status_code == 401


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_map_is_accessible_in_both_themes_and_fits_the_smallest_phone(town, guests, painter, locale):
    bea = guests(town, "phone", locale=locale).open(town.host.link).enter("Cleo")
    bea.page.set_viewport_size({"width": 320, "height": 568})
    found = []
    plan = opened(bea)
    rested(plan, "the tiles", lambda: loaded(plan))
    find(bea, "map", found)
    plan.locator(".pin").first.click()
    expect(plan.locator(".card")).to_be_visible()
    find(bea, "card on the map", found)
    assert bea.page.evaluate("document.documentElement.scrollWidth") <= 320
    bea.page.keyboard.press("Escape")
    bea.page.keyboard.press("Escape")
    # Placing says who sees the place, and a tap alone sends nothing.
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    bea.open_photo("mine")
    bea.page.locator("#spot").click()
    expect(plan.locator(".placing")).to_contain_text("on the map" if locale == "en-GB" else "sur la carte")
    rested(plan, "the tiles", lambda: loaded(plan))
    find(bea, "placing on the map", found)
    assert bea.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert not found, "\n".join(found)


def test_what_the_map_adds_to_the_page_is_small(town, guests):
    bea = guests(town, "phone").open(town.host.link).enter("Bea")
    sizes = lambda: bea.page.evaluate("""() => Object.fromEntries(performance.getEntriesByType("resource")
        .filter(({ name }) => /\\.(js|css)$/.test(name)).map(({ name, decodedBodySize }) => [name, decodedBodySize]))""")
    before = sizes()
    plan = opened(bea)
    rested(plan, "the tiles", lambda: loaded(plan))
    own = {name: size for name, size in sizes().items() if name not in before}
    assert any(name.endswith("/mapchart.js") for name in own)
    assert 0 < sum(own.values()) <= 150_000


def test_a_plan_with_places_has_a_scale_and_hides_the_map_until_the_guest_wants_it(parties, guests, painter, tmp_path):
    party = parties(guests=0)
    host = party.host
    host.command("event", "picture", "plan", painter.photo(1000, 1000))
    # The plan is turned by a quarter: its right edge is in the south.
    west, south, east, north = mapfile.area()
    host.command("event", "map", "--at", f"0,0={north:.6f},{east:.6f}", "--at", f"999,999={south:.6f},{west:.6f}")
    [photo] = added(party, painter.photo(320, 240))
    host.command("place", photo, "10", "10")
    bea = guests(party, "phone").open(host.link).enter("Bea")
    plan = opened(bea)
    expect(plan.locator(".legend")).to_contain_text(re.compile(r"\d (m|km)"))
    expect(plan.locator(".tiles img")).to_have_count(0)
    expect(plan.get_by_role("button", name="The map without the plan")).to_have_count(0)
    bea.page.keyboard.press("Escape")

    host.command("event", "map", str(mapfile.pmtiles(tmp_path / "town.pmtiles")))
    plan = opened(bea)
    rested(plan, "the tiles", lambda: loaded(plan))
    button = plan.get_by_role("button", name="The map without the plan")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(plan.locator(".chart > img")).to_be_visible()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(plan.locator(".chart > img")).to_be_hidden()
    expect(plan.locator(".pin")).to_be_visible()
    turned = plan.locator(".tiles img").first.evaluate("image => new DOMMatrix(getComputedStyle(image).transform)")
    assert abs(turned["b"]) > .5 * abs(turned["a"]), "the tiles are turned as the plan is"
    plan.locator(".pin").click()
    expect(plan.locator(".card")).to_contain_text(re.compile(r"at 47\.\d{5}, \d\.\d{5}"))
    bea.page.keyboard.press("Escape")
    bea.page.keyboard.press("Escape")

    host.command("event", "map", "none")
    plan = opened(bea)
    expect(plan.locator(".legend")).to_have_count(0)
    bea.allow(UNREACHABLE)
    party.end()


def test_the_outline_of_the_world_is_a_plan_with_positions(parties, guests, painter):
    party = parties(guests=0)
    for _ in range(2):
        shown = json.loads(party.host.command("event", "map", "world", "--json").splitlines()[0])
        assert shown["isShown"] and "zooms" not in shown
    [photo] = added(party, painter.photo(320, 240))
    # Besançon on the square of the world.
    party.host.command("place", photo, "51.6728", "35.0734")
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    plan = opened(bea)
    expect(plan.locator(".legend")).to_contain_text("km")
    plan.locator(".pin").click()
    expect(plan.locator(".card")).to_contain_text(re.compile(r"at 47\.2\d+, 6\.0\d+"))
    bea.allow(UNREACHABLE)
    party.end()


def test_a_page_of_a_pdf_is_the_plan(parties, guests, tmp_path):
    party = parties(guests=0)
    file = tmp_path / "site.pdf"
    wide, tall = (Image.new("RGB", size, "#cde") for size in ((600, 300), (300, 600)))
    wide.save(file, "PDF", save_all=True, append_images=[tall])
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    for arguments, is_wide in [((), True), (("--page", "2"), False)]:
        party.host.command("event", "picture", "plan", str(file), *arguments)
        plan = bea.page.evaluate(f"fetch('{party.host.path}api/me').then((answer) => answer.json())")["event"]["plan"]
        assert (plan["width"] > plan["height"]) == is_wide
        assert max(plan["width"], plan["height"]) == 4000
    with pytest.raises(AssertionError, match="page 3 of .* cannot be drawn"):
        party.host.command("event", "picture", "plan", str(file), "--page", "3")
    bea.allow(UNREACHABLE)
    party.end()


def test_files_that_are_no_map_are_refused_with_what_to_do(parties, painter, tmp_path):
    party = parties(guests=0)
    text = tmp_path / "text.mbtiles"
    text.write_text("no map")
    damaged = tmp_path / "damaged.pmtiles"
    damaged.write_bytes(mapfile.pmtiles(tmp_path / "whole.pmtiles").read_bytes()[:300])
    for arguments, words in [((str(text),), "neither an MBTiles nor a PMTiles file"), ((str(damaged),), "is damaged"),
                             (("--at", "1,1=47,6", "--at", "2,2=48,7"), "no plan"), (("--at", "1,1"), "X,Y=LATITUDE,LONGITUDE")]:
        with pytest.raises(AssertionError) as failure:
            party.host.command("event", "map", *arguments)
        assert words in str(failure.value), arguments
    assert "no map" in party.host.command("event", "map")
    party.end()


def test_the_host_adds_a_map_at_the_desk_and_chooses_the_plans_points(parties, guests, painter, tmp_path):
    party = parties(guests=0)
    url = party.host.desk()
    desk = guests(SimpleNamespace(origins={url.split("/desk")[0]}), "desktop").open(url)
    page = desk.page
    page.click("#nav [data-section=settings]")
    place = page.locator("#map")
    expect(place).to_contain_text("There is no map.")
    page.set_input_files("#add-map", mapfile.mbtiles(tmp_path / "town.mbtiles"))
    expect(place).to_contain_text("Guests see the map, with the zooms 12 to 14. Source: © Town")
    facts = lambda: json.loads(party.host.command("event", "show", "--json"))
    assert facts()["plan"]
    # A plan of one's own, with two places.
    page.set_input_files("#add-plan", painter.photo(1200, 900))
    expect(place).to_contain_text("The map is not shown: it belongs to another plan.")
    place.locator("summary").click()
    image = place.locator("form img")
    page.wait_for_function("() => document.querySelector('#map form img').naturalWidth > 0")
    for index, (across, down, position) in enumerate([(.1, .1, "47.26, 5.99"), (.9, .9, "47.24, 6.03")]):
        group = place.locator("fieldset").nth(index)
        group.get_by_label("Latitude, longitude").focus()
        box = image.bounding_box()
        shown = min(box["width"] / 1200, box["height"] / 900)
        image.click(position={"x": box["width"] / 2 + (across - .5) * 1200 * shown, "y": box["height"] / 2 + (down - .5) * 900 * shown})
        expect(group.get_by_label("From the left edge")).to_have_value(re.compile(r"^1[12]\d$|^10[789]\d$|^1080$"))
        group.get_by_label("Latitude, longitude").fill(position)
    place.get_by_role("button", name="Save the places").click()
    expect(page.locator("#toast")).to_contain_text("The plan has its places.")
    shown = json.loads(party.host.command("event", "map", "--json").splitlines()[0])
    assert shown["positions"] == ["47.260000, 5.990000", "47.240000, 6.030000"] and shown["isShown"]
    # A position that is none is told as such.
    place.locator("fieldset").first.get_by_label("Latitude, longitude").fill("north")
    desk.allow("409|422|400")
    place.get_by_role("button", name="Save the places").click()
    expect(page.locator("#toast")).to_contain_text("has a latitude and a longitude")
    found = []
    find(desk, "the map at the desk", found)
    assert not found, "\n".join(found)
    page.click("#no-map")
    expect(place).to_contain_text("There is no map.")
    desk.allow(UNREACHABLE)
    party.end()
