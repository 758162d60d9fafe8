# SPDX-License-Identifier: Apache-2.0
"""What an organizer has the pages offer: names, the camera, photos at once, saving, videos."""

import json
import re
import subprocess
from collections import Counter

import pytest
from playwright.sync_api import expect

from client import Client
from films import video
from guest import Guest
from party import eventually
from test_axe import find
from test_saving import contents, saved


@pytest.fixture
def edit(lone_party):
    """Edits the event, and waits until its pages know."""
    def edit(**options):
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        lone_party.host.command("event", "edit", *words)
    return edit


def known(guest, name, value):
    eventually(f"the page knows that {name} is {value}", lambda: guest.page.evaluate(
        """async ([name, value]) => (await import("/shared/session.js")).me?.event.options[name] === value""", [name, value]))


def test_a_required_name_is_asked_for_at_the_door_and_before_a_photo(lone_party, edit, guests, painter):
    bea = guests(lone_party, "phone").open(lone_party.host.link).enter()
    edit(names="required")
    known(bea, "names", "required")

    # Somebody who is in already is asked once, before the photo is sent.
    bea.allow("409")
    bea.choose([painter.photo()], agrees=False)
    bea.page.click("#ask button[value=yes]")
    expect(bea.page.locator("#ask-title")).to_have_text("What is your name?")
    found = []
    find(bea, "a name", found)
    assert found == []
    bea.page.fill("#ask-name", "Bea")
    bea.answer()
    bea.expect_photos(1, "mine")
    assert [photo["author"] for photo in lone_party.host.gallery()] == ["Bea"]
    bea.choose([painter.photo()])
    bea.expect_photos(2, "mine")

    cleo = guests(lone_party, "phone").open(lone_party.host.link)
    expect(cleo.page.locator("#name-label")).to_have_text("Your name")
    cleo.page.click("#welcome-form button[type=submit]")
    expect(cleo.page.locator("#welcome-error")).to_have_text("The host asks everyone for a name.")
    cleo.enter("Cleo")


def test_nobody_is_asked_for_a_name(lone_party, edit, guests, painter):
    edit(names="never")
    bea = guests(lone_party, "phone").open(lone_party.host.link)
    expect(bea.page.locator("#welcome-join")).to_be_visible()
    expect(bea.page.locator("#name")).to_be_hidden()
    bea.page.click("#welcome-form button[type=submit]")
    bea.expect_party()
    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    bea.open_me()
    expect(bea.page.locator("#me-name")).to_be_hidden()
    # The start of a key, as of everybody without a name.
    assert re.fullmatch("[0-9a-f]{8}", lone_party.host.gallery()[0]["author"])


