# SPDX-License-Identifier: Apache-2.0
"""Takes a picture of every page: phone, desk and wall, light and dark, and the README's picture: screenshots.py FOLDER

The party runs on loopback; scenes.py renders its photos.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter
from playwright.sync_api import expect, sync_playwright

import scenes
from client import Client
from conftest import CHROMIUM
from guest import UNREACHABLE, Guest, throttle
from party import Party, eventually

BYTE_COUNT_MAX = 60_000
OVERVIEW_BYTE_COUNT_MAX = 280_000
PHOTO_COUNT = 12


def take(guest, folder, name, full=False):
    """Saves a small picture: a page without photos with a palette, a page of photos as the best JPEG that fits."""
    if guest.page.locator("#toast").is_visible():
        guest.page.locator("#toast button").last.click()  # hides it, in any language
    guest.page.wait_for_timeout(400)  # until animations have ended
    return keep(guest.page.screenshot(full_page=full), folder, name)


def keep(screenshot, folder, name):
    """Saves a picture of a page as a small file. Returns the picture."""
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB")
    drawn = io.BytesIO()
    picture.quantize(80, dither=Image.Dither.NONE).save(drawn, "PNG", optimize=True)
    for path in folder.glob(f"{name}.*"):
        path.unlink()
    path, content = folder / f"{name}.png", drawn.getvalue()
    if len(content) > BYTE_COUNT_MAX:
        path, content = folder / f"{name}.jpg", jpeg(picture, BYTE_COUNT_MAX)
    path.write_bytes(content)
    print(f"{path}  {len(content):,} bytes")
    return picture


def jpeg(picture, byte_count_max):
    """Returns the JPEG of the best quality that has at most this many bytes."""
    for quality in range(88, 20, -4):
        content = io.BytesIO()
        picture.save(content, "JPEG", quality=quality, optimize=True, progressive=True)
        if content.tell() <= byte_count_max:
            break
    return content.getvalue()


def photograph_wall(browser, party, folder):
    """Shows the projector's page, which is dark in both themes. Returns its picture."""
    wall = Guest(browser, party.origins, "desktop")
    wall.open(f"{party.host.origin}/wall#{party.host.link.split('#')[1]}")
    expect(wall.page.locator("#count")).to_have_text(f"{PHOTO_COUNT} photos")
    wall.page.wait_for_function(
        "() => [...document.querySelectorAll('#stage .shown img')].some((image) => image.naturalWidth > 0)")
    wall.page.wait_for_timeout(2_000)  # until the photo has faded in
    picture = take(wall, folder, "wall")
    wall.check()
    wall.close()
    return picture


def overview(folder, wall, light, dark):
    """The picture at the top of the README: the wall between a phone in light colours and one in dark colours."""
    canvas = Image.new("RGB", (1600, 660), (244, 236, 222))
    canvas.paste((30, 26, 24), (800, 0, 1600, 660))
    place(canvas, wall, 368, 60, 864, 6)
    place(canvas, light, 64, 85, 276, 20)
    place(canvas, dark, 1260, 85, 276, 20)
    path = folder / "overview.jpg"
    path.write_bytes(jpeg(canvas, OVERVIEW_BYTE_COUNT_MAX))
    print(f"{path}  {path.stat().st_size:,} bytes")


def place(canvas, picture, x, y, width, radius):
    """Draws a screen with round corners, a dark edge and a shadow on the canvas."""
    edge = 7
    picture = picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)
    frame = Image.new("RGB", (picture.width + 2 * edge, picture.height + 2 * edge), (17, 15, 14))
    frame.paste(picture, (edge, edge), rounded(picture.size, radius))
    shadow = Image.new("L", canvas.size)
    shadow.paste(130, (x - edge, y - edge + 10, x + width + edge, y + picture.height + edge + 10))
    canvas.paste((0, 0, 0), (0, 0), shadow.filter(ImageFilter.GaussianBlur(14)))
    canvas.paste(frame, (x - edge, y - edge), rounded(frame.size, radius + edge))


def rounded(size, radius):
    mask = Image.new("L", (size[0] * 4, size[1] * 4))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] * 4 - 1, size[1] * 4 - 1), radius * 4, fill=255)
    return mask.resize(size, Image.Resampling.LANCZOS)


