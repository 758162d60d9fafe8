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

# Clocks that are not set. A quarter of an hour behind: before the event's creation, and within the event. Two hours ahead: only the
# organizer's clock says that it is wrong. 1970, where the clock of a machine without a battery begins.
UNSET_CLOCKS = {"Dan": -900, "Emma": 7_200, "Finn": -int(time.time())}

# The JSON that a node's page gives to a browser on the same machine.
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
    lan = make_lan(len(CLOCKS) + len(UNSET_CLOCKS))

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
def with_unset_clocks(nodes):
    """The nodes with good clocks, and those whose clocks are not set: they are in as well, and serve pages."""
    made, join = nodes
    unset = [join(name, host, shift, PortalNode) for host, (name, shift) in enumerate(UNSET_CLOCKS.items(), NEWCOMER)]
    for name, node in zip(UNSET_CLOCKS, unset):
        made[0].grant("page", name)
        eventually(f"{name}'s node may serve guests", lambda node=node: "guestURL" in node.status())
    return made, unset


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


def announce(host, minute, unset):
    """Has the host set the hours to one minute, of which the nodes without a clock hear, too."""
    known = host.status()["operationCount"]
    host.command("event", "edit", "--moments", hours(minute))
    for node in unset:
        eventually(f"{node.folder.name} knows the hours", lambda node=node: (
            node.status()["operationCount"] > known and node.status().get("moments")))


def own(node):
    """The ids of the photos of the node's person."""
    return {photo["id"] for photo in node.gallery() if photo["isMine"]}


def test_a_node_whose_clock_is_not_set_tells_of_no_moment_and_agrees_on_all_photos(with_unset_clocks, painter):
    made, unset = with_unset_clocks
    # The creation of the event is before the moment, so that no time of before is within it.
    time.sleep(60 - time.time() % 60)
    minute = minute_with_time_left()
    announce(made[0], minute, unset)
    eventually("the others know of the moment", lambda: all(map(moment_of, made)))
    for node in [*made, *unset]:
        node.command("add", painter.photo())
    for node in unset:
        tells_of_no_moment(node)
    assert all(map(moment_of, made)), "meanwhile the moment runs for the others"
    found = eventually("all have all photos, and say the same", lambda: agreed([*made, *unset], 6))
    # The photos of a wrong time are of no moment, and are photos as all others, here and elsewhere.
    ordinary = set.union(*map(own, unset))
    assert {photo: verdict for photo, verdict in found.items() if verdict} == {
        photo: {"day": 1, "late": False} for photo in found.keys() - ordinary}
    eventually("all have all photos, whole", lambda: all(
        photo["state"] == "complete" for node in [*made, *unset] for photo in node.gallery()))
    assert len(ordinary) == 3 and all(page(node)[1] == found for node in unset)

    # Nor do they begin the moment of the minute that a wrong clock shows, or tell of the one that it believes to be over.
    for shift in (UNSET_CLOCKS["Dan"], UNSET_CLOCKS["Emma"], UNSET_CLOCKS["Emma"] - 600):
        announce(made[0], minute + shift // 60, unset)
        for node in unset:
            tells_of_no_moment(node)
    eventually("all say the same still", lambda: agreed([*made, *unset], 6))
