# SPDX-License-Identifier: Apache-2.0
"""What a node does with a peer that breaks a rule of the specification, or says what it does not know (§7, §8.6,
§13)."""

import asyncio
import json
import os

import pytest

import disposable_pb2 as pb
from connection import make_preface, read_refusal
from event import blake2b, domain
from messages import ADMISSION, AUTHENTICATION, OPERATIONS, PING, PONG, RECONCILE, REFUSAL, REQUEST, WANT
from operations import CLAIM, HEADER, NAME, PHOTO, REMOVE, TWINNING, Operation
from party import ROOT, Node
from scripted import Scripted, answer, ending, goes_on, kept, now, sending

SUMMARY = pb.SetSummary(fingerprint=bytes(16))


@pytest.fixture(scope="module")
def party(tmp_path_factory):
    node = Node(tmp_path_factory.mktemp("conduct") / "host", "host", "Garden party", "--as", "Anna")
    host, _, port = node.ready["listen"].rpartition(":")
    yield node, Scripted(node.ready["invitation"], (host, int(port)))
    node.kill()


def request(**changes):
    return pb.ChunkRequest(**{**dict(request=1, root=bytes(32), blob_class=3, byte_count=100, chunk_count=1),
                              **changes})


def vectors(is_good):
    """Those of messages; not those that say where to dial, end the connection or are about another event."""
    files = sorted((ROOT / "protocol/vectors/message").glob("*.json"))
    read = [(file.stem, json.loads(file.read_text())) for file in files]
    return pytest.mark.parametrize("vector", [
        pytest.param(vector, id=name) for name, vector in read if (vector["expect"] == "success") == is_good
        and vector.get("type") not in ("addresses", "close", "operations")])


@vectors(is_good=False)
def test_it_closes_on_a_message(party, vector):
    code = {"malformed": "malformed", "limit exceeded": "limitExceeded"}[vector["expect"]]
    assert party[1].run(sending(bytes.fromhex(vector["message"]), ending)) == code


@vectors(is_good=True)
def test_it_goes_on_after_a_message(party, vector):
    """Also where nobody asked for it."""
    assert party[1].run(sending(bytes.fromhex(vector["message"]), goes_on))


CLOSES = {
    "second-authentication": (AUTHENTICATION, pb.Authentication(signature=bytes(64))),
    "negentropy-without-version": (RECONCILE, pb.Reconcile(set=1, initiator=True)),
    "negentropy-cut-short": (RECONCILE, pb.Reconcile(set=1, initiator=True, message=b"\x61\0\0\1")),
}


@pytest.mark.parametrize("kind, message", [pytest.param(*row, id=name) for name, row in CLOSES.items()])
def test_it_closes_as_malformed_on(party, kind, message):
    assert party[1].run(sending(bytes([kind]) + message.SerializeToString(), ending)) == "malformed"


def test_it_answers_another_version_of_negentropy_with_its_own(party):
    async def script(connection):
        connection.send(RECONCILE, pb.Reconcile(set=1, initiator=True, message=b"\x62anything"))
        return (await answer(connection, RECONCILE)).message
    assert party[1].run(script) == b"\x61"


@pytest.mark.parametrize("changes", [dict(), dict(first_chunk=1023), dict(byte_count=101)],
                         ids=["unknown", "beyond", "length"])
def test_what_is_not_here_is_refused(party, changes):
    async def script(connection):
        connection.send(REQUEST, request(**changes))
        return await answer(connection, REFUSAL)
    refusal = party[1].run(script)
    assert (refusal.request, refusal.code, refusal.retry_after_ms) == (1, 32, 0)


# ---------------------------------------------------------------- operations

def test_it_keeps_what_it_does_not_know_and_what_it_cannot_read(party):
    """Kinds and flags of a later version in either set, a body that says nothing, a body that is not here; and a kind after the
    first release in the wrong set, with a body that says nothing, and without one."""
    node, scripted = party

    def later(flags, body, kind=200):
        last = [each for each in scripted.chain if each.is_authority == bool(flags & 1)]
        previous = last[-1].id if last else scripted.join.id if flags & 1 else bytes(32)
        sequence = len(last) + (flags & 1)
        header = HEADER.pack(1, kind, flags, len(body), sequence, 9, now(), scripted.event.id, scripted.device,
                             previous,
                             bytes([8]) * 32, blake2b(domain("body"), body) if body else bytes(32))
        signature = scripted.key.sign(domain("operation signature") + header).signature
        operation = Operation(header, signature, body)
        scripted.chain.append(operation)
        return operation

    async def script(connection):
        sent = [later(2, b"anything"), later(3, b""), later(0xFFF0, b""), later(0xFFF1, bytes(16_384)),
                later(0, b"x" * 17, kind=NAME), later(0, b"y" * 20, kind=TWINNING), later(1, b"z" * 20, kind=TWINNING),
                later(1, b"", kind=TWINNING), scripted.state(PHOTO, pb.PhotoBody(media_type="image/unheard-of")),
                scripted.state(REMOVE, subject=bytes([1]) * 32)]
        messages = [each.message() for each in sent]
        messages[-2].ClearField("body")  # as if it had been erased before it came here
        messages[-1].body = b""  # there, but of no bytes: as if it were not
        connection.send(OPERATIONS, pb.Operations(operations=messages[:8]))
        connection.send(OPERATIONS, pb.Operations(operations=messages[8:]))
        assert await goes_on(connection)
        got = await kept(connection, [each.id for each in sent])
        return [got[each.id].body == each.body for each in sent]
    assert party[1].run(script) == [True] * 8 + [False, True]


