# SPDX-License-Identifier: Apache-2.0
"""Messages between peers (§7): types, codes, and the checks that need nothing but the message itself."""

import struct
from typing import NamedTuple

from google.protobuf.message import DecodeError

import disposable_pb2 as pb
from event import BYTE_COUNT_MAX, Refused, is_address

AUTHENTICATION, PING, PONG, CLOSE, ADMISSION, ADDRESSES, REGISTER, PAGES = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08
OPERATIONS, RECONCILE, WANT = 0x10, 0x11, 0x12
HAVE, REQUEST, LIST, DATA, REFUSAL, CANCEL = 0x20, 0x21, 0x22, 0x23, 0x24, 0x25
OPTIONAL = 0x80  # types from here on may be passed over by who does not know them (§13)
SCHEMAS = {
    AUTHENTICATION: pb.Authentication, PING: pb.Ping, PONG: pb.Ping, CLOSE: pb.Close, ADMISSION: pb.AdmissionMessage,
    ADDRESSES: pb.Addresses, REGISTER: pb.Register, PAGES: pb.Pages, OPERATIONS: pb.Operations, RECONCILE: pb.Reconcile,
    WANT: pb.Want, HAVE: pb.Have,
    REQUEST: pb.ChunkRequest, LIST: pb.ChunkList, REFUSAL: pb.Refusal, CANCEL: pb.Cancel,
}

CODES = {1: "malformed", 2: "limitExceeded", 3: "unsupportedVersion", 4: "authenticationFailed",
         5: "duplicateConnection", 6: "busy", 7: "shuttingDown", 8: "sameDevice", 9: "unresponsive", 10: "notAdmitted",
         11: "rotated", 12: "invitationReplaced",
         32: "notHere", 33: "removed"}
CODE = {name: number for number, name in CODES.items()}
MAY_RETRY = {"busy", "shuttingDown", "unresponsive", "notAdmitted", "rotated", "invitationReplaced"}

RECONCILE_MAX, WANTED_MAX, BATCH_MAX, BATCH_BYTES_MAX = 32_768, 1024, 256, 61_440
DATA_MAX, CHUNKS_PER_BLOB_MAX, CHUNKS_PER_REQUEST_MAX = 52_432, 1024, 64


class Data(NamedTuple):
    request: int
    chunk: int
    offset: int
    bytes: bytes


def read_message(plaintext):
    """The type and the message of a frame's plaintext, None for one to be passed over. Whether it may come now is for
    the peer to say."""
    if not plaintext:
        raise Refused("malformed", "a message without a type")
    kind, payload = plaintext[0], plaintext[1:]
    if kind == DATA:
        need(len(payload) > 12, "data without bytes")
        limit(len(payload) - 12, DATA_MAX, "bytes of data")
        return kind, Data(*struct.unpack(">III", payload[:12]), payload[12:])
    if kind >= OPTIONAL and kind not in SCHEMAS:
        return kind, None
    need(kind in SCHEMAS, f"type {kind}")
    try:
        message = SCHEMAS[kind].FromString(payload)
    except DecodeError:
        raise Refused("malformed", f"a payload of type {kind}") from None
    if kind in CHECKS:
        CHECKS[kind](message)
    return kind, message


def need(is_so, about):
    if not is_so:
        raise Refused("malformed", about)


def limit(count, most, about):
    if count > most:
        raise Refused("limit exceeded", f"{count} {about}")


def check_authentication(message):
    limit(len(message.claims), 1024, "bytes of claims")
    need(len(message.signature) == 64, "signature")


def check_ping(message):
    need(message.HasField("authority") and message.HasField("content"), "summaries")
    need(len(message.authority.fingerprint) == len(message.content.fingerprint) == 16, "fingerprint")


def check_admission(message):
    need(len(message.sponsor) == 32 and len(message.signature) == 64 and
         (not message.epoch or len(message.epoch) == 32 and any(message.epoch)), "admission")


def check_addresses(message):
    limit(len(message.addresses), 32, "addresses")
    need(all(map(is_address, message.addresses)), "address")


def check_pages(message):
    limit(len(message.addresses), 4, "addresses of pages")
    need(all(map(is_address, message.addresses)), "address")


def register_claims(message):
    try:
        return pb.RegisterClaims.FromString(message.claims)
    except DecodeError:
        raise Refused("malformed", "claims") from None


def check_register(message):
    limit(len(message.claims), 49_152, "bytes of claims")
    claims = register_claims(message)
    need(len(claims.device) == 32 and len(claims.instance) == 16 and len(message.signature) == 64, "register")
    places = [*claims.originals, *claims.destroyed]
    limit(len(places), 512, "places")
    need(all(len(each.device) == 32 and len(each.bits) <= 32_768 for each in places), "place")


def check_operations(message):
    limit(len(message.operations), BATCH_MAX, "operations")
    for each in message.operations:
        need(len(each.header) == 188 and len(each.signature) == 64, "operation")
    limit(sum(252 + len(each.body) for each in message.operations), BATCH_BYTES_MAX, "bytes of operations")


def check_reconcile(message):
    limit(len(message.message), RECONCILE_MAX, "bytes of negentropy")
    need(message.set <= 1, "set")


def check_want(message):
    limit(len(message.ids), WANTED_MAX, "ids")
    need(message.set <= 1, "set")
    need(all(len(item) == 32 for item in message.ids), "id")


def runs(holding):
    """Pairs (start, end) of sequence numbers."""
    end, ranges = 0, []
    for gap, length in zip(holding.runs[::2], holding.runs[1::2]):
        need(length > 0 and (gap > 0 or not ranges) and end + gap + length <= 1 << 18, "run")
        ranges.append((end + gap, end + gap + length))
        end += gap + length
    return ranges


def check_have(message):
    limit(len(message.holdings), 64, "holdings")
    limit(len(message.partials), 256, "partials")
    for holding in message.holdings:
        limit(len(holding.runs), 4096, "numbers of runs")
        need(len(holding.device) == 32 and len(holding.runs) % 2 == 0, "holding")
        runs(holding)
    for partial in message.partials:
        limit(len(partial.chunks), 128, "bytes of a bitmap")
        need(len(partial.root) == 32, "partial")
        if partial.blob_class in BYTE_COUNT_MAX:
            need(1 <= partial.byte_count <= BYTE_COUNT_MAX[partial.blob_class], "length of a partial")


def check_request(message):
    limit(message.chunk_count, CHUNKS_PER_REQUEST_MAX, "chunks")
    need(len(message.root) == 32 and message.chunk_count > 0 and message.first_chunk < CHUNKS_PER_BLOB_MAX, "request")
    need(1 <= message.byte_count <= BYTE_COUNT_MAX.get(message.blob_class, 0), "class or length")


def check_list(message):
    limit(len(message.hashes), 32 * CHUNKS_PER_BLOB_MAX, "bytes of hashes")
    need(len(message.hashes) % 32 == 0, "list")


CHECKS = {
    AUTHENTICATION: check_authentication, PING: check_ping, PONG: check_ping, ADMISSION: check_admission,
    CLOSE: lambda message: limit(len(message.reason.encode()), 256, "bytes of a reason"),
    ADDRESSES: check_addresses, REGISTER: check_register, PAGES: check_pages, OPERATIONS: check_operations, RECONCILE: check_reconcile, WANT: check_want,
    HAVE: check_have, REQUEST: check_request, LIST: check_list,
}
