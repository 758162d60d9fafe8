# SPDX-License-Identifier: Apache-2.0
"""The organizer's desk: creating an event, managing it, and the limits of the desk."""

import json
import os
import re
import stat
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from client import Client
from films import video
from guest import UNREACHABLE
from party import BUILD, Node, eventually, read_code

SECTIONS = ["photos", "overview", "invite", "people", "settings"]


@pytest.fixture
def nodes(tmp_path):
    """Makes nodes, which end in every case."""
    made = []

    def make(name, *arguments, awaited="ready"):
        made.append(Node(tmp_path / name, *arguments, awaited=awaited))
        return made[-1]

    yield make
    for node in made:
        node.kill()


class Sitting:
    """A person at the desk of a node."""

    def __init__(self, guest, url):
        self.guest, self.page = guest, guest.page
        guest.open(url)

    def go(self, section):
        self.page.click(f'#nav a[href$="/{section}"]')
        expect(self.page.locator("#main")).to_have_attribute("data-section", section)
        return self

    def answer(self, yes=True):
        self.guest.answer(yes)

    def shots(self):
        return self.page.locator("#grid li:not([hidden]) .shot")


@pytest.fixture
def sit(guests):
    """Opens the desk of a node in a separate browser."""
    class Place:
        def __init__(self, node):
            url = node.said["desk"]["url"] if node.ready is None else node.desk()
            self.url, self.origins = url, {url.split("/desk#")[0]}

    def make(node, size="desktop", **options):
        place = Place(node)
        return Sitting(guests(place, size, **options), place.url)

    return make


@pytest.fixture(scope="module")
def garden(parties, painter):
    """An event with two nodes and three photos of the host's."""
    party = parties()
    party.host.command("add", *painter.photos(3))
    yield party
    party.end()


def test_typing_a_name_creates_an_event(nodes, sit, guests, tmp_path):
    node = nodes("desk", "desk", awaited="desk")
    desk = sit(node)
    expect(desk.page.locator("#create-form")).to_be_visible()
    expect(desk.page.locator("#name")).to_be_focused()
    # Nothing but the name is needed.
    desk.page.keyboard.type("Anna and Ben")
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator("#code")).to_be_visible()
    link = desk.page.inner_text("#guest-link")
    hosted = eventually("the node reports the event", lambda: node.said.get("hosted"))
    assert link == hosted["guestURL"]
    # A camera reads the link from the screen, and from the downloaded file.
    desk.page.wait_for_function("() => document.querySelector('#code').naturalWidth > 0")
    desk.page.locator("#code").screenshot(path=tmp_path / "screen.png")
    assert read_code(tmp_path / "screen.png") == link
    with desk.page.expect_download() as download:
        desk.page.click("text=Code as PNG")
    download.value.save_as(tmp_path / "file.png")
    assert read_code(tmp_path / "file.png") == link
    # It equals an event of `host`: guests enter, and other machines join.
    guest = guests(type("Origins", (), {"origins": {link.split("/#")[0]}}), "phone").open(link).enter("Grandma")
    expect(guest.page.locator("#party")).to_be_visible()
    other = nodes("other", "join", hosted["invitation"], "--as", "Chloe")
    eventually("the other node is admitted", lambda: "admitted" in other.said)
    shown = json.loads(node.command("event", "show", "--json"))
    assert shown["parameters"]["name"] == "Anna and Ben" and shown["parameters"]["isOpened"]


