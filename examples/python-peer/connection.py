# SPDX-License-Identifier: Apache-2.0
"""From a TCP connection to authenticated frames (§6.2 to §6.5)."""

import asyncio
import os
import struct
import time

from cryptography.exceptions import InvalidTag
from google.protobuf.message import DecodeError
from noise.connection import Keypair, NoiseConnection
from noise.exceptions import NoiseInvalidMessage

import disposable_pb2 as pb
from event import Refused, blake2b, domain, is_equal, is_signed, public, sign
from messages import AUTHENTICATION, CLOSE, CODE, CODES, MAY_RETRY, read_message

VERSION = 1
FRAME_MAX = 65_535
HANDSHAKE_SECONDS = 5


class Closed(Exception):
    """A connection that ends, and why: `code` is one of CODES. What the peer is told, if anything, was said by then.
    `version` is the other side's, where that is why."""

    def __init__(self, code, retry_after_ms=0, version=None):
        super().__init__(code if version is None else
                         f"it speaks version {version} of the protocol, this peer version {VERSION}: use the same on both")
        self.code, self.retry_after_ms, self.version = code, retry_after_ms, version


# ---------------------------------------------------------------- challenge and preface (§6.2)

def preface_tag(event, *parts):
    return blake2b(*parts, key=event.preface_key, size=16)


def make_preface(event, challenge, salt):
    return b"DSPL" + bytes([VERSION]) + salt + preface_tag(event, challenge, salt)


def check_preface(event, challenge, preface):
    """What a listener does with a preface. "not served": it hangs up without a word."""
    salt, tag = preface[5:21], preface[21:]
    if len(preface) != 37 or preface[:4] != b"DSPL" or not is_equal(tag, preface_tag(event, challenge, salt)):
        raise Refused("not served")
    if preface[4] != VERSION:
        raise Refused("unsupported version")


def which(events, challenge, preface):
    """Which of several secrets a preface was made with (§6.12)."""
    for event in events:
        try:
            check_preface(event, challenge, preface)
            return event
        except Refused as refused:
            if refused.kind != "not served":
                raise
    raise Refused("not served")


def make_refusal(event, challenge, salt, code, retry_after_ms):
    said = struct.pack(">BI", CODE[code], retry_after_ms)
    return said + preface_tag(event, challenge, salt, said)


def read_refusal(event, challenge, salt, message):
    """The code's name and the pause in milliseconds, of 21 bytes in place of a handshake message; with
    "unsupportedVersion" the number is the version that the listener speaks."""
    said, tag = message[:5], message[5:]
    if len(message) != 21 or not is_equal(tag, preface_tag(event, challenge, salt, said)):
        raise Refused("authentication failure")
    code, retry_after_ms = struct.unpack(">BI", said)
    return CODES.get(code, "shuttingDown") if code < 32 else "shuttingDown", retry_after_ms


# ---------------------------------------------------------------- Noise (§6.3, §6.4)

class Noise:
    """noiseprotocol's connection, with the failures that the vectors name."""

    SHORTEST = [48, 96, 64]

    def __init__(self, is_dialler, prologue, psk, static=None, ephemeral=None):
        self.noise = NoiseConnection.from_name(b"Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b")
        self.noise.set_as_initiator() if is_dialler else self.noise.set_as_responder()
        self.noise.set_prologue(prologue)
        self.noise.set_psks(psk)
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, static or os.urandom(32))
        if ephemeral:  # for test vectors alone
            self.noise.set_keypair_from_private_bytes(Keypair.EPHEMERAL, ephemeral)
        self.noise.start_handshake()
        self.message_count = 0

    def _do(self, action, data):
        try:
            return bytes(action(data))
        except (InvalidTag, NoiseInvalidMessage):
            raise Refused("authentication failure") from None
        except ValueError:  # from X25519, when the result is zero
            raise Refused("weak public key") from None

    def write(self, payload=b""):
        self.message_count += 1
        return self._do(self.noise.write_message, payload)

    def read(self, message):
        if len(message) < self.SHORTEST[self.message_count]:
            raise Refused("malformed", f"a handshake message of {len(message)} bytes")
        self.message_count += 1
        return self._do(self.noise.read_message, message)

    def read_empty(self, message):
        if self.read(message):
            raise Refused("malformed", "a handshake message with a payload")

    def seal(self, plain):
        return self._do(self.noise.encrypt, plain)

    def open(self, ciphertext):
        if not 16 <= len(ciphertext) <= FRAME_MAX:
            raise Refused("malformed", f"a frame of {len(ciphertext)} bytes")
        return self._do(self.noise.decrypt, ciphertext)

    @property
    def handshake_hash(self):
        return bytes(self.noise.get_handshake_hash())


# ---------------------------------------------------------------- authentication (§6.5)

def make_authentication(key, side, handshake_hash, claims):
    signature = sign(key, domain("authentication"), bytes([side]), handshake_hash, claims)
    return pb.Authentication(claims=claims, signature=signature).SerializeToString()


