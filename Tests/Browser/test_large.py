# SPDX-License-Identifier: Apache-2.0
"""A gallery of ten thousand photos: tiles near the screen only, and a way to each hour. The node's answers about photos
are made here, from one real photo, since a test cannot add so many."""

import os
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from guest import SIZES

COUNT = 10_000
# So many are scrolled through, more than may have tiles at once, and more than an hour's.
SCROLLED = 2_000 if "DISPOSABLE_LONG" in os.environ else 1_500
# Twenty a minute, so more than eight hours.
STEP_MS = 3_000
TILES = "#everyone-grid .tile:not(.upload)"


def large(guest, photo):
    """Answers for `COUNT` photos that look like `photo`; they are numbered, the newest is 0."""
    def at(number):
        return photo["addedAt"] - number * STEP_MS

    def page(route):
        query = parse_qs(urlsplit(route.request.url).query)
        start = int(query["before"][0], 16) + 1 if "before" in query else 0
        end = min(COUNT, start + int(query["limit"][0]))
        photos = [{**photo, "id": f"{number:064x}", "addedAt": at(number), "takenAt": None} for number in range(start, end)]
        route.fulfill(json={"photos": photos, "next": f"{end - 1:064x}" if end < COUNT else None, "count": COUNT,
                            "earliest": at(COUNT - 1)})

    def times(route):
        counts = {}
        for number in range(COUNT):
            start = at(number) // 900_000 * 900_000
            counts[start] = counts.get(start, 0) + 1
        route.fulfill(json={"times": [{"from": start, "count": count, "photo": photo["id"]}
                                      for start, count in counts.items()]})

    def picture(route):
        route.continue_(url=re.sub(r"photos/[0-9a-f]{64}", f"photos/{photo['id']}", route.request.url))

    guest.page.route(re.compile(r"/api/photos\?limit=\d+(&before=[0-9a-f]+)?&veiled=1$"), page)
    guest.page.route(re.compile(r"/api/times$"), times)
    guest.page.route(re.compile(r"/photos/0{56}[0-9a-f]{8}/"), picture)
    return guest


def look(party, guests, painter, size):
    party.host.command("add", painter.photo())
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.expect_photos(1)
    photo = bea.page.evaluate("import('/shared/api.js').then(({ call }) => call('GET', 'api/photos?limit=1'))")["photos"][0]
    large(bea, photo)
    bea.page.reload()
    bea.expect_party()
    expect(bea.page.locator("#everyone-grid")).to_contain_text("10,000 photos")
    return bea


def trace(session, run):
    """What Chromium traces during `run()`, which comes in while the page is waited for; and whether all has come."""
    events = []
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    ended = []
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": {
        "includedCategories": ["toplevel", "__metadata"]}})
    run()
    session.send("Tracing.end")
    return events, ended


