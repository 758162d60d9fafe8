# SPDX-License-Identifier: Apache-2.0
"""Whole ways of a guest through several pages, each on a phone and on a laptop, in English and in French; axe looks at every
station. With DISPOSABLE_SHOTS, pictures of the stations are written to that folder, as `make screenshots` does.

| way | rows of Tests/REQUIREMENTS.md |
|---|---|
| from the board into an event and to its host | I-01 to I-05, I-08, I-17, I-19, I-24, I-25, I-27, I-34, I-41, I-46, T-35 |
| a moment, from its call to its photos side by side | T-01, T-07, T-15, T-16, T-32, T-36, T-37 |
| the days and the plan | T-03, T-06, T-13, T-14, T-27 to T-31, T-33 |
| the screens of the Photo Stream | P-10 to P-14, P-18 to P-21, P-24, P-26, P-27, P-29, P-30 |
"""

import json
import os
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from guest import Guest
from minutes import hours, minute_with_time_left
from outing import outing
from party import eventually, sha256
from screenshots import take
from test_axe import find
from test_board import Fair
from test_finder import camera, open_finder, shoot  # noqa: F401
from test_moments import begun  # noqa: F401

WAYS = [("en-GB", "phone"), ("en-GB", "desktop"), ("fr-FR", "phone"), ("fr-FR", "desktop")]
# The most bytes over the wire of what a way loads on demand, without photos.
ON_DEMAND_MAX = 150_000
LOADED = """(since) => performance.getEntriesByType("resource").filter(({ name, startTime }) => startTime > since
    && !new URL(name).pathname.startsWith("/e/")).reduce((sum, { transferSize }) => sum + transferSize, 0)"""
# The ways whose pictures are kept.
KEPT = [("en-GB", "phone"), ("fr-FR", "desktop")]
WORDS = {
    "en-GB": {
        "events": "Events", "star": "Favourite: Lantern walk", "month": "Calendar", "map": "Map", "all": "All events",
        "near": "Here, on this network", "pin": "Lantern walk, Lyon", "soon": r"^Lantern walk starts in \d minutes?\.$",
        "write": "Write to the host", "sent": "Sent.", "late": "Late", "plan": "Plan", "calendar": "Calendar", "taken": r"^Taken on ", "by": "by Anna"},
    "fr-FR": {
        "events": "Événements", "star": "Favori\u00a0: Lantern walk", "month": "Calendrier", "map": "Carte",
        "all": "Tous les événements", "near": "Ici, sur ce réseau", "pin": "Lantern walk, Lyon",
        "soon": "^Lantern walk .*minutes?",
        "write": "Écrire à l’hôte", "sent": "Envoyé.", "late": "En retard", "plan": "Plan", "calendar": "Calendrier",
        "taken": r"^Prise le ", "by": "par Anna"},
}


class Way:
    """One guest on one way: looks at each station with axe, and says at the end what it has found."""

    def __init__(self, guest, name, locale, size):
        self.guest, self.page, self.words, self.found = guest, guest.page, WORDS[locale], []
        self.name = f"{name}-{locale[:2]}-{size}"
        self.folder = os.environ.get("DISPOSABLE_SHOTS") if (locale, size) in KEPT else None

    def station(self, name):
        find(self.guest, name, self.found)
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        if self.folder:
            Path(self.folder).mkdir(parents=True, exist_ok=True)
            take(self.guest, Path(self.folder), f"{self.name}-{name.replace(' ', '-')}")
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name

    def end(self):
        assert self.found == []


@pytest.fixture(scope="module")
def fair(tmp_path_factory):
    """Four events of one machine; the one that is looked for begins in some minutes."""
    fair = Fair(tmp_path_factory.mktemp("journey") / "host")
    fair.desk(name="Lantern walk", category="festival", place="Lyon", starts=timedelta(minutes=9), organizer="Zoe",
              position=(45_764, 4_836))
    eventually("the event", lambda: any(row["name"] == "Lantern walk" for row in fair.events()))
    yield fair
    fair.end()


