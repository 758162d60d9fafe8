#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the vectors of shares of a reveal key's secret half: sharing/*.json (§9.25).

Products in GF(256) are made by long multiplication of polynomials, and inverses by trying all; nothing here knows the
Python peer. Needs PyNaCl.
"""

import hashlib
import json
import pathlib

from nacl.bindings import crypto_scalarmult_base

HERE = pathlib.Path(__file__).resolve().parent


def times(left, right):
    product = 0
    for bit in range(8):
        product ^= left << bit if right >> bit & 1 else 0
    for bit in range(14, 7, -1):
        product ^= 0x11B << bit - 8 if product >> bit & 1 else 0
    return product


def inverse(element):
    return next(other for other in range(1, 256) if times(element, other) == 1)


def split(secret, threshold, count, coefficients):
    """Values by index; the polynomial of each byte is evaluated power by power."""
    shares = {}
    for index in range(1, count + 1):
        value, power = list(secret), 1
        for degree in range(threshold - 1):
            power = times(power, index)
            for place in range(len(secret)):
                value[place] ^= times(coefficients[degree * len(secret) + place], power)
        shares[index] = bytes(value)
    return shares


def combine(shares):
    secret = [0] * 32
    for index, value in shares.items():
        weight = 1
        for other in shares:
            if other != index:
                weight = times(weight, times(other, inverse(other ^ index)))
        for place, byte in enumerate(value):
            secret[place] ^= times(byte, weight)
    return bytes(secret)


def commitment(event, index, value):
    return hashlib.blake2b(b"disposable/1 share\0" + event + bytes([index]) + value, digest_size=32).digest()


def random(label, count):
    return b"".join(hashlib.blake2b(f"{label} {place}".encode(), digest_size=32).digest() for place in range(count))


def vector(name, about, threshold, count, chosen, secret=None, coefficients=None):
    event = bytes([7]) * 32
    secret = random(f"secret of {name}", 1) if secret is None else secret
    coefficients = random(f"coefficients of {name}", threshold - 1) if coefficients is None else coefficients
    shares = split(secret, threshold, count, coefficients)
    combined = combine({index: shares[index] for index in chosen})
    assert (combined == secret) == (len(chosen) >= threshold), name
    content = {
        "format": 1, "about": about, "spec": "§9.25", "expect": "success", "event": event.hex(), "secret": secret.hex(),
        "coefficients": coefficients.hex(), "threshold": threshold, "count": count, "chosen": list(chosen),
        "shares": [value.hex() for value in shares.values()],
        "commitments": [commitment(event, index, value).hex() for index, value in shares.items()],
        "revealKey": crypto_scalarmult_base(secret).hex(), "combined": combined.hex()}
    path = HERE / "sharing" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    vector("two-of-three", "two of three shares make the secret", 2, 3, (1, 3))
    vector("two-of-three-others", "so do two others, in the other order", 2, 3, (3, 2))
    vector("one-of-three", "one share alone makes something else: here, itself", 2, 3, (2,))
    vector("three-of-five", "three of five", 3, 5, (2, 3, 5))
    vector("all-of-three-of-five", "more than it takes", 3, 5, (1, 2, 3, 4, 5))
    vector("two-of-three-of-five", "fewer than it takes", 3, 5, (4, 5))
    vector("eight-of-eight", "the most", 8, 8, range(1, 9))
    vector("zero-coefficients", "with coefficients of zero each share is the secret; nobody draws them", 2, 2, (1, 2),
           coefficients=bytes(32))
    vector("highest-bytes", "bytes of 0xff", 2, 3, (1, 2), secret=b"\xff" * 32, coefficients=b"\xff" * 32)