def check_authentication(message, side, handshake_hash):
    """The claims of a peer on `side` (0 dialler, 1 listener), from its Authentication."""
    try:
        claims = pb.AuthenticationClaims.FromString(message.claims)
    except DecodeError:
        raise Refused("malformed", "claims") from None
    if len(claims.device) != 32 or len(claims.instance) != 16 or claims.listen_port > 65_535:
        raise Refused("malformed", "claims")
    if not is_signed(claims.device, message.signature, domain("authentication"), bytes([side]), handshake_hash,
                     message.claims):
        raise Refused("authentication failure")
    return claims


# ---------------------------------------------------------------- a live connection

class Connection:
    """Frames both ways. `claims` are what the peer has proved; times are seconds of the monotonic clock."""

    def __init__(self, event, reader, writer, noise, is_dialler, address):
        self.event = event  # under the secret of this connection
        self.reader, self.writer, self.noise, self.is_dialler, self.address = reader, writer, noise, is_dialler, address
        self.handshake_hash, self.claims = noise.handshake_hash, None
        self.opened_at = self.heard_at = time.monotonic()

    def send(self, kind, payload=b""):
        """Without waiting; `drain` waits until the peer has taken most of what was sent."""
        if not isinstance(payload, bytes):
            payload = payload.SerializeToString()
        frame = self.noise.seal(bytes([kind]) + payload)
        self.writer.write(struct.pack(">H", len(frame)) + frame)

    async def drain(self):
        await self.writer.drain()

    async def receive(self):
        """The type and message of the next frame. One that does not open ends the connection without Close."""
        frame = await _read_sized(self.reader)
        try:
            plaintext = self.noise.open(frame)
        except Refused:
            self.writer.close()
            raise
        self.heard_at = time.monotonic()
        return read_message(plaintext)

    def close(self, code=None, retry_after_ms=None):
        """Says why, where there is something to say, and closes TCP."""
        if self.writer.is_closing():
            return
        if code:
            pause = retry_after_ms if retry_after_ms is not None else 1000 if code in MAY_RETRY else 0
            self.send(CLOSE, pb.Close(code=CODE[code], retry_after_ms=pause))
        self.writer.close()

    async def authenticate(self, key, instance, listen_port):
        claims = pb.AuthenticationClaims(device=public(key), instance=instance,
                                         wall_clock_ms=time.time_ns() // 1_000_000,
                                         listen_port=listen_port).SerializeToString()
        side = 0 if self.is_dialler else 1
        self.send(AUTHENTICATION, make_authentication(key, side, self.handshake_hash, claims))
        kind, message = await self.receive()
        if kind != AUTHENTICATION:
            raise Refused("malformed", f"type {kind} before Authentication")
        self.claims = check_authentication(message, 1 - side, self.handshake_hash)


async def _read_sized(reader):
    (length,) = struct.unpack(">H", await reader.readexactly(2))
    return await reader.readexactly(length)


def _write_sized(writer, message):
    writer.write(struct.pack(">H", len(message)) + message)


async def dial(event, key, instance, listen_port, address):
    """Raises OSError, TimeoutError, EOFError, Refused, or Closed where the listener refuses in so many words."""
    async with asyncio.timeout(HANDSHAKE_SECONDS):
        reader, writer = await asyncio.open_connection(*address)
        try:
            challenge, salt = await reader.readexactly(16), os.urandom(16)
            preface = make_preface(event, challenge, salt)
            noise = Noise(True, challenge + preface, event.psk)
            writer.write(preface)
            _write_sized(writer, noise.write())
            answer = await _read_sized(reader)
            if len(answer) == 21:
                code, number = read_refusal(event, challenge, salt, answer)
                raise Closed(code, version=number) if code == "unsupportedVersion" else Closed(code, number)
            noise.read_empty(answer)
            _write_sized(writer, noise.write())
            connection = Connection(event, reader, writer, noise, True, address)
            await connection.authenticate(key, instance, listen_port)
            return connection
        except BaseException:
            writer.close()
            raise


async def accept(events, key, instance, listen_port, reader, writer, refusal=lambda: None):
    """`events`: the event under each of the secrets that this node goes by; the preface tells which. `refusal()` is None, or the code and the pause with which a dialler that knows the event is sent away."""
    try:
        challenge = os.urandom(16)
        writer.write(challenge)
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            preface = await reader.readexactly(37)
            refused, event = refusal(), events[0]
            try:
                event = which(events, challenge, preface)
            except Refused as failure:
                if failure.kind != "unsupported version":
                    raise
                _write_sized(writer, make_refusal(event, challenge, preface[5:21], "unsupportedVersion", VERSION))
                raise Closed("unsupportedVersion", version=preface[4]) from None
            if refused:
                _write_sized(writer, make_refusal(event, challenge, preface[5:21], *refused))
                raise Closed(*refused)
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            noise = Noise(False, challenge + preface, event.psk)
            noise.read_empty(await _read_sized(reader))
            _write_sized(writer, noise.write())
            noise.read_empty(await _read_sized(reader))
            connection = Connection(event, reader, writer, noise, False, writer.get_extra_info("peername")[:2])
            await connection.authenticate(key, instance, listen_port)
            return connection
    except BaseException:
        writer.close()
        raise
