# SPDX-License-Identifier: Apache-2.0
"""A peer that says what a test tells it to: it joins like anybody, and then misbehaves."""

import asyncio
import os
import time

from nacl.signing import SigningKey

import disposable_pb2 as pb
from connection import dial
from event import Event, public, read_invitation
from messages import ADMISSION, CLOSE, CODES, OPERATIONS, PING, PONG, WANT
from operations import JOIN, Operation, make


CONNECTIONS_PER_SECOND = 15  # a node takes 20 of one address, and 64 at once


class Scripted:
    """One device; `run` makes a connection of a member, or of a stranger, and runs a script in it."""

    def __init__(self, invitation, address):
        body = read_invitation(invitation)
        self.event, self.address = Event(body.event_key, body.secret), address
        self.key = SigningKey.generate()
        self.device, self.join, self.chain = public(self.key), None, []
        self.began, self.connected = time.monotonic(), 0

    async def stranger(self, key=None):
        """A connection of a device that is no member."""
        await self.pace()
        return await dial(self.event, key or SigningKey.generate(), os.urandom(16), 0, self.address)

    async def pace(self):
        self.connected += 1
        await asyncio.sleep(max(0, self.began + (self.connected - 40) / CONNECTIONS_PER_SECOND - time.monotonic()))

    async def member(self):
        connection = await self.stranger(self.key)
        if self.join is None:
            admission = await answer(connection, ADMISSION)
            self.join = make(self.key, self.event.id, JOIN, [], now(), pb.JoinBody(
                sponsor=admission.sponsor, signature=admission.signature))
        connection.send(OPERATIONS, pb.Operations(operations=[self.join.message()]))
        while not (await answer(connection, PING)).authority.count:
            pass
        return connection

    def state(self, kind, content=None, **options):
        """An operation of this device's own, next in its chain; it counts as sent."""
        operation = make(self.key, self.event.id, kind, self.chain, now(), content, **options)
        self.chain.append(operation)
        return operation

    def run(self, script, is_member=True):
        """What `script(connection)` returns; nothing takes longer than two minutes."""
        async def play():
            async with asyncio.timeout(120):
                connection = await (self.member() if is_member else self.stranger())
                try:
                    return await script(connection)
                finally:
                    connection.writer.close()
        return asyncio.run(play())


def now():
    return time.time_ns() // 1_000_000 << 16


async def answer(connection, kind):
    """The next message of a type; others are passed over."""
    while True:
        got, message = await connection.receive()
        if got == kind:
            return message


async def ending(connection):
    """How the other side ends the connection: the name of its Close, or "silence"."""
    try:
        return CODES[(await answer(connection, CLOSE)).code]
    except (EOFError, ConnectionError):
        return "silence"


def ping(connection, nonce):
    connection.send(PING, pb.Ping(nonce=nonce, authority=pb.SetSummary(fingerprint=bytes(16)),
                                  content=pb.SetSummary(fingerprint=bytes(16))))


async def kept(connection, ids):
    """The operations with these ids, as the other side has them; asks until it has stored all of them."""
    found = {}
    while set(ids) - set(found):
        connection.send(WANT, pb.Want(ids=sorted(ids)))
        ping(connection, 8)
        kind = None
        while kind != PONG:
            kind, message = await connection.receive()
            for each in message.operations if kind == OPERATIONS else []:
                operation = Operation(each.header, each.signature, each.body if each.HasField("body") else None)
                found[operation.id] = operation
        await asyncio.sleep(0.02)
    return found


async def goes_on(connection):
    """Whether the other side still answers a ping."""
    ping(connection, 7)
    while True:
        try:
            kind, message = await connection.receive()
        except (EOFError, ConnectionError):
            return False
        if kind == CLOSE:
            return False
        if kind == PONG and message.nonce == 7:
            return True


def sending(plaintext, then):
    """A script that sends one message, whatever it is, and goes on with `then`."""
    async def script(connection):
        connection.send(plaintext[0], plaintext[1:])
        return await then(connection)
    return script
