# SPDX-License-Identifier: Apache-2.0
"""Notices: switches under "Me", notices in the page, and notifications of the system."""

import re

import pytest
from playwright.sync_api import expect

from client import Client
from party import eventually

# Every notification that the page makes, which the browser shows as usual, and every question for the permission.
RECORD = """
    window.shown = [];
    window.asked = 0;
    const System = window.Notification;
    window.Notification = class extends System {
        constructor(title, options) {
            super(title, options);
            if (System.permission === "granted") window.shown.push({ title, body: options.body, tag: options.tag });
        }
        static requestPermission() {
            window.asked += 1;
            return System.requestPermission();
        }
    };
"""
# A browser without a window has no tab in the background; the page asks the document for it.
HIDE = """(isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture(scope="module")
def browser(whole_browser):
    return whole_browser


@pytest.fixture
def bea(party, guests, painter):
    bea = guests(party, "phone")
    bea.page.add_init_script(RECORD)
    bea.open(party.host.link).enter("Bea")
    return bea


def switch(guest, name):
    guest.open_me()
    box = guest.page.locator("#me-notices")
    expect(box).to_be_visible()
    box.get_by_label(name).click()
    guest.page.click("#me-back")


def shown(guest):
    return guest.page.evaluate("window.shown")


def send_photo(guest, painter, count=1):
    guest.choose([painter.photo()])
    guest.expect_photos(count, "mine")
    guest.expect_all_sent()
    return guest.page.evaluate("import('/shared/api.js').then(({ call }) => call('GET', 'api/photos?mine=1'))")["photos"][0]["id"]


def test_hearts_and_comments_of_others_are_told_and_ones_own_are_not(party, bea, painter):
    page = bea.page
    photo = send_photo(bea, painter)
    cleo = Client(party.host.link).enter("Cleo")
    bea.open_photo("mine")
    page.locator("#photo-reactions button").first.click()
    expect(page.locator("#photo-reactions button").first).to_have_attribute("aria-pressed", "true")
    page.go_back()
    assert cleo.json("POST", f"api/photos/{photo}/comments", {"text": "<b>What a cake</b>"})[0] == 201
    toast = page.locator("#toast")
    expect(toast).to_contain_text("Cleo about your photo: <b>What a cake</b>")
    toast.get_by_role("button", name="Show").click()
    expect(page.locator("#photo")).to_be_visible()
    assert page.evaluate("window.asked") == 0 and shown(bea) == []


def test_notifications_of_the_system_come_one_a_minute_and_only_from_the_background(party, bea, painter):
    page = bea.page
    bea.context.grant_permissions(["notifications"], origin=party.host.origin)
    photo = send_photo(bea, painter)
    page.clock.install()
    switch(bea, "Also as notifications")
    assert page.evaluate("window.asked") == 1
    cleo = Client(party.host.link).enter("Cleo")
    love = lambda emoji: cleo.json("POST", f"api/photos/{photo}/reactions", {"emoji": emoji, "isOn": True})
    page.evaluate(HIDE, True)
    assert love("❤")[0] == 204
    (first,) = eventually("the notification", lambda: page.clock.run_for(200) or shown(bea))
    assert first == {"title": first["title"], "body": "❤️ for your photo.", "tag": "disposable.remarks"}
    # Within a minute the next ones are collected.
    for emoji in ["🔥", "😂", "👏"]:
        love(emoji)
    counted = lambda: page.evaluate("""(id) => import('/shared/api.js').then(({ call }) => call('GET', `api/photos/${id}`))
        .then(({ reactions }) => reactions.filter(({ count }) => count).length)""", photo)
    given = counted()
    assert given > 1
    page.wait_for_timeout(1_000)
    assert len(shown(bea)) == 1
    page.clock.run_for(61_000)
    second = eventually("the collected ones", lambda: page.clock.run_for(1_000) or shown(bea)[1:])[0]
    assert re.search(r"for your photo\. · and \d more$", second["body"]) or given == 2
    # In sight the page tells it itself.
    page.evaluate(HIDE, False)
    page.clock.run_for(61_000)
    assert cleo.json("POST", f"api/photos/{photo}/comments", {"text": "Again!"})[0] == 201
    eventually("the toast", lambda: page.clock.run_for(500) or "Again!" in page.locator("#toast").inner_text())
    assert len(shown(bea)) == 2


def test_a_switch_that_is_off_silences_its_kind_for_good(party, bea, painter):
    page = bea.page
    switch(bea, "the host has a message")
    party.host.command("notice", "The cake is here")
    other = Client(party.host.link)
    eventually("the notice", lambda: (other.me()["event"]["notice"] or {}).get("text") == "The cake is here")
    page.reload()
    bea.expect_party()
    expect(page.locator("#notice")).to_be_hidden()
    switch(bea, "the host has a message")
    expect(page.locator("#notice")).to_contain_text("The cake is here")


def test_a_refused_permission_turns_the_switch_off_again(party, bea):
    page = bea.page
    page.evaluate("Notification.requestPermission = async () => 'denied'")
    bea.open_me()
    box = page.locator("#me-notices")
    box.get_by_label("Also as notifications").click()
    expect(page.locator("#toast")).to_contain_text("does not allow notifications")
    expect(box.get_by_label("Also as notifications")).not_to_be_checked()
    expect(box.get_by_role("checkbox")).to_have_count(6)


def test_the_reveal_is_told_in_the_page(later_party, guests, painter):
    bea = guests(later_party, "phone").open(later_party.host.link).enter("Bea")
    later_party.host.command("add", painter.photo())
    expect(bea.page.locator("#sealed")).to_contain_text("1 photo")
    later_party.host.command("event", "reveal")
    expect(bea.page.locator("#toast")).to_contain_text("The photos are developed")
