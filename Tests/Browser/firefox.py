# SPDX-License-Identifier: Apache-2.0
"""Firefox, the engine that is neither Chromium's nor WebKit's: Debian's, without a screen, driven over Marionette."""

import base64
import json
import os
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from marionette_driver.by import By
from marionette_driver.errors import (
    ElementClickInterceptedException, ElementNotInteractableException, StaleElementException)
from marionette_driver.marionette import Marionette

from clicks import click
from keys import WEBDRIVER
from party import eventually

FIREFOX = "/usr/bin/firefox-esr"
REFUSALS = ElementClickInterceptedException, ElementNotInteractableException, StaleElementException
SETTINGS = {
    "marionette.port": 0,  # a free one, which it writes into its profile
    # Its own requests for updates and lists end at once. Addresses of this machine have no proxy.
    "network.proxy.type": 1,
    **{f"network.proxy.{kind}": "127.0.0.1" for kind in ("http", "ssl")},
    **{f"network.proxy.{kind}_port": 9 for kind in ("http", "ssl")},
    "app.normandy.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.disable_beforeunload": False,
}
# In the browser itself: the requests of pages with their streams and slices. A slice that is held is never sent.
WATCH = """
const watch = window.watch = { requests: [], slices: [], streams: [], held: [], isHolding: false };
watch.observer = { observe(subject) {
    const channel = subject.QueryInterface(Ci.nsIHttpChannel);
    const { loadInfo } = channel;
    if (!loadInfo.browsingContextID && !loadInfo.triggeringPrincipal?.schemeIs("http")) return;
    watch.requests.push(channel.URI.spec);
    if (channel.URI.spec.includes("/api/updates")) watch.streams.push(channel);
    if (channel.requestMethod !== "PATCH") return;
    const offset = Number(channel.getRequestHeader("Upload-Offset"));
    if (watch.isHolding && offset > 0) {
        channel.suspend();
        watch.held.push(channel);
    } else {
        watch.slices.push(offset);
    }
} };
Services.obs.addObserver(watch.observer, "http-on-modify-request");
"""
# Errors of scripts and of the content security policy. The pages write nothing to the console themselves.
COMPLAINTS = """
return Services.console.getMessageArray().filter((message) => message instanceof Ci.nsIScriptError)
    .filter(({ sourceName, flags, category }) => /^(http|blob)/.test(sourceName)
        && (!(flags & Ci.nsIScriptError.warningFlag) || category.startsWith("CSP")))
    .map(({ errorMessage, sourceName, lineNumber }) => `${errorMessage} (${sourceName}:${lineNumber})`);
"""


