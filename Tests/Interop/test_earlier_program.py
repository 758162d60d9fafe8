# SPDX-License-Identifier: Apache-2.0
"""A program built before and this one in one party, with kills: the same gallery on all nodes at the end. And what only this
one knows: the earlier one keeps and passes it on, or serves no pages where someone's privacy depends on it.

DISPOSABLE_EARLIER is the folder with the earlier programs, `disposable` and `disposable-image-worker`;
DISPOSABLE_EARLIER_SECONDS (600) is how long the party lasts.

A test of a setting is skipped if the earlier program knows the setting. Three revisions show all of them; each is built by
`git worktree add ../earlier REVISION && make -C ../earlier build`, and its folder is `../earlier/.build/release`:

| revision | does not know |
|---|---|
| f73c1cc5 | approval, veils, pages that seal photos, shares of the reveal key, votes |
| abd55f51 | veils, pages that seal photos, shares of the reveal key, votes |
| cd40e3bd | pages that seal photos, shares of the reveal key, votes |

The first of them gives the nodes of a party another digest, since it does not know fields that `host` sets: what needs one
digest of all (the kills, the vote, the joined gallery) is skipped with it.

No program that lacks approval closes its pages: the rule that it must (disposable-v1.md §9.13) came with approval. Such a program
says that it needs a newer version."""

import json
import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from client import Client
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


def options_of_host():
    """How the earlier program describes its command `host`."""
    return subprocess.run([Path(EARLIER) / "disposable", "host", "--help"], capture_output=True, text=True, check=True).stdout


def must_lack(option):
    """Skips the test if the earlier program knows an option of `host`."""
    if option in options_of_host():
        pytest.skip(f"the earlier program knows {option}")


def must_know(option):
    """Skips the test if the earlier program has another digest of every event, for lack of what `host` states with an option."""
    if option not in options_of_host():
        pytest.skip(f"the earlier program does not know {option}, and has another digest")


def all_are_in(nodes):
    for node in nodes:
        is_in(node)
    return nodes


def status(node):
    """The state of the node's own event, which comes before those that it only reads."""
    return json.loads(node.command("status", "--json").splitlines()[0])


def counts(nodes):
    return {status(node)["operationCount"] for node in nodes}


def pass_on(nodes, state):
    """Has the first node `state` an operation while the second one is gone, and the second one hear of it by the earlier ones
    alone."""
    anna, ben, cleo, dan = nodes
    eventually("all have the same operations", lambda: len(counts(nodes)) == 1, 60, 1)
    (before,) = counts([ben])
    ben.kill()
    state()
    eventually("the earlier ones have what was signed", lambda: (
        len(now := counts([anna, cleo, dan])) == 1 and now != {before}), 60, 1)
    anna.kill()
    ben.start(*ON_LOOPBACK, "--peer", cleo.ready["listen"])
    eventually("Ben has it, too", lambda: (now := counts([ben, cleo, dan])) != {before} and len(now) == 1, 60, 1)


def says_that_it_needs_a_newer_version(node):
    said = node.status()
    return said["needsNewerVersion"] and not said.get("digest")


def serves_pages(node, host):
    """Whether the node's page lets a guest in by the token of the host's code."""
    try:
        return bool(Client(f"{node.origin}/#{host.link.split('#')[1]}").me())
    except (AssertionError, OSError, ValueError):
        return False


def waiting(node, option):
    """The ids of the photos that this node lists with an option of `gallery`."""
    lines = map(json.loads, node.command("gallery", option, "--json").splitlines())
    return {line["id"] for line in lines if line["type"] == "photo"}


def digests(nodes):
    return {status(node).get("digest") for node in nodes}


