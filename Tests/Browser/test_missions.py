# SPDX-License-Identifier: Apache-2.0
"""Photo missions: the list, the way to the camera, the mission of a photo, the wall, and the organizers' list."""

import base64
import json
import re

import pytest
from playwright.sync_api import expect

from client import Client
from guest import Guest
from party import eventually
from test_axe import find

DANCE, TABLE, CAKE = "The first dance", "Your table", "Someone cuts the cake"
HOSTILE = "<img src=x onerror=alert(1)>\" & the 'bride'"


@pytest.fixture
def hunt(parties):
    """An event of two nodes with two missions."""
    party = parties(options=["--mission", DANCE, "--mission", TABLE])
    yield party
    party.end()


def listed(node):
    return {mission["text"]: mission for mission in Client(node.link).json("GET", "api/missions")[2]["missions"]}


def answers(node):
    """The missions of the photos that the node shows, without their ids."""
    return sorted((photo.get("mission") or {}).get("text", "") for photo in node.gallery())


def open_list(guest):
    guest.go("everyone")
    guest.page.locator("#everyone-grid").get_by_role("button", name="Missions").click()
    dialog = guest.page.locator("#missions")
    expect(dialog).to_be_visible()
    return dialog


def shoot(guest, dialog, mission, files, consents=False):
    """Takes a photo for a mission with the phone's own camera, as over plain HTTP from elsewhere."""
    dialog.get_by_role("button", name=re.compile(f"[:] {re.escape(mission)}$")).last.click()
    expect(guest.page.locator("#finder")).to_be_visible()
    with guest.page.expect_file_chooser() as chooser:
        guest.page.click("#finder-other")
    chooser.value.set_files([str(file) for file in files])
    if consents:
        guest.answer()
    expect(guest.page.locator("#mine")).to_be_visible()
    guest.expect_all_sent()


WORDS = {
    "en-GB": ("Take this photo", "No photo yet", "You have answered it", "1 photo", "Mission of this photo", "New mission: "),
    "fr-FR": ("Prendre la photo", "Pas de photo", "Vous avez répondu", "1 photo", "Mission de cette photo",
              "Nouvelle mission\u00a0: "),
}


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale", WORDS)
def test_a_guest_answers_a_mission_and_others_find_the_photo(hunt, guests, painter, locale):
    take, none, answered, one, choose, new = WORDS[locale]
    party, found = hunt, []
    bea = guests(party, "phone", locale=locale)
    bea.allow("NotFoundError|NotAllowedError|Permission denied")
    page = bea.page
    bea.open(party.host.link).enter("Bea")
    dialog = open_list(bea)
    expect(dialog.get_by_role("heading", level=3)).to_have_text([DANCE, TABLE])
    expect(dialog.get_by_text(none)).to_have_count(2)
    expect(dialog.get_by_role("button", name=take)).to_have_count(2)
    find(bea, "missions", found)
    shoot(bea, dialog, DANCE, [painter.photo()], consents=True)
    bea.expect_photos(1, "mine")
    eventually("both nodes have the answer", lambda: all(answers(node) == [DANCE] for node in (party.host, party.other)))
    # The next photo, from the library, answers none.
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    eventually("both photos", lambda: answers(party.host) == ["", DANCE])

    dialog = open_list(bea)
    expect(dialog.get_by_text(answered)).to_have_count(1)
    expect(dialog.locator("li").first.locator(".pictures span")).to_have_text(one)
    page.wait_for_function("[...document.querySelectorAll('#missions img')].some((image) => image.naturalWidth)")
    find(bea, "answered missions", found)
    # The photos of one mission, and one of them in front.
    dialog.locator(".pictures").click()
    expect(page.locator("#person-name")).to_have_text(DANCE)
    bea.expect_photos(1, "person")
    bea.tiles("person").locator("button").click()
    chosen = page.get_by_role("combobox", name=choose)
    expect(page.locator("#photo-mission .plain")).to_have_accessible_name(re.compile(DANCE))
    expect(chosen.locator("option:checked")).to_have_text(DANCE)
    find(bea, "photo of a mission", found)
    # Arrow keys choose a mission and do not turn the photo.
    chosen.focus()
    chosen.select_option(label=TABLE)
    eventually("another mission", lambda: answers(party.other) == ["", TABLE])
    page.keyboard.press("Escape")
    expect(page.locator("#photo")).to_be_hidden()

    # Somebody else sees it, and chooses nothing.
    carl = guests(party, "phone", locale=locale).open(party.host.link).enter("Carl")
    carl.expect_photos(2)
    dialog = open_list(carl)
    expect(dialog.get_by_text(answered)).to_have_count(0)
    dialog.locator(".pictures").click()
    carl.tiles("person").locator("button").click()
    expect(carl.page.locator("#photo-mission .plain")).to_have_text(TABLE)
    expect(carl.page.locator("#photo-mission select")).to_have_count(0)

    # Bea withdraws the answer: the photo leaves the gallery of the mission, and stays in that of everyone.
    bea.open_photo("everyone", 1)
    chosen.select_option("")
    expect(page.locator("#photo-mission .plain")).to_have_count(0)
    eventually("no mission", lambda: answers(party.other) == ["", ""])
    page.click("#photo-close")
    expect(page.locator("#photo")).to_be_hidden()

    # The host asks for another photo: everybody is told.
    party.host.command("event", "edit", "--mission", DANCE, "--mission", TABLE, "--mission", CAKE)
    expect(page.locator("#toast")).to_contain_text(new + CAKE)
    expect(page.locator("#announce")).to_contain_text(CAKE)
    expect(open_list(bea).get_by_role("heading", level=3)).to_have_text([DANCE, TABLE, CAKE])
    assert found == []