class Firefox:
    """One process with a profile of its own. `renew` makes it the browser of another guest."""

    def __init__(self):
        assert Path(FIREFOX).exists(), "Firefox is missing: install firefox-esr"
        self.home = tempfile.TemporaryDirectory(prefix="disposable-firefox-", ignore_cleanup_errors=True)
        profile = Path(self.home.name)
        (profile / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in SETTINGS.items()))
        self.process = subprocess.Popen(
            [FIREFOX, "--headless", "--no-remote", "--profile", profile, "--marionette", "--remote-allow-system-access"],
            env={"HOME": self.home.name, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            port = profile / "MarionetteActivePort"
            eventually("Firefox listens", lambda: port.exists() and port.read_text())
            self.driver = Marionette("127.0.0.1", port=int(port.read_text()))
            self.driver.start_session()
            self.driver.timeout.script = 180
            self.chrome(WATCH)
        except BaseException:
            self.stop()
            raise

    def chrome(self, code, *arguments):
        """Runs a script in the browser itself."""
        with self.driver.using_context("chrome"):
            return self.driver.execute_script(code, script_args=arguments, sandbox="system")

    def renew(self, languages):
        """One empty tab, and nothing left of earlier pages."""
        handles = self.driver.window_handles
        for handle in handles[1:]:
            self.driver.switch_to_window(handle)
            self.driver.close()
        self.driver.switch_to_window(handles[0])
        self.driver.navigate("about:blank")
        self.chrome("""
            Object.assign(watch, { requests: [], slices: [], streams: [], held: [], isHolding: false });
            Services.console.reset();
            Services.prefs.setStringPref("intl.accept_languages", arguments[0]);
            return new Promise((resolve) => Services.clearData.deleteData(Ci.nsIClearDataService.CLEAR_ALL, resolve));
            """, languages)

    def resize(self, width, height):
        """Gives the page the size of a screen: a window of Firefox is not as narrow as a phone."""
        self.chrome("""
            const { style } = gBrowser.selectedBrowser;
            for (const [name, value] of [["width", arguments[0]], ["height", arguments[1]]]) {
                style.setProperty(name, `${value}px`);
                style.setProperty(`min-${name}`, `${value}px`);
                style.setProperty(`max-${name}`, `${value}px`);
            }""", width, height)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        self.home.cleanup()


class FirefoxGuest:
    """A guest in Firefox, with a log of everything that a guest's page must not do."""

    def __init__(self, firefox, origins, width=360, height=640, languages="en-GB, en"):
        self.firefox = firefox
        self.driver = firefox.driver
        self.origins = set(origins)
        self.size = (width, height)
        self.has_agreed = False
        firefox.renew(languages)

    def open(self, link):
        self.firefox.resize(*self.size)
        self.driver.navigate(link)
        self.wait("the size of the screen", f"innerWidth === {self.size[0]} && innerHeight === {self.size[1]}")
        return self

    def open_tab(self, link):
        """Opens another tab, and returns its handle."""
        tab = self.driver.open(type="tab", focus=True)["handle"]
        self.driver.switch_to_window(tab)
        self.open(link)
        self.wait_for("#party")
        return tab

    def script(self, code, *arguments):
        return self.driver.execute_script(code, script_args=arguments, sandbox=None)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def wait(self, what, condition, within=180):
        """Waits until the JavaScript expression `condition` is true."""
        return eventually(what, lambda: self.script(f"return {condition}"), within)

    def wait_for(self, selector):
        self.wait(f"{selector} is visible", f"!!document.querySelector({json.dumps(selector)})?.getClientRects().length")

    def wait_until_hidden(self, selector):
        self.wait(f"{selector} is hidden", f"!document.querySelector({json.dumps(selector)})?.getClientRects().length")

    def wait_for_text(self, selector, words):
        self.wait(f"{selector} has the text {words!r}",
                  f"document.querySelector({json.dumps(selector)})?.textContent.includes({json.dumps(words)})")

    def click(self, selector, number=0):
        click(self, selector, number, REFUSALS)

    def tap(self, x, y):
        """A click at a point of the screen, whatever is there."""
        self.driver.actions.sequence("pointer", "mouse").pointer_move(round(x), round(y)).pointer_down().pointer_up().perform()

    def screenshot(self):
        """The screen as PNG."""
        return base64.b64decode(self.driver.screenshot(full=False))

    def enter(self, name):
        self.wait_for("#welcome")
        self.find("#name").send_keys(name)
        self.click("#welcome-form button[type=submit]")
        self.wait_for("#party")
        return self

    def choose(self, files):
        """Picks files; gives the consent if asked, which happens once."""
        self.find("#library").send_keys("\n".join(str(file) for file in files))
        if self.has_agreed:
            return
        self.wait_for("#ask button[value=yes]")
        self.click("#ask button[value=yes]")
        self.has_agreed = True

    def press(self, key):
        """Presses a key, or several together as in "Shift+Tab"."""
        keys = [WEBDRIVER.get(name, name) for name in key.split("+")]
        sequence = self.driver.actions.sequence("key", "keyboard")
        for one in keys:
            sequence = sequence.key_down(one)
        for one in reversed(keys):
            sequence = sequence.key_up(one)
        sequence.perform()

    def type(self, words):
        self.driver.actions.sequence("key", "keyboard").send_keys(words).perform()

    def pick(self, files):
        """Chooses files in the focused input; its own dialog is not the page's."""
        self.find("input:focus").send_keys("\n".join(str(file) for file in files))

    def follow(self, act):
        """The window that opens becomes the guest's page."""
        before = set(self.driver.window_handles)
        act()
        opened, = eventually("another window", lambda: set(self.driver.window_handles) - before)
        self.driver.switch_to_window(opened)

    def expect_prober(self):
        """Waits until the script that asks other nodes is loaded: see guest.py."""
        eventually("the worker", lambda: any(url.endswith("/prober.js") for url in self.watched("watch.requests")))

    def expect_photos(self, count, tab="everyone", within=180):
        """Expects this many photos, each with its picture loaded."""
        self.wait(f"{count} photos in {tab}", f"""[...document.querySelectorAll('#{tab}-grid .tile:not([hidden]):not(.upload) img')]
            .filter((image) => image.complete && image.naturalWidth > 0).length === {count}""", within)

    def expect_all_sent(self):
        self.wait("no upload is left", "document.querySelectorAll('.upload').length === 0")

    def expect_nothing_wider_than_the_screen(self):
        assert self.script("return document.scrollingElement.scrollWidth <= innerWidth"), "wider than the screen"

    # The browser's view

    def watched(self, expression):
        return self.firefox.chrome(f"return {expression}")

    def streams(self):
        """Returns the number of event streams that the browser holds open."""
        return self.watched("watch.streams.filter((channel) => channel.isPending()).length")

    def hold_slices(self):
        """Stops uploads after the first slice of each."""
        self.firefox.chrome("watch.isHolding = true")

    def release_slices(self):
        self.firefox.chrome("""
            watch.isHolding = false;
            for (const channel of watch.held.splice(0)) if (channel.isPending()) channel.resume();""")

    def check(self):
        """Expects no request to other origins, and no complaint of the browser."""
        urls = map(urlsplit, self.watched("watch.requests"))
        asked = {f"{url.scheme}://{url.netloc}" for url in urls}
        assert asked, "the log has no requests"
        assert asked <= self.origins, f"asked others than the event's nodes: {asked - self.origins}"
        complaints = self.firefox.chrome(COMPLAINTS)
        assert not complaints, f"the console has complaints: {complaints}"
