# SPDX-License-Identifier: Apache-2.0
"""Visits every page and main view in both languages, and takes pictures of each in both themes for a person who looks at them.

screenshots.py runs it. A party for each language has texts in that language.
"""

import io
import re
import subprocess
import time
from dataclasses import dataclass

from PIL import Image
from playwright.sync_api import Error, expect

import tour_hosts
import tour_states
from client import Client
from conftest import CHROMIUM
from guest import Guest, throttle
from outing import added
from party import Party, eventually
from test_finder import CAMERA

THEMES = ("light", "dark")


@dataclass
class Texts:
    """What the people of a party have written."""
    locale: str
    name: str
    missions: tuple
    details: str
    notice: str
    caption: str
    comment: str
    place: str


LANGUAGES = {
    "en": Texts(
        "en-GB", "Lena & Tom’s wedding", ("The first dance", "Your table", "Somebody who laughs"),
        "The ceremony is at three under the old oak, dinner in the barn at seven. Bring shoes for the meadow.",
        "The cake is cut at nine, in the barn.", "Just before the rain", "What a light!", "Oak Farm, Meadow Lane"),
    "fr": Texts(
        "fr-FR", "Mariage de Léna et Tom", ("La première danse", "Votre table", "Quelqu’un qui rit"),
        "La cérémonie a lieu à quinze heures sous le vieux chêne, le dîner à dix-neuf heures dans la grange.",
        "Le gâteau sera coupé à vingt et une heures, dans la grange.", "Juste avant la pluie", "Quelle lumière !",
        "Ferme du Chêne, chemin du Pré"),
}


class Tour:
    """One language's tour: its party, its photos, and the folder for pictures named LANGUAGE-VIEW-SIZE-THEME.png."""

    def __init__(self, browser, camera, photos, scratch, folder, language):
        self.browser, self.camera, self.photos = browser, camera, photos
        self.scratch, self.folder, self.language = scratch, folder, language
        self.texts = LANGUAGES[language]
        self.parties = []

    def party(self, *options, frames="27", **more):
        party = Party(self.scratch / f"party-{len(self.parties)}", name=self.texts.name, frames=frames, guests=0,
                      host_name="Léna" if self.language == "fr" else "Lena", options=options, **more)
        self.parties.append(party)
        return party

    def guest(self, party, size="phone", browser=None, **options):
        guest = Guest(browser or self.browser, party.origins, size, locale=self.texts.locale,
                      **{"device_scale_factor": 1.5} if size == "phone" else {}, **options)
        guest.page.set_default_timeout(30_000)
        return guest

    def shot(self, guest, name, full=False):
        """Takes a picture in each theme, of the screen or of the whole page."""
        size = "phone" if guest.page.viewport_size["width"] < 600 else "desktop"
        for theme in THEMES:
            guest.page.emulate_media(color_scheme=theme)
            guest.page.wait_for_timeout(500)  # until animations have ended
            picture = self.picture(guest, full)
            # A browser under load may not have painted the page yet: no page has one colour.
            for _ in range(10):
                if picture.getcolors(1) is None:
                    break
                guest.page.wait_for_timeout(500)
                picture = self.picture(guest, full)
            picture.save(self.folder / f"{self.language}-{name}-{size}-{theme}.png")
        guest.page.emulate_media(color_scheme="light")

    def picture(self, guest, full):
        return Image.open(io.BytesIO(guest.page.screenshot(full_page=full))).convert("RGB")

    def end(self):
        for party in self.parties:
            party.end()


def filled(tour):
    """A party with everything that a gallery can have. Returns it with the ids of its photos."""
    texts = tour.texts
    start = time.strftime("%Y-%m-%dT%H:%M+00:00", time.gmtime(time.time() - 1200))
    party = tour.party(
        "--starts", start, "--duration", "24h", "--category", "wedding", "--place", texts.place, "--details", texts.details,
        "--price", "free", "--contact", "lena@oak.example", "--link", "website=https://oak.example/way", "--veils", "on",
        "--position", "47.243,6.022", *[part for mission in texts.missions for part in ("--mission", mission)])
    ids = []
    for index, name in enumerate(("Ben", "Noor")):
        guest = Client(party.host.link).enter(name)
        ids += [guest.upload(path.read_bytes())[2] for path in tour.photos[4 * index:4 * index + 4]]
    ids += added(party.host, *tour.photos[8:12])
    eventually("all photos", lambda: len(party.host.gallery()) == 12)
    party.host.command("event", "picture", "cover", tour.photos[5])
    party.host.command("event", "picture", "plan", tour.photos[0])
    for photo, across, down in ((8, 20, 30), (9, 70, 60), (10, 72, 62), (11, 40, 70)):
        party.host.command("place", ids[photo], str(across), str(down))
    party.host.command("notice", texts.notice)
    party.host.command("caption", ids[8], texts.caption)
    party.host.command("comment", ids[8], texts.comment)
    party.host.command("react", ids[8], "❤")
    party.host.command("favourite", ids[7])
    return party, ids


