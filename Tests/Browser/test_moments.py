# SPDX-License-Identifier: Apache-2.0
"""Moments: the banner and its way to the camera, the photos of the same instant, and the wall."""

import hashlib
import re
import time

import pytest
from playwright.sync_api import expect

from client import Client
from minutes import hours, minute_with_time_left
from party import eventually
from test_axe import find
from test_desk import sit  # noqa: F401


def moments_of(node):
    """What the node says of the moments to guests."""
    return Client(node.link).json("GET", "api/moment")[2]


@pytest.fixture
def begun(parties):
    """An event of two nodes that began twenty minutes ago. Its moments are switched on by the tests."""
    start = time.strftime("%Y-%m-%dT%H:%M+00:00", time.gmtime(time.time() - 1200))
    party = parties(options=["--starts", start, "--duration", "24h"])
    party.host.grant("page", "Node 1")
    yield party
    party.end()


def test_a_moment_calls_everyone_and_its_photos_are_shown_side_by_side(begun, guests, painter, size):
    party = begun
    bea = guests(party, size).open(party.host.link).enter("Bea")
    expect(bea.page.locator("#moment")).to_be_hidden()
    expect(bea.page.locator("#moments")).to_be_hidden()
    # A photo of before belongs to no moment.
    earlier = minute_with_time_left()
    bea.choose([painter.photo(640, 480)])
    bea.expect_photos(1, "everyone")
    expect(bea.page.locator("#everyone-grid .moment")).to_have_count(0)

    # The moment of the day begins with this very minute: it runs.
    minute = minute_with_time_left()
    party.host.command("event", "edit", "--moments", hours(minute))
    expect(bea.page.locator("#moment")).to_be_visible()
    expect(bea.page.locator("#moment-left")).to_have_text(re.compile(r"^(4:\d\d|5:00)$"))
    expect(bea.page.locator("#announce")).to_contain_text("five minutes")
    bea.page.click("#moment-take")
    expect(bea.page.locator("#finder")).to_be_visible()
    bea.page.click("#finder-close")
    bea.choose([painter.photo(640, 480)])
    expect(bea.page.locator("#everyone-grid .tile:has(.moment)")).to_have_count(1 + (earlier == minute))
    expect(bea.page.locator("#everyone-grid .moment").first).to_have_text("Moment")

    # A sound only after a tap on its button.
    bea.go("everyone")
    bea.page.click("#moment-sound")
    expect(bea.page.locator("#moment-sound")).to_have_attribute("aria-pressed", "true")

    found = []
    find(bea, "a running moment", found)
    assert found == []

    # All nodes say the same of every photo.
    def verdicts(node):
        return {photo["id"]: photo.get("moment") for photo in node.gallery()}
    eventually("both nodes agree", lambda: len(verdicts(party.other)) == 2 and verdicts(party.host) == verdicts(party.other))
    assert {"day": 1, "late": False} in verdicts(party.host).values()

    # Hours five minutes earlier: that moment ended when this minute began, and the photo came within its grace.
    party.host.command("event", "edit", "--moments", hours(minute - 5))
    expect(bea.page.locator("#moment")).to_be_hidden()
    eventually("late on both nodes", lambda: {"day": 1, "late": True} in verdicts(party.host).values()
               and verdicts(party.host) == verdicts(party.other))
    bea.page.locator("#moments-past button").click()
    expect(bea.page.locator("#person-name")).to_contain_text("The moment of")
    expect(bea.page.locator("#person-grid .moment").first).to_have_text("Late")
    expect(bea.page.locator("#person-grid .tile")).to_have_count(1 + (earlier == minute))
    find(bea, "the photos of a moment", found)
    assert found == []

    # What was secret before is given out now, by both nodes, and proves that the minute was chosen in advance.
    event = bytes.fromhex(party.host.ready["event"])
    for node in party.nodes:
        said = moments_of(node)
        (past,) = said["past"]
        link = hashlib.blake2b(b"disposable/1 moment link\0" + event, key=bytes.fromhex(past["link"]),
                               digest_size=32).hexdigest()
        assert link == said["commitment"] and past["startsAt"] == (minute - 5) * 60_000


def test_the_wall_calls_with_large_words_and_shows_the_photos_of_the_moment(begun, guests, painter, sit):  # noqa: F811
    party = begun
    wall = guests(party, "desktop")
    wall.open(f"{party.host.origin}/wall#{party.host.link.split('#')[1]}")
    expect(wall.page.locator("#code")).to_be_visible()
    minute = minute_with_time_left()
    party.host.command("event", "edit", "--moments", hours(minute))
    expect(wall.page.locator("#moment.large .words")).to_have_text("It’s the moment!")
    bea = Client(party.host.link).enter("Bea")
    assert bea.upload(painter.photo(640, 480).read_bytes())[0] == 204
    expect(wall.page.locator("#moment.large")).to_have_count(0)
    expect(wall.page.locator("#moment-left")).to_be_visible()
    party.host.command("event", "edit", "--moments", hours(minute - 5))
    expect(wall.page.locator("#mosaic")).to_be_visible()
    expect(wall.page.locator("#mosaic li")).to_have_count(1)
    expect(wall.page.locator("#moment")).to_be_hidden()
    expect(wall.page.locator("#mosaic")).to_be_hidden()
    # A wall for this moment alone, which the desk offers; there was none on the second day.
    desk = sit(party.host).go("invite").page
    desk.select_option("#wall-show", "moment=1")
    expect(desk.locator("#wall-address")).to_contain_text("moment=1")
    token = party.host.link.split("#")[1]
    wall.open(f"{party.host.origin}/wall?moment=1#{token}")
    expect(wall.page.locator("#count")).to_have_text("1 photo")
    wall.open(f"{party.host.origin}/wall?moment=2#{token}")
    expect(wall.page.locator("#code")).to_be_visible()
    expect(wall.page.locator("#count")).to_be_hidden()


def test_the_command_line_shows_and_takes_away_the_moments(begun):
    host = begun.host
    minute = minute_with_time_left()
    host.command("event", "edit", "--moments", hours(minute))
    status = host.status()
    assert status["moments"]["running"]["day"] == 1 and status["moments"]["isClockSet"]
    assert status["moments"]["past"] == [] and "link" not in status["moments"]["running"]
    assert "each day five minutes" in host.command("event", "show")
    host.command("event", "edit", "--moments", "none")
    assert "moments" not in host.status()
    assert moments_of(host) == {"hours": None, "commitment": None, "isClockSet": True, "running": None, "past": []}
