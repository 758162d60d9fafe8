// SPDX-License-Identifier: Apache-2.0

/// The name of a piece of work for the shell, which identifies its result.
public struct Ticket: Hashable, Sendable {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
}
