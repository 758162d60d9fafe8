# SPDX-License-Identifier: Apache-2.0
"""A program built before and this one in one party, with kills: the same gallery on all nodes at the end. And what only this
one knows: the earlier one keeps and passes it on, or serves no pages where someone's privacy depends on it.

DISPOSABLE_EARLIER is the folder with the earlier programs, `disposable` and `disposable-image-worker`;
DISPOSABLE_EARLIER_SECONDS (600) is how long the party lasts."""

import json
import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from party import BUILD, Node, eventually, is_in

EARLIER = os.environ.get("DISPOSABLE_EARLIER")
SECONDS = int(os.environ.get("DISPOSABLE_EARLIER_SECONDS", 600))
ON_LOOPBACK = ("--no-mdns",)

pytestmark = pytest.mark.skipif(not EARLIER, reason="DISPOSABLE_EARLIER names no folder with an earlier program")


class EarlierNode(Node):
    def _program(self, arguments, listen, portal):
        return [Path(EARLIER) / "disposable", *super()._program(arguments, listen, portal)[1:]]

    def command(self, *arguments, binary=False):
        result = subprocess.run(
            [Path(EARLIER) / "disposable", *arguments, "--data", self.folder], capture_output=True, text=not binary, timeout=120)
        assert result.returncode == 0, f"disposable {' '.join(map(str, arguments))}: {result.stderr}"
        return result.stdout


@pytest.fixture
def party(folder):
    """Two nodes of this program, the host's among them, and two of the earlier one; all are organizers."""
    nodes = []

    def make(*options):
        host = Node(folder / "anna", "host", "Garden party", "--frames", "unlimited", "--as", "Anna", *ON_LOOPBACK, *options)
        nodes.append(host)
        invitation = host.ready["invitation"]
        for kind, name in ((Node, "Ben"), (EarlierNode, "Cleo"), (EarlierNode, "Dan")):
            node = kind(folder / name.lower(), "join", invitation, "--as", name, *ON_LOOPBACK, "--peer", host.ready["listen"])
            nodes.append(node)
        return nodes
    yield make
    for node in nodes:
        node.kill()


def knows_of_a_vote(node):
    """The command exits with 3 where there has been none."""
    return subprocess.run([BUILD / "disposable", "vote", "result", "--data", node.folder], capture_output=True).returncode == 0


def digests(nodes):
    return {node.status().get("digest") for node in nodes}


def test_both_programs_come_to_one_gallery_beside_kills(party, painter):
    nodes = party()
    for node in nodes:
        is_in(node)
    chance = random.Random(int(os.environ.get("DISPOSABLE_SEED", time.time_ns())))
    end, number, kills = time.monotonic() + SECONDS, 0, 0
    while time.monotonic() < end:
        node = chance.choice(nodes)
        deed = chance.randrange(10)
        if deed < 6:
            node.command("add", painter.photo(name=f"photo{number}.jpg", seed=number))
            number += 1
        elif deed < 8:
            photos = node.gallery()
            if photos:
                node.command("comment", chance.choice(photos)["id"], f"Seen with {number} photos")
        else:
            node.kill()
            time.sleep(chance.random())
            node.start(*ON_LOOPBACK)
            kills += 1
    eventually("all photos on all nodes", lambda: all(
        sum(photo["state"] == "complete" for photo in node.gallery()) == number for node in nodes), 300, 1)
    eventually("one digest", lambda: len(digests(nodes)) == 1, 120, 1)
    print(f"{number} photos, {kills} kills, digest {digests(nodes)}")
    assert number and kills


def test_an_earlier_program_passes_on_what_it_does_not_know(party, painter):
    """A vote, which no digest depends on: the second node of this program hears of it by the earlier ones alone."""
    anna, ben, cleo, dan = party()
    for node in (anna, ben, cleo, dan):
        is_in(node)
    photo = json.loads(anna.command("add", painter.photo(name="one.jpg", seed=1), "--json").splitlines()[-1])
    anna.command("vote", "open")
    eventually("Ben knows of the vote", lambda: knows_of_a_vote(ben), 60, 1)
    assert photo
    eventually("one digest", lambda: len(digests([anna, ben, cleo, dan])) == 1, 60, 1)


def test_an_earlier_program_serves_no_pages_where_pages_seal_photos(party):
    anna, ben, cleo, dan = party("--reveal", "by-host", "--page-sealing", "on")
    is_in(ben)
    for node in (cleo, dan):
        eventually(f"{node.folder.name} says that it needs a newer version",
                   lambda node=node: node.status().get("needsNewerVersion"), 60, 1)
