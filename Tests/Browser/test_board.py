# SPDX-License-Identifier: Apache-2.0
"""The board: the listed events of a node, without a code. One node has several, also with a name that would be a script."""

import json
import re
from datetime import datetime, timedelta
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from party import Node, eventually, read_code
from test_axe import find
from test_page import weigh

# The most bytes of the board with its map and one event, without the outline of the world.
WEIGHT_MAX = 150_000
HOSTILE = "<img src=x onerror=alert(1)>\"'&amp;</script>"


class Fair:
    """A machine with the events of this file, with the names that the fixture `guests` expects."""

    def __init__(self, folder):
        # Without mDNS: other tests of this machine have events, too.
        # Photos are counted every second, not every ten minutes.
        self.node = Node(folder, "host", "Summer fair", "--no-mdns", "--activity-interval", "1",
                         "--as", "Anna", "--category", "market", "--place", "Besançon", "--position", "47.243,6.0221",
                         "--details", "Cakes and books.", "--price", "12.50 EUR", "--contact", "anna@fair.example",
                         "--registration", "732829320", "--link", "website=https://fair.example/way")
        self.desk(name="Winter ball", category="party", place="Lyon", starts=timedelta(days=40), position=(45_764, 4_836))
        self.desk(name=HOSTILE, category="concert", place=HOSTILE, starts=timedelta(days=2))
        self.desk(name="Summer fair", category="festival", place="Dole", starts=timedelta(days=3), organizer="Ben", position=(47_092, 5_490))
        eventually("all events", lambda: len(self.events()) == 4)

    @property
    def origins(self):
        return {self.node.origin}

    def events(self):
        with urlopen(self.node.origin + "/api/board") as answer:
            return json.load(answer)["events"]

    def desk(self, name, category, place, starts, organizer="Chloe", position=(None, None)):
        """Creates an event as the desk does."""
        address = self.node.desk()
        origin, key = address.split("/desk#")
        begin = Request(origin + "/desk/api/session", json.dumps({"key": key}).encode(), {"Content-Type": "application/json"})
        with urlopen(begin) as answer:
            cookie = answer.headers["Set-Cookie"].split(";")[0]
        start = int((datetime.now() + starts).timestamp() * 1000)
        create = Request(origin + "/desk/api/events", json.dumps({
            "name": name, "organizer": organizer, "isDraft": False,
            "parameters": {"category": category, "place": place, "startsAt": start, "durationHours": 5, "isListed": True,
                           "position": dict(zip(("latitude", "longitude"), position))},
        }).encode(), {"Content-Type": "application/json", "Cookie": cookie})
        urlopen(create).close()

    def end(self):
        self.node.kill()


@pytest.fixture(scope="module")
def fair(tmp_path_factory):
    fair = Fair(tmp_path_factory.mktemp("board") / "host")
    yield fair
    fair.end()


def opened(guests, fair, size="phone", **options):
    guest = guests(fair, size, **options)
    guest.open(fair.node.origin + "/board")
    expect(guest.page.locator("#events > li").first).to_be_visible()
    return guest


def names(page):
    return page.locator("#events h3").all_inner_texts()


def test_the_first_page_says_what_this_is_and_leads_to_the_board(fair, guests, size):
    bea = guests(fair, size).open(fair.node.origin)
    expect(bea.page.locator("#code")).to_contain_text("without an app or the Internet")
    # This page lists only events that a guest can enter now. The board also lists others.
    near = bea.page.locator("#nearby a")
    expect(near).to_have_text(["Summer fair · Hosted by Anna", HOSTILE, "Summer fair · Hosted by Ben"])
    near.first.click()
    expect(bea.page.locator("#event")).to_contain_text("Besançon")
    bea.page.go_back()
    bea.page.get_by_role("link", name="Events", exact=True).click()
    expect(bea.page.locator("#events > li")).to_have_count(4)
    # Reachable events come first, then running ones, then the others by start.
    assert names(bea.page) == ["Summer fair", HOSTILE, "Summer fair", "Winter ball"]
    expect(bea.page.locator("#events > li").first).to_contain_text("Here, on this network")
    bea.page.get_by_role("link", name="I have a code").click()
    expect(bea.page.locator("#code")).to_be_visible()


