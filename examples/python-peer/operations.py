# SPDX-License-Identifier: Apache-2.0
"""Operations (§8): reading, checking, making; and the fold (§9): what follows from a set of them."""

import os
import re
import struct
from collections import defaultdict
from typing import NamedTuple

from google.protobuf.message import DecodeError
from nacl.signing import SigningKey

import disposable_pb2 as pb
from event import BYTE_COUNT_MAX, ZERO, Blob, Refused, blake2b, domain, is_label, is_signed, public, sign

HEADER = struct.Struct(">BBHIIQQ32s32s32s32s32s")
BODY_BYTE_COUNT_MAX = 16_384
SEALED_DEVICES_MAX, EPOCHS_PER_DEVICE_MAX = 140, 64
CONTENT_SEQUENCE_MAX = (1 << 18) - 1
CHARTER, JOIN, REMOVE, LEAVE, EPOCH, NAME, PHOTO, ORIGINAL, CLAIM = 1, 2, 3, 13, 14, 64, 65, 66, 67
CONSENT = 74
CAPTION = 68  # a kind that this peer keeps unread, but which has a place in the digest


class Kind(NamedTuple):
    """A row of §8.5; `body` is the message in it, or None for a kind without."""
    is_authority: bool
    body: type | None
    is_read_by_fold: bool = False


KINDS = {
    CHARTER: Kind(True, pb.CharterBody, True), JOIN: Kind(True, pb.JoinBody, True), REMOVE: Kind(True, None),
    LEAVE: Kind(True, None), EPOCH: Kind(True, pb.EpochBody, True),
    NAME: Kind(False, pb.NameBody), PHOTO: Kind(False, pb.PhotoBody), ORIGINAL: Kind(False, pb.OriginalBody),
    CLAIM: Kind(False, None), CONSENT: Kind(False, None),
}


class Operation:
    """A signed fact. Its signatures are checked by `check`, the rest when it is made; `body` is None where it has
    not come, `content` the message in the body, or None where there is none, it is unreadable or of unknown kind."""

    def __init__(self, header, signature, body=None):
        if len(header) != HEADER.size:
            raise Refused("header length", str(len(header)))
        if len(signature) != 64:
            raise Refused("malformed", f"a signature of {len(signature)} bytes")
        self.header, self.signature, self.body = header, signature, body or None
        (self.version, self.kind, flags, self.body_byte_count, self.sequence, self.argument, self.time, self.event,
         self.device, self.previous, self.subject, self.body_hash) = HEADER.unpack(header)
        self.is_authority = bool(flags & 1)
        self.id = blake2b(domain("operation id"), header)
        self.content = None
        self._check_header()
        if self.body is not None:
            self._read_body()

    @property
    def milliseconds(self):
        return self.time >> 16

    @property
    def item(self):
        """As reconciliation sees it."""
        return self.milliseconds, self.id

    def _check_header(self):
        if self.version != 1:
            raise Refused("unsupported version", str(self.version))
        kind = KINDS.get(self.kind)
        if kind and kind.is_authority != self.is_authority:
            raise Refused("wrong set")
        if not self.is_authority and self.sequence > CONTENT_SEQUENCE_MAX:
            raise Refused("sequence too large")
        if (self.sequence == 0) != (self.previous == ZERO):
            raise Refused("broken chain")
        has_body = self.body_byte_count > 0
        if has_body == (self.body_hash == ZERO) or kind and bool(kind.body) != has_body:
            raise Refused("body mismatch")
        if self.body_byte_count > BODY_BYTE_COUNT_MAX:
            raise Refused("limit exceeded", f"a body of {self.body_byte_count} bytes")
        if kind and kind.is_read_by_fold and self.body is None:
            raise Refused("body mismatch", "the fold reads it, and it is not here")

    def _read_body(self):
        if len(self.body) != self.body_byte_count or blake2b(domain("body"), self.body) != self.body_hash:
            raise Refused("body mismatch")
        kind = KINDS.get(self.kind)
        if not kind or self.kind == EPOCH and self.argument > 1:  # of a later version: kept, and not looked into
            return
        try:
            content = kind.body.FromString(self.body[16:])
            if len(self.body) >= 16 and RULES[self.kind](content) and (
                    self.kind != EPOCH or len(content.commitment) == (0 if self.argument else 32)):
                self.content = content
        except DecodeError:
            pass
        if kind.is_read_by_fold and self.content is None:
            raise Refused("malformed body")

    def check(self, event):
        """Raises where it is of another event, or a signature is not valid: the device's, a join's sponsor's or
        guest's."""
        if self.event != event:
            raise Refused("foreign event")
        is_valid = is_signed(self.device, self.signature, domain("operation signature"), self.header)
        if is_valid and self.kind == JOIN:
            join = self.content
            is_valid = is_signed(join.sponsor, join.signature, domain("admission"), self.event, self.device,
                                 join.epoch) and (
                not join.guest or is_signed(join.guest, join.delegation, domain("delegation"), self.event, join.sponsor,
                                            self.device))
        if not is_valid:
            raise Refused("authentication failure")

    def blobs(self):
        """What its body describes: pairs of a description and the content key."""
        if self.content is None or self.kind not in (PHOTO, ORIGINAL):
            return []
        described = ([(1, "thumbnail"), (2, "preview")] if self.kind == PHOTO else [(3, "original")])
        references = [(number, getattr(self.content, name)) for number, name in described
                      if self.content.HasField(name)]
        return [(Blob(number, reference.root, reference.byte_count), reference.key) for number, reference in references]

    def message(self):
        return pb.SignedOperation(header=self.header, signature=self.signature, body=self.body)


