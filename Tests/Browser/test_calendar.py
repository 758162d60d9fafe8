# SPDX-License-Identifier: Apache-2.0
"""The calendar of an event with photos of three days in two months, added by a node whose clock is moved; of the guest's own
photos; and of a gallery of ten thousand photos of which the page has loaded few."""

import base64
import re
import subprocess
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

from client import Client
from party import ROOT
from test_axe import find
from test_large import large

SEED = bytes(range(16))
NOW = datetime.now(timezone.utc)
# In Auckland it is already the day after the second one at that hour.
SECOND = (NOW - timedelta(days=3)).replace(day=1, hour=20, minute=0)
FIRST = (SECOND - timedelta(days=2)).replace(day=20, hour=9)
THIRD = SECOND.replace(day=2, hour=9)


def number(text):
    return int(re.sub(r"\D", "", text))


@pytest.fixture(scope="module")
def camp(parties, painter, tmp_path_factory):
    """Photos of three days by the host and by Bea, whose seed is known. The host's node runs at the third day since."""
    clock = tmp_path_factory.mktemp("clock") / "clock.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", clock, ROOT / "examples/lan/clock.c", "-ldl"], check=True)
    small = lambda: painter.photo(160, 120)
    party = None
    for day, hosts, beas in [(FIRST, 1, 1), (SECOND, 2, 0), (THIRD, 13, 2)]:
        # Other tests may have taken a long time since this file was read.
        shift = int((day - datetime.now(timezone.utc)).total_seconds())
        environment = {"LD_PRELOAD": str(clock), "CLOCK_SHIFT": str(shift)}
        if party is None:
            with pytest.MonkeyPatch.context() as patch:
                for name, value in environment.items():
                    patch.setenv(name, value)
                party = parties(guests=0, name="Summer camp", options=["--duration", "30d", "--retention", "30d"])
        else:
            party.host.kill()
            party.host.start(environment=environment)
        party.host.command("add", *[small() for _ in range(hosts)])
        if beas:
            bea = Client(party.host.link).enter("Bea", SEED)
            for _ in range(beas):
                assert bea.upload(small().read_bytes())[0] == 204
    yield party
    party.end()


def returning(guests, camp, size, **options):
    """Bea in a browser that has her seed, on the third day."""
    bea = guests(camp, size, **options)
    seed = base64.urlsafe_b64encode(SEED).decode().rstrip("=")
    event = Client(camp.host.link).me()["event"]["id"]
    bea.context.add_init_script(f"localStorage.setItem('disposable.{event}.seed', '{seed}')")
    bea.context.clock.install(time=THIRD)
    return bea.open(camp.host.link).enter("Bea")


def calendar(guest, tab="everyone", name="Calendar"):
    guest.page.locator(f"#{tab}-grid").get_by_role("button", name=name).click()
    dialog = guest.page.locator("#calendar")
    expect(dialog).to_be_visible()
    return dialog


def days(dialog):
    """The days with photos of the month in sight, and the numbers of photos."""
    return {int(button.locator(".number").inner_text()): number(button.locator(".hearts").inner_text())
            for button in dialog.locator("td button").all()}


def test_a_day_of_the_calendar_leads_to_its_photos(camp, guests, size):
    bea = returning(guests, camp, size, timezone_id="UTC")
    dialog = calendar(bea)
    expect(dialog.get_by_role("grid")).to_have_accessible_name(THIRD.strftime("%B %Y"))
    assert days(dialog) == {1: 2, 2: 15}
    expect(dialog.locator("[tabindex='0']")).to_be_focused()
    expect(dialog.locator(":focus")).to_have_accessible_name(re.compile(rf"\w+day.* 2\b.*: 15 photos"))
    # Each day shows one of its photos.
    bea.page.wait_for_function(
        "() => [...document.querySelectorAll('#calendar img')].filter((image) => image.naturalWidth).length === 2")
    dialog.get_by_role("button", name="Previous month").click()
    expect(dialog.get_by_role("grid")).to_have_accessible_name(FIRST.strftime("%B %Y"))
    assert days(dialog) == {20: 2}
    expect(dialog.get_by_role("button", name="Previous month")).to_be_disabled()
    dialog.locator("td button").click()
    expect(dialog).to_be_hidden()
    heading = bea.page.locator("#everyone-grid h3").last
    expect(heading).to_contain_text("20")
    expect(heading).to_be_in_viewport()
    bea.page.wait_for_function("() => document.activeElement.matches('#everyone-grid .tile > button')")
    places = bea.tiles().locator("button").evaluate_all("buttons => buttons.map((one) => one === document.activeElement)")
    assert places.index(True) == 17


def test_keys_move_between_the_days_of_the_grid(camp, guests, size):
    bea = returning(guests, camp, size, timezone_id="UTC", locale="en-US")
    dialog = calendar(bea)
    press = bea.page.keyboard.press
    focused = lambda: number(dialog.locator(":focus .number").inner_text())
    month = lambda: dialog.locator("#calendar-month").inner_text()
    press("ArrowLeft")
    assert focused() == 1
    # Across the border of the month, to its last day: none of the photos is of it.
    press("ArrowLeft")
    last = (SECOND - timedelta(days=1)).day
    assert (month(), focused()) == (FIRST.strftime("%B %Y"), last)
    expect(dialog.locator(":focus")).to_have_attribute("aria-disabled", "true")
    expect(dialog.locator(":focus")).to_have_accessible_name(re.compile("no photos"))
    press("Enter")
    expect(dialog).to_be_visible()
    press("ArrowUp")
    assert focused() == last - 7
    weekday = (SECOND - timedelta(days=8)).isoweekday() % 7
    press("Home")
    assert focused() == last - 7 - weekday, "the week of the United States begins on Sunday"
    press("PageDown")
    assert (month(), focused()) == (THIRD.strftime("%B %Y"), 2)
    press("PageUp")
    assert (month(), focused()) == (FIRST.strftime("%B %Y"), 20)
    press("Enter")
    expect(dialog).to_be_hidden()
    bea.page.wait_for_function("() => document.activeElement.matches('#everyone-grid .tile > button')")
    # Closed by a key it gives the focus back.
    calendar(bea)
    press("Escape")
    expect(bea.page.locator("#everyone-grid").get_by_role("button", name="Calendar")).to_be_focused()


