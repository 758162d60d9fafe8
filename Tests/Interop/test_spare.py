# SPDX-License-Identifier: Apache-2.0
"""A spare node takes over the address of a host that is gone, so that the code on the poster still leads to the gallery, and gives
it back (docs/operations.md). The host, the spare and a phone in namespaces of their own on one switch: the frames are real."""

import json
import subprocess
import sys
import time

from party import BUILD, ROOT, eventually, is_in
from test_captive import Program
from test_metrics import PortalNode

HOST = "10.77.0.1"

# Scans the code: another session, and what the pages show then.
PHONE = f"""
import json, sys
sys.path.insert(0, {str(ROOT / "Tests/Browser")!r})
from client import Client
Client.patience = 5
try:
    client = Client(sys.argv[1])
    photos = client.json("GET", "api/photos")[2]["photos"]
    print(json.dumps([client.me()["node"], sorted(photo["id"] for photo in photos)]))
except OSError:
    print("null")
"""

# A device that answers every ARP question for the host's address with its own hardware address.
PRETENDER = """
import socket, sys
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0806))
wire.bind(("eth0", 0x0806))
own, address = wire.getsockname()[4], socket.inet_aton(sys.argv[1])
print("ready", flush=True)
while True:
    frame = wire.recv(2048)
    if len(frame) >= 42 and frame[20:22] == b"\\0\\1" and frame[38:42] == address and frame[6:12] != own:
        wire.send(frame[6:12] + own + frame[12:20] + b"\\0\\2" + own + address + frame[22:32])
"""


class Venue:
    """Anna's node on host 1, Ben's spare on host 2, a phone on host 3."""

    def __init__(self, folder, running, make_lan, painter):
        self.lan = make_lan(3)
        self.host = PortalNode(self.lan.host(1), folder / "host", "host", "Garden party", "--as", "Anna")
        running.append(self.host)
        self.link = self.host.ready["guestURL"]
        assert self.link.startswith(f"http://{HOST}:8027/#"), self.link
        self.host.command("add", *painter.photos(2))
        self.ben = PortalNode(self.lan.host(2), folder / "ben", "join", self.host.ready["invitation"], "--as", "Ben")
        running.append(self.ben)
        is_in(self.ben)

    def run_spare(self):
        """Ben's node as a page node, and as a spare for the host."""
        self.host.grant("page", "Ben")
        eventually("Ben's node has the photos and may serve guests", lambda: (
            sum(photo["state"] == "complete" for photo in self.ben.gallery()) == 2
            and "guestURL" in self.ben.status()))
        self.ben.kill()
        self.ben.start("--spare-for", HOST)
        eventually("the spare knows its host", lambda: (
            self.state == "ready" and self.ben.status()["peers"] and HOST in str(self.ben.status()["otherPages"])))

    @property
    def state(self):
        return self.ben.said["spare"]["state"]

    def scan(self):
        """What a phone that scans the code gets: the node and the photos; `None` if nobody answers."""
        scanned = subprocess.run(
            [*self.lan.host(3), sys.executable, "-c", PHONE, self.link], capture_output=True, text=True, timeout=180)
        assert scanned.returncode == 0, scanned.stderr
        return json.loads(scanned.stdout)

    def addresses(self):
        shown = subprocess.run(
            [*self.lan.host(2), "ip", "-json", "-4", "address", "show", "dev", "eth0"], capture_output=True, check=True)
        return [each["local"] for each in json.loads(shown.stdout)[0]["addr_info"]]

    def refused(self, *arguments, before=()):
        """How `run` with these arguments fails on Ben's machine."""
        run = subprocess.run(
            [*self.lan.host(2), *before, BUILD / "disposable", "run", *arguments, "--data", self.ben.folder],
            capture_output=True, text=True, timeout=300)
        return run.returncode, run.stderr


def test_who_scans_the_code_of_a_host_that_is_gone_reaches_the_gallery_until_it_returns(
        folder, running, make_lan, painter, record_property):
    venue = Venue(folder, running, make_lan, painter)
    venue.run_spare()
    node, photos = venue.scan()
    assert len(photos) == 2
    venue.lan("cut", 1)
    gone_at = time.monotonic()
    another = eventually("the spare answers at the host's address", venue.scan)
    record_property("seconds until a scanned code leads to the spare", round(time.monotonic() - gone_at, 1))
    assert another[0] != node and another[1] == photos
    assert venue.state == "taken" and sorted(venue.addresses()) == [HOST, "10.77.0.2"]
    # The kernel alone would have removed it by now.
    time.sleep(35)
    assert venue.scan() == another
    venue.lan("heal", 1)
    eventually("the spare gives the address back", lambda: venue.state == "released")
    assert venue.ben.said["spare"]["reason"] == "ownerReturned"
    assert venue.addresses() == ["10.77.0.2"]
    eventually("the phone reaches the host again", lambda: venue.scan() == [node, photos])
    assert venue.addresses() == ["10.77.0.2"]