def test_a_preset_and_changed_values_become_the_event(nodes, sit):
    node = nodes("desk", "desk", awaited="desk")
    desk = sit(node)
    page = desk.page
    page.fill("#name", "Baptism of Zoé")
    page.get_by_role("radio", name="Camp").check()
    expect(page.locator("#rules")).to_have_text("36 photos each · everyone sees them after the end · open for 7 days · deleted 8 days later")
    page.click("#change summary")
    expect(page.get_by_label("Photos a guest may take", exact=True).locator("visible=true")).to_have_value("36")
    page.get_by_role("button", name="Photos a guest may take: more").click()
    page.get_by_role("button", name="Lasts: less").click()
    page.get_by_role("radio", name="after the end").check()
    expect(page.locator("#rules")).to_have_text("37 photos each · everyone sees them after the end · open for 6 days · deleted 8 days later")
    page.click("#more summary")
    page.get_by_label("Where", exact=True).fill("By the lake")
    page.get_by_label("Draft").check()
    page.click("#legal summary")
    expect(page.get_by_label("Kind of event")).to_have_value("camp")
    page.get_by_label("Kind of event").select_option("Festival")
    page.get_by_label("Entry price").fill("12.50 eur")
    page.get_by_label("Position on the map of events").fill("47,24 6,02")
    page.click("#create")
    expect(page.locator(".error", has_text="Write a latitude (−90 to 90)")).to_be_visible()
    page.get_by_label("Position on the map of events").fill("91, 6")
    page.click("#create")
    expect(page.locator(".error", has_text="Write a latitude (−90 to 90)")).to_be_visible()
    page.get_by_label("Position on the map of events").fill(" -33.86882,151.2093 ")
    page.click("#create")
    expect(page.locator("#code")).to_be_visible()
    event = json.loads(node.command("event", "show", "--json"))
    parameters = event["parameters"]
    assert event["phase"] == "draft"
    assert (parameters["frames"], parameters["durationHours"], parameters["reveal"]) == (37, 144, "at-end")
    assert (parameters["place"], parameters["category"]) == ("By the lake", "festival")
    assert parameters["price"] == {"cents": 1250, "currency": "EUR"}
    assert parameters["position"] == {"latitude": -33869, "longitude": 151209}
    settings = desk.go("settings").page
    field = settings.get_by_label("Position on the map of events")
    expect(field).to_have_value("-33.869, 151.209")
    settings.locator("details", has=field).locator("summary").click()
    field.fill("")
    settings.click("#save")
    expect(settings.locator("#toast")).to_contain_text("Saved")
    assert "position" not in json.loads(node.command("event", "show", "--json"))["parameters"]


def test_a_key_opens_once_and_is_removed_from_the_address(garden, sit, guests):
    url = garden.host.desk()
    first = guests(garden, "desktop").open(url)
    expect(first.page.locator("#overview")).to_be_visible()
    assert "#" not in first.page.url or url.split("#")[1] not in first.page.url
    second = guests(garden, "desktop").open(url)
    second.allow(r"status of 40[13]")
    expect(second.page.get_by_role("alert")).to_contain_text("has been used")
    expect(second.page.locator("#side")).to_be_hidden()
    # The first session stays open, over a reload too.
    first.page.reload()
    expect(first.page.locator("#overview")).to_be_visible()


def test_on_a_desktop_the_browser_opens_and_other_users_see_no_key(garden, guests, tmp_path):
    opened = tmp_path / "opened"
    opener = tmp_path / "xdg-open"
    opener.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\n')
    opener.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "DISPLAY": ":0"}
    program = [BUILD / "disposable", "desk", "--data", garden.host.folder]

    def at_a_terminal(*options, **variables):
        terminal, other_end = os.openpty()
        said = subprocess.run(
            [*program, *options], stdout=other_end, stderr=subprocess.PIPE, text=True, timeout=120,
            env={**environment, **variables})
        os.close(other_end)
        try:
            printed = os.read(terminal, 1 << 16).decode()
        except OSError:  # nothing was written
            printed = ""
        os.close(terminal)
        assert said.returncode == 0, said.stderr
        return printed

    # In a pipe, without a display and where it is wanted so, the address is for the reader.
    piped = subprocess.run(program, capture_output=True, text=True, timeout=120, env=environment)
    assert "/desk#" in piped.stdout
    assert "/desk#" in at_a_terminal(DISPLAY="", WAYLAND_DISPLAY="")
    assert "/desk#" in at_a_terminal("--print")
    assert not opened.exists()

    assert "/desk#" not in at_a_terminal()
    page = Path(eventually("the browser was started", lambda: opened.exists() and opened.read_text().strip()))
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert page.parent == garden.host.folder
    guest = guests(SimpleNamespace(origins={*garden.origins, "file://"}), "desktop")
    guest.page.goto(page.as_uri())
    expect(guest.page.locator("#overview")).to_be_visible()


def test_another_page_on_this_machine_gets_nothing(garden):
    for headers in [{}, {"Origin": "http://evil.example"}, {"Cookie": "disposable-desk-1=AAAA"}]:
        request = urllib.request.Request(f"{garden.host.origin}/desk/api/events", headers=headers)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
        assert refused.value.code == 401