def test_the_days_are_those_of_the_phones_time_zone_and_weeks_those_of_its_language(camp, guests, size):
    bea = returning(guests, camp, size, timezone_id="Pacific/Auckland", locale="fr-FR")
    dialog = calendar(bea, name="Calendrier")
    # Twenty hours UTC are the next morning there, and nine hours the evening.
    assert days(dialog) == {2: 17}
    expect(dialog.locator("th").first).to_contain_text("lundi")
    expect(dialog.locator("td button")).to_have_accessible_name(re.compile(r"2 .*\s: 17 photos$"))


def test_ones_own_photos_and_those_of_a_person_have_a_calendar(camp, guests, size):
    bea = returning(guests, camp, size, timezone_id="UTC")
    bea.go("mine")
    bea.expect_photos(3, "mine")
    expect(bea.page.locator("#mine-grid h3:not([hidden])")).to_have_count(2)
    dialog = calendar(bea, "mine")
    assert days(dialog) == {2: 2}
    dialog.get_by_role("button", name="Previous month").click()
    assert days(dialog) == {20: 1}
    dialog.locator("td button").click()
    expect(bea.page.locator("#mine-grid .tile > button").last).to_be_focused()
    # So have the photos of another person.
    bea.go("everyone")
    bea.page.locator("#everyone-grid").get_by_role("button", name="People").click()
    bea.page.locator("#people li button", has_text="Anna").click()
    bea.expect_photos(16, "person")
    assert days(calendar(bea, "person")) == {1: 2, 2: 13}


def test_photos_of_one_day_have_no_calendar(camp, guests, size):
    bea = returning(guests, camp, size, timezone_id="UTC")
    photo = bea.page.evaluate("import('/shared/api.js').then(({ call }) => call('GET', 'api/photos?limit=1'))")["photos"][0]
    bea.page.route(re.compile(r"/api/photos\?limit=\d+&veiled=1$"), lambda route: route.fulfill(json={
        "photos": [photo], "next": None, "count": 1, "earliest": photo["addedAt"]}))
    bea.page.reload()
    bea.expect_photos(1)
    expect(bea.page.locator("#everyone-grid").get_by_role("button", name="Calendar", include_hidden=True)).to_be_hidden()


def test_the_calendar_counts_ten_thousand_photos_of_which_few_are_loaded(camp, guests, size):
    bea = returning(guests, camp, size, timezone_id="UTC")
    photo = bea.page.evaluate("import('/shared/api.js').then(({ call }) => call('GET', 'api/photos?limit=1'))")["photos"][0]
    # From three o'clock in the night back to the evening before.
    photo["addedAt"] = int(THIRD.replace(hour=3, second=0, microsecond=0).timestamp() * 1000)
    large(bea, photo)
    bea.page.reload()
    bea.expect_party()
    expect(bea.page.locator("#everyone-grid")).to_contain_text("10,000 photos")
    dialog = calendar(bea)
    assert days(dialog) == {1: 6_399, 2: 3_601}
    dialog.locator("td button").first.click()
    heading = bea.page.locator("#everyone-grid h3").last
    expect(heading).to_contain_text("1")
    expect(heading).to_be_in_viewport()
    place = "Number.parseInt(/photos\\/([0-9a-f]{64})/.exec(document.activeElement.firstChild?.src)?.[1], 16)"
    bea.page.wait_for_function(f"() => {place} === 3_601")


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_open_calendar_is_accessible_and_fits_the_smallest_phone(camp, guests, locale):
    bea = returning(guests, camp, "phone", timezone_id="UTC", locale=locale)
    bea.page.set_viewport_size({"width": 320, "height": 568})
    dialog = calendar(bea, name="Cal")
    expect(dialog.locator("td button").first).to_be_visible()
    found = []
    find(bea, "calendar", found)
    assert not found, "\n".join(found)
    assert bea.page.evaluate("document.documentElement.scrollWidth") <= 320
    box = dialog.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 320
    assert dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    # Seven columns leave each day less than a thumb's width, so it is the higher.
    for button in dialog.locator("td button").all():
        size = button.bounding_box()
        assert size["width"] >= 40 and size["height"] >= 48


def test_a_day_shows_its_photo_as_its_author_has_turned_it(camp, guests):
    bea = returning(guests, camp, "phone", timezone_id="UTC")
    times = bea.page.evaluate("import('/shared/api.js').then(({ call }) => call('GET', 'api/times'))")["times"]
    photo = next(time["photo"] for time in times if time["from"] // 900_000 == int(SECOND.timestamp()) // 900)
    camp.host.command("turn", photo, "90")
    expect(calendar(bea).locator("img[data-turn='90']")).to_have_count(1)
    camp.host.command("turn", photo, "0")
