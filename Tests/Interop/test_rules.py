# SPDX-License-Identifier: Apache-2.0
"""The rules of an event (§9) on three nodes, each on a host of its own, with members whose programs do not obey. One
host is cut off in the middle; afterwards all nodes show the same, also after a restart."""

import json
import os
import subprocess

import pytest
from nacl.exceptions import CryptoError
from nacl.public import SealedBox
from nacl.signing import SigningKey

import disposable_pb2 as pb
from dishonest import ERASE, GRANT, HIDE, KEY_RELEASE, REVEAL, REVOKE_DEVICE, REVOKE_ROLE
from event import Refused, open_key
from lan import LanNode
from node import Store
from operations import (BALLOT, CHARTER, CLAIM, CLOSING, EDIT, ORIGINAL, PHOTO, PICTURE, REMOVE, SHARE, SHARE_RELEASE, SPOT,
                        VOTE)
from party import BUILD, TimedOut, eventually, is_in, sha256
from python_peer import DishonestPeer

ORGANIZER = 3
REVEAL_FIELD, AT_ONCE = 7, 0
PATIENCE = 300  # a node that was cut off, or considered itself removed, may wait a minute before it dials again


class Event:
    """Anna's, with her node, Ben's and Chloe's on the hosts 1 to 3, and members who do not obey."""

    def __init__(self, folder, running, lan, *options):
        self.folder, self.running, self.lan = folder, running, lan
        self.anna = LanNode(lan.host(1), folder / "anna", "host", "Garden party", "--as", "Anna", *options)
        running.append(self.anna)
        self.invitation = self.anna.ready["invitation"]
        self.ben, self.chloe = (self._join(name, host) for name, host in (("Ben", 2), ("Chloe", 3)))
        self.nodes = [self.anna, self.ben, self.chloe]
        for node in self.nodes:
            is_in(node)

    def _join(self, name, host):
        node = LanNode(self.lan.host(host), self.folder / name.lower(), "join", self.invitation, "--as", name)
        self.running.append(node)
        return node

    def dishonest(self, name, host, *arguments):
        peer = DishonestPeer(self.folder / name.lower(), self.invitation, "--as", name, *arguments,
                             within=self.lan.host(host))
        self.running.append(peer)
        peer.device = peer.said("device")[0]
        return peer

    def restart(self):
        for node in self.nodes:
            node.kill()
        for node in self.nodes:
            node.start()


@pytest.fixture
def begin(folder, running, make_lan):
    def begin(host_count, *options):
        return Event(folder, running, make_lan(host_count), *options)
    return begin


def states(node):
    return {photo["id"]: photo["state"] for photo in node.gallery()}


def people(node):
    """By key."""
    info = json.loads(node.command("event", "show", "--json"))
    return {person["key"]: person for person in info["people"]}


def roles(node, key):
    """None for who is not in."""
    person = people(node).get(key)
    return person and set(person["roles"])


def key_of(name, node):
    return next(key for key, person in people(node).items() if person.get("name") == name)


def add(node, photo):
    lines = map(json.loads, node.command("add", photo, "--json").splitlines())
    return next(line["id"] for line in lines if line["type"] == "added")


def refused(node, *arguments):
    """What an honest program answers to who may not."""
    result = subprocess.run([BUILD / "disposable", *arguments, "--data", node.folder], capture_output=True, text=True,
                            timeout=180)
    assert result.returncode == 1 and result.stderr, (arguments, result)


def equal(nodes, count):
    """Waits until all have the same operations, and show so many photos, whole, in one gallery; their ids."""
    def are():
        said = [node.status() for node in nodes]
        shown = {(each.get("digest"), each["operationCount"], each["photoCount"], each["completeCount"])
                 for each in said}
        return said[0].get("digest") and len(shown) == 1 and all(each[2:] == (count, count) for each in shown)
    try:
        eventually(f"equal galleries of {count} photos", are, within=PATIENCE, every=0.3)
    except TimedOut as timed_out:
        raise TimedOut("\n".join([str(timed_out), *(f"{node.status()}\n{node.log()}" for node in nodes)])) from None
    shown = [set(states(node)) for node in nodes]
    assert shown.count(shown[0]) == len(nodes)
    return shown[0]