def test_both_programs_come_to_one_gallery_beside_kills(party, painter):
    must_know("--late")
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
    """A vote, which no digest depends on."""
    must_know("--late")
    anna, ben, cleo, dan = nodes = all_are_in(party())
    anna.command("add", painter.photo(name="one.jpg", seed=1))
    pass_on(nodes, lambda: anna.command("vote", "open"))
    # The command exits with 3 where there has been no vote.
    known = subprocess.run([BUILD / "disposable", "vote", "result", "--data", ben.folder], capture_output=True)
    assert known.returncode == 0, known.stderr
    anna.start(*ON_LOOPBACK)
    eventually("one digest", lambda: None not in (now := digests(nodes)) and len(now) == 1, 60, 1)


def twins(node):
    listed = subprocess.run([BUILD / "disposable", "event", "join-galleries", "--json", "--data", node.folder], capture_output=True, text=True)
    return json.loads(listed.stdout)["twins"] if listed.returncode == 0 else []


def test_an_earlier_program_passes_on_a_joined_gallery(party, folder):
    """It does not read the other event, and has the digest that the others have."""
    must_know("--late")
    anna, ben, cleo, dan = nodes = all_are_in(party())
    olga = Node(folder / "olga", "host", "Beach party", "--as", "Olga", *ON_LOOPBACK)
    try:
        offer = json.loads(olga.command("event", "join-galleries", anna.ready["invitation"], "--yes", "--json"))["agreement"]

        def join():
            answer = json.loads(anna.command("event", "join-galleries", offer, "--yes", "--json"))["agreement"]
            olga.command("event", "join-galleries", answer, "--yes")
        pass_on(nodes, join)
        anna.start(*ON_LOOPBACK)
        eventually("Ben's node reads the other event", lambda: [twin["state"] for twin in twins(ben)] == ["joined"], 120, 1)
        eventually("one digest", lambda: None not in (now := digests(nodes)) and len(now) == 1, 60, 1)
        assert not any(node.status()["needsNewerVersion"] for node in (cleo, dan))
    finally:
        olga.kill()


# Settings on which somebody's privacy depends: the value that switches each on, then what `host` needs before.
CRITICAL = {"--approve": ["all"], "--veils": ["on"], "--page-sealing": ["on", "--reveal", "by-host"]}


def switch_on(option, anna):
    anna.command("event", "edit", option, CRITICAL[option][0])


@pytest.mark.parametrize("option", CRITICAL)
def test_an_earlier_program_says_that_it_needs_a_newer_one_and_passes_the_setting_on(party, painter, option):
    must_lack(option)
    anna, ben, cleo, dan = nodes = all_are_in(party(*CRITICAL[option][1:]))
    cleo.command("add", painter.photo(name="one.jpg", seed=1))
    pass_on(nodes, lambda: switch_on(option, anna))
    for node in (cleo, dan):
        eventually(f"{node.folder.name} says that it needs a newer version",
                   lambda node=node: says_that_it_needs_a_newer_version(node), 60, 1)
    # It takes photos still, and passes on those of others.
    cleo.command("add", painter.photo(name="two.jpg", seed=2))
    dan.command("add", painter.photo(name="three.jpg", seed=3))
    anna.start(*ON_LOOPBACK)
    eventually("the same operations and photos everywhere", lambda: len(counts(nodes)) == 1 and all(
        node.status()["completeCount"] + node.status().get("pendingCount", 0) >= 3 for node in (anna, ben)), 120, 1)
    eventually("one digest of this program's nodes", lambda: (
        None not in (now := digests([anna, ben])) and len(now) == 1), 60, 1)
    assert not anna.status()["needsNewerVersion"] and not ben.status()["needsNewerVersion"]


def test_photos_of_an_earlier_program_wait_for_approval_on_this_one(party, painter):
    must_lack("--approve")
    anna, ben, cleo, dan = nodes = all_are_in(party())
    pass_on(nodes, lambda: switch_on("--approve", anna))
    anna.start(*ON_LOOPBACK)
    cleo.command("add", painter.photo(name="one.jpg", seed=1))
    waits = eventually("the photo waits", lambda: waiting(anna, "--pending"), 60, 1)
    anna.command("approve", *waits)
    eventually("Ben shows it", lambda: {photo["id"] for photo in ben.gallery() if photo["state"] == "complete"} == waits, 60, 1)
    # The earlier ones have passed the approval on, and know as little of it as before.
    eventually("one digest", lambda: len(now := digests([anna, ben])) == 1 and None not in now, 60, 1)
    assert all(map(says_that_it_needs_a_newer_version, (cleo, dan)))


