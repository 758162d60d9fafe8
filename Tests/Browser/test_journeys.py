# SPDX-License-Identifier: Apache-2.0
"""Whole ways of a guest through several pages, each on a phone and on a laptop, in English and in French; axe looks at every
station. In Chromium; with DISPOSABLE_LONG also in Firefox and in WebKit. With DISPOSABLE_SHOTS, pictures of the stations are
written to that folder.

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

from guest import SIZES, Guest
from minutes import hours, minute_with_time_left
from outing import outing
from party import eventually
from screenshots import keep
from test_axe import find, find_as_shown
from test_board import Fair
from test_finder import camera  # noqa: F401
from test_firefox import firefox, firefox_guest  # noqa: F401
from test_moments import begun  # noqa: F401
from test_webkit import screen  # noqa: F401
from webkit import WebKitGuest

# Other engines come in the long form.
pytestmark = pytest.mark.long
ENGINES = ["chromium", "firefox", "webkit"] if "DISPOSABLE_LONG" in os.environ else ["chromium"]
WAYS = [("en-GB", "phone"), ("en-GB", "desktop"), ("fr-FR", "phone"), ("fr-FR", "desktop")]
# The most bytes over the wire of what a way loads on demand, without photos.
ON_DEMAND_MAX = 150_000
LOADED = """return performance.getEntriesByType("resource").filter(({ name, startTime }) => startTime > arguments[0]
    && !new URL(name).pathname.startsWith("/e/")).reduce((sum, { transferSize }) => sum + transferSize, 0)"""
WORDS = {
    "en-GB": {
        "events": "Events", "star": "Favourite: Lantern walk", "month": "Calendar", "map": "Map", "all": "All events",
        "near": "Here, on this network", "pin": "Lantern walk, Lyon", "soon": r"^Lantern walk starts in \d+ minutes?\.$",
        "write": "Write to the host", "sent": "Sent.", "late": "Late", "plan": "Plan", "calendar": "Calendar", "taken": r"^Taken on ", "by": "by Anna"},
    "fr-FR": {
        "events": "Événements", "star": "Favori : Lantern walk", "month": "Calendrier", "map": "Carte",
        "all": "Tous les événements", "near": "Ici, sur ce réseau", "pin": "Lantern walk, Lyon",
        "soon": "^Lantern walk .*minutes?",
        "write": "Écrire à l’hôte", "sent": "Envoyé.", "late": "En retard", "plan": "Plan", "calendar": "Calendrier",
        "taken": r"^Prise le ", "by": "par Anna"},
}


# The visible elements of a selector with their names, as screen readers say them.
NAMED = r"""[...document.querySelectorAll(SELECTOR)].map((each) => each.getClientRects().length
    ? (each.getAttribute("aria-label") ?? each.innerText).replace(/\s+/g, " ").trim() : null)"""


class Way:
    """One guest on one way, in any of the engines: looks at each station with axe, and says at the end what it has found."""

    def __init__(self, guest, name, engine, locale, device):
        self.guest, self.engine, self.words, self.found = guest, engine, WORDS[locale], []
        self.name = f"{name}-{locale[:2]}-{device}" if engine == "chromium" else f"{engine}-{name}-{locale[:2]}-{device}"
        self.language = locale[:2]
        self.folder = os.environ.get("DISPOSABLE_SHOTS")

    def open(self, link):
        """Opens a page; a browser that asks for another language chooses this one on the page."""
        self.guest.open(link)
        self.guest.wait("a title", "[...document.querySelectorAll('h1, h2')].some((title) => title.getClientRects().length)")
        if self.guest.script("return document.documentElement.lang") != self.language:
            self.press(f"[data-languages] [lang={self.language}]")
            self.guest.wait("the language", f"document.documentElement.lang === '{self.language}'")
        return self

    def station(self, name):
        if isinstance(self.guest, Guest):
            find(self.guest, name, self.found)
            self.guest.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        else:
            find_as_shown(self.guest, f"{name} ({self.engine})", self.found)
        if self.folder:
            # Until a message has gone and pictures have faded in.
            self.guest.script("document.querySelector('#toast:not([hidden]) button:last-child')?.click()")
            self.guest.wait("no motion", "document.getAnimations().every(({ playState }) => playState !== 'running')")
            Path(self.folder).mkdir(parents=True, exist_ok=True)
            keep(self.guest.screenshot(), Path(self.folder), f"{self.name}-{name.replace(' ', '-')}")
        assert self.guest.script("return document.documentElement.scrollWidth <= innerWidth"), name

    def end(self):
        assert self.found == []

    # Actions of the guest

    def press(self, selector, name=None, number=0):
        """Clicks a visible element, or the one with this accessible name."""
        if name is None:
            self.sees(selector, at_least=number + 1)
            number = [place for place, seen in enumerate(self.names(selector)) if seen is not None][number]
        else:
            eventually(f"{name} among {selector}", lambda: name in self.names(selector))
            number = self.names(selector).index(name)
        self.guest.click(selector, number)

    def write(self, selector, words):
        """Replaces what is in a field."""
        self.sees(selector)
        self.guest.script("const field = document.querySelector(arguments[0]); field.focus(); field.select();", selector)
        if words:
            self.guest.type(words)
        else:
            self.guest.press("Backspace")

    # Expectations of the page

    def names(self, selector):
        return self.guest.script(f"return {NAMED.replace('SELECTOR', json.dumps(selector))}") or []

    def sees(self, selector, count=None, at_least=1):
        """Waits until so many elements are visible."""
        seen = lambda: sum(name is not None for name in self.names(selector))
        eventually(f"{'at least ' if count is None else ''}{at_least if count is None else count} of {selector}",
                   lambda: seen() >= at_least if count is None else seen() == count)

    def sees_no(self, selector):
        self.sees(selector, count=0)

    def reads(self, selector, pattern):
        """Waits until the text of the first element has this pattern."""
        def text():
            read = self.guest.script("return document.querySelector(arguments[0])?.textContent", selector)
            return read is not None and re.search(pattern, " ".join(read.split()))
        eventually(f"{pattern!r} in {selector}", text)

    def value(self, expression):
        return self.guest.script(f"return {expression}")


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture
def ways(request, guests):
    """Makes the guest of a way."""
    made = []

    def make(party, name, engine, locale, device):
        sides = tuple(SIZES[device]["viewport"].values())
        if engine == "firefox":
            languages = "fr-FR, fr, en" if locale == "fr-FR" else "en-GB, en"
            guest = request.getfixturevalue("firefox_guest")(party, sides, languages=languages)
        elif engine == "webkit":
            guest = WebKitGuest(request.getfixturevalue("screen"), party.origins, *sides)
            made.append(guest)
        elif name == "stream":
            guest = Guest(request.getfixturevalue("camera"), party.origins, device, locale=locale)
            made.append(guest)
        else:
            guest = guests(party, device, locale=locale)
        return Way(guest, name, engine, locale, device)

    yield make
    try:
        for guest in made:
            guest.check()
    finally:
        for guest in made:
            guest.close()


@pytest.fixture(scope="module")
def fair(engine, tmp_path_factory):
    """Four events of one machine; the one that is looked for begins in some minutes."""
    fair = Fair(tmp_path_factory.mktemp("journey") / "host")
    fair.desk(name="Lantern walk", category="festival", place="Lyon", starts=timedelta(minutes=9), organizer="Zoe",
              position=(45_764, 4_836))
    eventually("the event", lambda: any(row["name"] == "Lantern walk" for row in fair.events()))
    yield fair
    fair.end()


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, device", WAYS)
def test_from_the_board_into_an_event_and_to_its_host(fair, ways, engine, locale, device):
    way = ways(fair, "board", engine, locale, device)
    words = way.words
    event = next(row for row in fair.events() if row["name"] == "Lantern walk")
    way.open(fair.node.origin)
    eventually("the event", lambda: any(name and "Lantern walk" in name for name in way.names("#nearby a")))
    way.station("door")
    way.press("a", words["events"])
    events = "#events > li"
    way.sees(events)
    way.station("board")

    # Found by its kind, its place and its name, and made a favourite, of which the page reminds.
    way.reads(events, words["near"])
    way.press("#chips button", "Festival")
    way.sees(events, count=2)
    way.write("#search", "dole")
    way.sees(events, count=1)
    way.reads(events, "Summer fair")
    way.press("#chips button", "Festival")
    way.write("#search", "lyon walk")
    way.reads(events, "Lantern walk")
    way.sees(events, count=1)
    way.press("#events button", words["star"])
    way.reads("#soon", words["soon"])
    way.station("favourite")
    way.press("#events button", words["star"])
    way.reads("#soon", "^$")
    way.press("#events button", words["star"])
    way.reads("#soon", words["soon"])

    # In the month and on the map.
    way.write("#search", "")
    way.press("#chips button", words["month"])
    way.press(f"#month [data-day='{datetime.fromtimestamp(event['startsAt'] / 1000).day}']")
    way.sees(f"[data-event='{event['id']}']", count=1)
    way.station("month")
    way.press("#chips button", words["month"])
    way.press("#chips button", words["map"])
    way.write("#search", "lantern")
    way.press("#map button", words["pin"])
    way.sees(events, count=1)
    way.station("map")

    # Its details, its door and its welcome, from which the board is one step away.
    way.press("#events a")
    way.reads("#event-title", "^Lantern walk$")
    for fact in ["Lyon", "Zoe", "45.764, 4.836"]:
        eventually(fact, lambda fact=fact: way.value(f"document.getElementById('event').textContent.includes('{fact}')"))
    way.station("event")
    if engine == "chromium":
        way.guest.allow("401")
    way.press("#enter")
    way.sees("#code")
    code = json.loads(fair.node.command("invite", "--event", "Lantern walk", "--json"))["guestCode"]
    way.write("#code-field", code)
    way.press("#code-form button[type=submit]")
    way.sees("#welcome")
    way.station("welcome")
    assert words["events"] in way.names("#welcome a[href='/board']")
    way.guest.enter("Bea")

    # A message that the host reads.
    way.press("#open-me")
    way.press("#me button", words["write"])
    way.write("#message-text", f"Where do we meet? {way.name}")
    way.station("message")
    way.press("#message-send")
    way.reads("#toast", words["sent"])
    eventually("the host's list", lambda: way.name in fair.node.command("messages", "--event", "Lantern walk"))
    way.end()


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, device", WAYS)
def test_a_moment_from_its_call_to_its_photos_side_by_side(begun, ways, painter, engine, locale, device):  # noqa: F811
    way = ways(begun, "moment", engine, locale, device)
    way.open(begun.host.link).guest.enter("Bea")
    minute = minute_with_time_left()
    begun.host.command("event", "edit", "--moments", hours(minute))
    way.sees("#moment")
    way.reads("#moment-left", r"^(4:\d\d|5:00)$")
    way.station("call")
    way.press("#moment-take")
    way.sees("#finder")
    way.press("#finder-close")
    way.sees_no("#finder")
    way.guest.choose([painter.photo(640, 480)])
    way.reads("#mine-grid .moment", "^Moment$")
    way.station("taken")
    # The moment is over; the photo came within its grace.
    begun.host.command("event", "edit", "--moments", hours(minute - 5))
    way.sees_no("#moment")
    way.press("#tab-everyone")
    way.press("#moments-past button")
    way.reads("#person-grid .moment", f"^{way.words['late']}$")
    way.guest.wait("the picture", "document.querySelector('#person-grid .tile img')?.naturalWidth > 0")
    way.station("side by side")
    way.end()


@pytest.fixture(scope="module")
def trip(parties, painter, tmp_path_factory):
    party = outing(parties, painter, tmp_path_factory.mktemp("trip"))
    yield party
    party.end()


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, device", WAYS)
def test_the_days_and_the_plan(trip, ways, engine, locale, device):
    way = ways(trip, "days", engine, locale, device)
    words = way.words
    way.open(trip.host.link).guest.enter("Bea")
    tools = "#everyone-grid .tools button"
    before = way.value("performance.now()")
    way.press(tools, words["calendar"])
    way.sees("#calendar td button")
    way.station("calendar")
    way.press("#calendar td button[aria-current=date]")
    way.sees_no("#calendar")
    way.station("a day")

    way.press(tools, words["plan"])
    way.sees("#plan .pin", count=2)
    way.station("plan")
    way.press("#plan .pin")
    way.reads("#plan .card", "Anna")
    # The strip begins with the photo of the card.
    way.sees("#plan .strip li:first-child button[aria-current=true]", count=1)
    way.station("card")
    # Further along the strip is the other photo, to which the plan follows.
    way.press("#plan .strip li button", number=1)
    way.sees("#plan .strip li:nth-child(2) button[aria-current=true]", count=1)
    way.sees("#plan .pin[aria-current=true]", count=1)
    way.station("strip")
    # A tap beside the pins closes the card.
    left, top = way.value("(({ left, top }) => [left, top])(document.querySelector('#plan .chart').getBoundingClientRect())")
    way.guest.tap(left + 4, top + 4)
    way.sees_no("#plan .card")
    # The calendar and the plan are loaded when somebody opens them.
    assert 0 < way.guest.script(LOADED, before) <= ON_DEMAND_MAX
    way.end()


@pytest.fixture
def stream(parties, painter):
    """A party for each way, which adds a photo: a phone has tiles of the photos near its screen only."""
    party = parties(name="Photo Stream", guests=0)
    party.host.command("add", *painter.photos(3))
    yield party
    party.end()


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, device", WAYS)
def test_the_screens_of_the_photo_stream(stream, ways, painter, engine, locale, device):
    way = ways(stream, "stream", engine, locale, device)
    words, width = way.words, SIZES[device]["viewport"]["width"]
    way.open(stream.host.link)
    way.reads("#welcome-title", "Photo Stream")
    way.station("welcome")
    # A name that the page has made up.
    way.press("#offer")
    name = way.value("document.getElementById('name').value")
    assert re.fullmatch(r"\w+ \w+", name)
    way.press("#welcome-form button[type=submit]")
    way.sees("#party")

    # The introduction, once.
    way.sees("#introduction")
    way.station("introduction")
    way.press("#introduction-done")
    way.sees_no("#introduction")
    way.guest.open(stream.host.link)
    way.sees("#party")
    count = len(stream.host.gallery())
    way.guest.expect_photos(count)
    way.sees_no("#introduction")
    way.station("collection")

    # Details, and what is at the right of their top; the host's newest photo is the third of all.
    tiles = "#everyone-grid .tile:not([hidden]):not(.upload) button"
    way.press(tiles, number=count - 3)
    way.sees("#photo")
    way.reads("#photo-number", "^Photo 3$")
    way.reads("#photo-time", words["taken"])
    way.reads("#photo-author", f"^{words['by']}$")
    right, top = way.value("(({ right, top }) => [right, top])(document.getElementById('photo-close').getBoundingClientRect())")
    assert right > width * .8 and top < 120
    way.station("details")
    way.press("#photo-close")
    way.sees_no("#photo")

    if engine == "chromium" and device == "phone":
        # The camera fills the screen, and its photo is in the collection.
        way.press("#take")
        way.sees("#finder-shutter:not([disabled])", count=1)
        box = way.value("(({ width, height }) => [width, height])(document.getElementById('finder').getBoundingClientRect())")
        assert box == [*SIZES[device]["viewport"].values()]
        way.station("camera")
        way.press("#finder-shutter")
        way.guest.answer()
        way.press("#finder-close")
    else:
        # A laptop has one button, for files. The other engines, without a screen, have no mouse by which the page knows it.
        if engine == "chromium":
            way.sees_no("#take")
        way.guest.choose([painter.photo()])
    way.sees_no(".upload")
    eventually("the photo", lambda: len(stream.host.gallery()) == count + 1)
    way.press("#tab-everyone")
    way.guest.expect_photos(count + 1)

    # The new one has the made-up name; it is saved as it is.
    way.press(tiles)
    way.sees("#photo")
    way.reads("#photo-author", name)
    way.sees("#photo-save")
    way.guest.script("""fetch(document.getElementById("photo-save").href).then(async (answer) => {
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.arrayBuffer()));
        window.saved = [answer.headers.get("Content-Disposition"),
            [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")]; });""")
    way.guest.wait("the file", "Boolean(window.saved)")
    disposition, digest = way.value("window.saved")
    assert disposition.startswith("attachment")
    assert digest in [photo["sha256"] for photo in stream.host.gallery()]
    way.end()