def knows(node, count):
    """Waits until a node has so many operations."""
    eventually(f"{count} operations", lambda: node.status()["operationCount"] >= count, within=PATIENCE)


def original(root):
    reference = pb.BlobReference(root=root, byte_count=100, chunk_log2=18, key=bytes(32))
    return pb.OriginalBody(original=reference, sha256=bytes(32), media_type="image/jpeg")


def test_who_takes_more_slots_and_others_photos_away_gains_nothing(begin, painter):
    event = begin(4, "--frames", "3")
    own = painter.photos(3, width=64, height=48)
    eve = event.dishonest("Eve", 4, "--publish", *own)
    files = {add(event.ben, photo): photo for photo in painter.photos(2)}
    bens = list(files)
    chloes = add(event.chloe, painter.photo())
    before = equal(event.nodes, 6)
    for command in (("remove",), ("hide",), ("erase", "--yes")):
        refused(event.ben, *command, chloes)

    count = event.ben.status()["operationCount"]
    event.lan("cut", 1)
    annas = add(event.anna, painter.photo())
    for photo in (*bens, chloes):
        for kind in (REMOVE, HIDE, ERASE):
            eve.state(kind, photo)
        eve.state(CLAIM, photo, 2)
        eve.state(ORIGINAL, photo, content=original(os.urandom(32)))
    for slot in (4, 1, 0, 9_999, (1 << 64) - 1):
        photo = eve.state(PHOTO, content=pb.PhotoBody(media_type="image/jpeg"))
        eve.state(CLAIM, photo, slot)
        eve.state(CLAIM, photo, 2)
    for node in (event.ben, event.chloe):
        knows(node, count + eve.stated)
    assert equal([event.ben, event.chloe], 6) == before
    event.lan("heal", 1)

    assert equal(event.nodes, 7) == before | {annas}
    event.restart()
    assert equal(event.nodes, 7) == before | {annas}
    for node in event.nodes:
        gallery = {photo["id"]: photo for photo in node.gallery()}
        assert sorted(photo["frame"] for photo in gallery.values() if photo["author"] == "Eve") == [1, 2, 3]
        assert all(gallery[photo]["sha256"] == sha256(file) for photo, file in files.items())
        assert set(map(sha256, own)) <= set(node.exported(node.folder.with_suffix(".export")).values())


def test_a_removed_moderator_goes_on_behind_a_cut_and_after_it_in_vain(begin, painter):
    event = begin(4)
    eve = event.dishonest("Eve", 4, "--publish", painter.photo(64, 48))
    bens, chloes = add(event.ben, painter.photo()), add(event.chloe, painter.photo())
    before = equal(event.nodes, 3)
    event.anna.command("role", "grant", "moderator", "Eve")
    for node in event.nodes:
        eventually("Eve is a moderator", lambda: roles(node, eve.device) == {"moderator"})

    event.lan("cut", 1)
    event.anna.command("role", "revoke", "participant", "Eve")
    late = eve.publish(painter.photo(64, 48))
    assert equal([event.ben, event.chloe], 4) == before | {late}
    eve.state(HIDE, chloes)
    assert equal([event.ben, event.chloe], 3) == (before | {late}) - {chloes}
    eve.state(GRANT, eve.device, ORGANIZER, pb.GrantBody())
    anna, ben = key_of("Anna", event.chloe), key_of("Ben", event.chloe)
    eve.state(REVOKE_DEVICE, anna, content=pb.RevocationBody())
    # A removal by a moderator leaves only what she names, also on Ben's own node.
    eve.state(REVOKE_DEVICE, ben, content=pb.RevocationBody())
    for node in (event.ben, event.chloe):
        eventually("nothing of Ben's is shown", lambda: set(states(node)) == (before | {late}) - {chloes, bens})
    event.lan("heal", 1)

    assert equal(event.nodes, 3) == before
    for _ in range(3):
        eve.publish(painter.photo(64, 48))
        eve.state(HIDE, bens)
        eve.state(REVOKE_ROLE, anna, ORGANIZER, pb.RevocationBody())
    after = add(event.ben, painter.photo())
    assert equal(event.nodes, 4) == before | {after}
    event.restart()
    assert equal(event.nodes, 4) == before | {after}
    assert all(roles(node, eve.device) is None for node in event.nodes)


