# SPDX-License-Identifier: Apache-2.0
"""A guest of the plain page goes on over HTTPS, where Chromium lets the page use the camera."""

import re
from collections import Counter

from playwright.sync_api import expect

from conftest import make_certificate
from guest import UNREACHABLE, throttle
from party import eventually
from test_closing import close, expect_worker

# Messages of a browser about plain HTTP and about an untrusted certificate.
WARNINGS = r"net::ERR_CERT|insecure|Cross-Origin-Opener-Policy"


def me(guest):
    return guest.page.evaluate("fetch('api/me').then((answer) => answer.json())")


def enter(guest, node, name="Bea"):
    guest.allow(WARNINGS)
    guest.allow(UNREACHABLE)
    return guest.open(node.link).enter(name)


def open_secure(guest):
    guest.page.get_by_role("button", name="Open with camera").click()
    dialog = guest.page.locator("#ask")
    expect(dialog).to_contain_text("Your browser will warn you first")
    guest.answer()


def shoot(guest):
    guest.page.locator("#camera").click(force=True)
    expect(guest.page.locator("#finder")).to_be_visible()
    expect(guest.page.locator("#finder-shutter")).to_be_enabled()
    guest.page.click("#finder-flash")
    guest.page.click("#finder-shutter")
    guest.answer()  # agrees to the consent text


def test_a_guest_goes_on_over_https_and_takes_a_photo_in_the_page(anna, browse, guests):
    bea = enter(guests(browse(trusted=[anna.certificate]), anna), anna)
    assert bea.page.evaluate("isSecureContext") is False
    before = me(bea)
    assert before["secure"] == {
        "origin": anna.secure_origin, "plainOrigin": anna.origin, "isTrusted": False}
    open_secure(bea)
    bea.page.wait_for_url(f"{anna.secure_origin}/e/**")
    bea.expect_party()
    assert bea.page.evaluate("isSecureContext") is True
    after = me(bea)
    assert after["guest"]["id"] == before["guest"]["id"] and after["guest"]["name"] == "Bea"
    # The seed is not left in the address, and the cookie never goes over plain HTTP.
    assert "#" not in bea.page.url
    cookie = next(cookie for cookie in bea.context.cookies() if cookie["name"].endswith("-8443"))
    assert cookie["secure"] and cookie["httpOnly"]
    # Others get the address that begins without a warning.
    assert after["link"] == anna.link
    expect(bea.page.get_by_role("button", name="Open with camera")).to_have_count(0)
    shoot(bea)
    expect(bea.page.locator("#finder-counter")).to_contain_text("1")
    bea.page.keyboard.press("Escape")
    bea.expect_all_sent()
    bea.expect_photos(1)
    (photo,) = anna.gallery()
    assert min(photo["width"], photo["height"]) >= 240


def test_the_secure_page_offers_the_share_sheet_and_keeps_the_booths_screen_on(anna, browse, guests):
    browser = browse(trusted=[anna.certificate])
    bea = guests(browser, anna, size="desktop")
    bea.context.add_init_script("""
        window.locks = [];
        if (navigator.wakeLock) {
            const ask = navigator.wakeLock.request.bind(navigator.wakeLock);
            navigator.wakeLock.request = async (kind) => {
                const lock = await ask(kind);
                window.locks.push(lock);
                return lock;
            };
        }
    """)
    enter(bea, anna)
    assert bea.page.evaluate("'wakeLock' in navigator || 'share' in navigator") is False
    open_secure(bea)
    bea.page.wait_for_url(f"{anna.secure_origin}/e/**")
    bea.expect_party()
    bea.open_me()
    # The share sheet is offered where this system has one, and only there.
    has_sheet = bea.page.evaluate("typeof navigator.share === 'function'")
    expect(bea.page.locator("#me-link-share")).to_be_visible(visible=has_sheet)
    bea.page.get_by_role("button", name="Photo booth").click()
    expect(bea.page.get_by_role("dialog", name="Photo booth")).to_be_visible()
    eventually("a lock that keeps the screen on", lambda: bea.page.evaluate(
        "locks.length === 1 && !locks[0].released"))
    bea.page.keyboard.press("Escape")
    bea.answer()
    eventually("the lock's end", lambda: bea.page.evaluate("locks.every((lock) => lock.released)"))


def test_photos_that_wait_come_along(anna, browse, guests, painter):
    photos = painter.photos(6, width=1600, height=1200)
    bea = enter(guests(browse(trusted=[anna.certificate]), anna), anna)
    throttle(bea, 20_000)
    bea.choose(photos)
    expect(bea.page.locator("#progress")).to_contain_text("of 6")
    author = me(bea)["guest"]["id"]
    bea.go("everyone")
    with bea.context.expect_page() as opened:
        open_secure(bea)
    before, bea.page = bea.page, opened.value
    bea.expect_party()
    assert bea.page.url.startswith(anna.secure_origin)
    expect(before.locator("#moved-text")).to_contain_text("the page with the camera")
    bea.go("mine")
    bea.expect_photos(6, "mine")
    bea.expect_all_sent()
    assert me(bea)["guest"]["id"] == author and me(bea)["guest"]["framesUsed"] == 6
    assert Counter(photo["state"] for photo in anna.gallery()) == {"complete": 6}


def accept_warning(page):
    """Continues in spite of the warning: Chromium takes these letters for the button under "Advanced"."""
    expect(page.locator("body")).to_contain_text("Your connection is not private")
    page.keyboard.type("thisisunsafe")