def door_to_gallery(tour):
    """The door, the welcome, and the gallery with what opens from it."""
    party, _ = tour.filled
    for size in ("phone", "desktop"):
        guest = tour.guest(party, size)
        page = guest.page
        guest.open(party.host.origin)
        expect(page.locator("#code")).to_be_visible()
        page.wait_for_timeout(800)
        tour.shot(guest, "01-door")
        if size == "phone":
            page.fill("#code-field", "K7QM-3XP")
            page.click("#code-form button[type=submit]")
            tour.shot(guest, "02-door-wrong-code")
        guest.open(party.host.link)
        expect(page.locator("#welcome")).to_be_visible()
        tour.shot(guest, "03-welcome")
        page.locator("#welcome summary").click()
        tour.shot(guest, "03-welcome-whole", full=True)
        page.click("#returning")
        page.fill("#words-field", "")
        page.locator("#words-field").press_sequentially("sunset violin mar")
        tour.shot(guest, "04-words")
        page.click("#words-back")
        guest.enter("Chloe" if tour.language == "en" else "Chloé")
        guest.expect_pictures_loaded()
        tour.shot(guest, "05-introduction")
        page.click("#introduction-done")
        page.evaluate("scrollTo(0, 0)")
        tour.shot(guest, "06-gallery")
        page.evaluate("scrollTo(0, 500)")
        guest.expect_pictures_loaded()
        tour.shot(guest, "07-gallery-further")
        page.evaluate("scrollTo(0, 0)")
        guest.go("mine")
        tour.shot(guest, "08-mine-empty")
        guest.choose(tour.photos[12:14] if size == "phone" else tour.photos[14:15], agrees=False)
        tour.shot(guest, "09-consent")
        guest.answer()
        guest.expect_all_sent()
        tour.shot(guest, "10-toast-after-sending")
        if size == "phone":
            hide_toast(page)
            slow = throttle(guest, 60_000)
            guest.choose(tour.photos[15:17])
            page.wait_for_function(
                "() => [...document.querySelectorAll('.upload progress')].some((bar) => bar.value >= 30)")
            tour.shot(guest, "11-sending")
            throttle(guest, -1, slow)
            guest.expect_all_sent()
        guest.go("everyone")
        page.evaluate("scrollTo(0, 0)")
        for number, button in enumerate(page.locator("#everyone-grid .tools button[aria-haspopup=dialog]").all()):
            if not button.is_visible():
                continue
            button.click()
            page.wait_for_timeout(900)
            tour.shot(guest, f"12-way-{number}")
            page.keyboard.press("Escape")
        page.locator("#everyone-grid .toolbar button").first.click()
        for tile in (1, 3, 4):
            guest.tiles().nth(tile).locator("button").click()
        tour.shot(guest, "13-select")
        page.locator("#everyone-grid .chooser [data-name=save]").click()
        tour.shot(guest, "14-save")
        guest.answer(False)
        page.locator("#everyone-grid .chooser button").last.click()
        guest.close()


def photo_and_me(tour):
    """A photo, the dialogs about it, and "Me"."""
    party, ids = tour.filled
    for size in ("phone", "desktop"):
        guest = tour.guest(party, size)
        page = guest.page
        guest.open(party.host.link).enter("Emma")
        guest.expect_party()
        page.locator(f"#everyone-grid .tile[data-id='{ids[8]}'] button, #everyone-grid .tile button").first.wait_for()
        number = page.evaluate("""(caption) => [...document.querySelectorAll('#everyone-grid .tile:not([hidden]) img')]
            .findIndex((image) => image.alt.includes(caption))""", tour.texts.caption)
        guest.open_photo("everyone", max(number, 0))
        page.wait_for_timeout(600)
        tour.shot(guest, "20-photo")
        page.click("#photo-comments-show")
        page.wait_for_timeout(400)
        tour.shot(guest, "21-comments")
        if page.locator("#veil").is_visible():
            page.click("#veil")
            tour.shot(guest, "22-veil")
            guest.answer(False)
        page.click("#photo-author")
        page.wait_for_timeout(600)
        tour.shot(guest, "23-person")
        guest.choose(tour.photos[13:14])
        guest.expect_all_sent()
        guest.open_photo("mine")
        page.click("#caption-edit")
        tour.shot(guest, "24-caption")
        page.click("#caption-cancel")
        page.click("#photo-remove")
        tour.shot(guest, "25-delete")
        guest.answer()
        page.wait_for_timeout(400)
        tour.shot(guest, "26-deleted")
        page.keyboard.press("Escape")
        guest.open_me()
        page.wait_for_timeout(600)
        page.click("#me-words-show")
        expect(page.locator("#me-words li")).to_have_count(12)
        tour.shot(guest, "27-me", full=True)
        page.click("#message-write")
        page.fill("#message-text", tour.texts.comment)
        tour.shot(guest, "28-message")
        page.keyboard.press("Escape")
        for name in ("report", "leave", "erase"):
            page.click(f"#me-{name}")
            page.wait_for_timeout(400)
            tour.shot(guest, f"29-{name}")
            page.keyboard.press("Escape")
        guest.close()