@pytest.mark.long
def test_a_gallery_of_ten_thousand_photos_has_tiles_near_the_screen_only(lone_party, guests, painter, record_property, size):
    bea = look(lone_party, guests, painter, size)
    paint = bea.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    session = bea.context.new_cdp_session(bea.page)
    events, ended = trace(session, lambda: scroll_down(bea, SCROLLED))
    for _ in range(600):
        if ended:
            break
        bea.page.wait_for_timeout(100)
    main = {(event["pid"], event["tid"]) for event in events
            if event.get("name") == "thread_name" and event["args"].get("name") == "CrRendererMain"}
    tasks = [event for event in events if event.get("ph") == "X" and (event["pid"], event["tid"]) in main
             and event.get("name") in ("RunTask", "ThreadControllerImpl::RunTask")]
    longest = [max((event.get(field, 0) / 1000 for event in tasks), default=0) for field in ("dur", "tdur")]
    record_property("large gallery", f"{size}: first contentful paint {paint:.0f} ms; longest of {len(tasks)} tasks while "
                    f"{SCROLLED} photos were scrolled through {longest[0]:.0f} ms, {longest[1]:.0f} ms of the processor")
    most = bea.page.locator(TILES).count()
    assert 0 < most <= 600, "only what is near has tiles"
    # What is in sight has its tile, and rows lie where they would with all tiles.
    expect(bea.page.locator("#everyone-grid h4:not([hidden])").nth(1)).to_be_attached()
    height = bea.page.evaluate("document.querySelector('#everyone-grid .film').offsetHeight")
    bea.page.evaluate("scrollTo(0, 0)")
    bea.page.wait_for_function("() => scrollY === 0")
    bea.page.wait_for_timeout(500)
    assert abs(bea.page.evaluate("document.querySelector('#everyone-grid .film').offsetHeight") - height) <= 2
    # Back from a photo the focus is where it was.
    tile = bea.page.locator(TILES).nth(40).locator("button")
    tile.click()
    expect(bea.page.locator("#photo-place")).to_have_text("41 of 10000")
    bea.page.keyboard.press("Escape")
    expect(tile).to_be_focused()
    # A phone that is turned has other rows.
    bea.page.set_viewport_size({"width": 900, "height": 500} if size == "phone" else SIZES["phone"]["viewport"])
    scroll_down(bea, SCROLLED)
    assert bea.page.locator(TILES).count() <= 600


def test_a_screen_that_is_higher_than_several_pages_is_filled_without_scrolling(lone_party, guests, painter):
    bea = look(lone_party, guests, painter, "desktop")
    bea.page.set_viewport_size({"width": 1_600, "height": 6_000})
    bea.page.wait_for_function("() => document.querySelector('#everyone-grid .film').offsetHeight >= innerHeight")


def scroll_down(guest, count):
    """As a thumb does, until so many photos are loaded."""
    guest.page.evaluate("""async (count) => {
        const { innerHeight } = window;
        const height = () => document.documentElement.scrollHeight;
        let still = 0;
        while (still < 200) {
            const before = height();
            scrollBy(0, innerHeight / 2);
            await new Promise((resolve) => setTimeout(resolve, 30));
            const tile = [...document.querySelectorAll("#everyone-grid .tile img")].at(-1);
            const number = Number.parseInt(/photos\\/([0-9a-f]{64})/.exec(tile?.src)?.[1] ?? "0", 16);
            if (number >= count) return;
            still = height() === before && scrollY + innerHeight >= height() - 2 ? still + 1 : 0;
        }
    }""", count)


def test_an_hour_is_reached_by_two_taps_and_by_keyboard(lone_party, guests, painter, size):
    bea = look(lone_party, guests, painter, size)
    bea.page.locator("#everyone-grid").get_by_role("button", name="Jump to").click()
    dialog = bea.page.locator("#hours")
    hours = dialog.locator("li button")
    expect(hours.nth(7)).to_be_attached()
    last = hours.last
    label, number = last.inner_text().split("\n")
    last.focus()
    bea.page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    heading = bea.page.locator("#everyone-grid h4", has_text=label).last
    expect(heading).to_be_in_viewport()
    bea.page.wait_for_function("() => document.activeElement.matches('#everyone-grid .tile > button')")
    # The first photo of that hour has the focus: so many are left from there on.
    place = bea.page.evaluate("Number.parseInt(/photos\\/([0-9a-f]{64})/.exec(document.activeElement.firstChild.src)[1], 16)")
    assert COUNT - place == int(number.split()[0].replace(",", ""))
    # Arrow keys go on from there.
    bea.page.keyboard.press("ArrowRight")
    focused = "Number.parseInt(/photos\\/([0-9a-f]{64})/.exec(document.activeElement.firstChild.src)[1], 16)"
    assert bea.page.evaluate(focused) == place + 1
    # End goes to the last photo that is loaded.
    bea.page.keyboard.press("End")
    assert bea.page.evaluate(focused) > place + 1
    bea.page.keyboard.press("Home")
    assert bea.page.evaluate(focused) == 0
    assert bea.page.locator(TILES).count() <= 600