def seal_photos(event, painter):
    """Two photos that only their authors' nodes can open: Ben's, Chloe's, and the states of both on each node."""
    bens, chloes = add(event.ben, painter.photo()), add(event.chloe, painter.photo())
    equal(event.nodes, 2)
    sealed = [{bens: "sealed", chloes: "sealed"}, {bens: "complete", chloes: "sealed"},
              {bens: "sealed", chloes: "complete"}]
    assert [states(node) for node in event.nodes] == sealed
    return bens, chloes, sealed


def stay_sealed(event, sealed):
    """Expects the same on both sides of the cut, after it, and after a restart."""
    assert [states(node) for node in event.nodes] == sealed
    event.lan("heal", 1)
    equal(event.nodes, 2)
    event.restart()
    equal(event.nodes, 2)
    assert [states(node) for node in event.nodes] == sealed


def wait_until_open(event):
    """Waits until each node shows both photos."""
    for node in event.nodes:
        eventually("all is open", lambda: list(states(node).values()) == ["complete"] * 2, within=PATIENCE)


def test_a_member_who_makes_up_a_key_reveals_nothing(begin, painter):
    event = begin(4, "--reveal", "by-host")
    eve = event.dishonest("Eve", 4)
    bens, chloes, sealed = seal_photos(event, painter)
    refused(event.ben, "event", "reveal", "--yes")

    count = event.ben.status()["operationCount"]
    event.lan("cut", 1)
    eve.state(REVEAL, content=pb.RevealBody(secret=os.urandom(32)))
    for photo in (bens, chloes):
        eve.state(KEY_RELEASE, photo, content=pb.KeyReleaseBody(
            thumbnail=os.urandom(32), preview=os.urandom(32), original=os.urandom(32)))
    for node in (event.ben, event.chloe):
        knows(node, count + eve.stated)
    stay_sealed(event, sealed)
    event.anna.command("event", "reveal")
    wait_until_open(event)


def test_one_of_three_organizers_opens_nothing_whatever_its_program_states_and_two_open_all(begin, painter):
    event = begin(4, "--reveal", "by-host", "--shares", "2")
    eve = event.dishonest("Eve", 4)
    bens, chloes, sealed = seal_photos(event, painter)
    for name in ("Ben", "Eve"):
        event.anna.command("role", "grant", "organizer", name)

    def store():
        return Store(next((eve.folder / "data").iterdir()))

    def heard():
        """The operations that Eve's program has."""
        return store().operations(bytes.fromhex(eve.said("event")[0]))
    dealt = eventually("shares have been given", lambda: (
        len(found := [each for each in heard() if each.kind == SHARE]) == 3 and found), PATIENCE, 0.3)
    # Every node has the three boxes; her key opens one of them.
    own = SealedBox(SigningKey(store().key("device")).to_curve25519_private_key())
    opened = {}
    for deal in dealt:
        try:
            opened[deal.argument] = own.decrypt(deal.content.box)
        except CryptoError:
            assert deal.subject.hex() != eve.device
    ((index, share),) = opened.items()
    photo = next(each for each in heard() if each.kind == PHOTO and each.id.hex() == chloes)
    for _, reference in photo.blobs():
        assert reference.sealed_key and not reference.key
        with pytest.raises(Refused):
            open_key(reference.sealed_key, share)
    eventually("Ben's node knows of the roles", lambda: all(
        roles(event.ben, key) == {"organizer"} for key in (key_of("Ben", event.ben), eve.device)))

    count = event.ben.status()["operationCount"]
    event.lan("cut", 1)
    first_charter = next(each for each in heard() if each.kind == CHARTER).id
    eve.state(SHARE_RELEASE, argument=index, content=pb.ShareReleaseBody(share=share))
    for other in range(1, 4):
        # Her own once more, also in place of others; and values of her own.
        for value in (share, os.urandom(32), bytes(32)):
            eve.state(SHARE_RELEASE, argument=other, content=pb.ShareReleaseBody(share=value))
    for secret in (share, os.urandom(32)):
        eve.state(REVEAL, content=pb.RevealBody(secret=secret))
    for photo in (bens, chloes):
        eve.state(KEY_RELEASE, photo, content=pb.KeyReleaseBody(thumbnail=share, preview=share, original=share))
    eve.state(EDIT, argument=REVEAL_FIELD, content=pb.EditBody(follows=first_charter, value=pb.CharterBody(reveal=AT_ONCE)))
    for node in (event.ben, event.chloe):
        knows(node, count + eve.stated)
        said = json.loads(node.command("event", "shares", "--json").splitlines()[0])
        published = [holder["key"] for holder in said["holders"] if holder["isReleased"]]
        assert (published, said["missingCount"], said["isRevealed"]) == ([eve.device], 1, False), said
    stay_sealed(event, sealed)

    # Her share, which another program has published, and Ben's are enough.
    event.ben.command("event", "reveal")
    wait_until_open(event)
    equal(event.nodes, 2)


