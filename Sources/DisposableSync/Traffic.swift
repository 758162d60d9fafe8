// SPDX-License-Identifier: Apache-2.0

/// The bytes of a connection, or of all.
public struct Traffic: Equatable, Sendable {
    public internal(set) var receivedByteCount: UInt64 = 0
    /// Bytes that the network has taken.
    public internal(set) var sentByteCount: UInt64 = 0
}