def test_a_warning_can_be_left_or_accepted_also_with_photos_that_wait(anna, browse, guests, painter):
    bea = enter(guests(browse(), anna), anna)
    open_secure(bea)
    expect(bea.page.locator("body")).to_contain_text("Your connection is not private")
    # The party is one step back.
    bea.page.goto(f"{anna.origin}/")
    bea.expect_party()
    throttle(bea, 20_000)
    bea.choose(painter.photos(3, width=1600, height=1200))
    bea.go("everyone")
    with bea.context.expect_page() as opened:
        open_secure(bea)
    before, bea.page = bea.page, opened.value
    accept_warning(bea.page)
    bea.expect_party()
    expect(before.locator("#moved")).to_be_visible()
    bea.go("mine")
    bea.expect_photos(3, "mine")
    bea.expect_all_sent()
    assert me(bea)["guest"]["framesUsed"] == 3


def test_a_secure_page_whose_node_is_gone_goes_on_at_another_one(anna, start, browse, guests, painter):
    """Browsers refuse requests from HTTPS to plain HTTP, so the other node proves itself in its window."""
    ben = start(2, "ben", "join", anna.ready["invitation"], "--as", "Ben", options=())
    eventually("Ben is in", lambda: ben.status()["isAdmitted"])
    anna.grant("page", "Ben")
    bea = enter(guests(browse(trusted=[anna.certificate]), anna, ben), anna)
    eventually("the page knows Ben's", lambda: [other["origins"] for other in me(bea)["others"]] == [[ben.origin]])
    open_secure(bea)
    bea.page.wait_for_url(f"{anna.secure_origin}/e/**")
    bea.expect_party()
    author = me(bea)["guest"]["id"]
    photos = painter.photos(3, width=1600, height=1200)
    throttle(bea, 20_000)
    bea.choose(photos)
    expect(bea.page.locator("#progress")).to_contain_text("of 3")
    anna.kill()
    go_on = bea.page.locator("#moving-go")
    expect(go_on).to_have_text("Continue at Ben’s photo box", timeout=180_000)
    with bea.context.expect_page() as opened:
        go_on.click()
    bea.page = opened.value
    bea.expect_party()
    assert bea.page.url.startswith(ben.origin)
    assert me(bea)["guest"]["id"] == author
    bea.go("mine")
    bea.expect_photos(3, "mine")
    bea.expect_all_sent()


def named(start, folder):
    """A node with a certificate for a name, which leads to it on its own host, and the certificate."""
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost\n10.77.0.1 party.test\n")
    certificate, key = make_certificate(folder, "DNS:party.test")
    node = start(
        1, "anna", "host", "Garden party", "--as", "Anna", "--frames", "unlimited",
        options=["--tls", "--certificate", certificate, "--key", key],
        within=["unshare", "-m", "sh", "-c", f"mount --bind {hosts} /etc/hosts && exec \"$@\"", "sh"])
    return node, certificate


NAMES = ["--host-resolver-rules=MAP party.test 10.77.0.1"]


def test_photos_on_their_way_arrive_after_the_page_is_closed(start, browse, guests, folder, painter):
    anna, certificate = named(start, folder)
    bea = guests(browse(trusted=[certificate], arguments=NAMES), anna)
    bea.origins.add("https://party.test:8443")
    bea.allow(WARNINGS)
    bea.open(anna.ready["guestURL"]).enter("Bea")
    throttle(bea, 100_000)
    bea.choose(painter.photos(2, width=3000, height=2000))
    bea.page.wait_for_function(
        """() => Object.keys(localStorage).filter((name) => name.includes('.upload.'))
            .every((name) => JSON.parse(localStorage.getItem(name)).isKept)""")
    expect_worker(bea)
    close(bea)
    assert len(anna.gallery()) < 2
    eventually("both photos, without a page", lambda: len(anna.gallery()) == 2)


def test_a_supplied_certificate_leads_guests_to_its_name(start, browse, guests, folder):
    anna, certificate = named(start, folder)
    token = anna.link.split("#")[1]
    assert anna.ready["guestURL"] == f"https://party.test:8443/#{token}"
    assert anna.command("invite").strip() == anna.ready["guestURL"]
    wall = anna.command("invite", "--wall").strip()
    assert re.fullmatch(r"https://party\.test:8443/wall#[\w-]{22}", wall) and not wall.endswith(token)
    card = folder / "card.png"
    anna.command("invite", "--card", card)  # which reads its own code back
    bea = guests(browse(trusted=[certificate], arguments=NAMES), anna)
    bea.origins.add("https://party.test:8443")
    bea.allow(WARNINGS)
    bea.open(anna.ready["guestURL"]).enter("Bea")
    assert bea.page.evaluate("isSecureContext") is True
    assert me(bea)["link"] == anna.ready["guestURL"]
    assert me(bea)["secure"] == {
        "origin": "https://party.test:8443", "plainOrigin": anna.origin, "isTrusted": True}
    # From the plain page the way is the same, without a word about warnings.
    bea.open(anna.link).enter("Bea")
    bea.page.get_by_role("button", name="Open with camera").click()
    expect(bea.page.locator("#ask")).not_to_contain_text("warn")
    bea.answer()
    bea.page.wait_for_url("https://party.test:8443/e/**")
