// SPDX-License-Identifier: Apache-2.0

/// The text to agree to, and whether this node's person has agreed.
public struct ConsentInfo: Codable, Sendable, Equatable {
    /// The hash of the whole text, which identifies its version: 64 hexadecimal digits.
    public var text: String
    /// The part that holds in every event.
    public var statement: String
    /// The organizers' text, empty if they have written none.
    public var organizersText: String
    public var isGiven: Bool
    /// Whether it is required before this node adds anything.
    public var isNeeded: Bool
}
