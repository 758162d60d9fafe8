# SPDX-License-Identifier: Apache-2.0
"""A guest: one browser profile in Chromium, with a log of everything that a guest's page must not do."""

import json
import re
from contextlib import suppress
from urllib.parse import urlsplit

from playwright.sync_api import Error, TimeoutError as TimedOut, expect

from party import eventually

SIZES = {
    "phone": {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
# Chromium's own console messages if no server answers. Tests that stop the node allow them.
UNREACHABLE = re.compile(
    r"net::ERR_|Failed to load resource: net::|ERR_CONNECTION|ERR_INCOMPLETE_CHUNKED|error occurred when fetching the script")


def throttle(guest, bytes_per_second, session=None):
    """Limits a browser's upload rate; -1 removes the limit. Returns the session with which it can be changed."""
    session = session or guest.context.new_cdp_session(guest.page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_per_second})
    return session


class Guest:
    """Opens pages of `origins` only; `leave_cleanly` fails after any other request, script or console message."""

    def __init__(self, browser, origins, size="phone", scripts=True, scheme="light", **options):
        self.origins = set(origins)
        self.context = browser.new_context(
            **SIZES[size], java_script_enabled=scripts, color_scheme=scheme, accept_downloads=True, **options)
        self.requests = []
        self.complaints = []
        self.dialogs = []
        self.allowed = []
        self.context.on("request", lambda request: self.requests.append(request))
        self.context.on("page", self._watch)
        # WebRTC and WebSockets are not in this log of requests; the page reports them below.
        self.context.on("weberror", lambda error: self.complaints.append(f"uncaught: {error.error}"))
        self.page = self.context.new_page()

    def _watch(self, page):
        page.on("console", self._hear)
        page.on("websocket", lambda socket: self.complaints.append(f"opened a web socket to {socket.url}"))
        page.on("dialog", self._answer)
        page.set_default_timeout(90_000)

    def _hear(self, message):
        # An early preview ends with its upload, also between the update about it and the request for its picture.
        is_late = "/early/" in message.location.get("url", "") and " 404 " in message.text
        if message.type in ("error", "warning") and not is_late:
            self.complaints.append(f"{message.text} at {message.location.get('url')}")

    def _answer(self, dialog):
        if dialog.type != "beforeunload":
            self.dialogs.append(f"{dialog.type}: {dialog.message}")
        dialog.accept()

    def allow(self, pattern):
        """Allows complaints that the test itself causes."""
        self.allowed.append(re.compile(pattern) if isinstance(pattern, str) else pattern)

    def check(self):
        """Expects no request to other origins, no foreign script and no console message."""
        asked = {f"{url.scheme}://{url.netloc}" for url in map(urlsplit, (request.url for request in self.requests))
                 if url.scheme not in ("blob", "data", "about")}
        assert asked <= self.origins, f"asked others than the event's nodes: {asked - self.origins}"
        assert not self.dialogs, f"a script ran: {self.dialogs}"
        left = [text for text in self.complaints
                if not any(pattern.search(text.partition(" at http")[0]) for pattern in self.allowed)]
        assert not left, f"the console has complaints: {left}"

    def close(self):
        self.context.close()

    # As the guests of other engines: firefox.py, webkit.py

    def script(self, code, *arguments):
        """Returns what a function with this body does; `null` while the page is being replaced."""
        try:
            return self.page.evaluate(f"(given) => (function () {{ {code} }}).apply(null, given)", list(arguments))
        except Error as error:
            if "context was destroyed" not in str(error):
                raise

    def wait(self, what, condition, within=180):
        """Waits until the JavaScript expression `condition` is true."""
        return eventually(what, lambda: self.script(f"return {condition}"), within)

    def wait_for(self, selector):
        self.wait(f"{selector} is visible", f"!!document.querySelector({json.dumps(selector)})?.getClientRects().length")

    def click(self, selector, number=0):
        self.page.locator(selector).nth(number).click()

    def tap(self, x, y):
        """A click at a point of the screen, whatever is there."""
        self.page.mouse.click(x, y)

    def screenshot(self):
        """The screen as PNG."""
        return self.page.screenshot()

    def press(self, key):
        self.page.keyboard.press(key)

    def type(self, words):
        self.page.keyboard.type(words)

    def pick(self, files):
        """Opens the file chooser with a key and chooses files in it."""
        choosers = []
        self.page.once("filechooser", lambda chooser: choosers.append(chooser))

        def opened():
            """Whether the key has opened it. Under load a key can come before the browser hands over its choosers."""
            assert self.script("return document.activeElement.type") == "file", "no input of files has the focus"
            with suppress(TimedOut), self.page.expect_file_chooser(timeout=20_000):
                self.press("Space")
            return choosers
        chooser, = eventually("the file chooser", opened)
        chooser.set_files([str(file) for file in files])

    def follow(self, act):
        """The window that opens becomes the guest's page."""
        with self.context.expect_page() as opened:
            act()
        self.page = opened.value

    # Actions of guests

    def open(self, link):
        self.page.goto(link)
        return self

    def enter(self, name=""):
        """Goes from the welcome page to the gallery."""
        expect(self.page.locator("#welcome")).to_be_visible()
        # Nobody gives a name where no photo can be added any longer.
        if self.page.locator("#welcome-naming").is_visible():
            self.page.fill("#name", name)
        self.page.click("#welcome-form button[type=submit]")
        self.expect_party()
        return self

    def expect_party(self):
        expect(self.page.locator("#party")).to_be_visible()

    def expect_prober(self):
        """Waits until the script that asks other nodes is loaded: a page cannot move without it."""
        eventually("the worker", lambda: self.page.wait_for_timeout(100) or self.page.workers)

    def choose(self, files, agrees=True):
        """Chooses photos in the file chooser; gives the consent if asked, unless told otherwise."""
        with self.page.expect_file_chooser() as chooser:
            self.page.click("label[for=library]")
        chooser.value.set_files([str(file) for file in files])
        if not agrees:
            return
        consent = self.page.locator("#ask a[href$='privacy.html']")
        if consent.is_visible():
            self.answer()
        # Only once the node has recorded the consent: before that no upload has started.
        expect(self.page.locator("#mine")).to_be_visible()

    def go(self, tab):
        self.page.click(f"#tab-{tab}")

    def open_photo(self, tab, number=0):
        self.go(tab)
        self.page.locator(f"#{tab}-grid .tile:not([hidden]):not(.upload) button").nth(number).click()
        expect(self.page.locator("#photo")).to_be_visible()

    def open_me(self):
        self.page.click("#open-me")
        expect(self.page.locator("#me")).to_be_visible()

    # The guest's view

    def tiles(self, tab="everyone"):
        """The visible photos of a gallery."""
        return self.page.locator(f"#{tab}-grid .tile:not([hidden]):not(.upload)")

    def expect_photos(self, count, tab="everyone", within=180):
        """Expects this many photos, each with its picture loaded."""
        expect(self.tiles(tab)).to_have_count(count, timeout=within * 1000)
        pictures = self.page.locator(f"#{tab}-grid .tile:not([hidden]):not(.upload) img")
        expect(pictures).to_have_count(count, timeout=within * 1000)

    def expect_pictures_loaded(self, tab="everyone"):
        self.page.wait_for_function(
            """tab => [...document.querySelectorAll(`#${tab}-grid .tile:not([hidden]) img`)]
                .filter((image) => image.getBoundingClientRect().top < innerHeight)
                .every((image) => image.complete && image.naturalWidth > 0)""", arg=tab)

    def expect_all_sent(self, within=180):
        """Expects that no upload is in progress and none has failed."""
        expect(self.page.locator("#progress")).to_be_hidden(timeout=within * 1000)
        expect(self.page.locator(".upload")).to_have_count(0, timeout=within * 1000)

    def answer(self, yes=True):
        """Answers the confirmation dialog."""
        dialog = self.page.locator("#ask")
        expect(dialog).to_be_visible()
        dialog.locator("button[value=yes]" if yes else "button[value='']").click()
        expect(dialog).to_be_hidden()
        # The browser goes back over the dialog's entry, and a link that is followed meanwhile would be cut off.
        if not yes:
            self.page.wait_for_function("() => !history.state?.dialogs")