def test_two_organizers_who_put_each_other_out_both_stay_until_the_event_key_decides(begin, painter):
    event = begin(4)
    # Eve is on Ben's side of the cut, Mallory on that of the others.
    eve = event.dishonest("Eve", 2, "--publish", painter.photo(64, 48))
    mallory = event.dishonest("Mallory", 4, "--publish", painter.photo(64, 48))
    eves, mallorys = eve.said("published")[0], mallory.said("published")[0]
    bens = add(event.ben, painter.photo())
    equal(event.nodes, 3)
    for name in ("Eve", "Mallory"):
        event.anna.command("role", "grant", "organizer", name)

    def are_both():
        return all(roles(node, peer.device) == {"organizer"} for node in event.nodes for peer in (eve, mallory))
    eventually("both are organizers", are_both)

    count = event.ben.status()["operationCount"]
    event.lan("cut", 2)
    eve.state(REVOKE_DEVICE, mallory.device, content=pb.RevocationBody())
    mallory.state(REVOKE_DEVICE, eve.device, content=pb.RevocationBody())
    for node in event.nodes:
        knows(node, count + 1)
    both = add(event.ben, painter.photo()), add(event.chloe, painter.photo())
    event.lan("heal", 2)

    for _ in range(2):
        assert equal(event.nodes, 5) == {eves, mallorys, bens, *both}
        assert are_both()
        event.restart()
    # Whose word it is now decides: Eve's revocation leaves nothing of what Mallory has said.
    event.anna.command("role", "revoke", "organizer", "Mallory")
    assert equal(event.nodes, 4) == {eves, bens, *both}
    for node in event.nodes:
        assert roles(node, mallory.device) is None and roles(node, eve.device) == {"organizer"}


def test_who_picks_a_plan_and_places_photos_of_others_changes_nothing(begin, painter):
    event = begin(4)
    eve = event.dishonest("Eve", 4, "--publish", painter.photo())
    event.anna.command("role", "grant", "organizer", "Ben")
    bens, chloes = add(event.ben, painter.photo()), add(event.chloe, painter.photo())
    equal(event.nodes, 3)
    eventually("Ben is an organizer", lambda: "organizer" in (roles(event.ben, key_of("Ben", event.ben)) or ()))
    refused(event.chloe, "event", "picture", "plan", bens)

    def pictures(node):
        shown = json.loads(node.command("event", "show", "--json"))
        return shown.get("cover"), shown.get("plan")

    def spots(node):
        return {photo["id"]: (photo["spot"]["x"], photo["spot"]["y"]) for photo in node.gallery() if "spot" in photo}

    def pick(node):
        return json.loads(node.command("event", "picture", "plan", painter.photo(), "--json").splitlines()[0])["photo"]

    def lie(plan):
        """Eve's words about the plan, the cover, and the places of everybody's photos."""
        for role in (1, 2):
            eve.state(PICTURE, bens, role)
            eve.state(PICTURE, bens, role + (1 << 32))
        for photo in (bens, chloes):
            eve.state(SPOT, photo, int(plan[:8], 16) >> 1 << 33 | 7 << 16 | 7)
            eve.state(SPOT, photo, 1 << 32)

    event.lan("cut", 1)
    former = pick(event.ben)
    refused(event.ben, "place", chloes, "1", "1")
    equal([event.ben, event.chloe], 3)
    event.chloe.command("place", chloes, "25", "100")
    lie(former)
    eventually("Ben knows it", lambda: spots(event.ben) == {chloes: (16_384, 65_535)}, within=PATIENCE)
    plan = pick(event.anna)
    event.lan("heal", 1)
    # The former plan is a photo again, and the spot belongs to it.
    assert former in equal(event.nodes, 4)
    for node in event.nodes:
        assert pictures(node) == (None, plan) and spots(node) == {}
    event.chloe.command("place", chloes, "75", "0")
    lie(plan)
    event.restart()
    equal(event.nodes, 4)
    for node in event.nodes:
        assert pictures(node) == (None, plan) and spots(node) == {chloes: (49_151, 0)}
    event.anna.command("event", "picture", "plan", former)
    equal(event.nodes, 4)
    for node in event.nodes:
        assert pictures(node) == (None, former) and spots(node) == {}
    event.ben.command("hide", former)
    equal(event.nodes, 4)
    for node in event.nodes:
        assert pictures(node) == (None, None)


