# SPDX-License-Identifier: Apache-2.0
"""Tickets: a guest scans a card, another one scans the same; a ticket is typed, with scripts and without; the desk makes,
prints and cancels them."""

import json
import subprocess

import pytest
from playwright.sync_api import expect

from client import Client
from test_axe import find
from test_desk import sit  # noqa: F401
from test_without_scripts import enter


@pytest.fixture
def party(parties):
    party = parties(frames="5", guests=0, options=("--tickets", "on"))
    yield party
    party.end()


def links(party, count):
    """The links of new tickets, with the address at which this machine's browser finds the pages."""
    lines = party.host.command("invite", "--tickets", str(count), "--address", "127.0.0.1", "--json").splitlines()
    tickets = [json.loads(line)["link"].rsplit("~", 1)[1] for line in lines]
    return [f"{party.host.link}~{ticket}" for ticket in tickets]


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, title, valid, used", [
    ("en-GB", "Your ticket", "Ticket 1 is yours", "Somebody else has used this ticket already"),
    ("fr-FR", "Votre billet", "Le billet 1 est à vous", "Quelqu’un d’autre a déjà utilisé ce billet")])
def test_a_scanned_ticket_lets_one_guest_take_photos(party, guests, painter, locale, title, valid, used):
    [link] = links(party, 1)
    anna = guests(party, "phone", locale=locale)
    # The page tries again where its guest has to wait.
    anna.allow("429")
    anna.open(link).enter("Anna")
    expect(anna.page.locator("#toast")).to_contain_text(valid)
    expect(anna.page.locator("#counter .digits")).to_have_text("05")
    assert "~" not in anna.page.url
    anna.choose(painter.photos(1))
    anna.expect_all_sent()
    anna.open_me()
    expect(anna.page.locator("#me-ticket h2")).to_have_text(title)

    zoe = guests(party, "phone", locale=locale)
    zoe.allow("409|429")
    zoe.open(link).enter("Zoe")
    expect(zoe.page.locator("#ticket h2")).to_have_text(title)
    expect(zoe.page.locator("#ticket-error")).to_contain_text(used)
    assert zoe.page.locator("#ticket-use").bounding_box()["height"] >= 44
    found = []
    find(zoe, "ticket", found)
    assert found == []


def test_a_guest_types_a_ticket(party, guests):
    [link] = links(party, 1)
    zoe = guests(party, "phone").open(party.host.link).enter("Zoe")
    zoe.allow("404")
    expect(zoe.page.locator("#counter .digits")).to_have_text("00")
    expect(zoe.page.locator("#introduction")).to_be_hidden()
    zoe.go("mine")
    # There is no button yet.
    expect(zoe.page.locator("#mine-grid .note")).to_have_text("Your film is still empty.")
    expect(zoe.page.locator("#full")).to_be_hidden()
    zoe.go("everyone")
    zoe.page.fill("#ticket-text", "A" * 22)
    zoe.page.click("#ticket-use")
    expect(zoe.page.locator("#ticket-error")).to_contain_text("not a ticket of this party")
    zoe.page.fill("#ticket-text", link.rsplit("~", 1)[1])
    zoe.page.click("#ticket-use")
    expect(zoe.page.locator("#ticket")).to_have_count(0)
    expect(zoe.page.locator("#counter .digits")).to_have_text("05")


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, title, wrong", [
    ("en-GB", "Your ticket", "This is not a ticket of this party"),
    ("fr-FR", "Votre billet", "Ce n’est pas un billet de cette fête")])
def test_without_scripts_a_guest_types_a_ticket(party, guests, painter, locale, title, wrong):
    [link] = links(party, 1)
    zoe = guests(party, "phone", scripts=False, locale=locale)
    zoe.allow("404")
    enter(zoe, party, "Zoe")
    zoe.page.locator("main a.button.main").click()
    form = zoe.page.locator("form[action$='simple/ticket']")
    expect(form.get_by_role("heading")).to_have_text(title)
    form.locator("input").fill("A" * 22)
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_contain_text(wrong)
    form.locator("input").fill(link.rsplit("~", 1)[1])
    form.get_by_role("button").click()
    expect(form).to_have_count(0)
    zoe.page.locator("input[name=consent]").check()
    zoe.page.set_input_files("input[type=file]", painter.photo())
    zoe.page.locator("form[action$='simple/photos'] button").click()
    expect(zoe.page.locator(".photos img")).to_have_count(1)


def test_the_desk_makes_prints_and_cancels_tickets(party, sit, tmp_path):  # noqa: F811
    desk = sit(party.host).go("invite")
    page, found = desk.page, []
    summary, rows = page.locator("#ticket-summary"), page.locator("#tickets li")
    expect(summary).to_have_text("There are no tickets yet.")
    expect(page.locator("#make-cards")).to_be_hidden()
    page.fill("#ticket-count", "3")
    page.click("#make-tickets")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("1: not used yet")
    page.get_by_label("Address at the event").fill("127.0.0.1")
    with page.expect_download() as download:
        page.click("#make-cards")
    download.value.save_as(tmp_path / "cards.pdf")
    subprocess.run(["pdftoppm", "-r", "150", "-l", "1", "-singlefile", "-png", tmp_path / "cards.pdf", tmp_path / "cards"], check=True)
    codes = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", tmp_path / "cards.png"],
                           check=True, capture_output=True, text=True).stdout.split()
    assert len(set(codes)) == 3
    # A card is one guest's.
    assert Client(party.host.link).enter("Bea").json("POST", "api/ticket", {"ticket": codes[0]})[0] == 200
    used = page.locator("#tickets li", has_text="used by Bea")
    page.reload()
    expect(used).to_have_count(1)
    find(desk, "tickets", found)
    # Cancelling the card takes the ticket from the guest that uses it.
    used.get_by_role("button").click()
    expect(page.locator("#ask")).to_contain_text("Bea has it.")
    find(desk, "cancelling a ticket", found)
    desk.answer()
    expect(summary).to_have_text("3 tickets: 0 used, 0 of them twice, 1 cancelled.")
    expect(used).to_have_count(0)
    page.evaluate("localStorage.setItem('disposable.language', 'fr')")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(rows).to_have_count(3)
    find(desk, "billets", found)
    assert found == []
