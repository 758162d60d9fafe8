# SPDX-License-Identifier: Apache-2.0
"""The part of the tour (tour.py) that hosts see: the board, the desk, the wall and the album."""

import json
import re
from datetime import datetime, timedelta
from types import SimpleNamespace
from urllib.request import Request, urlopen

from playwright.sync_api import expect

from client import Client
from party import Node, eventually


def board(tour):
    """The events of this network: the list, the month, the map, one event; and the door that lists them."""
    party, _ = tour.filled
    create_events(party.host, tour)
    for size in ("phone", "desktop"):
        guest = tour.guest(party, size)
        page = guest.page
        guest.open(party.host.origin)
        expect(page.locator("#nearby")).to_be_visible()
        tour.shot(guest, "80-door-with-events", full=True)
        guest.open(f"{party.host.origin}/board")
        expect(page.locator("#events > li").first).to_be_visible()
        page.wait_for_timeout(600)
        tour.shot(guest, "81-board")
        tour.shot(guest, "81-board-whole", full=True)
        page.fill("#search", "zzz")
        page.wait_for_timeout(300)
        tour.shot(guest, "82-board-nothing-found")
        page.fill("#search", "")
        for view, name in (("month", r"^(Calendar|Calendrier)$"), ("map", r"^(Map|Carte)$")):
            button = page.get_by_role("button", name=re.compile(name))
            button.click()
            page.wait_for_timeout(900)
            tour.shot(guest, f"83-board-{view}")
            button.click()
        page.locator("#events a").first.click()
        expect(page.locator("#event-title")).to_be_visible()
        page.wait_for_timeout(600)
        tour.shot(guest, "84-event", full=True)
        guest.close()


def create_events(node, tour):
    """More events of this machine, as the desk creates them."""
    address = node.desk()
    origin, key = address.split("/desk#")
    begin = Request(origin + "/desk/api/session", json.dumps({"key": key}).encode(), {"Content-Type": "application/json"})
    with urlopen(begin) as answer:
        cookie = answer.headers["Set-Cookie"].split(";")[0]
    names = {"en": ("Lantern walk", "Winter ball", "Book market"),
             "fr": ("Marche aux lanternes", "Bal d’hiver", "Foire aux livres")}
    kinds = zip(names[tour.language], ("festival", "party", "market"), ("Lyon", "Besançon", "Dole"), (1, 40, 3),
                ((45_764, 4_836), (47_243, 6_022), (47_092, 5_490)))
    for name, category, place, days, position in kinds:
        create = Request(origin + "/desk/api/events", json.dumps({
            "name": name, "organizer": "Zoe", "isDraft": False,
            "parameters": {"category": category, "place": place, "durationHours": 5, "isListed": True,
                           "startsAt": int((datetime.now() + timedelta(days=days)).timestamp() * 1000),
                           "position": dict(zip(("latitude", "longitude"), position))},
        }).encode(), {"Content-Type": "application/json", "Cookie": cookie})
        urlopen(create).close()


def desk(tour):
    """The desk's sections and dialogs, on a laptop; its sections on a phone."""
    party, ids = tour.filled
    party.host.command("event", "edit", "--approve", "all")
    guest = Client(party.host.link).enter("Max")
    for path in tour.photos[13:15]:
        guest.upload(path.read_bytes())
    guest.json("POST", "api/messages", {"text": tour.texts.comment})
    party.host.command("hide", ids[4])
    for size in ("desktop", "phone"):
        url = party.host.desk()
        host = tour.guest(SimpleNamespace(origins={url.split("/desk")[0]}), size)
        page = host.page
        host.open(url)
        expect(page.locator("#overview")).to_be_visible()
        page.wait_for_timeout(1_200)
        for section in ("overview", "photos", "queue", "messages", "invite", "people", "settings"):
            link = page.locator(f"#nav [data-section={section}]")
            if not link.is_visible():
                print(f"no section {section}")
                continue
            link.click()
            expect(page.locator("#main")).to_have_attribute("data-section", section)
            page.wait_for_timeout(1_500)
            tour.shot(host, f"90-desk-{section}")
            if section not in ("photos", "queue"):
                tour.shot(host, f"90-desk-{section}-whole", full=True)
        if size == "desktop":
            desk_dialogs(tour, host)
        host.close()
    host = tour.guest(SimpleNamespace(origins={url.split("/desk")[0]}), "desktop")
    host.open(url)
    expect(host.page.get_by_role("heading").first).to_be_visible()
    tour.shot(host, "97-desk-used-address")
    host.close()
    party.host.command("event", "edit", "--approve", "none")
    party.host.command("unhide", ids[4])


