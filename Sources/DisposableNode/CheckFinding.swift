// SPDX-License-Identifier: Apache-2.0

/// A finding about an event's folder.
public struct CheckFinding: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable {
        /// A problem, left as it is: only an inspection was requested.
        case found
        case repaired
        /// Repaired: the rest is fetched from other nodes.
        case incomplete
        /// A problem that nothing here can repair.
        case remains
        /// No problem.
        case note
    }

    public var event: String
    /// `key`, `database`, `operation`, `chain`, `blob` or `file`.
    public var kind: String
    public var state: State
    public var text: String
    /// An instruction.
    public var hint: String?
}

/// The result of inspecting an event's folder.
public struct CheckSummary: Codable, Sendable, Equatable {
    public var event: String
    /// `null` if the database is unreadable.
    public var name: String?
    public var operationCount: Int
    public var blobCount: Int
    public var byteCount: UInt64
    public var foundCount: Int
    public var repairedCount: Int
    public var incompleteCount: Int
    public var remainsCount: Int
}