def test_a_search_and_the_kinds_narrow_the_list(fair, guests, size):
    page = opened(guests, fair, size).page
    page.fill("#search", "besancon fair")
    expect(page.locator("#events > li")).to_have_count(1)
    expect(page.locator("#found")).to_have_text("1 event")
    page.fill("#search", "")
    expect(page.locator("#events > li")).to_have_count(4)
    page.get_by_role("button", name="Party").click()
    expect(page.locator("#events > li")).to_have_count(1)
    assert names(page) == ["Winter ball"]
    expect(page.get_by_role("button", name="Party")).to_be_focused()
    page.fill("#search", "nowhere")
    expect(page.locator("#found")).to_have_text("No event is like that.")


def test_equal_names_have_their_hosts_and_words_beside_them(fair, guests, size):
    page = opened(guests, fair, size).page
    equal = page.locator("#events > li", has=page.get_by_role("heading", name="Summer fair", exact=True))
    expect(equal.nth(0)).to_contain_text("Hosted by Anna")
    expect(equal.nth(1)).to_contain_text("Hosted by Ben")
    for row in [row for row in fair.events() if row["isAmbiguous"]]:
        words = eventually("the words", lambda: next(each["words"] for each in fair.events() if each["id"] == row["id"]))
        expect(page.locator(f"[data-event='{row['id']}']")).to_contain_text(" ".join(words))


def test_an_event_has_its_details_and_leads_to_its_page(fair, guests, size, tmp_path):
    bea = opened(guests, fair, size)
    page = bea.page
    page.locator("#events a").first.click()
    event = page.locator("#event")
    words = next(row["words"] for row in eventually("the words", lambda: (
        all(row["words"] for row in fair.events()) and fair.events())) if row["place"] == "Besançon")
    for text in ["Summer fair", "Besançon", "€12.50", "Cakes and books.", "anna@fair.example",
                 "732829320 (format valid, not verified)", "47.243, 6.022", "https://fair.example/way", " ".join(words), "Anna"]:
        expect(event).to_contain_text(text)
    expect(page.locator("#event-title")).to_be_focused()
    event.get_by_text("QR code").click()
    expect(event.get_by_role("img", name="QR code: https://fair.example/way")).to_be_visible()
    # A card to hand on: a code for the phone beside this one, and a text.
    address = fair.node.origin + event.locator("#enter").get_attribute("href")
    event.get_by_text("Show its page to another phone").click()
    code = event.get_by_role("img", name=address)
    expect(code).to_be_visible()
    code.screenshot(path=tmp_path / "code.png")
    assert read_code(tmp_path / "code.png") == address
    page.evaluate("""() => { document.execCommand = () => {
        window.copied = document.querySelector("textarea.offscreen").value;
        return true;
    }; }""")
    page.get_by_role("button", name="Copy as a text").click()
    expect(page.locator("#toast")).to_contain_text("Copied.")
    card = page.evaluate("window.copied").split("\n")
    assert [card[0], *card[2:]] == ["Summer fair", "Besançon", "Hosted by Anna", address, " ".join(words)]
    # The page makes no link of a text that strangers wrote.
    assert event.locator("a").evaluate_all("links => links.map((link) => link.getAttribute('href').split('/')[1])") == ["e", "api"]
    with page.expect_download() as download:
        page.click("#calendar-file")
    file = download.value.path().read_bytes().decode()
    assert "SUMMARY:Summer fair\r\n" in file and "LOCATION:Besançon\r\n" in file
    assert "GEO:47.243;6.022\r\n" in file
    # A page without a session asks for the code.
    bea.allow("401")
    page.click("#enter")
    expect(page.locator("#code")).to_be_visible()
    page.go_back()
    page.click("#back")
    expect(page.locator("#events > li")).to_have_count(4)


