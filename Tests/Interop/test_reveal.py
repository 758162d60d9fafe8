# SPDX-License-Identifier: Apache-2.0
"""Photos that are shown later (§11.2): the Python peer and nodes keep and pass on what they cannot open, and open each
other's by the reveal or by their author's release. All on the loopback interface."""

import json

import pytest

import disposable_pb2 as pb
from event import blake2b, content_key
from node import Store
from operations import CHARTER, EDIT, KEY_RELEASE
from party import Node, TimedOut, eventually, is_in, sha256
from python_peer import DishonestPeer, PythonPeer

ON_LOOPBACK = ("--no-mdns", "--listen", "127.0.0.1:0")
REVEAL_FIELD, AT_A_TIME = 7, 2


def states(node):
    return {photo["id"]: photo["state"] for photo in node.gallery()}


def add(node, photo):
    lines = map(json.loads, node.command("add", photo, "--json").splitlines())
    return next(line["id"] for line in lines if line["type"] == "added")


def in_step(node, peer, photos, sealed):
    """Waits until both have all that so many photos consist of, and the same gallery, and so many are sealed to the
    Python peer; the digest."""
    def equal():
        state = node.status()
        digest = state.get("digest")  # left out where there is none yet
        return (state["photoCount"] == photos and state["missingBlobCount"] == 0 and peer.is_complete
                and peer.sealed_count == sealed and digest == peer.digest and digest)
    try:
        return eventually("the node and the Python peer have the same gallery", equal)
    except TimedOut as timed_out:
        raise TimedOut(f"{timed_out}\n{node.status()}\n{peer.lines}") from None


def files(peer):
    """SHA-256 of whatever lies in the folder of its photos, by name."""
    return {file.name: sha256(file) for file in peer.photos.iterdir()}


def saves(peer, photos):
    """Waits until the Python peer has opened these photos, the files by id, and no others."""
    expected = {photo: sha256(file) for photo, file in photos.items()}
    eventually("the Python peer opens them", lambda: len(peer.saved) == len(expected))
    assert peer.saved == expected
    assert sorted(files(peer).values()) == sorted(expected.values())


def store(peer):
    return Store(next((peer.folder / "data").iterdir()))


def stored(peer):
    """The operations that a Python peer has."""
    return store(peer).operations(bytes.fromhex(peer.said("event")[0]))


def roles(node, key):
    people = json.loads(node.command("event", "show", "--json"))["people"]
    return next((set(person["roles"]) for person in people if person["key"] == key), None)


@pytest.fixture
def host(folder, running):
    node = Node(folder / "host", "host", "Garden party", "--as", "Anna", "--reveal", "by-host")
    running.append(node)
    return node


def python_peer(folder, running, host, *arguments, kind=PythonPeer):
    peer = kind(folder, host.ready["invitation"], *ON_LOOPBACK, *arguments)
    running.append(peer)
    return peer


def join(folder, running, host, name, *arguments):
    node = Node(folder / name.lower(), "join", host.ready["invitation"], "--as", name, "--no-mdns", *arguments)
    running.append(node)
    is_in(node)
    return node


def test_a_nodes_photos_are_kept_unopened_until_the_reveal(folder, running, host, painter):
    photos = {add(host, file): file for file in (painter.photo(3000, 2000), painter.photo(640, 480))}
    pia = python_peer(folder / "pia", running, host, "--as", "Pia")
    before = in_step(host, pia, 2, sealed=2)
    assert {pia.said("sealed", count)[0] for count in (1, 2)} == set(photos)
    assert files(pia) == {} and pia.saved == {}
    pia.kill()
    pia.start(*ON_LOOPBACK)
    assert in_step(host, pia, 2, sealed=2) == before
    assert files(pia) == {} and pia.saved == {}

    host.command("event", "reveal")
    assert in_step(host, pia, 2, sealed=0) != before, "the gallery is another one when it is open"
    saves(pia, photos)
    later = painter.photo(64, 48)
    photos[add(host, later)] = later
    saves(pia, photos)
    in_step(host, pia, 3, sealed=0)


