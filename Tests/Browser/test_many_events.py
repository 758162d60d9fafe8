# SPDX-License-Identifier: Apache-2.0
"""The board of a network with many events: a handful of machines announce them, another machine's page shows all of them,
also without the others after a restart. A network of its own, since tests beside this one announce events on the loopback
interface. With DISPOSABLE_LONG 200 events of seven machines, otherwise 12 of three. The times are properties of the test."""

import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from conftest import CHROMIUM
from guest import Guest
from party import BUILD, ROOT, eventually

sys.path.append(str(ROOT / "Tests/Interop"))
from lan import Lan, LanNode  # noqa: E402

pytestmark = pytest.mark.long
EVENTS, PUBLISHERS = (200, 7) if "DISPOSABLE_LONG" in os.environ else (12, 3)
KINDS = ["market", "party", "concert", "festival"]

# Creates events as the desk's page does, on the machine of the desk. Prints how many.
ORGANIZER_PROGRAM = """
import json, sys
from urllib.request import Request, urlopen

asked = json.load(sys.stdin)
origin, key = asked["desk"].split("/desk#")
begin = Request(origin + "/desk/api/session", json.dumps({"key": key}).encode(), {"Content-Type": "application/json"})
with urlopen(begin, timeout=60) as answer:
    cookie = answer.headers["Set-Cookie"].split(";")[0]
for event in asked["events"]:
    create = Request(origin + "/desk/api/events", json.dumps(event).encode(),
                     {"Content-Type": "application/json", "Cookie": cookie})
    urlopen(create, timeout=60).close()
print(len(asked["events"]))
"""

# Asks a node for its board until it has so many events. Prints the seconds of the last answer.
READER_PROGRAM = """
import json, sys, time
from urllib.request import urlopen

origin, wanted, within = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
end, count = time.monotonic() + within, 0
while time.monotonic() < end:
    begun = time.monotonic()
    try:
        with urlopen(origin + "/api/board", timeout=60) as answer:
            count = len(json.load(answer)["events"])
    except OSError:
        count = 0
    if count == wanted:
        print(round(time.monotonic() - begun, 3))
        sys.exit()
    time.sleep(0.1)
sys.exit(f"{count} events instead of {wanted}")
"""


class BoardNode(LanNode):
    """A node that serves its pages to its host's network."""

    def __init__(self, lan, number, folder, *arguments):
        self.lan, self.number = lan, number
        super().__init__(lan.host(number), folder, *arguments)

    def _program(self, arguments, listen, portal):
        return [*self.within, BUILD / "disposable", *arguments, "--data", self.folder, "--json"]

    @property
    def origin(self):
        return f"http://10.77.0.{self.number}:8027"

    def run(self, program, *arguments, text=""):
        """Runs a Python program on the node's host; returns what it prints."""
        done = subprocess.run(
            [*self.lan.host(self.number), sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True,
            input=text, timeout=900)
        assert done.returncode == 0, f"{done.stderr}\n{self.log()}"
        return done.stdout.strip()

    def seconds_to_answer(self, count):
        """Waits until the board has so many events; returns the seconds that the answer took."""
        return float(self.run(READER_PROGRAM, self.origin, count, 600))


def kind_of(number):
    return KINDS[number % len(KINDS)]


def new_event(number):
    start = datetime.now() + timedelta(hours=number)
    return {
        "name": f"Event {number:03}", "organizer": f"Organizer {number % 40}", "isDraft": False, "parameters": {
            "category": kind_of(number), "place": f"Place {number % 25}", "startsAt": int(start.timestamp() * 1000),
            "durationHours": 5, "isListed": True, "details": "Cakes, books and a raffle. " * 8}}


def publisher(lan, number, folder, names):
    """A machine with some events: the first by a command, the others by its desk."""
    node = BoardNode(lan, number, folder / f"node-{number}", "host", f"Event {names[0]:03}", "--as", f"Host {number}",
                     "--category", kind_of(names[0]))
    if names[1:]:
        made = node.run(ORGANIZER_PROGRAM, text=json.dumps({"desk": node.desk(), "events": [*map(new_event, names[1:])]}))
        assert int(made) == len(names) - 1
    return node


@pytest.fixture
def lan():
    if os.geteuid() != 0:
        (pytest.fail if "CI" in os.environ else pytest.skip)("network namespaces need root")
    lan = Lan(PUBLISHERS + 1)
    yield lan
    lan.kill()


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory(prefix="disposable-board-") as folder:
        yield Path(folder)


@pytest.fixture
def running(folder):
    """The nodes of a test, which end before its folder goes."""
    nodes = []
    yield nodes
    for node in nodes:
        node.kill()


@pytest.fixture
def phone(playwright, lan, folder):
    """A guest's browser on the host of the reader."""
    program = folder / "chromium"
    program.write_text(f"#!/bin/sh\nexec {' '.join(map(repr, map(str, lan.host(PUBLISHERS + 1))))} {CHROMIUM} \"$@\"\n")
    program.chmod(0o755)
    browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
    yield browser
    browser.close()


def seconds_to_show(browser, node, count):
    """How long a page takes from its address to all events of the board, in a browser without a cache."""
    guest = Guest(browser, {node.origin})
    # A message of the browser about plain HTTP.
    guest.allow("Cross-Origin-Opener-Policy")
    begun = time.monotonic()
    guest.open(node.origin + "/board")
    expect(guest.page.locator("#events > li")).to_have_count(count)
    took = time.monotonic() - begun
    guest.check()
    return guest, took


def test_a_machine_shows_every_event_of_a_full_network(lan, folder, running, phone, record_property):
    for number in range(1, PUBLISHERS + 1):
        running.append(publisher(lan, number, folder, range(number, EVENTS + 1, PUBLISHERS)))
    for node in running:
        node.seconds_to_answer(EVENTS)

    # A machine that has seen nothing. Its own event is not listed.
    begun = time.monotonic()
    reader = BoardNode(lan, PUBLISHERS + 1, folder / "reader", "host", "Dinner", "--as", "Chloe", "--unlisted")
    running.append(reader)
    reader.seconds_to_answer(EVENTS)
    record_property(f"{EVENTS} events of {PUBLISHERS} machines on the board of a new one, from the start of its program, s",
                    round(time.monotonic() - begun, 2))
    guest, took = seconds_to_show(phone, reader, EVENTS)
    record_property("the page with all of them, s", round(took, 2))
    begun = time.monotonic()
    guest.page.get_by_role("button", name="Market").click()
    expect(guest.page.locator("#events > li")).to_have_count([*map(kind_of, range(1, EVENTS + 1))].count("market"))
    record_property("one kind of them, s", round(time.monotonic() - begun, 2))
    guest.close()

    # After a restart without a network the node lists the kept events at once.
    eventually("the cards are kept", lambda: (
        file := reader.folder / "board.json").exists() and len(json.loads(file.read_text())["cards"]) == EVENTS)
    reader.kill()
    lan("cut", PUBLISHERS + 1)
    begun = time.monotonic()
    reader.start()
    record_property("from the start of its program to its being ready, s", round(time.monotonic() - begun, 2))
    answered = reader.seconds_to_answer(EVENTS)
    record_property("the same board after a restart, without a network: from the start of the program, s; one answer, s",
                    f"{time.monotonic() - begun:.2f}; {answered}")
    guest, took = seconds_to_show(phone, reader, EVENTS)
    record_property("the page with all of them, kept ones, s", round(took, 2))
    guest.close()
