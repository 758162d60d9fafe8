#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes reconciliation/*.json, the vectors for set reconciliation (Negentropy Protocol V1).

A second implementation, written from the protocol's text and independent of the Swift one, so that vectors do not come
from the code they test. Its frame limit follows the reference implementation, as the text leaves that open.

Usage: generate_reconciliation.py [FOLDER]      (default: the folder `reconciliation` beside this file)
"""
import bisect
import hashlib
import json
import pathlib
import sys

VERSION = 0x61
INFINITY = 2**64 - 1
SKIP, FINGERPRINT, ID_LIST = 0, 1, 2
BUCKETS = 16
RESERVE = 200  # bytes below the frame limit at which ranges are no longer added


class Malformed(Exception):
    pass


class Reader:
    def __init__(self, message):
        self.message, self.position, self.timestamp = message, 0, 0

    def take(self, count):
        if count > len(self.message) - self.position:
            raise Malformed("truncated")
        self.position += count
        return self.message[self.position - count:self.position]

    def varint(self):
        value = 0
        while True:
            digit = self.take(1)[0]
            value = value << 7 | digit & 0x7F
            if value >> 64:
                raise Malformed("number too large")
            if digit < 0x80:
                return value

    def bound(self):
        code = self.varint()
        self.timestamp = INFINITY if code == 0 else min(self.timestamp + code - 1, INFINITY)
        count = self.varint()
        if count > 32:
            raise Malformed("id prefix too long")
        return self.timestamp, self.take(count)


class Writer:
    def __init__(self):
        self.timestamp = 0

    @staticmethod
    def varint(value):
        digits = [value & 0x7F]
        while value := value >> 7:
            digits.append(value & 0x7F | 0x80)
        return bytes(reversed(digits))

    def bound(self, bound):
        timestamp, prefix = bound
        code = 0 if timestamp == INFINITY else timestamp - self.timestamp + 1
        self.timestamp = timestamp
        return self.varint(code) + self.varint(len(prefix)) + prefix

    def range(self, bound, mode, payload=b""):
        return self.bound(bound) + self.varint(mode) + payload

    def id_list(self, bound, items):
        return self.range(bound, ID_LIST, self.varint(len(items)) + b"".join(id for _, id in items))


class Peer:
    """One side: `items` are pairs (timestamp, id of 32 bytes)."""

    def __init__(self, items, frame_size_limit=0):
        self.items = sorted(items)
        self.soft_limit = frame_size_limit - RESERVE if frame_size_limit else float("inf")
        self.is_initiator, self.have, self.need = False, [], []

    def initiate(self):
        self.is_initiator = True
        return bytes([VERSION]) + self.split(Writer(), 0, len(self.items), (INFINITY, b""))

    def fingerprint(self, lower, upper):
        total = sum(int.from_bytes(id, "little") for _, id in self.items[lower:upper]) % 2**256
        return hashlib.sha256(total.to_bytes(32, "little") + Writer.varint(upper - lower)).digest()[:16]

    def bound_before(self, index):
        """The shortest bound between an item and the one before it."""
        (previous_timestamp, previous), (timestamp, id) = self.items[index - 1], self.items[index]
        if timestamp != previous_timestamp:
            return timestamp, b""
        shared = next(i for i in range(32) if id[i] != previous[i])
        return timestamp, id[:shared + 1]

    def split(self, writer, lower, upper, bound):
        count = upper - lower
        if count < 2 * BUCKETS:
            return writer.id_list(bound, self.items[lower:upper])
        output = b""
        for bucket in range(BUCKETS):
            end = lower + count // BUCKETS + (bucket < count % BUCKETS)
            end_bound = bound if end == upper else self.bound_before(end)
            output += writer.range(end_bound, FINGERPRINT, self.fingerprint(lower, end))
            lower = end
        return output

    def reconcile(self, message):
        """The answer; an initiator that answers one byte is done."""
        reader, writer, output = Reader(message), Writer(), bytes([VERSION])
        version = reader.take(1)[0]
        if not 0x60 <= version <= 0x6F:
            raise Malformed("version invalid")
        if version != VERSION:
            if self.is_initiator:
                raise Malformed("version unsupported")
            return output
        lower, skipped = 0, None
        while reader.position < len(message):
            timestamp, prefix = bound = reader.bound()
            key = timestamp, prefix.ljust(32, b"\0")
            upper = bisect.bisect_left(self.items, key, lower)
            mode, part = reader.varint(), b""
            skip_first = lambda: writer.range(skipped, SKIP) if skipped else b""
            if mode == SKIP:
                skipped = bound
            elif mode == FINGERPRINT:
                if reader.take(16) == self.fingerprint(lower, upper):
                    skipped = bound
                else:
                    part, skipped = skip_first() + self.split(writer, lower, upper, bound), None
            elif mode == ID_LIST:
                ids = [reader.take(32) for _ in range(reader.varint())]
                if self.is_initiator:
                    ours = [id for _, id in self.items[lower:upper]]
                    self.have += [id for id in ours if id not in set(ids)]
                    self.need += [id for id in dict.fromkeys(ids) if id not in set(ours)]
                    skipped = bound
                else:
                    output_count, listed = len(output), lower
                    output += skip_first()
                    while listed < upper and output_count + 32 * (listed - lower) <= self.soft_limit:
                        listed += 1
                    end_bound = bound if listed == upper else self.items[listed]
                    output += writer.id_list(end_bound, self.items[lower:listed])
                    upper, skipped = listed, None
            else:
                raise Malformed("mode unknown")
            if len(output) + len(part) > self.soft_limit:
                rest = self.fingerprint(upper, len(self.items))
                return output + writer.range((INFINITY, b""), FINGERPRINT, rest)
            output += part
            lower = upper
        return output


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        mask = 2**64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & mask
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
        return mixed ^ mixed >> 31


def generated(seed, both, initiatorOnly, responderOnly, timestampStart, timestampSpan):
    """Per item one number for the timestamp, four big-endian ones for the id: shared items first, then each side's."""
    random = SplitMix64(seed)

    def items(count):
        return [(timestampStart + random.next() % timestampSpan,
                 b"".join(random.next().to_bytes(8, "big") for _ in range(4))) for _ in range(count)]
    shared, first, second = items(both), items(initiatorOnly), items(responderOnly)
    return shared + first, shared + second