def test_the_address_of_a_machine_that_answers_is_never_taken(folder, running, make_lan, painter):
    venue = Venue(folder, running, make_lan, painter)
    venue.run_spare()
    # The program is gone at once, and no member is connected from there; the machine still answers.
    venue.host.kill()
    eventually("the spare has lost its peer", lambda: not venue.ben.status()["peers"])
    for _ in range(25):
        assert venue.addresses() == ["10.77.0.2"] and venue.state == "ready"
        time.sleep(1)
    assert venue.scan() is None


def test_a_device_that_answers_for_a_dead_address_keeps_the_spare_away_and_is_named(folder, running, make_lan, painter):
    venue = Venue(folder, running, make_lan, painter)
    venue.run_spare()
    station = venue.ben.said["spare"]["station"]
    pretender = Program([*venue.lan.host(3), sys.executable, "-c", PRETENDER, HOST])
    running.append(pretender)
    assert pretender.process.stdout.readline() == "ready\n"
    venue.lan("cut", 1)
    eventually("the spare has lost its peer", lambda: not venue.ben.status()["peers"])
    for _ in range(25):
        assert venue.addresses() == ["10.77.0.2"] and venue.state == "ready"
        time.sleep(1)
    eventually("the device is named", lambda: venue.ben.said["spare"]["station"] != station)
    assert "another device" in venue.ben.log()
    pretender.kill()
    eventually("the spare has the address", lambda: HOST in venue.addresses())


def test_a_spare_that_is_killed_or_stopped_leaves_no_address_behind(folder, running, make_lan, painter):
    venue = Venue(folder, running, make_lan, painter)
    venue.run_spare()
    venue.lan("cut", 1)
    eventually("the spare has the address", lambda: HOST in venue.addresses())
    venue.ben.kill()
    eventually("the kernel has removed it", lambda: venue.addresses() == ["10.77.0.2"], within=60)
    # One that starts earlier than that removes what the killed one has left.
    subprocess.run([*venue.lan.host(2), "ip", "address", "add", f"{HOST}/32", "dev", "eth0"], check=True)
    venue.lan("heal", 1)
    venue.ben.start("--spare-for", HOST)
    assert venue.addresses() == ["10.77.0.2"]
    eventually("the spare knows its host", lambda: (
        venue.state == "ready" and venue.ben.status()["peers"] and HOST in str(venue.ben.status()["otherPages"])))
    venue.lan("cut", 1)
    eventually("the spare has the address again", lambda: HOST in venue.addresses())
    venue.ben.process.terminate()
    assert venue.ben.process.wait(timeout=60) == 0
    assert venue.addresses() == ["10.77.0.2"]


def test_a_machine_that_may_not_or_cannot_be_a_spare_is_told_why(folder, running, make_lan, painter):
    venue = Venue(folder, running, make_lan, painter)
    venue.ben.kill()
    code, said = venue.refused("--spare-for", HOST)
    assert code == 1 and "may not serve guests" in said and "role grant page" in said
    venue.ben.start()
    venue.host.grant("page", "Ben")
    eventually("Ben's node may serve guests", lambda: "guestURL" in venue.ben.status())
    venue.ben.kill()
    for without, named in [("net_raw", "CAP_NET_RAW"), ("net_admin", "CAP_NET_ADMIN")]:
        code, said = venue.refused("--spare-for", HOST, before=["setpriv", f"--bounding-set=-{without}"])
        assert code == 1 and named in said and "docs/operations.md" in said
    for address, what in [("10.77.0.2", "this machine's own address"), ("192.0.2.1", "on the network of 192.0.2.1"),
                          ("10.77.0.255", "on the network of"), ("127.0.0.1", "no IPv4 address of a machine")]:
        code, said = venue.refused("--spare-for", address)
        assert code in (1, 2) and what in said, said
    for wrong in (["--spare-for", "fe80::1"], ["--spare-for", "party.local"], ["--spare-for", HOST, "--no-portal"],
                  ["--spare-for", f"{HOST}:8027", "--portal", "0.0.0.0:8029"]):
        assert venue.refused(*wrong)[0] == 2, wrong
    assert venue.addresses() == ["10.77.0.2"]