def vote_on(node):
    """The vote as a node shows it, None where it knows of none: ballot, whether it is open, people, photos with votes."""
    result = subprocess.run([BUILD / "disposable", "vote", "result", "--json", "--data", node.folder], capture_output=True,
                            text=True, timeout=180)
    if result.returncode == 3:
        return None
    assert result.returncode == 0, result.stderr
    said = json.loads(result.stdout.splitlines()[0])
    return (said["id"], "closedAt" not in said, said["voterCount"],
            sorted((place["photo"], place["votes"]) for place in said["places"]))


def test_a_vote_counts_alike_on_three_nodes_one_of_them_cut_off_whatever_a_member_states(begin, painter):
    event = begin(4)
    eve = event.dishonest("Eve", 4, "--publish", painter.photo())
    bens, chloes = add(event.ben, painter.photo()), add(event.chloe, painter.photo())
    equal(event.nodes, 3)
    refused(event.ben, "vote", "open")
    event.anna.command("vote", "open")
    eventually("all know of the vote", lambda: all(vote_on(node) for node in event.nodes), within=PATIENCE)
    ballot = vote_on(event.anna)[0]

    event.lan("cut", 3)
    event.chloe.command("vote", "cast", bens)
    event.anna.command("vote", "cast", bens)
    event.anna.command("vote", "cast", chloes)
    refused(event.chloe, "vote", "cast", chloes)
    # A closing without a rank and without the secret, a ballot without a rank, and a vote that does not open.
    count = event.ben.status()["operationCount"]
    eve.state(CLOSING, ballot, content=pb.RevealBody(secret=os.urandom(32)))
    eve.state(BALLOT, content=pb.EpochBody(commitment=os.urandom(32), devices=bytes.fromhex(eve.device), boxes=bytes(80)))
    eve.state(VOTE, ballot, content=pb.VoteBody(box=os.urandom(112)))
    knows(event.ben, count + 3)
    eventually("two have voted on this side", lambda: vote_on(event.ben) == (ballot, True, 2, []), within=PATIENCE)
    event.anna.command("vote", "close")
    assert vote_on(event.anna) == (ballot, False, 2, [(chloes, 1)])
    eventually("Ben's node knows that it is closed", lambda: not vote_on(event.ben)[1], within=PATIENCE)
    refused(event.ben, "vote", "cast", chloes)

    event.lan("heal", 3)
    expected = ballot, False, 3, sorted([(bens, 1), (chloes, 1)])
    eventually("one result", lambda: all(vote_on(node) == expected for node in event.nodes), within=PATIENCE)
    event.restart()
    eventually("the same after a restart", lambda: all(vote_on(node) == expected for node in event.nodes), within=PATIENCE)
    event.ben.command("remove", bens)
    expected = ballot, False, 3, [(chloes, 1)]
    eventually("a deleted photo does not win", lambda: all(vote_on(node) == expected for node in event.nodes), within=PATIENCE)
