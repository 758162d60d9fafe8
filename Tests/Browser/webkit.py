# SPDX-License-Identifier: Apache-2.0
"""WebKit, the engine nearest to an iPhone's: Debian's WebKitGTK, driven over WebDriver, on a screen of its own."""

import glob
import json
import os
import shutil
import subprocess
import tempfile
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from clicks import click
from keys import WEBDRIVER

DRIVER = "/usr/bin/WebKitWebDriver"
REFUSALS = ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException


def mini_browser():
    found = sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))
    assert found, "WebKit's MiniBrowser is missing: install webkit2gtk-driver"
    return found[-1]


class Screen:
    """An X server for this window alone."""

    def __init__(self):
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
            pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb did not start"
        self.name = f":{number}"

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


class WebKitGuest:
    """A guest in WebKit. Its log of requests is the page's own list of resources, which has every address."""

    def __init__(self, screen, origins, width=360, height=640):
        self.origins = set(origins)
        self.home = tempfile.mkdtemp(prefix="disposable-webkit-")
        options = Options()
        options.binary_location = mini_browser()
        options.add_argument("--automation")
        environment = {
            "DISPLAY": screen.name, "HOME": self.home, "XDG_RUNTIME_DIR": self.home, "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
        }
        if os.geteuid() == 0:
            environment["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
        self.driver = webdriver.WebKitGTK(options=options, service=Service(DRIVER, env=environment))
        self.has_agreed = False
        self._open_window(width, height)

    def _open_window(self, width, height):
        """A window without the browser's own bar, whose buttons would make it wider than a phone."""
        self.driver.get("about:blank")
        bar = self.driver.current_window_handle
        self.script(
            """document.body.innerHTML = "<button>Open</button>";
            document.body.firstChild.onclick = () => open("about:blank", "guest", "popup,toolbar=no,location=no,menubar=no");""")
        self.find("button").click()
        WebDriverWait(self.driver, 180).until(lambda driver: len(driver.window_handles) == 2)
        self.driver.close()
        self.driver.switch_to.window(next(handle for handle in self.driver.window_handles if handle != bar))
        self.size = [width, height]
        self.driver.set_window_size(width, height)

    def open(self, link):
        self.driver.get(link)
        self.wait("the window's size", f"innerWidth === {self.size[0]} && innerHeight === {self.size[1]}")
        return self

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def wait(self, what, condition, within=180):
        """Waits until the JavaScript expression `condition` is true."""
        return WebDriverWait(self.driver, within).until(lambda _: self.script(f"return {condition}"), what)

    def wait_for(self, selector):
        self.wait(f"{selector} is visible", f"!!document.querySelector({json.dumps(selector)})?.getClientRects().length")

    def click(self, selector, number=0):
        click(self, selector, number, REFUSALS)

    def tap(self, x, y):
        """A click at a point of the screen, whatever is there."""
        actions = ActionBuilder(self.driver)
        actions.pointer_action.move_to_location(round(x), round(y)).click()
        actions.perform()

    def screenshot(self):
        """The screen as PNG."""
        return self.driver.get_screenshot_as_png()

    def enter(self, name):
        self.wait_for("#welcome")
        self.find("#name").send_keys(name)
        self.click("#welcome-form button[type=submit]")
        self.wait_for("#event-name")
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
        chain = ActionChains(self.driver)
        for one in keys:
            chain.key_down(one)
        for one in reversed(keys):
            chain.key_up(one)
        chain.perform()

    def type(self, words):
        ActionChains(self.driver).send_keys(words).perform()

    def pick(self, files):
        """Chooses files in the focused input; its own dialog is not the page's."""
        # Not `:focus`, which matches only in the active window, and no window manager makes this one active.
        focused = self.driver.switch_to.active_element
        assert focused.get_attribute("type") == "file", "no input of files has the focus"
        focused.send_keys("\n".join(str(file) for file in files))

    def follow(self, act):
        """The window that opens becomes the guest's page."""
        before = set(self.driver.window_handles)
        act()
        opened, = WebDriverWait(self.driver, 180).until(lambda driver: set(driver.window_handles) - before)
        self.driver.switch_to.window(opened)

    def expect_prober(self):
        """Waits until the script that asks other nodes is loaded: see guest.py."""
        self.wait("the worker", "performance.getEntriesByType('resource').some((entry) => entry.name.endsWith('/prober.js'))")

    def photo_count(self, tab="everyone"):
        return self.script(
            f"return [...document.querySelectorAll('#{tab}-grid .tile:not([hidden]) img')]"
            ".filter((image) => image.complete && image.naturalWidth > 0).length")

    def expect_photos(self, count, tab="everyone", within=180):
        WebDriverWait(self.driver, within).until(lambda _: self.photo_count(tab) == count, f"{count} photos in {tab}")

    def check(self):
        asked = self.script("return [location.href, ...performance.getEntriesByType('resource').map((entry) => entry.name)]")
        origins = {f"{url.scheme}://{url.netloc}" for url in map(urlsplit, asked) if url.scheme != "blob"}
        assert origins <= self.origins, f"asked others than the event's nodes: {origins - self.origins}"

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.home, ignore_errors=True)
