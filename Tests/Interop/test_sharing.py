# SPDX-License-Identifier: Apache-2.0
"""Shares against another implementation of the same field: `shamir-mnemonic`, the reference program of SLIP-39. It puts
the secret at 255 and this protocol at 0 (§9.25), so that whole polynomials are compared: any point from any others."""

import itertools
import json
import random

import pytest
from party import ROOT
from sharing import combine, split
from shamir_mnemonic.shamir import RawShare, _interpolate

FILES = sorted((ROOT / "protocol/vectors/sharing").glob("*.json"))


def interpolated(values, index):
    return _interpolate([RawShare(place, value) for place, value in values.items()], index)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_reference_program_of_slip_39_agrees_with_the_vectors(path):
    vector = json.loads(path.read_text())
    secret, threshold = bytes.fromhex(vector["secret"]), vector["threshold"]
    shares = {index: bytes.fromhex(value) for index, value in enumerate(vector["shares"], 1)}
    for chosen in itertools.combinations(shares, threshold):
        some = {index: shares[index] for index in chosen}
        assert interpolated(some, 0) == secret
        for index, value in shares.items():
            assert interpolated(some, index) == value
    assert interpolated({index: shares[index] for index in vector["chosen"]}, 0).hex() == vector["combined"]


@pytest.mark.parametrize("threshold, count", [(2, 2), (2, 3), (3, 5), (4, 8), (8, 8)])
def test_the_python_peer_agrees_with_it_on_random_secrets(threshold, count):
    drawn = random.Random(f"{threshold} of {count}")
    for _ in range(20):
        secret, coefficients = drawn.randbytes(32), drawn.randbytes(32 * (threshold - 1))
        shares = split(secret, threshold, count, coefficients)
        some = dict(drawn.sample(sorted(shares.items()), threshold))
        assert combine(some) == interpolated(some, 0) == secret
        assert interpolated({0: secret, **dict(itertools.islice(some.items(), threshold - 1))}, count) == shares[count]
