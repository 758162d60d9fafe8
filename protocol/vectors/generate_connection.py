#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the vectors of a connection's beginning and of its messages: preface/*.json, handshake/*.json, auth/*.json,
message/*.json.

Written from the specification, with Python's noiseprotocol (0.3.1) and PyNaCl; messages are put together byte by
byte with the few lines of protobuf in generate_operations.py. Everything random is a fixed number."""

import hashlib
import struct

from noise.connection import Keypair, NoiseConnection

from generate_operations import (CLAIM, DEVICE, EVENT, EVENT_KEY, NAME, PHOTO, STRANGER, data, derived, domain, flip,
                                 header,
                                 name_body, number, public, sign, signed, varint, write)

SECRET = bytes([0x5A]) * 32
CHALLENGE, SALT = bytes(range(0x10, 0x20)), bytes(range(0x30, 0x40))
SUBJECT = {"eventKey": public(EVENT_KEY).hex(), "eventSecret": SECRET.hex()}


def mac(mac_key, *parts):
    return hashlib.blake2b(b"".join(parts), key=mac_key, digest_size=16).digest()


PREFACE_KEY = derived(SECRET, "preface tag", EVENT)
PSK = derived(SECRET, "noise psk", EVENT)


# ---------------------------------------------------------------- preface (§6.2)

def preface(magic=b"DSPL", version=1, salt=SALT, tag=None, challenge=CHALLENGE):
    return magic + bytes([version]) + salt + (tag or mac(PREFACE_KEY, challenge, salt))


def prefaces():
    def read(name, about, bytes_, expect="success", **fields):
        write(f"preface/{name}.json", about, "§6.2", expect, kind="preface", **SUBJECT, challenge=CHALLENGE.hex(),
              preface=bytes_.hex(), **fields)

    def refusal_of(code, retry, refusal_key=PREFACE_KEY, salt=SALT):
        said = struct.pack(">BI", code, retry)
        return said + mac(refusal_key, CHALLENGE, salt, said)

    read("right", "what a dialler says that knows the event", preface(), salt=SALT.hex())
    read("wrong-magic", "DSPM", preface(magic=b"DSPM"), "not served")
    read("wrong-tag", "one bit of the tag", flip(preface(), 8 * 36), "not served")
    read("wrong-salt", "one bit of the salt, which the tag covers", flip(preface(), 8 * 5), "not served")
    read("replayed", "the tag was made for another challenge", preface(challenge=bytes(16)), "not served")
    read("tag-over-the-salt-alone", "the challenge is left out", preface(tag=mac(PREFACE_KEY, SALT)), "not served")
    read("tag-by-the-secret", "the event secret itself as key", preface(tag=mac(SECRET, CHALLENGE, SALT)), "not served")
    read("later-version", "version 2 by somebody who knows the event: refused in words", preface(version=2),
         "unsupported version", answer=(b"\0\x15" + refusal_of(3, 1)).hex())
    read("later-version-of-another-event", "version 2 by somebody who does not: nothing is said",
         preface(version=2, tag=bytes(16)), "not served")

    def refused(name, about, bytes_, expect="success", **fields):
        write(f"preface/{name}.json", about, "§6.2", expect, kind="refusal", **SUBJECT, challenge=CHALLENGE.hex(),
              salt=SALT.hex(), refusal=bytes_.hex(), **fields)

    refused("refusal-busy", "come back in ten seconds", refusal_of(6, 10_000), code="busy",
            retryAfterMilliseconds=10_000)
    refused("refusal-unsupported-version", "the listener speaks version 1: its number takes the place of the pause",
            refusal_of(3, 1), code="unsupportedVersion", version=1)
    refused("refusal-of-a-later-version", "the listener speaks version 2", refusal_of(3, 2), code="unsupportedVersion",
            version=2)
    refused("refusal-unknown-code", "a code of a later version is read as shuttingDown", refusal_of(31, 5),
            code="shuttingDown", retryAfterMilliseconds=5)
    refused("refusal-wrong-tag", "somebody in between changed the pause", flip(refusal_of(6, 10_000), 8 * 4),
            "authentication failure")
    refused("refusal-of-another-dial", "recorded when another salt was sent", refusal_of(6, 10_000, salt=bytes(16)),
            "authentication failure")


# ---------------------------------------------------------------- handshake and frames (§6.3, §6.4)

def handshakes():
    def party(is_dialler, prologue, psk=PSK):
        connection = NoiseConnection.from_name(b"Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b")
        connection.set_as_initiator() if is_dialler else connection.set_as_responder()
        connection.set_psks(psk)
        connection.set_prologue(prologue)
        connection.set_keypair_from_private_bytes(Keypair.STATIC, bytes([0xA0 + is_dialler]) * 32)
        connection.set_keypair_from_private_bytes(Keypair.EPHEMERAL, bytes([0xB0 + is_dialler]) * 32)
        connection.start_handshake()
        return connection

    def sized(message):
        return struct.pack(">H", len(message)) + message

    def play(name, about, expect="success", fails_at=None, payloads=(b"", b"", b""), sent=(), tamper=None, **prologues):
        """`sent`: pairs of a side (0 dialler) and a message's plaintext, after the handshake. The step `fails_at`
        (of the handshake's three and these) is the one that its reader refuses."""
        right = CHALLENGE + preface()
        sides = [party(True, prologues.get("dialler", right)), party(False, prologues.get("listener", right))]
        steps = []

        def step(side, plain, bytes_):
            steps.append({"from": "dialler" if side == 0 else "listener", "plaintext": plain.hex(),
                          "bytes": bytes_.hex()})

        for index, payload in enumerate(payloads):
            side = index % 2
            message = bytes(sides[side].write_message(payload))
            if fails_at == index and tamper:
                message = tamper(message)
            step(side, payload, sized(message))
            if fails_at == index:
                break
            sides[1 - side].read_message(message)
        else:
            for index, (side, plain) in enumerate(sent, 3):
                message = bytes(sides[side].encrypt(plain))
                if fails_at == index and tamper:
                    message = tamper(message)
                step(side, plain, sized(message))
                if fails_at != index:
                    assert bytes(sides[1 - side].decrypt(message)) == plain
        write(f"handshake/{name}.json", about, "§6.3, §6.4", expect, **SUBJECT, challenge=CHALLENGE.hex(),
              preface=preface().hex(),
              prologue=prologues.get("dialler", right).hex(), psk=PSK.hex(),
              dialler={"static": "a1" * 32, "ephemeral": "b1" * 32},
              listener={"static": "a0" * 32, "ephemeral": "b0" * 32},
              steps=steps, **({"failsAt": fails_at} if fails_at is not None else
                              {"handshakeHash": bytes(sides[0].get_handshake_hash()).hex()}))

    ping = bytes([2]) + data(2, data(2, bytes(16))) + data(3, data(2, bytes(16)))
    play("frames-both-ways", "three messages, then frames; each direction counts for itself",
         sent=[(0, ping), (1, ping), (0, bytes([0x25, 0x08, 1])), (0, bytes([0x25, 0x08, 2])), (1, bytes([0x25]))])
    play("largest-frame", "65,519 bytes of plaintext fill a frame of 65,535", sent=[(0, bytes([0x7F]) + bytes(65_518))])
    play("payload-in-the-first-message", "a handshake message brings nothing", "malformed", 0, payloads=(b"x",))
    play("payload-in-the-second-message", "a handshake message brings nothing", "malformed", 1, payloads=(b"", b"x"))
    play("payload-in-the-third-message", "a handshake message brings nothing", "malformed", 2,
         payloads=(b"", b"", b"x"))
    play("prologue-without-challenge", "the preface alone is not the prologue", "authentication failure", 0,
         payloads=(b"",), dialler=preface())
    play("frame-flipped-bit", "one bit of a frame", "authentication failure", 3, sent=[(0, ping)],
         tamper=lambda message: flip(message, 3))
    play("frame-shorter-than-its-tag", "15 bytes", "malformed", 3, sent=[(0, ping)],
         tamper=lambda message: message[:15])
    play("frame-of-no-bytes", "a length of zero", "malformed", 3, sent=[(0, ping)], tamper=lambda message: b"")
    play("message-without-type", "a frame that opens and is empty", "malformed", 3, sent=[(0, b"")])


# ---------------------------------------------------------------- authentication (§6.5)

INSTANCE, HASH = bytes([0x17]) * 16, bytes(range(64))


def claims_of(device=public(DEVICE), instance=INSTANCE, clock=1_800_000_000_000, port=8028):
    return data(1, device) + data(2, instance) + number(3, clock) + number(4, port)


def authentication(claims, side=0, handshake_hash=HASH, signer=DEVICE, signature=None):
    signature = signature or sign(signer, domain("authentication"), bytes([side]), handshake_hash, claims)
    return data(1, claims) + data(2, signature)


def authentications():
    def read(name, about, payload, expect="success", side="dialler", **fields):
        write(f"auth/{name}.json", about, "§6.5, §7.1", expect, side=side, handshakeHash=HASH.hex(),
              payload=payload.hex(), **fields)

    facts = {"device": public(DEVICE).hex(), "instance": INSTANCE.hex(), "wallClockMilliseconds": 1_800_000_000_000,
             "listenPort": 8028}
    read("dialler", "the side is 0", authentication(claims_of()), **facts)
    read("listener", "the side is 1", authentication(claims_of(), side=1), side="listener", **facts)
    read("listens-nowhere", "port 0, which protobuf leaves out", authentication(claims_of(port=0)),
         **{**facts, "listenPort": 0})
    read("unknown-claim", "what a later version claims is signed with the rest, and ignored",
         authentication(claims_of() + number(100, 1)), **facts)
    read("unusual-encoding", "fields in another order: claims are signed as the bytes they are",
         authentication(number(4, 8028) + number(3, 1_800_000_000_000) + data(2, INSTANCE) + data(1, public(DEVICE))),
         **facts)
    read("largest-claims", "1,024 bytes", authentication(claims_of() + data(100, bytes(1024 - len(claims_of()) - 4))),
         **facts)
    read("reflected", "what the listener itself has said", authentication(claims_of(), side=1),
         "authentication failure")
    read("of-another-connection", "another handshake hash", authentication(claims_of(), handshake_hash=bytes(64)),
         "authentication failure")
    read("signed-by-another", "not by the device that is claimed", authentication(claims_of(), signer=STRANGER),
         "authentication failure")
    read("claims-changed", "another port than was signed", data(1, claims_of(port=8029)) + data(2, sign(
        DEVICE, domain("authentication"), b"\0", HASH, claims_of())), "authentication failure")
    read("signature-without-domain", "side, hash and claims alone",
         authentication(claims_of(), signature=sign(DEVICE, b"\0", HASH, claims_of())), "authentication failure")
    read("short-device", "31 bytes", authentication(claims_of(device=public(DEVICE)[:31])), "malformed")
    read("short-instance", "15 bytes", authentication(claims_of(instance=INSTANCE[:15])), "malformed")
    read("port-too-large", "65,536", authentication(claims_of(port=65_536)), "malformed")
    read("short-signature", "63 bytes", authentication(claims_of(), signature=bytes(63)), "malformed")
    read("claims-no-protobuf", "a field that ends beyond the claims", authentication(b"\x0a\x20abc"), "malformed")
    read("claims-too-long", "1,025 bytes", authentication(claims_of() + data(100, bytes(1025 - len(claims_of()) - 4))),
         "limit exceeded")


# ---------------------------------------------------------------- messages (§7)

def packed(field, numbers):
    return data(field, b"".join(varint(n) for n in numbers))


def messages():
    def read(name, about, kind, payload, expect="success", **fields):
        assert len(payload) <= 65_518, "more than a frame takes"
        write(f"message/{name}.json", about, "§7", expect, message=(bytes([kind]) + payload).hex(), **fields)

    def good(name, about, kind, payload, type_, **content):
        read(name, about, kind, payload, type=type_, content=content)

    ones, ids = bytes([1]) * 32, [bytes([n]) * 32 for n in (1, 2)]
    print_ = bytes(range(16))
    summary = data(1, b"") + number(1, 3) + data(2, print_)
    none = data(2, bytes(16))
    claim = header(CLAIM, subject=PHOTO, argument=1)
    name = header(NAME, name_body("Anna"))
    v4, link = data(1, bytes([10, 0, 0, 7])), b"\xfe\x80" + bytes(13) + b"\1"

    def stated(header_bytes, signature, body=None):
        return data(1, data(1, header_bytes) + data(2, signature)
                    + (data(3, body, present=True) if body is not None else b""),
                    present=True)

    summaries = data(2, summary) + data(3, none)
    good("ping", "three operations of authority, and of content what a stranger is told", 2, number(1, 7) + summaries,
         "ping",
         nonce="7", authority={"count": "3", "fingerprint": print_.hex()},
         content={"count": "0", "fingerprint": "00" * 16})
    good("pong", "the largest nonce", 3, number(1, 2**64 - 1) + summaries, "pong", nonce=str(2**64 - 1),
         authority={"count": "3", "fingerprint": print_.hex()}, content={"count": "0", "fingerprint": "00" * 16})
    good("ping-with-unknown-field", "a field of a later version is ignored", 2, summaries + number(1000, 1), "ping",
         nonce="0",
         authority={"count": "3", "fingerprint": print_.hex()}, content={"count": "0", "fingerprint": "00" * 16})
    good("close", "busy, for ten seconds", 4, number(1, 6) + number(2, 10_000) + data(3, "später"), "close", code=6,
         retryAfterMilliseconds=10_000, reason="später")
    good("close-with-longest-reason", "256 bytes", 4, number(1, 7) + data(3, "x" * 256), "close", code=7,
         retryAfterMilliseconds=0, reason="x" * 256)
    good("admission", "a member's consent; the signature is not looked at before a join is made of it", 5,
         data(1, ones) + data(2, bytes(64)), "admission", sponsor=ones.hex(), signature="00" * 64)
    good("addresses", "one of each family", 6, data(1, v4 + number(2, 8028))
         + data(1, data(1, bytes(15) + b"\1") + number(2, 1)),
         "addresses", addresses=[{"ip": "0a000007", "port": 8028}, {"ip": "00" * 15 + "01", "port": 1}])
    good("pages", "browsers find the pages there", 8, data(1, v4 + number(2, 8027)), "pages",
         addresses=[{"ip": "0a000007", "port": 8027}])
    good("pages-none", "the node serves no pages to others any more", 8, b"", "pages", addresses=[])
    stated_places = data(1, ones) + data(2, b"\x24")
    claims = (data(1, public(DEVICE)) + data(2, bytes(range(16))) + number(3, 7) + data(4, stated_places)
              + data(5, data(1, ones) + data(2, b"\0\x80")))
    good("register", "originals 2 and 5 of somebody are here whole, photo 15 is destroyed; of the event of operation/", 7,
         data(1, claims) + data(2, sign(DEVICE, domain("register"), EVENT, claims)), "register",
         signature=sign(DEVICE, domain("register"), EVENT, claims).hex(), device=public(DEVICE).hex(), instance=bytes(range(16)).hex(), counter="7",
         originals=[{"device": ones.hex(), "sequences": [2, 5]}],
         destroyed=[{"device": ones.hex(), "sequences": [15]}])
    good("operations", "one without a body and one with", 0x10, stated(claim, signed(claim)) + stated(
        name, signed(name), name_body("Anna")), "operations", operations=[
            {"header": claim.hex(), "signature": signed(claim).hex(), "body": None},
            {"header": name.hex(), "signature": signed(name).hex(), "body": name_body("Anna").hex()}])
    good("operations-none", "no operations at all", 0x10, b"", "operations", operations=[])
    good("reconcile", "an initiator with nothing begins", 0x11, number(1, 1) + number(2, 1) + data(3, b"\x61\0\0\2\0"),
         "reconcile", set=1, initiator=True, message="6100000200")
    good("want", "two ids", 0x12, data(1, ids[0]) + data(1, ids[1]) + number(2, 1), "want", ids=[i.hex() for i in ids],
         set=1)
    good("have", "sequences 3, 4, 5 and 9 of somebody's thumbnails", 0x20,
         data(1, data(1, ones) + number(2, 1) + packed(3, [3, 3, 3, 1])),
         "have", holdings=[{"device": ones.hex(), "class": 1, "runs": [[3, 5], [9, 9]]}], partials=[])
    good("have-unpacked", "protobuf may write a list of numbers singly", 0x20,
         data(1, data(1, ones) + number(2, 1) + b"".join(number(3, n) for n in (3, 3, 3, 1))),
         "have", holdings=[{"device": ones.hex(), "class": 1, "runs": [[3, 5], [9, 9]]}], partials=[])
    good("have-to-the-last-sequence", "a run from 0 to 2^18 - 1", 0x20,
         data(1, data(1, ones) + number(2, 3) + packed(3, [0, 1 << 18])),
         "have", holdings=[{"device": ones.hex(), "class": 3, "runs": [[0, (1 << 18) - 1]]}], partials=[])
    good("have-of-unknown-class", "a holding of a class of a later version is skipped", 0x20,
         data(1, data(1, ones) + number(2, 9) + packed(3, [0, 1])), "have", holdings=[], partials=[])
    good("have-partial", "chunks 0 and 2 of a blob of three", 0x20,
         data(2, data(1, ones) + data(2, b"\5") + number(3, 3) + number(4, 600_000)), "have", holdings=[],
         partials=[{"root": ones.hex(), "class": 3, "byteCount": 600_000, "chunks": [0, 2]}])
    ask = data(2, ones) + number(3, 2) + number(4, 64) + number(5, 3) + number(6, 1) + number(7, 268_435_456)
    good("request", "64 chunks from the third, and the list", 0x21, number(1, 2**32 - 1) + ask, "request",
         request=2**32 - 1,
         root=ones.hex(), firstChunk=2, chunkCount=64, byteCount=268_435_456, withList=True, **{"class": 3})
    good("list", "two hashes", 0x22, number(1, 5) + data(2, ids[0] + ids[1]), "list", request=5,
         hashes=[i.hex() for i in ids])
    good("data", "two bytes in the middle of a chunk", 0x23, struct.pack(">III", 5, 2, 52_432) + b"\xab\xcd", "data",
         request=5,
         chunk=2, offset=52_432, bytes="abcd")
    good("data-largest", "52,432 bytes", 0x23, struct.pack(">III", 5, 2, 0) + bytes(52_432), "data", request=5, chunk=2,
         offset=0, bytes="00" * 52_432)
    good("refusal", "ask somebody else", 0x24, number(1, 5) + number(2, 32), "refusal", request=5, code=32,
         retryAfterMilliseconds=0)
    good("refusal-unknown-code", "a code of a later version goes by its pause", 0x24,
         number(1, 5) + number(2, 99) + number(3, 50),
         "refusal", request=5, code=None, retryAfterMilliseconds=50)
    good("type-of-a-later-version", "0x80: passed over, whatever it says", 0x80, b"anything at all", "later")
    good("type-of-a-later-version-alone", "0xff, and nothing behind it", 0xFF, b"", "later")
    good("cancel", "request 0", 0x25, b"", "cancel", request=0)

    def one(**changes):
        fields = {"root": ones, "first": 0, "count": 1, "class": 3, "length": 100, **changes}
        return (data(2, fields["root"]) + number(3, fields["first"]) + number(4, fields["count"])
                + number(5, fields["class"])
                + number(7, fields["length"]))

    def holding(numbers, device=ones):
        return data(1, data(1, device) + number(2, 1) + packed(3, numbers))

    def partial(length=100, bitmap=b"\1", root=ones):
        return data(2, data(1, root) + data(2, bitmap) + number(3, 3) + number(4, length))

    bodied = stated(bytes(188), bytes(64), bytes(16_000))
    for name_, about, kind, payload in [
        ("no-type", "there is no type 0x7f", 0x7F, b""),
        ("type-zero", "there is no type 0", 0, b""),
        ("no-protobuf", "a field that ends beyond the message", 2, b"\x0a\x20abc"),
        ("close-not-utf8", "a reason that is no text", 4, number(1, 7) + data(3, b"\xff")),
        ("ping-without-content", "one summary is missing", 2, data(2, summary)),
        ("ping-short-fingerprint", "15 bytes", 2, data(2, data(2, bytes(15))) + data(3, none)),
        ("admission-short-sponsor", "31 bytes", 5, data(1, ones[:31]) + data(2, bytes(64))),
        ("admission-short-signature", "63 bytes", 5, data(1, ones) + data(2, bytes(63))),
        ("address-without-port", "port 0", 6, data(1, v4)),
        ("address-port-too-large", "65,536", 6, data(1, v4 + number(2, 65_536))),
        ("address-of-five-bytes", "neither IPv4 nor IPv6", 6, data(1, data(1, bytes(5)) + number(2, 1))),
        ("address-link-local", "fe80::1", 6, data(1, data(1, link) + number(2, 1))),
        ("operation-short-header", "187 bytes", 0x10, stated(claim[:-1], signed(claim))),
        ("operation-short-signature", "63 bytes", 0x10, stated(claim, signed(claim)[:-1])),
        ("reconcile-unknown-set", "there is no set 2", 0x11, number(1, 2) + data(3, b"\x61")),
        ("want-short-id", "31 bytes", 0x12, data(1, ones[:31])),
        ("want-unknown-set", "there is no set 2", 0x12, data(1, ones) + number(2, 2)),
        ("have-odd-numbers", "a gap without a length", 0x20, holding([1])),
        ("have-empty-run", "a length of 0", 0x20, holding([1, 0])),
        ("have-touching-runs", "a second gap of 0", 0x20, holding([0, 1, 0, 1])),
        ("have-beyond-last-sequence", "a run that ends at 2^18", 0x20, holding([(1 << 18) - 1, 2])),
        ("have-sum-beyond-32-bits", "numbers whose sum wraps around", 0x20, holding([2**32 - 1, 2])),
        ("have-short-device", "31 bytes", 0x20, holding([0, 1], ones[:31])),
        ("partial-of-no-bytes", "a length of 0", 0x20, partial(0)),
        ("partial-too-long", "a length that no original has", 0x20, partial(268_435_457)),
        ("partial-short-root", "31 bytes", 0x20, partial(root=ones[:31])),
        ("request-no-chunks", "a count of 0", 0x21, one(count=0)),
        ("request-first-chunk-too-large", "1,024", 0x21, one(first=1024)),
        ("request-unknown-class", "there is no class 4", 0x21, one(**{"class": 4})),
        ("request-no-bytes", "a length of 0", 0x21, one(length=0)),
        ("request-too-long", "a length that no thumbnail has", 0x21, one(length=24_577, **{"class": 1})),
        ("request-short-root", "31 bytes", 0x21, one(root=ones[:31])),
        ("list-half-a-hash", "33 bytes", 0x22, data(2, bytes(33))),
        ("data-without-bytes", "the header alone", 0x23, bytes(12)),
        ("data-cut-short", "11 bytes of header", 0x23, bytes(11)),
    ]:
        read(name_, about, kind, payload, "malformed")
    def register(instance=bytes(16), device=ones, places=b""):
        return data(1, data(1, device) + data(2, instance) + places) + data(2, bytes(64))

    place = data(4, data(1, ones))
    for name_, about, payload in [
        ("register-short-device", "31 bytes", register(device=ones[1:])),
        ("register-short-instance", "15 bytes", register(instance=bytes(15))),
        ("register-short-signature", "63 bytes", data(1, data(1, ones) + data(2, bytes(16))) + data(2, bytes(63))),
        ("register-without-claims", "a signature alone", data(2, bytes(64))),
        ("register-of-short-place", "31 bytes", register(places=data(4, data(1, ones[1:])))),
        ("register-beyond-last-sequence", "sequence 262,144", register(places=data(5, data(1, ones) + data(2, bytes(32_769))))),
    ]:
        read(name_, about, 7, payload, "malformed")
    for name_, about, payload in [
        ("register-too-long", "49,153 bytes of claims", data(1, bytes(49_153)) + data(2, bytes(64))),
        ("register-too-many-places", "513", register(places=place * 513)),
    ]:
        read(name_, about, 7, payload, "limit exceeded")
    for name_, about, kind, payload in [
        ("close-reason-too-long", "257 bytes", 4, number(1, 7) + data(3, "x" * 257)),
        ("addresses-too-many", "33", 6, data(1, v4 + number(2, 1)) * 33),
        ("pages-too-many", "5", 8, data(1, v4 + number(2, 1)) * 5),
        ("operations-too-long", "65,008 bytes of headers, signatures and bodies", 0x10, bodied * 4),
        ("reconcile-too-long", "32,769 bytes", 0x11, number(1, 1) + data(3, bytes(32_769))),
        ("want-too-many", "1,025 ids", 0x12, data(1, ones) * 1025),
        ("have-too-many-holdings", "65", 0x20, holding([0, 1]) * 65),
        ("have-too-many-runs", "4,098 numbers", 0x20, holding([1, 1] * 2049)),
        ("have-too-many-partials", "257", 0x20, partial() * 257),
        ("partial-bitmap-too-long", "129 bytes", 0x20, partial(bitmap=bytes(129))),
        ("request-too-many-chunks", "65", 0x21, one(count=65)),
        ("list-too-long", "1,025 hashes", 0x22, data(2, bytes(32 * 1025))),
        ("data-too-long", "52,433 bytes", 0x23, bytes(12 + 52_433)),
    ]:
        read(name_, about, kind, payload, "limit exceeded")


if __name__ == "__main__":
    prefaces()
    handshakes()
    authentications()
    messages()
