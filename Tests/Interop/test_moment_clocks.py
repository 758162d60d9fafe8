# SPDX-License-Identifier: Apache-2.0
"""A moment on real nodes whose clocks differ by seconds, on machines of their own; one joins during the window. All say the same
of it and of every photo."""

import time

import pytest

from lan import LanNode
from minutes import hours, minute_with_time_left
from party import eventually, is_in

CLOCKS = {"Anna": 0, "Ben": 4, "Chloe": -4}


@pytest.fixture
def nodes(folder, running, make_lan):
    """Anna hosts an event that began twenty minutes ago; Ben and Chloe are in. `join` brings another one."""
    lan = make_lan(len(CLOCKS) + 1)

    def start(name, host, *arguments):
        node = LanNode(lan.host(host), folder / name.lower(), *arguments, "--as", name)
        running.append(node)
        return node

    for host, shift in enumerate(CLOCKS.values(), 1):
        if shift:
            lan("clock", host, shift)
    begin = time.strftime("%Y-%m-%dT%H:%M+00:00", time.gmtime(time.time() - 1_200))
    anna = start("Anna", 1, "host", "Garden party", "--starts", begin, "--duration", "24h")

    def join(name, host):
        node = start(name, host, "join", anna.ready["invitation"])
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
    made.append(join("Dan", len(CLOCKS) + 1))
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