def test_a_reveal_is_heard_of_by_who_was_away_and_what_was_not_written_then_is_later(folder, running, host, painter):
    file = painter.photo()
    photo = add(host, file)
    pia = python_peer(folder / "pia", running, host, "--as", "Pia")
    in_step(host, pia, 1, sealed=1)
    pia.kill()
    host.command("event", "reveal")
    pia.start(*ON_LOOPBACK)
    saves(pia, {photo: file})
    in_step(host, pia, 1, sealed=0)
    pia.kill()
    for each in pia.photos.iterdir():
        each.unlink()
    pia.start(*ON_LOOPBACK)
    saves(pia, {photo: file})


def test_what_the_python_peer_cannot_open_it_gives_to_a_node(folder, running, host, painter):
    file = painter.photo(3000, 2000)
    photo = add(host, file)
    pia = python_peer(folder / "pia", running, host, "--as", "Pia")
    in_step(host, pia, 1, sealed=1)
    host.kill()
    (port,) = pia.said("listening")
    ben = join(folder, running, host, "Ben", "--peer", f"127.0.0.1:{port}")
    in_step(ben, pia, 1, sealed=1)
    assert states(ben) == {photo: "sealed"}
    host.start()
    host.command("event", "reveal")
    eventually("Ben's node shows it", lambda: states(ben) == {photo: "complete"})
    assert sha256(file) in ben.exported(folder / "export").values()
    saves(pia, {photo: file})
    in_step(ben, pia, 1, sealed=0)


def test_the_python_peers_photos_are_sealed_and_revealed_to_nodes(folder, running, host, painter):
    small, large = painter.photo(64, 48), painter.photo(3000, 2000)
    pia = python_peer(folder / "pia", running, host, "--as", "Pia", "--publish", small, large)
    photos = {pia.said("published", count)[0]: file for count, file in ((1, small), (2, large))}
    ben = join(folder, running, host, "Ben")
    before = in_step(host, pia, 2, sealed=0)
    assert in_step(ben, pia, 2, sealed=0)
    for node in (host, ben):
        assert states(node) == dict.fromkeys(photos, "sealed")
    references = [reference for each in stored(pia) for _, reference in each.blobs()]
    assert len(references) == 3 + 1, "the small photo is its own thumbnail and preview"
    assert all(reference.sealed_key and not reference.key for reference in references)

    host.command("event", "reveal")
    for node in (host, ben):
        eventually("the node shows them", lambda: states(node) == dict.fromkeys(photos, "complete"))
        exported = node.exported(node.folder.with_suffix(".export")).values()
        assert {sha256(small), sha256(large)} <= set(exported)
        assert {photo["id"]: photo["sha256"] for photo in node.gallery()} == {
            photo: sha256(file) for photo, file in photos.items()}
        assert in_step(node, pia, 2, sealed=0) != before


def test_the_python_peer_opens_its_own_sealed_photo_that_comes_back_to_it(folder, running, host, painter):
    own = painter.photo(64, 48)
    pia = python_peer(folder / "pia", running, host, "--as", "Pia", "--publish", own)
    photo = pia.said("published")[0]
    in_step(host, pia, 1, sealed=0)
    pia.kill()
    for blob in (pia.folder / "data").glob("*/*-3-*"):
        blob.unlink()
    pia.start(*ON_LOOPBACK)
    saves(pia, {photo: own})
    in_step(host, pia, 1, sealed=0)
    assert states(host) == {photo: "sealed"}


