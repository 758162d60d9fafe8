# SPDX-License-Identifier: Apache-2.0
"""The code on the wall, where the host asks for it: the wall shows it, new guests type or scan it, everybody else stays in."""

import json
import re

import pytest
import requests
from playwright.sync_api import expect

from party import eventually, read_code


@pytest.fixture
def party(parties):
    party = parties(frames="5", guests=0, options=("--wall-code", "on"))
    yield party
    party.end()


def open_wall(guests, party):
    wall = guests(party, "desktop")
    token = json.loads(party.host.command("invite", "--json"))["wallToken"]
    wall.open(f"{party.host.origin}/wall#{token}")
    expect(wall.page.locator("#typed")).to_have_text(re.compile(r"\w{4}-\w{4}"))
    return wall


def code_of(wall):
    return wall.page.locator("#typed").inner_text()


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, asked, called", [
    ("en-GB", "the code that the wall shows now", "another one every ten minutes"),
    ("fr-FR", "le code que le mur affiche maintenant", "il change toutes les dix minutes")])
def test_a_new_guest_needs_the_code_that_the_wall_shows(party, guests, painter, tmp_path, locale, asked, called):
    wall = guests(party, "desktop", locale=locale)
    token = json.loads(party.host.command("invite", "--json"))["wallToken"]
    wall.open(f"{party.host.origin}/wall#{token}")
    expect(wall.page.locator("#call")).to_contain_text(called)
    assert code_of(wall).replace("-", "") != party.code.replace("-", "")

    bea = guests(party, "phone", locale=locale)
    assert not any("outside" in request.url for request in bea.requests)
    bea.open(party.host.link)
    expect(bea.page.locator("#code")).to_be_visible()
    expect(bea.page.locator("#code-error")).to_contain_text(asked)
    for field in (party.code, code_of(wall)):
        bea.page.fill("#code-field", field)
        bea.page.click("#code-form button[type=submit]")
        if field == party.code:
            expect(bea.page.locator("#code-error")).to_contain_text(asked)
    bea.enter("Bea")
    bea.choose(painter.photos(1))
    bea.expect_all_sent()
    # The poster is enough for a guest that the event knows.
    bea.open(party.host.link)
    bea.expect_party()
    bea.open_me()
    expect(bea.page.locator("#me-wall")).to_be_visible()

    # The picture of the wall leads in at once, also while somebody at the same address types wrong codes without end.
    answers = {requests.post(f"{party.host.origin}/api/session", json={"code": "WR0NGWR0"}, timeout=60).status_code
               for _ in range(40)}
    assert answers == {403, 429}
    picture = tmp_path / "wall.png"
    wall.page.screenshot(path=picture)
    scanned = read_code(picture)
    assert re.search(r"/#[\w-]{22}$", scanned) and scanned.split("#")[1] != party.host.link.split("#")[1]
    cleo = guests(party, "phone", locale=locale).open(scanned)
    cleo.enter("Cleo")


def test_nothing_is_seen_from_outside_and_a_wall_with_the_posters_link_is_closed(party, guests, painter):
    party.host.command("add", painter.photo())
    bea = guests(party, "phone").open(party.host.link)
    expect(bea.page.locator("#code")).to_be_visible()
    bea.allow("403")
    path = party.host.path
    for place in ("api/photos", "api/updates", "api/about", "api/missions", "simple"):
        assert bea.page.evaluate("(path) => fetch(path).then(({ status }) => status)", path + place) == 403, place
    wall = guests(party, "desktop").open(f"{party.host.origin}/wall#{party.host.link.split('#')[1]}")
    expect(wall.page.locator("#trouble")).to_be_visible()
    expect(wall.page.locator("#typed")).to_be_empty()


def test_the_host_switches_it_on_at_the_desk_and_guests_who_are_in_stay_in(lone_party, guests, browser):
    party = lone_party
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    wall = open_wall(guests, party)
    before = code_of(wall)
    assert before.replace("-", "") == party.code.replace("-", "")
    desk = guests(party, "desktop").open(party.host.desk())
    expect(desk.page.locator("#overview")).to_be_visible()
    desk.page.click('#nav a[href$="/settings"]')
    options = desk.page.locator("#options")
    options.locator("summary").click()
    options.locator("#wall-code").check()
    desk.page.click("#save")
    expect(desk.page.locator("#toast")).to_contain_text("Saved.")
    expect(wall.page.locator("#typed")).not_to_have_text(before)
    zoe = guests(party, "phone").open(party.host.link)
    expect(zoe.page.locator("#code-error")).to_contain_text("the wall shows")
    eventually("Bea's page knows", lambda: bea.page.evaluate(
        "import('/shared/session.js').then(({ me }) => me.event.options.wallCode && !me.isOutside)"))
    bea.open(party.host.link)
    bea.expect_party()


def test_the_wall_asks_for_the_next_code_when_the_present_one_is_over(party, guests):
    wall = guests(party, "desktop")
    token = json.loads(party.host.command("invite", "--json"))["wallToken"]
    wall.page.clock.install()
    wall.open(f"{party.host.origin}/wall#{token}")
    expect(wall.page.locator("#typed")).to_have_text(re.compile(r"\w{4}-\w{4}"))
    asked = len([request for request in wall.requests if request.url.endswith("/api/me")])
    wall.page.clock.run_for(601_000)
    eventually("the wall asks for the next code", lambda: wall.page.wait_for_timeout(50) or len(
        [request for request in wall.requests if request.url.endswith("/api/me")]) > asked)