def test_a_guests_photo_appears_live_and_h_hides_it_from_guests(garden, sit, guests, painter):
    desk = sit(garden.host).go("photos")
    expect(desk.shots().nth(2)).to_be_visible()
    before = desk.shots().count()
    guest = guests(garden, "phone").open(garden.host.link).enter("Ben")
    guest.choose([painter.photo()])
    guest.expect_all_sent()
    expect(desk.shots()).to_have_count(before + 1, timeout=180_000)
    expect(desk.shots().first).to_have_attribute("aria-label", re.compile("Photo by Ben"))
    desk.page.wait_for_function("() => document.querySelector('#grid img')?.naturalWidth > 0")
    other = guests(garden, "phone").open(garden.other.link).enter("Chloe")
    other.expect_photos(before + 1)
    other.expect_pictures_loaded()
    # By keyboard alone: to the first photo, and h.
    desk.page.keyboard.press("j")
    expect(desk.shots().first).to_be_focused()
    desk.page.keyboard.press("h")
    expect(desk.shots().first).to_have_attribute("aria-label", re.compile("hidden"))
    other.expect_photos(before)
    desk.page.keyboard.press("h")
    expect(desk.shots().first).not_to_have_attribute("aria-label", re.compile("hidden"))
    other.expect_photos(before + 1)


