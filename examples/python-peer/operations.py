# SPDX-License-Identifier: Apache-2.0
"""Operations (§8): reading, checking, making."""

import os
import re
import struct
from typing import NamedTuple

from google.protobuf.message import DecodeError
from nacl.signing import SigningKey

import disposable_pb2 as pb
from event import (BYTE_COUNT_MAX, ZERO, Blob, Refused, blake2b, body_of, domain, is_label, is_prose, is_signed, public, sign,
                   write_invitation)

HEADER = struct.Struct(">BBHIIQQ32s32s32s32s32s")
BODY_BYTE_COUNT_MAX = 16_384
SEALED_DEVICES_MAX, NAMED_MAX, HEADS_MAX, TEXT_BYTE_COUNT_MAX = 140, 256, 500, 2_000
RECIPIENTS_MAX, PADDING, PADDED_MAX = 16, 256, 2_048
CONTENT_SEQUENCE_MAX = (1 << 18) - 1
CHARTER, JOIN, REMOVE, GRANT, REVOKE_ROLE, REVOKE_DEVICE, HIDE, UNHIDE, ERASE, EDIT = range(1, 11)
REVEAL, KEY_RELEASE, LEAVE, EPOCH, LIST, APPROVAL, APPROVE, UNAPPROVE = range(11, 19)
NAME, PHOTO, ORIGINAL, CLAIM, CAPTION, REACTION, COMMENT, NOTICE, FRAMES = range(64, 73)
CONSENT, ANSWER = 74, 75
PICTURE, SPOT = 76, 77
VEILING, VEIL, LIFT = 78, 79, 80
TURN, MESSAGE, GIFT = 81, 82, 83
TICKETS, TICKET_USE, TICKET_RULING = 84, 85, 86
SHARE, SHARE_RELEASE = 87, 88
PAGE_SEALING = 89
BALLOT, VOTE, CLOSING = 91, 92, 93
TWINNING = 94
# The charter's fields (§9.2), by the number in an edit's argument.
FIELDS = dict(enumerate([
    ("name",), ("details",), ("place",), ("starts_at_ms",), ("duration_hours",), ("frames",), ("reveal", "reveal_at_ms"),
    ("retention_hours",), ("category",), ("price_cents", "price_currency"), ("links",), ("registration",), ("contact",),
    ("consent_text",), ("organizer_name",), ("listed",), ("opened",), ("closed",)], 1)) | {
        21: ("late",), 22: ("frames_daily",), 23: ("starts_on_opening",), 24: ("moments",),
        27: ("name_rule",), 28: ("camera_only",), 29: ("downloads",), 30: ("videos",), 31: ("theme",), 32: ("missions",), 33: ("tickets",), 35: ("position",), 36: ("wall_code",),
        37: ("photos_at_once",), 38: ("zones",)}


# An edit of one of these whose body is not as it says is as one of an argument that numbers no field (§13).
FIELDS_AFTER_THE_FIRST_RELEASE = {37, 38}


class Kind(NamedTuple):
    """A row of §8.5; `body` is the message in it, or None for a kind without."""
    is_authority: bool
    body: type | None
    is_read_by_fold: bool = False


KINDS = {
    CHARTER: Kind(True, pb.CharterBody, True), JOIN: Kind(True, pb.JoinBody, True), REMOVE: Kind(True, None),
    GRANT: Kind(True, pb.GrantBody, True), REVOKE_ROLE: Kind(True, pb.RevocationBody, True),
    REVOKE_DEVICE: Kind(True, pb.RevocationBody, True), HIDE: Kind(True, None), UNHIDE: Kind(True, pb.UnhideBody, True),
    ERASE: Kind(True, None), EDIT: Kind(True, pb.EditBody, True), REVEAL: Kind(True, pb.RevealBody, True),
    KEY_RELEASE: Kind(True, pb.KeyReleaseBody), LEAVE: Kind(True, None), EPOCH: Kind(True, pb.EpochBody, True),
    LIST: Kind(True, pb.RevocationBody, True), APPROVAL: Kind(True, pb.UnhideBody, True),
    APPROVE: Kind(True, pb.UnhideBody, True), UNAPPROVE: Kind(True, pb.UnhideBody, True),
    NAME: Kind(False, pb.NameBody), PHOTO: Kind(False, pb.PhotoBody), ORIGINAL: Kind(False, pb.OriginalBody),
    CLAIM: Kind(False, None), CAPTION: Kind(False, pb.TextBody), REACTION: Kind(False, None),
    COMMENT: Kind(False, pb.TextBody), NOTICE: Kind(False, pb.TextBody), FRAMES: Kind(False, None),
    CONSENT: Kind(False, None), ANSWER: Kind(False, None),
    PICTURE: Kind(False, None), SPOT: Kind(False, None),
    VEILING: Kind(True, None), VEIL: Kind(True, None), LIFT: Kind(True, None), TURN: Kind(False, None),
    MESSAGE: Kind(False, pb.MessageBody), GIFT: Kind(False, None),
    TICKETS: Kind(True, pb.UnhideBody, True), TICKET_USE: Kind(True, pb.JoinBody, True), TICKET_RULING: Kind(True, None),
    SHARE: Kind(True, pb.ShareBody, True), SHARE_RELEASE: Kind(True, pb.ShareReleaseBody, True),
    PAGE_SEALING: Kind(True, None),
    BALLOT: Kind(False, pb.EpochBody, True), VOTE: Kind(False, pb.VoteBody, True), CLOSING: Kind(False, pb.RevealBody, True),
    TWINNING: Kind(True, pb.TwinningBody),
}
# Of these an operation in the wrong set, or with or without a body against its kind, is one of unknown kind (§13).
KINDS_AFTER_THE_FIRST_RELEASE = {TWINNING}