def test_nothing_of_missions_is_loaded_or_shown_at_an_event_without_them(party, guests):
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    bea.page.wait_for_load_state("networkidle")
    expect(bea.page.get_by_role("button", name="Missions")).to_have_count(0)
    assert not [request.url for request in bea.requests if "missions" in request.url]


def test_a_hostile_mission_is_text_on_every_page(hunt, guests, painter):
    """`guests` fails where a script has run."""
    party = hunt
    party.host.command("event", "edit", "--mission", HOSTILE)
    bea = guests(party, "phone")
    bea.allow("NotFoundError|NotAllowedError|Permission denied")
    bea.open(party.host.link).enter("Bea")
    dialog = open_list(bea)
    expect(dialog.get_by_role("heading", level=3)).to_have_text(HOSTILE)
    shoot(bea, dialog, HOSTILE, [painter.photo()], consents=True)
    bea.expect_photos(1, "mine")
    bea.open_photo("mine")
    expect(bea.page.locator("#photo-mission option:checked")).to_have_text(HOSTILE)
    assert bea.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    wall = guests(party, "desktop")
    wall.open(f"{party.host.origin}/wall#{party.host.link.split('#')[1]}")
    expect(wall.page.locator(".shown .mission")).to_have_text(HOSTILE)
    plain = guests(party, "phone", scripts=False)
    plain.open(f"{party.host.origin}/enter")
    plain.page.fill("input[name=code]", party.code)
    plain.page.click("button")
    plain.page.click("a.button")
    expect(plain.page.locator("li", has_text=HOSTILE)).to_have_text(f"{HOSTILE} (1 photo)")
    expect(plain.page.locator("figcaption")).to_contain_text(HOSTILE)


def test_the_wall_names_the_mission_of_a_photo_and_asks_for_one_on_the_card(hunt, guests, painter):
    party = hunt
    bea = Client(party.host.link).enter("Bea")
    wall = guests(party, "desktop")
    wall.open(f"{party.host.origin}/wall#{party.host.link.split('#')[1]}")
    expect(wall.page.locator("#code")).to_be_visible()
    dance = listed(party.host)[DANCE]["id"]
    photo = bea.upload(painter.photo().read_bytes())[2]
    expect(wall.page.locator("#stage .shown img")).to_have_count(1)
    expect(wall.page.locator(".shown .mission")).to_have_count(0)
    assert bea.json("PUT", f"api/photos/{photo}/mission", {"id": dance})[0] == 204
    expect(wall.page.locator(".shown .mission")).to_have_text(DANCE)
    assert bea.upload(painter.photo().read_bytes())[0] == 204
    # After twenty photos the code fills the screen: with the mission that no photo answers.
    wall.page.clock.install()
    wall.page.reload()
    expect(wall.page.locator("#stage .shown img")).to_have_count(1)

    def is_card():
        wall.page.clock.run_for(1_000)
        return wall.page.locator("#wall[data-state=card]").count() and TABLE in wall.page.locator("#call").inner_text()
    eventually("the card with a mission", is_card)


def test_an_upload_with_a_mission_that_is_not_listed_is_refused_before_a_byte_is_sent(hunt, painter):
    bea = Client(hunt.host.link).enter("Bea")
    encode = lambda text: base64.b64encode(str(text).encode()).decode()
    data = painter.photo().read_bytes()

    def begin(mission):
        return bea.request("POST", "uploads", b"", {
            "Tus-Resumable": "1.0.0", "Upload-Length": str(len(data)), "Upload-Metadata": f"mission {encode(mission)}"})

    for mission in (1, 0, -1, "the first dance", 2**32):
        status, headers, body = begin(mission)
        assert (status, headers["Disposable-Error"]) == (409, "unknown-mission"), mission
        assert "have removed this mission" in json.loads(body)["error"]["message"]
    # One that is removed while the photo is on its way does not hold up the photo.
    status, headers, _ = begin(listed(hunt.host)[DANCE]["id"])
    assert status == 201
    hunt.host.command("event", "edit", "--mission", TABLE)
    status, _, body = bea.request("PATCH", headers["Location"], data, {
        "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"})
    assert status == 204, body
    assert answers(hunt.host) == [""]


