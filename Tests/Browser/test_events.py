# SPDX-License-Identifier: Apache-2.0
"""The events of one phone at one node: "Me" lists those that the browser has entered, and favourites of the board."""

import json
import re

from playwright.sync_api import expect

from party import eventually
from test_board import fair, HOSTILE  # noqa: F401


def listed(guest):
    box = guest.page.locator("#me-events")
    expect(box).to_be_visible()
    return box


def test_the_entered_events_and_the_favourites_are_listed(fair, guests):  # noqa: F811
    bea = guests(fair, "phone")
    page = bea.page
    # A name of a stranger is a text.
    bea.open(fair.node.origin + "/board")
    star = page.locator("#events li", has=page.get_by_role("heading", name=HOSTILE)).get_by_role("button")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    for name in ["Winter ball", "Summer fair"]:
        event = next(row["id"] for row in fair.events() if row["name"] == name and row["organizer"] != "Ben")
        said = json.loads(fair.node.command("invite", "--json", "--event", event))
        bea.open(f"{fair.node.origin}/#{said.get('guestURL', said.get('localURL')).split('#')[1]}").enter("Bea")
        # The page notes the event once it has shown the gallery, and a page that is left before that notes nothing.
        page.wait_for_function("id => (localStorage.getItem('disposable.events') ?? '').includes(id)", arg=event)
    bea.open_me()
    items = listed(bea).locator("li")
    expect(items).to_have_count(3)
    expect(items.nth(0)).to_contain_text("You are here.")
    expect(items.nth(1).get_by_role("link")).to_have_attribute("href", re.compile("^/e/[0-9a-f]{8}/$"))
    expect(items.nth(2).get_by_role("link", name=HOSTILE)).to_have_attribute("href", re.compile("^/board#[0-9a-f]{64}$"))
    items.nth(1).get_by_role("link").click()
    bea.expect_party()
    bea.open_me()
    expect(listed(bea).locator("li")).to_have_count(3)


def test_signing_out_leaves_nothing_of_the_event_in_the_browser(party, guests):
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    page = bea.page
    kept = lambda: page.evaluate("Object.keys(localStorage).filter((name) => /[0-9a-f]{64}/.test(name))")
    eventually("the badges are looked at", lambda: any(name.endswith(".badges") for name in kept()))
    bea.open_me()
    page.click("#me-leave")
    bea.answer()
    expect(page.locator("#code")).to_be_visible()
    assert kept() == []
    assert page.evaluate("localStorage.getItem('disposable.events')") == "[]"


def test_an_event_that_is_gone_leaves_the_list_which_stays_short(party, guests):
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    page = bea.page
    bea.allow("404")
    event = lambda number, days: {"id": f"{number:064x}", "name": f"Event {number}", "startsAt": 1, "endsAt": 2,
                                  "expiresAt": page.evaluate("Date.now()") + days * 86_400_000}
    kept = lambda: json.loads(page.evaluate("localStorage.getItem('disposable.events')"))
    eventually("the present one", lambda: page.evaluate("localStorage.getItem('disposable.events')"))
    own = kept()
    assert [one["name"] for one in own] == ["Garden party"]
    # One has expired, nineteen more are unknown to the node, and one is nonsense.
    page.evaluate("list => localStorage.setItem('disposable.events', list)", json.dumps(
        [event(1, -1), *own, *(event(number, 5) for number in range(2, 30)), {"id": "<b>", "name": 7}]))
    bea.open_me()
    expect(listed(bea).locator("li")).to_have_count(1)
    assert kept() == own
    assert len([request for request in bea.requests if re.search(r"/e/0{8}/api/me$", request.url)]) <= 20
