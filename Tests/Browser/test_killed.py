# SPDX-License-Identifier: Apache-2.0
"""A phone that needs its memory for the camera kills the page behind it: the page says so, and sends what it had."""

import json
import os
import subprocess

import pytest
import websocket

from conftest import HEADLESS
from party import eventually
from test_breaks import HALF_SENT, expect_exactly

# As over plain HTTP, where pages have no camera of their own.
NO_CAMERA = "Object.defineProperty(Navigator.prototype, 'mediaDevices', { value: undefined })"


class Tab:
    """A page steered by the protocol of the browser alone: Playwright gives up a page whose process has ended."""

    def __init__(self, profile):
        self.count, self.session = 0, None
        self.process = subprocess.Popen(
            [HEADLESS, "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank",
             *(["--no-sandbox"] if os.geteuid() == 0 else [])], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            place = profile / "DevToolsActivePort"
            eventually("the browser listens", lambda: place.exists() and len(place.read_text().split()) == 2)
            port, path = place.read_text().split()
            # Not as a page of some origin, which the browser refuses.
            self.socket = websocket.create_connection(f"ws://127.0.0.1:{port}{path}", timeout=120, suppress_origin=True)
            target = self.send("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Inspector", "Network", "DOM"):
                self.send(f"{domain}.enable")
        except BaseException:
            self.end()
            raise

    def post(self, method, **parameters):
        self.count += 1
        session = {"sessionId": self.session} if self.session else {}
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters, **session}))

    def until(self, is_wanted):
        while True:
            message = json.loads(self.socket.recv())
            if is_wanted(message):
                return message

    def send(self, method, **parameters):
        self.post(method, **parameters)
        answer = self.until(lambda message: message.get("id") == self.count)
        if "error" in answer:
            raise LookupError(f"{method}: {answer['error']}")
        return answer["result"]

    def value(self, expression):
        """What an expression is, as if a person had tapped; `None` while the page is being replaced."""
        try:
            return self.send("Runtime.evaluate", expression=expression, userGesture=True)["result"].get("value")
        except LookupError:
            return None

    def wait(self, expression):
        return eventually(expression, lambda: self.value(expression))

    def upload_rate(self, bytes_per_second):
        self.send("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1,
                  uploadThroughput=bytes_per_second)

    def choose(self, file):
        found = self.send("Runtime.evaluate", expression="document.getElementById('library')")["result"]["objectId"]
        self.send("DOM.setFileInputFiles", files=[str(file)], objectId=found)

    def die(self):
        """The process of the page ends, at once and with nothing said to the page."""
        self.post("Page.crash")
        self.until(lambda message: message.get("method") == "Inspector.targetCrashed")

    def end(self):
        self.process.kill()
        self.process.wait(60)


@pytest.fixture
def tab(tmp_path):
    profile = tmp_path / "profile"
    profile.mkdir()
    tab = Tab(profile)
    yield tab
    tab.end()


@pytest.mark.share(of=2)
@pytest.mark.parametrize("language, told", [
    ("en", "Your phone closed this page while the camera was open"),
    ("fr", "Votre téléphone a fermé cette page pendant la prise de vue")])
def test_a_page_that_is_killed_behind_the_camera_says_so_and_sends_what_it_had(parties, tab, painter, tmp_path, language, told):
    party = parties(guests=0)
    photo = painter.photo(4000, 3000)
    tab.send("Page.addScriptToEvaluateOnNewDocument", source=f"{NO_CAMERA}; localStorage['disposable.language'] = '{language}'")
    tab.send("Page.navigate", url=party.host.link)
    tab.wait("document.getElementById('welcome')?.hidden === false")
    tab.value("document.getElementById('welcome-form').requestSubmit()")
    tab.wait("document.getElementById('party').hidden === false")
    assert tab.value("document.documentElement.lang") == language
    tab.upload_rate(200_000)
    tab.choose(photo)
    tab.wait("document.getElementById('ask').open")
    tab.value("document.querySelector('#ask button[value=yes]').click()")
    tab.wait(HALF_SENT)

    # The camera is in front, and the system takes the memory of the page.
    tab.send("Page.setInterceptFileChooserDialog", enabled=True)
    tab.value("document.getElementById('camera').click()")
    tab.wait("sessionStorage['disposable.camera'] === 'open'")
    tab.die()
    assert not party.host.gallery(), "the photo was sent before that"
    # A page without a process answers nothing else.
    tab.send("Page.reload")
    tab.upload_rate(-1)
    eventually("the page says it", lambda: told in (tab.value("document.getElementById('toast')?.textContent") or ""))
    eventually("the photo", lambda: len(party.host.gallery()) == 1)
    tab.wait("!document.querySelector('.upload') && document.getElementById('progress').hidden")
    expect_exactly(party.host, [photo], tmp_path / "out")
    party.end()
