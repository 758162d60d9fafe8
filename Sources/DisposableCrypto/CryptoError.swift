// SPDX-License-Identifier: Apache-2.0

/// Why a cryptographic operation gave no result.
///
/// A failed decryption has no detail on purpose: which byte was wrong is nobody's business.
public enum CryptoError: Error, Equatable, Sendable {
    /// The tag did not match: wrong key, wrong nonce, wrong associated data or changed bytes.
    case authenticationFailed
    /// The X25519 result was all zero: the other side sent a point of small order (RFC 7748 §6.1).
    case weakPublicKey
}
