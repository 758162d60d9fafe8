#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes protocol/vectors/noise/*.json with an independent implementation of Noise.

    python3 -m venv venv && venv/bin/pip install noiseprotocol==0.3.1 && venv/bin/python generate_noise.py

Keys are hashes of their names, so every run writes the same bytes. A scenario is a list of steps, one a message:
`payload`, and where something goes wrong `tamper`, a function from the list of ciphertexts so far (the last one is the
message itself) to the bytes that arrive. Each expected failure is also provoked in noiseprotocol itself.
"""
import hashlib
import json
import pathlib
import types

from noise.connection import Keypair, NoiseConnection

NAME = "Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b"
FOLDER = pathlib.Path(__file__).parent / "noise"


def secret(name):
    return hashlib.blake2b(b"disposable test vector, noise, " + name.encode(), digest_size=32).digest()


PSK = secret("event secret")
PROLOGUE = b"DSPL\x01" + secret("prologue")[:16]
HELLO = [b"dialling", b"answering", b"and my name", b"first answer", "grüße".encode(), b"", bytes(range(256))]


def flip(bit):
    """The message itself with one bit changed; a negative number counts from the end."""
    def tamper(sent):
        changed = bytearray(sent[-1])
        changed[bit // 8] ^= 1 << bit % 8
        return bytes(changed)
    return tamper


def party(role, psk, prologue):
    connection = NoiseConnection.from_name(NAME.encode())
    connection.set_as_initiator() if role == "init" else connection.set_as_responder()
    connection.set_psks(psk)
    connection.set_prologue(prologue)
    connection.set_keypair_from_private_bytes(Keypair.STATIC, secret(role + " static"))
    connection.set_keypair_from_private_bytes(Keypair.EPHEMERAL, secret(role + " ephemeral"))
    connection.start_handshake()
    return connection


def with_zero_ephemeral(role, before):
    """What `role` would send if its ephemeral public key were 32 zeros, after the messages `before`."""
    forger = party(role, PSK, PROLOGUE)
    for message in before:
        if role == "resp":
            forger.read_message(message)
    state = forger.noise_protocol.handshake_state
    state.e = types.SimpleNamespace(private=state.e.private, public=state.e.public, public_bytes=bytes(32))
    return bytes(forger.write_message(b""))


def second_message():
    """The initiator's second message after the handshake of HELLO, sealed before anybody read the first."""
    init, resp = party("init", PSK, PROLOGUE), party("resp", PSK, PROLOGUE)
    for index, payload in enumerate(HELLO[:3]):
        writer, reader = (init, resp) if index % 2 == 0 else (resp, init)
        reader.read_message(writer.write_message(payload))
    init.encrypt(HELLO[4])
    return init.encrypt(HELLO[6])


def fails(action):
    try:
        action()
    except Exception:  # noiseprotocol and cryptography raise many kinds; which one is theirs to choose
        return True
    return False


def write(file_name, about, steps, expect="success", fails_on="read", spec="§6", resp_psk=PSK, resp_prologue=PROLOGUE):
    init, resp = party("init", PSK, PROLOGUE), party("resp", resp_psk, resp_prologue)
    vector = {"format": 1, "about": about, "spec": spec, "expect": expect}
    messages, sent = [], []
    for index, step in enumerate(steps):
        writer, reader = (init, resp) if index % 2 == 0 else (resp, init)
        message = {"payload": step["payload"].hex()}
        messages.append(message)
        is_last = index == len(steps) - 1
        if step.get("rekey"):
            message["rekey"] = True
            writer.rekey_outbound_cipher()
            reader.rekey_inbound_cipher()
        handshaking = index < 3
        send = writer.write_message if handshaking else writer.encrypt
        if is_last and expect != "success" and fails_on == "write":
            assert fails(lambda: send(step["payload"])), file_name
            break
        ciphertext = bytes(send(step["payload"]))
        sent.append(ciphertext)
        message["ciphertext"] = ciphertext.hex()
        arrived = step["tamper"](sent) if "tamper" in step else ciphertext
        if arrived != ciphertext:
            message["delivered"] = arrived.hex()
        read = reader.read_message if handshaking else reader.decrypt
        if is_last and expect != "success":
            assert fails(lambda: read(arrived)), file_name
            break
        payload = bytes(read(arrived))
        assert payload == step["payload"] or "tamper" in step, file_name
    if expect != "success":
        vector["fails_at"] = len(steps) - 1
        vector["fails_on"] = fails_on
    vector["protocol_name"] = NAME
    for role, psk, prologue in (("init", PSK, PROLOGUE), ("resp", resp_psk, resp_prologue)):
        vector[role + "_prologue"] = prologue.hex()
        vector[role + "_psks"] = [psk.hex()]
        vector[role + "_static"] = secret(role + " static").hex()
        vector[role + "_ephemeral"] = secret(role + " ephemeral").hex()
    if init.handshake_finished and resp.handshake_finished:
        assert init.get_handshake_hash() == resp.get_handshake_hash()
        vector["handshake_hash"] = init.get_handshake_hash().hex()
    vector["messages"] = messages
    (FOLDER / (file_name + ".json")).write_text(json.dumps(vector, indent=2, ensure_ascii=False) + "\n", "utf-8")