def test_only_the_camera_is_offered(lone_party, edit, guests, painter):
    bea = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea")
    expect(bea.page.locator("#choose")).to_be_visible()
    edit(source="camera")
    known(bea, "isCameraOnly", True)
    expect(bea.page.locator("#choose")).to_be_hidden()
    expect(bea.page.locator("#take")).to_be_visible()
    drop = """(names) => {
        const data = new DataTransfer();
        data.items.add(new File(["x"], "a.jpg", { type: "image/jpeg" }));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    bea.page.evaluate(drop)
    expect(bea.page.locator("#toast")).to_contain_text("The host wants photos from the camera")
    expect(bea.page.locator(".upload")).to_have_count(0)

    bea.page.locator("#camera").set_input_files(str(painter.photo()))
    bea.answer()
    bea.expect_photos(1, "mine")
    edit(source="any")
    known(bea, "isCameraOnly", False)
    expect(bea.page.locator("#choose")).to_be_visible()


def test_a_guest_chooses_so_many_photos_at_once_and_the_others_afterwards(lone_party, edit, guests, painter):
    bea = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea")
    expect(bea.page.locator("#library-text")).to_have_text("Choose photos")
    edit(**{"photos-at-once": "2"})
    expect(bea.page.locator("#library-text")).to_have_text("Choose up to 2")
    photos = [painter.photo(width=width) for width in (640, 600, 560)]
    bea.choose(photos)
    expect(bea.page.locator("#toast")).to_contain_text(
        "Too many photos at once: the first 2 are being sent. Choose the others afterwards.")
    bea.expect_photos(2, "mine")
    bea.expect_all_sent()
    assert {photo["width"] for photo in lone_party.host.gallery()} == {640, 600}, "the first ones"
    bea.choose(photos[2:], agrees=False)
    bea.expect_photos(3, "mine")

    edit(**{"photos-at-once": "1"})
    expect(bea.page.locator("#library-text")).to_have_text("Choose one")
    assert bea.page.evaluate("!document.getElementById('library').multiple")
    edit(**{"photos-at-once": "unlimited"})
    expect(bea.page.locator("#library-text")).to_have_text("Choose photos")
    bea.choose(painter.photos(3), agrees=False)
    bea.expect_photos(6, "mine")


def test_a_film_with_room_for_fewer_than_are_chosen_at_once_asks_which_ones(parties, guests, painter):
    party = parties(frames="2", guests=0)
    party.host.command("event", "edit", "--photos-at-once", "3")
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    expect(bea.page.locator("#library-text")).to_have_text("Choose up to 3")
    bea.choose(painter.photos(4), agrees=False)
    dialog = bea.page.locator("#ask")
    expect(dialog).to_contain_text("2 of 4 fit on your film")
    dialog.locator("button[value=yes]").click()
    expect(dialog).to_contain_text("Everyone here can see and save the photos I add.")
    bea.answer()
    bea.expect_photos(2, "mine")
    party.end()


def test_guests_save_their_own_photos_or_none(lone_party, edit, guests, painter):
    lone_party.host.command("add", painter.photo())
    bea = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    bea.go("everyone")
    bea.expect_photos(2)
    everyone, mine = (bea.page.locator(f"#{tab}-grid .toolbar") for tab in ("everyone", "mine"))
    expect(everyone.get_by_role("button", name="Save all")).to_be_visible()

    edit(downloads="own")
    known(bea, "downloads", "own")
    expect(everyone.get_by_role("button", name="Save all")).to_be_hidden()
    expect(everyone.get_by_role("button", name="Select")).to_be_hidden()
    saves = []
    for number in range(2):
        bea.open_photo("everyone", number)
        expect(bea.page.locator("#photo-stage img:not(.under)")).to_be_visible()
        saves.append(bea.page.locator("#photo-save").is_visible())
        bea.page.click("#photo-close")
    assert sorted(saves) == [False, True]
    bea.go("mine")
    expect(mine.get_by_role("button", name="Save all")).to_be_visible()

    edit(downloads="organizers")
    known(bea, "downloads", "organizers")
    expect(mine.get_by_role("button", name="Save all")).to_be_hidden()
    expect(mine.get_by_role("button", name="Select")).to_be_visible()
    bea.open_photo("mine")
    expect(bea.page.locator("#photo-save")).to_be_hidden()
    expect(bea.page.locator("#photo-hold")).to_be_hidden()
    bea.page.click("#photo-close")
    # Everything about oneself stays everybody's.
    bea.open_me()
    bea.page.click("#me-data")
    with bea.page.expect_download() as download:
        bea.answer()
    assert download.value.suggested_filename.endswith(".zip")

    client = Client(lone_party.host.link)
    ids = [photo["id"] for photo in lone_party.host.gallery()]
    answers = [client.request("GET", f"photos/{photo}/original?download")[0] for photo in ids]
    assert answers == [403, 403]
    assert [client.request("GET", f"photos/{photo}/preview")[0] for photo in ids] == [200, 200]


def test_videos_are_refused_by_their_length_here_and_on_the_node(lone_party, edit, guests, tmp_path):
    short, long = video(tmp_path / "short.webm", 2), video(tmp_path / "long.webm", 9)
    told = tmp_path / "told.mp4"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-i", str(long), "-c:v", "mpeg4", str(told)], check=True)
    edit(videos="4s")
    bea = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea")
    bea.choose([told], agrees=False)
    expect(bea.page.locator("#toast")).to_contain_text("Too long: at most 4 seconds of video.")
    expect(bea.page.locator(".upload")).to_have_count(0)

    # The page does not know the length of a WebM: the node measures it.
    bea.allow("422")
    bea.choose([long, short], agrees=False)
    bea.answer()
    expect(bea.page.locator(".upload.is-failed")).to_contain_text("Too long: at most 4 seconds of video.")
    expect(bea.page.locator(".upload.is-failed").get_by_role("button", name="Try again")).to_have_count(0)
    expect(bea.tiles("mine")).to_have_count(1)

    edit(videos="off")
    known(bea, "videoSecondsMax", 0)
    expect(bea.page.locator("#library")).to_have_attribute("accept", "image/jpeg,image/png")
    bea.choose([short], agrees=False)
    expect(bea.page.locator("#toast")).to_contain_text("The host takes photos only, and no videos.")
    assert len(lone_party.host.gallery()) == 1, "a video that is there stays"


def test_the_desk_edits_the_options(lone_party, browser):
    desk = Guest(browser, lone_party.origins, "desktop").open(lone_party.host.desk())
    expect(desk.page.locator("#overview")).to_be_visible()
    desk.page.click('#nav a[href$="/settings"]')
    options = desk.page.locator("#options")
    options.locator("summary").click()
    for label in ("required", "10", "guests their own", "up to 60 s", "Sea"):
        options.get_by_label(label, exact=True).check(force=True)
    options.locator("#camera-only").check()
    desk.page.click("#save")
    expect(desk.page.locator("#toast")).to_contain_text("Saved.")
    said = json.loads(lone_party.host.command("event", "show", "--json"))["parameters"]
    assert {name: said[name] for name in ("nameRule", "isCameraOnly", "photosAtOnce", "downloads", "videos", "theme")} == {
        "nameRule": "required", "isCameraOnly": True, "photosAtOnce": 10, "downloads": "own", "videos": "60", "theme": "sea"}
    desk.check()
    desk.close()


def test_the_colours_of_an_event_are_on_the_first_page_and_on_the_pages_without_scripts(lone_party, edit, guests):
    edit(theme="sea")
    amber = "getComputedStyle(document.documentElement).getPropertyValue('--amber').trim()"
    bea = guests(lone_party, "phone").open(lone_party.host.link)
    eventually("the page has the colours of the sea", lambda: bea.page.evaluate(amber) == "#6accec")
    bea.enter("Bea")
    bea.open(f"{lone_party.host.origin}{lone_party.host.path}simple")
    assert bea.page.evaluate(amber) == "#6accec"


def test_the_options_are_told_in_french(lone_party, edit, guests):
    edit(names="required", downloads="own")
    bea = guests(lone_party, "phone", locale="fr-FR").open(lone_party.host.link)
    expect(bea.page.locator("#welcome-shared")).to_contain_text("Seuls vous et l’hôte les enregistrez.")
    bea.page.click("#welcome-form button[type=submit]")
    expect(bea.page.locator("#welcome-error")).to_have_text("L’hôte demande un nom à tout le monde.")


def test_the_hosts_favourites_are_the_highlights_of_guests(own_party, guests, browser, painter, tmp_path):
    own_party.host.command("add", *(painter.photo() for _ in range(4)))
    bea = guests(own_party, "phone").open(own_party.host.link).enter("Bea")
    bea.expect_photos(4)
    highlights = bea.page.get_by_role("button", name="Highlights")
    expect(highlights).to_be_hidden()
    best = [photo["id"] for photo in own_party.host.gallery()][:2]
    for photo in best:
        own_party.host.command("favourite", photo)
    expect(highlights).to_be_hidden()

    desk = Guest(browser, own_party.origins, "desktop").open(own_party.host.desk())
    expect(desk.page.locator("#overview")).to_be_visible()
    desk.page.click('#nav a[href$="/photos"]')
    desk.page.click('[data-which="favourites"]')
    desk.page.click("#share-favourites")
    expect(desk.page.locator("#toast")).to_contain_text("Guests see 2 photos under Highlights.")
    desk.check()
    desk.close()

    highlights.click()
    bea.expect_photos(2)
    expect(highlights).to_have_attribute("aria-pressed", "true")
    # They are saved together.
    bea.page.locator("#everyone-grid").get_by_role("button", name="Save all").click()
    sums = {photo["id"]: photo["sha256"] for photo in own_party.host.gallery()}
    assert contents(saved(bea, bea.answer, tmp_path)) == Counter(sums[photo] for photo in best)
    # A new photo is none of them.
    own_party.host.command("add", painter.photo())
    bea.page.get_by_role("button", name="Newest").click()
    bea.expect_photos(5)

    listed = own_party.host.command("gallery", "--highlights", "--json").splitlines()
    assert {json.loads(line)["id"] for line in listed if "photo" in line} >= set(best)
    own_party.host.command("export", tmp_path / "best", "--highlights")
    assert len(list((tmp_path / "best").rglob("*.jpg"))) == 2
    eventually("the other node knows them", lambda: len(
        own_party.other.command("gallery", "--highlights", "--json").splitlines()) >= 2)

    highlights.click()
    bea.expect_photos(2)
    own_party.host.command("highlights", "--off")
    bea.expect_photos(5)
    expect(highlights).to_be_hidden()