class Operation:
    """A signed fact. Its signatures are checked by `check`, the rest when it is made; `body` is None where it has
    not come, `content` the message in the body, or None where there is none, it is unreadable or of unknown kind."""

    def __init__(self, header, signature, body=None):
        if len(header) != HEADER.size:
            raise Refused("header length", str(len(header)))
        if len(signature) != 64:
            raise Refused("malformed", f"a signature of {len(signature)} bytes")
        self.signature, self.body, self.content = signature, body or None, None
        self._read_header(header)
        kind = KINDS.get(self.kind)
        if kind and kind.is_read_by_fold and self.body is None:
            raise Refused("body mismatch", "the fold reads it, and it is not here")
        if self.body is not None:
            self._read_body()

    @classmethod
    def of_header(cls, header):
        """An operation of which the header alone is here, whatever its kind."""
        made = cls.__new__(cls)
        made.signature = made.body = made.content = None
        made._read_header(header)
        return made

    def _read_header(self, header):
        self.header = header
        (self.version, self.kind, flags, self.body_byte_count, self.sequence, self.argument, self.time, self.event,
         self.device, self.previous, self.subject, self.body_hash) = HEADER.unpack(header)
        self.is_authority, self.is_critical = bool(flags & 1), bool(flags & 2)
        self.id = blake2b(domain("operation id"), header)
        self._check_header()

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
        kind = None if self.kind in KINDS_AFTER_THE_FIRST_RELEASE else KINDS.get(self.kind)
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

    def _read_body(self):
        if len(self.body) != self.body_byte_count or blake2b(domain("body"), self.body) != self.body_hash:
            raise Refused("body mismatch")
        kind = KINDS.get(self.kind)
        if (not kind or kind.is_authority != self.is_authority or not kind.body or self.kind == EPOCH and self.argument > 1
                or self.kind == EDIT and self.argument not in FIELDS):
            return  # of a later version, or one of unknown kind by its set (§13): kept, and not looked into
        try:
            content = kind.body.FromString(self.body[16:])
            if len(self.body) >= 16 and RULES[self.kind](content) and (
                    self.kind != EPOCH or len(content.commitment) == (0 if self.argument else 32)) and (
                    self.kind != EDIT or _is_value(content.value, self.argument)) and (
                    self.kind != TICKET_USE or is_signed(
                        self.subject, content.delegation, domain("ticket"), self.event, content.guest)) and (
                    self.kind != TWINNING or is_agreed(content, self.subject, self.event)):
                self.content = content
        except DecodeError:
            pass
        is_later = self.kind == EDIT and self.argument in FIELDS_AFTER_THE_FIRST_RELEASE
        if kind.is_read_by_fold and self.content is None and not is_later and self.kind not in (TICKETS, TICKET_USE):  # §9.24
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
        """What its body describes: pairs of a description and the reference that has its key."""
        if self.content is None or self.kind not in (PHOTO, ORIGINAL):
            return []
        described = ([(1, "thumbnail"), (2, "preview")] if self.kind == PHOTO else [(3, "original")])
        references = [(number, getattr(self.content, name)) for number, name in described
                      if self.content.HasField(name)]
        return [(Blob(number, reference.root, reference.byte_count), reference) for number, reference in references]

    def with_body(self, body):
        return Operation(self.header, self.signature, body)

    def message(self):
        return pb.SignedOperation(header=self.header, signature=self.signature, body=self.body)