def test_favourites_stay_in_the_browser_and_are_called_out_before_they_start(fair, guests, size):
    bea = opened(guests, fair, size)
    page = bea.page
    page.get_by_role("button", name="Favourite: Winter ball").click()
    expect(page.get_by_role("button", name="Favourite: Winter ball")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Favourites").click()
    assert names(page) == ["Winter ball"]
    asked = [request.url for request in bea.requests]
    page.reload()
    expect(page.get_by_role("button", name="Favourite: Winter ball")).to_have_attribute("aria-pressed", "true")
    assert not [url for url in asked if "favourite=" in url]
    expect(page.locator("#soon")).to_have_text("")
    start = next(row["startsAt"] for row in fair.events() if row["name"] == "Winter ball")
    page.clock.install(time=datetime.fromtimestamp(start / 1000 - 500))
    page.reload()
    expect(page.locator("#soon")).to_have_text(re.compile(r"^Winter ball starts in \d minutes\.$"))
    page.get_by_role("button", name="Favourite: Winter ball").click()
    expect(page.locator("#soon")).to_have_text("")


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, popular, recent", [
    ("en-GB", "Popular", r"In the last hour: about \d+ photos?, 1 person$"),
    ("fr-FR", "Populaires", r"Depuis une heure\s: environ \d+ photos?, 1 personne$")])
def test_popular_events_come_first_with_the_numbers_of_their_last_hour(fair, guests, painter, size, locale, popular, recent):
    fair.node.command("add", "--event", "Winter ball", painter.photo())
    ball = eventually("the number", lambda: next((
        row for row in fair.events() if row["name"] == "Winter ball" and row["recent"]), None))
    page = opened(guests, fair, size, locale=locale).page
    near = names(page)
    assert near[0] != "Winter ball"
    line = page.locator(f"[data-event='{ball['id']}'] p.quiet", has_text=re.compile(recent))
    expect(line).to_have_count(1)
    # Nothing happens in the other events, so they have no number.
    expect(page.locator("#events p", has_text=re.compile(recent))).to_have_count(1)
    page.get_by_role("button", name=popular).click()
    expect(page.locator("#events h3").first).to_have_text("Winter ball")
    assert names(page) == ["Winter ball", *(name for name in near if name != "Winter ball")]
    expect(page.get_by_role("button", name=popular)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name=popular)).to_be_focused()
    page.locator("#events a").first.click()
    expect(page.locator("#event p", has_text=re.compile(recent))).to_be_visible()
    page.click("#back")
    page.get_by_role("button", name=popular).click()
    expect(page.locator("#events h3").first).to_have_text(near[0])
    assert names(page) == near


def test_the_month_leads_to_the_events_of_a_day(fair, guests, size):
    bea = guests(fair, size)
    start = next(row["startsAt"] for row in fair.events() if row["name"] == "Winter ball")
    bea.page.clock.install(time=datetime.fromtimestamp(start / 1000 + 60))
    bea.open(fair.node.origin + "/board")
    page = bea.page
    page.get_by_role("button", name="Calendar").click()
    day = datetime.fromtimestamp(start / 1000).day
    page.locator(f"#month [data-day='{day}']").click()
    expect(page.locator("#events > li")).to_have_count(1)
    assert names(page) == ["Winter ball"]
    page.locator(f"#month [data-day='{day}']").click()
    expect(page.locator("#events > li")).to_have_count(4)
    page.get_by_role("button", name="Next month").click()
    expect(page.get_by_role("button", name="Next month")).to_be_focused()


def pins(page):
    return page.locator("#map .pin").evaluate_all("pins => pins.map((pin) => pin.getAttribute('aria-label')).sort()")


