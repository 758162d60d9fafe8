# SPDX-License-Identifier: Apache-2.0
"""Shares of a secret (§9.25): Shamir's scheme over GF(256), by tables of powers of 3. Not in constant time."""

POWERS = [1]
for _ in range(254):
    doubled = POWERS[-1] << 1
    POWERS.append((doubled ^ (0x11B if doubled > 255 else 0)) ^ POWERS[-1])
LOGARITHMS = {power: exponent for exponent, power in enumerate(POWERS)}
COUNT_MAX = 8


def times(left, right):
    return POWERS[(LOGARITHMS[left] + LOGARITHMS[right]) % 255] if left and right else 0


def over(left, right):
    return POWERS[(LOGARITHMS[left] - LOGARITHMS[right]) % 255] if left else 0


def split(secret, threshold, count, coefficients):
    """Values by index, from 1; `coefficients` has the bytes of x, then those of x^2 and so on."""
    parts = [secret] + [coefficients[len(secret) * power:len(secret) * (power + 1)] for power in range(threshold - 1)]
    shares = {}
    for index in range(1, count + 1):
        value = bytes(len(secret))
        for part in reversed(parts):
            value = bytes(times(byte, index) ^ other for byte, other in zip(value, part))
        shares[index] = value
    return shares


def combine(shares):
    """The secret that values by index make, taken as all that are needed."""
    secret = bytes(len(next(iter(shares.values()))))
    for index, value in shares.items():
        weight = 1
        for other in shares.keys() - {index}:
            weight = times(weight, over(other, other ^ index))
        secret = bytes(byte ^ times(part, weight) for byte, part in zip(secret, value))
    return secret
