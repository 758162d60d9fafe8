# SPDX-License-Identifier: Apache-2.0
"""What axe-core finds on every view and dialog, in both languages and themes: nothing."""

import json
from pathlib import Path
from types import SimpleNamespace

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from client import Client
from guest import UNREACHABLE, throttle

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
RUN = """async (rules) => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"],
        ...(rules.length ? { runOnly: { type: "rule", values: rules } } : {}) });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, any }) =>
        `${target.join(" ")} ${any[0]?.message ?? ""}`).join("; ")}`);
}"""


@pytest.fixture(scope="module")
def illustrated(parties, painter):
    """A party with photos of two people, comments and reactions."""
    party = parties(guests=0)
    photo = party.host.command("add", painter.photo(), "--caption", "The cake", "--json").split('"id":"')[1][:64]
    party.host.command("comment", photo, "so nice")
    party.host.command("react", photo, "❤")
    party.host.command("notice", "Cake at five")
    yield party
    party.end()


def find(guest, state, found):
    """Adds what axe finds in a state, by theme. Only contrast depends on the theme."""
    if not guest.page.evaluate("typeof axe === 'object'"):
        guest.page.evaluate(AXE)
    for scheme, rules in [("light", []), ("dark", ["color-contrast"])]:
        guest.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found.extend(f"{state} ({scheme}): {violation}" for violation in guest.page.evaluate(RUN, rules))


def find_as_shown(guest, state, found):
    """Adds what axe finds in a state in any of the engines, in the colours and with the motion that it has."""
    if not guest.script("return typeof window.axe === 'object'"):
        guest.script(AXE)
    guest.script(f"window.violations = null; ({RUN})([]).then((all) => {{ window.violations = all; }});")
    guest.wait("axe", "window.violations !== null")
    found.extend(f"{state}: {violation}" for violation in guest.script("return window.violations"))


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_axe_finds_nothing_on_any_view_or_dialog(illustrated, guests, painter, locale):
    party, found = illustrated, []
    bea = guests(party, "phone", locale=locale)
    page = bea.page
    bea.allow(UNREACHABLE)
    bea.allow("NotAllowedError|Permission denied")
    bea.open(party.host.origin)
    expect(page.locator("#code")).to_be_visible()
    find(bea, "code", found)
    bea.open(party.host.link)
    expect(page.locator("#welcome")).to_be_visible()
    page.locator("#welcome summary").click()
    find(bea, "welcome", found)
    page.click("#returning")
    page.fill("#words-field", "abandon nonsense")
    find(bea, "words", found)
    page.click("#words-back")
    bea.enter("Bea")
    page.wait_for_selector("#everyone-grid .tile")
    find(bea, "everyone", found)
    bea.choose([painter.photo()], agrees=False)
    find(bea, "consent", found)
    bea.answer()
    bea.expect_all_sent()
    find(bea, "mine", found)
    bea.open_photo("mine")
    page.click("#caption-edit")
    page.fill("#caption-field", "Us")
    find(bea, "caption", found)
    page.click("#caption-form button[type=submit]")
    page.click("#photo-comments-show")
    expect(page.locator("#comments-none")).to_be_visible()
    find(bea, "photo", found)
    page.click("#photo-remove")
    find(bea, "delete", found)
    bea.answer(False)
    page.click("#photo-author")
    expect(page.locator("#person .tile")).to_have_count(1)
    find(bea, "person", found)
    bea.go("everyone")
    page.locator("#everyone-grid .toolbar button").first.click()
    page.locator("#everyone-grid .tile button").first.click()
    find(bea, "select", found)
    page.locator("#everyone-grid .chooser [data-name=save]").click()
    find(bea, "save", found)
    bea.answer(False)
    page.locator("#everyone-grid .chooser button").last.click()
    page.locator("#everyone-grid .tools button").first.click()
    expect(page.locator("#people")).to_be_visible()
    find(bea, "people", found)
    page.keyboard.press("Escape")
    page.evaluate("""import("/guest/gallery/hours.js").then(({ openHours }) => openHours(async () => {}))""")
    expect(page.locator("#hours")).to_be_visible()
    find(bea, "hours", found)
    page.keyboard.press("Escape")
    page.locator("#camera").click(force=True)
    expect(page.locator("#finder-note")).to_be_visible()
    find(bea, "finder", found)
    page.keyboard.press("Escape")
    expect(page.locator("#finder")).to_be_hidden()
    bea.open_me()
    page.click("#me-words-show")
    expect(page.locator("#me-words li")).to_have_count(12)
    find(bea, "me", found)
    page.click("#me-report")
    find(bea, "report", found)
    page.keyboard.press("Escape")
    page.click("#me-erase")
    find(bea, "erase", found)
    bea.answer(False)
    for path in ["help.html", "privacy.html", "organizer.html"]:
        page.goto(f"{party.host.origin}/{'fr/' if locale == 'fr-FR' else ''}{path}")
        find(bea, path, found)
    page.goto(f"{party.host.origin}{party.host.path}simple")
    find(bea, "simple", found)
    assert not found, "\n".join(found)


