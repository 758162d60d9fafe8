# SPDX-License-Identifier: Apache-2.0
"""The part of the tour (tour.py) of what guests see at certain times: a moment, pages without scripts, before and after."""

from playwright.sync_api import expect

from minutes import hours, minute_with_time_left


def moment(tour):
    """A moment that calls, and the gallery after it."""
    party, _ = tour.filled
    guest = tour.guest(party)
    guest.open(party.host.link).enter("Mia")
    guest.page.click("#introduction-done")
    minute = minute_with_time_left()
    party.host.command("event", "edit", "--moments", hours(minute))
    expect(guest.page.locator("#moment")).to_be_visible()
    tour.shot(guest, "45-moment")
    guest.choose(tour.photos[12:13])
    guest.expect_all_sent()
    party.host.command("event", "edit", "--moments", hours(minute - 5))
    expect(guest.page.locator("#moment")).to_be_hidden()
    guest.go("everyone")
    guest.page.evaluate("scrollTo(0, 0)")
    tour.shot(guest, "46-moments-past")
    guest.page.locator("#moments-past button").first.click()
    guest.page.wait_for_timeout(600)
    tour.shot(guest, "47-side-by-side")
    party.host.command("event", "edit", "--moments", "none")
    guest.close()


def plain_pages(tour):
    """Help, privacy, the page without scripts, and what shows while the node is away."""
    party, _ = tour.filled
    guest = tour.guest(party)
    page = guest.page
    guest.open(party.host.link).enter("Jo")
    guest.expect_pictures_loaded()
    page.click("#introduction-done")
    for path in ("help.html", "privacy.html", "organizer.html"):
        guest.open(f"{party.host.origin}/{'fr/' if tour.language == 'fr' else ''}{path}")
        tour.shot(guest, f"50-{path.split('.')[0]}", full=True)
    guest.open(f"{party.host.origin}{party.host.path}simple")
    page.wait_for_load_state("networkidle")
    tour.shot(guest, "51-simple", full=True)
    guest.open(f"{party.host.origin}/enter")
    tour.shot(guest, "52-simple-door")
    guest.open(party.host.link)
    guest.expect_party()
    guest.expect_pictures_loaded()
    party.host.kill()
    expect(page.locator("#out-of-reach")).to_be_visible()
    tour.shot(guest, "53-out-of-reach")
    party.host.start()
    guest.close()


def states(tour):
    """Before the party, sealed, a full film, a ticket, a vote, and after the end."""
    party = tour.party("--draft", "--duration", "5h", "--tickets", "off", frames="3")
    guest = tour.guest(party)
    page = guest.page
    guest.open(party.host.link)
    expect(page.locator("#welcome")).to_be_visible()
    tour.shot(guest, "60-draft-welcome")
    guest.enter("Bea")
    tour.shot(guest, "61-draft")
    party.host.command("event", "edit", "--starts", "tomorrow 18:00")
    party.host.command("event", "open")
    page.wait_for_timeout(1_500)
    tour.shot(guest, "62-early")
    party.host.command("event", "edit", "--starts", "now")
    expect(page.locator("#early")).to_be_hidden()
    tour.shot(guest, "63-empty-gallery")
    guest.choose(tour.photos[:4], agrees=False)
    expect(page.locator("#ask .fits")).to_be_visible()
    tour.shot(guest, "64-more-than-fit")
    page.click("#ask button[value=yes]")
    guest.answer()
    guest.expect_all_sent()
    expect(page.locator("#full")).to_be_visible()
    tour.shot(guest, "65-film-full")
    party.host.command("event", "close", "--yes")
    guest.go("everyone")
    expect(page.locator("#over")).to_be_visible()
    tour.shot(guest, "66-over")
    later = tour.guest(party)
    later.open(party.host.link)
    expect(later.page.locator("#welcome-title")).to_be_visible()
    tour.shot(later, "67-welcome-when-over")
    for one in (guest, later):
        one.close()

    party = tour.party("--reveal", "by-host")
    guest = tour.guest(party)
    guest.open(party.host.link)
    expect(guest.page.locator("#welcome")).to_be_visible()
    tour.shot(guest, "68-sealed-welcome")
    guest.enter("Bea")
    guest.choose(tour.photos[:2])
    guest.expect_all_sent()
    tour.shot(guest, "69-sealed-mine")
    guest.go("everyone")
    tour.shot(guest, "70-sealed")
    guest.close()