@pytest.mark.parametrize("locale, screen", WAYS)
def test_from_the_board_into_an_event_and_to_its_host(fair, guests, locale, screen):
    way = Way(guests(fair, screen, locale=locale), "board", locale, screen)
    page, words = way.page, way.words
    event = next(row for row in fair.events() if row["name"] == "Lantern walk")
    way.guest.open(fair.node.origin)
    expect(page.locator("#nearby").get_by_role("link", name="Lantern walk")).to_be_visible()
    way.station("door")
    page.get_by_role("link", name=words["events"]).click()
    expect(page.locator("#events > li").first).to_be_visible()
    way.station("board")

    # Found by its kind, its place and its name, and made a favourite, of which the page reminds.
    events, festival = page.locator("#events > li"), page.get_by_role("button", name="Festival", exact=True)
    expect(events.first).to_contain_text(words["near"])
    festival.click()
    expect(events).to_have_count(2)
    walk = page.locator("#events > li", has_text="Lantern walk")
    page.fill("#search", "dole")
    expect(walk).to_have_count(0)
    expect(events).to_have_count(1)
    festival.click()
    page.fill("#search", "lyon walk")
    expect(walk).to_have_count(1)
    expect(events).to_have_count(1)
    star = page.get_by_role("button", name=words["star"])
    star.click()
    expect(page.locator("#soon")).to_have_text(re.compile(words["soon"]))
    way.station("favourite")
    star.click()
    expect(page.locator("#soon")).to_have_text("")
    star.click()
    expect(page.locator("#soon")).to_have_text(re.compile(words["soon"]))

    # In the month and on the map.
    page.fill("#search", "")
    page.get_by_role("button", name=words["month"], exact=True).click()
    day = datetime.fromtimestamp(event["startsAt"] / 1000).day
    page.locator(f"#month [data-day='{day}']").click()
    expect(page.locator(f"[data-event='{event['id']}']")).to_be_visible()
    way.station("month")
    page.get_by_role("button", name=words["month"], exact=True).click()
    page.get_by_role("button", name=words["map"], exact=True).click()
    page.fill("#search", "lantern")
    page.get_by_role("button", name=words["pin"]).click()
    expect(page.locator("#events > li")).to_have_count(1)
    way.station("map")

    # Its details, its door and its welcome, from which the board is one step away.
    page.locator("#events a").first.click()
    expect(page.locator("#event-title")).to_have_text("Lantern walk")
    for fact in ["Lyon", "Zoe", "45.764, 4.836"]:
        expect(page.locator("#event dl")).to_contain_text(fact)
    way.station("event")
    way.guest.allow("401")
    page.click("#enter")
    expect(page.locator("#code")).to_be_visible()
    code = json.loads(fair.node.command("invite", "--event", "Lantern walk", "--json"))["guestCode"]
    page.fill("#code-field", code)
    page.click("#code-form button[type=submit]")
    expect(page.locator("#welcome")).to_be_visible()
    way.station("welcome")
    expect(page.locator("#welcome").get_by_role("link", name=words["events"])).to_have_attribute("href", "/board")
    way.guest.enter("Bea")

    # A message that the host reads.
    way.guest.open_me()
    page.get_by_role("button", name=words["write"]).click()
    page.fill("#message-text", f"Where do we meet? {way.name}")
    way.station("message")
    page.click("#message-send")
    expect(page.locator("#toast")).to_contain_text(words["sent"])
    eventually("the host's list", lambda: way.name in fair.node.command("messages", "--event", "Lantern walk"))
    way.end()


@pytest.mark.parametrize("locale, screen", WAYS)
def test_a_moment_from_its_call_to_its_photos_side_by_side(begun, guests, painter, locale, screen):  # noqa: F811
    way = Way(guests(begun, screen, locale=locale), "moment", locale, screen)
    page = way.page
    way.guest.open(begun.host.link).enter("Bea")
    minute = minute_with_time_left()
    begun.host.command("event", "edit", "--moments", hours(minute))
    expect(page.locator("#moment")).to_be_visible()
    expect(page.locator("#moment-left")).to_have_text(re.compile(r"^(4:\d\d|5:00)$"))
    way.station("call")
    page.click("#moment-take")
    expect(page.locator("#finder")).to_be_visible()
    page.click("#finder-close")
    way.guest.choose([painter.photo(640, 480)])
    expect(page.locator("#mine-grid .moment")).to_have_text("Moment")
    way.station("taken")
    # The moment is over; the photo came within its grace.
    begun.host.command("event", "edit", "--moments", hours(minute - 5))
    expect(page.locator("#moment")).to_be_hidden()
    way.guest.go("everyone")
    page.locator("#moments-past button").click()
    expect(page.locator("#person-grid .moment")).to_have_text(way.words["late"])
    way.station("side by side")
    way.end()


@pytest.fixture(scope="module")
def trip(parties, painter, tmp_path_factory):
    party = outing(parties, painter, tmp_path_factory.mktemp("trip"))
    yield party
    party.end()


