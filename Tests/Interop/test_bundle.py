# SPDX-License-Identifier: Apache-2.0
"""Bundles (protocol/bundle.md), read and written by a second implementation, honest and not."""

import hashlib
import json
import os
import struct
import subprocess

import pytest
from nacl.bindings import crypto_aead_chacha20poly1305_ietf_decrypt as aead_open
from nacl.bindings import crypto_aead_chacha20poly1305_ietf_encrypt as aead_seal

import disposable_pb2 as pb
from event import Event, blake2b, blob_root, derive, open_chunk, read_invitation
from operations import Operation
from party import BUILD, Node, eventually, is_in, sha256

MAGIC = b"disposable carry\x01"
BLOCK, PAYLOAD = 65_552, 65_532
ABOUT, OPERATION, LIST, CHUNK = 1, 2, 3, 4


def key_and_tag(event, salt):
    key = derive(event.secret, "bundle", event.id + salt)
    return key, blake2b(MAGIC + salt, key=key, size=16)


def nonce(index, is_last):
    return struct.pack(">3xQB", index, is_last)


def read(path, event):
    """Returns the records of a bundle, each as its type and content."""
    data = path.read_bytes()
    salt, tag, sealed = data[17:33], data[33:49], data[49:]
    key, expected = key_and_tag(event, salt)
    assert data[:17] == MAGIC and tag == expected
    count = -(-len(sealed) // BLOCK)
    stream, starts = b"", []
    for index in range(count):
        plain = aead_open(sealed[index * BLOCK:(index + 1) * BLOCK], None, nonce(index, index == count - 1), key)
        start = int.from_bytes(plain[:4], "big")
        if start != 0xFFFFFFFF:
            starts.append(len(stream) + start)
        stream += plain[4:]
    records, places, at = [], [], 0
    while at < len(stream):
        kind, length = struct.unpack_from(">BI", stream, at)
        places.append(at)
        records.append((kind, stream[at + 5:at + 5 + length]))
        at += 5 + length
    assert at == len(stream)
    # Each block names the first record that begins in it.
    first = {}
    for place in places:
        first.setdefault(place // PAYLOAD, place)
    assert starts == list(first.values())
    return records


def write(path, event, records):
    salt = os.urandom(16)
    key, tag = key_and_tag(event, salt)
    stream, first = b"", {}
    for kind, content in records:
        first.setdefault(len(stream) // PAYLOAD, len(stream) % PAYLOAD)
        stream += struct.pack(">BI", kind, len(content)) + content
    count = -(-len(stream) // PAYLOAD)
    sealed = [
        aead_seal(
            struct.pack(">I", first.get(index, 0xFFFFFFFF)) + stream[index * PAYLOAD:(index + 1) * PAYLOAD], None,
            nonce(index, index == count - 1), key)
        for index in range(count)]
    path.write_bytes(MAGIC + salt + tag + b"".join(sealed))


@pytest.fixture
def site(folder, running, painter):
    """An event with two photos, whose node has ended, and its bundle."""
    host = Node(folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(host)
    photos = [painter.photo(640, 480), painter.photo(1600, 1200)]
    host.command("add", *photos)
    eventually("two photos", lambda: sum(photo["state"] == "complete" for photo in host.gallery()) == 2)
    host.command("carry", "export", folder / "party.carry")
    host.kill()
    body = read_invitation(host.ready["invitation"])
    return host, Event(body.event_key, body.secret), folder / "party.carry"


def joined(folder, host):
    """Returns a node of the event that has met no other, and does not run either."""
    node = Node(folder / f"guest-{os.urandom(4).hex()}", "join", host.ready["invitation"], "--as", "Ben")
    node.kill()
    return node


def taken(node, path):
    """Returns the exit code of an import, what it said, and its report."""
    result = subprocess.run(
        [BUILD / "disposable", "carry", "import", path, "--data", node.folder, "--json"], capture_output=True, text=True,
        timeout=120)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return result.returncode, result.stderr, next((line for line in lines if line["type"] == "carried"), None)


def digest(node):
    return node.status()["digest"]


def test_a_second_implementation_reads_everything_in_a_bundle(site):
    host, event, path = site
    records = read(path, event)
    kind, about = records[0]
    assert kind == ABOUT and about[:32] == event.id
    operations, references, lists, chunks = [], {}, {}, {}
    for kind, content in records:
        if kind == OPERATION:
            message = pb.SignedOperation.FromString(content)
            operation = Operation(message.header, message.signature, message.body or None)
            operation.check(event.id)
            operations.append(operation)
            references.update({blob.root: (blob, reference) for blob, reference in operation.blobs()})
        elif kind == LIST:
            blob_class, byte_count = struct.unpack_from(">BQ", content)
            lists[content[9:41]] = [content[at:at + 32] for at in range(41, len(content), 32)]
            assert blob_root(byte_count, lists[content[9:41]]) == content[9:41]
            assert references[content[9:41]][0].blob_class == blob_class
        elif kind == CHUNK:
            index = int.from_bytes(content[32:36], "big")
            assert blake2b(content[36:]) == lists[content[:32]][index]
            chunks[content[:32], index] = content[36:]
    assert struct.unpack(">QQ", about[-16:]) == (len(operations), len(lists)) and len(lists) == 6
    originals = set()
    for blob, reference in references.values():
        plain = b"".join(
            open_chunk(reference.key, index, blob.is_last(index), chunks[blob.root, index]) for index in range(blob.chunk_count))
        if blob.blob_class == 3:
            originals.add(hashlib.sha256(plain).hexdigest())
    assert originals == {photo["sha256"] for photo in host.gallery()}
    assert event.secret not in path.read_bytes() and event.id not in path.read_bytes()


def test_a_node_takes_a_bundle_that_another_program_has_written_in_another_order(folder, site):
    host, event, path = site
    records = read(path, event)
    operations = [record for record in records if record[0] == OPERATION]
    others = [record for record in records if record[0] in (LIST, CHUNK)]
    write(folder / "other.carry", event, [(200, b"of a later version"), *reversed(others), *reversed(operations)])
    guest = joined(folder, host)
    code, errors, report = taken(guest, folder / "other.carry")
    assert code == 0, errors
    assert report["newBlobCount"] == 6
    assert digest(guest) == digest(host)


def test_a_forged_operation_ends_the_import_and_enters_nowhere(folder, site):
    host, event, path = site
    records = read(path, event)
    forged = []
    for kind, content in records:
        if kind == OPERATION:
            message = pb.SignedOperation.FromString(content)
            if message.header[1] == 65:  # a photo
                message.signature = message.signature[:10] + bytes([message.signature[10] ^ 1]) + message.signature[11:]
                content = message.SerializeToString()
        forged.append((kind, content))
    write(folder / "forged.carry", event, forged)
    guest = joined(folder, host)
    code, errors, _ = taken(guest, folder / "forged.carry")
    assert code == 1 and "has not signed" in errors
    assert guest.gallery() == []
    assert taken(guest, path)[0] == 0
    assert digest(guest) == digest(host)


def test_wrong_chunks_are_not_stored(folder, site):
    host, event, path = site
    write(folder / "wrong.carry", event, [
        (kind, content[:-1] + bytes([content[-1] ^ 1]) if kind == CHUNK else content) for kind, content in read(path, event)])
    guest = joined(folder, host)
    _, _, report = taken(guest, folder / "wrong.carry")
    assert report["newBlobCount"] == 0 and report["refusedBlobCount"] == 6
    assert digest(guest) == digest(host)
    assert taken(guest, path)[2]["newBlobCount"] == 6
    assert {photo["state"] for photo in guest.gallery()} == {"complete"}


def test_two_sites_that_never_met_agree_after_a_file_each_way_and_again_the_next_day(folder, running, painter):
    host = Node(folder / "host", "host", "Two camps", "--as", "Anna")
    running.append(host)
    sites = []
    for name in ("Ben", "Chloe"):
        site = Node(folder / name, "join", host.ready["invitation"], "--as", name)
        running.append(site)
        is_in(site)
        # They were admitted one after the other, and have never met.
        site.kill()
        sites.append(site)
    host.kill()
    wanted, own = set(), {}
    for day in (1, 2):
        for site in sites:
            photos = painter.photos(2)
            site.command("add", *photos)
            wanted |= set(map(sha256, photos))
            if day == 2:
                # A deletion at one site removes the photo at the other.
                site.command("remove", own[site])
            own[site] = next(photo["id"] for photo in site.gallery() if photo["isMine"])
        if day == 2:
            wanted -= gone
        files = [folder / f"{site.folder.name}-{day}.carry" for site in sites]
        for site, file in zip(sites, files):
            site.command("carry", "export", file)
        # The first direction, and then the other, with what the first brought or without.
        for site, file in zip(sites, reversed(files)):
            code, errors, report = taken(site, file)
            assert code == 0, errors
            assert report["newBlobCount"] == 6 and report["refusedOperationCount"] == 0
        assert digest(sites[0]) == digest(sites[1])
        for site in sites:
            assert {photo["sha256"] for photo in site.gallery()} == wanted
            assert {photo["state"] for photo in site.gallery()} == {"complete"}
        # The same files once more change nothing.
        before = digest(sites[0])
        for site, file in zip(sites, reversed(files)):
            assert taken(site, file)[2]["newOperationCount"] == 0
        assert {digest(site) for site in sites} == {before}
        gone = {photo["sha256"] for photo in sites[0].gallery() if photo["id"] in own.values()}
