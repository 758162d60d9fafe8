# SPDX-License-Identifier: Apache-2.0
"""What is arithmetic in the protocol: hashes and keys (§4), labels (§8.4), invitations (§6.9) and blobs (§11)."""

import base64
import hashlib
import hmac
import struct
from dataclasses import dataclass

from google.protobuf.message import DecodeError
from nacl.bindings import crypto_aead_chacha20poly1305_ietf_decrypt as aead_open
from nacl.bindings import crypto_aead_chacha20poly1305_ietf_encrypt as aead_seal
from nacl.bindings import crypto_box, crypto_box_open, crypto_scalarmult_base
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox
from nacl.signing import VerifyKey

import disposable_pb2 as pb

ZERO = bytes(32)
CHUNK = 1 << 18
TAG = 16
BYTE_COUNT_MAX = {1: 24 << 10, 2: 512 << 10, 3: 256 << 20}  # by blob class: thumbnail, preview, original


class Refused(Exception):
    """Bytes that the protocol refuses. `kind` is one of the failures that protocol/vectors names."""

    def __init__(self, kind, about=""):
        super().__init__(f"{kind}: {about}" if about else kind)
        self.kind = kind


# ---------------------------------------------------------------- hashes and keys (§4)

def domain(name):
    return b"disposable/1 " + name.encode() + b"\0"


def blake2b(*parts, key=b"", size=32):
    return hashlib.blake2b(b"".join(parts), key=key, digest_size=size).digest()


def derive(parent, context, data):
    return blake2b(domain(context), data, key=parent)


def sign(key, *parts):
    return key.sign(b"".join(parts)).signature


def is_signed(public_key, signature, *parts):
    """By libsodium's rules, which are the protocol's (§8.2)."""
    try:
        VerifyKey(public_key).verify(b"".join(parts), signature)
        return True
    except (CryptoError, ValueError, TypeError):
        return False


def public(key):
    return bytes(key.verify_key)


class Event:
    """The event's public key and secret, and all that follows from them."""

    def __init__(self, key, secret):
        self.key, self.secret = key, secret
        self.id = blake2b(domain("event"), key)
        self.psk = derive(secret, "noise psk", self.id)
        self.preface_key = derive(secret, "preface tag", self.id)
        self.advertisement_key = derive(secret, "advertisement tag", self.id)

    def advertisement_tag(self, salt):
        return blake2b(salt, key=self.advertisement_key, size=16)

    def under(self, secret):
        """The same event under another secret (§6.12)."""
        return Event(self.key, secret)

    def commits(self, commitment, parent):
        """Whether an epoch's commitment is to this secret (§9.11)."""
        return is_equal(commitment, derive(self.secret, "epoch commitment", self.id + parent))

    def admission(self, sponsor_key, device, epoch=b""):
        return sign(sponsor_key, domain("admission"), self.id, device, epoch)

    def is_admission(self, sponsor, signature, device, epoch=b""):
        return is_signed(sponsor, signature, domain("admission"), self.id, device, epoch)


# ---------------------------------------------------------------- labels (§8.4)

def _ranges(text):
    return [tuple(int(end, 16) for end in (part.split("-") * 2)[:2]) for part in text.split()]


FORBIDDEN = _ranges("0000-001F 007F-009F 2028-2029 202A-202E 2066-2069")
INVISIBLE = _ranges("0020 00A0 00AD 034F 061C 115F-1160 1680 17B4-17B5 180B-180F 2000-200F 202F 205F-206F 2800 3000 "
                    "3164 FE00-FE0F FEFF FFA0 FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF")


def is_label(text):
    def is_in(ranges, scalar):
        return any(first <= ord(scalar) <= last for first, last in ranges)

    return (len(text.encode()) <= 320 and len(text) <= 160
            and not any(is_in(FORBIDDEN, scalar) for scalar in text)
            and not all(is_in(INVISIBLE, scalar) for scalar in text))


def is_prose(text, most=5_000):
    """A label's characters and line feeds, or nothing; a letter in front keeps what is invisible alone from counting."""
    return len(text.encode()) <= most and all(is_label("a" + character) for character in text if character != "\n")


# ---------------------------------------------------------------- invitations (§6.9)

def is_address(address):
    """Of a NodeAddress: an IPv4 or IPv6 address that means something elsewhere, and a port."""
    is_link_local = len(address.ip) == 16 and address.ip[0] == 0xFE and address.ip[1] & 0xC0 == 0x80
    return len(address.ip) in (4, 16) and not is_link_local and 1 <= address.port <= 65_535


def read_invitation(text):
    """The InvitationBody of a text that somebody has typed or scanned."""
    if "".join(text.split()).upper().startswith("HTTP"):
        raise Refused("guest link", "this opens a page, it does not let a node in")
    return body_of(text, "DISPOSABLE", pb.InvitationBody)


