#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A member on a machine of its own that multiplies what it can: devices that it lets in and connections of theirs, joins that
are forged in others' names, registers. Arguments: what, the nodes' invitation, and the nodes' addresses. It says "busy" once it
has all that it wants, or has wanted it for long enough, and goes on until it is killed."""

import asyncio
import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "examples/python-peer"), str(Path(__file__).resolve().parent)]

from nacl.signing import SigningKey  # noqa: E402

import disposable_pb2 as pb  # noqa: E402
from connection import Closed  # noqa: E402
from event import domain, public, sign  # noqa: E402
from messages import OPERATIONS, PING, PONG, REGISTER  # noqa: E402
from operations import JOIN, make  # noqa: E402
from scripted import Scripted, now  # noqa: E402

ENDED = EOFError, ConnectionError, OSError, Closed, TimeoutError
# The number of its own devices.
COUNT = int(os.environ.get("COUNT", "400"))
PLACES, REGISTER_BYTES = 130, 24_000
# One operation with a fingerprint of none: summaries of zeros are those of a node that hides its sets (§10.2).
NOTHING = pb.SetSummary(count=1, fingerprint=bytes(16))


def join_of(key, event, sponsor):
    """A device's join by the word of a key that the member has."""
    return make(key, event.id, JOIN, [], now(), pb.JoinBody(
        sponsor=public(sponsor), signature=event.admission(sponsor, public(key))))


async def listen(connection, takes=True):
    """Answers pings, so that nobody thinks it is gone; with the summaries of the node, or as one that has taken nothing yet."""
    while True:
        kind, message = await connection.receive()
        if kind == PING:
            connection.send(PONG, message if takes else pb.Ping(nonce=message.nonce, authority=NOTHING, content=NOTHING))


def in_parts(operations):
    for start in range(0, len(operations), 100):
        yield pb.Operations(operations=[each.message() for each in operations[start:start + 100]])


class Multiplier:
    def __init__(self, invitation, addresses):
        self.members = [Scripted(invitation, address) for address in addresses]
        for member in self.members[1:]:
            member.key, member.device = self.members[0].key, self.members[0].device
        self.event, self.key = self.members[0].event, self.members[0].key
        self.devices = [SigningKey.generate() for _ in range(COUNT)]

    async def enter(self):
        """It is in, and so are its devices, as far as budgets allow."""
        connections = []
        for member in self.members:
            member.join = self.members[0].join
            connections.append(await member.member())
        joins = [join_of(device, self.event, self.key) for device in self.devices]
        for connection in connections:
            for part in in_parts(joins):
                connection.send(OPERATIONS, part)
            await connection.drain()
        return connections

    async def connections(self):
        """Each of its devices has a connection to each node, or tries again. None takes any operation."""
        held = await self.enter()

        async def hold(member, device):
            while True:
                try:
                    await listen(await member.stranger(device), takes=False)
                except ENDED:
                    await asyncio.sleep(1)
        tasks = [asyncio.create_task(hold(member, device)) for member in self.members for device in self.devices[:PLACES]]
        tasks += [asyncio.create_task(listen(connection)) for connection in held]
        # Long enough for nodes to close connections that are too many for a large event (§6.11), twice.
        await asyncio.sleep(25)
        print("busy", flush=True)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def joins(self):
        """Joins that name it and others as sponsors, with signatures of others: none is genuine."""
        async def forge(member, is_first):
            count = 0
            while True:
                try:
                    connection = await member.member()
                    victims = [public(self.key), *self.others]
                    messages = []
                    for number in range(100):
                        key = SigningKey.generate()
                        forged = make(key, self.event.id, JOIN, [], now(), pb.JoinBody(
                            sponsor=victims[number % len(victims)], signature=os.urandom(64))).message()
                        forged.signature = os.urandom(64)
                        messages.append(forged)
                    connection.send(OPERATIONS, pb.Operations(operations=messages))
                    await listen(connection)
                except ENDED:
                    count += 1
                    if count == 20 and is_first:
                        print("busy", flush=True)
        await self.enter()
        self.others = [bytes.fromhex(each) for each in os.environ.get("DEVICES", "").split()]
        await asyncio.gather(*(forge(member, member is self.members[0]) for member in self.members))

    async def registers(self):
        """The largest registers there are, one for each of its devices."""
        held = await self.enter()
        await asyncio.sleep(5)
        for device in self.devices:
            claims = pb.RegisterClaims(device=public(device), instance=bytes(16), counter=1)
            for places in (claims.originals, claims.destroyed):
                places.add(device=public(device), bits=b"\xff" * REGISTER_BYTES)
            claims = claims.SerializeToString()
            message = pb.Register(claims=claims, signature=sign(device, domain("register"), self.event.id, claims))
            for connection in held:
                connection.send(REGISTER, message)
                await connection.drain()
        print("busy", flush=True)
        await asyncio.gather(*(listen(connection) for connection in held), return_exceptions=True)
        await asyncio.sleep(3_600)


if __name__ == "__main__":
    what, invitation, *addresses = sys.argv[1:]
    split = [(address.rpartition(":")[0], int(address.rpartition(":")[2])) for address in addresses]
    try:
        asyncio.run(getattr(Multiplier(invitation, split), what)())
    except KeyboardInterrupt:
        pass