# What a body of each kind must be, beside decoding (§8.4).

def _is_reference(reference, blob_class):
    return (len(reference.root) == 32 and (len(reference.key), len(reference.sealed_key)) in [(32, 0), (0, 80)]
            and reference.chunk_log2 == 18 and 1 <= reference.byte_count <= BYTE_COUNT_MAX[blob_class])


def _is_charter(body):
    lines = body.organizer_name, body.place, body.category, body.contact
    return (is_label(body.name) and all(not line or is_label(line) for line in lines)
            and _is_prose(body.details) and _is_prose(body.consent_text)
            and 1 <= body.duration_hours <= 720 and 1 <= body.retention_hours <= 720 and body.frames <= 1000
            and body.starts_at_ms <= 2**48 - 1 - 1_441 * 3_600_000
            and body.reveal <= 4 and body.reveal_at_ms < 2**48 and len(body.reveal_key) in (0, 32)
            and (not body.price_cents or body.price_currency) and body.price_cents <= 100_000_000
            and (not body.price_currency or re.fullmatch("[A-Z]{3}", body.price_currency))
            and len(body.links) <= 8 and all(_is_link(link.address) for link in body.links)
            and (not body.registration or _is_registered(body.registration)))


def _is_prose(text):
    """A label's characters and line feeds, or nothing; a letter in front keeps what is invisible alone from counting."""
    return len(text.encode()) <= 5_000 and all(is_label("a" + character) for character in text if character != "\n")


def _is_link(address):
    return len(address) <= 200 and re.fullmatch(r"https?://[!#-&(-;=?-\[\]-_a-~]+", address)


def _is_registered(digits):
    if not re.fullmatch("[0-9]{9}([0-9]{5})?", digits):
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    is_luhn = sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0
    return is_luhn or len(digits) == 14 and digits.startswith("356000000") and sum(map(int, digits)) % 5 == 0


def _is_join(body):
    return len(body.sponsor) == 32 and len(body.signature) == 64 and (
        (len(body.guest), len(body.delegation)) in [(0, 0), (32, 64)]) and (
        not body.epoch or len(body.epoch) == 32 and any(body.epoch))


def _is_photo(body):
    return ((not body.HasField("thumbnail") or _is_reference(body.thumbnail, 1))
            and (not body.HasField("preview") or _is_reference(body.preview, 2)))


def _is_epoch(body):
    count = len(body.devices) // 32
    return count <= SEALED_DEVICES_MAX and (len(body.devices), len(body.boxes)) == (32 * count, 80 * count)