@pytest.mark.parametrize("locale, screen", WAYS)
def test_the_days_and_the_plan(trip, guests, locale, screen):
    way = Way(guests(trip, screen, locale=locale), "days", locale, screen)
    page, words = way.page, way.words
    way.guest.open(trip.host.link).enter("Bea")
    grid = page.locator("#everyone-grid")
    before = page.evaluate("performance.now()")
    grid.get_by_role("button", name=words["calendar"], exact=True).click()
    calendar = page.locator("#calendar")
    expect(calendar.locator("td button").first).to_be_visible()
    way.station("calendar")
    calendar.locator("td button[aria-current=date]").click()
    expect(calendar).to_be_hidden()
    way.station("a day")

    grid.get_by_role("button", name=words["plan"], exact=True).click()
    plan = page.locator("#plan")
    expect(plan.locator(".pin")).to_have_count(2)
    way.station("plan")
    plan.locator(".pin").first.click()
    expect(plan.locator(".card")).to_contain_text("Anna")
    # The strip begins with the photo of the card.
    expect(plan.locator(".strip li").first.locator("button")).to_have_attribute("aria-current", "true")
    way.station("card")
    # Further along the strip is the other photo, to which the plan follows.
    plan.locator(".strip li button").nth(1).click()
    expect(plan.locator(".pin[aria-current=true]")).to_have_count(1)
    way.station("strip")
    # A tap beside the pins closes the card.
    box = plan.locator(".chart").bounding_box()
    page.mouse.click(box["x"] + 4, box["y"] + 4)
    expect(plan.locator(".card")).to_be_hidden()
    # The calendar and the plan are loaded when somebody opens them.
    assert 0 < page.evaluate(LOADED, before) <= ON_DEMAND_MAX
    way.end()


@pytest.fixture
def with_camera(camera):  # noqa: F811
    made = []

    def make(party, size, **options):
        guest = Guest(camera, party.origins, size, **options)
        made.append(guest)
        return guest

    yield make
    for guest in made:
        guest.check()
        guest.close()


@pytest.fixture(scope="module")
def stream(parties, painter):
    """Each way adds a photo to those that are there."""
    party = parties(name="Photo Stream", guests=0)
    party.host.command("add", *painter.photos(3))
    yield party
    party.end()


@pytest.mark.parametrize("locale, screen", WAYS)
def test_the_screens_of_the_photo_stream(stream, with_camera, painter, locale, screen):
    way = Way(with_camera(stream, screen, locale=locale), "stream", locale, screen)
    page, words = way.page, way.words
    way.guest.open(stream.host.link)
    expect(page.locator("#welcome-title")).to_contain_text("Photo Stream")
    way.station("welcome")
    # A name that the page has made up.
    page.click("#offer")
    name = page.input_value("#name")
    assert re.fullmatch(r"\w+ \w+", name)
    way.guest.enter(name)

    # The introduction, once.
    card = page.locator("#introduction")
    expect(card).to_be_visible()
    way.station("introduction")
    card.locator("#introduction-done").click()
    page.reload()
    way.guest.expect_party()
    count = len(stream.host.gallery())
    way.guest.expect_photos(count)
    expect(card).to_be_hidden()
    way.station("collection")

    # Details, and what is at the right of their top; the host's newest photo is the third of all.
    way.guest.open_photo("everyone", count - 3)
    expect(page.locator("#photo-number")).to_have_text("Photo 3")
    expect(page.locator("#photo-time")).to_have_text(re.compile(words["taken"]))
    expect(page.locator("#photo-author")).to_have_text(words["by"])
    close = page.locator("#photo-close").bounding_box()
    assert close["x"] + close["width"] > page.viewport_size["width"] * .8 and close["y"] < 120
    way.station("details")
    page.click("#photo-close")

    if screen == "phone":
        # The camera fills the screen, and its photo is in the collection.
        open_finder(way.guest)
        expect(page.locator("#finder-shutter")).to_be_enabled()
        box = page.locator("#finder").bounding_box()
        assert (box["width"], box["height"]) == tuple(page.viewport_size.values())
        way.station("camera")
        shoot(way.guest)
        way.guest.answer()
        page.click("#finder-close")
    else:
        # A laptop has one button, for files.
        expect(page.locator("#take")).to_be_hidden()
        way.guest.choose([painter.photo()])
    way.guest.expect_all_sent()
    way.guest.go("everyone")
    way.guest.expect_photos(count + 1)

    # The new one has the made-up name; it is saved as it is.
    way.guest.open_photo("everyone")
    expect(page.locator("#photo-author")).to_contain_text(name)
    with page.expect_download() as download:
        page.click("#photo-save")
    assert sha256(download.value.path()) in [photo["sha256"] for photo in stream.host.gallery()]
    way.end()
