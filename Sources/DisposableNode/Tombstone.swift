// SPDX-License-Identifier: Apache-2.0

/// The record of an event that this node has forgotten: its name, the time, and the reason.
public struct Tombstone: Codable, Sendable, Equatable {
    public enum Reason: String, Codable, Sendable {
        /// The node's person has left.
        case left
        /// Retention was over.
        case expired
        /// The node has only read the event, whose gallery is no longer joined with one of its own.
        case separated
    }

    public let event: String
    public let name: String
    /// Milliseconds since 1970 UTC, by this machine's clock.
    public let forgottenAt: UInt64
    public let reason: Reason
}