# What a body of each kind must be, beside decoding (§8.4).

def _is_reference(reference, blob_class):
    return (len(reference.root) == 32 and (len(reference.key), len(reference.sealed_key)) in [(32, 0), (0, 80)]
            and reference.chunk_log2 == 18 and 1 <= reference.byte_count <= BYTE_COUNT_MAX[blob_class])


def _is_charter(body):
    lines = body.organizer_name, body.place, body.category, body.contact
    return (is_label(body.name) and all(not line or is_label(line) for line in lines)
            and is_prose(body.details) and is_prose(body.consent_text)
            and 1 <= body.duration_hours <= 720 and 1 <= body.retention_hours <= 720 and body.frames <= 1000
            and body.starts_at_ms <= 2**48 - 1 - 1_441 * 3_600_000
            and body.reveal <= 4 and body.reveal_at_ms < 2**48 and len(body.reveal_key) in (0, 32)
            and (not body.price_cents or body.price_currency) and body.price_cents <= 100_000_000
            and (not body.price_currency or re.fullmatch("[A-Z]{3}", body.price_currency))
            and len(body.links) <= 8 and all(is_link(link.address) for link in body.links)
            and (not body.registration or is_registered(body.registration)) and body.late <= 43_201
            and (not body.HasField("moments") or _are_hours(body.moments)) and _are_missions(body.missions)
            and (not body.HasField("position") or is_position(body.position.latitude, body.position.longitude))
            and body.name_rule <= 2 and body.downloads <= 2 and body.videos <= 3_601 and body.theme <= 255)



def _are_missions(missions):
    identities = {mission.id for mission in missions}
    return (len(missions) <= 20 and len(identities) == len(missions) and 0 not in identities
            and all(is_label(mission.text) for mission in missions))


def is_position(latitude, longitude):
    """Whether thousandths of a degree are a place on the Earth."""
    return -90_000 <= latitude <= 90_000 and -180_000 <= longitude <= 180_000


def _are_hours(hours):
    return getattr(hours, "from") < 1440 and 1 <= hours.to <= 1440 and getattr(hours, "from") != hours.to and -840 <= hours.utc_offset <= 840


def _is_value(value, field):
    """Whether the field of an edit keeps the charter's rule, in a charter that is right otherwise."""
    charter = pb.CharterBody(name="Party", duration_hours=1, retention_hours=1)
    take_field(charter, field, value)
    return (_is_charter(charter) and value.reveal <= 4 and len(value.reveal_key) in (0, 32)
            and value.name_rule <= 2 and value.downloads <= 2)


def take_field(charter, field, value):
    """Gives a charter's field what it is in another one."""
    for name in FIELDS[field]:
        charter.ClearField(name)
        if name in ("links", "missions"):
            getattr(charter, name).extend(getattr(value, name))
        elif name in ("moments", "position"):
            if value.HasField(name):
                getattr(charter, name).CopyFrom(getattr(value, name))
        else:
            setattr(charter, name, getattr(value, name))


def zones(data):
    """R-123: the names of the zones by node, in their order."""
    names = {}
    while len(data) > 32 and len(names) < 32:
        node, name, rest = data[:32], data[33:33 + data[32]], data[33 + data[32]:]
        if len(name) < data[32]:
            break
        data = rest
        try:
            if node not in names and is_label(name.decode()):
                names[node] = name.decode()
        except UnicodeDecodeError:
            pass
    return names


def ids(data):
    """What bodies name: 32 bytes each, one after the other."""
    return [data[start:start + 32] for start in range(0, len(data), 32)]


def _are_ids(data, most, least=0):
    return len(data) % 32 == 0 and least <= len(data) // 32 <= most


def _is_text(body):
    return 1 <= len(body.text.encode()) <= TEXT_BYTE_COUNT_MAX and is_prose(body.text)


def is_link(address):
    return len(address) <= 200 and re.fullmatch(r"https?://[!#-&(-;=?-\[\]-_a-~]+", address)


def is_registered(digits):
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


def _is_message(body):
    count = len(body.devices) // 32
    padded = len(body.text) - 16
    return (1 <= count <= RECIPIENTS_MAX and (len(body.devices), len(body.boxes)) == (32 * count, 80 * count)
            and padded % PADDING == 0 and PADDING <= padded <= PADDED_MAX)


