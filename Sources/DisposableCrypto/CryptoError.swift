// SPDX-License-Identifier: Apache-2.0

/// The reason why a cryptographic operation failed.
///
/// A failed decryption has no detail on purpose: it must not reveal which byte was wrong.
public enum CryptoError: Error, Equatable, Sendable {
    /// The tag did not match: wrong key, wrong nonce, wrong associated data or changed bytes.
    case authenticationFailed
    /// The X25519 result was all zero: the other side sent a point of small order (RFC 7748 §6.1).
    case weakPublicKey
}