def transcript(initiator, responder):
    """All messages, the initiator's first, until it is done."""
    messages = [initiator.initiate()]
    while len(messages[-1]) > 1 or len(messages) % 2 == 0:
        messages.append((initiator if len(messages) % 2 == 0 else responder).reconcile(messages[-1]))
    return messages[:-1]


def listed(items):
    return [{"timestamp": timestamp, "id": id.hex()} for timestamp, id in sorted(items)]


def exchange(about, sets, limits=(0, 0)):
    first, second = generated(**sets) if isinstance(sets, dict) else sets
    initiator, responder = Peer(first, limits[0]), Peer(second, limits[1])
    messages = transcript(initiator, responder)
    have, need = sorted(set(initiator.have)), sorted(set(initiator.need))
    assert have == sorted({i for _, i in first} - {i for _, i in second})
    assert need == sorted({i for _, i in second} - {i for _, i in first})
    shown = {"generated": sets} if isinstance(sets, dict) else {
        "initiator": listed(first), "responder": listed(second)}
    return {"about": about, "expect": "success", "kind": "exchange",
            "frameSizeLimit": {"initiator": limits[0], "responder": limits[1]}, **shown,
            "messages": [message.hex() for message in messages],
            "have": [id.hex() for id in have], "need": [id.hex() for id in need]}


def answer(about, message, role="responder", items=((1000, bytes(32)), (2000, bytes([1] * 32)))):
    peer = Peer(items)
    peer.is_initiator = role == "initiator"
    vector = {"about": about, "kind": "answer", "role": role, "items": listed(items), "message": message}
    try:
        reply = peer.reconcile(bytes.fromhex(message)).hex()
        return {**vector, "expect": "success", "reply": reply}
    except Malformed as error:
        return {**vector, "expect": "malformed", "reason": str(error)}