# Endless ones, too; those that motion is unwanted for take no time.
MOVING = """() => document.getAnimations().filter((one) => one.playState === "running"
    && Number(one.effect.getTiming().duration) > 10).length"""


def test_what_happens_is_told_to_screen_readers_and_nothing_moves_where_motion_is_unwanted(illustrated, guests, painter):
    cleo = guests(illustrated, "phone", reduced_motion="reduce").open(illustrated.host.link).enter("Cleo")
    told = cleo.page.locator("#announce")
    expect(told).to_have_attribute("aria-live", "polite")
    cleo.choose([painter.photo()])
    expect(cleo.page.locator("#progress")).to_be_hidden()
    expect(told).to_have_text("Your photo is in!")
    cleo.go("everyone")
    expect(cleo.page.locator("#everyone-grid .tile").first).to_be_visible()
    assert cleo.page.evaluate(MOVING) == 0
    cleo.open_photo("mine")
    expect(told).to_contain_text("1 of 1.")
    cleo.page.click("#photo-remove")
    cleo.answer()
    expect(told).to_have_text("Deleted for everyone.")
    # The photo has used a frame, so this film is not empty.
    expect(cleo.page.locator("#mine-grid .note")).to_have_text("No photos yet.")


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_axe_finds_nothing_on_the_wall(illustrated, guests, locale):
    wall, found = guests(illustrated, "desktop", locale=locale), []
    page = wall.page
    wall.open(illustrated.host.link.replace("/#", "/wall#"))
    expect(page.locator("#stage .shown img").first).to_be_visible()
    find(wall, "a photo", found)
    page.keyboard.press(" ")
    expect(page.locator("#paused")).to_be_visible()
    find(wall, "paused", found)
    page.keyboard.press("c")
    expect(page.locator("#clock")).to_be_visible()
    find(wall, "the clock", found)
    page.keyboard.press("c")
    # The code before the first photo, and between photos.
    for state in ["waiting", "card"]:
        page.evaluate("(state) => { document.getElementById('wall').dataset.state = state; }", state)
        find(wall, state, found)
    assert found == []


@pytest.fixture(scope="module")
def guarded(parties, painter):
    """An event in which a guest's photo waits for approval, and one of the host's is shown."""
    party = parties(guests=0)
    party.host.command("event", "edit", "--approve", "all")
    party.host.command("add", painter.photo())
    assert Client(party.host.link).enter("Bea").upload(painter.photo().read_bytes())[0] == 204
    yield party
    party.end()


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_axe_finds_nothing_where_the_desk_asks_for_a_decision(guarded, guests, locale):
    party, found = guarded, []
    url = party.host.desk()
    desk = guests(SimpleNamespace(origins={url.split("/desk")[0]}), "desktop", locale=locale).open(url)
    page = desk.page
    page.click("#nav [data-section=queue]")
    expect(page.locator("#queue li")).to_have_count(1)
    find(desk, "queue", found)
    page.click("#nav [data-section=photos]")
    page.locator("#grid li button").first.click()
    expect(page.locator(".viewer")).to_be_visible()
    find(desk, "viewer", found)
    page.click("#erase")
    expect(page.locator("#ask")).to_be_visible()
    find(desk, "deleting", found)
    desk.answer(False)
    page.keyboard.press("Escape")
    page.click("#nav [data-section=people]")
    # The organizer's own machine, and somebody else.
    for summary in (page.locator("#people details summary").first, page.locator("#people details summary").last):
        summary.click()
    find(desk, "a person", found)
    page.click("#nav [data-section=invite]")
    page.click("#show-node")
    expect(page.locator("#node-invitation")).to_be_visible()
    find(desk, "the invitation for computers", found)
    page.click("#nav [data-section=settings]")
    page.click("#close")
    expect(page.locator("#ask")).to_be_visible()
    find(desk, "closing", found)
    desk.answer(False)
    page.click("#show-key")
    expect(page.locator("#key-words li")).to_have_count(24)
    find(desk, "the key", found)
    page.click("#another")
    expect(page.locator("#create-form")).to_be_visible()
    page.evaluate("for (const one of document.querySelectorAll('#create-form details')) one.open = true")
    find(desk, "a new event", found)
    assert found == []


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_axe_finds_nothing_on_the_desk(illustrated, guests, locale):
    party, found = illustrated, []
    url = party.host.desk()
    desk = guests(SimpleNamespace(origins={url.split("/desk")[0]}), "desktop", locale=locale).open(url)
    for section in ["overview", "photos", "invite", "people", "settings"]:
        desk.page.click(f"#nav [data-section={section}]")
        expect(desk.page.locator("#main")).to_have_attribute("data-section", section)
        expect(desk.page.locator("#main h1")).to_have_count(1)
        find(desk, section, found)
    assert found == []