BROKEN = {
    "of-another-event": dict(event=bytes(32)),
    "of-another-version": dict(version=2),
    "in-the-wrong-set": dict(flags=1),
    "with-a-broken-chain": dict(sequence=0, previous=bytes([1]) * 32),
    "with-a-sequence-too-large": dict(sequence=1 << 18, previous=bytes([1]) * 32),
    "with-a-body-it-has-not": dict(body=b"x"),
    "with-a-body-beyond-the-limit": dict(kind=200, body=bytes(16_385), length=16_385,
                                         hash=blake2b(domain("body"), bytes(16_385))),
    "with-a-false-signature": dict(signature=bytes(64)),
}


@pytest.mark.parametrize("changes", [pytest.param(changes, id=name) for name, changes in BROKEN.items()])
def test_it_closes_on_an_operation(party, changes):
    """What is right in the same message stays."""
    node, scripted = party

    async def script(connection):
        good = scripted.state(CLAIM, subject=bytes([3]) * 32, argument=1)
        fields = dict(version=1, kind=CLAIM, flags=0, length=0, sequence=0, argument=1, time=now(),
                      event=scripted.event.id,
                      device=scripted.device, previous=bytes(32), subject=bytes([2]) * 32, hash=bytes(32))
        body, signature = changes.get("body"), changes.get("signature")
        fields.update({name: value for name, value in changes.items() if name in fields})
        header = HEADER.pack(*fields.values())
        signature = signature or scripted.key.sign(domain("operation signature") + header).signature
        connection.send(OPERATIONS, pb.Operations(operations=[
            good.message(), pb.SignedOperation(header=header, signature=signature, body=body)]))
        return good, await ending(connection)

    good, code = scripted.run(script)
    assert code == "malformed"

    async def look(connection):
        return (await kept(connection, [good.id]))[good.id].header
    if "signature" in changes:
        assert scripted.run(look) == good.header


# ---------------------------------------------------------------- strangers

def test_a_device_that_does_not_join_may_say_sixteen_things(party):
    async def script(connection):
        for _ in range(16):
            connection.send(WANT, pb.Want())
        assert await goes_on(connection)
        connection.send(WANT, pb.Want())
        return await ending(connection)
    assert party[1].run(script, is_member=False) == "notAdmitted"


def test_a_stranger_sees_no_summaries_and_is_let_in(party):
    async def script(connection):
        admission = await answer(connection, ADMISSION)
        assert party[1].event.is_admission(admission.sponsor, admission.signature, connection_key)
        connection.send(PING, pb.Ping(nonce=1, authority=SUMMARY, content=SUMMARY))
        pong = await answer(connection, PONG)
        return pong.authority, pong.content

    from nacl.signing import SigningKey
    key = SigningKey.generate()
    connection_key = bytes(key.verify_key)

    async def play():
        async with asyncio.timeout(120):
            return await script(await party[1].stranger(key))
    assert asyncio.run(play()) == (SUMMARY, SUMMARY)


PREFACES = {
    "of-another-event": lambda preface: preface[:21] + bytes(16),
    "without-the-magic-word": lambda preface: b"DSPX" + preface[4:],
    "of-another-version-and-event": lambda preface: preface[:4] + b"\2" + preface[5:21] + bytes(16),
}


@pytest.mark.parametrize("change", [pytest.param(change, id=name) for name, change in PREFACES.items()])
def test_it_hangs_up_on_a_preface_without_a_word(party, change):
    async def play():
        async with asyncio.timeout(120):
            await party[1].pace()
            reader, writer = await asyncio.open_connection(*party[1].address)
            challenge = await reader.readexactly(16)
            writer.write(change(make_preface(party[1].event, challenge, os.urandom(16))))
            return await reader.read()
    assert asyncio.run(play()) == b""


def test_a_higher_version_is_refused_with_a_reason(party):
    async def play():
        async with asyncio.timeout(120):
            await party[1].pace()
            reader, writer = await asyncio.open_connection(*party[1].address)
            challenge, salt = await reader.readexactly(16), os.urandom(16)
            preface = make_preface(party[1].event, challenge, salt)
            writer.write(preface[:4] + b"\2" + preface[5:])
            answer = await reader.read()
            assert answer[:2] == b"\0\x15"
            return read_refusal(party[1].event, challenge, salt, answer[2:])
    assert asyncio.run(play()) == ("unsupportedVersion", 1)
