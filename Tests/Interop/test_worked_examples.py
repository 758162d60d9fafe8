# SPDX-License-Identifier: Apache-2.0
"""The worked examples of the specification (§18) against the vectors that they explain, byte by byte."""

import json
import re
from pathlib import Path

from connection import Noise
from event import blake2b, domain, is_signed, read_invitation
from messages import read_message
from operations import HEADER, Operation

PROTOCOL = Path(__file__).resolve().parents[2] / "protocol"
CHAPTER = (PROTOCOL / "disposable-v1.md").read_text().split("\n## 18. Worked examples\n")[1]
LINE = re.compile(r"^ +(\d+)  ([0-9a-f]+) +(\S.*)$")


def section(number):
    return CHAPTER.split(f"### 18.{number} ")[1].split("\n### ")[0]


def tables(number):
    """The annotated bytes of a section: for each table its fields as (offset, bytes, meaning)."""
    found = []
    for line in section(number).splitlines():
        if match := LINE.match(line):
            offset, data, meaning = int(match[1]), bytes.fromhex(match[2]), match[3]
            if offset == 0:
                found.append([])
            assert offset == sum(len(data) for _, data, _ in found[-1]), line
            found[-1].append((offset, data, meaning))
    return found


def whole(table):
    return b"".join(data for _, data, _ in table)


def vector(path):
    assert f"`vectors/{path}`" in CHAPTER
    return json.loads((PROTOCOL / "vectors" / path).read_text())


def test_the_operation_is_that_of_its_vector():
    expected = vector("operation/name.json")
    header, body = tables(1)
    assert whole(header).hex() == expected["header"] and whole(body).hex() == expected["body"]
    assert [len(data) for _, data, _ in header] == [1, 1, 2, 4, 4, 8, 8, 32, 32, 32, 32, 32]
    operation = Operation(whole(header), bytes.fromhex(expected["signature"]), whole(body))
    named = section(1)
    assert operation.id == blake2b(domain("operation id"), whole(header)) and operation.id.hex() in named
    assert HEADER.unpack(whole(header))[-1] == blake2b(domain("body"), whole(body))
    assert f"0x{operation.milliseconds:012x} ms, then counter {operation.time & 0xFFFF}" in named
    assert f"body length, {len(whole(body))}" in named and f"sequence {operation.sequence}" in named
    assert operation.signature.hex() in named and f'"{operation.content.name}"' in named
    assert is_signed(operation.device, operation.signature, domain("operation signature"), whole(header))


def test_the_frame_is_that_of_its_vector_and_opens():
    connection = vector("handshake/frames-both-ways.json")
    wire, plain = tables(2)
    step = connection["steps"][3]
    assert (whole(wire).hex(), whole(plain).hex()) == (step["bytes"], step["plaintext"])
    parties = {
        name: Noise(name == "dialler", bytes.fromhex(connection["prologue"]), bytes.fromhex(connection["psk"]),
                    *(bytes.fromhex(connection[name][key]) for key in ("static", "ephemeral")))
        for name in ("dialler", "listener")}
    for handshake in connection["steps"][:3]:
        other = "listener" if handshake["from"] == "dialler" else "dialler"
        message = parties[handshake["from"]].write()
        assert message == bytes.fromhex(handshake["bytes"])[2:]
        parties[other].read_empty(message)
    length, ciphertext, tag = (data for _, data, _ in wire)
    assert int.from_bytes(length, "big") == len(ciphertext) + len(tag)
    assert parties["dialler"].seal(whole(plain)) == ciphertext + tag
    kind, ping = read_message(whole(plain))
    assert kind == plain[0][1][0] == 2 and ping.nonce == 0 and ping.authority.fingerprint == plain[5][1]


def test_the_invitation_is_that_of_its_vector():
    expected = vector("invitation/without-address.json")
    (table,) = tables(3)
    text = "".join(re.search(r"DISPOSABLE1:\n +\S+\n +\S+\n", section(3))[0].split())
    assert text == expected["text"]
    body = read_invitation(text)
    assert whole(table)[:-4] == body.SerializeToString()
    assert table[-1][1] == blake2b(domain("invitation"), whole(table)[:-4])[:4]
    assert table[2][1] == body.event_key and table[5][1] == body.secret and table[8][1].decode() == body.name
    assert f"`{blake2b(domain('event'), body.event_key).hex()}`" in section(3)