@pytest.fixture(scope="module")
def decided(parties, painter):
    """An event with two photos of a guest, and with used and unused tickets."""
    party = parties(guests=0, frames="5", options=["--tickets", "on"])
    lines = party.host.command("invite", "--tickets", "4", "--address", "127.0.0.1", "--json").splitlines()
    tickets = [json.loads(line)["link"].rsplit("~", 1)[1] for line in lines]
    bea, ben = (Client(party.host.link).enter(name) for name in ("Bea", "Ben"))
    assert bea.json("POST", "api/ticket", {"ticket": tickets[0]})[0] == 200
    assert ben.json("POST", "api/ticket", {"ticket": tickets[1]})[0] == 200
    for photo in painter.photos(2):
        assert bea.upload(photo.read_bytes())[0] == 204
    yield party
    party.end()


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_axe_finds_nothing_on_a_desk_with_receipts_and_used_tickets(decided, guests, locale):
    party, found = decided, []
    url = party.host.desk()
    desk = guests(SimpleNamespace(origins={url.split("/desk")[0]}), "desktop", locale=locale).open(url)
    page = desk.page
    page.click("#nav [data-section=photos]")
    page.locator("#grid li button").first.click()
    left = page.locator("#grid li").count() - 1
    page.click("#erase")
    desk.answer()
    expect(page.locator("#grid li")).to_have_count(left)
    if left:  # the next photo is shown
        page.keyboard.press("Escape")
    page.click("#nav [data-section=overview]")
    expect(page.locator("#receipts li")).to_have_count(1)
    find(desk, "receipts", found)
    page.click("#nav [data-section=invite]")
    expect(page.locator("#tickets li")).to_have_count(4)
    find(desk, "tickets", found)
    left = page.locator("#tickets li button").count() - 1
    page.locator("#tickets li button").last.click()
    expect(page.locator("#ask")).to_be_visible()
    find(desk, "cancelling", found)
    desk.answer()
    expect(page.locator("#tickets li button")).to_have_count(left)
    find(desk, "a cancelled ticket", found)
    assert found == []


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_axe_finds_nothing_where_a_guest_moves_to_another_node(shared_party, guests, painter, locale):
    found = []
    bea = guests(shared_party, "phone", locale=locale).open(shared_party.host.link).enter("Bea")
    page = bea.page
    bea.allow(UNREACHABLE)
    throttle(bea, 20_000)
    bea.choose(painter.photos(4, width=1600, height=1200))
    expect(page.locator("#progress")).to_be_visible()
    bea.expect_prober()
    shared_party.host.kill()
    expect(page.locator("#out-of-reach")).to_be_visible(timeout=180_000)
    find(bea, "out of reach", found)
    expect(page.locator("#moving-go")).to_be_visible(timeout=180_000)
    find(bea, "the offer", found)
    # The window that opens, and the one from which the guest came.
    bea.follow(lambda: page.click("#moving-go"))
    bea.expect_party()
    find(bea, "the other node", found)
    expect(page.locator("#moved")).to_be_visible()
    find(SimpleNamespace(page=page), "moved", found)
    assert found == []


def test_axe_finds_nothing_when_the_party_is_over_or_the_film_is_full(parties, guests, painter):
    party, found = parties(guests=0, frames="2"), []
    bea = guests(party, "phone", locale="fr-FR").open(party.host.link).enter("Bea")
    bea.choose(painter.photos(3), agrees=False)
    expect(bea.page.locator("#ask .fits")).to_be_visible()
    find(bea, "fits", found)
    bea.page.click("#ask button[value=yes]")
    expect(bea.page.locator("#ask a[href$='privacy.html']")).to_be_visible()
    bea.answer()
    bea.expect_all_sent()
    expect(bea.page.locator("#full")).to_be_visible()
    find(bea, "full", found)
    party.host.command("event", "close", "--yes")
    bea.go("everyone")
    expect(bea.page.locator("#over")).to_be_visible()
    find(bea, "over", found)
    later = guests(party, "phone", locale="fr-FR").open(party.host.link)
    expect(later.page.locator("#welcome-title")).to_be_visible()
    find(later, "welcome when it is over", found)
    assert not found, "\n".join(found)
    for guest in [bea, later]:
        guest.allow(UNREACHABLE)
    party.end()