def camera(tour):
    """The viewfinder and the booth, with a film in place of a camera; then a browser without a camera."""
    party, _ = tour.filled
    for size in ("phone", "desktop"):
        guest = tour.guest(party, size, tour.camera)
        page = guest.page
        guest.open(party.host.link).enter("Otto")
        if size == "phone":
            page.locator("#camera").click(force=True)
            expect(page.locator("#finder-shutter")).to_be_enabled()
            page.wait_for_timeout(1_000)
            tour.shot(guest, "30-finder")
            page.click("#finder-shutter")
            tour.shot(guest, "31-finder-consent")
            guest.answer()
            page.wait_for_timeout(1_500)
            tour.shot(guest, "32-finder-after-a-photo")
        else:
            guest.open_me()
            page.click("#me-booth")
            page.wait_for_timeout(1_500)
            tour.shot(guest, "33-booth")
            page.locator("dialog[open] button.main, [role=dialog]:not([hidden]) button.main").last.click()
            guest.answer()
            page.wait_for_timeout(1_200)
            tour.shot(guest, "34-booth-after-a-photo")
        guest.close()
    guest = tour.guest(party)
    guest.open(party.host.link).enter("Nils")
    guest.page.locator("#camera").click(force=True)
    expect(guest.page.locator("#finder-note")).to_be_visible()
    tour.shot(guest, "35-no-camera")
    guest.close()


def another_phone(tour):
    """A guest continues on another phone."""
    party, _ = tour.filled
    first, second = tour.guest(party), tour.guest(party)
    first.open(party.host.link).enter("Ida")
    first.open_me()
    first.page.click("#handover-show")
    expect(first.page.locator("#handover-code")).to_have_text(re.compile(r"\w{4}-\w{4}"))
    tour.shot(first, "40-handover-code")
    second.open(party.host.origin)
    second.page.fill("#code-field", first.page.locator("#handover-code").inner_text())
    second.page.click("#code-form button[type=submit]")
    expect(second.page.locator("#handover-mine")).to_have_text(re.compile(r"\d{4}"))
    tour.shot(second, "41-handover-second")
    expect(first.page.locator("#handover-yes")).to_be_visible()
    tour.shot(first, "42-handover-first")
    first.page.click("#handover-yes")
    second.expect_party()
    first.page.wait_for_timeout(600)
    tour.shot(first, "43-handover-done")
    first.close()
    second.close()


# The board comes last: with more events, commands need a name.
PARTS = (door_to_gallery, photo_and_me, camera, another_phone, tour_states.plain_pages, tour_states.states, tour_states.moment,
         tour_hosts.wall, tour_hosts.album, tour_hosts.desk, tour_hosts.first_desk, tour_hosts.board)


def hide_toast(page):
    """Hides the toast, which may go by itself at any moment."""
    page.locator("#toast").evaluate("(toast) => { toast.hidden = true; }")


def film(photo, path):
    """Writes a film of one photo, which Chromium shows in place of a camera."""
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-loop", "1", "-i", photo, "-t", "1", "-r", "10", "-vf",
                    "scale=1280:720:force_original_aspect_ratio=increase,crop=1280:720", "-c:v", "mjpeg", "-q:v", "4", path],
                   check=True)
    return path


def tour_all(playwright, photos, scratch, folder, names):
    """Goes through all parts, or those of these names, in each language. Returns what went wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = film(photos[2], scratch / "film.mjpeg")
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    with_camera = playwright.chromium.launch(executable_path=CHROMIUM, args=[
        "--no-sandbox", *CAMERA, f"--use-file-for-fake-video-capture={shown}"])
    wrong = []
    for language in LANGUAGES:
        (scratch / language).mkdir()
        tour = Tour(browser, with_camera, photos, scratch / language, folder, language)
        try:
            tour.filled = filled(tour)
            for part in PARTS:
                if names and part.__name__ not in names:
                    continue
                print(f"{language}: {part.__name__}", flush=True)
                try:
                    part(tour)
                except (AssertionError, Error, StopIteration) as error:
                    wrong.append(f"{language}: {part.__name__}: {error}")
                    print(wrong[-1], flush=True)
        finally:
            tour.end()
    browser.close()
    with_camera.close()
    return wrong
