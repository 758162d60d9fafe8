# SPDX-License-Identifier: Apache-2.0
"""A moment on real nodes with clocks of their own, on machines of their own. Nodes whose clocks differ by seconds, one of which
joins during the window, say the same of it and of every photo. A node whose clock is not set tells of no moment, and says the
same of every photo."""

import json
import subprocess
import sys
import time

import pytest

from lan import LanNode
from minutes import hours, minute_with_time_left
from party import ROOT, eventually, is_in
from test_metrics import PortalNode

CLOCKS = {"Anna": 0, "Ben": 4, "Chloe": -4}
NEWCOMER = len(CLOCKS) + 1

# A quarter of an hour behind: before the event's creation, and within the event. Two hours ahead: only the organizer's clock says
# that it is wrong.
WRONG_CLOCKS = [-900, 7_200]

# What a node's page gives to a browser on the same machine.
BROWSER = f"""
import json, sys
sys.path.insert(0, {str(ROOT / "Tests/Browser")!r})
from client import Client
client = Client(sys.argv[1])
photos = client.json("GET", "api/photos")[2]["photos"]
print(json.dumps([client.json("GET", "api/moment")[2], {{photo["id"]: photo["moment"] for photo in photos}}]))
"""


@pytest.fixture
def nodes(folder, running, make_lan):
    """Anna hosts an event that began twenty minutes ago; Ben and Chloe are in. `join` brings another one, whose clock is so many
    seconds ahead."""
    lan = make_lan(NEWCOMER)

    def start(kind, name, host, *arguments):
        node = kind(lan.host(host), folder / name.lower(), *arguments, "--as", name)
        running.append(node)
        return node

    for host, shift in enumerate(CLOCKS.values(), 1):
        if shift:
            lan("clock", host, shift)
    begin = time.strftime("%Y-%m-%dT%H:%M+00:00", time.gmtime(time.time() - 1_200))
    # Photos of any time count, also those of a clock that was never set.
    anna = start(LanNode, "Anna", 1, "host", "Garden party", "--starts", begin, "--duration", "24h", "--late", "any")

    def join(name, host, shift=0, kind=LanNode):
        if shift:
            lan("clock", host, shift)
        node = start(kind, name, host, "join", anna.ready["invitation"])
        is_in(node)
        return node

    made = [anna, join("Ben", 2), join("Chloe", 3)]
    return made, join


def verdicts(node):
    return {photo["id"]: photo.get("moment") for photo in node.gallery()}


def agreed(nodes, count):
    first, *others = map(verdicts, nodes)
    return len(first) == count and all(other == first for other in others) and first


def moment_of(node):
    moments = node.status().get("moments") or {}
    return moments.get("running")


def test_nodes_with_other_clocks_and_one_that_joins_meanwhile_agree_on_a_moment(nodes, painter):
    made, join = nodes
    anna = made[0]
    minute = minute_with_time_left()
    anna.command("event", "edit", "--moments", hours(minute))
    running = eventually("all know of the moment", lambda: (
        said := [moment_of(node) for node in made]) and all(said) and said)
    # The same minute, whatever their clocks say.
    assert len({each["startsAt"] for each in running}) == 1
    for node in made:
        node.command("add", painter.photo())
    made.append(join("Dan", NEWCOMER))
    eventually("the newcomer knows of it", lambda: moment_of(made[-1]))
    assert moment_of(made[-1])["startsAt"] == running[0]["startsAt"]
    made[-1].command("add", painter.photo())
    found = eventually("all have all photos, and say the same", lambda: agreed(made, 4))
    assert list(found.values()) == [{"day": 1, "late": False}] * 4

    # The second moment ended when this minute began: all nodes agree that the photos are late or not part of it.
    anna.command("event", "edit", "--moments", hours(minute - 5))
    later = eventually("all say the same of the other moment", lambda: (
        now := agreed(made, 4)) and now != found and now)
    assert set(map(str, later.values())) <= {"None", str({"day": 1, "late": True})}


