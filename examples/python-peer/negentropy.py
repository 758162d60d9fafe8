# SPDX-License-Identifier: Apache-2.0
"""Negentropy Protocol V1 (§10.1): which ids does each of two sets lack? Items are pairs (timestamp, id of 32 bytes)."""

import bisect
import hashlib

from event import Refused

VERSION = 0x61
INFINITY = 2**64 - 1
SKIP, FINGERPRINT, ID_LIST = 0, 1, 2
BUCKETS = 16
RESERVE = 200  # bytes kept free below the frame limit, for the range that ends a message cut short


def varint(value):
    digits = bytes([value & 0x7F])
    while value := value >> 7:
        digits = bytes([value & 0x7F | 0x80]) + digits
    return digits


def fingerprint(ids):
    total, count = 0, 0
    for item in ids:
        total, count = total + int.from_bytes(item, "little"), count + 1
    return hashlib.sha256((total % 2**256).to_bytes(32, "little") + varint(count)).digest()[:16]


class Input:
    def __init__(self, message):
        self.message, self.position, self.timestamp = message, 0, 0

    def take(self, count):
        start, self.position = self.position, self.position + count
        if self.position > len(self.message):
            raise Refused("malformed", "truncated")
        return self.message[start:self.position]

    def varint(self):
        value, digit = 0, 0x80
        while digit & 0x80:
            digit = self.take(1)[0]
            value = value << 7 | digit & 0x7F
            if value > INFINITY:
                raise Refused("malformed", "number too large")
        return value

    def bound(self):
        code = self.varint()
        self.timestamp = min(self.timestamp + code - 1, INFINITY) if code else INFINITY
        length = self.varint()
        if length > 32:
            raise Refused("malformed", "id prefix too long")
        return self.timestamp, self.take(length)


class Output:
    """A message under way."""

    def __init__(self):
        self.message, self.timestamp, self.skipped = bytearray([VERSION]), 0, None

    def range(self, bound, mode, payload=b""):
        """Adds a range; what was skipped before it is said first, as one range."""
        if self.skipped is not None:
            skipped, self.skipped = self.skipped, None
            self.range(skipped, SKIP)
        timestamp, prefix = bound
        self.message += varint(0 if timestamp == INFINITY else timestamp - self.timestamp + 1)
        self.message += varint(len(prefix)) + prefix + varint(mode) + payload
        self.timestamp = timestamp


class Reconciliation:
    """One side of a session over one copy of a set. An initiator gathers in `have` what the other lacks, in `need` what
    it lacks itself; under a frame limit an id may be in them twice."""

    def __init__(self, items, frame_limit=0, is_initiator=False):
        self.items = sorted(items)
        self.limit = frame_limit - RESERVE if frame_limit else float("inf")
        self.is_initiator, self.have, self.need = is_initiator, [], []

    def first(self):
        output = Output()
        self._split(output, 0, len(self.items), (INFINITY, b""))
        return bytes(output.message)

    def answer(self, message):
        """The next message; None where an initiator has nothing left to ask."""
        source, output = Input(message), Output()
        version = source.take(1)[0]
        if not 0x60 <= version <= 0x6F:
            raise Refused("malformed", "version invalid")
        if version != VERSION:
            if self.is_initiator:
                raise Refused("malformed", "version unsupported")
            return bytes([VERSION])
        lower = 0
        while source.position < len(message):
            bound = timestamp, prefix = source.bound()
            mode, kept = source.varint(), len(output.message)
            upper = bisect.bisect_left(self.items, (timestamp, prefix.ljust(32, b"\0")), lower)
            if mode == SKIP:
                output.skipped = bound
            elif mode == FINGERPRINT:
                if source.take(16) == self._fingerprint(lower, upper):
                    output.skipped = bound
                else:
                    self._split(output, lower, upper, bound)
            elif mode == ID_LIST:
                theirs = [source.take(32) for _ in range(source.varint())]
                if self.is_initiator:
                    self._compare(self._ids(lower, upper), theirs)
                    output.skipped = bound
                else:
                    upper = self._list(output, kept, lower, upper, bound)
            else:
                raise Refused("malformed", "mode unknown")
            if len(output.message) > self.limit:
                if mode != ID_LIST:
                    del output.message[kept:]
                output.skipped = None
                output.range((INFINITY, b""), FINGERPRINT, self._fingerprint(upper, len(self.items)))
                break
            lower = upper
        is_done = self.is_initiator and len(output.message) == 1
        return None if is_done else bytes(output.message)

    def _ids(self, lower, upper):
        return [item for _, item in self.items[lower:upper]]

    def _fingerprint(self, lower, upper):
        return fingerprint(self._ids(lower, upper))

    def _compare(self, ours, theirs):
        known, named = set(ours), set(theirs)
        self.have += [item for item in ours if item not in named]
        self.need += [item for item in dict.fromkeys(theirs) if item not in known]

    def _list(self, output, kept, lower, upper, bound):
        """A responder's list of what it has in a range, cut short where the message is full."""
        end, size = lower, kept
        while end < upper and size <= self.limit:
            end, size = end + 1, size + 32
        output.range(bound if end == upper else self.items[end], ID_LIST,
                     varint(end - lower) + b"".join(self._ids(lower, end)))
        return end

    def _split(self, output, lower, upper, bound):
        count = upper - lower
        if count < 2 * BUCKETS:
            output.range(bound, ID_LIST, varint(count) + b"".join(self._ids(lower, upper)))
            return
        for bucket in range(BUCKETS):
            end = lower + count // BUCKETS + (bucket < count % BUCKETS)
            output.range(bound if end == upper else self._bound_before(end), FINGERPRINT, self._fingerprint(lower, end))
            lower = end

    def _bound_before(self, index):
        """The shortest bound between an item and the one before it."""
        (time_before, before), (time, item) = self.items[index - 1:index + 1]
        if time_before != time:
            return time, b""
        return time, item[:next(i for i in range(32) if item[i] != before[i]) + 1]
