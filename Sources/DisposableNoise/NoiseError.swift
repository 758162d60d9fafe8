// SPDX-License-Identifier: Apache-2.0

/// The reason why a handshake or a transport refused.
///
/// The first error of a `HandshakeState` or a `NoiseTransport` is its last: every later call throws `.failedEarlier`.
public enum NoiseError: Error, Equatable, Sendable {
    /// A tag did not match: another preshared key, prologue or static key than ours, or changed, replayed or reordered
    /// bytes. The error does not reveal which.
    case authenticationFailed
    /// A public key of small order: the Diffie-Hellman result was all zero (Noise §12.1 leaves the check to us).
    case weakPublicKey
    /// A message ends before the fields that its pattern demands.
    case messageTooShort(byteCount: Int, needed: Int)
    /// A message exceeds what Noise allows (Noise §3).
    case messageTooLong(byteCount: Int, limit: Int)
    /// 2^64 - 1 messages went in one direction; the nonce is not used again (Noise §5.1).
    case nonceExhausted
    /// A read when a write is due or the reverse, a `split()` before the last message, any call after it, or a message
    /// against the direction of a one-way pattern.
    case outOfTurn
    /// An earlier call threw; the state is unusable.
    case failedEarlier
    /// The name is not one of a known pattern with 25519, ChaChaPoly and BLAKE2b.
    case unsupportedProtocol(name: String)
    /// The pattern needs a key that was not given.
    case keyMissing(HandshakeKey)
    /// The pattern does not use a given key, which would suggest a check that does not take place.
    case keyUnused(HandshakeKey)
    /// The number of preshared keys is not that of the pattern's `psk` tokens.
    case presharedKeyCount(Int, needed: Int)
}

/// The keys that may be given to a handshake.
public enum HandshakeKey: Equatable, Sendable {
    /// `s`: our own static key pair.
    case localStatic
    /// `e`: our own ephemeral key pair.
    case ephemeral
    /// `rs`: the other side's static public key.
    case remoteStatic
}