def _is_ballot(body):
    return len(body.commitment) == 32 and 1 <= len(body.devices) // 32 <= RECIPIENTS_MAX and _is_epoch(body)


def seals(content):
    """Of an epoch's, a message's or a ballot's body: pairs of a device and the box sealed to it."""
    return [(content.devices[32 * place:32 * place + 32], content.boxes[80 * place:80 * place + 80])
            for place in range(len(content.devices) // 32)]


def _is_twinning(body):
    return (len(body.event_key), len(body.nonce), len(body.signature), len(body.box)) == (32, 32, 64, 48) and (
        is_label(body.name) and len(body.grant) in (0, HEADER.size + 64)
        and (not body.epoch or len(body.epoch) == 32 and any(body.epoch)))


def is_agreed(body, twin, event):
    """R-118: whether an organizer of the event that is the subject has agreed."""
    if twin == event or blake2b(domain("event"), body.event_key) != twin:
        return False
    signer = body.event_key
    if body.grant:
        try:
            grant = Operation.of_header(body.grant[:HEADER.size])
        except Refused:
            return False
        if (grant.kind, grant.argument, grant.event, grant.device) != (GRANT, 3, twin, body.event_key) or not is_signed(
                body.event_key, body.grant[HEADER.size:], domain("operation signature"), grant.header):
            return False
        signer = grant.subject
    return is_signed(signer, body.signature, domain("twinning"), twin, event)


def read_agreement(text):
    """The TwinAgreementBody of a text with which an organizer of another event agrees."""
    body = body_of(text, "DISPOSABLETWIN", pb.TwinAgreementBody)
    if len(body.other) != 32 or len(body.signature) != 64 or len(body.grant) not in (0, HEADER.size + 64):
        raise Refused("malformed")
    if body.grant:
        try:
            Operation.of_header(body.grant[:HEADER.size])
        except Refused:
            raise Refused("malformed") from None
    return body


def write_agreement(body):
    return write_invitation(body, "DISPOSABLETWIN")


RULES = {
    EPOCH: _is_epoch, CAPTION: _is_text, COMMENT: _is_text, NOTICE: _is_text,
    MESSAGE: _is_message, BALLOT: _is_ballot, VOTE: lambda body: len(body.box) == 112,
    SHARE: lambda body: len(body.box) == 80, SHARE_RELEASE: lambda body: len(body.share) == 32,
    GRANT: lambda body: _are_ids(body.cancels, NAMED_MAX) and len(body.reveal_key) in (0, 80),
    REVOKE_ROLE: lambda body: _are_ids(body.heads, HEADS_MAX),
    REVOKE_DEVICE: lambda body: _are_ids(body.heads, HEADS_MAX),
    LIST: lambda body: _are_ids(body.heads, HEADS_MAX, 1),
    **{kind: lambda body: _are_ids(body.hides, NAMED_MAX) for kind in (UNHIDE, APPROVAL, UNAPPROVE)},
    **{kind: lambda body: _are_ids(body.hides, NAMED_MAX, 1) for kind in (APPROVE, TICKETS)},
    TICKET_USE: lambda body: (len(body.guest), len(body.delegation)) == (32, 64) and not (
        body.sponsor or body.signature or body.epoch),
    EDIT: lambda body: body.HasField("value") and _are_ids(body.follows, NAMED_MAX, 1),
    **{kind: lambda body: len(body.secret) == 32 for kind in (REVEAL, CLOSING)},
    KEY_RELEASE: lambda body: all(len(key) in (0, 32) for key in (body.thumbnail, body.preview, body.original)),
    CHARTER: _is_charter, JOIN: _is_join, PHOTO: _is_photo, TWINNING: _is_twinning,
    NAME: lambda body: is_label(body.name),
    ORIGINAL: lambda body: _is_reference(body.original, 3) and len(body.sha256) == 32,
}


def make(key: SigningKey, event, kind, chain, time, content=None, subject=ZERO, argument=0):
    """A new operation of `key`'s device, after `chain`: its operations of the same set."""
    body = os.urandom(16) + content.SerializeToString() if content is not None else b""
    last = max(chain, key=lambda operation: operation.sequence, default=None)
    flags = KINDS[kind].is_authority | (2 if kind in (APPROVAL, SHARE) else 0)  # critical (§9.13)
    header = HEADER.pack(1, kind, flags, len(body), last.sequence + 1 if last else 0, argument, time,
                         event, public(key), last.id if last else ZERO, subject,
                         blake2b(domain("body"), body) if body else ZERO)
    return Operation(header, sign(key, domain("operation signature"), header), body)
