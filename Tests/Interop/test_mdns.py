# SPDX-License-Identifier: Apache-2.0
"""A node and the Python peer on two hosts that find each other by mDNS alone. The hosts are network namespaces, made
and removed here; nothing leaves the machine."""

import json
import os
import subprocess

import pytest

from party import BUILD, ROOT, Node, eventually, sha256
from python_peer import PythonPeer
from test_exchange import in_step

LAN = ROOT / "examples/lan/lan"


class Lan:
    """Two hosts on one switch: 10.77.0.1 and 10.77.0.2."""

    def __init__(self):
        self.environment = {**os.environ, "LAN_NAME": f"interop{os.getpid()}"}
        self("up", "2")

    def __call__(self, *arguments):
        subprocess.run([LAN, *arguments], env=self.environment, check=True, timeout=60)

    def host(self, number):
        """The beginning of a command that runs on a host."""
        return ["env", f"LAN_NAME={self.environment['LAN_NAME']}", LAN, "exec", str(number)]

    def kill(self):
        self("down")


class LanNode(Node):
    """A node on a host of the network; it uses the host's only interface and announces itself there."""

    def __init__(self, within, folder, *arguments):
        self.within = within
        super().__init__(folder, *arguments)

    def _program(self, arguments, listen, portal):
        return [*self.within, BUILD / "disposable", *arguments, "--data", self.folder, "--json", "--no-portal"]


@pytest.fixture
def lan(running):
    if os.geteuid() != 0:
        (pytest.fail if "CI" in os.environ else pytest.skip)("network namespaces need root")
    lan = Lan()
    running.append(lan)
    return lan


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
                                folder / "nobody"], capture_output=True, text=True, timeout=60).stdout.splitlines()
        return [line for line in map(json.loads, lines) if line.get("name") == "Garden party"]
    assert eventually("the Python peer's advertisement shows the event's name", nearby)

    node = LanNode(lan.host(1), folder / "ben", "join", invitation, "--as", "Ben")
    running.append(node)
    in_step(node, peer, 1)
    assert list(node.exported(folder / "export").values()) == [sha256(photo)]
