#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the vectors of operations, chunks, invitations and agreements: operation/*.json, chunk/*.json,
invitation/*.json, agreement/*.json.

A second implementation, written from disposable.proto and the specification, not from the Swift code. Everything random
is a fixed number, so a run gives the same files every time. Needs PyNaCl (pip install pynacl).
"""

import base64
import hashlib
import json
import pathlib
import struct

from nacl.bindings import crypto_aead_chacha20poly1305_ietf_encrypt
from nacl.signing import SigningKey

HERE = pathlib.Path(__file__).resolve().parent
ZERO = bytes(32)


# ---------------------------------------------------------------- protobuf, as far as it is needed

def varint(number):
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def number(field, value):
    """A number field; proto3 leaves zero out."""
    return varint(field << 3) + varint(value) if value else b""


def data(field, value, present=False):
    """A bytes, string or message field; proto3 leaves an empty one out, but not an empty message."""
    if isinstance(value, str):
        value = value.encode()
    return varint(field << 3 | 2) + varint(len(value)) + value if value or present else b""


# ---------------------------------------------------------------- hashes, keys, operations

def domain(name):
    return b"disposable/1 " + name.encode() + b"\0"


def blake2b(*parts):
    return hashlib.blake2b(b"".join(parts), digest_size=32).digest()


def key(byte):
    return SigningKey(bytes([byte]) * 32)


def public(signing_key):
    return bytes(signing_key.verify_key)


def sign(signing_key, *parts):
    return signing_key.sign(b"".join(parts)).signature


EVENT_KEY, DEVICE, STRANGER = key(1), key(2), key(3)
EVENT = blake2b(domain("event"), public(EVENT_KEY))
SALT = bytes(range(0xA0, 0xB0))
PREVIOUS = bytes([6]) * 32
PHOTO = bytes([7]) * 32
TIME = (1_800_000_000_000 << 16) | 5
AUTHORITY, CRITICAL = 1, 2
GRANT, REVOKE_ROLE, REVOKE_DEVICE, HIDE, UNHIDE, ERASE, EDIT, REVEAL, KEY_RELEASE, LEAVE, EPOCH, LIST, APPROVAL, APPROVE, UNAPPROVE = range(4, 19)
CHARTER, JOIN, REMOVE, NAME, PHOTO_ADDED, ORIGINAL, CLAIM, FRAMES = 1, 2, 3, 64, 65, 66, 67, 72
CAPTION, REACTION, COMMENT, NOTICE = 68, 69, 70, 71
CONSENT = 74
ANSWER = 75
PICTURE, SPOT = 76, 77
VEILING, VEIL, LIFT = 78, 79, 80
TURN, MESSAGE, GIFT = 81, 82, 83
TICKETS, TICKET_USE, TICKET_RULING = 84, 85, 86
SHARE, SHARE_RELEASE = 87, 88
PAGE_SEALING = 89
BALLOT, VOTE, CLOSING = 91, 92, 93
TWINNING = 94
LATER_KIND = 200
STATEMENT = ("Everyone here can see and save the photos I add. I can delete mine any time; only a note that one existed "
             "remains.")


def consent_id(organizers):
    """The id of the text that is agreed to where the charter's consent text is this."""
    return blake2b(domain("consent"), (STATEMENT + (f"\n\n{organizers}" if organizers else "")).encode())


def header(kind, body=b"", flags=None, version=1, event=EVENT, device=DEVICE, sequence=3, previous=PREVIOUS, time=TIME,
           subject=ZERO, argument=0, body_hash=None, body_byte_count=None):
    if flags is None:
        flags = AUTHORITY if kind < 64 else 0
    if body_hash is None:
        body_hash = blake2b(domain("body"), body) if body else ZERO
    if body_byte_count is None:
        body_byte_count = len(body)
    out = struct.pack(">BBHIIQQ", version, kind, flags, body_byte_count, sequence, argument, time)
    out += event + public(device) + previous + subject + body_hash
    assert len(out) == 188
    return out


def signed(header_bytes, signer=DEVICE):
    return sign(signer, domain("operation signature"), header_bytes)


def admission(sponsor=EVENT_KEY, device=DEVICE, event=EVENT, epoch=b""):
    return sign(sponsor, domain("admission"), event, public(device), epoch)


def join_body(sponsor=EVENT_KEY, signature=None, epoch=b""):
    return SALT + data(1, public(sponsor)) + data(2, signature or admission(sponsor, epoch=epoch)) + data(5, epoch)


def epoch_body(*devices, commitment=bytes([8]) * 32, boxes=None):
    """Kind 14. The fold opens no box, so any 80 bytes are one."""
    boxes = b"".join(bytes([0x10 + place]) * 80 for place, _ in enumerate(devices)) if boxes is None else boxes
    return SALT + data(1, commitment) + data(2, b"".join(public(device) for device in devices)) + data(3, boxes)


def message_body(*devices, text=bytes([7]) * 272, boxes=None):
    """Kind 82. What is sealed is not looked into."""
    boxes = b"".join(bytes([0x10 + place]) * 80 for place, _ in enumerate(devices)) if boxes is None else boxes
    return SALT + data(1, b"".join(public(device) for device in devices)) + data(2, boxes) + data(3, text)


def ticket_key(secret):
    """The key pair of a ticket, of the 16 bytes that are printed on it."""
    return SigningKey(hashlib.blake2b(b"disposable/1 ticket key\0" + EVENT, key=secret, digest_size=32).digest())


def ticket_use_body(ticket, author, salt=SALT):
    """Kind 85."""
    return salt + data(3, author) + data(4, sign(ticket, domain("ticket"), EVENT, author))


def event_of(event_key):
    return blake2b(domain("event"), public(event_key))


def grant_proof(event_key, device, role=3, signer=None):
    """The header of a grant of a role by an event key in its own event, and the signature."""
    signer = signer or event_key
    grant = header(GRANT, SALT, event=event_of(event_key), device=signer, sequence=1, subject=public(device), argument=role)
    return grant + signed(grant, signer)


def twinning_body(event_key, other=EVENT, organizer=None, grant=b"", name="The other party", signature=None, epoch=b"",
                  nonce=bytes([6]) * 32, box=bytes([7]) * 48, salt=SALT):
    """Kind 94. The fold opens no box, so any 48 bytes are one."""
    agreed = signature or sign(organizer or event_key, domain("twinning"), event_of(event_key), other)
    return (salt + data(1, public(event_key)) + data(2, name) + data(3, grant) + data(4, agreed) + data(5, epoch)
            + data(6, nonce) + data(7, box))


def charter_body(name="Anna & Ben 🎉", duration=24, frames=12, retention=48):
    return (SALT + data(1, name) + number(2, 1_800_000_000_000) + number(3, duration) + number(4, frames)
            + number(5, retention) + number(6, 1) + data(7, "Anna") + number(19, 1))


def link(kind, address):
    return data(15, number(1, kind) + data(2, address))


def full_charter_body(reveal=number(10, 2) + number(11, 1_800_000_100_000), price=number(13, 500) + data(14, "EUR"),
                      links=link(2, "https://example.org/party"), registration="73282932000074", key=bytes([5]) * 32,
                      details="A party.\nBring a torch."):
    """Every field there is."""
    return (SALT + data(1, "Party") + number(2, 1_800_000_000_000) + number(3, 24) + number(4, 12) + number(5, 48)
            + number(6, 1) + data(7, "Anna") + data(8, details) + data(9, "Barn") + reveal + data(12, "birthday") + price
            + links + data(16, registration) + data(17, "06 12 34") + data(18, "We show photos.") + number(19, 1)
            + number(20, 1) + data(21, key))


def ids_body(*ids):
    """Kinds 4, 5, 6 and 8: ids, one after the other, in the first field."""
    return SALT + data(1, b"".join(ids))


def position(latitude, longitude):
    """Thousandths of a degree, as zigzag numbers."""
    return data(39, number(1, latitude << 1 ^ latitude >> 31) + number(2, longitude << 1 ^ longitude >> 31), present=True)


def edit_body(*follows, value):
    return SALT + data(1, b"".join(follows)) + data(2, value, present=True)


def name_body(name):
    return SALT + data(1, name)


def reference(root, byte_count):
    return data(1, bytes([root]) * 32) + number(2, byte_count) + number(3, 18) + data(4, bytes([9]) * 32)


def photo_body(thumbnail_byte_count=24_576):
    return (SALT + data(1, reference(1, thumbnail_byte_count)) + data(2, reference(2, 524_288))
            + number(3, 1_799_999_999_999) + number(4, 4000) + number(5, 3000) + data(6, "image/heic"))


def sealed_photo_body(byte_count=80):
    """A thumbnail and a preview whose keys are sealed to the reveal key."""
    def sealed(root):
        return data(1, bytes([root]) * 32) + number(2, 500) + number(3, 18) + data(5, bytes([8]) * byte_count)
    return (SALT + data(1, sealed(1)) + data(2, sealed(2)) + number(3, 1_799_999_999_999) + number(4, 4000)
            + number(5, 3000) + data(6, "image/jpeg"))


def original_body(byte_count=268_435_456):
    return SALT + data(1, reference(3, byte_count)) + data(2, bytes([4]) * 32) + data(3, "video/quicktime")


# ---------------------------------------------------------------- files

def write(name, about, spec, expect, /, **fields):
    path = HERE / name
    path.parent.mkdir(exist_ok=True)
    content = {"format": 1, "about": about, "spec": spec, "expect": expect, **fields}
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def operation(name, about, kind=None, body=b"", expect="success", header_bytes=None, signature=None, sent_body=None,
              content=None, **fields):
    """One operation as it comes in. `body` is what the header describes, `sent_body` what is sent, None for nothing."""
    header_bytes = header_bytes if header_bytes is not None else header(kind, body, **fields)
    out = {"event": EVENT.hex(), "header": header_bytes.hex(), "signature": (signature or signed(header_bytes)).hex()}
    sent = body if sent_body is None else sent_body
    out["body"] = None if sent is False else sent.hex()
    if expect == "success":
        out["id"] = blake2b(domain("operation id"), header_bytes).hex()
        out["content"] = content
    write(f"operation/{name}.json", about, "§8", expect, **out)


def flip(data_bytes, bit):
    out = bytearray(data_bytes)
    out[bit // 8] ^= 1 << (bit % 8)
    return bytes(out)


def operations():
    charter = {"kind": "charter", "name": "Anna & Ben 🎉", "startsAtMilliseconds": 1_800_000_000_000,
               "durationHours": 24, "frames": 12, "retentionHours": 48, "isListed": True, "organizerName": "Anna"}
    operation("charter", "an event key states the parameters", CHARTER, charter_body(),
              header_bytes=(h := header(CHARTER, charter_body(), device=EVENT_KEY, sequence=0, previous=ZERO)),
              signature=signed(h, EVENT_KEY), content=charter)
    operation("join", "a device enters, let in by the event key", JOIN, join_body(), sequence=0, previous=ZERO,
              content={"kind": "join", "sponsor": public(EVENT_KEY).hex()})
    operation("charter-of-all-fields", "every field set, among them a time of reveal and its key", CHARTER,
              full_charter_body(), header_bytes=(h := header(CHARTER, full_charter_body(), device=EVENT_KEY, sequence=0,
                                                             previous=ZERO)),
              signature=signed(h, EVENT_KEY),
              content={"kind": "charter", "name": "Party", "startsAtMilliseconds": 1_800_000_000_000,
                       "durationHours": 24, "frames": 12, "retentionHours": 48, "isListed": True,
                       "organizerName": "Anna"})
    heads = [bytes([byte]) * 32 for byte in (0x21, 0x22)]
    named = [head.hex() for head in heads]
    operation("grant", "a guest's key becomes a photographer's, cancelling two revocations", GRANT, ids_body(*heads),
              subject=public(STRANGER), argument=5, content={"kind": "grant", "names": named})
    operation("grant-of-organizer", "with the reveal key, sealed to the new organizer's device", GRANT,
              SALT + data(2, bytes(80)), subject=public(STRANGER), argument=3,
              content={"kind": "grant", "names": []})
    operation("grant-with-short-reveal-key", "a sealed key has 80 bytes", GRANT, SALT + data(2, bytes(79)),
              subject=public(STRANGER), argument=3, expect="malformed body")
    operation("grant-of-a-later-role", "an unknown role is kept, and has no effect", GRANT, ids_body(),
              subject=public(STRANGER), argument=1 << 40, content={"kind": "grant", "names": []})
    operation("revoke-role", "a moderator's role is taken away; two heads are left", REVOKE_ROLE, ids_body(*heads),
              subject=public(STRANGER), argument=2, content={"kind": "revocation", "names": named})
    operation("revoke-device", "a device is put out, and nothing of it is left", REVOKE_DEVICE, ids_body(),
              subject=public(STRANGER), content={"kind": "revocation", "names": []})
    operation("list", "two heads that a revocation names by this operation", LIST, ids_body(*heads),
              content={"kind": "list", "names": named})
    operation("list-of-500", "as many as a list may name", LIST, ids_body(*heads[:1] * 500),
              content={"kind": "list", "names": named[:1] * 500})
    operation("hide", "a photo is hidden; no body", HIDE, subject=PHOTO, content=None)
    operation("unhide", "and put back: both hides are named", UNHIDE, ids_body(*heads), subject=PHOTO,
              content={"kind": "unhide", "names": named})
    operation("approval", "all photos of participants wait for approval; the setting follows two", APPROVAL, ids_body(*heads),
              argument=2, flags=AUTHORITY | CRITICAL, content={"kind": "approval", "names": named})
    operation("approve", "two photos are approved", APPROVE, ids_body(*heads), content={"kind": "approve", "names": named})
    operation("unapprove", "and one is not any more: both approvals are named", UNAPPROVE, ids_body(*heads), subject=PHOTO,
              content={"kind": "unapprove", "names": named})
    operation("erase", "a photo is to be destroyed; no body", ERASE, subject=PHOTO, content=None)
    operation("edit", "36 frames; the other fields are not looked at", EDIT, edit_body(*heads, value=number(4, 36)),
              argument=6, content={"kind": "edit", "field": 6, "names": named})
    operation("edit-of-a-later-field", "an unknown field is kept, and not looked into", EDIT, SALT + b"\x0a\x01",
              argument=200, content=None)
    operation("edit-of-photos-at-once", "a field that was added after the first release", EDIT,
              edit_body(*heads, value=number(41, 5)), argument=37, content={"kind": "edit", "field": 37, "names": named})
    operation("edit-of-photos-at-once-unreadable", "the first release keeps it, so it is kept, as one of an unknown field", EDIT,
              SALT + b"\x0a\x01", argument=37, content=None)
    operation("edit-of-photos-at-once-that-follows-nothing", "the same", EDIT, edit_body(value=number(41, 5)), argument=37,
              content=None)
    operation("reveal", "a scalar that may be the reveal key's", REVEAL, SALT + data(1, bytes([5]) * 32),
              content={"kind": "reveal", "secret": "05" * 32})
    critical = {"flags": AUTHORITY | CRITICAL}
    operation("share", "a share of the reveal key's secret half for another device", SHARE, SALT + data(1, bytes([4]) * 80),
              subject=public(STRANGER), argument=2, content={"kind": "share", "box": "04" * 80}, **critical)
    operation("share-with-short-box", "a sealed share has 80 bytes", SHARE, SALT + data(1, bytes(79)), subject=public(STRANGER),
              argument=2, expect="malformed body", **critical)
    operation("share-without-body", "the fold reads it, so it has to be there", SHARE, SALT + data(1, bytes(80)), sent_body=False,
              subject=public(STRANGER), argument=2, expect="body mismatch", **critical)
    operation("share-in-the-content-set", "shares are of the authority set", SHARE, SALT + data(1, bytes(80)), flags=0,
              subject=public(STRANGER), argument=2, expect="wrong set")
    operation("share-release", "a share is published", SHARE_RELEASE, SALT + data(1, bytes([4]) * 32), argument=2,
              flags=AUTHORITY, content={"kind": "shareRelease", "share": "04" * 32})
    operation("share-release-short", "a share has 32 bytes", SHARE_RELEASE, SALT + data(1, bytes(31)), argument=2,
              flags=AUTHORITY, expect="malformed body")
    operation("key-release", "two content keys of a photo without a preview", KEY_RELEASE,
              SALT + data(1, bytes([1]) * 32) + data(3, bytes([3]) * 32), subject=PHOTO,
              content={"kind": "keyRelease", "thumbnail": "01" * 32, "original": "03" * 32})
    operation("frames", "nine frames more for a guest", FRAMES, subject=public(STRANGER), argument=9, content=None)
    operation("leave", "a device's person goes; no body, and about nothing", LEAVE, subject=ZERO, content=None)
    epoch = bytes([9]) * 32
    operation("join-under-an-epoch", "let in under a secret that was not the first: the sponsor has signed its epoch, too",
              JOIN, join_body(epoch=epoch), content={"kind": "join", "sponsor": public(EVENT_KEY).hex()})
    operation("join-under-an-unsigned-epoch", "the sponsor's consent was to the first secret", JOIN,
              join_body(signature=admission(), epoch=epoch), expect="authentication failure")
    operation("join-under-zero", "no epoch is named by zeros", JOIN, join_body(epoch=ZERO), expect="malformed body")
    operation("join-under-a-short-epoch", "31 bytes", JOIN, join_body(epoch=bytes(31)), expect="malformed body")
    boxes = [(bytes([0x10 + place]) * 80).hex() for place in range(2)]
    devices = [public(DEVICE).hex(), public(STRANGER).hex()]
    operation("epoch", "a new secret after another one, sealed to two devices", EPOCH, epoch_body(DEVICE, STRANGER),
              subject=epoch, content={"kind": "epoch", "commitment": "08" * 32, "devices": devices, "boxes": boxes})
    operation("epoch-addition", "the secret of that epoch for one more device", EPOCH, epoch_body(DEVICE, commitment=b""),
              subject=epoch, argument=1, content={"kind": "epoch", "devices": devices[:1], "boxes": boxes[:1]})
    operation("epoch-for-nobody", "what is sealed to nobody is well-formed", EPOCH, epoch_body(), subject=ZERO,
              content={"kind": "epoch", "commitment": "08" * 32, "devices": [], "boxes": []})
    operation("epoch-of-a-later-argument", "kept, and not looked into", EPOCH, SALT + b"anything", subject=epoch, argument=2,
              content=None)
    full = [key(0x20 + place % 0x60) for place in range(140)]
    operation("epoch-full", "140 boxes, as many as may be", EPOCH, epoch_body(*full, boxes=bytes(140 * 80)), subject=epoch,
              content={"kind": "epoch", "commitment": "08" * 32, "devices": [public(device).hex() for device in full],
                       "boxes": ["00" * 80] * 140})
    operation("epoch-too-full", "141 boxes", EPOCH, epoch_body(*full, DEVICE, boxes=bytes(141 * 80)), subject=epoch,
              expect="malformed body")
    operation("epoch-without-commitment", "a beginning is committed to its secret", EPOCH,
              epoch_body(DEVICE, commitment=b""), subject=epoch, expect="malformed body")
    operation("epoch-addition-with-commitment", "an addition is not", EPOCH, epoch_body(DEVICE), subject=epoch, argument=1,
              expect="malformed body")
    operation("epoch-with-a-box-too-few", "two devices, one box", EPOCH, epoch_body(DEVICE, STRANGER, boxes=bytes(80)),
              subject=epoch, expect="malformed body")
    operation("epoch-with-a-short-box", "a box has 80 bytes", EPOCH, epoch_body(DEVICE, boxes=bytes(79)), subject=epoch,
              expect="malformed body")
    operation("epoch-without-body", "what the fold reads must travel with the header", EPOCH, epoch_body(DEVICE),
              subject=epoch, sent_body=False, expect="body mismatch")
    operation("leave-with-body", "a leave says nothing more", LEAVE, b"x", subject=ZERO, expect="body mismatch")
    operation("caption", "what an author says under a photo, on two lines", CAPTION, SALT + data(1, "The cake,\nlate 🎂"),
              subject=PHOTO, content={"kind": "text", "name": "The cake,\nlate 🎂"})
    operation("caption-empty", "an empty text says nothing: a body that is not here", CAPTION, SALT, subject=PHOTO,
              content={"kind": "unreadable"})
    operation("comment-of-2000-bytes", "the longest: 1,000 scalars of two bytes", COMMENT, SALT + data(1, "é" * 1000),
              subject=PHOTO, content={"kind": "text", "name": "é" * 1000})
    operation("comment-too-long", "2,001 bytes", COMMENT, SALT + data(1, "é" * 1000 + "e"), subject=PHOTO,
              content={"kind": "unreadable"})
    operation("comment-with-direction-override", "what would disturb the text around it", COMMENT,
              SALT + data(1, "left\u202eright"), subject=PHOTO, content={"kind": "unreadable"})
    operation("notice", "what an organizer says to all", NOTICE, SALT + data(1, "Cake at five"),
              content={"kind": "text", "name": "Cake at five"})
    operation("reaction", "a heart is put on a photo; no body", REACTION, subject=PHOTO, argument=0x2764, content=None)
    operation("reaction-taken-off", "and off again: with 2^32 added", REACTION, subject=PHOTO,
              argument=0x2764 + (1 << 32), content=None)
    operation("answer", "a photo answers a mission; no body", ANSWER, subject=PHOTO, argument=0xB2D05E01, content=None)
    operation("answer-withdrawn", "and answers none: with 2^32 added", ANSWER, subject=PHOTO,
              argument=0xB2D05E01 + (1 << 32), content=None)
    operation("consent", "somebody agrees to the text of an event without an organizer's; no body", CONSENT,
              subject=consent_id(""), content=None)
    operation("picture", "an organizer makes a photo the plan; no body", PICTURE, subject=PHOTO, argument=2, content=None)
    operation("picture-taken-off", "and there is no cover any more: with 2^32 added", PICTURE, subject=PHOTO,
              argument=1 + (1 << 32), content=None)
    operation("spot", "an author puts a photo on the plan, in the middle of its left edge; no body", SPOT, subject=PHOTO,
              argument=(0x07070707 >> 1) << 33 | 0x8000, content=None)
    operation("spot-taken-off", "and takes it off: with 2^32 added, of any plan", SPOT, subject=PHOTO, argument=1 << 32, content=None)
    operation("turn", "an author has a photo turned by a quarter; no body", TURN, subject=PHOTO, argument=1, content=None)
    message = {"kind": "message", "devices": devices, "boxes": boxes, "text": "07" * 272}
    operation("gift", "a guest gives frame 27 to somebody else; no body", GIFT, subject=public(STRANGER), argument=27, content=None)
    ticket = ticket_key(bytes(range(16)))
    operation("tickets", "an organizer lists two tickets, of which the first has number 31", TICKETS,
              ids_body(public(ticket), public(STRANGER)), flags=AUTHORITY, argument=31,
              content={"kind": "tickets", "names": [public(ticket).hex(), public(STRANGER).hex()]})
    operation("tickets-256", "as many as one operation lists", TICKETS,
              ids_body(*(bytes([place]) * 32 for place in range(256))), flags=AUTHORITY, argument=1,
              content={"kind": "tickets", "names": [f"{place:02x}" * 32 for place in range(256)]})
    operation("tickets-257", "too many count for nothing, and are not refused", TICKETS,
              ids_body(*(bytes([1]) * 32 for _ in range(257))), flags=AUTHORITY, argument=1, content=None)
    operation("tickets-none", "none at all", TICKETS, ids_body(), flags=AUTHORITY, argument=1, content=None)
    used = sign(ticket, domain("ticket"), EVENT, public(DEVICE))
    operation("ticket-use", "a ticket is used for the author of this device", TICKET_USE, ticket_use_body(ticket, public(DEVICE)),
              flags=AUTHORITY, subject=public(ticket),
              content={"kind": "ticketUse", "author": public(DEVICE).hex(), "signature": used.hex()})
    operation("ticket-use-not-proven", "the ticket has signed another author's key: it counts for nothing, and is not refused", TICKET_USE,
              SALT + data(3, public(STRANGER)) + data(4, used), flags=AUTHORITY, subject=public(ticket), content=None)
    operation("ticket-use-with-more", "the same with a field that is not to be there", TICKET_USE,
              ticket_use_body(ticket, public(DEVICE)) + data(1, public(STRANGER)), flags=AUTHORITY, subject=public(ticket),
              content=None)
    operation("ticket-use-without-body", "the fold reads the body", TICKET_USE, ticket_use_body(ticket, public(DEVICE)),
              flags=AUTHORITY, subject=public(ticket), sent_body=False, expect="body mismatch")
    operation("ticket-ruling", "an organizer cancels a ticket; no body", TICKET_RULING, flags=AUTHORITY, subject=public(ticket),
              argument=1, content=None)
    operation("message", "a text for the organizers, sealed to two devices", MESSAGE, message_body(DEVICE, STRANGER),
              content=message)
    operation("message-about-a-photo", "the same about a photo", MESSAGE, message_body(DEVICE, STRANGER), subject=PHOTO,
              content=message)
    sixteen = full[:16]
    operation("message-largest", "2,048 bytes and the tag, for 16 devices", MESSAGE,
              message_body(*sixteen, text=bytes(2_064), boxes=bytes(16 * 80)),
              content={"kind": "message", "devices": [public(device).hex() for device in sixteen], "boxes": ["00" * 80] * 16,
                       "text": "00" * 2_064})
    operation("message-to-nobody", "no device", MESSAGE, message_body(), content={"kind": "unreadable"})
    operation("message-to-too-many", "17 devices", MESSAGE, message_body(*full[:17], boxes=bytes(17 * 80)),
              content={"kind": "unreadable"})
    operation("message-not-padded", "a text of 257 bytes and the tag", MESSAGE, message_body(DEVICE, text=bytes(273)),
              content={"kind": "unreadable"})
    operation("message-too-long", "a text of 2,304 bytes and the tag", MESSAGE, message_body(DEVICE, text=bytes(2_320)),
              content={"kind": "unreadable"})
    ballot = {"kind": "ballot", "key": "08" * 32, "devices": devices, "boxes": boxes}
    operation("ballot", "an organizer opens a vote, whose secret is sealed to two devices", BALLOT, epoch_body(DEVICE, STRANGER), content=ballot)
    operation("ballot-for-nobody", "no device", BALLOT, epoch_body(), expect="malformed body")
    operation("ballot-for-too-many", "17 devices", BALLOT, epoch_body(*full[:17], boxes=bytes(17 * 80)), expect="malformed body")
    operation("ballot-without-a-key", "a key of 31 bytes", BALLOT, epoch_body(DEVICE, commitment=bytes(31)), expect="malformed body")
    operation("vote", "a sealed vote in a ballot", VOTE, SALT + data(1, bytes([9]) * 112), subject=PHOTO,
              content={"kind": "vote", "box": "09" * 112})
    operation("vote-of-another-length", "a box of 80 bytes", VOTE, SALT + data(1, bytes([9]) * 80), subject=PHOTO, expect="malformed body")
    operation("vote-without-body", "the fold reads the body, and it is not here", VOTE, SALT + data(1, bytes([9]) * 112), subject=PHOTO,
              sent_body=False, expect="body mismatch")
    operation("closing", "an organizer closes a vote", CLOSING, SALT + data(1, bytes([5]) * 32), subject=PHOTO,
              content={"kind": "closing", "secret": "05" * 32})
    operation("closing-of-another-length", "a secret of 31 bytes", CLOSING, SALT + data(1, bytes([5]) * 31), subject=PHOTO, expect="malformed body")
    operation("message-without-body", "a body that is not here is no reason to refuse", MESSAGE, message_body(DEVICE),
              sent_body=False, content=None)
    operation("veiling", "an organizer switches veils on; no body", VEILING, flags=AUTHORITY | CRITICAL, content=None)
    operation("page-sealing", "an organizer has guests' pages seal photos; no body", PAGE_SEALING, flags=AUTHORITY | CRITICAL, content=None)
    twin, organizer = key(0xE0), key(0xE1)
    twinning = {"kind": "twinning", "eventKey": public(twin).hex(), "name": "The other party", "grant": "",
                "signature": sign(twin, domain("twinning"), event_of(twin), EVENT).hex(), "epoch": "00" * 32, "nonce": "06" * 32,
                "box": "07" * 48}
    about_twin = {"flags": AUTHORITY, "subject": event_of(twin)}
    proof = grant_proof(twin, organizer)
    operation("twinning", "an organizer joins the gallery with that of another event, whose event key has agreed", TWINNING,
              twinning_body(twin), content=twinning, **about_twin)
    operation("twinning-by-an-organizer", "an organizer of the other event has agreed, beside the grant that made it one; under a later epoch",
              TWINNING, twinning_body(twin, organizer=organizer, grant=proof, epoch=bytes([9]) * 32),
              content={**twinning, "grant": proof.hex(), "epoch": "09" * 32,
                       "signature": sign(organizer, domain("twinning"), event_of(twin), EVENT).hex()}, **about_twin)
    for name, about, body in [
            ("for-a-third-event", "the agreement is for another event", twinning_body(twin, other=bytes([3]) * 32)),
            ("by-a-moderator", "the grant is of another role", twinning_body(twin, organizer=organizer, grant=grant_proof(twin, organizer, role=2))),
            ("by-a-stranger", "the signer is not the one that the grant is about", twinning_body(twin, organizer=STRANGER, grant=proof)),
            ("granted-by-a-stranger", "the grant is not by the event key", twinning_body(
                twin, organizer=organizer, grant=grant_proof(twin, organizer, signer=STRANGER))),
            ("with-a-broken-grant", "the grant is no header", twinning_body(twin, organizer=organizer, grant=b"\2" + proof[1:])),
            ("with-half-a-grant", "a grant of 188 bytes", twinning_body(twin, organizer=organizer, grant=proof[:188])),
            ("without-a-name", "no label", twinning_body(twin, name="")),
            ("with-a-short-box", "a box of 47 bytes", twinning_body(twin, box=bytes(47))),
            ("of-no-message", "no protobuf", SALT + b"\x0a\x01\x01")]:
        operation(f"twinning-{name}", f"{about}: kept, and none", TWINNING, body, content=None, **about_twin)
    operation("twinning-about-another-event", "the subject is not the event of the key: kept, and none", TWINNING, twinning_body(twin),
              flags=AUTHORITY, subject=PHOTO, content=None)
    operation("twinning-with-itself", "an event is not its own twin: kept, and none", TWINNING, twinning_body(EVENT_KEY), flags=AUTHORITY,
              subject=EVENT, content=None)
    operation("twinning-without-body", "its body is not here: kept, and none until it comes", TWINNING, twinning_body(twin), sent_body=False,
              content=None, **about_twin)
    operation("twinning-of-nothing", "a header that says there is no body: one of unknown kind", TWINNING, content=None, **about_twin)
    operation("twinning-in-the-content-set", "of a kind after the first release, in the wrong set: one of unknown kind", TWINNING, twinning_body(twin),
              content=None, subject=event_of(twin))
    operation("veil", "a guest asks that a photo is not shown; no body", VEIL, flags=AUTHORITY, subject=PHOTO, content=None)
    operation("lift", "a moderator shows it again; no body", LIFT, flags=AUTHORITY, subject=PHOTO, content=None)
    operation("remove", "an author takes a photo back; no body", REMOVE, subject=PHOTO, content=None)
    operation("name", "a person's name", NAME, name_body("Zoë 🌻"), content={"kind": "name", "name": "Zoë 🌻"})
    operation("name-of-160-scalars", "the longest name: 160 scalars of two bytes", NAME, name_body("é" * 160),
              content={"kind": "name", "name": "é" * 160})
    photo = {"kind": "photo", "thumbnail": "01" * 32, "preview": "02" * 32, "takenAtMilliseconds": 1_799_999_999_999,
             "width": 4000, "height": 3000, "mediaType": "image/heic"}
    operation("photo", "a photo whose blobs are as large as they may be", PHOTO_ADDED, photo_body(), content=photo)
    operation("photo-sealed", "a photo whose content keys are sealed", PHOTO_ADDED, sealed_photo_body(),
              content={**photo, "mediaType": "image/jpeg"})
    operation("photo-without-body", "a body that is not here is no reason to refuse", PHOTO_ADDED, photo_body(),
              sent_body=False, content=None)
    operation("original", "the shared file of a photo", ORIGINAL, original_body(), subject=PHOTO,
              content={"kind": "original", "original": "03" * 32, "sha256": "04" * 32, "mediaType": "video/quicktime"})
    operation("claim", "a photo takes slot 27", CLAIM, subject=PHOTO, argument=27, content=None)
    operation("last-content-sequence", "the last number of a content chain", CLAIM, subject=PHOTO, argument=1,
              sequence=(1 << 18) - 1, content=None)
    operation("kind-of-a-later-version", "an unknown kind is kept with any body", LATER_KIND, b"anything",
              flags=CRITICAL, content=None)
    operation("later-kind-in-authority", "the header's bit names the set of an unknown kind", LATER_KIND,
              flags=AUTHORITY | CRITICAL, content=None)
    operation("unknown-field-in-body", "fields of a later version are ignored", NAME,
              name_body("Anna") + number(1000, 1), content={"kind": "name", "name": "Anna"})
    operation("largest-body", "a body of 16 KiB", LATER_KIND, bytes([1]) * 16_384, content=None)

    good = header(CLAIM, subject=PHOTO, argument=1)
    operation("signature-flipped-bit", "the lowest bit of the signature's first byte", header_bytes=good,
              signature=flip(signed(good), 0), expect="authentication failure")
    operation("header-flipped-bit", "the argument changed after signing", header_bytes=flip(good, 19 * 8),
              signature=signed(good), expect="authentication failure")
    operation("signed-by-another-device", "a valid signature, but not the device's", header_bytes=good,
              signature=signed(good, STRANGER), expect="authentication failure")
    operation("signature-without-domain", "the device's signature over the bare header", header_bytes=good,
              signature=sign(DEVICE, good), expect="authentication failure")
    order = 2**252 + 27742317777372353535851937790883648493
    signature = signed(good)
    scalar = int.from_bytes(signature[32:], "little") + order
    operation("signature-with-large-scalar", "S + L verifies in lax libraries; S must be below the group order",
              header_bytes=good, signature=signature[:32] + scalar.to_bytes(32, "little"),
              expect="authentication failure")

    class SmallOrder:
        verify_key = bytes([1]) + bytes(31)

    weak = header(CLAIM, subject=PHOTO, argument=1, device=SmallOrder)
    operation("device-of-small-order", "the neutral point as key and R with S = 0 verifies anything in lax libraries",
              header_bytes=weak, signature=bytes([1]) + bytes(63), expect="authentication failure")
    operation("foreign-event", "an operation of another event", CLAIM, event=blake2b(domain("event"), public(STRANGER)),
              expect="foreign event")
    operation("header-truncated", "187 bytes", header_bytes=good[:-1], signature=signed(good), expect="header length")
    operation("header-too-long", "189 bytes", header_bytes=good + b"\0", signature=signed(good), expect="header length")
    operation("unsupported-version", "version 2", CLAIM, version=2, expect="unsupported version")
    operation("wrong-set", "a claim in the authority set", CLAIM, flags=AUTHORITY, expect="wrong set")
    operation("wrong-set-join", "a join in the content set", JOIN, join_body(), flags=0, expect="wrong set")
    operation("content-sequence-too-large", "2^18", CLAIM, sequence=1 << 18, expect="sequence too large")
    operation("first-with-previous", "sequence 0 names one before it", CLAIM, sequence=0, expect="broken chain")
    operation("later-without-previous", "sequence 1 names none before it", CLAIM, sequence=1, previous=ZERO,
              expect="broken chain")
    operation("body-hash-mismatch", "another body of the same length", NAME, name_body("Anna"),
              sent_body=name_body("Anne"), expect="body mismatch")
    operation("body-hash-without-domain", "the bare hash of the body", NAME, name_body("Anna"),
              body_hash=blake2b(name_body("Anna")), expect="body mismatch")
    operation("body-length-mismatch", "the header says one byte more", NAME, name_body("Anna"),
              body_byte_count=len(name_body("Anna")) + 1, expect="body mismatch")
    operation("body-of-remove", "a kind without a body has one", REMOVE, b"x", expect="body mismatch")
    operation("name-without-body-hash", "a kind with a body has none", NAME, expect="body mismatch")
    operation("join-without-body", "what the fold reads must travel with the header", JOIN, join_body(),
              sent_body=False, expect="body mismatch")
    operation("charter-without-body", "what the fold reads must travel with the header", CHARTER, charter_body(),
              sent_body=False, expect="body mismatch")
    operation("body-too-large", "16 KiB and one byte", LATER_KIND, bytes([1]) * 16_385, expect="limit exceeded")
    for name, about, kind, body in [
        ("body-shorter-than-salt", "15 bytes", NAME, SALT[:15]),
        ("body-no-protobuf", "a field that ends beyond the body", NAME, SALT + b"\x0a\x05Anna"),
        ("body-not-utf8", "a byte that begins no scalar", NAME, SALT + b"\x0a\x05Ann\xff\x61"),
        ("name-empty", "a name of no characters", NAME, name_body("")),
        ("name-invisible", "zero-width joiner, blank Braille pattern, tag", NAME, name_body("\u200D\u2800\U000E0041")),
        ("name-of-two-lines", "a line break in a name", NAME, name_body("An\nna")),
        ("name-with-direction-override", "U+202E", NAME, name_body("An\u202Ena")),
        ("name-too-long", "161 scalars", NAME, name_body("a" * 161)),
        ("name-of-too-many-bytes", "81 scalars of four bytes", NAME, name_body("🎉" * 81)),
        ("photo-sealed-too-short", "a sealed key of 79 bytes", PHOTO_ADDED, sealed_photo_body(79)),
        ("key-release-too-short", "a key of 31 bytes", KEY_RELEASE, SALT + data(1, bytes(31))),
        ("photo-thumbnail-too-large", "24 KiB and one byte", PHOTO_ADDED, photo_body(24_577)),
        ("original-too-large", "256 MiB and one byte", ORIGINAL, original_body(268_435_457)),
    ]:
        operation(name, about, kind, body, content={"kind": "unreadable"})
    operation("charter-name-invisible", "a zero-width joiner", CHARTER, charter_body(name="\u200D"),
              expect="malformed body")
    operation("charter-duration-too-long", "721 hours", CHARTER, charter_body(duration=721), expect="malformed body")
    operation("charter-too-many-frames", "1,001", CHARTER, charter_body(frames=1001), expect="malformed body")
    operation("charter-without-retention", "0 hours", CHARTER, charter_body(retention=0), expect="malformed body")
    for name, about, body in [
        ("charter-with-short-reveal-key", "31 bytes", full_charter_body(key=bytes(31))),
        ("charter-with-unknown-reveal", "a rule of a later version", full_charter_body(reveal=number(10, 5))),
        ("charter-with-unknown-name-rule", "a rule of a later version", full_charter_body() + number(30, 3)),
        ("charter-with-script-link", "a scheme that could run", full_charter_body(links=link(1, "javascript:alert(1)"))),
        ("charter-with-nine-links", "one too many", full_charter_body(links=link(1, "https://a.fr") * 9)),
        ("charter-with-wrong-registration", "the last digit does not check the others",
         full_charter_body(registration="73282932000075")),
        ("charter-with-price-without-currency", "500 of nothing", full_charter_body(price=number(13, 500))),
        ("charter-with-long-details", "5,001 bytes", full_charter_body(details="a" * 5_001)),
    ]:
        operation(name, about, CHARTER, body, expect="malformed body")
    operation("reveal-too-short", "31 bytes", REVEAL, SALT + data(1, bytes(31)), expect="malformed body")
    operation("revoke-with-half-an-id", "33 bytes of heads", REVOKE_DEVICE, ids_body(heads[0], b"x"),
              expect="malformed body")
    operation("revoke-with-too-many-heads", "501", REVOKE_DEVICE, ids_body(*heads[:1] * 501), expect="malformed body")
    operation("list-of-too-many", "501", LIST, ids_body(*heads[:1] * 501), expect="malformed body")
    operation("list-of-nothing", "a list names something", LIST, ids_body(), expect="malformed body")
    operation("unhide-of-too-many", "257 hides", UNHIDE, ids_body(*heads[:1] * 257), expect="malformed body")
    operation("approval-of-half-an-id", "33 bytes of settings", APPROVAL, ids_body(heads[0], b"x"), expect="malformed body")
    operation("approve-of-nothing", "an approval names photos", APPROVE, ids_body(), expect="malformed body")
    operation("approve-of-too-many", "257 photos", APPROVE, ids_body(*heads[:1] * 257), expect="malformed body")
    operation("unapprove-of-too-many", "257 approvals", UNAPPROVE, ids_body(*heads[:1] * 257), expect="malformed body")
    operation("grant-without-body", "what the fold reads must travel with the header", GRANT, ids_body(*heads),
              sent_body=False, expect="body mismatch")
    operation("edit-that-follows-nothing", "an edit says what its author knew", EDIT, edit_body(value=number(4, 36)),
              argument=6, expect="malformed body")
    operation("edit-of-too-many-frames", "1,001", EDIT, edit_body(*heads, value=number(4, 1001)), argument=6,
              expect="malformed body")
    for name, about, field, value in [
            ("edit-of-an-unknown-name-rule", "a rule of a later version", 27, number(30, 3)),
            ("edit-of-unknown-downloads", "a rule of a later version", 29, number(32, 3)),
            ("edit-of-too-long-videos", "3,602", 30, number(33, 3_602)),
            ("edit-of-too-late-a-theme", "256", 31, number(34, 256)),
            ("edit-of-too-far-a-position", "a latitude of more than 90 degrees", 35, position(90_001, 0)),
            ("edit-of-too-far-west-a-position", "a longitude of more than 180 degrees", 35, position(0, -180_001))]:
        operation(name, about, EDIT, edit_body(*heads, value=value), argument=field, expect="malformed body")
    operation("join-with-false-admission", "the sponsor's signature with a bit changed", JOIN,
              join_body(signature=flip(admission(), 0)), expect="authentication failure")
    operation("join-with-admission-of-another", "the sponsor let somebody else in", JOIN,
              join_body(signature=admission(device=STRANGER)), expect="authentication failure")
    operation("join-with-admission-to-another-event", "the sponsor let the device into another event", JOIN,
              join_body(signature=admission(event=ZERO)), expect="authentication failure")
    operation("join-with-short-sponsor", "a sponsor of 31 bytes", JOIN,
              SALT + data(1, public(EVENT_KEY)[:31]) + data(2, admission()), expect="malformed body")


# ---------------------------------------------------------------- chunks

CHUNK = 1 << 18
CLASSES = {"thumbnail": 1, "preview": 2, "original": 3}


def derived(parent, context, input_bytes):
    return hashlib.blake2b(domain(context) + input_bytes, key=parent, digest_size=32).digest()


def plaintext(byte_count):
    """Byte i is i * 7 + (i >> 8), modulo 256."""
    return bytes((i * 7 + (i >> 8)) & 0xFF for i in range(byte_count))


def nonce(index, is_last):
    return bytes(7) + struct.pack(">IB", index, is_last)


def seal(chunk, index, is_last, blob_key):
    return crypto_aead_chacha20poly1305_ietf_encrypt(chunk, b"", nonce(index, is_last), blob_key)


def chunks():
    secret = bytes(range(32))
    for name, about, byte_count, blob_class in [
        ("one-byte", "the smallest blob", 1, "thumbnail"),
        ("hundred-bytes", "one short chunk", 100, "preview"),
        ("exactly-one-chunk", "256 KiB: one full chunk, which is the last", CHUNK, "original"),
        ("one-chunk-and-one-byte", "256 KiB and one byte: the second chunk has one byte", CHUNK + 1, "original"),
        ("three-chunks", "two full chunks and one of 1,000 bytes", 2 * CHUNK + 1000, "original"),
    ]:
        plain = plaintext(byte_count)
        plain_hash = blake2b(plain)
        blob_key = derived(secret, "blob key", bytes([CLASSES[blob_class]]) + plain_hash)
        count = (byte_count + CHUNK - 1) // CHUNK
        sealed = [seal(plain[i * CHUNK:(i + 1) * CHUNK], i, i == count - 1, blob_key) for i in range(count)]
        hashes = [blake2b(chunk) for chunk in sealed]
        root = blake2b(domain("blob root"), struct.pack(">QB", byte_count, 18), *hashes)
        write(f"chunk/{name}.json", about, "§11", "success", importSecret=secret.hex(), blobClass=blob_class,
              byteCount=byte_count, plaintextHash=plain_hash.hex(), key=blob_key.hex(),
              chunkHashes=[h.hex() for h in hashes], root=root.hex(),
              firstCiphertextBytes=sealed[0][:32].hex(), lastTag=sealed[-1][-16:].hex())

    blob_key, plain = bytes([5]) * 32, plaintext(50)

    def opened(name, about, expect, ciphertext, index, is_last, opening_key=blob_key):
        write(f"chunk/{name}.json", about, "§11", expect, key=opening_key.hex(), index=index, isLast=is_last,
              ciphertext=ciphertext.hex(), **({"plaintext": plain.hex()} if expect == "success" else {}))

    chunk = seal(plain, 3, True, blob_key)
    opened("opened", "chunk 3, the last", "success", chunk, 3, True)
    opened("opened-index-beyond-16-bits", "the index has 32 bits", "success", seal(plain, 0x01020304, False, blob_key),
           0x01020304, False)
    opened("cut-off-blob", "a chunk that is not the last, opened as the last", "authentication failure",
           seal(plain, 3, False, blob_key), 3, True)
    opened("continued-blob", "the last chunk, opened as one that is not", "authentication failure", chunk, 3, False)
    opened("wrong-index", "chunk 3 opened as chunk 2", "authentication failure", chunk, 2, True)
    opened("wrong-key", "another blob's key", "authentication failure", chunk, 3, True, bytes([6]) * 32)
    opened("flipped-bit", "one bit of the ciphertext", "authentication failure", flip(chunk, 9), 3, True)
    opened("truncated", "the last byte of the tag is missing", "authentication failure", chunk[:-1], 3, True)
    opened("shorter-than-tag", "15 bytes", "authentication failure", chunk[:15], 3, True)


# ---------------------------------------------------------------- invitations, and agreements to join galleries

def invitation_text(payload, checksum=None, scheme="DISPOSABLE1:"):
    checksum = checksum or blake2b(domain("invitation"), payload)[:4]
    return scheme + base64.b32encode(payload + checksum).decode().rstrip("=")


def invitation_body(name="Anna & Ben 🎉", addresses=(), event_key=public(EVENT_KEY), secret=bytes([0x5A]) * 32):
    out = data(1, event_key) + data(2, secret) + data(3, name)
    for ip, port in addresses:
        out += data(4, data(1, ip) + number(2, port), present=True)
    return out


def invitations():
    v4 = (bytes([10, 0, 0, 7]), 8028)
    v6 = (bytes.fromhex("20010db8000000000000000000000007"), 65535)

    def read(name, about, text, expect="success", fields=None, is_canonical=False):
        write(f"invitation/{name}.json", about, "§6", expect, text=text,
              **({**fields, "isCanonical": is_canonical} if fields else {}))

    def fields(name="Anna & Ben 🎉", addresses=()):
        return {"eventKey": public(EVENT_KEY).hex(), "event": EVENT.hex(), "secret": "5a" * 32, "name": name,
                "addresses": list(addresses)}

    plain = invitation_text(invitation_body())
    full = invitation_text(invitation_body(addresses=[v4, v6]))
    both = ["10.0.0.7:8028", "[2001:db8::7]:65535"]
    read("without-address", "event key, secret and name", plain, fields=fields(), is_canonical=True)
    read("with-addresses", "an IPv4 and an IPv6 address", full, fields=fields(addresses=both), is_canonical=True)
    eight = [(bytes([10, 0, 0, i]), 8028) for i in range(1, 9)]
    read("with-eight-addresses", "as many as there may be", invitation_text(invitation_body(addresses=eight)),
         fields=fields(addresses=[f"10.0.0.{i}:8028" for i in range(1, 9)]), is_canonical=True)
    read("longest-name", "80 characters of four bytes", invitation_text(invitation_body(name="🎉" * 80)),
         fields=fields(name="🎉" * 80), is_canonical=True)
    read("lower-case", "case does not matter", full.lower(), fields=fields(addresses=both))
    read("with-white-space", "typed in groups, over lines", "  " + "\r\n".join(
        " ".join(full[i:i + 60][j:j + 5] for j in range(0, 60, 5)) for i in range(0, len(full), 60)) + "\n",
         fields=fields(addresses=both))
    read("unknown-field", "a field of a later version is ignored",
         invitation_text(invitation_body() + number(1000, 1)), fields=fields())

    read("empty", "nothing", "", "not an invitation")
    read("foreign-text", "a Wi-Fi code", "WIFI:S:net;T:WPA;P:secret;;", "not an invitation")
    read("guest-link", "what a guest's code says", "http://10.0.0.7:8027/g/k7", "guest link")
    read("later-version", "version 7", "DISPOSABLE7:" + full[12:], "unsupported version")
    read("invalid-character", "1 is no digit of base 32", full[:20] + "1" + full[21:], "invalid character")
    read("changed-character", "one digit changed", full[:20] + ("A" if full[20] != "A" else "B") + full[21:], "damaged")
    read("truncated", "the last character is missing", full[:-1], "damaged")
    read("too-long", "2,049 characters", "DISPOSABLE1:" + "A" * (2_049 - 12), "limit exceeded")
    read("checksum-without-domain", "the bare hash of the body",
         invitation_text(invitation_body(), blake2b(invitation_body())[:4]), "damaged")
    for name, about, payload in [
        ("no-protobuf", "a field that ends beyond the body", b"\x0a\x20abc"),
        ("short-key", "an event key of 31 bytes", invitation_body(event_key=public(EVENT_KEY)[:31])),
        ("short-secret", "a secret of 31 bytes", invitation_body(secret=bytes(31))),
        ("without-name", "a name of no characters", invitation_body(name="")),
        ("name-too-long", "161 scalars", invitation_body(name="x" * 161)),
        ("nine-addresses", "one more than there may be", invitation_body(addresses=eight + [v4])),
        ("address-of-five-bytes", "neither IPv4 nor IPv6", invitation_body(addresses=[(bytes(5), 1)])),
        ("address-without-port", "port 0", invitation_body(addresses=[(bytes([10, 0, 0, 7]), 0)])),
        ("port-too-large", "port 65536", invitation_body(addresses=[(bytes([10, 0, 0, 7]), 65_536)])),
        ("link-local-address", "fe80::1", invitation_body(addresses=[(b"\xfe\x80" + bytes(13) + b"\1", 8028)])),
    ]:
        read(name, about, invitation_text(payload), "malformed")


def agreements():
    twin, organizer = key(0xE0), key(0xE1)
    proof = grant_proof(twin, organizer)
    v4 = (bytes([10, 0, 0, 7]), 8028)
    eight = [(bytes([10, 0, 0, i]), 8028) for i in range(1, 9)]

    def body(name="The other party", grant=b"", signature=None, other=EVENT, secret=bytes([0x5A]) * 32, addresses=(),
             signer=twin, event_key=public(twin)):
        signature = signature or sign(signer, domain("twinning"), event_of(twin), other)
        return (data(1, event_key) + data(2, name) + data(3, grant) + data(4, signature) + data(5, other) + data(6, secret)
                + b"".join(data(7, data(1, ip) + number(2, port), present=True) for ip, port in addresses))

    def written(payload, checksum=None):
        return invitation_text(payload, checksum, "DISPOSABLETWIN1:")

    def read(name, about, text, expect="success", fields=None, is_canonical=False):
        write(f"agreement/{name}.json", about, "§9.28", expect, text=text,
              **({**fields, "isCanonical": is_canonical} if fields else {}))

    def fields(grant=b"", signer=twin, addresses=(), joins=True, other=EVENT, name="The other party"):
        return {"eventKey": public(twin).hex(), "event": event_of(twin).hex(), "secret": "5a" * 32, "name": name,
                "addresses": list(addresses), "other": other.hex(), "grant": grant.hex(),
                "signature": sign(signer, domain("twinning"), event_of(twin), other).hex(), "joins": joins}

    full = written(body(addresses=[v4]))
    read("by-the-event-key", "the event key has agreed; no address", written(body()), fields=fields(), is_canonical=True)
    read("with-an-address", "where a node of the signer's event is", full, fields=fields(addresses=["10.0.0.7:8028"]),
         is_canonical=True)
    read("by-an-organizer", "beside the grant that made it one; eight addresses and the longest name",
         written(body("🎉" * 80, proof, signer=organizer, addresses=eight)),
         fields=fields(proof, organizer, [f"10.0.0.{i}:8028" for i in range(1, 9)], name="🎉" * 80), is_canonical=True)
    read("by-a-stranger", "it can be read, and joins nothing: the signer is not the one that the grant is about",
         written(body(grant=proof, signer=STRANGER)), fields=fields(proof, STRANGER, joins=False), is_canonical=True)
    read("with-itself", "it can be read, and joins nothing", written(body(other=event_of(twin))),
         fields=fields(other=event_of(twin), joins=False), is_canonical=True)
    read("lower-case", "case does not matter", full.lower(), fields=fields(addresses=["10.0.0.7:8028"]))
    read("unknown-field", "a field of a later version is ignored", written(body() + number(1000, 1)), fields=fields())

    read("invitation", "a nodes' invitation", invitation_text(invitation_body()), "not an invitation")
    read("later-version", "version 7", "DISPOSABLETWIN7:" + full[16:], "unsupported version")
    read("invalid-character", "1 is no digit of base 32", full[:30] + "1" + full[31:], "invalid character")
    read("changed-character", "one digit changed", full[:30] + ("A" if full[30] != "A" else "B") + full[31:], "damaged")
    read("too-long", "2,049 characters", "DISPOSABLETWIN1:" + "A" * (2_049 - 16), "limit exceeded")
    for name, about, payload in [
        ("short-key", "an event key of 31 bytes", body(event_key=public(twin)[:31])),
        ("short-secret", "a secret of 31 bytes", body(secret=bytes(31))),
        ("short-signature", "a signature of 63 bytes", body(signature=bytes(63))),
        ("short-other", "the other event in 31 bytes", body(other=EVENT[:31])),
        ("without-name", "a name of no characters", body(name="")),
        ("with-half-a-grant", "a grant of 188 bytes", body(grant=proof[:188])),
        ("with-a-broken-grant", "the grant is no header", body(grant=b"\2" + proof[1:])),
        ("nine-addresses", "one more than there may be", body(addresses=eight + [v4])),
    ]:
        read(name, about, written(payload), "malformed")
    write("invitation/agreement.json", "the text of an organizer that joins galleries lets no node in", "§6", "unsupported version",
          text=full)


if __name__ == "__main__":
    operations()
    chunks()
    invitations()
    agreements()
