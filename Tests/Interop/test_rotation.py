# SPDX-License-Identifier: Apache-2.0
"""The invitation is replaced: the Python peer gets the new secret from a node, and gives it to one, and is refused with
the old invitation, each on the loopback interface."""

import json

import pytest

from party import Node, eventually, sha256
from python_peer import PythonPeer

ON_LOOPBACK = ("--no-mdns", "--listen", "127.0.0.1:0")


def invitation(node):
    return json.loads(node.command("invite", "--node", "--json"))["invitation"]


@pytest.fixture
def host(folder, running):
    node = Node(folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(node)
    return node


def python_peer(folder, running, text, *arguments):
    peer = PythonPeer(folder, text, *ON_LOOPBACK, *arguments)
    running.append(peer)
    return peer


def test_the_python_peer_follows_a_rotation_and_is_refused_with_the_old_invitation(folder, running, host, painter):
    old = host.ready["invitation"]
    pia = python_peer(folder / "pia", running, old, "--as", "Pia")
    pia.said("member")
    eventually("the host knows Pia", lambda: host.status()["memberCount"] == 2)
    host.command("invite", "rotate", "--yes")
    pia.said("rotated")
    eventually("Pia goes by the new secret", lambda: host.status()["epoch"]["renewedCount"] == 2)
    photo = painter.photo(64, 48)
    host.command("add", photo)
    eventually("the photo comes under the new secret", lambda: sha256(photo) in pia.saved.values())

    stranger = python_peer(folder / "eve", running, old)
    assert "replaced;" in stranger.said("refused")
    assert not [line for line in stranger.lines if line[0] == "member"]
    assert host.status()["memberCount"] == 2

    quentin = python_peer(folder / "quentin", running, invitation(host))
    quentin.said("member")
    eventually("Quentin is in, and waits for nobody",
               lambda: host.status()["memberCount"] == 3 and not host.status()["epoch"]["waiting"])


def test_who_was_away_during_two_rotations_hears_of_them_from_the_python_peer_alone(folder, running, host, painter):
    pia = python_peer(folder / "pia", running, host.ready["invitation"], "--as", "Pia")
    ben = Node(folder / "ben", "join", host.ready["invitation"], "--as", "Ben", "--no-mdns")
    running.append(ben)
    eventually("all know each other",
               lambda: all(node.status()["memberCount"] == 3 and len(node.status()["peers"]) == 2 for node in (host, ben)))
    ben.kill()
    host.command("invite", "rotate", "--yes")
    pia.said("rotated")
    host.command("invite", "rotate", "--yes")
    pia.said("rotated", 2)
    host.kill()
    ben.start("--no-mdns")
    eventually("Ben has the second new secret", lambda: ben.status()["epoch"] | {"waiting": []} == {
        "number": 2, "hasSecret": True, "nodeCount": 3, "renewedCount": 2, "waiting": [], "isWaiting": False})
    photo = painter.photo(64, 48)
    ben.command("add", photo)
    eventually("the photo comes under it", lambda: sha256(photo) in pia.saved.values())


def test_the_python_peer_that_was_away_hears_of_it_when_it_comes_back(folder, running, host):
    pia = python_peer(folder / "pia", running, host.ready["invitation"], "--as", "Pia")
    pia.said("member")
    eventually("the host knows Pia", lambda: host.status()["memberCount"] == 2)
    pia.kill()
    host.command("invite", "rotate", "--yes")
    pia.start(*ON_LOOPBACK)
    pia.said("rotated")
    eventually("both are in step", lambda: pia.digest and pia.digest == host.status()["digest"])
