# SPDX-License-Identifier: Apache-2.0
"""A member that brings devices and guests of its own, on real nodes on loopback (§6.13, §14.1): a flood of operations on a
small disk, a page node with many guests whose role is revoked, a new secret among thousands of devices, joins by a removed
member."""

import os
import shutil
from pathlib import Path

from nacl.signing import SigningKey

import disposable_pb2 as pb
from event import ZERO, blake2b, domain, public, sign
from messages import OPERATIONS
from multiplying import in_parts, join_of
from operations import CLAIM, HEADER, JOIN, PHOTO, Operation, make
from party import Node, eventually, is_in
from scripted import Scripted, goes_on, kept, now

PATIENCE = 300
BATCH, AT_ONCE = 400, 2_000


def host_in(folder, running, *arguments):
    node = Node(folder / "host", "host", "Garden party", "--as", "Anna", *arguments)
    running.append(node)
    return node


def member_of(node):
    """A scripted device that is a member."""
    host, _, port = node.ready["listen"].rpartition(":")
    member = Scripted(node.ready["invitation"], (host, int(port)))
    assert member.run(goes_on)
    return member


def bring(member, operations):
    """Delivers operations of any device over a member's connection, until the node has stored all of them."""
    def script(some):
        async def play(connection):
            for start in range(0, len(some), BATCH):
                part = some[start:start + BATCH]
                for message in in_parts(part):
                    connection.send(OPERATIONS, message)
                await kept(connection, [each.id for each in part])
        return play
    for start in range(0, len(operations), AT_ONCE):
        member.run(script(operations[start:start + AT_ONCE]))


def device():
    return SigningKey.generate()


# ---------------------------------------------------------------- operations and the disk

def unknown(event, key):
    """An operation of a kind of a later version, with the largest body."""
    body = os.urandom(16_384)
    header = HEADER.pack(1, 200, 0, len(body), 0, 0, now(), event.id, public(key), ZERO, ZERO, blake2b(domain("body"), body))
    return Operation(header, sign(key, domain("operation signature"), header), body)


def test_a_flood_of_operations_leaves_room_on_the_disk_and_a_removal_gives_it_back(small_volume, running, painter):
    host = host_in(small_volume, running, "--destruction-delay", "1")
    eve = member_of(host)
    devices = [device() for _ in range(4)]
    bring(eve, [join_of(key, eve.event, eve.key) for key in devices])
    free = []

    async def flood(connection):
        for number in range(2_000):
            operations = [unknown(eve.event, devices[number % 4]).message() for _ in range(3)]
            connection.send(OPERATIONS, pb.Operations(operations=operations))
            if number % 40 == 0:
                assert await goes_on(connection)
                free.append(shutil.disk_usage(small_volume).free)
    eve.run(flood)
    eventually("the node says that there is no room",
               lambda: any("are kept free" in problem for problem in host.status()["problems"]), PATIENCE)
    free.append(shutil.disk_usage(small_volume).free)
    assert min(free) > 0, "the volume is full"
    # The organizer still acts, and the members that flooded are removed with everything.
    host.command("role", "revoke", "participant", eve.device.hex(), "--with-admitted", "--everything", "--yes")
    eventually("there is room again",
               lambda: not any("are kept free" in problem for problem in host.status()["problems"]), PATIENCE, every=1)
    host.command("add", painter.photo(64, 48))


# ---------------------------------------------------------------- a page node with many guests

def guest_of(node):
    """A guest at a member's node: its join, and a photo in its first frame."""
    guest, key, event = device(), device(), node.event
    join = make(key, event.id, JOIN, [], now(), pb.JoinBody(
        sponsor=node.device, signature=event.admission(node.key, public(key)), guest=public(guest),
        delegation=sign(guest, domain("delegation"), event.id, node.device, public(key))))
    photo = make(key, event.id, PHOTO, [], now(), pb.PhotoBody(width=1, height=1, media_type="image/jpeg"))
    return join, [photo, make(key, event.id, CLAIM, [photo], now(), subject=photo.id, argument=1)]


def test_revoking_a_page_node_hides_no_photo_of_its_320_guests(folder, running):
    host = host_in(folder, running)
    page = member_of(host)
    host.command("role", "grant", "page", page.device.hex())
    guests = [guest_of(page) for _ in range(320)]
    bring(page, [join for join, _ in guests])
    bring(page, [operation for _, photo in guests for operation in photo])
    eventually("all photos", lambda: len(host.gallery()) == 320, PATIENCE)
    # Without --yes: a program goes on only where nobody else loses anything.
    host.command("role", "revoke", "page", page.device.hex())
    assert len(host.gallery()) == 320
    host.command("role", "revoke", "participant", page.device.hex(), "--yes")
    assert len(host.gallery()) == 320
    ben = Node(folder / "ben", "join", host.ready["invitation"], "--as", "Ben")
    running.append(ben)
    is_in(ben)
    eventually("all photos at another node", lambda: len(ben.gallery()) == 320, PATIENCE)
    host.kill()
    host.start()
    assert len(host.gallery()) == 320


# ---------------------------------------------------------------- a new secret

def test_thousands_of_devices_of_one_member_do_not_prevent_a_new_secret(folder, running):
    host = host_in(folder, running)
    ben = Node(folder / "ben", "join", host.ready["invitation"], "--as", "Ben")
    running.append(ben)
    is_in(ben)
    eve = member_of(host)
    sponsors = [device() for _ in range(23)]
    joins = [join_of(key, eve.event, eve.key) for key in sponsors]
    joins += [join_of(device(), eve.event, sponsor) for sponsor in sponsors for _ in range(399)]
    bring(eve, joins)
    assert host.status()["memberCount"] > 9_200
    host.command("invite", "rotate", "--yes")

    def has_secret():
        epoch = ben.status()["epoch"]
        return epoch["number"] == 1 and epoch["hasSecret"]
    eventually("Ben has the new secret", has_secret, PATIENCE, every=1)


# ---------------------------------------------------------------- joins by a removed member

def processor_seconds(node):
    """User and system time of the node's process (proc(5))."""
    fields = Path(f"/proc/{node.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_joins_by_a_removed_member_cost_no_more_than_others(folder, running):
    """Compares processor time within one run: with a derivation for each join the later ones took twenty times as long."""
    host = host_in(folder, running)
    eve, mallory = member_of(host), member_of(host)

    def cost(sponsor):
        joins = [join_of(device(), eve.event, sponsor) for _ in range(3_000)]
        before = processor_seconds(host)
        bring(mallory, joins)
        taken = processor_seconds(host) - before
        host.kill()
        host.start()
        host.status()
        return taken + processor_seconds(host)
    usual = cost(mallory.key)
    host.command("role", "revoke", "participant", eve.device.hex(), "--yes")
    removed = cost(eve.key)
    assert removed < 3 * usual + 1, f"{removed} s instead of {usual} s"