def test_a_page_whose_mission_is_removed_sends_its_photo_without_it(hunt, guests, painter):
    party = hunt
    bea = guests(party, "phone")
    bea.allow("NotFoundError|NotAllowedError|Permission denied")
    bea.allow("409")
    bea.open(party.host.link).enter("Bea")
    dialog = open_list(bea)
    # The page does not hear of it before the photo is sent.
    bea.page.route("**/api/me", lambda route: route.abort())
    bea.allow(re.compile("net::ERR_FAILED|Failed to load resource"))
    party.host.command("event", "edit", "--mission", TABLE)
    shoot(bea, dialog, DANCE, [painter.photo()], consents=True)
    eventually("the photo", lambda: answers(party.host) == [""])
    bea.page.unroute("**/api/me")


def test_only_the_author_chooses_and_photos_that_wait_are_not_counted(parties, painter):
    party = parties(guests=0, options=["--mission", DANCE, "--approve", "all"])
    try:
        bea, carl = Client(party.host.link).enter("Bea"), Client(party.host.link).enter("Carl")
        dance = listed(party.host)[DANCE]["id"]
        photo = bea.upload(painter.photo().read_bytes())[2]
        choose = lambda client, mission: client.json("PUT", f"api/photos/{photo}/mission", {"id": mission})[:1][0]
        assert choose(carl, dance) == 404
        assert choose(bea, dance) == 204
        assert choose(bea, dance) == 204

        def told(client):
            (mission,) = client.json("GET", "api/missions")[2]["missions"]
            return mission["count"], mission["isAnswered"], mission["photos"]
        # It waits for approval: Bea knows of her own photo, and nobody counts it.
        assert told(bea) == (0, True, [])
        assert told(carl) == (0, False, [])
        assert carl.json("GET", f"api/photos?mission={dance}")[2]["photos"] == []
        party.host.command("approve", photo)
        eventually("everybody sees it", lambda: told(carl) == (1, False, [photo]))
        (shown,) = carl.json("GET", f"api/photos?mission={dance}")[2]["photos"]
        assert shown["mission"] == {"id": dance, "text": DANCE}
        assert choose(carl, dance) == 403
        assert choose(bea, 1 if dance != 1 else 2) == 409
        assert choose(bea, None) == 204
        eventually("nothing answers it", lambda: told(bea) == (0, False, []))
        assert carl.json("GET", f"api/photos?mission={dance}&mine=1")[0] == 400
        assert carl.json("GET", "api/photos?mission=x")[0] == 400
    finally:
        party.end()


def test_the_desk_adds_rewords_moves_and_removes_missions(hunt, browser, painter):
    party = hunt
    dance = listed(party.host)[DANCE]["id"]
    bea = Client(party.host.link).enter("Bea")
    photo = bea.upload(painter.photo().read_bytes())[2]
    assert bea.json("PUT", f"api/photos/{photo}/mission", {"id": dance})[0] == 204
    url = party.host.desk()
    desk = Guest(browser, party.origins, "desktop").open(url)
    page, found = desk.page, []
    expect(page.locator("#overview")).to_be_visible()
    page.click('#nav a[href$="/settings"]')
    page.click("#missions summary")
    names = lambda: page.locator("#missions li input").evaluate_all("(inputs) => inputs.map((input) => input.value)")
    expect(page.locator("#missions li")).to_have_count(2)
    assert names() == [DANCE, TABLE]
    expect(page.locator("#missions li").first).to_contain_text("1 photo")
    find(desk, "missions", found)
    page.get_by_label("Mission 1", exact=True).fill("The last dance")
    page.get_by_role("button", name="Move mission 1 down").click()
    assert names() == [TABLE, "The last dance"]
    expect(page.get_by_role("button", name="Move mission 2 up")).to_be_focused()
    page.get_by_role("button", name="Add a mission").click()
    page.get_by_label("Mission 3", exact=True).fill(HOSTILE)
    page.click("#save")
    eventually("the new list", lambda: list(listed(party.host)) == [TABLE, "The last dance", HOSTILE])
    # The photo still answers the mission that was reworded and moved.
    assert listed(party.host)["The last dance"]["id"] == dance
    assert answers(party.host) == ["The last dance"]
    expect(page.locator("#save")).to_be_hidden()
    assert names() == [TABLE, "The last dance", HOSTILE]
    page.get_by_role("button", name="Remove mission 2").click()
    page.click("#save")
    eventually("the shorter list", lambda: list(listed(party.host)) == [TABLE, HOSTILE])
    assert answers(party.host) == [""]
    assert found == []
    desk.check()
    desk.close()