def test_keys_move_between_photos_mark_them_and_open_them(garden, sit, tmp_path):
    desk = sit(garden.host).go("photos")
    page = desk.page
    expect(desk.shots().nth(2)).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(desk.shots().nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(desk.shots().nth(0)).to_be_focused()
    page.keyboard.press("f")
    expect(desk.shots().nth(0)).to_have_attribute("aria-label", re.compile("favourite"))
    page.keyboard.press("Enter")
    viewer = page.locator(".viewer")
    expect(viewer).to_be_visible()
    page.wait_for_function("() => document.querySelector('.stage img')?.naturalWidth > 0")
    first = page.locator(".stage img").get_attribute("src")
    page.keyboard.press("j")
    expect(page.locator(".stage img")).not_to_have_attribute("src", first)
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    expect(desk.shots().nth(1)).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#ask")).to_contain_text("hide it from guests")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Favourites").click()
    expect(desk.shots()).to_have_count(1)
    # The command line has the mark, too.
    lines = garden.host.command("gallery", "--favourites", "--json").splitlines()
    assert [json.loads(line)["id"] for line in lines] == [page.locator("#grid li").get_attribute("data-id")]
    garden.host.command("export", "--favourites", tmp_path / "favourites")
    exported = {path.name for path in (tmp_path / "favourites").iterdir()}
    garden.host.command("export", tmp_path / "all")
    # With its position among all photos.
    assert len(exported) == 1 and exported < {path.name for path in (tmp_path / "all").iterdir()}
    page.keyboard.press("ArrowRight")
    page.keyboard.press("f")
    expect(desk.shots().first).not_to_have_attribute("aria-label", re.compile("favourite"))


def test_an_edit_that_breaks_a_promise_is_refused_beside_its_field(garden, sit):
    desk = sit(garden.host).go("settings")
    desk.guest.allow(r"status of 409")
    page = desk.page
    before = json.loads(garden.host.command("event", "show", "--json"))["parameters"]
    # Unlimited frames were promised: what was not is disabled, with the reason.
    expect(page.get_by_role("radio", name="12", exact=True)).to_be_disabled()
    expect(page.locator("#settings-form")).to_contain_text("Guests were promised photos without a limit.")
    expect(page.get_by_label("Guests need a ticket to take photos")).to_be_disabled()
    kept = page.get_by_role("group", name="Kept after the end")
    expect(kept.get_by_role("spinbutton")).to_have_value("8")
    kept.get_by_role("button", name="more").click()
    expect(kept.get_by_role("spinbutton")).to_have_value("8")
    # The node refuses it as well, for a page that has not heard of the opening.
    page.locator("input[value='12']").evaluate("(input) => { input.disabled = false; }")
    page.get_by_role("radio", name="12", exact=True).check()
    page.click("#save")
    expect(page.locator("#settings-error")).to_contain_text("guests were promised their photos")
    expect(page.locator("#settings-error")).to_be_in_viewport()
    assert json.loads(garden.host.command("event", "show", "--json"))["parameters"] == before
    # An edit in the guests' favour is accepted.
    page.get_by_role("radio", name="No limit").check()
    page.get_by_label("Where", exact=True).fill("In the garden")
    page.click("#save")
    expect(page.locator("#toast")).to_contain_text("Saved")
    expect(page.locator("#settings-error")).to_be_empty()
    # And nothing else changed.
    after = json.loads(garden.host.command("event", "show", "--json"))["parameters"]
    assert after == {**before, "place": "In the garden"}


def test_a_text_to_agree_to_begins_with_a_template_and_replaces_ones_own_after_a_second_tap(parties, sit):
    party = parties(name="The school trip", guests=0)
    page = sit(party.host).go("settings").page
    field = page.get_by_label("What guests agree to")
    templates = page.get_by_role("group", name="Begin with a text for")
    templates.get_by_role("button", name="children").click()
    expect(field).to_have_value(re.compile("under 15, a parent has read this"))
    # A template that is as it was is no text of one's own.
    templates.get_by_role("button", name="adults").click()
    expect(field).to_have_value(re.compile("^(?!.*under 15)Everyone at this event"))
    field.fill("Photos of the cake only.")
    templates.get_by_role("button", name="children").click()
    expect(field).to_have_value("Photos of the cake only.")
    expect(templates).to_contain_text("Tap once more")
    templates.get_by_role("button", name="children").click()
    expect(field).to_have_value(re.compile("under 15"))
    page.click("#save")
    eventually("the text is that of the event", lambda: "under 15" in party.host.command("event", "show"))


def test_deleting_wants_the_name_and_ends_the_pages(parties, sit, guests):
    party = parties(name="Deleted party", guests=0)
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    bea.allow("404|403|event stream|status of")
    client = Client(party.host.link)
    desk = sit(party.host).go("settings")
    desk.guest.allow("status of 422")
    page = desk.page
    page.click("#delete")
    page.get_by_label("Type the event's name").fill("Another party")
    page.get_by_role("button", name="Delete everything").click()
    expect(page.locator("#toast")).to_contain_text("not the event's name")
    assert not json.loads(party.host.command("event", "show", "--json"))["isDeleted"]
    page.click("#delete")
    page.get_by_label("Type the event's name").fill("Deleted party")
    page.get_by_role("button", name="Delete everything").click()
    expect(page.locator("#toast")).to_contain_text("The event is deleted")
    expect(page.locator("#delete")).to_be_hidden()
    assert json.loads(party.host.command("event", "show", "--json"))["isDeleted"]
    eventually("the pages have ended", lambda: client.json("GET", "api/me")[0] == 404)


def test_closing_explains_its_effect_and_needs_a_confirmation(lone_party, sit):
    desk = sit(lone_party.host).go("settings")
    page = desk.page

    def phase():
        return json.loads(lone_party.host.command("event", "show", "--json"))["phase"]

    page.click("#close")
    expect(page.locator("#ask")).to_contain_text("Guests see that the event is over")
    desk.answer(yes=False)
    assert phase() == "open"
    page.click("#close")
    desk.answer()
    expect(page.locator("#reopen")).to_be_visible()
    assert phase() == "revealed"
    page.click("#reopen")
    desk.answer()
    expect(page.locator("#close")).to_be_visible()
    assert phase() == "open"


def test_sealed_photos_are_counted_and_shown_when_the_host_reveals_them(later_party, sit, painter):
    later_party.join().command("add", painter.photo())
    eventually("the photo is here", lambda: len(later_party.host.gallery()) == 1)
    desk = sit(later_party.host).go("photos")
    expect(desk.page.locator(".note")).to_contain_text("1 photo in the camera")
    expect(desk.shots()).to_have_count(0)
    desk.go("settings").page.click("#reveal")
    expect(desk.page.locator("#ask")).to_contain_text("This can't be undone")
    desk.answer()
    expect(desk.page.locator("#toast")).to_contain_text("1 photo is shown")
    desk.go("photos")
    expect(desk.shots()).to_have_count(1)


def test_people_get_frames_and_roles_and_a_removed_guest_is_told(lone_party, sit, guests, painter):
    phone = guests(lone_party, "phone").open(lone_party.host.link).enter("Dora")
    phone.choose([painter.photo()])
    phone.expect_photos(1, "mine")
    lone_party.host.command("event", "show")
    desk = sit(lone_party.host).go("people")
    page = desk.page
    dora = page.locator("#people li", has_text="Dora")
    expect(dora).to_be_visible()
    expect(page.locator("#people li", has_text="Anna")).to_contain_text("organizer")
    dora.locator("summary").click()
    dora.get_by_role("button", name="Make photographer").click()
    expect(page.locator("#people li", has_text="Dora").locator(".tag")).to_contain_text("photographer")
    page.locator("#people li", has_text="Dora").locator("summary").click()
    page.locator("#people li", has_text="Dora").get_by_role("button", name="Remove from event").click()
    expect(page.locator("#ask")).to_contain_text("Remove Dora from the event?")
    desk.answer()
    expect(page.locator("#people li", has_text="Dora")).to_have_count(0)
    # It was the wrong person, and then the right one.
    page.locator("#toast").get_by_role("button", name="Let back in").click()
    expect(page.locator("#toast")).to_contain_text("Dora can take part again.")
    page.locator("#people li", has_text="Dora").locator("summary").click()
    page.locator("#people li", has_text="Dora").get_by_role("button", name="Remove from event").click()
    desk.answer()
    expect(page.locator("#people li", has_text="Dora")).to_have_count(0)
    names = [person.get("name") for person in json.loads(lone_party.host.command("event", "show", "--json"))["people"]]
    assert "Dora" not in names
    phone.allow("403")
    phone.choose([painter.photo()])
    phone.go("mine")
    expect(phone.page.locator(".upload")).to_contain_text("You were removed from this event.")


def test_removing_a_person_together_with_those_it_admitted_asks_a_second_time(own_party, nodes, sit):
    own_party.host.kill()
    invitation = own_party.other.command("invite", "--node").strip()
    nodes("third", "join", invitation, "--as", "Chloe")
    own_party.host.start()
    eventually("Chloe is a member", lambda: "Chloe" in own_party.host.command("event", "show"))
    desk = sit(own_party.host).go("people")
    page = desk.page
    desk.guest.allow("409")
    middle = page.locator("#people li", has_text="Node 1")
    middle.locator("summary").click()
    middle.get_by_role("button", name="Remove from event").click()
    page.get_by_label("Also remove Chloe").check()
    # The second question takes the place of the first one at once.
    page.locator("#ask button[value=yes]").click()
    expect(page.locator("#ask")).to_contain_text("Others lose something")
    expect(page.locator("#ask")).to_contain_text("No longer part of the event: Chloe.")
    desk.answer()
    expect(page.locator("#people li")).to_have_count(1)


def test_the_overview_counts_photos_and_names_those_only_on_this_machine(garden, sit):
    desk = sit(garden.host)
    page = desk.page
    photos = len(garden.host.gallery())
    expect(page.locator("#figure-photos dd").first).to_have_text(str(photos))
    # One, unless a full hour has passed since the first.
    hours = {photo["addedAt"][:len("2026-01-01T00")] for photo in garden.host.gallery()}
    expect(page.locator("svg.bars .bar:not(.none)")).to_have_count(len(hours))
    expect(page.locator("#machines")).to_contain_text("Node 1")
    expect(page.locator("#machines")).to_contain_text("connected")
    expect(page.get_by_text("Every photo is on two computers or more.")).to_be_visible(timeout=180_000)


def test_frames_are_counted_for_the_guests_who_have_a_limit(parties, sit, painter):
    party = parties(frames="27", guests=0)
    # The organizer has no limit.
    party.host.command("add", *painter.photos(2))
    for name in ("Bea", "Cleo"):
        Client(party.host.link).enter(name).upload(painter.photo().read_bytes())
    desk = sit(party.host)
    expect(desk.page.locator("#figure-frames dd").first).to_have_text("2 of 54")
    expect(desk.page.locator("#figure-frames")).to_contain_text("and 2 without a limit")


def test_the_first_form_fits_a_small_laptop(nodes, sit):
    page = sit(nodes("desk", "desk", awaited="desk")).page
    page.set_viewport_size({"width": 1366, "height": 768})
    for name in ("What is it called?", "Who hosts?"):
        expect(page.get_by_label(name)).to_be_in_viewport(ratio=1)
    expect(page.locator("#create")).to_be_in_viewport(ratio=1)


def test_the_state_of_the_event_is_the_same_everywhere(lone_party, sit):
    desk = sit(lone_party.host).go("settings")
    page = desk.page
    expect(page.locator("#event-state")).to_have_text("Open")
    # The event is closed elsewhere while text is being typed here.
    page.get_by_label("Where", exact=True).fill("In the gar")
    lone_party.host.command("event", "close", "--yes")
    expect(page.locator("#event-state")).to_have_text("Over, photos shown")
    expect(page.locator("#standing")).to_contain_text("Over, photos shown")
    expect(page.locator("#standing")).not_to_contain_text("Until")
    expect(page.get_by_label("Where", exact=True)).to_have_value("In the gar")
    desk.go("overview")
    expect(page.locator("#overview")).to_contain_text("Over, photos shown")
    expect(page.locator("#overview")).not_to_contain_text("Until")


def test_a_draft_offers_only_valid_commands_and_can_be_opened_beside_its_code(parties, sit):
    party = parties(options=["--draft", "--reveal", "by-host"], guests=0)
    desk = sit(party.host)
    page = desk.page
    expect(page.locator("#event-state")).to_have_text("Draft, not open yet")
    expect(page.locator("#copies")).to_have_count(0)
    desk.go("settings")
    expect(page.locator("#open")).to_be_visible()
    expect(page.locator("#reveal")).to_have_count(0)
    desk.go("invite")
    expect(page.locator("#code")).to_be_visible()
    page.click("#open-here")
    desk.answer()
    expect(page.locator("#draft")).to_be_hidden()
    expect(page.locator("#event-state")).to_have_text("Open")
    assert json.loads(party.host.command("event", "show", "--json"))["phase"] == "open"


def test_times_and_frames_of_each_day_are_set_at_the_desk_and_a_past_start_is_told_before_opening(parties, sit):
    party = parties(frames="9", options=["--draft", "--duration", "2d"], guests=0)
    desk = sit(party.host).go("settings")
    page = desk.page

    def saved():
        page.click("#save")
        expect(page.locator(".save")).to_be_hidden()
        return json.loads(party.host.command("event", "show", "--json"))["parameters"]

    expect(page.locator("#standing")).to_contain_text("It begins when you open it.")
    expect(page.get_by_label("Starts", exact=True)).to_have_value("")
    late = page.get_by_role("group", name="Photos after the end")
    expect(late.get_by_label("refuse")).to_be_checked()
    late.get_by_label("2 hours", exact=True).check()
    page.get_by_label("Each day", exact=True).check()
    now = saved()
    assert (now["acceptsAnyTime"], now["lateMinutes"], now["areFramesDaily"], now["frames"]) == (False, 120, True, 9)
    assert now["startsOnOpening"]
    late.get_by_label("accept any", exact=True).check()
    assert saved()["acceptsAnyTime"]
    party.host.command("event", "edit", "--late", "45m")
    desk.go("overview").go("settings")
    expect(late.get_by_label("45 minutes")).to_be_checked()
    page.get_by_label("Starts", exact=True).fill("2020-05-01T18:00")
    assert not saved()["startsOnOpening"]
    page.click("#open")
    expect(page.locator("#ask")).to_contain_text("which is past, and it is over already")
    desk.answer(yes=False)
    party.host.command("event", "edit", "--starts", "now")
    page.click("#open")
    expect(page.locator("#ask")).not_to_contain_text("which is past")
    desk.answer()
    expect(page.locator("#event-state")).to_have_text("Open")
    party.end()


def test_save_is_there_when_something_has_changed_and_stands_on_the_navigation(garden, sit):
    desk = sit(garden.host, "phone").go("settings")
    page = desk.page
    save = page.locator(".save")
    expect(page.get_by_label("Where", exact=True)).to_be_visible()
    expect(save).to_be_hidden()
    place = page.get_by_label("Where", exact=True).input_value()
    page.get_by_label("Where", exact=True).fill(f"{place} below the trees")
    expect(save).to_be_visible()
    page.evaluate("scrollTo(0, 200)")
    edge, top = save.bounding_box(), page.locator("#nav").bounding_box()["y"]
    assert abs(edge["y"] + edge["height"] - top) < 1.5
    page.get_by_label("Where", exact=True).fill(place)
    expect(save).to_be_hidden()


def test_a_missing_name_is_asked_for_with_its_label_visible(garden, sit):
    desk = sit(garden.host, "phone").go("settings")
    page = desk.page
    page.get_by_label("Name", exact=True).fill("")
    page.evaluate("scrollTo(0, 2000)")
    page.click("#save")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    expect(page.locator("label", has_text=re.compile("^Name$"))).to_be_in_viewport(ratio=1)


def test_a_video_plays_at_the_desk(lone_party, sit, tmp_path):
    lone_party.host.command("add", video(tmp_path / "dance.webm"))
    desk = sit(lone_party.host).go("photos")
    expect(desk.shots().first).to_have_attribute("aria-label", re.compile("^Video by Anna"))
    desk.shots().first.click()
    film = desk.page.locator(".stage video")
    expect(film).to_have_attribute("controls", "")
    film.evaluate("(video) => { video.muted = true; return video.play(); }")
    eventually("it plays", lambda: film.evaluate("(video) => video.currentTime > 0.2"))
    desk.page.keyboard.press("Escape")
    expect(film).to_have_count(0)


def test_several_photos_are_hidden_and_unhidden_at_once(lone_party, sit, painter):
    lone_party.host.command("add", *painter.photos(4))
    desk = sit(lone_party.host).go("photos")
    page = desk.page
    expect(desk.shots()).to_have_count(4)
    page.click("#select")
    for number in (0, 2):
        desk.shots().nth(number).click()
        expect(desk.shots().nth(number)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".viewer")).to_be_hidden()
    page.get_by_role("button", name="Hide 2").click()
    expect(page.locator("#toast")).to_contain_text("2 photos hidden from guests.")

    def hidden():
        return json.loads(lone_party.host.command("event", "show", "--json"))["hiddenCount"]

    assert hidden() == 2
    page.locator("#toast").get_by_role("button", name="Undo").click()
    eventually("they are unhidden", lambda: hidden() == 0)
    # By keyboard alone.
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="Hide 2")).to_be_visible()