def seals(content):
    """Of an epoch's body: pairs of a device and the box sealed to it."""
    return [(content.devices[32 * place:32 * place + 32], content.boxes[80 * place:80 * place + 80])
            for place in range(len(content.devices) // 32)]


RULES = {
    EPOCH: _is_epoch,
    CHARTER: _is_charter, JOIN: _is_join, PHOTO: _is_photo,
    NAME: lambda body: is_label(body.name),
    ORIGINAL: lambda body: _is_reference(body.original, 3) and len(body.sha256) == 32,
}


def make(key: SigningKey, event, kind, chain, time, content=None, subject=ZERO, argument=0):
    """A new operation of `key`'s device, after `chain`: its operations of the same set."""
    body = os.urandom(16) + content.SerializeToString() if content is not None else b""
    last = max(chain, key=lambda operation: operation.sequence, default=None)
    header = HEADER.pack(1, kind, KINDS[kind].is_authority, len(body), last.sequence + 1 if last else 0, argument, time,
                         event, public(key), last.id if last else ZERO, subject,
                         blake2b(domain("body"), body) if body else ZERO)
    return Operation(header, sign(key, domain("operation signature"), header), body)


# ---------------------------------------------------------------- the fold (§9)

class Photo(NamedTuple):
    """`slot` is that of its claim, or None; `status` is "frame", "waiting" or "removed"."""
    operation: Operation
    author: bytes
    slot: int | None
    status: str
    originals: list


def fold_members(event_key, operations):
    """Rules 1 to 4a: {device: (is an organizer, author)}."""
    joins = defaultdict(list)
    for operation in operations:
        if operation.kind == JOIN:
            joins[operation.device].append(operation)
    members, grew = {}, True
    while grew:
        grew = False
        for device, candidates in joins.items():
            counting = [join for join in candidates
                        if join.content.sponsor == event_key or join.content.sponsor in members]
            if counting:
                guests = [join.content.guest for join in counting if join.content.guest]
                # A sub-key has the rank of a participant, whoever let it in.
                is_organizer = not guests and any(join.content.sponsor == event_key for join in counting)
                entry = (is_organizer, min(guests, default=device))
                grew = grew or members.get(device) != entry
                members[device] = entry
    return members


def fold_charter(event_key, operations):
    """Rules 5 and 6: the charter that counts, or None."""
    charters = [operation for operation in operations if operation.kind == CHARTER and operation.device == event_key]
    return min(charters, key=lambda charter: charter.id, default=None)


def fold_epochs(event_key, organizers, operations):
    """Rules 26 to 29, but for what revocations void: the way to the current epoch, and the boxes by epoch."""
    of_device = defaultdict(list)
    for operation in operations:
        if operation.content is not None and (operation.device == event_key or operation.device in organizers):
            of_device[operation.device].append(operation)
    known = sorted((each for own in of_device.values() for each in sorted(
        own, key=lambda operation: (operation.sequence, operation.id))[:EPOCHS_PER_DEVICE_MAX]), key=lambda each: each.id)
    boxes = {each.id: seals(each.content) for each in known if each.argument == 0}
    for each in known:
        if each.argument == 1 and each.subject in boxes:
            boxes[each.subject] += seals(each.content)
    way, last = [], ZERO
    while following := [each for each in known if each.argument == 0 and each.subject == last]:
        way.append(following[0])
        last = following[0].id
    return way, boxes


def fold_insiders(event_key, epoch, listed, joins):
    """Rule 30: who has the secret of an epoch, named by its id or, if it is the first, by nothing."""
    inside, grew = {event_key, *listed}, True
    while grew:
        fresh = {join.device for join in joins if join.content.epoch == epoch and join.content.sponsor in inside} - inside
        inside |= fresh
        grew = bool(fresh)
    return inside


def charter_fields(body):
    """The charter's fields as the digest has them (§9.8)."""
    reveal = bytes([body.reveal]) + (struct.pack(">Q", body.reveal_at_ms) if body.reveal == 2 else b"")
    price = struct.pack(">I", body.price_cents) + body.price_currency.encode() if body.price_currency else b""
    links = b"".join(bytes([link.kind if 1 <= link.kind <= 7 else 7]) + struct.pack(">I", len(link.address))
                     + link.address.encode() for link in body.links)
    values = [body.name, body.details, body.place, struct.pack(">Q", body.starts_at_ms),
              struct.pack(">I", body.duration_hours), struct.pack(">I", body.frames), reveal,
              struct.pack(">I", body.retention_hours), body.category, price, links, body.registration, body.contact,
              body.consent_text, body.organizer_name, bytes([body.listed]), bytes([body.opened]), bytes([body.closed])]
    values = [value.encode() if isinstance(value, str) else value for value in values]
    return b"".join(bytes([field]) + struct.pack(">I", len(value)) + value for field, value in enumerate(values, 1))


class State:
    """What follows from a set of operations, in whatever order they come."""

    def __init__(self, event_key, operations):
        by_kind = defaultdict(list)
        for operation in operations:
            by_kind[operation.kind].append(operation)
        self.members = fold_members(event_key, by_kind[JOIN])
        self.charter = fold_charter(event_key, by_kind[CHARTER])
        organizers = {device for device, (is_organizer, _) in self.members.items() if is_organizer}
        self.epochs, self.boxes = fold_epochs(event_key, organizers, by_kind[EPOCH])
        epoch = self.epochs[-1].id if self.epochs else b""
        self.insiders = fold_insiders(event_key, epoch, [device for device, _ in self.boxes.get(epoch, [])], by_kind[JOIN])
        self._fold_photos(by_kind)
        self._fold_names(by_kind)
        self._fold_captions(by_kind)

    def author(self, device):
        """A member's author; None for a device that is no member."""
        return self.members[device][1] if device in self.members else None

    def _fold_photos(self, by_kind):
        added = {operation.id: operation for operation in by_kind[PHOTO] if operation.device in self.members}

        def by_their_author(kind):
            return [operation for operation in by_kind[kind] if operation.subject in added and
                    self.author(operation.device) == self.author(added[operation.subject].device)]

        removed = {operation.subject for operation in by_their_author(REMOVE)}
        originals = defaultdict(list)
        for operation in sorted(by_their_author(ORIGINAL), key=lambda original: original.id):
            originals[operation.subject].append(operation)
        self.holders = {}  # (author, slot): the claim that holds it
        for claim in by_their_author(CLAIM):
            if claim.argument >= 1:
                place = self.author(claim.device), claim.argument
                holder = self.holders.setdefault(place, claim)
                self.holders[place] = min(holder, claim, key=lambda each: (each.sequence, each.id))
        slots = {}
        for (_, slot), claim in self.holders.items():
            slots[claim.subject] = min(slot, slots.get(claim.subject, slot))
        self.photos = {}
        for photo in added.values():
            author, slot = self.author(photo.device), slots.get(photo.id)
            status = ("removed" if photo.id in removed else
                      "frame" if slot is not None and slot <= self.roll(photo.device) else "waiting")
            self.photos[photo.id] = Photo(photo, author, slot, status, originals[photo.id])

    def roll(self, device):
        """Rule 13: how many slots the device's author has."""
        if self.charter is None:
            return 0
        frames, (is_organizer, author) = self.charter.content.frames, self.members[device]
        return float("inf") if frames == 0 or is_organizer else frames

    def free_slot(self, device):
        """The lowest slot that nobody of the device's author has claimed, or None where the roll is full."""
        author, slot = self.author(device), 1
        while (author, slot) in self.holders:
            slot += 1
        return slot if slot <= self.roll(device) else None

    def _fold_names(self, by_kind):
        """Rules 17 and 19, but for what only ranks take away."""
        removed = {(operation.subject, self.author(operation.device)) for operation in by_kind[REMOVE]}
        of_device, self.names = {}, {}
        for name in by_kind[NAME]:
            if name.device in self.members and (name.id, self.author(name.device)) not in removed:
                best = of_device.setdefault(name.device, name)
                of_device[name.device] = min(best, name, key=lambda each: (-each.sequence, each.id))
        for device, name in of_device.items():
            best = self.names.setdefault(self.author(device), name)
            self.names[self.author(device)] = min(best, name, key=lambda each: (-each.time, each.id))

    def _fold_captions(self, by_kind):
        """Rules 19 and 20, but for what only ranks take away: {photo: the caption that counts}."""
        removed = {(operation.subject, self.author(operation.device)) for operation in by_kind[REMOVE]}
        of_device, self.captions = {}, {}
        for caption in by_kind[CAPTION]:
            photo, author = self.photos.get(caption.subject), self.author(caption.device)
            if photo and author == photo.author and (caption.id, author) not in removed:
                place = caption.subject, caption.device
                best = of_device.setdefault(place, caption)
                of_device[place] = min(best, caption, key=lambda each: (-each.sequence, each.id))
        for (photo, _), caption in of_device.items():
            best = self.captions.setdefault(photo, caption)
            self.captions[photo] = min(best, caption, key=lambda each: (-each.time, each.id))

    def name(self, author):
        name = self.names.get(author)
        return name.content.name if name and name.content else None

    def gallery(self):
        """Rule 18: the photos that are shown, in order."""
        if self.charter is None:
            return []
        body, day = self.charter.content, 86_400_000
        first, last = max(body.starts_at_ms - day, 0), body.starts_at_ms + body.duration_hours * 3_600_000 + day

        def place(photo):
            operation = photo.operation
            return (min(max(operation.milliseconds, first), last), operation.time & 0xFFFF, operation.device,
                    operation.sequence, operation.id)
        return sorted((photo for photo in self.photos.values() if photo.status == "frame"), key=place)

    def digest(self):
        """§9.8; None without a charter."""
        if self.charter is None:
            return None
        parts = [domain("gallery"), b"\1", self.charter.id, charter_fields(self.charter.content),
                 struct.pack(">Q", len(self.photos))]
        for identity, photo in sorted(self.photos.items()):
            status = {"waiting": b"\0", "frame": b"\1" + struct.pack(">Q", photo.slot or 0), "removed": b"\2"}
            parts += [identity, status[photo.status]]
            parts += [self.captions[identity].id] if identity in self.captions else []
        for author, name in sorted(self.names.items()):
            parts += [author, name.id]
        # Whether photos are open to all. This peer knows of no reveal.
        return blake2b(*parts, b"\0" if self.charter.content.reveal_key else b"\1")