def test_photos_are_veiled_on_this_program_by_what_an_earlier_one_passes_on(party, painter):
    must_lack("--veils")
    anna, ben, cleo, dan = nodes = all_are_in(party())
    cleo.command("add", painter.photo(name="one.jpg", seed=1))
    eventually("Ben has the photo", ben.gallery, 60, 1)
    pass_on(nodes, lambda: switch_on("--veils", anna))
    (photo,) = (each["id"] for each in ben.gallery())
    ben.command("veil", photo)
    eventually("Cleo's node has the veil", lambda: len(counts([ben, cleo])) == 1, 60, 1)
    ben.kill()
    anna.start(*ON_LOOPBACK)
    eventually("Anna's node does not show it", lambda: waiting(anna, "--veiled") == {photo}, 60, 1)
    ben.start(*ON_LOOPBACK)
    eventually("one digest", lambda: len(now := digests([anna, ben])) == 1 and None not in now, 60, 1)


@pytest.mark.parametrize("option", [option for option in CRITICAL if option != "--approve"])
def test_an_earlier_program_closes_its_pages_where_privacy_depends_on_a_newer_one(party, option):
    must_lack(option)
    if "--approve" not in options_of_host():
        pytest.skip("the earlier program has no rule to close its pages")
    anna, ben, cleo, dan = nodes = all_are_in(party(*CRITICAL[option][1:]))
    for node in nodes:
        eventually(f"{node.folder.name} serves pages", lambda node=node: serves_pages(node, anna), 60, 1)
    switch_on(option, anna)
    for node in (cleo, dan):
        eventually(f"{node.folder.name} serves none", lambda node=node: not serves_pages(node, anna), 60, 1)
        assert says_that_it_needs_a_newer_version(node)
    assert serves_pages(anna, anna) and serves_pages(ben, anna)


def test_an_earlier_program_says_so_of_an_event_whose_pages_seal_photos_from_the_beginning(party):
    must_lack("--page-sealing")
    anna, ben, cleo, dan = party("--reveal", "by-host", "--page-sealing", "on")
    is_in(ben)
    for node in (cleo, dan):
        eventually(f"{node.folder.name} says that it needs a newer version",
                   lambda node=node: says_that_it_needs_a_newer_version(node), 60, 1)


def test_an_earlier_program_passes_shares_on_and_two_of_this_one_reveal(party, painter):
    must_lack("--shares")
    anna, ben, cleo, dan = party("--reveal", "by-host", "--shares", "2")
    is_in(ben)
    anna.command("add", painter.photo(name="one.jpg", seed=1))
    eventually("Ben has the photo", ben.gallery, 60, 1)
    anna.command("role", "grant", "organizer", "Ben")
    for node in (cleo, dan):
        eventually(f"{node.folder.name} says that it needs a newer version",
                   lambda node=node: says_that_it_needs_a_newer_version(node), 60, 1)
    pass_on([anna, ben, cleo, dan], lambda: anna.command("event", "reveal"))
    assert {photo["state"] for photo in ben.gallery()} == {"sealed"}
    ben.command("event", "reveal")
    eventually("Ben shows it", lambda: {photo["state"] for photo in ben.gallery()} == {"complete"}, 60, 1)
    anna.start(*ON_LOOPBACK)
    eventually("one digest of this program's nodes", lambda: (
        None not in (now := digests([anna, ben])) and len(now) == 1), 60, 1)
    assert {photo["state"] for photo in anna.gallery()} == {"complete"}