@pytest.fixture
def with_unset_clock(nodes):
    """Dan, whose clock is so many seconds ahead, is in and serves pages."""
    made, join = nodes

    def with_unset_clock(shift):
        dan = join("Dan", NEWCOMER, shift, PortalNode)
        made[0].grant("page", "Dan")
        eventually("Dan's node may serve guests", lambda: "guestURL" in dan.status())
        return made, dan
    return with_unset_clock


def page(node):
    """What the node's page says of the moments, and of the moment of each photo."""
    read = subprocess.run(
        [*node.within, sys.executable, "-c", BROWSER, node.status()["guestURL"]], capture_output=True, text=True, timeout=180)
    assert read.returncode == 0, read.stderr
    return json.loads(read.stdout)


def tells_of_no_moment(node):
    """Asserts that neither the node's person nor its guests hear of a moment or get a link, though the hours are known."""
    told, shown = node.status()["moments"], page(node)[0]
    assert told["isClockSet"] is False and not told.get("running") and told["past"] == []
    assert shown["isClockSet"] is False and shown["running"] is None and shown["past"] == []
    assert shown["hours"] and shown["commitment"] == told["commitment"]


def mine(node):
    """The ids of the photos of the node's person."""
    lines = map(json.loads, node.command("gallery", "--mine", "--json").splitlines())
    return {line["id"] for line in lines if line["type"] == "photo"}


def state_of(photo, node):
    return next(each["state"] for each in node.gallery() if each["id"] == photo)


def start_of_epoch():
    """The shift to 1970, where the clock of a machine without a battery begins."""
    return -int(time.time())


@pytest.mark.parametrize("shift", [*WRONG_CLOCKS, "1970"])
def test_a_node_whose_clock_is_not_set_shows_no_moment_and_agrees_on_all_photos(with_unset_clock, painter, shift):
    made, dan = with_unset_clock(start_of_epoch() if shift == "1970" else shift)
    anna = made[0]
    anna.command("event", "edit", "--moments", hours(minute_with_time_left()))
    eventually("the others know of the moment", lambda: all(map(moment_of, made)))
    eventually("Dan's node knows the hours", lambda: dan.status().get("moments"))
    tells_of_no_moment(dan)
    for node in [*made, dan]:
        node.command("add", painter.photo())
    found = eventually("all have all photos, and say the same", lambda: agreed([*made, dan], 4))
    assert sorted(map(str, found.values())) == sorted(["None", *[str({"day": 1, "late": False})] * 3])
    # The photo without a moment is Dan's, and a photo as any other.
    (ordinary,) = [photo for photo, verdict in found.items() if not verdict]
    assert mine(dan) == {ordinary}
    eventually("all have it, whole", lambda: all(state_of(ordinary, node) == "complete" for node in [*made, dan]))
    assert page(dan)[1] == found
    assert all(map(moment_of, made)), "the moment of the others is still running"
    tells_of_no_moment(dan)


@pytest.mark.parametrize("shift", WRONG_CLOCKS)
def test_a_clock_that_is_not_set_begins_no_moment_by_itself(with_unset_clock, painter, shift):
    """The moment of the minute that the wrong clock shows; with a right one the node would announce it."""
    made, dan = with_unset_clock(shift)
    made[0].command("event", "edit", "--moments", hours(minute_with_time_left() + shift // 60))
    eventually("Dan's node knows the hours", lambda: dan.status().get("moments"))
    for node in [*made, dan]:
        node.command("add", painter.photo())
    # Its own photo has the time of that moment, on every node.
    found = eventually("all have all photos, and say the same", lambda: agreed([*made, dan], 4))
    assert sorted(map(str, found.values())) == sorted([*["None"] * 3, str({"day": 1, "late": False})])
    assert not any(map(moment_of, made))
    tells_of_no_moment(dan)
