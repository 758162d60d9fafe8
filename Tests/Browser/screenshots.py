# SPDX-License-Identifier: Apache-2.0
"""Takes every page's picture at the size of a phone, and the desk's, light and dark: screenshots.py FOLDER

The party is a real one, on loopback; its photos are painted.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from client import Client
from conftest import CHROMIUM
from guest import UNREACHABLE, Guest, throttle
from party import Painter, Party, eventually

BYTE_COUNT_MAX = 60_000


def take(guest, folder, name, full=False):
    """A picture in few bytes: drawn pages with a palette, pages of photos as a JPEG that is as good as fits."""
    if guest.page.locator("#toast").is_visible():
        guest.page.locator("#toast").get_by_role("button", name="Hide this").click()
    guest.page.wait_for_timeout(400)  # until nothing moves
    picture = Image.open(io.BytesIO(guest.page.screenshot(full_page=full))).convert("RGB")
    drawn = io.BytesIO()
    picture.quantize(80, dither=Image.Dither.NONE).save(drawn, "PNG", optimize=True)
    for path in folder.glob(f"{name}.*"):
        path.unlink()
    path, content = folder / f"{name}.png", drawn.getvalue()
    if len(content) > BYTE_COUNT_MAX:
        path = folder / f"{name}.jpg"
        for quality in range(85, 20, -5):
            content = io.BytesIO()
            picture.save(content, "JPEG", quality=quality, optimize=True)
            content = content.getvalue()
            if len(content) <= BYTE_COUNT_MAX:
                break
    path.write_bytes(content)
    print(f"{path}  {len(content):,} bytes")


def photograph(browser, party, painter, folder, theme):
    def guest():
        return Guest(browser, party.origins, "phone", scheme=theme, device_scale_factor=1.5)

    def shot(guest, name, full=False):
        take(guest, folder, f"{name}-{theme}", full)

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
    shot(chloe, "everyone")

    chloe.choose(painter.photos(2, width=1600, height=1200))
    chloe.expect_photos(2, "mine")
    chloe.expect_all_sent()
    slow = throttle(chloe, 150_000)
    chloe.choose(painter.photos(3, width=2000, height=1500))
    chloe.page.wait_for_function("() => [...document.querySelectorAll('.upload progress')].some((bar) => bar.value >= 30)")
    chloe.page.wait_for_timeout(800)
    shot(chloe, "mine")
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


def photograph_desk(browser, party, folder, theme):
    """The organizer's desk at the size of a laptop."""
    desk = Guest(browser, party.origins, "desktop", scheme=theme)
    party.host.command("favourite", party.host.gallery()[7]["id"])
    hidden = party.host.gallery()[4]["id"]
    party.host.command("hide", hidden)
    desk.open(party.host.desk())
    expect(desk.page.locator("#overview")).to_be_visible()
    take(desk, folder, f"desk-overview-{theme}")
    desk.page.click('#nav a[href$="/photos"]')
    expect(desk.page.locator("#grid .shot")).to_have_count(12)
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


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="disposable-browser-") as scratch, sync_playwright() as playwright:
        painter = Painter(Path(scratch) / "camera")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for theme in ("light", "dark"):
            party = Party(Path(scratch) / theme, name="Lena & Tom’s wedding", frames="27", guests=0, host_name="Lena")
            try:
                for name in ("Ben", "Noor", "Uncle Fred"):
                    guest = Client(party.host.link).enter(name)
                    for number in range(4):
                        sides = {"width": 1200, "height": 1600} if number % 3 == 1 else {"width": 1600, "height": 1200}
                        assert guest.upload(painter.photo(**sides).read_bytes())[2]
                eventually("twelve photos", lambda: len(party.host.gallery()) == 12)
                photograph_desk(browser, party, folder, theme)
                photograph(browser, party, painter, folder, theme)
            finally:
                party.end()
        browser.close()
        painter.stop()


if __name__ == "__main__":
    main()
