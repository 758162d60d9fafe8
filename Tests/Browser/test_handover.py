# SPDX-License-Identifier: Apache-2.0
"""A guest continues on another phone with a one-time code: both pages, a number that both show, and what is heard on the
Wi-Fi; the first phone says no, and ends the other one."""

import re

import pytest
import requests
from playwright.sync_api import expect

from party import eventually, read_code
from test_axe import find


@pytest.fixture
def party(parties):
    party = parties(frames="5", guests=0)
    yield party
    party.end()


def show(guest):
    """Opens "Me" and shows a code there."""
    if not guest.page.locator("#me").is_visible():
        guest.open_me()
    guest.page.click("#handover-show")
    expect(guest.page.locator("#handover-code")).to_have_text(re.compile(r"\w{4}-\w{4}"))
    return guest.page.locator("#handover-code").inner_text()


def scan(guest, folder):
    """The address in the picture of the code."""
    picture = folder / "code.png"
    guest.page.locator("#handover-picture").screenshot(path=picture)
    return read_code(picture)


def typing(guests, party, code, locale="en-GB"):
    """A phone that has typed the code."""
    other = guests(party, "phone", locale=locale).open(party.host.origin)
    other.page.fill("#code-field", code)
    other.page.click("#code-form button[type=submit]")
    return other


def number(guest, selector):
    expect(guest.page.locator(selector)).to_have_text(re.compile(r"\d{4}"))
    return re.search(r"\d{4}", guest.page.locator(selector).inner_text())[0]


def seed(guest):
    return guest.page.evaluate("Object.entries(localStorage).find(([name]) => name.endsWith('.seed'))?.[1] ?? null")


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, title, done, ended", [
    ("en-GB", "Continue on another phone", "The other phone goes on as you.", "You ended this on your other phone."),
    ("fr-FR", "Continuer sur un autre téléphone", "L’autre téléphone continue à votre place.",
     "Vous y avez mis fin sur votre autre téléphone.")])
def test_a_guest_goes_on_at_another_phone_and_ends_it(party, guests, painter, tmp_path, locale, title, done, ended):
    anna = guests(party, "phone", locale=locale).open(party.host.link).enter("Anna")
    assert not any("handover" in request.url for request in anna.requests), "the first screen needs none of it"
    anna.choose(painter.photos(2))
    anna.expect_all_sent()
    code = show(anna)
    expect(anna.page.locator("#handover-title")).to_have_text(title)
    assert re.search(rf"/#{code}\.[\w-]{{22}}$", scan(anna, tmp_path))
    found = []
    find(anna, "code", found)
    other = typing(guests, party, code, locale)
    assert number(other, "#handover-mine") == number(anna, "#handover-number")
    assert anna.page.locator("#handover-yes").bounding_box()["height"] >= 44
    find(anna, "number", found)
    find(other, "waiting", found)
    assert found == []
    anna.page.click("#handover-yes")
    other.expect_party()
    expect(anna.page.locator("#toast")).to_contain_text(done)
    expect(other.page.locator("#counter .digits")).to_have_text("03")
    other.go("mine")
    other.expect_photos(2, "mine")
    assert other.page.evaluate("import('/shared/session.js').then(({ me }) => me.guest.name)") == "Anna"
    # The same guest, and nobody who listens to plain HTTP has heard its key.
    key = seed(anna)
    assert key and seed(other) == key
    heard = [request.url.encode() + (request.post_data_buffer or b"") for guest in (anna, other) for request in guest.requests]
    assert any(b"/api/handover/box" in said for said in heard) and not any(key.encode() in said for said in heard)
    other.choose(painter.photos(1))
    other.expect_all_sent()
    expect(anna.page.locator("#counter .digits")).to_have_text("02")

    other.allow("401")
    anna.page.locator("#handover-phones button").click()
    anna.answer()
    expect(anna.page.locator("#handover-phones")).to_have_count(0)
    expect(other.page.locator("#code")).to_be_visible()
    expect(other.page.locator("#code-error")).to_contain_text(ended)
    assert seed(other) is None
    assert seed(anna) == key
    # The poster makes that phone somebody new.
    other.open(party.host.link)
    expect(other.page.locator("#welcome")).to_be_visible()


def test_a_phone_with_another_number_is_out_and_the_code_is_used_up(party, guests):
    anna = guests(party, "phone").open(party.host.link).enter("Anna")
    code = show(anna)
    stranger = typing(guests, party, code)
    stranger.allow("401|404")
    number(stranger, "#handover-mine")
    expect(anna.page.locator("#handover-yes")).to_be_visible()
    late = typing(guests, party, code)
    late.allow("403")
    expect(late.page.locator("#code-error")).to_contain_text("That code doesn’t match.")
    anna.page.click("#handover-close")
    expect(anna.page.locator("#toast")).to_contain_text("that phone is out")
    expect(stranger.page.locator("#code-error")).to_contain_text("Your first phone has said no.")
    assert seed(stranger) is None
    # The next code is for the right phone.
    zoe = typing(guests, party, show(anna))
    number(zoe, "#handover-mine")
    anna.page.click("#handover-yes")
    zoe.expect_party()


def test_a_closed_code_opens_nothing(party, guests):
    anna = guests(party, "phone").open(party.host.link).enter("Anna")
    code = show(anna)
    anna.page.click("#handover-close")
    expect(anna.page.locator("#handover")).to_be_hidden()
    late = guests(party, "phone")
    late.allow("403")
    eventually("the code is withdrawn", lambda: late.open(party.host.origin).page.evaluate(
        "(code) => fetch('/api/session', { method: 'POST', headers: { 'Content-Type': 'application/json' },"
        " body: JSON.stringify({ code }) }).then(({ status }) => status === 403)", code), every=2)


def test_the_other_phone_of_another_guest_is_asked_first(party, guests, tmp_path):
    anna = guests(party, "phone").open(party.host.link).enter("Anna")
    zoe = guests(party, "phone").open(party.host.link).enter("Zoe")
    code = show(anna)
    # A scanned code does not wait for somebody at the same address who types wrong ones.
    answers = {requests.post(f"{party.host.origin}/api/session", json={"code": "WR0NGWR0"}, timeout=60).status_code
               for _ in range(40)}
    assert answers == {403, 429}
    # In the same page: the browser does not load it again for another fragment.
    zoe.open(scan(anna, tmp_path))
    expect(zoe.page.locator("#code-field")).to_have_value(code)
    zoe.page.click("#code-form button[type=submit]")
    number(zoe, "#handover-mine")
    anna.page.click("#handover-yes")
    zoe.answer()
    zoe.expect_party()
    assert zoe.page.evaluate("import('/shared/session.js').then(({ me }) => me.guest.name)") == "Anna"
