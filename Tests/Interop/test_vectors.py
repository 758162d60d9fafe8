# SPDX-License-Identifier: Apache-2.0
"""Every vector of protocol/vectors, run against the code of the Python peer."""

import ipaddress
import json
import re
from pathlib import Path

import pytest
from nacl.bindings import crypto_scalarmult_base
from nacl.public import SealedBox
from nacl.signing import SigningKey

import disposable_pb2 as pb
import messages
from card import read_card, recent
from connection import Noise, check_authentication, check_preface, make_preface, make_refusal, read_refusal
from event import (BYTE_COUNT_MAX, CHUNK, Event, Refused, blake2b, blob_root, content_key, domain, ephemeral_key,
                   open_chunk, open_key, open_message, read_invitation, reopen_key, seal_chunk, seal_key, seal_message,
                   write_invitation)
from negentropy import Reconciliation
from operations import (APPROVAL, APPROVE, BALLOT, CAPTION, CHARTER, CLOSING, COMMENT, EDIT, EPOCH, FIELDS, GRANT, JOIN, KEY_RELEASE, KINDS, LIST, MESSAGE, NAME, NOTICE,
                        ORIGINAL, PHOTO, REVEAL, REVOKE_DEVICE, REVOKE_ROLE, SHARE, SHARE_RELEASE, TICKET_USE, TICKETS, TWINNING, UNAPPROVE, UNHIDE, VOTE, Operation, ids,
                        is_agreed, read_agreement, seals, write_agreement)
from sharing import combine, split

VECTORS = Path(__file__).resolve().parents[2] / "protocol/vectors"
CLASSES = {"thumbnail": 1, "preview": 2, "original": 3}


def vectors(area, names="*.json"):
    files = sorted((VECTORS / area).glob(names))
    assert files, f"no vectors in {area}"
    return pytest.mark.parametrize("vector", [pytest.param(json.loads(file.read_text()), id=file.stem)
                                              for file in files])


def outcome(vector, action):
    """What `action` returns, where the vector expects success; else checks that it is refused in the way expected."""
    assert vector["format"] == 1
    if vector["expect"] == "success":
        return action()
    with pytest.raises(Refused) as refused:
        action()
    assert refused.value.kind == vector["expect"]
    return None


def unhex(text):
    return bytes.fromhex(text)


# ---------------------------------------------------------------- Noise

def noise_party(vector, role):
    (psk,) = vector[role + "_psks"]
    return Noise(role == "init", unhex(vector[role + "_prologue"]), unhex(psk),
                 unhex(vector[role + "_static"]), unhex(vector[role + "_ephemeral"]))


@vectors("noise")
def test_noise(vector):
    init, resp = noise_party(vector, "init"), noise_party(vector, "resp")
    fails_at = vector.get("fails_at", len(vector["messages"]))
    for index, message in enumerate(vector["messages"]):
        writer, reader = (init, resp) if index % 2 == 0 else (resp, init)
        if message.get("rekey"):
            writer.noise.rekey_outbound_cipher()
            reader.noise.rekey_inbound_cipher()
        is_failing = index == fails_at
        write, read = (writer.write, reader.read) if index < 3 else (writer.seal, reader.open)
        if is_failing and vector["fails_on"] == "write":
            outcome(vector, lambda: write(unhex(message["payload"])))
            break
        assert write(unhex(message["payload"])).hex() == message["ciphertext"]
        delivered = unhex(message.get("delivered", message["ciphertext"]))
        if is_failing:
            outcome(vector, lambda: read(delivered))
            break
        # Where something else is delivered before the failure, the payload is the forger's: empty.
        assert read(delivered).hex() == (message["payload"] if "delivered" not in message else "")
    if "handshake_hash" in vector:
        assert init.handshake_hash.hex() == resp.handshake_hash.hex() == vector["handshake_hash"]


# ---------------------------------------------------------------- the beginning of a connection

def event_of(vector):
    return Event(unhex(vector["eventKey"]), unhex(vector["eventSecret"]))