def photograph(browser, party, photos, folder, theme):
    """Takes pictures of a guest's pages. Returns those of the gallery and of the guest's own photos."""
    def guest():
        return Guest(browser, party.origins, "phone", scheme=theme, device_scale_factor=1.5)

    def shot(guest, name, full=False):
        return take(guest, folder, f"{name}-{theme}", full)

    chloe = guest().open(party.host.origin)
    expect(chloe.page.locator("#code")).to_be_visible()
    shot(chloe, "code")
    chloe.open(party.host.link)
    expect(chloe.page.locator("#welcome")).to_be_visible()
    chloe.page.fill("#name", "Chloe")
    shot(chloe, "welcome")
    chloe.page.click("#returning")
    chloe.page.fill("#words-field", "")
    chloe.page.locator("#words-field").press_sequentially("sunset violin mar")
    shot(chloe, "words")
    chloe.page.click("#words-back")
    chloe.enter("Chloe")
    chloe.expect_pictures_loaded()
    everyone = shot(chloe, "everyone")

    chloe.choose(photos[:2])
    chloe.expect_photos(2, "mine")
    chloe.expect_all_sent()
    slow = throttle(chloe, 150_000)
    chloe.choose(photos[2:])
    chloe.page.wait_for_function("() => [...document.querySelectorAll('.upload progress')].some((bar) => bar.value >= 30)")
    chloe.page.wait_for_timeout(800)
    mine = shot(chloe, "mine")
    throttle(chloe, -1, slow)
    chloe.expect_photos(5, "mine")
    chloe.expect_all_sent()

    chloe.open_photo("everyone", 6)
    chloe.page.wait_for_timeout(500)
    shot(chloe, "photo")
    chloe.page.click("#photo-close")
    chloe.go("everyone")
    chloe.page.evaluate("scrollTo(0, 0)")
    chloe.page.locator("#everyone-grid").get_by_role("button", name="Select").click()
    for number in (1, 3, 4):
        chloe.tiles().nth(number).locator("button").click()
    chloe.expect_pictures_loaded()
    shot(chloe, "select")
    chloe.page.locator("#everyone-grid").get_by_role("button", name="Done").click()
    chloe.open_photo("mine")
    chloe.page.click("#photo-remove")
    shot(chloe, "delete")
    chloe.answer(yes=False)
    chloe.page.click("#photo-close")
    chloe.open_me()
    chloe.page.click("#me-words-show")
    expect(chloe.page.locator("#me-words li")).to_have_count(12)
    shot(chloe, "me", full=True)
    chloe.page.click("#me-back")

    chloe.go("everyone")
    chloe.page.evaluate("scrollTo(0, 0)")
    party.host.kill()
    expect(chloe.page.locator("#out-of-reach")).to_be_visible()
    shot(chloe, "out-of-reach")
    party.host.start()
    expect(chloe.page.locator("#out-of-reach")).to_be_hidden(timeout=60_000)
    for name in ("help", "privacy"):
        chloe.open(f"{party.host.origin}/{name}.html")
        shot(chloe, name)
    chloe.open(f"{party.host.origin}{party.host.path}simple")
    chloe.page.wait_for_load_state("networkidle")
    shot(chloe, "simple")
    chloe.allow(UNREACHABLE)
    chloe.check()
    chloe.close()
    return everyone, mine


def photograph_desk(browser, party, folder, theme):
    """Takes pictures of the organizer's desk at the size of a laptop."""
    desk = Guest(browser, party.origins, "desktop", scheme=theme)
    party.host.command("favourite", party.host.gallery()[7]["id"])
    hidden = party.host.gallery()[4]["id"]
    party.host.command("hide", hidden)
    desk.open(party.host.desk())
    expect(desk.page.locator("#overview")).to_be_visible()
    take(desk, folder, f"desk-overview-{theme}")
    desk.page.click('#nav a[href$="/photos"]')
    expect(desk.page.locator("#grid .shot")).to_have_count(PHOTO_COUNT)
    desk.page.wait_for_function(
        "() => [...document.querySelectorAll('#grid img')].every((image) => image.naturalWidth > 0)")
    desk.page.keyboard.press("j")
    take(desk, folder, f"desk-photos-{theme}")
    desk.page.click('#nav a[href$="/invite"]')
    desk.page.wait_for_function("() => document.querySelector('#code')?.naturalWidth > 0")
    take(desk, folder, f"desk-invite-{theme}")
    desk.check()
    desk.close()
    party.host.command("unhide", hidden)


def render(folder):
    """Writes each scene to a file; every third photo of the guests is upright."""
    folder.mkdir()
    paths = []
    for number in range(len(scenes.SCENES)):
        sides = (1200, 1600) if number % 3 == 1 and number < PHOTO_COUNT else (1600, 1200)
        paths.append(folder / f"IMG_{number + 1:04}.jpg")
        paths[-1].write_bytes(scenes.photo(number, *sides))
    return paths


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    galleries = {}
    with tempfile.TemporaryDirectory(prefix="disposable-browser-") as scratch, sync_playwright() as playwright:
        photos = render(Path(scratch) / "camera")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for theme in ("light", "dark"):
            party = Party(Path(scratch) / theme, name="Lena & Tom’s wedding", frames="27", guests=0, host_name="Lena")
            try:
                for index, name in enumerate(("Ben", "Noor", "Uncle Fred")):
                    guest = Client(party.host.link).enter(name)
                    for path in photos[4 * index:4 * index + 4]:
                        assert guest.upload(path.read_bytes())[2]
                eventually("the guests' photos", lambda: len(party.host.gallery()) == PHOTO_COUNT)
                if theme == "light":
                    wall = photograph_wall(browser, party, folder)
                photograph_desk(browser, party, folder, theme)
                galleries[theme] = photograph(browser, party, photos[PHOTO_COUNT:], folder, theme)
            finally:
                party.end()
        browser.close()
    overview(folder, wall, galleries["light"][0], galleries["dark"][1])


if __name__ == "__main__":
    main()