def steps(count, **last):
    """The first `count` messages of HELLO, the last of them with something special."""
    result = [{"payload": payload} for payload in HELLO[:count]]
    result[-1].update(last)
    return result


FOLDER.mkdir(exist_ok=True)
AUTH = "authentication failure"
write("xxpsk0-handshake-and-messages", "a whole handshake with payloads, then messages both ways", steps(7))
write("xxpsk0-empty-payloads", "the shortest handshake: 48, 96 and 64 bytes", [{"payload": b""}] * 5)
write("xxpsk0-rekey", "the initiator's direction is rekeyed after one message, the responder's is not",
      steps(5) + [{"payload": b"old key"}, {"payload": b"new key", "rekey": True}, {"payload": b"old key"},
                  {"payload": b"new key, next nonce"}])

write("xxpsk0-wrong-psk", "no invitation: refused at the first message, before any Diffie-Hellman",
      steps(1), AUTH, resp_psk=secret("another event secret"))
write("xxpsk0-wrong-prologue", "another prologue, one bit apart: refused at the first message",
      steps(1), AUTH, resp_prologue=bytes([PROLOGUE[0] ^ 1]) + PROLOGUE[1:])
write("xxpsk0-message-1-truncated", "one byte less than an ephemeral key and a tag",
      [{"payload": b"", "tamper": lambda sent: sent[-1][:-1]}], "malformed")
write("xxpsk0-message-1-flipped-ephemeral", "a changed bit in the ephemeral key, which is sent in the clear",
      steps(1, tamper=flip(5)), AUTH)
write("xxpsk0-message-2-flipped-bit", "a changed bit in the responder's encrypted static key",
      steps(2, tamper=flip(32 * 8)), AUTH)
write("xxpsk0-message-2-truncated", "the ephemeral key alone",
      steps(2, tamper=lambda sent: sent[-1][:32]), "malformed")
write("xxpsk0-message-3-flipped-bit", "a changed bit in the last tag", steps(3, tamper=flip(-1)), AUTH)
write("xxpsk0-zero-ephemeral-initiator",
      "the initiator's ephemeral key is all zero, in a message that is otherwise right: the answer cannot be written",
      [{"payload": b"", "tamper": lambda sent: with_zero_ephemeral("init", [])}, {"payload": HELLO[1]}],
      "weak public key", fails_on="write")
write("xxpsk0-zero-ephemeral-responder", "the responder's ephemeral key is all zero",
      [{"payload": b""}, {"payload": b"", "tamper": lambda sent: with_zero_ephemeral("resp", sent[:1])}],
      "weak public key")

write("xxpsk0-transport-flipped-bit", "a changed bit in a message after the handshake",
      steps(5, tamper=flip(0)), AUTH)
write("xxpsk0-transport-truncated", "a message shorter than its tag",
      steps(5, tamper=lambda sent: sent[-1][:15]), "malformed")
write("xxpsk0-transport-replayed", "the responder's first message comes again instead of its second",
      steps(6, tamper=lambda sent: sent[-3]), AUTH)
write("xxpsk0-transport-skipped", "the initiator's second message comes instead of its first",
      steps(5, tamper=lambda sent: second_message()), AUTH)
write("xxpsk0-transport-reflected", "the initiator gets the message it sent itself",
      steps(6, tamper=lambda sent: sent[-2]), AUTH)