@vectors("preface")
def test_preface(vector):
    event, challenge = event_of(vector), unhex(vector["challenge"])
    if vector["kind"] == "preface":
        preface = unhex(vector["preface"])
        outcome(vector, lambda: check_preface(event, challenge, preface))
        if vector["expect"] == "success":
            assert make_preface(event, challenge, unhex(vector["salt"])) == preface
        if vector["expect"] == "unsupported version":
            answer = make_refusal(event, challenge, preface[5:21], "unsupportedVersion", 1)
            assert (len(answer).to_bytes(2, "big") + answer).hex() == vector["answer"]
        return
    assert vector["kind"] == "refusal"
    refusal = outcome(vector, lambda: read_refusal(event, challenge, unhex(vector["salt"]), unhex(vector["refusal"])))
    if refusal:
        number = "version" if vector["code"] == "unsupportedVersion" else "retryAfterMilliseconds"
        assert refusal == (vector["code"], vector[number])


@vectors("handshake")
def test_handshake(vector):
    """The dialler's side says what the vector says, byte for byte; the other reads it, and so in turn."""
    event = event_of(vector)
    assert event.psk.hex() == vector["psk"]
    right = unhex(vector["challenge"]) + unhex(vector["preface"])

    def party(side):
        return Noise(side == "dialler", unhex(vector["prologue"]) if side == "dialler" else right, event.psk,
                     unhex(vector[side]["static"]), unhex(vector[side]["ephemeral"]))

    sides = {side: party(side) for side in ("dialler", "listener")}

    def read(index, side, frame):
        length, message = int.from_bytes(frame[:2], "big"), frame[2:]
        assert length == len(message)
        if index < 3:
            return side.read_empty(message)
        return messages.read_message(side.open(message)) if "failsAt" in vector else side.open(message)

    for index, step in enumerate(vector["steps"]):
        writer = sides[step["from"]]
        reader = sides["listener" if step["from"] == "dialler" else "dialler"]
        plain, frame = unhex(step["plaintext"]), unhex(step["bytes"])
        written = (writer.write if index < 3 else writer.seal)(plain)
        if index == vector.get("failsAt"):
            outcome(vector, lambda: read(index, reader, frame))
            return
        assert written == frame[2:]
        assert read(index, reader, frame) in (plain, None)
    assert vector["expect"] == "success"
    assert sides["dialler"].handshake_hash.hex() == sides["listener"].handshake_hash.hex() == vector["handshakeHash"]


@vectors("auth")
def test_authentication(vector):
    def receive():
        kind, message = messages.read_message(bytes([messages.AUTHENTICATION]) + unhex(vector["payload"]))
        assert kind == messages.AUTHENTICATION
        return check_authentication(message, ["dialler", "listener"].index(vector["side"]),
                                    unhex(vector["handshakeHash"]))

    claims = outcome(vector, receive)
    if claims:
        assert claims.device.hex() == vector["device"]
        assert claims.instance.hex() == vector["instance"]
        assert (claims.wall_clock_ms, claims.listen_port) == (vector["wallClockMilliseconds"], vector["listenPort"])


# ---------------------------------------------------------------- messages