def test_a_node_releases_its_keys_and_the_python_peer_opens_that_authors_photos_alone(folder, running, host, painter):
    """The host is gone when the time has come, so nobody states a reveal: a minute later Ben's node opens what Ben has
    added. What time it is, it is told by another organizer, whose peer makes no use of the reveal's key."""
    bens_file, annas_file = painter.photos(2)
    ben = join(folder, running, host, "Ben")
    bens, annas = add(ben, bens_file), add(host, annas_file)
    pia = python_peer(folder / "pia", running, host, "--as", "Pia")
    eve = python_peer(folder / "eve", running, host, "--as", "Eve", kind=DishonestPeer)
    (device,) = eve.said("device")
    in_step(host, pia, 2, sealed=2)
    eventually("Ben's node is connected with all", lambda: len(ben.status()["peers"]) == 3)
    host.command("role", "grant", "organizer", "Eve")
    eventually("Ben's node knows that Eve is an organizer", lambda: roles(ben, device) == {"organizer"})
    in_step(ben, pia, 2, sealed=2)
    host.kill()
    assert states(ben) == {bens: "complete", annas: "sealed"}

    charter = next(each for each in stored(pia) if each.kind == CHARTER)
    long_ago = pb.CharterBody(reveal=AT_A_TIME, reveal_at_ms=1)
    eve.state(EDIT, argument=REVEAL_FIELD, content=pb.EditBody(follows=charter.id, value=long_ago))
    saves(pia, {bens: bens_file})
    in_step(ben, pia, 2, sealed=1)
    assert states(ben) == {bens: "complete", annas: "sealed"}
    assert [each.subject.hex() for each in stored(pia) if each.kind == KEY_RELEASE] == [bens]


def test_a_photo_whose_author_seals_nothing_is_held_back_all_the_same(folder, running, host, painter):
    file = painter.photo(64, 48)
    eve = python_peer(folder / "eve", running, host, "--as", "Eve", kind=DishonestPeer)
    eve.said("device")
    photo = eve.publish(file, is_sealed=False)
    assert all(reference.key for each in stored(eve) for _, reference in each.blobs())
    pia = python_peer(folder / "pia", running, host, "--as", "Pia")
    in_step(host, pia, 1, sealed=1)
    assert states(host) == {photo: "sealed"}
    assert files(pia) == {} and pia.saved == {}
    host.command("event", "reveal")
    eventually("the host shows it", lambda: states(host) == {photo: "complete"})
    saves(pia, {photo: file})
    in_step(host, pia, 1, sealed=0)


def test_an_author_at_the_python_peer_releases_keys(folder, running, host, painter):
    """No other member's word counts, also with the right key. A wrong key of the author's opens nothing, and stands in
    nobody's way."""
    mistaken, foreign, right = photos = painter.photos(3, width=64, height=48)
    eve = python_peer(folder / "eve", running, host, "--as", "Eve", "--publish", *photos, kind=DishonestPeer)
    id_of = {photo: eve.said("published", count)[0] for count, photo in enumerate(photos, 1)}
    pia = python_peer(folder / "pia", running, host, "--as", "Pia")
    mallory = python_peer(folder / "mallory", running, host, "--as", "Mallory", kind=DishonestPeer)
    mallory.said("device")
    in_step(host, pia, 3, sealed=3)
    secret = store(eve).key("import secret")

    def release(author, photo, key_of):
        """Waits until all others have heard of it, too."""
        data = key_of.read_bytes()
        body = pb.KeyReleaseBody(**{name: content_key(secret, number, blake2b(data))
                                    for number, name in enumerate(("thumbnail", "preview", "original"), 1)})
        stated = author.state(KEY_RELEASE, id_of[photo], content=body)
        eventually("Pia has it", lambda: stated in {each.id.hex() for each in stored(pia)})
        eventually("the host has it", lambda: host.status()["operationCount"] == len(stored(pia)))

    release(eve, mistaken, key_of=right)
    release(mallory, foreign, key_of=foreign)
    in_step(host, pia, 3, sealed=3)
    assert files(pia) == {} and pia.saved == {}
    assert states(host)[id_of[foreign]] == states(host)[id_of[right]] == "sealed"

    release(eve, right, key_of=right)
    saves(pia, {id_of[right]: right})
    in_step(host, pia, 3, sealed=2)
    eventually("the host shows it", lambda: states(host)[id_of[right]] == "complete")
    assert states(host)[id_of[foreign]] == "sealed"

    release(eve, mistaken, key_of=mistaken)
    saves(pia, {id_of[photo]: photo for photo in (right, mistaken)})
    in_step(host, pia, 3, sealed=1)

    host.command("event", "reveal")
    eventually("the host shows all", lambda: set(states(host).values()) == {"complete"})
    saves(pia, {id_of[photo]: photo for photo in photos})
    in_step(host, pia, 3, sealed=0)
    assert sorted(host.exported(folder / "export").values()) == sorted(map(sha256, photos))
    assert not [line for line in pia.lines if line[0] == "unreadable"]
