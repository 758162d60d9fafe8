# SPDX-License-Identifier: Apache-2.0
"""A message to the host: the sheet under "Me", the host's desk, and what other guests' pages hear of it."""

import json

import pytest
from playwright.sync_api import expect

from party import eventually
from test_axe import find
from test_desk import nodes, sit  # noqa: F401


@pytest.fixture
def party(parties):
    party = parties(guests=0)
    yield party
    party.end()


def enter(guests, party, name, locale="en-GB"):
    return guests(party, "phone", locale=locale).open(party.host.link).enter(name)


def write(guest, text):
    guest.page.click("#message-write")
    expect(guest.page.locator("#message")).to_be_visible()
    expect(guest.page.locator("#message-text")).to_be_focused()
    guest.page.fill("#message-text", text)


def messages(party):
    return [json.loads(line) for line in party.host.command("messages", "--json").splitlines()]


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, button, who, sent", [
    ("en-GB", "Write to the host", "Only the hosts can read it", "Sent."),
    ("fr-FR", "Écrire à l’hôte", "Seuls les hôtes peuvent le lire", "Envoyé.")])
def test_a_guest_writes_to_the_host_who_reads_and_deletes_it_at_the_desk(party, guests, sit, locale, button, who, sent):
    anna, zoe = enter(guests, party, "Anna", locale), enter(guests, party, "Zoe")
    zoe.expect_party()
    desk = sit(party.host, locale=locale)
    expect(desk.page.locator("#nav [data-section=overview]")).to_be_visible()
    expect(desk.page.locator("#nav [data-section=messages]")).to_be_hidden()
    found = []
    anna.open_me()
    opener = anna.page.locator("#message-write")
    expect(opener).to_have_text(button)
    assert opener.bounding_box()["height"] >= 44
    write(anna, "Where is the cake?\nI am hungry.")
    expect(anna.page.locator("#message-who")).to_contain_text(who)
    expect(anna.page.locator("#message-left")).to_contain_text("619")
    find(anna, "message", found)
    heard = len(zoe.requests)
    anna.page.click("#message-send")
    expect(anna.page.locator("#message")).to_be_hidden()
    expect(anna.page.locator("#toast")).to_contain_text(sent)

    # The desk says that there is one, wherever it is.
    badge = desk.page.locator("#nav [data-section=messages] .count")
    expect(badge).to_have_text("1")
    expect(desk.page.locator("#toast")).to_be_visible()
    desk.go("messages")
    item = desk.page.locator("#messages li")
    expect(item).to_have_count(1)
    expect(item).to_contain_text("Anna")
    expect(item.locator(".prose")).to_have_text("Where is the cake?\nI am hungry.")
    expect(badge).to_be_hidden()
    find(desk, "messages", found)
    assert found == []
    # Another comes while the list is open.
    write(anna, "Found it.")
    anna.page.click("#message-send")
    expect(item).to_have_count(2)
    expect(item.first.locator(".prose")).to_have_text("Found it.")
    item.last.locator("button").click()
    desk.answer()
    expect(item).to_have_count(1)
    assert [message["text"] for message in messages(party)] == ["Found it."]
    # The page of another guest has neither asked for anything because of it nor loaded what sends it.
    urls = [request.url for request in zoe.requests]
    assert [url for url in urls[heard:] if "/api/" in url and "updates" not in url] == []
    assert not any("message.js" in url for url in urls)
    # Read messages stay read after a reload.
    desk.page.reload()
    expect(desk.page.locator("#messages li")).to_have_count(1)
    expect(badge).to_be_hidden()


def test_a_guest_takes_it_back_at_once(party, guests):
    anna = enter(guests, party, "Anna")
    anna.open_me()
    write(anna, "Never mind")
    anna.page.click("#message-send")
    expect(anna.page.locator("#message")).to_be_hidden()
    assert [message["text"] for message in messages(party)] == ["Never mind"]
    anna.page.locator("#toast button.plain:not(.bare)").click()
    expect(anna.page.locator("#toast")).to_contain_text("Withdrawn")
    eventually("it is gone", lambda: "message" not in gone(party))


def gone(party):
    """Returns what the command prints, which ends with 3 where there are no messages."""
    try:
        return party.host.command("messages", "--json")
    except AssertionError:
        return ""


def test_a_message_that_is_not_sent_keeps_its_text_until_it_is(party, guests):
    anna = enter(guests, party, "Anna")
    anna.allow("503")
    anna.open_me()
    blocked = True

    def answer(route):
        if blocked:
            route.fulfill(status=503, content_type="application/json",
                          body='{"error": {"code": "unavailable", "message": "not now"}}')
        else:
            route.continue_()

    anna.page.route("**/api/message", answer)
    write(anna, "Is anybody there?")
    anna.page.click("#message-send")
    expect(anna.page.locator("#message-error")).not_to_be_empty()
    expect(anna.page.locator("#message-send")).to_have_text("Send again")
    # Closed and opened again, it is still there.
    anna.page.click("#message-cancel")
    expect(anna.page.locator("#message")).to_be_hidden()
    anna.page.click("#message-write")
    expect(anna.page.locator("#message-text")).to_have_value("Is anybody there?")
    blocked = False
    anna.page.click("#message-send")
    expect(anna.page.locator("#message")).to_be_hidden()
    assert [message["text"] for message in messages(party)] == ["Is anybody there?"]
    anna.page.click("#message-write")
    expect(anna.page.locator("#message-text")).to_have_value("")
    expect(anna.page.locator("#message-send")).to_have_text("Send")


def test_the_sheet_fits_a_small_phone(party, guests):
    anna = enter(guests, party, "Anna", "fr-FR")
    anna.page.set_viewport_size({"width": 320, "height": 568})
    anna.open_me()
    anna.page.click("#message-write")
    expect(anna.page.locator("#message")).to_be_visible()
    assert anna.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for button in ("#message-send", "#message-cancel"):
        assert anna.page.locator(button).bounding_box()["height"] >= 44
    # The back button closes it.
    anna.page.go_back()
    expect(anna.page.locator("#message")).to_be_hidden()
    expect(anna.page.locator("#me")).to_be_visible()
