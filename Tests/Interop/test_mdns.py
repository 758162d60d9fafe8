# SPDX-License-Identifier: Apache-2.0
"""A node and the Python peer on two hosts that find each other by mDNS alone. The hosts are network namespaces, made
and removed here; nothing leaves the machine."""

import json
import subprocess

import pytest

from lan import LanNode
from party import BUILD, eventually, sha256
from python_peer import PythonPeer
from test_exchange import in_step


@pytest.fixture
def lan(make_lan):
    return make_lan(2)


def without_addresses(invitation):
    """The same invitation without addresses, so that only mDNS can tell where anybody is."""
    from event import read_invitation, write_invitation
    body = read_invitation(invitation)
    del body.addresses[:]
    return write_invitation(body)


def test_the_python_peer_finds_a_node(folder, running, lan, painter):
    host = LanNode(lan.host(1), folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(host)
    photo, own = painter.photo(), painter.photo(64, 48)
    host.command("add", photo)
    peer = PythonPeer(folder / "pia", without_addresses(host.ready["invitation"]), "--as", "Pia", "--publish", own,
                      within=lan.host(2))
    running.append(peer)
    peer.said("member")
    in_step(host, peer, 2)
    assert list(peer.saved.values()) == [sha256(photo)]
    assert sha256(own) in host.exported(folder / "export").values()


def test_a_node_finds_the_python_peer(folder, running, lan, painter):
    """The host founds the event, lets the Python peer in and goes; a newcomer on the host's machine has mDNS alone."""
    host = LanNode(lan.host(1), folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(host)
    photo = painter.photo()
    host.command("add", photo)
    invitation = without_addresses(host.ready["invitation"])
    peer = PythonPeer(folder / "pia", invitation, "--as", "Pia", within=lan.host(2))
    running.append(peer)
    in_step(host, peer, 1)
    host.kill()

    def nearby():
        lines = subprocess.run([*lan.host(1), BUILD / "disposable", "nearby", "--json", "--for", "2s", "--data",
                                folder / "nobody"], capture_output=True, text=True, timeout=180).stdout.splitlines()
        return [line for line in map(json.loads, lines) if line.get("name") == "Garden party"]
    assert eventually("the Python peer's advertisement shows the event's name", nearby)

    node = LanNode(lan.host(1), folder / "ben", "join", invitation, "--as", "Ben")
    running.append(node)
    in_step(node, peer, 1)
    assert list(node.exported(folder / "export").values()) == [sha256(photo)]