def vectors():
    one, two = (1000, bytes([0x11] * 32)), (2000, bytes([0x22] * 32))
    near = [(5000, bytes(31) + bytes([index])) for index in range(40)]
    random = dict(seed=1, both=0, initiatorOnly=0, responderOnly=0, timestampStart=1_700_000_000_000,
                  timestampSpan=86_400_000)
    yield "empty-versus-empty", exchange("two empty sets", ([], []))
    yield "empty-versus-two", exchange("the initiator has nothing", ([], [one, two]))
    yield "two-versus-empty", exchange("the responder has nothing", ([one, two], []))
    yield "equal-31", exchange("31 items are listed", {**random, "both": 31})
    yield "equal-32", exchange("32 items are split into 16 fingerprints", {**random, "both": 32})
    yield "equal-1000", exchange("equal sets take one round", {**random, "seed": 2, "both": 1000})
    yield "one-versus-300", exchange(
        "almost nothing against much", {**random, "seed": 3, "both": 1, "responderOnly": 299})
    yield "scattered-differences", exchange(
        "differences on both sides in many ranges",
        {**random, "seed": 4, "both": 1000, "initiatorOnly": 8, "responderOnly": 12})
    yield "three-timestamps", exchange(
        "many items with equal timestamps, so that bounds carry prefixes of ids",
        {**random, "seed": 5, "both": 700, "initiatorOnly": 9, "responderOnly": 11, "timestampSpan": 3})
    yield "ids-differ-in-last-byte", exchange(
        "bounds that carry whole ids", (near, near[:17] + near[18:] + [(5001, bytes([1] * 32))]))
    yield "largest-timestamp", exchange(
        "timestamps up to 2^64 - 2, whose codes take ten bytes",
        ([(2**64 - 2 - index, bytes([index] * 32)) for index in range(33)], [(2**64 - 2, bytes([0xFF] * 32))]))
    many = {**random, "seed": 6, "both": 200, "initiatorOnly": 80, "responderOnly": 150}
    yield "frame-limit-4096", exchange("answers are cut off at the smallest limit", many, (4096, 4096))
    yield "frame-limit-of-initiator", exchange("only the initiator has a limit", {**many, "seed": 7}, (4096, 0))
    yield "frame-limit-of-responder", exchange("only the responder has a limit", {**many, "seed": 8}, (0, 4096))
    yield "version-of-the-future", answer("a responder answers with the version it has", "62aabbccddeeff")
    yield "version-below", answer("60 is a version, too", "60")
    yield "version-refused-by-responder", answer("a responder that cannot do version 1", "60", "initiator")
    yield "version-invalid", answer("no version byte of negentropy", "70")
    yield "bounds-out-of-order", answer(
        "the second range ends before it starts, and is empty", "61" + "8f5108" + "ff" * 8 + "0200" + "0100" + "0200")
    yield "timestamp-saturates", answer(
        "a sum past the end is infinity", "61" + "876a" + "0000" + "81" + "ff" * 8 + "7f" + "000200")
    yield "leading-zero-digits", answer("a number longer than needed is read all the same", "6180808000000200")
    yield "trailing-skip", answer("nothing is said after the last difference", "61000000")
    yield "id-listed-twice", answer(
        "an id that the responder lists twice is needed once", "61000002" + "02" + "ab" * 64, "initiator")
    yield "message-empty", answer("no version", "")
    yield "bound-missing-prefix", answer("a prefix longer than the message", "61010511")
    yield "prefix-of-33", answer("a prefix longer than an id", "610121" + "00" * 33 + "00")
    yield "fingerprint-of-15", answer("a fingerprint cut short", "61000001" + "00" * 15)
    yield "list-without-ids", answer("a list that claims 2^63 ids", "61000002" + "81" + "80" * 8 + "00")
    yield "number-of-65-bits", answer("a timestamp of more than 64 bits", "61" + "83" + "ff" * 8 + "7f")
    yield "mode-3", answer("a mode that does not exist", "61000003")


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "reconciliation"
    folder.mkdir(parents=True, exist_ok=True)
    for name, vector in vectors():
        head = {"format": 1, "about": vector.pop("about"), "spec": "Negentropy Protocol V1"}
        head["expect"] = vector.pop("expect")
        (folder / f"{name}.json").write_text(json.dumps({**head, **vector}, indent=1) + "\n")


if __name__ == "__main__":
    main()