def test_the_photos_can_be_filtered_by_person(lone_party, sit, painter):
    lone_party.host.command("add", *painter.photos(2))
    Client(lone_party.host.link).enter("Bea").upload(painter.photo().read_bytes())
    desk = sit(lone_party.host).go("photos")
    page = desk.page
    expect(desk.shots()).to_have_count(3)
    page.get_by_label("Photos by").select_option("Bea")
    expect(desk.shots()).to_have_count(1)
    expect(desk.shots().first).to_have_attribute("aria-label", re.compile("Photo by Bea"))
    desk.go("people")
    page.get_by_role("link", name="Photos by Anna").click()
    expect(desk.shots()).to_have_count(2)
    expect(page.get_by_label("Photos by").locator("option:checked")).to_have_text("Anna")


def test_a_person_is_found_among_many_by_a_part_of_the_name(lone_party, sit):
    for name in ("Chloë", "Bea", "Emma", "Farid", "Gus", "Hana", "Ida"):
        Client(lone_party.host.link).enter(name)
    desk = sit(lone_party.host).go("people")
    page = desk.page
    find = page.get_by_label("Find a person")
    # These and the host are seen at a glance.
    expect(page.locator("#people li")).to_have_count(8)
    expect(find).to_be_hidden()
    Client(lone_party.host.link).enter("Jo")
    page.reload()
    expect(find).to_be_visible()
    find.fill("HLOE")
    expect(page.locator("#people li")).to_have_count(1)
    expect(page.locator("#people li")).to_contain_text("Chloë")
    find.fill("Zoe")
    expect(page.locator("#people li")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("Nobody here is called “Zoe”.")
    find.fill("")
    expect(page.locator("#people li")).to_have_count(9)


def test_comments_are_read_and_hidden(lone_party, sit, painter):
    lone_party.host.command("add", painter.photo())
    photo = lone_party.host.gallery()[0]["id"]
    bea = Client(lone_party.host.link).enter("Bea")
    for sentence in ("What a cake!", "Something rude"):
        bea.json("POST", f"api/photos/{photo}/comments", {"text": sentence})
    desk = sit(lone_party.host).go("photos")
    page = desk.page
    desk.shots().first.click()
    page.get_by_role("button", name="2 comments", exact=True).click()
    comments = page.locator(".comments li")
    expect(comments).to_have_count(2)
    expect(comments.first).to_contain_text("Bea")

    def said():
        return [one["text"] for one in bea.json("GET", f"api/photos/{photo}/comments")[2]["comments"]]

    page.get_by_role("button", name="Hide “Something rude”").click()
    expect(comments).to_have_count(1)
    assert said() == ["What a cake!"]
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(comments).to_have_count(2)
    assert said() == ["What a cake!", "Something rude"]
    page.keyboard.press("Escape")
    desk.shots().first.click()
    expect(page.locator(".comments")).to_be_hidden()


def test_a_notice_reaches_all_guests_until_it_is_removed(lone_party, sit, guests):
    phone = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea")
    desk = sit(lone_party.host)
    page = desk.page
    page.get_by_label("New notice").fill("Cake at ten, in the barn")
    page.click("#notice-post")
    expect(page.locator("#notice")).to_contain_text("Anna")
    expect(phone.page.locator("#notice")).to_contain_text("Cake at ten, in the barn")
    page.get_by_label("New notice").fill("Half written")
    page.click("#notice-remove")
    expect(phone.page.locator("#notice")).to_be_hidden()
    expect(page.locator("#notice-remove")).to_have_count(0)
    expect(page.get_by_label("New notice")).to_have_value("Half written")


def test_a_poster_contains_the_wifi_and_a_wrong_one_is_explained(garden, sit, tmp_path):
    desk = sit(garden.host).go("invite")
    desk.guest.allow(r"status of 422")
    page = desk.page
    page.get_by_label("Name of the Wi-Fi").fill("Party")
    page.get_by_label("Wi-Fi password").fill("short")
    page.get_by_label("Address at the event").fill("192.168.7.1")
    page.click("#make-card")
    expect(page.get_by_role("alert")).to_contain_text("password")
    page.get_by_label("Wi-Fi password").fill("correct horse")
    with page.expect_download(timeout=300_000) as download:
        page.click("#make-card")
    download.value.save_as(tmp_path / "card.pdf")
    assert (tmp_path / "card.pdf").read_bytes().startswith(b"%PDF")
    expect(page.locator("#paper-state")).to_contain_text("was verified")


def test_the_invitation_for_machines_is_shown_only_when_asked_for(garden, sit):
    desk = sit(garden.host).go("invite")
    expect(desk.page.locator("#guest-link")).to_be_visible()
    assert "DISPOSABLE1" not in desk.page.content()
    desk.page.click("#show-node")
    expect(desk.page.locator("#node-invitation")).to_have_text(re.compile("^disposable join DISPOSABLE1:"))


def test_the_key_of_the_event_is_shown_as_words_when_asked_for(garden, sit):
    page = sit(garden.host).go("settings").page
    words = page.locator("#key-words li")
    expect(page.locator("#show-key")).to_be_visible()
    expect(words).to_have_count(0)
    page.click("#show-key")
    expect(words).to_have_count(24)
    assert words.all_inner_texts() == json.loads(garden.host.command("event", "backup", "--json").splitlines()[0])["words"]
    page.click("#show-key")
    expect(words).to_have_count(0)
    # A node without the key offers none.
    other = sit(garden.other).go("settings").page
    expect(other.locator("#pictures")).to_be_visible()
    expect(other.locator("#key")).to_have_count(0)


@pytest.mark.share(of=2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_wider_than_the_screen(garden, sit, scheme):
    desk = sit(garden.host, "phone", scheme=scheme)
    for section in SECTIONS:
        desk.go(section)
        expect(desk.page.locator("#main > *").first).not_to_have_class(re.compile("late"))
        # Also in a language that is written from the right.
        for direction in ["rtl", "ltr"]:
            desk.page.evaluate("(direction) => { document.documentElement.dir = direction; }", direction)
            wide = desk.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, (section, direction)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_on_a_phone_the_names_of_all_sections_keep_apart_and_the_shown_one_is_in_sight(parties, sit, locale):
    party = parties(guests=0, options=["--approve", "all", "--veils", "on"])
    desk = sit(party.host, "phone", locale=locale)
    for section in [*SECTIONS, "queue", "veils"]:
        desk.go(section)
        boxes = [span.bounding_box() for span in desk.page.locator("#nav a:not([hidden]) > span:not(.count)").all()]
        assert len(boxes) == len(SECTIONS) + 2
        gaps = [right["x"] - left["x"] - left["width"] for left, right in zip(boxes, boxes[1:])]
        assert min(gaps) >= 8, (section, gaps)
        shown = desk.page.locator("#nav [aria-current=page]").bounding_box()
        assert shown["x"] >= 0 and shown["x"] + shown["width"] <= 360, (section, shown)


def test_the_keyboard_reaches_every_section_and_controls_have_accessible_names(garden, sit):
    desk = sit(garden.host)
    page = desk.page
    expect(page.locator("#overview")).to_be_visible()
    for section in SECTIONS:
        link = page.locator(f'#nav a[href$="/{section}"]')
        for _ in range(40):
            if link.evaluate("element => element === document.activeElement"):
                break
            page.keyboard.press("Tab")
        expect(link).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#main")).to_have_attribute("data-section", section)
        expect(page.locator(f'#nav a[href$="/{section}"]')).to_have_attribute("aria-current", "page")
        expect(page.locator("#main h1")).to_have_count(1)
        nameless = page.evaluate("""() => [...document.querySelectorAll('button, input, select, textarea, a, img:not([alt=""])')]
            .filter((element) => element.checkVisibility() && !(element.textContent.trim() || element.getAttribute('aria-label')
                || element.labels?.length || element.alt)).map((element) => element.outerHTML)""")
        assert nameless == [], section
        page.evaluate("document.activeElement.blur()")


def test_names_and_captions_are_escaped(own_party, sit, guests, painter):
    evil = "<img src=x onerror=alert(1)>"
    own_party.other.command("rename", evil)
    own_party.other.command("add", painter.photo(), "--caption", evil)
    eventually("the photo is here", lambda: len(own_party.host.gallery()) == 1)
    desk = sit(own_party.host).go("people")
    expect(desk.page.get_by_text(evil).first).to_be_visible()
    desk.go("photos")
    desk.shots().first.click()
    expect(desk.page.locator(".viewer .caption")).to_contain_text(evil)


def test_the_session_ends_with_the_node(lone_party, sit):
    desk = sit(lone_party.host)
    desk.guest.allow(UNREACHABLE)
    desk.guest.allow(r"status of 40[14]")
    expect(desk.page.locator("#overview")).to_be_visible()
    lone_party.host.kill()
    lone_party.host.start()
    desk.page.reload()
    expect(desk.page.locator("h1")).to_have_text("Open the desk")
    expect(desk.page.locator("#main")).not_to_contain_text("null")
    expect(desk.page.get_by_text("disposable desk", exact=True)).to_be_visible()