def desk_dialogs(tour, host):
    page = host.page
    page.click("#nav [data-section=photos]")
    page.keyboard.press("j")
    page.wait_for_timeout(400)
    tour.shot(host, "91-desk-photos-marked")
    page.locator("#grid li button").first.click()
    expect(page.locator(".viewer")).to_be_visible()
    page.wait_for_timeout(800)
    tour.shot(host, "92-desk-viewer")
    page.click("#erase")
    expect(page.locator("#ask")).to_be_visible()
    tour.shot(host, "93-desk-erasing")
    host.answer(False)
    page.keyboard.press("Escape")
    page.click('[data-which="favourites"]')
    page.wait_for_timeout(600)
    tour.shot(host, "94-desk-saving")
    page.click("#nav [data-section=people]")
    page.locator("#people details summary").first.click()
    tour.shot(host, "95-desk-person")
    page.click("#nav [data-section=settings]")
    page.click("#close")
    expect(page.locator("#ask")).to_be_visible()
    tour.shot(host, "96-desk-closing")
    host.answer(False)
    page.click("#show-key")
    expect(page.locator("#key-words li")).to_have_count(24)
    tour.shot(host, "96-desk-key")
    page.evaluate("for (const one of document.querySelectorAll('#main details')) one.open = true")
    tour.shot(host, "96-desk-settings-open", full=True)
    page.click("#another")
    expect(page.locator("#create-form")).to_be_visible()
    tour.shot(host, "98-desk-new-event")
    page.evaluate("for (const one of document.querySelectorAll('#create-form details')) one.open = true")
    tour.shot(host, "98-desk-new-event-open", full=True)


def first_desk(tour):
    """The desk of a program without an event."""
    node = Node(tour.scratch / "fresh", "desk", awaited="desk")
    url = node.said["desk"]["url"]
    host = tour.guest(SimpleNamespace(origins={url.split("/desk")[0]}), "desktop")
    try:
        host.open(url)
        expect(host.page.locator("#create-form")).to_be_visible()
        tour.shot(host, "99-desk-first-event")
    finally:
        host.close()
        node.kill()


def wall(tour):
    """The wall before the first photo, with a photo, with the code between photos, paused, and with its clock."""
    party, _ = tour.filled
    for state, one in (("photo", party), ("waiting", tour.party())):
        screen = tour.guest(one, "desktop")
        page = screen.page
        screen.open(one.host.link.replace("/#", "/wall#"))
        if state == "waiting":
            page.wait_for_timeout(2_500)
            tour.shot(screen, "70-wall-waiting")
        else:
            page.wait_for_function(
                "() => [...document.querySelectorAll('#stage .shown img')].some((image) => image.naturalWidth > 0)")
            page.wait_for_timeout(2_000)
            tour.shot(screen, "71-wall")
            page.keyboard.press(" ")
            expect(page.locator("#paused")).to_be_visible()
            tour.shot(screen, "72-wall-paused")
            page.keyboard.press("c")
            expect(page.locator("#clock")).to_be_visible()
            tour.shot(screen, "73-wall-clock")
            page.keyboard.press("c")
            page.evaluate("document.getElementById('wall').dataset.state = 'card'")
            tour.shot(screen, "74-wall-code")
        screen.close()


def album(tour):
    """The album from disk, and the encrypted one."""
    party, _ = tour.filled
    home, web = tour.scratch / "album", tour.scratch / "web"
    eventually("all originals", lambda: all(photo["state"] == "complete" for photo in party.host.gallery()))
    party.host.command("export", home, "--album", "--language", tour.language)
    said = party.host.command("export", web, "--web", "--json")
    passphrase = next(line["passphrase"] for line in map(json.loads, said.splitlines()) if line["type"] == "webAlbum")
    for size in ("phone", "desktop"):
        guest = tour.guest(party, size)
        page = guest.page
        guest.open((home / "index.html").as_uri())
        page.wait_for_timeout(600)
        tour.shot(guest, "75-album")
        page.locator("figure a, figure button").nth(2).click()
        page.wait_for_timeout(800)
        tour.shot(guest, "76-album-photo")
        guest.open((home / "book.html").as_uri())
        page.wait_for_timeout(600)
        tour.shot(guest, "77-album-book")
        guest.open((web / "index.html").as_uri())
        page.wait_for_timeout(600)
        tour.shot(guest, "78-web-album-locked")
        page.get_by_role("textbox").fill(passphrase)
        page.get_by_role("button").first.click()
        page.locator("figure img, li img, .tile img").first.wait_for()
        page.wait_for_timeout(1_000)
        tour.shot(guest, "79-web-album")
        guest.close()