def body_of(text, scheme, message):
    """What a text of this scheme says: whose event, its name, its secret and addresses, and more in some."""
    text = "".join(text.split()).upper()
    word, colon, digits = text.partition(":")
    if not colon or not word.startswith(scheme):
        raise Refused("not an invitation")
    if word != scheme + "1":
        raise Refused("unsupported version", word)
    if len(text) > 2048:
        raise Refused("limit exceeded", f"{len(text)} characters")
    for position, digit in enumerate(digits):
        if digit not in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567":
            raise Refused("invalid character", f"{digit!r} at position {position + len(word) + 2}")
    try:
        data = base64.b32decode(digits + "=" * (-len(digits) % 8))
    except ValueError:
        raise Refused("damaged") from None
    is_canonical = base64.b32encode(data).decode().rstrip("=") == digits
    if not is_canonical or len(data) < 4 or blake2b(domain("invitation"), data[:-4])[:4] != data[-4:]:
        raise Refused("damaged")
    try:
        body = message.FromString(data[:-4])
    except DecodeError:
        raise Refused("malformed") from None
    if (len(body.event_key) != 32 or len(body.secret) != 32 or not is_label(body.name)
            or len(body.addresses) > 8 or not all(map(is_address, body.addresses))):
        raise Refused("malformed")
    return body


def write_invitation(body, scheme="DISPOSABLE"):
    data = body.SerializeToString()
    checksum = blake2b(domain("invitation"), data)[:4]
    return scheme + "1:" + base64.b32encode(data + checksum).decode().rstrip("=")


# ---------------------------------------------------------------- blobs (§11)

@dataclass(frozen=True, order=True)
class Blob:
    """A description: what a blob is called, and what it must be. Lower classes come first."""
    blob_class: int
    root: bytes
    byte_count: int

    @property
    def chunk_count(self):
        return -(-self.byte_count // CHUNK)

    def sealed_length(self, chunk):
        """Bytes of a chunk's ciphertext."""
        return min(CHUNK, self.byte_count - chunk * CHUNK) + TAG

    def is_last(self, chunk):
        return chunk == self.chunk_count - 1


def nonce(index, is_last):
    return bytes(7) + struct.pack(">IB", index, is_last)


def seal_chunk(key, index, is_last, plain):
    return aead_seal(plain, None, nonce(index, is_last), key)


def open_chunk(key, index, is_last, ciphertext):
    try:
        return aead_open(ciphertext, None, nonce(index, is_last), key)
    except (CryptoError, ValueError, TypeError):
        raise Refused("authentication failure", f"chunk {index}") from None


def content_key(import_secret, blob_class, plain_hash):
    return derive(import_secret, "blob key", bytes([blob_class]) + plain_hash)


def blob_root(byte_count, chunk_hashes):
    return blake2b(domain("blob root"), struct.pack(">QB", byte_count, 18), *chunk_hashes)


def seal_blob(import_secret, blob_class, plain):
    """The blob's reference for an operation's body, and its chunks' ciphertexts."""
    if not 1 <= len(plain) <= BYTE_COUNT_MAX[blob_class]:
        raise ValueError(f"a blob of {len(plain)} bytes; class {blob_class} takes 1 to {BYTE_COUNT_MAX[blob_class]}")
    key = content_key(import_secret, blob_class, blake2b(plain))
    count = -(-len(plain) // CHUNK)
    sealed = [seal_chunk(key, index, index == count - 1, plain[index * CHUNK:(index + 1) * CHUNK])
              for index in range(count)]
    root = blob_root(len(plain), map(blake2b, sealed))
    return pb.BlobReference(root=root, byte_count=len(plain), chunk_log2=18, key=key), sealed


def is_equal(mac, expected):
    return hmac.compare_digest(mac, expected)


# ---------------------------------------------------------------- sealed keys (§11.2)

def ephemeral_key(import_secret, root, recipient):
    """The one end of a box that its author can make again."""
    return derive(import_secret, "sealing key", root + recipient)


def seal_key(key, recipient, ephemeral):
    sender = crypto_scalarmult_base(ephemeral)
    return sender + crypto_box(key, blake2b(sender, recipient, size=24), recipient, ephemeral)


def open_key(sealed, secret):
    """By the recipient."""
    try:
        return SealedBox(PrivateKey(secret)).decrypt(sealed)
    except CryptoError:
        raise Refused("authentication failure", "a sealed key") from None


def open_message(text, key, author, event):
    """A message to the organizers (§9.22), of the device that has signed it. None where it is none."""
    try:
        said = aead_open(text, domain("message") + event + author, bytes(12), key).rstrip(b"\0").decode()
    except (CryptoError, ValueError, TypeError):
        return None
    return said if said and is_prose(said, 2_000) else None


def seal_message(said, key, author, event):
    padded = said.encode() + bytes(-len(said.encode()) % 256)
    return aead_seal(padded, domain("message") + event + author, bytes(12), key)


def reopen_key(sealed, recipient, ephemeral):
    """By who sealed it."""
    try:
        return crypto_box_open(sealed[32:], blake2b(sealed[:32], recipient, size=24), recipient, ephemeral)
    except CryptoError:
        raise Refused("authentication failure", "a sealed key") from None
