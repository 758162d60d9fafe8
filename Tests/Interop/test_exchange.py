# SPDX-License-Identifier: Apache-2.0
"""A node of this project and the Python peer at one event, on the loopback interface: everything goes both ways."""

import os

import pytest

from party import Node, eventually, sha256
from python_peer import PythonPeer

ON_LOOPBACK = ("--no-mdns", "--listen", "127.0.0.1:0")


def in_step(node, peer, photos):
    """Waits until both have so many photos, whole, and the same gallery; the digest."""
    def equal():
        state = node.status()
        digest = state.get("digest")  # left out where there is none yet
        return (state["completeCount"] == state["photoCount"] == photos and state["missingBlobCount"] == 0
                and peer.is_complete and digest == peer.digest and digest)
    return eventually("the node and the Python peer have the same gallery", equal)


@pytest.fixture
def host(folder, running):
    node = Node(folder / "host", "host", "Garden party", "--as", "Anna", "--frames", "5")
    running.append(node)
    return node


def python_peer(folder, running, invitation, *arguments):
    peer = PythonPeer(folder, invitation, *ON_LOOPBACK, *arguments)
    running.append(peer)
    return peer


def test_photos_go_both_ways_and_news_arrives(folder, running, host, painter):
    first, second, third = painter.photos(2, width=640, height=480) + [painter.photo(3000, 2000)]
    host.command("add", first, second)
    own = painter.photo(64, 48)
    peer = python_peer(folder / "pia", running, host.ready["invitation"], "--as", "Pia", "--publish", own)
    peer.said("member")
    in_step(host, peer, 3)
    assert sorted(peer.saved.values()) == sorted(map(sha256, (first, second)))
    assert sorted(map(sha256, peer.photos.iterdir())) == sorted(peer.saved.values())

    published, _, frame = peer.said("published")
    shown = {photo["id"]: photo for photo in host.gallery()}
    assert shown[published]["author"] == "Pia"
    assert shown[published]["frame"] == int(frame) == 1
    assert shown[published]["sha256"] == sha256(own)
    assert sha256(own) in host.exported(folder / "export").values()

    host.command("add", third)  # while both are connected
    in_step(host, peer, 4)
    assert sha256(third) in peer.saved.values()

    taken_back = next(photo for photo, digest in peer.saved.items() if digest == sha256(first))
    host.command("remove", taken_back)
    assert peer.said("removed") == [taken_back]
    assert sorted(map(sha256, peer.photos.iterdir())) == sorted(map(sha256, (second, third)))
    in_step(host, peer, 3)


def test_both_come_back_after_a_kill_and_catch_up(folder, running, host, painter):
    peer = python_peer(folder / "pia", running, host.ready["invitation"])
    peer.said("member")
    peer.kill()
    while_away = painter.photo()
    host.command("add", while_away)
    host.kill()
    host.start()
    own = painter.photo(64, 48)
    peer.start(*ON_LOOPBACK, "--as", "Pia", "--publish", own)
    in_step(host, peer, 2)
    assert list(peer.saved.values()) == [sha256(while_away)]
    assert {photo["author"] for photo in host.gallery()} == {"Anna", "Pia"}
    assert not [line for line in peer.lines if line[0] == "member"], "it has joined before"


def test_a_node_is_let_in_and_given_everything_by_the_python_peer_alone(folder, running, host, painter):
    photos = painter.photos(3, width=640, height=480)
    host.command("add", *photos)
    own = painter.photo(64, 48)
    peer = python_peer(folder / "pia", running, host.ready["invitation"], "--as", "Pia", "--publish", own)
    digest = in_step(host, peer, 4)
    host.kill()
    (port,) = peer.said("listening")
    node = Node(folder / "ben", "join", peer.invitation, "--as", "Ben", "--peer", f"127.0.0.1:{port}", "--no-mdns")
    running.append(node)
    assert in_step(node, peer, 4) != digest, "Ben's name is new"
    assert sorted(node.exported(folder / "export").values()) == sorted(map(sha256, photos + [own]))
    peer.said("peer", 2)  # the node dialled it


def test_files_of_many_chunks_go_from_python_to_a_node_to_another_python(folder, running, host):
    """17 MiB and a byte: 69 chunks, more than one request may ask for, and a last chunk of one byte."""
    large = folder / "large.bin"
    large.write_bytes(os.urandom((17 << 20) + 1))
    pia = python_peer(folder / "pia", running, host.ready["invitation"], "--publish", large)
    in_step(host, pia, 1)
    pia.kill()
    quentin = python_peer(folder / "quentin", running, host.ready["invitation"])
    in_step(host, quentin, 1)
    assert [sha256(file) for file in quentin.photos.iterdir()] == [sha256(large)]


def test_a_full_roll_is_full(folder, running, host, painter):
    photos = painter.photos(6, width=64, height=48)
    peer = python_peer(folder / "pia", running, host.ready["invitation"], "--publish", *photos)
    peer.said("full")
    in_step(host, peer, 5)
    assert [photo["frame"] for photo in host.gallery()] == [1, 2, 3, 4, 5]
