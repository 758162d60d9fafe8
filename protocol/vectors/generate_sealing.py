#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the vectors of sealed keys: sealing/*.json.

Boxes are made from the specification's words with X25519 and XSalsa20-Poly1305 of PyNaCl, the ephemeral key given, and
opened again with PyNaCl's own SealedBox, which draws its ephemeral keys and knows nothing of this file. Needs PyNaCl.
"""

import hashlib
import json
import pathlib

from nacl.bindings import crypto_aead_chacha20poly1305_ietf_encrypt, crypto_box, crypto_scalarmult_base
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox
from nacl.signing import SigningKey

HERE = pathlib.Path(__file__).resolve().parent


def derive(parent, context, data):
    return hashlib.blake2b(context.encode() + b"\0" + data, digest_size=32, key=parent).digest()


def seal(plaintext, recipient, ephemeral):
    sender = crypto_scalarmult_base(ephemeral)
    nonce = hashlib.blake2b(sender + recipient, digest_size=24).digest()
    return sender + crypto_box(plaintext, nonce, recipient, ephemeral)


def write(name, about, expect, **fields):
    path = HERE / "sealing" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    content = {"format": 1, "about": about, "spec": "§11", "expect": expect, **fields}
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def vector(name, about, sealed, secret, plaintext=None, **fields):
    """The independent implementation must agree with what the vector says."""
    try:
        opened = SealedBox(PrivateKey(secret)).decrypt(sealed)
    except CryptoError:
        opened = None
    assert opened == plaintext, name
    expect = "success" if plaintext is not None else "authentication failure"
    write(name, about, expect, secret=secret.hex(), sealed=sealed.hex(),
          plaintext=plaintext.hex() if plaintext is not None else None, **fields)


def epochs():
    """A new event secret for a device (§9.11)."""
    event, parent, secret, seed, device_seed = (bytes([byte]) * 32 for byte in (7, 8, 9, 10, 5))
    device = SigningKey(device_seed)
    to_device = bytes(device.verify_key.to_curve25519_public_key())
    own = bytes(device.to_curve25519_private_key())
    for name, about, before in (("epoch-after-the-first", "the first secret is replaced", bytes(32)),
                                ("epoch-after-another", "a secret is replaced that was a new one itself", parent)):
        ephemeral = derive(seed, "disposable/1 epoch sealing key", bytes(device.verify_key))
        commitment = derive(secret, "disposable/1 epoch commitment", event + before)
        vector(name, about, seal(secret, to_device, ephemeral), own, secret, deviceSeed=device_seed.hex(),
               ephemeral=ephemeral.hex(), sealingSeed=seed.hex(), event=event.hex(), parent=before.hex(),
               commitment=commitment.hex())


def messages():
    """A message to the organizers, and its key for one of their devices (§9.22)."""
    event, author, key, seed, device_seed = (bytes([byte]) * 32 for byte in (7, 8, 9, 10, 5))
    device = SigningKey(device_seed)
    to_device = bytes(device.verify_key.to_curve25519_public_key())
    own = bytes(device.to_curve25519_private_key())
    ephemeral = derive(seed, "disposable/1 message sealing key", bytes(device.verify_key))
    for name, about, text in (("message", "a text, padded to 256 bytes", "The cake is in the cellar.\nCan somebody bring it up? 🎂"),
                              ("message-of-256-bytes", "a text that needs no padding", "a" * 256),
                              ("message-of-2000-bytes", "the longest, padded to 2,048 bytes", "é" * 1000)):
        padded = text.encode() + bytes(-len(text.encode()) % 256)
        sealed = crypto_aead_chacha20poly1305_ietf_encrypt(padded, b"disposable/1 message\0" + event + author, bytes(12), key)
        vector(name, about, seal(key, to_device, ephemeral), own, key, deviceSeed=device_seed.hex(), ephemeral=ephemeral.hex(),
               sealingSeed=seed.hex(), event=event.hex(), author=author.hex(), text=text, sealedText=sealed.hex())


def main():
    epochs()
    messages()
    event_seed, event, import_secret, root = (bytes([byte]) * 32 for byte in (1, 2, 3, 4))
    secret = derive(event_seed, "disposable/1 reveal key", event)
    public = crypto_scalarmult_base(secret)
    ephemeral = derive(import_secret, "disposable/1 sealing key", root + public)
    plaintext = bytes(range(32))
    sealed = seal(plaintext, public, ephemeral)
    assert len(sealed) == 80
    vector("content-key", "a content key, sealed to an event's reveal key", sealed, secret, plaintext,
           eventKeySeed=event_seed.hex(), event=event.hex(), importSecret=import_secret.hex(), root=root.hex(),
           publicKey=public.hex(), ephemeral=ephemeral.hex())
    device = SigningKey(bytes([5]) * 32)
    to_device = bytes(device.verify_key.to_curve25519_public_key())
    vector("reveal-key-for-an-organizer", "the reveal key itself, sealed to a device's signing key as an X25519 key",
           seal(secret, to_device, bytes([6]) * 32), bytes(device.to_curve25519_private_key()), secret,
           deviceSeed=(bytes([5]) * 32).hex(), ephemeral=(bytes([6]) * 32).hex())
    vector("another-recipient", "sealed to somebody else", seal(plaintext, crypto_scalarmult_base(event), ephemeral), secret)
    vector("flipped-bit", "the lowest bit of the last byte", sealed[:-1] + bytes([sealed[-1] ^ 1]), secret)
    vector("another-ephemeral-key", "the box of one ephemeral key under another's public key",
           crypto_scalarmult_base(event) + sealed[32:], secret)


main()