def shown_message(message):
    """The content of a message, in the words of the vectors."""
    def summary(each):
        return {"count": str(each.count), "fingerprint": each.fingerprint.hex()}

    def chunks(bitmap):
        return [number for number in range(len(bitmap) * 8) if bitmap[number // 8] >> number % 8 & 1]

    match message:
        case pb.Ping():
            return {"nonce": str(message.nonce), "authority": summary(message.authority),
                    "content": summary(message.content)}
        case pb.Close():
            return {"code": message.code, "retryAfterMilliseconds": message.retry_after_ms, "reason": message.reason}
        case pb.AdmissionMessage():
            return {"sponsor": message.sponsor.hex(), "signature": message.signature.hex()}
        case pb.Addresses() | pb.Pages():
            return {"addresses": [{"ip": each.ip.hex(), "port": each.port} for each in message.addresses]}
        case pb.Register():
            claims = messages.register_claims(message)
            return {"signature": message.signature.hex(), "device": claims.device.hex(),
                    "instance": claims.instance.hex(), "counter": str(claims.counter),
                    **{name: [{"device": each.device.hex(), "sequences": chunks(each.bits)} for each in list_]
                       for name, list_ in (("originals", claims.originals), ("destroyed", claims.destroyed))}}
        case pb.Operations():
            return {"operations": [
                {"header": each.header.hex(), "signature": each.signature.hex(),
                 "body": each.body.hex() if each.HasField("body") else None} for each in message.operations]}
        case pb.Reconcile():
            return {"set": message.set, "initiator": message.initiator, "message": message.message.hex()}
        case pb.Want():
            return {"ids": [item.hex() for item in message.ids], "set": message.set}
        case pb.Have():
            return {"holdings": [{"device": each.device.hex(), "class": each.blob_class,
                                  "runs": [[start, end - 1] for start, end in messages.runs(each)]}
                                 for each in message.holdings if each.blob_class in BYTE_COUNT_MAX],
                    "partials": [{"root": each.root.hex(), "class": each.blob_class, "byteCount": each.byte_count,
                                  "chunks": chunks(each.chunks)} for each in message.partials]}
        case pb.ChunkRequest():
            return {"request": message.request, "root": message.root.hex(), "class": message.blob_class,
                    "byteCount": message.byte_count, "firstChunk": message.first_chunk,
                    "chunkCount": message.chunk_count,
                    "withList": message.with_list}
        case pb.ChunkList():
            return {"request": message.request, "hashes": [message.hashes[start:start + 32].hex()
                                                           for start in range(0, len(message.hashes), 32)]}
        case messages.Data():
            return {"request": message.request, "chunk": message.chunk, "offset": message.offset,
                    "bytes": message.bytes.hex()}
        case pb.Refusal():
            return {"request": message.request, "code": message.code if message.code in messages.CODES else None,
                    "retryAfterMilliseconds": message.retry_after_ms}
        case pb.Cancel():
            return {"request": message.request}


@vectors("message")
def test_message(vector):
    read = outcome(vector, lambda: messages.read_message(unhex(vector["message"])))
    if read:
        kind, message = read
        if vector["type"] == "later":
            assert kind >= messages.OPTIONAL and message is None
            return
        assert kind == getattr(messages, vector["type"].upper())
        assert shown_message(message) == vector["content"]


# ---------------------------------------------------------------- reconciliation

def generated_sets(seed, both, initiatorOnly, responderOnly, timestampStart, timestampSpan):
    def numbers(state):
        mask = (1 << 64) - 1
        while True:
            state = (state + 0x9E3779B97F4A7C15) & mask
            mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
            yield mixed ^ mixed >> 31

    source = numbers(seed)

    def items(count):
        return [(timestampStart + next(source) % timestampSpan,
                 b"".join(next(source).to_bytes(8, "big") for _ in range(4))) for _ in range(count)]

    shared, first, second = items(both), items(initiatorOnly), items(responderOnly)
    return shared + first, shared + second


def items_of(listed):
    return [(item["timestamp"], unhex(item["id"])) for item in listed]


@vectors("reconciliation")
def test_reconciliation(vector):
    if vector["kind"] == "answer":
        side = Reconciliation(items_of(vector["items"]), is_initiator=vector["role"] == "initiator")
        reply = outcome(vector, lambda: side.answer(unhex(vector["message"])))
        if vector["expect"] == "success":
            assert (reply or b"\x61").hex() == vector["reply"]
        return
    sets = generated_sets(**vector["generated"]) if "generated" in vector else (
        items_of(vector["initiator"]), items_of(vector["responder"]))
    limits = vector["frameSizeLimit"]
    initiator = Reconciliation(sets[0], limits["initiator"], is_initiator=True)
    responder = Reconciliation(sets[1], limits["responder"])
    messages = [initiator.first()]
    while messages[-1] is not None:
        messages.append((responder if len(messages) % 2 else initiator).answer(messages[-1]))
    assert [message.hex() for message in messages[:-1]] == vector["messages"]
    assert sorted({item.hex() for item in initiator.have}) == vector["have"]
    assert sorted({item.hex() for item in initiator.need}) == vector["need"]


# ---------------------------------------------------------------- operations

def listed(data):
    return [each.hex() for each in ids(data)]


def described(operation):
    """The content of an operation, in the words of the vectors."""
    content = operation.content
    if operation.body is None or operation.kind not in KINDS:
        return None
    if operation.kind == EPOCH and operation.argument > 1:
        return None
    if operation.kind == EDIT and operation.argument not in FIELDS:
        return None
    if content is None:
        return None if operation.kind in (EDIT, TICKETS, TICKET_USE, TWINNING) else {"kind": "unreadable"}
    if operation.kind == TICKETS:
        return {"kind": "tickets", "names": listed(content.hides)}
    if operation.kind == TICKET_USE:
        return {"kind": "ticketUse", "author": content.guest.hex(), "signature": content.delegation.hex()}
    if operation.kind == EPOCH:
        sealed = seals(content)
        commitment = {"commitment": content.commitment.hex()} if content.commitment else {}
        return {"kind": "epoch", **commitment, "devices": [device.hex() for device, _ in sealed],
                "boxes": [box.hex() for _, box in sealed]}
    if operation.kind == MESSAGE:
        sealed = seals(content)
        return {"kind": "message", "devices": [device.hex() for device, _ in sealed], "boxes": [box.hex() for _, box in sealed],
                "text": content.text.hex()}
    if operation.kind == CHARTER:
        return {"kind": "charter", "name": content.name, "startsAtMilliseconds": content.starts_at_ms,
                "durationHours": content.duration_hours, "frames": content.frames,
                "retentionHours": content.retention_hours, "isListed": content.listed,
                "organizerName": content.organizer_name}
    if operation.kind == JOIN:
        return {"kind": "join", "sponsor": content.sponsor.hex()}
    if operation.kind == NAME:
        return {"kind": "name", "name": content.name}
    if operation.kind == PHOTO:
        return {"kind": "photo", "thumbnail": content.thumbnail.root.hex(), "preview": content.preview.root.hex(),
                "takenAtMilliseconds": content.taken_at_ms, "width": content.width, "height": content.height,
                "mediaType": content.media_type}
    if operation.kind == EDIT:
        return {"kind": "edit", "field": operation.argument, "names": listed(content.follows)}
    if operation.kind == GRANT:
        return {"kind": "grant", "names": listed(content.cancels)}
    if operation.kind in (REVOKE_ROLE, REVOKE_DEVICE):
        return {"kind": "revocation", "names": listed(content.heads)}
    if operation.kind == LIST:
        return {"kind": "list", "names": listed(content.heads)}
    if operation.kind == UNHIDE:
        return {"kind": "unhide", "names": listed(content.hides)}
    if operation.kind in (APPROVAL, APPROVE, UNAPPROVE):
        word = {APPROVAL: "approval", APPROVE: "approve", UNAPPROVE: "unapprove"}[operation.kind]
        return {"kind": word, "names": listed(content.hides)}
    if operation.kind == REVEAL:
        return {"kind": "reveal", "secret": content.secret.hex()}
    if operation.kind == SHARE:
        return {"kind": "share", "box": content.box.hex()}
    if operation.kind == SHARE_RELEASE:
        return {"kind": "shareRelease", "share": content.share.hex()}
    if operation.kind == BALLOT:
        sealed = seals(content)
        return {"kind": "ballot", "key": content.commitment.hex(), "devices": [device.hex() for device, _ in sealed],
                "boxes": [box.hex() for _, box in sealed]}
    if operation.kind == VOTE:
        return {"kind": "vote", "box": content.box.hex()}
    if operation.kind == CLOSING:
        return {"kind": "closing", "secret": content.secret.hex()}
    if operation.kind == TWINNING:
        return {"kind": "twinning", "eventKey": content.event_key.hex(), "name": content.name, "grant": content.grant.hex(),
                "signature": content.signature.hex(), "epoch": (content.epoch or bytes(32)).hex(),
                "nonce": content.nonce.hex(), "box": content.box.hex()}
    if operation.kind == KEY_RELEASE:
        return {"kind": "keyRelease", **{name: key.hex() for name in ("thumbnail", "preview", "original")
                                         if (key := getattr(content, name))}}
    if operation.kind in (CAPTION, COMMENT, NOTICE):
        return {"kind": "text", "name": content.text}
    assert operation.kind == ORIGINAL
    return {"kind": "original", "original": content.original.root.hex(), "sha256": content.sha256.hex(),
            "mediaType": content.media_type}


@vectors("sealing")
def test_sealing(vector):
    sealed = unhex(vector["sealed"])
    plain = outcome(vector, lambda: open_key(sealed, unhex(vector["secret"])))
    assert (plain and plain.hex()) == vector["plaintext"]
    if plain:
        recipient = crypto_scalarmult_base(unhex(vector["secret"]))
        assert seal_key(plain, recipient, unhex(vector["ephemeral"])) == sealed
        assert reopen_key(sealed, recipient, unhex(vector["ephemeral"])) == plain
    if "importSecret" in vector:
        assert recipient.hex() == vector["publicKey"]
        ephemeral = ephemeral_key(unhex(vector["importSecret"]), unhex(vector["root"]), recipient)
        assert ephemeral.hex() == vector["ephemeral"]


@vectors("sealing", "epoch-*.json")
def test_epoch_sealing(vector):
    device = SigningKey(unhex(vector["deviceSeed"]))
    secret = SealedBox(device.to_curve25519_private_key()).decrypt(unhex(vector["sealed"]))
    assert secret.hex() == vector["plaintext"]
    event = Event(bytes(32), secret)
    event.id = unhex(vector["event"])
    assert event.commits(unhex(vector["commitment"]), unhex(vector["parent"]))
    assert not event.commits(unhex(vector["commitment"]), bytes([1]) * 32)
    assert not event.under(bytes(32)).commits(unhex(vector["commitment"]), unhex(vector["parent"]))


@vectors("sealing", "message*.json")
def test_message_sealing(vector):
    author, event = unhex(vector["author"]), unhex(vector["event"])
    key = open_key(unhex(vector["sealed"]), unhex(vector["secret"]))
    sealed = unhex(vector["sealedText"])
    assert len(sealed) % 256 == 16
    assert open_message(sealed, key, author, event) == vector["text"]
    assert seal_message(vector["text"], key, author, event) == sealed
    # A copy by somebody else, or at another event, opens to nobody.
    assert open_message(sealed, key, bytes(32), event) is None
    assert open_message(sealed, key, author, bytes(32)) is None


@vectors("sharing")
def test_sharing(vector):
    secret, coefficients, event = (unhex(vector[name]) for name in ("secret", "coefficients", "event"))
    shares = split(secret, vector["threshold"], vector["count"], coefficients)
    assert [value.hex() for value in shares.values()] == vector["shares"]
    assert [blake2b(domain("share"), event, bytes([index]), value).hex()
            for index, value in shares.items()] == vector["commitments"]
    assert crypto_scalarmult_base(secret).hex() == vector["revealKey"]
    assert combine({index: shares[index] for index in vector["chosen"]}).hex() == vector["combined"]


@vectors("operation")
def test_operation(vector):
    def receive():
        body = vector["body"]
        operation = Operation(unhex(vector["header"]), unhex(vector["signature"]),
                              unhex(body) if body is not None else None)
        operation.check(unhex(vector["event"]))
        return operation

    operation = outcome(vector, receive)
    if operation:
        assert operation.id.hex() == vector["id"]
        assert described(operation) == vector["content"]


# ---------------------------------------------------------------- chunks

@vectors("chunk")
def test_chunk(vector):
    if "importSecret" not in vector:
        plain = outcome(vector, lambda: open_chunk(unhex(vector["key"]), vector["index"], vector["isLast"],
                                                   unhex(vector["ciphertext"])))
        if plain is not None:
            assert plain.hex() == vector["plaintext"]
        return
    blob_class, byte_count = CLASSES[vector["blobClass"]], vector["byteCount"]
    assert 1 <= byte_count <= BYTE_COUNT_MAX[blob_class]
    plain = bytes((7 * index + index // 256) % 256 for index in range(byte_count))
    assert blake2b(plain).hex() == vector["plaintextHash"]
    key = content_key(unhex(vector["importSecret"]), blob_class, blake2b(plain))
    assert key.hex() == vector["key"]
    starts = range(0, byte_count, CHUNK)
    sealed = [seal_chunk(key, index, start == starts[-1], plain[start:start + CHUNK])
              for index, start in enumerate(starts)]
    assert [blake2b(chunk).hex() for chunk in sealed] == vector["chunkHashes"]
    assert blob_root(byte_count, map(blake2b, sealed)).hex() == vector["root"]
    assert sealed[0][:32].hex() == vector["firstCiphertextBytes"]
    assert sealed[-1][-16:].hex() == vector["lastTag"]
    assert b"".join(open_chunk(key, index, index == len(sealed) - 1, chunk)
                    for index, chunk in enumerate(sealed)) == plain


# ---------------------------------------------------------------- invitations

@vectors("invitation")
def test_invitation(vector):
    body = outcome(vector, lambda: read_invitation(vector["text"]))
    if body is None:
        return

    assert_facts(body, vector)
    body.DiscardUnknownFields()
    assert (write_invitation(body) == vector["text"]) == vector["isCanonical"]


def assert_facts(body, vector):
    def shown(address):
        host = ipaddress.ip_address(address.ip)
        return f"{host}:{address.port}" if host.version == 4 else f"[{host}]:{address.port}"

    assert body.event_key.hex() == vector["eventKey"]
    assert Event(body.event_key, body.secret).id.hex() == vector["event"]
    assert body.secret.hex() == vector["secret"]
    assert body.name == vector["name"]
    assert [shown(address) for address in body.addresses] == vector["addresses"]


@vectors("agreement")
def test_agreement(vector):
    body = outcome(vector, lambda: read_agreement(vector["text"]))
    if body is None:
        return
    assert_facts(body, vector)
    assert body.other.hex() == vector["other"]
    assert body.grant.hex() == vector["grant"]
    assert body.signature.hex() == vector["signature"]
    assert is_agreed(body, unhex(vector["event"]), body.other) == vector["joins"]
    body.DiscardUnknownFields()
    assert (write_agreement(body) == vector["text"]) == vector["isCanonical"]


# ---------------------------------------------------------------- cards

@vectors("card")
def test_card(vector):
    card = outcome(vector, lambda: read_card(unhex(vector["key"]), vector["text"], unhex(vector["signature"])))
    if card is None:
        return
    kinds = {"website", "facebook", "instagram", "tiktok", "youtube", "x"}
    assert blake2b(domain("event"), unhex(vector["key"])).hex() == vector["event"]
    assert (card.get("name", ""), card.get("place", "")) == (vector["name"], vector["place"])
    assert (str(card["revisedAt"]), card.get("withdrawn", False)) == (vector["revisedAt"], vector["isWithdrawn"])
    assert [f"{link['kind'] if link['kind'] in kinds else 'other'} {link['address']}" for link in card.get("links", [])] \
        == vector["links"]
    position = card.get("position")
    assert vector.get("position") == (position and ", ".join(f"{position[name] / 1000:.3f}" for name in ("latitude", "longitude")))
    if "readAt" in vector:
        assert recent(card, int(vector["readAt"])) == (vector["recentPhotos"], vector["recentPeople"])


# ---------------------------------------------------------------- damage

def damaged(data):
    """The bytes cut off everywhere, with each bit changed, and with a number too large for any length in each place."""
    yield from (data[:length] for length in range(len(data)))
    for place in range(len(data)):
        for number in (b"\xff\xff\xff\xff\x0f", b"\xff" * 9 + b"\x01"):
            yield data[:place] + number + data[place + 1:]
    for bit in range(len(data) * 8):
        yield data[:bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1:]


def good(area, size):
    for file in sorted((VECTORS / area).glob("*.json")):
        vector = json.loads(file.read_text())
        if vector["expect"] == "success" and file.stat().st_size < size:
            yield vector


def survives(read, data):
    """Whatever comes: it is read, or refused in so many words."""
    for changed in damaged(data):
        try:
            read(changed)
        except Refused:
            pass


def read_and_write(plaintext):
    """A message that is read reads the same when it is written again."""
    kind, message = messages.read_message(plaintext)
    if message is not None and kind != messages.DATA:
        assert messages.read_message(bytes([kind]) + message.SerializeToString()) == (kind, message)


def test_damaged_bytes_are_refused_by_name():
    for vector in good("message", 4000):
        survives(read_and_write, unhex(vector["message"]))
    for vector in good("chunk", 2000):
        if "ciphertext" in vector:
            for changed in damaged(unhex(vector["ciphertext"])):
                with pytest.raises(Refused):
                    open_chunk(unhex(vector["key"]), vector["index"], vector["isLast"], changed)
    for vector in good("sealing", 2000):
        for changed in damaged(unhex(vector["sealed"])):
            with pytest.raises(Refused):
                open_key(changed, unhex(vector["secret"]))
            with pytest.raises(Refused):
                recipient = crypto_scalarmult_base(unhex(vector["secret"]))
                reopen_key(changed, recipient, unhex(vector["ephemeral"]))
    for vector in good("auth", 2000):
        survives(lambda data: messages.read_message(bytes([messages.AUTHENTICATION]) + data), unhex(vector["payload"]))
    for vector in good("operation", 4000):
        signature, body = unhex(vector["signature"]), unhex(vector["body"]) if vector["body"] else None
        survives(lambda data: Operation(data, signature, body), unhex(vector["header"]))
    for vector in good("reconciliation", 2000):
        if vector["kind"] == "answer":
            survives(Reconciliation(items_of(vector["items"])).answer, unhex(vector["message"]))
    for vector in good("card", 4000):
        for changed in damaged(vector["text"].encode()):
            with pytest.raises(Refused):
                read_card(unhex(vector["key"]), changed.decode("latin-1"), unhex(vector["signature"]))
    for vector in good("invitation", 1000):
        survives(lambda data: read_invitation(data.decode("latin-1")), vector["text"].encode("latin-1"))
    for vector in good("agreement", 2000):
        survives(lambda data: read_agreement(data.decode("latin-1")), vector["text"].encode("latin-1"))
    for vector in good("preface", 2000):
        if vector["kind"] == "preface":
            for changed in damaged(unhex(vector["preface"])):
                with pytest.raises(Refused):
                    check_preface(event_of(vector), unhex(vector["challenge"]), changed)
        else:
            for changed in damaged(unhex(vector["refusal"])):
                with pytest.raises(Refused):
                    read_refusal(event_of(vector), unhex(vector["challenge"]), unhex(vector["salt"]), changed)


def noise_reader(vector, count):
    """What reads message `count` of a handshake or after it, when those before it have come well."""
    sides = noise_party(vector, "init"), noise_party(vector, "resp")
    for index, message in enumerate(vector["messages"][:count + 1]):
        writer, reader = sides if index % 2 == 0 else sides[::-1]
        if index == count:
            return reader.read if index < 3 else reader.open
        write, read = (writer.write, reader.read) if index < 3 else (writer.seal, reader.open)
        read(write(unhex(message["payload"])))
    raise ValueError(count)


def test_damaged_messages_of_noise_are_refused_by_name():
    vector = json.loads((VECTORS / "noise/xxpsk0-handshake-and-messages.json").read_text())
    for index, message in enumerate(vector["messages"][:4]):
        for changed in damaged(unhex(message["ciphertext"])):
            with pytest.raises(Refused) as refused:
                noise_reader(vector, index)(changed)
            assert refused.value.kind in ("malformed", "authentication failure", "weak public key")


def test_damaged_operations_of_a_fold_are_refused_by_name():
    """The last of a story, one of each kind; that stories cut off anywhere fold alike in any order is in test_fold.py."""
    kinds = set()
    for vector in good("fold", 1 << 20):
        fields = vector["operations"][vector["orders"][0][-1]]
        parts = [unhex(fields["header"]), unhex(fields["signature"]), unhex(fields["body"] or "")]
        kind = Operation(*parts).kind
        if kind in kinds:
            continue
        kinds.add(kind)
        for place, part in enumerate(parts):
            for changed in damaged(part):
                if place == 2 and not changed:
                    continue  # one that is absent, as bodies may be that the fold does not read
                with pytest.raises(Refused):
                    Operation(*parts[:place], changed, *parts[place + 1:]).check(unhex(vector["event"]))
    assert len(kinds) > 12, kinds


def test_the_generated_schema_is_that_of_the_protocol():
    """So that nobody changes disposable.proto and forgets disposable_pb2.py."""
    text = (VECTORS.parent / "disposable.proto").read_text()
    written = {name: {field: int(number) for field, number in re.findall(r"(\w+) = (\d+);", body)}
               for name, body in re.findall(r"^message (\w+) \{(.*?)^\}", text, re.MULTILINE | re.DOTALL)}
    generated = {name: {field.name: field.number for field in message.fields}
                 for name, message in pb.DESCRIPTOR.message_types_by_name.items()}
    assert generated == written