def test_the_map_has_the_events_with_a_position_and_leads_to_those_of_a_pin(fair, guests, size):
    bea = opened(guests, fair, size)
    page = bea.page
    # Neither the outline nor its script is loaded before somebody wants the map.
    assert not [request.url for request in bea.requests if re.search(r"world\.svg|map\.js", request.url)]
    page.get_by_role("button", name="Map", exact=True).click()
    expect(page.locator("#map .pin")).to_have_count(2)
    # Besançon and Dole are near each other; Lyon is not.
    assert pins(page) == ["2 events: Summer fair, Summer fair", "Winter ball, Lyon"]
    expect(page.locator("#map [role=status]")).to_have_text("3 events on the map. 1 event without a position, only in the list.")
    assert page.locator("#map path").first.evaluate("path => path.getBBox().width") > 1000
    expect(page.locator("#events > li")).to_have_count(4)
    page.get_by_role("button", name="Winter ball, Lyon").click()
    expect(page.locator("#events > li")).to_have_count(1)
    assert names(page) == ["Winter ball"]
    expect(page.locator("#found")).to_have_text("1 event")
    page.get_by_role("button", name="2 events: Summer fair, Summer fair").click()
    expect(page.locator("#events > li")).to_have_count(2)
    for _ in range(2):
        page.get_by_role("button", name="Zoom in").click()
    expect(page.locator("#map .pin")).to_have_count(3)
    assert pins(page) == ["Summer fair, Besançon", "Summer fair, Dole", "Winter ball, Lyon"]
    # Both are still the chosen ones.
    expect(page.locator("#map .pin[aria-pressed=true]")).to_have_count(2)
    page.get_by_role("button", name="Summer fair, Dole").click()
    expect(page.locator("#events > li")).to_have_count(1)
    page.get_by_role("button", name="Summer fair, Dole").click()
    expect(page.locator("#events > li")).to_have_count(4)


def test_the_map_is_used_with_keys_alone_and_follows_the_search(fair, guests, size):
    page = opened(guests, fair, size).page
    page.get_by_role("button", name="Map", exact=True).press("Enter")
    chart = page.get_by_role("group", name=re.compile("^Map of the events"))
    expect(page.locator("#map .pin")).to_have_count(2)
    view = page.locator("#map svg").get_attribute("viewBox")
    chart.press("ArrowRight")
    assert page.locator("#map svg").get_attribute("viewBox") != view
    for _ in range(4):
        chart.press("+")
    expect(page.locator("#map .pin")).to_have_count(3)
    # A pin outside of the visible part comes into it with the focus.
    for name in ["Winter ball, Lyon", "Summer fair, Dole", "Summer fair, Besançon"]:
        pin = page.get_by_role("button", name=name)
        pin.focus()
        box, frame = pin.bounding_box(), chart.bounding_box()
        assert frame["x"] <= box["x"] + box["width"] / 2 <= frame["x"] + frame["width"], name
        assert frame["y"] <= box["y"] + box["height"] / 2 <= frame["y"] + frame["height"], name
        pin.press("Enter")
        expect(page.locator("#events > li")).to_have_count(1)
        expect(pin).to_have_attribute("aria-pressed", "true")
        expect(pin).to_be_focused()
    page.fill("#search", "ball")
    expect(page.locator("#map .pin")).to_have_count(1)
    assert pins(page) == ["Winter ball, Lyon"]
    expect(page.locator("#events > li")).to_have_count(1)
    page.fill("#search", "nowhere")
    expect(page.locator("#map [role=status]")).to_have_text("None of these events has a position on the map.")
    page.fill("#search", "")
    # The map is there again on the way back from an event.
    page.locator("#events a").first.click()
    page.click("#back")
    expect(page.locator("#map .pin").first).to_be_visible()
    page.get_by_role("button", name="Map", exact=True).click()
    expect(page.locator("#map")).to_be_hidden()


def test_without_the_outline_the_map_says_so_and_the_list_stays(fair, guests, size):
    bea = opened(guests, fair, size)
    bea.allow("503")
    bea.page.route("**/world.svg", lambda route: route.fulfill(status=503))
    bea.page.get_by_role("button", name="Map", exact=True).click()
    expect(bea.page.locator("#map [role=alert]")).to_contain_text("could not be loaded")
    expect(bea.page.locator("#events > li")).to_have_count(4)
    bea.page.unroute("**/world.svg")
    bea.page.get_by_role("button", name="Map", exact=True).click()
    expect(bea.page.locator("#map .pin")).to_have_count(2)


def test_names_and_places_of_strangers_are_text(fair, guests, size):
    page = opened(guests, fair, size).page
    assert HOSTILE in names(page)
    page.locator("#events a", has=page.get_by_role("heading", name=HOSTILE)).click()
    expect(page.locator("#event-title")).to_have_text(HOSTILE)
    assert page.locator("#board img, #board script").count() == 0


def test_the_board_is_in_french(fair, guests, size):
    page = opened(guests, fair, size, locale="fr-FR").page
    expect(page.locator("h1")).to_have_text("Événements")
    page.get_by_role("button", name="Carte", exact=True).click()
    expect(page.get_by_role("button", name="2 événements\u00a0: Summer fair, Summer fair")).to_be_visible()
    expect(page.get_by_role("button", name="Agrandir")).to_be_visible()
    page.get_by_role("button", name="Marché").click()
    page.locator("#events a").first.click()
    expect(page.locator("#event")).to_contain_text("732829320 (format valide, non vérifié)")
    expect(page.locator("#event")).to_contain_text("12,50")


def test_nothing_is_wider_than_a_small_phone_and_targets_are_large(fair, guests, size):
    bea = opened(guests, fair)
    page = bea.page
    page.set_viewport_size({"width": 320, "height": 640})
    page.get_by_role("button", name="Calendar").click()
    page.get_by_role("button", name="Map", exact=True).click()
    expect(page.locator("#map .pin").first).to_be_visible()
    for view in ["list", "event"]:
        if view == "event":
            page.locator("#events a").nth(1).click()
            expect(page.locator("#event-title")).to_be_visible()
        # Also in a language that is written from the right.
        for direction in ["rtl", "ltr"]:
            page.evaluate("(direction) => { document.documentElement.dir = direction; }", direction)
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, (view, direction)
        small = page.evaluate("""() => [...document.querySelectorAll("button, a, input")].filter((each) => each.offsetParent)
            .map((each) => [each.textContent || each.id, each.getBoundingClientRect()])
            .filter(([, { height, width }]) => height < 47.5 || width < 24).map(([name]) => name)""")
        assert small == [], view


def test_the_board_and_its_map_weigh_little(fair, guests, record_property):
    bea = guests(fair, "phone")
    addresses, weights = weigh(bea)
    bea.open(fair.node.origin + "/board")
    expect(bea.page.locator("#events > li").first).to_be_visible()
    bea.page.get_by_role("button", name="Map", exact=True).click()
    expect(bea.page.locator("#map .pin").first).to_be_visible()
    bea.page.locator("#events a").first.click()
    expect(bea.page.locator("#event-title")).to_be_visible()
    eventually("all of them", lambda: bea.page.wait_for_timeout(100) or set(addresses) <= set(weights))
    files = {}
    for request, weight in weights.items():
        files[addresses[request].removeprefix(fair.node.origin).partition("#")[0]] = int(weight)
    assert "/board/map.js" in files
    outline = files.pop("/board/world.svg")
    record_property("board", f"{sum(files.values())} bytes over the wire in {len(files)} files, at most {WEIGHT_MAX}; "
                    f"the outline of the world {outline}")
    assert sum(files.values()) <= WEIGHT_MAX


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_axe_finds_nothing_on_the_board(fair, guests, locale):
    found = []
    bea = opened(guests, fair, locale=locale)
    bea.page.locator("#chips button").last.click()
    find(bea, "list", found)
    bea.page.locator("#chips button").nth(-2).click()
    expect(bea.page.locator("#map .pin").first).to_be_visible()
    bea.page.locator("#map .pin").first.click()
    find(bea, "map", found)
    bea.page.locator("#events button").first.click()
    find(bea, "favourite", found)
    bea.page.locator("#events a").first.click()
    expect(bea.page.locator("#event-title")).to_be_visible()
    find(bea, "event", found)
    assert found == []


def test_without_scripts_the_board_says_what_to_do(fair, guests, size):
    bea = guests(fair, size, scripts=False).open(fair.node.origin + "/board")
    expect(bea.page.locator("noscript a").first).to_be_visible()
